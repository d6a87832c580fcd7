"""Ways for a page to request an address or navigate to it.

In each, ``$U`` stands for the address, ``$W`` for the same of a web socket, ``$S`` for
the same with TLS, ``$H`` for its host and port, ``$Q`` for its quoted form, and ``$R``
for an address of the page's own site that redirects to it.
"""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import quote, urlsplit

ELEMENTS: Mapping[str, str] = {
    "img": '<img src="$U">',
    "image-input": '<input type="image" src="$U">',
    "picture": '<picture><source srcset="$U"><img></picture>',
    "svg-image": '<svg><image href="$U" width="9" height="9"/></svg>',
    "script": '<script src="$U" async></script>',
    "module": '<script src="$U" type="module"></script>',
    "iframe": '<iframe src="$U"></iframe>',
    "srcdoc": "<iframe srcdoc='<img src=\"$U\">'></iframe>",
    "sandboxed": '<iframe sandbox src="$U"></iframe>',
    "object": '<object data="$U"></object>',
    "embed": '<embed src="$U">',
    "video": '<video src="$U" preload="auto" autoplay muted></video>',
    "audio": '<audio src="$U" preload="auto"></audio>',
    "poster": '<video poster="$U"></video>',
    "stylesheet": '<link rel="stylesheet" href="$U">',
    "css-import": "<style>@import url($U);</style>",
    "css-url": '<p style="height:9px;width:9px;background:url($U)"></p>',
    "preload": '<link rel="preload" as="image" href="$U">',
    "modulepreload": '<link rel="modulepreload" href="$U">',
    "prefetch": '<link rel="prefetch" href="$U">',
    "preconnect": '<link rel="preconnect" href="$U">',
    "speculation": '<script type="speculationrules">{"prerender": [{"source": "list", '
    '"urls": ["$U"], "eagerness": "immediate"}], "prefetch": [{"source": "list", '
    '"urls": ["$U"], "eagerness": "immediate"}]}</script>',
    "redirected-img": '<img src="$R">',
    "redirected-script": '<script src="$R" async></script>',
    "redirected-iframe": '<iframe src="$R"></iframe>',
    "redirected-style": '<link rel="stylesheet" href="$R">',
}

_QUIETLY = ".catch(() => 0)"

SCRIPTS: Mapping[str, str] = {
    "import": f"import('$U'){_QUIETLY}",
    "font": f"new FontFace('x', 'url($U)').load(){_QUIETLY}",
    "fetch": f"fetch('$U'){_QUIETLY}",
    "fetch-preflight": f"fetch('$U', {{method: 'PUT', body: 'x'}}){_QUIETLY}",
    "fetch-post": "fetch('$U', {method: 'POST', mode: 'no-cors', body: 'x'})"
    f"{_QUIETLY}",
    "keepalive": f"fetch('$U', {{keepalive: true, mode: 'no-cors'}}){_QUIETLY}",
    "redirected-fetch": f"fetch('$R', {{mode: 'no-cors'}}){_QUIETLY}",
    "late-fetch": f"setTimeout(() => fetch('$U', {{mode: 'no-cors'}}){_QUIETLY}, 400)",
    "farewell": "addEventListener('pagehide', () => navigator.sendBeacon('$U', 'bye'))",
    "xhr": "const x = new XMLHttpRequest(); x.open('GET', '$U'); x.send()",
    "beacon": "navigator.sendBeacon('$U', 'x')",
    "event-source": "new EventSource('$U')",
    "websocket": "new WebSocket('$W')",
    "tls": f"fetch('$S', {{mode: 'no-cors'}}){_QUIETLY}",
    "worker": "new Worker('/hostile/worker.js?$Q')",
    "blob-worker": "const b = new Blob(['importScripts(\"$U\")']);"
    "new Worker(URL.createObjectURL(b))",
    "shared-worker": "new SharedWorker('/hostile/worker.js?$Q', '$Q')",
    "service-worker": "navigator.serviceWorker?.register('/hostile/worker.js?$Q',"
    f" {{scope: '/hostile/scope/' + Math.random()}}){_QUIETLY}",
    "form": "const f = document.body.appendChild(document.createElement('form'));"
    "const w = document.createElement('iframe'); w.name = f.target = '$Q';"
    "document.body.append(w); f.action = '$U'; f.method = 'post'; f.submit()",
    "frame-location": "const w = document.createElement('iframe');"
    "document.body.append(w); w.contentWindow.location = '$U'",
    "open": "window.open('$U')",
    "open-blank": "const w = window.open('about:blank'); if (w) w.location = '$U'",
    "ping": "const a = document.body.appendChild(document.createElement('a'));"
    "a.href = '#x'; a.ping = '$U'; a.click()",
    "webrtc": "const turn = {username: 'a', credential: 'b'};"
    "const c = new RTCPeerConnection({iceServers: [{urls: 'stun:$H'}, "
    "{urls: ['turn:$H?transport=tcp', 'turn:$H?transport=udp'], ...turn}]});"
    "c.createDataChannel('x'); c.createOffer().then(o => c.setLocalDescription(o))",
    "webtransport": f"if (self.WebTransport) new WebTransport('$S').ready{_QUIETLY}",
    "paint-worklet": f"CSS.paintWorklet?.addModule('$U'){_QUIETLY}",
}

#: Ways by datagram or without HTTP: absent from the listener's paths.
DATAGRAMS = ("webrtc", "webtransport")
SILENT = (*DATAGRAMS, "preconnect", "tls")

#: Ways that navigate the page itself.
LEAVING: Mapping[str, str] = {
    "meta": '<meta http-equiv="refresh" content="0; url=$U">',
    "location": "<script>location.replace('$U')</script>",
    "late-location": "<script>setTimeout(() => { location = '$U' }, 400)</script>",
    "location-redirected": "<script>location.replace('$R')</script>",
    "self-form": '<form action="$U" method="post"></form>'
    "<script>document.forms[0].submit()</script>",
    "self-open": "<script>window.open('$U', '_self')</script>",
    "click": '<a id="go" href="$U"></a><script>go.click()</script>',
}

#: Redirect statuses, which pages go through as well.
STATUSES = (301, 302, 303, 307, 308)


def markup(way: str, url: str) -> str:
    """HTML that requests the *url* in the *way*, or navigates there."""
    if way in SCRIPTS:
        return f"<script>{{ {fill(SCRIPTS[way], url)} }}</script>\n"
    return fill({**ELEMENTS, **LEAVING}[way], url) + "\n"


def fill(template: str, url: str) -> str:
    quoted = quote(url, safe="")
    for sign, value in {
        "$U": url,
        "$W": url.replace("http:", "ws:", 1),
        "$S": url.replace("http:", "https:", 1),
        "$H": urlsplit(url).netloc,
        "$Q": quoted,
        "$R": f"/hostile/redirect?{quoted}",
    }.items():
        template = template.replace(sign, value)
    return template
