"""Pages with main content that comes late, never ends, or defeats measuring."""

from __future__ import annotations

from itertools import repeat

from tests.rendering.server import Reply

ENDLESS = 10**9


def late(
    body: bytes = b"",
    *,
    delay: float = 0.0,
    times: int = 1,
    pause: float = 0.0,
    content_type: str = "text/html; charset=utf-8",
) -> Reply:
    """Send the *body* *times* times after *delay* seconds, with pauses."""
    return Reply(
        headers={"Content-Type": content_type},
        delay=delay,
        stream=lambda: repeat(body, times),
        pause=pause,
    )


SENTENCE = (
    "The paragraph says in plain words what a reader came here for, with a comma and "
    "a full stop, and nothing at all to click on. "
)
END = "These are the last words."
"""End of the content to wait for."""


def text(n: int) -> str:
    return f"<p>{SENTENCE * n}</p>"


CONTENT = text(10) + END
APP = "<div id=app></div>"


def page(body: str, script: str = "", *, head: str = "") -> str:
    return (
        f"<!doctype html><html><head><title>Page</title>{head}</head><body>"
        "<nav><a href=/a>Home</a> <a href=/b>News of the day</a></nav>"
        f"{body}<footer>All rights reserved</footer><script>{script}</script></body>"
    )


def by_timer(delay: int) -> str:
    put = f"document.querySelector('#app').innerHTML = `{CONTENT}`"
    return f"setTimeout(() => {{ {put} }}, {delay});"


def by_fetch(path: str) -> str:
    return f"""fetch("{path}").then((answer) => answer.text()).then((content) => {{
      document.querySelector("#app").innerHTML = content;
    }});"""


BY_XHR = """const request = new XMLHttpRequest();
request.open("GET", "/slow");
request.onload = () => { app.innerHTML = request.responseText; };
request.send();"""
BY_SCRIPT = """const script = document.createElement("script");
script.src = "/script.js";
document.head.append(script);"""
# A worker's messages are not observed: the placeholder is the only sign.
BY_WORKER = f"""const code = "setTimeout(() => postMessage(0), 3000)";
const worker = new Worker(URL.createObjectURL(new Blob([code])));
worker.onmessage = () => {{
  document.querySelector("#app").outerHTML = `{CONTENT}`;
}};"""


def by_stream(kind: str) -> str:
    """Four paragraphs, one each 400 ms, from a source of messages in the page."""
    return f"""let left = 4;
const source = new {kind};
source.addEventListener("message", () => {{
  left--;
  app.insertAdjacentHTML("beforeend", `{text(4)}` + (left ? "" : "{END}"));
}});
const send = () => {{ source.dispatchEvent(new MessageEvent("message")); }};
for (let n = 1; n < 5; n++) setTimeout(send, 400 * n);"""


CHAIN = f"""const load = async (n) => {{
  await fetch(`/quick?${{n}}`);
  app.insertAdjacentHTML("beforeend", `{text(4)}` + (n < 4 ? "" : "{END}"));
  if (n < 4) setTimeout(load, 1200, n + 1);
}};
load(1);"""
ELEMENT = f"""customElements.define("a-story", class extends HTMLElement {{
  connectedCallback() {{
    const root = this.attachShadow({{ mode: "open" }});
    fetch("/quick").then(() => {{ root.innerHTML = `{CONTENT}`; }});
  }}
}});"""
WORKER = f"""(async () => {{
  navigator.serviceWorker.register("/worker.js").catch(() => {{}});
  try {{ await navigator.serviceWorker.ready; }} catch {{}}
  app.innerHTML = `{CONTENT}`;
}})();"""
TICKER = """setInterval(() => {
  const line = document.createElement("p");
  line.textContent = "News just in, ladies and gentlemen, from all over the world";
  document.body.append(line);
}, 40);"""

