"""Sphinx configuration; ``make docs`` builds with warnings as errors."""

from __future__ import annotations

import os
from importlib.metadata import version as installed_version

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from scrapy_mainpage.settings import defaults

project = "scrapy-mainpage"
author = "scrapy-mainpage contributors"
copyright = f"2026, {author}"  # noqa: A001
release = installed_version("scrapy-mainpage")
version = ".".join(release.split(".")[:2])

# The extension of Scrapy's projects: autodoc, and the roles setting, stat and reqmeta.
extensions = ["sphinx_scrapy", "sphinx_rtd_theme"]
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
        r"Budget|Floats|Ints|Mask|Scores|Vectors|scrapy_mainpage\.rules\.selectors\.Selector",
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

html_theme = "sphinx_rtd_theme"
html_theme_options = {"navigation_depth": 3}
html_static_path = ["_static"]
html_css_files = ["tables.css"]


class SettingsTable(SphinxDirective):
    """``.. settings-table:: GROUP``: the settings of a group with their defaults.

    The groups and the defaults are those of ``scrapy_mainpage/settings.py``.
    """

    required_arguments = 1
    final_argument_whitespace = True

    def run(self) -> list[nodes.Node]:
        """Return the table."""
        rows = [
            f"    * - :setting:`MAINPAGE_{name.upper()}`\n      - ``{default!r}``"
            for name, default in defaults(self.arguments[0]).items()
        ]
        table = ".. list-table::\n    :widths: 60 40\n    :header-rows: 1\n\n"
        heading = "    * - Setting\n      - Default\n"
        return self.parse_text_to_nodes(table + heading + "\n".join(rows))


def setup(app: Sphinx) -> None:
    """Add the directive."""
    app.add_directive("settings-table", SettingsTable)
