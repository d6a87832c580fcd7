"""The user's proxy behind the guard, with sockets on loopback."""

from __future__ import annotations

import asyncio
import logging
import socket
from base64 import b64encode
from collections.abc import Callable
from functools import partial
from ipaddress import ip_address
from typing import Any

import pytest

from scrapy_mainpage.rendering import destinations, upstream
from scrapy_mainpage.rendering.upstream import Upstream, find_upstream
from tests.rendering.guarding import (
    guarded,
    resolve_to,
    rest,
    run,
    served,
)
from tests.rendering.proxies import (
    Asked,
    Proxy,
    http,
    says,
    silent,
    socks,
)

Names = Callable[..., list[str]]

KINDS = {"http": http, "socks5": socks}
BASIC = b"Basic " + b64encode(b"me:secret")
OTHER = b"Basic " + b64encode(b"me:other")


@pytest.fixture
def names(monkeypatch: pytest.MonkeyPatch) -> Names:
    """Set the local answers for the next resolved names."""
    return partial(resolve_to, monkeypatch)


def at(scheme: str, port: int, authorization: bytes | None = None) -> Upstream:
    found = find_upstream(f"{scheme}://127.0.0.1:{port}", authorization, None)
    assert found is not None
    return found


# --- Settings ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://proxy.example", "http://proxy.example:80"),
        ("http://proxy.example:3128/", "http://proxy.example:3128"),
        ("proxy.example:3128", "http://proxy.example:3128"),
        ("proxy.example", "http://proxy.example:80"),
        ("HTTP://Proxy.Example:8", "http://proxy.example:8"),
        ("socks5://10.0.0.1", "socks5://10.0.0.1:1080"),
        ("socks5h://10.0.0.1:9050", "socks5://10.0.0.1:9050"),
        ("http://[::1]:8080", "http://[::1]:8080"),
    ],
)
def test_a_proxy_is_read_with_the_defaults_of_its_scheme(
    url: str, expected: str
) -> None:
    assert str(find_upstream(url, None, None)) == expected
    launch = {"server": url, "bypass": "<-loopback>"}
    assert find_upstream(None, None, launch) == find_upstream(url, None, None)


@pytest.mark.parametrize("scheme", KINDS)
def test_credentials_come_from_the_header_the_url_or_the_launch_options(
    scheme: str,
) -> None:
    url, with_them = (
        f"{scheme}://proxy.example",
        f"{scheme}://me:s%65cret@proxy.example",
    )
    options = {"server": url, "username": "me", "password": "secret"}
    found = {
        find_upstream(url, BASIC, None),
        find_upstream(with_them, None, None),
        find_upstream(with_them, OTHER, None),
        find_upstream(None, OTHER, options),
        find_upstream("", None, {"server": with_them}),
    }
    [one] = found
    assert one is not None
    assert one.credentials == ("me", "secret")
    assert find_upstream(url, None, options) != one


def test_credentials_do_not_show() -> None:
    shown = find_upstream("http://me:secret@proxy.example", None, None)
    assert f"{shown} {shown!r}".count("proxy.example") == 2
    assert "secret" not in f"{shown} {shown!r}"
    assert BASIC.decode()[6:] not in f"{shown} {shown!r}"


@pytest.mark.parametrize(
    ("url", "header"),
    [
        ("socks4://me:secret@proxy.example", None),
        ("https://me:secret@proxy.example", None),
        ("://proxy.example", None),
        ("http://", None),
        ("http://me:secret@[proxy.example", None),
        ("http://me:secret@proxy.example:port", None),
        ("http://me:secret@a\0b", None),
        ("http://proxy.example", b"Basic secret\r\nX: y"),
        ("socks5://proxy.example", b"Bearer secret"),
        ("socks5://proxy.example", b"Basic " + b64encode(b":secret")),
        (f"socks5://me:{'secret' * 50}@proxy.example", None),
        ("socks5://m%C3%A9:secret@proxy.example", None),
    ],
)
def test_what_is_not_understood_is_told_in_one_line_without_credentials(
    url: str, header: bytes | None
) -> None:
    with pytest.raises(ValueError, match="proxy") as raised:
        find_upstream(url, header, None)
    assert "\n" not in str(raised.value)
    assert "secret" not in str(raised.value)


