"""The papers of the algorithms: their comparison systems, tables and figures.

``python -m lab.papers`` measures the systems and draws the figures.
"""
