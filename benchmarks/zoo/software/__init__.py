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
    "mkdocs": "measure",
    "vitepress": "measure",
    "starlight": "train",
    "antora": "measure",
    "asciidoctor": "train",
    "mdbook": "train",
    "docbook": "measure",
    "doxygen": "train",
    "pdoc": "measure",
    "javadoc": "measure",
    "typedoc": "train",
    # blogs and sites
    "hugo": "train",
    "jekyll": "measure",
    "hexo": "train",
    "eleventy": "measure",
    "pelican": "train",
    "nikola": "measure",
    "astro": "measure",
    "wordpress": "train",
    "ghost": "measure",
    "mezzanine": "measure",
    "wagtail": "train",
    # wikis
    "mediawiki": "train",
    "dokuwiki": "measure",
    # forums
    "machina": "train",
    "spirit": "measure",
    # shops
    "oscar": "train",
}
