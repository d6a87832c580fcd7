"""The site that is recorded with seven themes, from one set of Markdown sources."""

from __future__ import annotations

import json
import re
import shutil
import sys
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

from tests.layouts.sites import Site, run

SOURCES = Path(__file__).parent / "sources"
PAGES = "index install guide settings recipes reference pitfalls umstellung".split()
FIRST, SECOND = PAGES[1:4], PAGES[4:]
# The same for Sphinx, which nests pages: page, caption, its pages.
TREE = (
    ("index", "First steps", ["install", "guide"]),
    ("index", "Further", ["reference"]),
    ("guide", "More about it", ["settings", "recipes", "pitfalls", "umstellung"]),
)
MOTTO = "Timetables for small harbours"
NEWS = "Version 3.2 is out: it knows bays with two high waters."
COPYRIGHT = "2015-2026, the Tidewater crew"
ALERT = r"^> \[!([A-Z]+)\]\n((?:>.*\n)+)"
REPOSITORY = "https://code.example.org/crew/tidewater"


def alerts(source: str, begin: Callable[[str], str], indent: str, end: str) -> str:
    """The Markdown *source* with its alerts, ``> [!NOTE]``, written another way."""

    def translate(match: re.Match[str]) -> str:
        lines = re.sub(r"^> ?", "", match[2], flags=re.MULTILINE).splitlines()
        body = "\n".join(indent + line for line in lines)
        return f"{begin(match[1].lower())}\n{body}\n{end}\n"

    return re.sub(ALERT, translate, source, flags=re.MULTILINE)


# --- Sphinx -------------------------------------------------------------------

TOCTREE = """
```{{toctree}}
:hidden:
:caption: {caption}

{pages}
```
"""

SPHINX_OPTIONS: dict[str, dict[str, object]] = {
    "alabaster": {"description": MOTTO, "show_relbars": True, "fixed_sidebar": False},
    "furo": {
        "announcement": NEWS,
        "source_repository": "https://github.com/example/tidewater",
        "source_branch": "main",
        "source_directory": "docs",
    },
    "sphinx_rtd_theme": {"navigation_depth": 3, "collapse_navigation": False},
    "pydata_sphinx_theme": {
        "announcement": NEWS,
        "github_url": REPOSITORY,
        "header_links_before_dropdown": 4,
        "use_edit_page_button": True,
    },
}

# Its sidebar holds the pages below the current one: nothing for these.
SPHINX_SIDEBARS: dict[str, dict[str, list[str]]] = {
    "pydata_sphinx_theme": {"index": [], "install": [], "reference": []},
}


def sphinx_settings(theme: str) -> dict[str, object]:
    return {
        "project": "Tidewater",
        "author": "the Tidewater crew",
        "copyright": COPYRIGHT,
        "release": "3.2",
        "extensions": ["myst_parser"],
        "myst_enable_extensions": ["colon_fence"],
        "exclude_patterns": ["_build"],
        "smartquotes": False,
        "html_theme": theme,
        "html_theme_options": SPHINX_OPTIONS[theme],
        "html_sidebars": SPHINX_SIDEBARS.get(theme, {}),
        "html_logo": "images/logo.svg",
        "html_last_updated_fmt": "%d %B %Y",
        "html_context": {
            "display_github": True,
            "github_user": "example",
            "github_repo": "tidewater",
            "github_version": "main",
            "conf_py_path": "/docs/",
            "doc_path": "docs",
        },
    }


def sphinx(theme: str) -> Callable[[Path], Path]:
    def build(folder: Path) -> Path:
        source = folder / "source"
        shutil.copytree(SOURCES, source)
        for path in source.glob("*.md"):
            text = alerts(path.read_text("utf-8"), ":::{{{}}}".format, "", ":::")
            path.write_text(text, "utf-8")
        for parent, caption, pages in TREE:
            with (source / f"{parent}.md").open("a", encoding="utf-8") as page:
                page.write(TOCTREE.format(caption=caption, pages="\n".join(pages)))
        settings = sphinx_settings(theme).items()
        conf = "".join(f"{name} = {value!r}\n" for name, value in settings)
        (source / "conf.py").write_text(conf, "utf-8")
        run(sys.executable, "-m", "sphinx", "-q", "-W", source, folder / "html")
        return folder / "html"

    return build


def sphinx_site(name: str, theme: str) -> Site:
    made_by = {tool: version(tool) for tool in ("sphinx", "myst-parser", name)}
    pages = {page: f"{page}.html" for page in PAGES}
    return Site(name, made_by, sphinx(theme), pages)


# --- MkDocs -------------------------------------------------------------------

OFFLINE: dict[str, object] = {"highlightjs": False}
MATERIAL: dict[str, object] = {
    "name": "material",
    "font": False,
    "logo": "images/logo.svg",
    "features": ["navigation.footer", "navigation.sections", "navigation.tabs"],
}
EXTENSIONS = [
    "admonition",
    "tables",
    "fenced_code",
    {"codehilite": {"guess_lang": False}},
    {"toc": {"permalink": True}},
]


def mkdocs(theme: dict[str, object]) -> Callable[[Path], Path]:
    def build(folder: Path) -> Path:
        source = folder / "docs"
        shutil.copytree(SOURCES, source)
        for page in source.glob("*.md"):
            text = alerts(page.read_text("utf-8"), "!!! {}\n".format, "    ", "")
            page.write_text(text, "utf-8")
        settings = {
            "site_name": "Tidewater",
            "site_description": MOTTO,
            "copyright": f"Copyright {COPYRIGHT}",
            "repo_url": REPOSITORY,
            "repo_name": "crew/tidewater",
            "edit_uri": "edit/main/docs/",
            "theme": theme,
            "markdown_extensions": EXTENSIONS,
            "nav": [
                {"Home": "index.md"},
                {"First steps": [f"{page}.md" for page in FIRST]},
                {"Further": [f"{page}.md" for page in SECOND]},
            ],
        }
        # JSON is YAML.
        (folder / "mkdocs.yml").write_text(json.dumps(settings), "utf-8")
        run(sys.executable, "-m", "mkdocs", "build", "-q", "-f", folder / "mkdocs.yml")
        return folder / "site"

    return build


def mkdocs_site(name: str, theme: dict[str, object], *tools: str) -> Site:
    made_by = {tool: version(tool) for tool in ("mkdocs", "markdown", *tools)}
    pages = {page: f"{page}/" for page in PAGES} | {"index": ""}
    return Site(name, made_by, mkdocs(theme), pages)


def themed_sites() -> list[Site]:
    """Our sources, seven times."""
    return [
        sphinx_site("alabaster", "alabaster"),
        sphinx_site("furo", "furo"),
        sphinx_site("sphinx-rtd-theme", "sphinx_rtd_theme"),
        sphinx_site("pydata-sphinx-theme", "pydata_sphinx_theme"),
        mkdocs_site("mkdocs", {"name": "mkdocs", "highlightjs": False}),
        mkdocs_site(
            "mkdocs-readthedocs", {"name": "readthedocs", "highlightjs": False}
        ),
        mkdocs_site("mkdocs-material", MATERIAL, "mkdocs-material"),
    ]
