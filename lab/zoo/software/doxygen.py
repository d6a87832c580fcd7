"""Doxygen: related pages and the classes of a library, with and without a tree."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ..content import html_box
from ..record import Page, page_of
from ..tools import fresh, need, run, write

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from ..content import Content

WANTED: Final = {"documentation": 9, "wiki": 1}
SOURCE: Final = """
/** @file */
namespace atlas {

/** Degrees to the north and east.
 *
 * | Member | Range       |
 * |--------|-------------|
 * | north  | -90 to 90   |
 * | east   | -180 to 180 |
 */
struct Place {
    double north; ///< Degrees to the north of the equator.
    double east;  ///< Degrees to the east of Greenwich.
};

/** A map with its layers.
 *
 * Maps are made by open() and freed when the last pointer goes.
 * @code
 * auto chart = atlas::Chart::open("harbour.atlas");
 * chart->add("buoys", atlas::Geometry::Point);
 * @endcode
 * @note Locks do not work on NFS before version 4.
 */
class Chart {
public:
    /** What a layer consists of. */
    enum Geometry {
        Point,   ///< One place.
        Line,    ///< Two places or more.
        Polygon  ///< A ring, which is closed by itself.
    };

    /** Opens a file and locks it.
     * @param path the file, which must exist
     * @param timeout seconds to wait for the lock
     * @return the map, or `nullptr` if the lock is not free
     */
    static Chart *open(const char *path, double timeout = 5.0);

    /** Adds an empty layer.
     * @param name unique in the map
     * @param geometry of all of its features
     * @retval true the layer is new
     * @retval false there is one of this name
     */
    bool add(const char *name, Geometry geometry = Point);

    /** Metres along the great circle.
     * @since 4.1
     */
    double distance(const Place &from, const Place &to) const;

    /** The largest number of layers. */
    static const int max_layers = 1000;
};

}
"""
SETTINGS: Final = """
PROJECT_NAME = Atlas
PROJECT_NUMBER = 4.2
PROJECT_BRIEF = "Maps from plain files"
INPUT = .
FILE_PATTERNS = *.h *.md
GENERATE_LATEX = NO
QUIET = YES
WARNINGS = NO
EXTRACT_ALL = YES
HAVE_DOT = NO
TOC_INCLUDE_HEADINGS = 3
MARKDOWN_ID_STYLE = DOXYGEN
"""
TEMPLATES: Final = {
    "tabs": "",
    "tree": "GENERATE_TREEVIEW = YES\nHTML_COLORSTYLE = LIGHT\nDISABLE_INDEX = NO\n",
}
TRUTH: Final = "div.header div.title, div.contents"
DROP: Final = (
    "div.toc, span.permalink, a.anchor, div.ttc, div.dynheader, div.lineno, "
    "span.lineno, td.memSeparator"
)
ROLES: Final = {
    "header": "#titlearea",
    "navigation": "#main-nav, #navrow1, #navrow2, #navrow3, #side-nav, div.toc, "
    "div.summary",
    "breadcrumb": "#nav-path ul li.navelem",
    "footer": "address.footer, li.footer",
    "form": "#MSearchSelectWindow, #MSearchResultsWindow",
    "other": "div.ttc",
}


def build(contents: Sequence[Content], folder: Path) -> Iterator[Page]:
    doxygen = need("doxygen", "doxygen")
    for place, (template, more) in enumerate(TEMPLATES.items()):
        site = fresh(folder / template)
        write(site / "Doxyfile", SETTINGS + more)
        write(site / "chart.h", SOURCE)
        own = contents[place :: len(TEMPLATES)]
        for content in contents:
            text = content.markup("gfm", html_box).replace("@", "\\@")
            head = f"# {content.title} {{#{content.name.replace('-', '_')}}}\n\n"
            write(site / f"{content.slug}.md", head + text)
        run(doxygen, cwd=site)
        for content in own:
            path = f"/{content.name.replace('-', '_')}.html"
            yield page_of(
                content,
                path,
                _read(site, content.name.replace("-", "_")),
                TRUTH,
                drop=DROP,
                roles=ROLES,
                template=template,
            )
        for name in ("classatlas_1_1Chart", "structatlas_1_1Place"):
            yield Page(
                path=f"/{name}.html",
                html=_read(site, name),
                content=TRUTH,
                drop=DROP,
                roles=ROLES,
                title=f"atlas::{name.rpartition('1')[2]}",
                type="documentation",
                template=template,
            )


def _read(site: Path, name: str) -> bytes:
    """A page; doubles underscores as the program does."""
    for file in (name, name.replace("_", "__")):
        path = site / "html" / f"{file}.html"
        if path.is_file():
            return path.read_bytes()
    raise FileNotFoundError(name)
