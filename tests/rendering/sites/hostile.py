"""Pages that try to reach forbidden addresses.

Their requests go to the port of a `Listener`, with the way of asking and the name of
the address in the path: ``/img/ipv6``. Most pages have an article that is there
without a browser.
"""

from __future__ import annotations

import socket
from functools import cache
from urllib.parse import unquote

from . import texts
from .asking import DATAGRAMS, ELEMENTS, LEAVING, SCRIPTS, STATUSES, markup
from .server import Answer, Reply, html, redirect, text

#: Cloud metadata address, a usual target of pages on the Internet.
METADATA = "http://169.254.169.254/latest/meta-data/"


@cache
def hosts() -> dict[str, str]:
    """Names and notations of this machine, as used in URLs.

    Browsers know the names below ``localhost`` themselves. ``hostname``, the name of
    the machine, has to be resolved; it is included if that gives a loopback
    address, as it does on most machines.
    """
    name = socket.gethostname()
    return {
        "ipv4": "127.0.0.1",
        "ipv6": "[::1]",
        "mapped": "[::ffff:127.0.0.1]",
        "mapped-hex": "[::ffff:7f00:1]",
        "decimal": "2130706433",
        "hex": "0x7f.1",
        "octal": "0177.0.0.1",
        "short": "127.1",
        "encoded": "%31%32%37.0.0.1",
        "zero": "0.0.0.0",
        "ipv6-zero": "[::]",
        "localhost": "localhost",
        "localhost-dot": "localhost.",
        "below-localhost": "sub.localhost",
        **({"hostname": name} if _is_loopback(name) else {}),
    }


def _is_loopback(name: str) -> bool:
    try:
        return socket.gethostbyname(name).startswith("127.")
    except OSError:
        return False


def targets(port: int, way: str) -> dict[str, str]:
    """The forbidden URLs by the names of their addresses.

    Datagrams do not go through a proxy: where a browser sends them after all, it has
    to be to this machine, not to the network.
    """
    own = {name: f"http://{host}:{port}/{way}/{name}" for name, host in hosts().items()}
    return own if way in DATAGRAMS else {**own, "metadata": f"{METADATA}?{way}"}


def own_urls(port: int) -> list[str]:
    """The forbidden URLs themselves, for a crawl to start with."""
    return list(targets(port, "start").values())


def asking(port: int) -> dict[str, Reply]:
    """A page for each way of asking; each asks for all addresses."""
    made = {
        f"/hostile/{way}": _page(
            way, "".join(markup(way, url) for url in targets(port, way).values())
        )
        for way in (*ELEMENTS, *SCRIPTS)
    }
    return {**made, **_by_header(port)}


def _by_header(port: int) -> dict[str, Reply]:
    report = " ".join(targets(port, "csp-report").values())
    reporting = _page("csp-report", '<img src="/nothing">')
    policy = f"img-src 'none'; report-uri {report}"
    reporting.headers["Content-Security-Policy-Report-Only"] = policy
    preloading = _page("link-header", "")
    preloading.headers["Link"] = ", ".join(
        f"<{url}>; rel=preload; as=image"
        for url in targets(port, "link-header").values()
    )
    return {"/hostile/csp-report": reporting, "/hostile/link-header": preloading}


def leaving(port: int) -> dict[str, Reply]:
    """Pages that navigate away, one for each way and address: ``/hostile/meta/ipv6``.

    Among them are redirects of each status: ``/hostile/302/ipv6``.
    """
    found: dict[str, Reply] = {}
    for way in LEAVING:
        for name, url in targets(port, way).items():
            found[f"/hostile/{way}/{name}"] = _page(f"{way} {name}", markup(way, url))
    for status in STATUSES:
        for name, url in targets(port, str(status)).items():
            found[f"/hostile/{status}/{name}"] = redirect(url, status)
    return found


def pages(port: int) -> dict[str, Answer]:
    """All pages that try to reach the listener at *port*, and their resources."""
    return {
        **asking(port),
        **leaving(port),
        "/hostile/redirect": lambda request: redirect(unquote(request.query)),
        "/hostile/worker.js": text(_WORKER, "text/javascript"),
    }


# Workers of a page, of several pages, or of a site: each asks when it starts.
_WORKER = """
const url = decodeURIComponent(location.search.slice(1));
fetch(url, {mode: "no-cors"}).catch(() => 0);
"""


def _page(name: str, code: str) -> Reply:
    topic = f"the {name} gate"
    # The code comes first: the rest is not needed to trigger it.
    return html(texts.page(code + texts.article(topic), topic=topic))


def truth(path: str) -> str:
    """The main text of the page at that path, unless it is a redirect."""
    return texts.truth(f"the {path.removeprefix('/hostile/').replace('/', ' ')} gate")