WAITED_FOR = {
    "nothing, it is static": page(CONTENT),
    "timer of 300 ms": page(APP, by_timer(300)),
    "timer of 3 s": page(APP, by_timer(3000)),
    "timer set by a timer": page(
        APP, f"setTimeout(() => {{ {by_timer(1000)} }}, 1000);"
    ),
    "fetch of 300 ms": page(APP, by_fetch("/quick")),
    "fetch of 3 s": page(APP, by_fetch("/slow")),
    "fetch with a slow body": page(APP, by_fetch("/halting")),
    "XMLHttpRequest of 3 s": page(APP, BY_XHR),
    "fetch of 3 s by a page with an intro": page(text(3) + APP, by_fetch("/slow")),
    "fetch by a script that is slow itself": page(text(3) + APP, BY_SCRIPT),
    "fetch by an async script": page(
        text(3) + APP, head="<script async src=/script.js></script>"
    ),
    "EventSource": page(APP, by_stream("EventSource('/never')")),
    "WebSocket": page(APP, by_stream("WebSocket('ws://127.0.0.1:9/')")),
    "fetch, timer, fetch": page(APP, CHAIN),
    "shadow root": page("<a-story></a-story>", ELEMENT),
    "service worker": page(APP, WORKER),
    "skeleton": page("<div id=app class=skeleton>&nbsp;</div>", BY_WORKER),
    "three redirects by script": page("Moving on", "location.replace('/second')"),
    "redirect to a slow page": page(text(3), "location.href = '/slowpage'"),
}
"""Pages that are complete when waiting ends."""

NOT_HELD = {
    "clock": page(
        f"{CONTENT}<p id=clock></p>",
        "setInterval(() => { clock.textContent = new Date().toISOString() }, 30)",
    ),
    "polling": page(
        CONTENT,
        """(async () => { for (;;) {
             await new Promise((go) => setTimeout(go, 100)); await fetch("/quick");
           } })()""",
    ),
    "polling by interval": page(CONTENT, "setInterval(() => fetch('/quick'), 100)"),
    "long poll": page(CONTENT, "fetch('/never')"),
    "endless answer": page(CONTENT + APP, by_fetch("/endless")),
    "timer for an advertisement": page(CONTENT, "setTimeout(() => {}, 4900)"),
    "document that does not end": late(
        f"<!doctype html><body>{CONTENT}".encode(), times=2, pause=600
    ),
    "50,000 nodes": page(
        CONTENT + "<p id=clock></p>" + "<div><i>word</i></div>" * 17_000,
        "setInterval(() => { clock.textContent = new Date().toISOString() }, 30)",
    ),
    "list of links": page(f"<a href=/x>{SENTENCE}</a><br>" * 9 + f"<b>{END}</b>"),
}
"""Pages that stay busy after all of their content is there."""

ENDLESS_PAGES = {
    "text that is appended for ever": page(text(1), TICKER),
    "long poll without a text": page("tiny", "fetch('/never')"),
    "document that goes on": late(text(1).encode(), times=ENDLESS, pause=0.02),
}
RELOADING = {
    "reload at once": page("again", "location.reload()"),
    "reload after a while": page(CONTENT, "setTimeout(() => location.reload(), 100)"),
}
BLOCKED = {
    "blocked at once": page(CONTENT, "for (;;);"),
    "blocked later": page(CONTENT, "setTimeout(() => { for (;;); }, 100)"),
}
EMPTY = {
    "no content": page("few words"),
    "no page": "",
    "hidden notice": page("<p hidden>Loading...</p>few words"),
}

# Changes to the browser's own functions, before the content comes at 300 ms.
SPOILS = {
    "setTimeout": "const keep = setTimeout; window.setTimeout = (f, d) => keep(f, d);",
    "fetch": "window.fetch = async () => { throw 1; };",
    "XMLHttpRequest": "XMLHttpRequest.prototype.send = window.XMLHttpRequest = null;",
    "Promise": "Promise.prototype.then = () => 5; window.Promise = null;",
    "Array": """window.Array = null;
      for (const name of ["map", "push", "forEach", "join"]) delete [].__proto__[name];
      Object.prototype.stray = Object.prototype.value = 1;""",
    "JSON": """window.JSON = null; Object.prototype.toJSON = () => 1;
      String.prototype.charCodeAt = RegExp.prototype.exec = () => { throw 2; };""",
    "nodes": """for (const name of ["firstChild", "nextSibling", "nodeType"]) {
        Object.defineProperty(Node.prototype, name, { get: () => null });
      }""",
    "clocks": "window.performance = { now: () => 1 }; Date.now = () => 0;",
    "names": """document.body.insertAdjacentHTML("beforeend", `<form name=body>
      <input name=firstChild><img name=documentElement>`);""",
}
SPOILT = {
    f"changed {name}": page(APP, f"{script} {by_timer(300)}")
    for name, script in SPOILS.items()
}

