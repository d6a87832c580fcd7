"""The guard against a page that tries to bypass it in a real browser."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest

from scrapy_mainpage.rendering.guard import BROWSER_ARGUMENTS
from tests.rendering.guarding import (
    Serve,
    guarded,
    run,
    served,
)

Requirement = Callable[[str], str]

# Each way tries to reach a forbidden TCP port, with its own path, or UDP port.
WAYS = """
const at = "http://127.0.0.1:" + tcp, tried = [];
const add = (tag, more) => new Promise((resolve) => {
  const element = Object.assign(document.createElement(tag), more);
  element.onload = element.onerror = resolve;
  document.body.append(element);
});
const event = (target) => new Promise((resolve) => {
  target.onmessage = target.onerror = target.onopen = resolve;
});
const get = (url) => fetch(url, {mode: "no-cors"});
const hosts = ["127.0.0.1", "localhost", "[::1]", "[::ffff:127.0.0.1]", "127.1",
  "2130706433", "0x7f.1", "0177.0.0.1", "LOCALHOST", "a.localhost"];
for (const host of hosts) tried.push(get(`http://${host}:${tcp}/fetch`));
tried.push(add("img", {src: at + "/img"}), add("script", {src: at + "/script"}));
tried.push(add("iframe", {src: at + "/iframe"}));
for (const rel of ["stylesheet", "preload", "prefetch", "modulepreload"])
  tried.push(add("link", {rel, href: at + "/" + rel,
    as: rel === "modulepreload" ? "script" : "fetch"}));
for (const rel of ["preconnect", "dns-prefetch", "prerender", "icon", "manifest"])
  add("link", {rel, href: at + "/" + rel});
const rules = {source: "list", urls: [at + "/speculation"], eagerness: "immediate"};
add("script", {type: "speculationrules", text: JSON.stringify({prerender: [rules]})});
add("a", {href: "#here", ping: at + "/ping"}).catch(() => 0);
document.querySelector("a").click();
tried.push(event(new WebSocket("ws://127.0.0.1:" + tcp + "/websocket")));
tried.push(event(new EventSource(at + "/eventsource")));
tried.push(get("/redirect"));
navigator.sendBeacon(at + "/beacon", "x");
tried.push(event(new Worker("/worker.js")));
tried.push(event(new SharedWorker("/sharedworker.js").port));
const stun = async () => {
  const [one, other] = [0, 0].map(() => new RTCPeerConnection({iceServers: [
    {urls: [`stun:127.0.0.1:${udp}`, `stun:localhost:${udp}`]},
    {urls: [`turn:127.0.0.1:${udp}`, `turn:127.0.0.1:${tcp}?transport=tcp`],
     username: "a", credential: "b"}]}));
  one.createDataChannel("x");
  await one.setLocalDescription(await one.createOffer());
  await other.setRemoteDescription(one.localDescription);
  await other.setLocalDescription(await other.createAnswer());
  await one.setRemoteDescription(other.localDescription);
  for (const candidate of [`candidate:1 1 udp 2122260223 127.0.0.1 ${udp} typ host`,
      `candidate:2 1 tcp 1518280447 127.0.0.1 ${tcp} typ host tcptype passive`])
    await one.addIceCandidate({candidate, sdpMid: "0", sdpMLineIndex: 0});
  if (one.iceGatheringState !== "complete")
    await new Promise((resolve) => one.onicegatheringstatechange = () =>
      one.iceGatheringState === "complete" && resolve());
};
const sent = [stun()];  // By UDP, where nobody answers.
for (const host of ["127.0.0.1", "localhost"])
  sent.push(new WebTransport(`https://${host}:${udp}/webtransport`).ready);
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
Promise.race([Promise.allSettled(tried), pause(20000)])
  .then(() => Promise.race([Promise.allSettled(sent), pause(2000)]))
  .then(() => pause(1000)).then(() => { window.done = true; });
