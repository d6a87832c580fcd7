"""Sphinx configuration; ``make docs`` builds with warnings as errors."""

from __future__ import annotations

import os
import re
from html import escape
from importlib.metadata import version as installed_version
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from scrapy_mainpage.settings import Settings

project = "scrapy-mainpage"
author = "scrapy-mainpage contributors"
copyright = f"2026, {author}"  # noqa: A001
release = installed_version("scrapy-mainpage")
version = ".".join(release.split(".")[:2])

# The extension of Scrapy's projects: autodoc, the roles setting, stat and reqmeta, and
# llms.txt with every page as Markdown.
extensions = ["sphinx_scrapy"]
exclude_patterns = ["_build"]
# ``name`` is code or, where a page of these docs describes it, a link to it.
default_role = "any"
add_module_names = False

# Inventories of other documentation need the network: read where published.
PUBLISHED = os.environ.get("READTHEDOCS") == "True"
scrapy_intersphinx_enable = ["lxml", "parsel", "scrapy-poet"] if PUBLISHED else []
scrapy_intersphinx_disable = [] if PUBLISHED else ["python", "scrapy"]

# A broken reference is an error; those to other projects are not checked.
nitpicky = True
nitpick_ignore_regex = [
    ("py:.*", r"(collections|itemadapter|lxml|numpy|npt|pa|pyarrow|scrapy)\..*"),
    (
        "py:class",
        r"Budget|Floats|Ints|Mask|Scores|scrapy_mainpage\.indexes\.base\.VectorSearch",
    ),
    ("py:class", r"scrapy_mainpage\.extraction\.document\.schema\..*"),
    ("py:mod", r"tags"),
    ("py:exc", r"LayoutError|NotHtmlError"),
    ("py:meth", r"base\.Index\.open"),
]

autodoc_default_options = {"members": True, "member-order": "bysource"}
autodoc_typehints = "description"
autodoc_typehints_description_target = "documented"
autoclass_content = "class"

# "make linkcheck": these are examples, or of this machine.
linkcheck_ignore = [r"https?://(127\.0\.0\.1|localhost|example\.com)\b"]

# The button copies the commands of a console, neither prompt nor output.
copybutton_prompt_text = "$ "

# Light and dark as the reader's system is, and wide tables scroll in place on a phone.
html_theme = "furo"
html_title = project
html_static_path = ["_static"]
html_css_files = ["tables.css"]
html_baseurl = os.environ.get(
    "READTHEDOCS_CANONICAL_URL", "https://scrapy-mainpage.readthedocs.io/en/latest/"
)
SUMMARY = (
    "Main content and a label for every text block of every page that Scrapy crawls"
)


class SettingsTable(SphinxDirective):
    """``.. settings-table::``: the settings up to the next one, with defaults."""

    def run(self) -> list[nodes.Node]:
        """Return the table."""
        source = Path(self.get_source_info()[0]).read_text("utf-8")
        below = "\n".join(source.splitlines()[self.lineno :])
        group = below.partition(".. settings-table::")[0]
        plain = Settings()
        rows = [
            f"    * - :setting:`MAINPAGE_{name}`\n"
            f"      - ``{getattr(plain, name.lower())!r}``"
            for name in re.findall(
                r"^\.\. setting:: MAINPAGE_(\w+)$", group, re.MULTILINE
            )
        ]
        table = ".. list-table::\n    :widths: 60 40\n    :header-rows: 1\n\n"
        heading = "    * - Setting\n      - Default\n"
        return self.parse_text_to_nodes(table + heading + "\n".join(rows))


def add_card(
    app: Sphinx, name: str, template: str, context: dict[str, Any], page: object
) -> None:
    """What others show of a link to a page (Open Graph)."""
    card = {
        "og:title": re.sub("<[^>]+>", "", context.get("title", project)),
        "og:description": SUMMARY,
        "og:type": "website",
        "og:url": html_baseurl + app.builder.get_target_uri(name),
        "og:image": f"{html_baseurl}_static/report-light.png",
    }
    context["metatags"] = context.get("metatags", "") + "".join(
        f'<meta property="{key}" content="{escape(value)}" />\n'
        for key, value in card.items()
    )


def setup(app: Sphinx) -> None:
    """Add the directive, and the cards of pages."""
    app.add_directive("settings-table", SettingsTable)
    app.connect("html-page-context", add_card)
