"""A long crawl of a synthetic site, watched, stopped and killed.

``make soak`` runs it; see ``docs/endurance.rst``.
"""