"""

# Paths that all browsers request; some links are optional.
EXPECTED = """fetch img script iframe stylesheet preload prefetch modulepreload ping
websocket eventsource redirected beacon worker sharedworker""".split()


@dataclass
class Arrived:
    """Traffic at the forbidden ports."""

    paths: list[str] = field(default_factory=list)
    datagrams: list[bytes] = field(default_factory=list)


class Datagrams(asyncio.DatagramProtocol):
    def __init__(self, log: list[bytes]) -> None:
        self.log = log

    def datagram_received(self, data: bytes, addr: object) -> None:
        self.log.append(data)


async def path(reader: asyncio.StreamReader) -> str:
    line = (await reader.readline()).decode("latin-1").split()
    return line[1].strip("/") if len(line) == 3 else "no HTTP"


@asynccontextmanager
async def forbidden_ports() -> AsyncIterator[tuple[Arrived, int, int]]:
    arrived = Arrived()

    async def note(reader: asyncio.StreamReader, _: asyncio.StreamWriter) -> None:
        arrived.paths.append("connection")
        arrived.paths.append(await path(reader))

    transport, _ = await asyncio.get_running_loop().create_datagram_endpoint(
        lambda: Datagrams(arrived.datagrams), ("127.0.0.1", 0)
    )
    async with served(note) as server:
        yield arrived, server.port, transport.get_extra_info("sockname")[1]
    transport.close()
    await asyncio.sleep(0)


def hostile(tcp: int, udp: int) -> Serve:
    """A site with a page that tries all ways to reach the two ports."""
    target = f"http://127.0.0.1:{tcp}"
    pages = {
        "": f"<title>x</title><body><script>const tcp={tcp}, udp={udp};{WAYS}</script>",
        "worker.js": f"fetch('{target}/worker').finally(() => postMessage(1))",
        "sharedworker.js": "onconnect = (event) => "
        f"fetch('{target}/sharedworker').finally(() => event.ports[0].postMessage(1))",
    }

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked = await path(reader)
        while (await reader.readline()).strip():
            pass
        script = asked.endswith(".js")
        kind = "text/javascript" if script else "text/html"
        head = f"HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\n"
        if asked == "redirect":
            head = f"HTTP/1.1 302 Found\r\nLocation: {target}/redirected\r\n"
        body = pages.get(asked, "")
        head += f"Content-Length: {len(body)}\r\nConnection: close\r\n\r\n"
        writer.write((head + body).encode())
        await writer.drain()

    return serve


async def visit(program: str, url: str, arguments: list[str], proxy: Any) -> None:
    from playwright.async_api import async_playwright

    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=program, args=arguments
        )
        context = await browser.new_context(proxy=proxy)
        page = await context.new_page()
        await page.goto(url)
        await page.wait_for_function("window.done")
        await browser.close()


@pytest.mark.parametrize("on", [True, False])
def test_a_page_in_a_real_browser_finds_no_way_round(
    requirement: Requirement, on: bool
) -> None:
    pytest.importorskip("playwright.async_api")
    program = requirement("browser")

    async def test() -> None:
        async with (
            forbidden_ports() as (arrived, tcp, udp),
            served(hostile(tcp, udp)) as site,
            guarded(f"127.0.0.1:{site.port}") as guard,
        ):
            url = f"http://127.0.0.1:{site.port}/"
            if on:
                proxy = {"server": guard.guard.url, "bypass": "<-loopback>"}
                await visit(program, url, list(BROWSER_ARGUMENTS), proxy)
            else:  # These ways do lead there; no names are announced on the network.
                mdns = "--disable-features=WebRtcHideLocalIpsWithMdns"
                await visit(program, url, [mdns], None)
        if on:
            assert (arrived.paths, arrived.datagrams) == ([], [])
            assert {reason for reason, _, _ in guard.refused} == {"loopback"}
            assert {port for _, _, port in guard.refused} == {tcp}
            assert len(guard.refused) >= len(EXPECTED)
        else:
            assert set(EXPECTED) <= set(arrived.paths)
            assert {datagram[0] & 0xC0 for datagram in arrived.datagrams} == {0, 0xC0}
            assert guard.refused == []

    run(test())
