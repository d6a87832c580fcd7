"""Sphinx configuration; ``make docs`` builds with warnings as errors."""

from __future__ import annotations

from importlib.metadata import version as installed_version

project = "scrapy-mainpage"
author = "scrapy-mainpage contributors"
copyright = f"2026, {author}"  # noqa: A001
release = installed_version("scrapy-mainpage")
version = ".".join(release.split(".")[:2])

extensions = [
    "sphinx.ext.autodoc",
    "sphinx.ext.viewcode",
    "sphinx_rtd_theme",
]
exclude_patterns = ["_build"]
# ``name`` is code or, where a page of these docs describes it, a link to it.
default_role = "any"
add_module_names = False

# A reference that leads nowhere is a warning, so an error, unless it leads elsewhere.
nitpicky = True
nitpick_ignore_regex = [
    ("py:.*", r"(itemadapter|lxml|numpy|npt|pa|pyarrow|scrapy)\..*"),
    ("py:class", r"Floats|Ints|Mask|Scores"),
    ("py:mod", r"tags"),
    ("py:exc", r"LayoutError|NotHtmlError"),
    ("py:meth", r"base\.Index\.open"),
]

autodoc_default_options = {"members": True, "member-order": "bysource"}
autodoc_typehints = "description"
autodoc_typehints_description_target = "documented"
autoclass_content = "class"

html_theme = "sphinx_rtd_theme"
html_theme_options = {"navigation_depth": 3}
html_static_path = ["_static"]
html_css_files = ["tables.css"]


def setup(app: object) -> None:
    """Make ``:setting:`` and ``:stat:`` roles, as Scrapy's own documentation has."""
    add = app.add_crossref_type  # type: ignore[attr-defined]
    add("setting", "setting", indextemplate="pair: %s; setting")
    add("stat", "stat", indextemplate="pair: %s; statistic")
    add("reqmeta", "reqmeta", indextemplate="pair: %s; request.meta key")
