"""A zoo of real software: sites with exactly known main content.

Generators and applications from PyPI, npm and Debian publish one set of contents
(``contents``), each in a site as its users have it. What a template puts around the
content is known, so the truth of every page is exact. ``python -m lab.zoo DIR``
makes the pages; they are never committed.
"""
