"""The papers of the algorithms: their comparison systems and tables.

``python -m lab.papers`` measures the systems.
"""