@pytest.mark.parametrize(
    "options",
    [
        "http://proxy.example",
        {"username": "me"},
        {"server": 7},
        {"server": "http://proxy.example", "bypass": ".example"},
        {"server": "socks4://proxy.example"},
    ],
)
def test_launch_options_that_are_not_understood_are_told(options: Any) -> None:
    with pytest.raises(ValueError, match="proxy"):
        find_upstream(None, None, options)


# --- Connecting through it --------------------------------------------------------


@pytest.mark.parametrize("scheme", KINDS)
@pytest.mark.parametrize("credentials", [b"", b"me:secret"])
def test_a_name_is_the_proxys_to_resolve(
    scheme: str, credentials: bytes, names: Names
) -> None:
    asked = Asked()

    async def test() -> None:
        proxy = KINDS[scheme](asked, credentials)
        async with served() as site, served(proxy) as way:
            chosen = at(scheme, way.port, BASIC if credentials else None)
            async with guarded(upstream=chosen) as guard:
                code, streams = await guard.ask("site.example", site.port)
                assert code == 0
                sent = bytes(range(256)) * 4096
                streams[1].write(sent)
                streams[1].write_eof()
                assert await rest(streams) == sent
                assert guard.refused == []
            assert asked.hosts == [f"site.example:{site.port}"]
            assert site.connections == 1

    names()  # It does not resolve here.
    run(test())
    assert len(asked.credentials) == (scheme == "http" or bool(credentials))


@pytest.mark.parametrize("scheme", KINDS)
@pytest.mark.parametrize("host", ["8.8.8.8", "0x08.8.8.8", ip_address("2600::1")])
def test_an_address_is_given_to_the_proxy_in_plain_notation(
    scheme: str, host: Any, names: Names
) -> None:
    asked = Asked()

    async def test() -> None:
        async with served() as site, served(KINDS[scheme](asked, b"")) as way:
            async with guarded(upstream=at(scheme, way.port)) as guard:
                assert await guard.reply(host, site.port) == 0
            plain = "8.8.8.8" if isinstance(host, str) else "2600::1"
            if scheme == "http" and ":" in plain:
                plain = f"[{plain}]"
            assert asked.hosts == [f"{plain}:{site.port}"]

    assert names() == []
    run(test())


# --- Permitted destinations -------------------------------------------------------


@pytest.mark.parametrize(
    ("host", "reason"),
    [
        (ip_address("127.0.0.1"), "loopback"),
        ("169.254.169.254", "link_local"),
        ("2130706433", "loopback"),
        ("localhost", "loopback"),
        ("app.LOCALHOST.", "loopback"),
        ("127.0.0.08", "invalid_host"),
        ("site.example\r\nX: y", "invalid_host"),
        ("intranet.example", "private"),
    ],
)
def test_a_forbidden_host_does_not_even_reach_the_proxy(
    host: Any, reason: str, names: Names
) -> None:
    async def test() -> None:
        async with (
            served(http(Asked())) as way,
            guarded(upstream=at("http", way.port)) as guard,
        ):
            assert await guard.reply(host, 80) == 2
            assert guard.refused == [(reason, str(host), 80)]
        assert way.connections == 0

    names("8.8.8.8 10.0.0.1")
    run(test())


