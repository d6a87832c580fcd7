"""Rustdoc: the documentation of a crate whose modules are explained at length."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ..content import html_box, indented
from ..record import Page
from ..tools import fresh, need, run, write

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from ..content import Content

WANTED: Final = {"documentation": 7, "wiki": 2}
ITEMS: Final = """
/// A place on Earth, in degrees.
///
/// ```
/// let turku = Place { latitude: 60.45, longitude: 22.27 };
/// ```
pub struct Place {
    /// Degrees to the north of the equator.
    pub latitude: f64,
    /// Degrees to the east of Greenwich.
    pub longitude: f64,
}

impl Place {
    /// Metres along the great circle to another place.
    pub fn distance(&self, other: &Place) -> f64 { self.latitude - other.latitude }
}

/// Why a map could not be opened.
pub enum OpenError {
    /// Somebody else holds the lock.
    Locked,
    /// There is no such file, and the mode is `"r"`.
    Missing,
}
"""
TRUTH: Final = "section#main-content"
DROP: Final = (
    "div.main-heading > :not(h1), h1 > button, summary.hideme, a.doc-anchor, a.anchor, "
    "a.src, a.tooltip"
)
ROLES: Final = {
    "navigation": "nav.sidebar, rustdoc-topbar",
    "header": "div.sidebar-crate",
    "other": "#copy-path, summary.hideme",
    "breadcrumb": "span.rustdoc-breadcrumbs, div.rustdoc-breadcrumbs",
}


def build(contents: Sequence[Content], folder: Path) -> Iterator[Page]:
    rustdoc = need("rustdoc", "rustc")
    crate = fresh(folder / "crate")
    modules = []
    for content in contents:
        text = f"{content.markup('gfm', html_box)}"
        comment = indented(text, "//! ").replace("\n\n", "\n//!\n")
        name = content.name.replace("-", "_")
        modules.append(f"pub mod {name} {{\n{comment}\n{ITEMS}\n}}\n")
    write(crate / "lib.rs", "//! Maps from plain files.\n\n" + "\n".join(modules))
    run(rustdoc, "--crate-name", "atlas", "-A", "warnings", "lib.rs", cwd=crate)
    for content in contents:
        name = content.name.replace("-", "_")
        path = f"/atlas/{name}/index.html"
        html = (crate / "doc" / path[1:]).read_bytes()
        yield Page(
            path=path,
            html=html,
            content=TRUTH,
            drop=DROP,
            roles=ROLES,
            title=f"Module {name}",
            type="documentation",
            language=content.language,
        )
