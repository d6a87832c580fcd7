"""Systems that the papers of this package's algorithms compare with, a file a family.

Each docstring names the publication and, as "chosen here", every step and number that
its description in later papers and other programs leaves open.
"""