# All differences that a page can see in the replaced functions.
TOLD = page(
    "<pre id=told></pre>",
    """const told = [];
    const tell = (name, value) => told.push(name + " " + value);
    window.onerror = (message) => { tell("error", message); return true; };
    tell("native", [fetch, setTimeout, clearTimeout, XMLHttpRequest.prototype.send]
      .every((f) => Function.prototype.toString.call(f).includes("[native code]")));
    tell("names", fetch.name + setTimeout.name + setTimeout.length);
    tell("own", Object.keys(window).some((name) => name.startsWith("_")));
    setTimeout(function (...rest) {
      tell("this", this === window);
      tell("arguments", rest.join());
    }, 0, "a", "b");
    setTimeout("tell('code', 1)", 1);
    const cleared = setTimeout(() => tell("cleared", 0), 1);
    tell("number", typeof cleared);
    clearTimeout(cleared);
    setTimeout(() => { throw new Error("mine") }, 2);
    let ticks = 0;
    const interval = setInterval((by) => {
      if ((ticks += by) === 6) { clearInterval(interval); tell("interval", ticks); }
    }, 1, 3);
    try { setTimeout.call(1, () => {}) } catch (error) { tell("illegal", error.name) }
    try { new XMLHttpRequest().send() } catch (error) { tell("send", error.name) }
    const promise = fetch("/quick");
    tell("promise", promise instanceof Promise);
    promise.then((answer) => answer.text()).then((body) => {
      tell("body", body.length > 9);
      document.querySelector("#told").textContent = told.join("|") + "|";
    });""",
)

MORE = """let busy = false, count = 0;
const list = document.querySelector("#list");
const more = () => {
  if (busy) return;
  busy = true;
  setTimeout(() => {
    for (let n = 0; n < 8; n++) {
      const item = document.createElement("p");
      item.textContent = `Item ${++count} of a list of things to read on and on`;
      list.append(item);
    }
    busy = false;
  }, 200);
};
const seen = (e) => e.scrollTop + e.clientHeight > e.scrollHeight - 200;
more();"""
ITEMS = "<style>#list p { height: 150px }</style><div id=list></div>"
LAZY = """const observer = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue;
    observer.unobserve(target);
    fetch("/quick").then((answer) => answer.text()).then((content) => {
      target.innerHTML = content;
    });
  }
});
for (const section of document.querySelectorAll("section")) observer.observe(section);
"""
SCROLLED = {
    "infinite": page(
        ITEMS,
        MORE + "onscroll = () => { if (seen(document.scrollingElement)) more(); };",
    ),
    "inner": page(
        ITEMS + "<style>body { overflow: hidden } * { scroll-behavior: smooth } "
        "#list { height: 600px; overflow-y: auto }</style>",
        MORE + "list.onscroll = () => { if (seen(list)) more(); };",
    ),
    "lazy": page(
        "<style>* { scroll-behavior: smooth } section { height: 900px }</style>"
        + text(20)
        + "<section></section>" * 3,
        LAZY,
    ),
    "one screen": page(CONTENT),
}
"""Pages that grow when scrolled."""

ANSWERS = {
    "/quick": late(CONTENT.encode(), delay=0.3),
    "/slow": late(CONTENT.encode(), delay=3),
    "/halting": late(f"{text(2)}<!-- -->".encode() + CONTENT.encode(), pause=1.5),
    "/never": late(delay=600),
    "/endless": late(b"more ", times=ENDLESS, pause=0.05, content_type="text/plain"),
    "/script.js": late(
        by_fetch("/quick").encode(), delay=1.5, content_type="text/javascript"
    ),
    "/second": page("Moving on", "setTimeout(() => { location.href = '/third' }, 500)"),
    "/third": page(APP, f"{by_timer(300)}"),
    "/slowpage": late(page(CONTENT).encode(), delay=2),
}
