"""Pages with late, gradual, covered or redirected content.

Each shows its main text by script, so it is empty without a browser. ``PAGES`` has
the server's answers by path, ``TRUTHS`` the main text of each page by its path.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field

from . import texts
from .server import Answer, Reply, html, text

#: Delay of late content, in milliseconds.
DELAYS = (300, 3000)

#: Boilerplate of a page beside its main text.
CONSENT = (
    "We and our 214 partners store cookies on your device and read them, for "
    "advertising, for measuring audiences and for the development of our services. "
    "You can change your choice at any time with a click on the fingerprint below. "
    "Some partners do not ask for your consent but rely on their legitimate interest."
)
_CHOICES = "<button>Accept all</button> <button>Reject all</button>"

#: Screens of content of ``/scroll/finite``.
SCREENS = 6

_SHOW = """
function show(content) { document.getElementById("main").innerHTML = content; }
function get(name) { return fetch("/api/" + name).then(answer => answer.text()); }
"""


@dataclass
class Pages:
    """Pages and main texts by path, in the order they were added."""

    pages: dict[str, Answer] = field(default_factory=dict)
    truths: dict[str, str] = field(default_factory=dict)

    def article(
        self,
        path: str,
        script: str = "get('CONTENT').then(show)",
        *,
        main: str = "<p>Loading …</p>",
        head: str = "",
        delay: float = 0,
        truth: str | None = None,
    ) -> None:
        """A page that shows its article with *script*, from the address CONTENT.

        The address answers *delay* seconds late.
        """
        topic = f"the {path.strip('/').replace('/', ' ')} bridge"
        name = path.strip("/").replace("/", "-")
        self.pages[f"/api/{name}"] = html(texts.article(topic), delay=delay)
        self.pages[path] = html(
            texts.page(
                main,
                topic=topic,
                script=_SHOW + script.replace("CONTENT", name),
                head=head,
            )
        )
        self.truths[path] = texts.truth(topic) if truth is None else truth


def late(site: Pages) -> None:
    """Content that comes late: shown by a timer, or by a slow answer."""
    for delay in DELAYS:
        site.article(
            f"/late/timer/{delay}",
            f"get('CONTENT').then(text => setTimeout(show, {delay}, text))",
        )
        site.article(f"/late/api/{delay}", delay=delay / 1000)
    site.article("/late/never", "get('CONTENT')", truth="")


def scrolling(site: Pages) -> None:
    """Lists that grow when scrolled to their end; the second is endless.

    The truth of the first is its whole list, of the second its first piece.
    """
    for name, last in (("finite", SCREENS), ("endless", 10**9)):
        path = f"/scroll/{name}"
        site.article(path, _SCROLL.replace("PATH", path).replace("LAST", str(last)))
        site.pages[f"{path}/piece"] = lambda request: html(
            "".join(f"<p>{line}</p>" for line in piece(int(request.query)))
        )
    whole = [line for number in range(SCREENS) for line in piece(number)]
    site.truths["/scroll/finite"] = "\n".join(whole)
    site.truths["/scroll/endless"] = "\n".join(piece(0))


_SCROLL = """
let next = 0, busy = false;
const end = document.createElement("div");
end.style.height = "2px";
const watch = new IntersectionObserver(seen => {
  if (busy || !seen.some(entry => entry.isIntersecting)) return;
  busy = true;
  fetch("PATH/piece?" + next++).then(answer => answer.text()).then(text => {
    end.insertAdjacentHTML("beforebegin", text);
    watch.unobserve(end);
    busy = false;
    if (next < LAST) watch.observe(end); else end.remove();
  });
});
show("");
document.getElementById("main").append(end);
watch.observe(end);
"""


def piece(number: int) -> list[str]:
    """The paragraphs that each scroll adds: more than a screen of them."""
    return texts.paragraphs(f"landing stage {number + 1}", 8, 5)


def consent(site: Pages) -> None:
    """Content behind a consent overlay, of five kinds.

    It is in the page (banner), a dialog that comes after the content, inside a frame,
    in a shadow root, or the content is not displayed before it is answered (wall).
    """
    box = f"<h2>We value your privacy</h2><p>{CONSENT}</p>{_CHOICES}"
    over = "position:fixed;inset:0;z-index:9999;background:#fff;padding:15vh 20vw"
    banner = f'<div class="overlay" style="{over}">{box}</div>'
    site.article("/consent/banner", head=f"</head><body>{banner}")
    cover = f"const cover = document.createElement('KIND'); cover.style = '{over}';"
    for kind, fill in _COVERS.items():
        tag = {"frame": "iframe", "dialog": "dialog"}.get(kind, "div")
        site.article(
            f"/consent/{kind}",
            "const text = " + json.dumps(box) + ";"
            f"{cover.replace('KIND', tag)} {fill}"
            "get('CONTENT').then(show); setTimeout(cover_up, 100);",
        )


_COVERS = {
    "dialog": "function cover_up() { cover.innerHTML = text;"
    " document.body.append(cover); cover.showModal(); }",
    "frame": "cover.srcdoc = text; cover.width = cover.height = '100%';"
    "function cover_up() { document.body.append(cover);"
    " document.body.style.overflow = 'hidden'; }",
    "shadow": "function cover_up() { document.body.append(cover);"
    " cover.attachShadow({mode: 'open'}).innerHTML = text; }",
    "wall": "const main = document.getElementById('main');"
    "main.style.display = 'none';"
    "function cover_up() { cover.innerHTML = text; document.body.prepend(cover);"
    " cover.querySelector('button').onclick = () => {"
    " cover.remove(); main.style.display = ''; }; }",
}


def redirects(site: Pages) -> None:
    """Redirects by script: all to ``/redirect/goal``, or round in a circle."""
    goal = "/redirect/goal"
    site.article(goal)
    for kind, script in {
        "replace": f"location.replace('{goal}')",
        "assign": f"setTimeout(() => {{ location.href = '{goal}' }}, 200)",
        "chain": "location.replace('/redirect/replace')",
    }.items():
        site.article(f"/redirect/{kind}", script, truth=site.truths[goal])
    refresh = f'<meta http-equiv="refresh" content="0; url={goal}">'
    site.article("/redirect/meta", "", head=refresh, truth=site.truths[goal])
    site.article(
        "/redirect/push",
        "history.pushState({}, '', '/redirect/pushed'); get('CONTENT').then(show)",
    )
    for here, there in (("circle", "round"), ("round", "circle")):
        script = f"location.replace('/redirect/{there}?' + Math.random())"
        site.article(f"/redirect/{here}", script, truth="")


def restless(site: Pages) -> None:
    """A page that shows its article at once and stays busy for ever."""
    site.article(
        "/restless",
        "get('CONTENT').then(show);"
        "const clock = document.querySelector('aside').appendChild("
        "  document.createElement('p'));"
        "setInterval(() => { clock.textContent = performance.now() }, 50);"
        "setInterval(() => fetch('/restless/poll?' + Math.random()), 100);"
        "fetch('/restless/stream').then(answer => answer.text());"
        "new EventSource('/restless/events');",
    )
    site.pages["/restless/poll"] = text("{}", "application/json")
    for name, kind in (("stream", "text/plain"), ("events", "text/event-stream")):
        headers = {"Content-Type": kind}
        site.pages[f"/restless/{name}"] = Reply(
            headers=headers,
            stream=lambda: iter(lambda: b"data: tick\n\n", b""),
            pause=0.1,
        )


def worker(site: Pages) -> None:
    """A page with a service worker that replaces its text."""
    site.article(
        "/worker",
        "const own = () => get('CONTENT').then(show);"
        "'serviceWorker' in navigator"
        " ? navigator.serviceWorker.register('/worker.js')"
        "     .then(() => navigator.serviceWorker.ready)"
        "     .then(() => new Promise(done => setTimeout(done, 300))).then(own, own)"
        " : own(); own();",
    )
    site.pages["/worker.js"] = text(
        "oninstall = () => skipWaiting(); onactivate = () => clients.claim();"
        "onfetch = event => event.respondWith(new Response("
        f"{json.dumps('<p>' + WORKER_TEXT + '</p>')}, "
        "{headers: {'Content-Type': 'text/html'}}));",
        "text/javascript",
    )


#: Answer of the service worker of ``/worker``.
WORKER_TEXT = "The lighthouse says that you have been here before."


def hydration(site: Pages) -> None:
    """A page that carries its whole content as data, as Next.js does."""
    topic = "the hydration tower"
    article = {"title": texts.title(topic), "body": texts.paragraphs(topic)}
    props = {"props": {"pageProps": {"article": article}}, "page": "/articles/[slug]"}
    data = json.dumps({**props, "query": {"slug": "tower"}, "buildId": "a1"})
    site.pages["/hydration"] = html(f"""<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>{article["title"]}</title></head>
<body><div id="__next"></div>
<script id="__NEXT_DATA__" type="application/json">{data}</script>
<script>
const {{article}} = JSON.parse(__NEXT_DATA__.textContent).props.pageProps;
const add = (tag, text) => document.getElementById("__next")
  .appendChild(document.createElement(tag)).textContent = text;
add("h1", article.title);
article.body.forEach(text => add("p", text));
</script></body></html>""")
    site.truths["/hydration"] = texts.truth(topic)


def _all() -> Pages:
    site = Pages()
    for add in (late, scrolling, consent, redirects, restless, worker, hydration):
        add(site)
    return site


_MADE = _all()
PAGES, TRUTHS = _MADE.pages, _MADE.truths
