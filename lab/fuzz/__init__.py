"""Fuzzing: the compiled document pass and the whole extraction, under sanitisers.

``make fuzz`` runs all of it for a stated time; see ``docs/endurance.rst``.
"""
