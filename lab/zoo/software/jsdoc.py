"""JSDoc: tutorials and an API, with its own template and three others."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from ..content import html_box
from ..record import Page, page_of
from ..tools import fresh, npm, run, write

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from ..content import Content

WANTED: Final = {"documentation": 12}
PACKAGES: Final = (
    "jsdoc@4",
    "docdash@2",
    "clean-jsdoc-theme@4",
    "minami@1",
    "taffydb@2",
)
SOURCE: Final = """
/**
 * A map with its layers.
 *
 * Maps are opened with {@link openMap}, never with `new`.
 * @example
 * const chart = openMap('harbour.atlas');
 * chart.addLayer('buoys', {geometry: 'point'});
 */
class Chart {
  /**
   * Adds an empty layer.
   * @param {string} name - Unique in the map.
   * @param {object} [options] - What is not the same for all layers.
   * @param {string} [options.geometry=point] - `point`, `line` or `polygon`.
   * @param {boolean} [options.visible=true] - Whether it is drawn.
   * @param {number} [options.maxZoom=22]
   * @returns {Layer} The new layer.
   * @throws {Error} If there is a layer of this name.
   */
  addLayer(name, options) {}

  /**
   * Draws what lies between two corners.
   * @param {number[]} bounds - West, south, east, north.
   * @param {number} [dpi=96]
   * @returns {Promise<Blob>} A PNG.
   */
  render(bounds, dpi) {}

  /** Frees the lock. */
  close() {}
}

/**
 * Features of the same geometry, drawn in one style.
 * @property {string} name
 * @property {boolean} visible - `true`, or one of the words that files may have for it.
 * @property {number} [minZoom=0]
 */
class Layer {
  /**
   * Features in a rectangle, in the order of their addition.
   * @param {number[]} bounds
   * @yields {Feature}
   * @since 4.1
   */
  *within(bounds) {}
}
"""
TEMPLATES: Final = {
    "default": "",
    "docdash": "node_modules/docdash",
    "clean": "node_modules/clean-jsdoc-theme",
    "minami": "node_modules/minami",
}
TUTORIAL: Final = {
    "default": "#main > section > header h2, #main > section > article",
    "docdash": "#main > section > header h2, #main > section > article",
    "clean": "#main > section, .main-content section",
    "minami": "#main > h1.page-title, #main > section > article",
}
SOURCE_LINKS: Final = "dl.details .tag-source, .method-source-code"
OLD: Final = {
    "navigation": "body > nav",
    "footer": "body > footer",
    "other": SOURCE_LINKS,
}
ROLES: Final = {
    "default": OLD,
    "docdash": OLD,
    "minami": OLD,
    "clean": {
        "navigation": "div.sidebar, #mobile-sidebar, div.navbar, div.toc-container",
        "form": "div.search-container",
        "footer": "footer",
    },
}
API: Final = "#main > h1.page-title, #main > section"


def build(contents: Sequence[Content], folder: Path) -> Iterator[Page]:
    programs = npm(folder, *PACKAGES)
    source, tutorials = fresh(folder / "src"), fresh(folder / "tutorials")
    write(source / "chart.js", SOURCE)
    for content in contents:
        write(tutorials / f"{content.slug}.md", content.markup("gfm", html_box))
        title = json.dumps({"title": content.title}, ensure_ascii=False)
        write(tutorials / f"{content.slug}.json", title)
    for place, (template, path) in enumerate(TEMPLATES.items()):
        site = folder / f"site-{template}"
        settings = {
            "source": {"include": ["src"]},
            "plugins": ["plugins/markdown"],
            "opts": {"destination": str(fresh(site)), "tutorials": "tutorials"},
        }
        if path:
            settings["opts"]["template"] = path
        write(folder / "conf.json", json.dumps(settings))
        run(programs / "jsdoc", "-c", "conf.json", cwd=folder)
        for content in contents[place :: len(TEMPLATES)]:
            name = f"/tutorial-{content.slug}.html"
            yield page_of(
                content,
                name,
                (site / name[1:]).read_bytes(),
                TUTORIAL[template],
                roles=ROLES[template],
                template=template,
            )
        for name in ("Chart", "Layer") if template != "clean" else ():
            yield Page(
                path=f"/{name}.html",
                html=(site / f"{name}.html").read_bytes(),
                content=API,
                drop=SOURCE_LINKS,
                title=f"Class: {name}" if template == "default" else name,
                roles=ROLES[template],
                type="documentation",
                template=template,
            )
