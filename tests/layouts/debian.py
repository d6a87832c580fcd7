"""Recorded documentation of Debian, with columns unlike ours and one another's."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from tests.layouts.sites import Site, run


def debian(package: str, folder_of_html: str) -> Callable[[Path], Path]:
    def build(folder: Path) -> Path:
        run("apt-get", "-qq", "download", package, cwd=folder)
        (archive,) = folder.glob("*.deb")
        run("dpkg", "-x", archive, folder / "unpacked")
        return folder / "unpacked/usr/share/doc" / folder_of_html

    return build


def package_version(package: str) -> str:
    shown = run("apt-cache", "show", "--no-all-versions", package)
    found = re.search(r"^Version: (.*)$", shown, re.MULTILINE)
    return found[1] if found else "unknown"


def debian_site(
    package: str,
    folder: str,
    pages: dict[str, str],
    *,
    name: str = "",
    content: str,
    without: str,
    licence: str,
) -> Site:
    return Site(
        name or package,
        {package: package_version(package)},
        debian(package, folder),
        pages,
        content,
        without,
        licence,
    )


def debian_sites() -> list[Site]:
    """The packages, their pages, and where the main content of these stands."""
    rust = "MIT or Apache-2.0; copyright the Rust project's contributors"
    return [
        debian_site(
            "apache2-doc",
            "apache2-doc/manual",
            {
                "caching": "en/caching.html",
                "mod-expires": "en/mod/mod_expires.html",
                "ssi": "en/howto/ssi.html",
                "urlmapping": "en/urlmapping.html",
            },
            content="#page-content",
            without="button, .toplang, .bottomlang, .top, .permalink, #quickview, "
            "#comments_section",
            licence="Apache-2.0; copyright The Apache Software Foundation",
        ),
        debian_site(
            "postgresql-doc-15",
            "postgresql-doc-15/html",
            {
                "app-createdb": "app-createdb.html",
                "datatype-boolean": "datatype-boolean.html",
                "queries-order": "queries-order.html",
                "tutorial-join": "tutorial-join.html",
            },
            content="body > .sect1, body > .refentry",
            without="",
            licence="PostgreSQL; copyright the PostgreSQL Global Development Group "
            "and The Regents of the University of California",
        ),
        debian_site(
            "python-django-doc",
            "python-django-doc/html",
            {
                "conditional-views": "topics/conditional-view-processing.html",
                "external-packages": "topics/external-packages.html",
                "pagination": "topics/pagination.html",
                "signing": "topics/signing.html",
            },
            content="#yui-main .yui-g",
            without=".headerlink, .viewcode-link",
            licence="BSD-3-Clause; copyright the Django Software Foundation and "
            "individual contributors",
        ),
        debian_site(
            "rust-doc",
            "rust-doc/html",
            {
                "book-comments": "book/ch03-04-comments.html",
                "book-control-flow": "book/ch03-05-control-flow.html",
                "book-operators": "book/appendix-02-operators.html",
            },
            name="rust-book",
            content="main",
            without="button, .boring",
            licence=rust,
        ),
        debian_site(
            "rust-doc",
            "rust-doc/html",
            {
                "std-convert": "std/convert/index.html",
                "std-read-to-string": "std/fs/fn.read_to_string.html",
                "std-to-string": "std/string/trait.ToString.html",
            },
            name="rust-std",
            content="#main-content",
            without="button, .out-of-band, .rightside, .test-arrow, .hideme",
            licence=rust,
        ),
    ]
