"""One module for each software: ``WANTED`` and ``build(contents, folder)``.

``WANTED`` is the number of contents by kind. ``build`` makes the site of the given
contents in *folder*, which keeps what was installed there before, and yields its pages.
"""

from __future__ import annotations

from typing import Final

#: The half of each software, balanced over what they are used for.
SOFTWARE: Final = {
    # documentation
    "sphinx": "train",
    "docusaurus": "train",
    "starlight": "train",
    "asciidoctor": "train",
    "rustdoc": "train",
    "jsdoc": "train",
    "texinfo": "train",
    "mkdocs": "measure",
    "vitepress": "measure",
    "docbook": "measure",
    "doxygen": "measure",
    "javadoc": "train",
    "pdoc": "measure",
    "typedoc": "measure",
    "honkit": "measure",
    # blogs and sites
    "hugo": "train",
    "hexo": "train",
    "eleventy": "train",
    "wordpress": "train",
    "ghost": "measure",
    "mezzanine": "measure",
    "jekyll": "measure",
    "pelican": "measure",
    "nikola": "measure",
    # wikis
    "mediawiki": "train",
    "dokuwiki": "measure",
    "ikiwiki": "train",
    # forums
    "machina": "train",
    "spirit": "measure",
    "mhonarc": "train",
    # shops
    "oscar": "train",
}
