"""Systems that the papers of this package's algorithms compare with, a file a family.

Each docstring names the publication and, as "chosen here", every step that it (or what
later papers say of it) leaves open.
"""
