"""Content that is not in the page's text: JSON-LD, microdata, hydration, templates.

It is made to add nothing where the text is enough. A page is *thin* if the algorithm
found few words of main content in it; only of such a page the scripts are read. There
is one exception: JSON-LD with an article's body that is much longer than all that was
found, as a page has it whose text stands behind a wall or a click.
"""

from __future__ import annotations

from .completion import complete

__all__ = ["complete"]