def test_a_name_that_takes_too_long_to_resolve_is_left_to_the_proxy_from_then_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looked_up = []

    async def never(host: str, port: int) -> None:
        looked_up.append(host)
        await asyncio.Event().wait()

    async def test() -> None:
        async with (
            served() as site,
            served(http(Asked())) as way,
            guarded(upstream=at("http", way.port)) as guard,
        ):
            for host in ("a.example", "a.example", "b.example"):
                assert await guard.reply(host, site.port) == 0

    monkeypatch.setattr(destinations, "resolve", never)
    monkeypatch.setattr(destinations, "RESOLVE_SECONDS_BEHIND_PROXY", 0.01)
    run(test())
    assert looked_up == ["a.example", "b.example"]


# --- Failures ---------------------------------------------------------------------


async def fails(
    scheme: str, proxy: Proxy, header: bytes | None, *, reply: int = 1
) -> None:
    """Fail to connect through the proxy twice; another guard stays unaffected."""
    async with (
        served(proxy) as way,
        guarded(upstream=at(scheme, way.port, header)) as guard,
    ):
        for _ in range(2):
            assert await guard.reply("site.example", 80) == reply
        assert guard.refused == []
    assert way.connections == 2


def warnings(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [
        record.getMessage().split(": ", 1)[-1]
        for record in caplog.records
        if record.levelno == logging.WARNING
    ]


@pytest.mark.parametrize("header", [None, b"Basic " + b64encode(b"me:wrong")])
@pytest.mark.parametrize("scheme", KINDS)
def test_wrong_credentials_are_logged_once(
    scheme: str, header: bytes | None, names: Names, caplog: pytest.LogCaptureFixture
) -> None:
    names()
    run(fails(scheme, KINDS[scheme](Asked(), b"me:secret"), header))
    [logged] = warnings(caplog)
    assert logged
    assert "wrong" not in caplog.text


#: Answers of a proxy, and the reply that the browser gets; 0 for a closed connection,
#: which is logged as such.
ANSWERS = [
    ("http", b"HTTP/1.1 403 No\r\n\r\n", 1),
    ("http", b"", 1),
    ("http", b"HTTP/1.1 \xff\r\n\r\n", 1),
    ("http", bytes(300_000), 1),
    ("http", b"\5\0", 1),
    ("socks5", b"\5\xff", 1),
    ("socks5", b"HTTP/1.1 400 Bad\r\n\r\n", 1),
    ("socks5", b"", 0),
    ("socks5", b"\5\0\5\5\0\1" + bytes(6), 5),
    ("socks5", b"\5\0\5\4\0\1" + bytes(6), 4),
    ("socks5", b"\5\0\5\0\0\1", 0),
]


@pytest.mark.parametrize(
    ("scheme", "answer", "reply"), ANSWERS, ids=map(str, range(len(ANSWERS)))
)
def test_a_proxy_that_refuses_or_talks_nonsense_is_logged_once(
    scheme: str,
    answer: bytes,
    reply: int,
    names: Names,
    caplog: pytest.LogCaptureFixture,
) -> None:
    names()
    run(fails(scheme, says(answer), BASIC, reply=reply or 1))
    [logged] = warnings(caplog)
    assert reply or logged == "it hung up"


@pytest.mark.parametrize("scheme", KINDS)
def test_a_proxy_that_takes_too_long_is_given_up(
    scheme: str,
    names: Names,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    names()
    monkeypatch.setattr(upstream, "UPSTREAM_SECONDS", 0.05)
    run(fails(scheme, silent, None))
    assert warnings(caplog) == ["it takes too long"]


@pytest.mark.parametrize("scheme", KINDS)
def test_a_proxy_that_is_not_there_is_told_without_credentials(
    scheme: str, names: Names, caplog: pytest.LogCaptureFixture
) -> None:
    async def test() -> None:
        with socket.socket() as closed:
            closed.bind(("127.0.0.1", 0))  # It does not listen.
            chosen = at(scheme, closed.getsockname()[1], BASIC)
            async with guarded(upstream=chosen) as guard:
                assert await guard.reply("site.example", 80) == 1
                assert guard.refused == []

    names()
    run(test())
    [told] = warnings(caplog)
    assert told.startswith("no connection")
    assert "secret" not in caplog.text
