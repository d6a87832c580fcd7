"""The guard with sockets on loopback."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from ipaddress import ip_address

import pytest

from scrapy_mainpage.rendering import destinations
from scrapy_mainpage.rendering import guard as module
from scrapy_mainpage.rendering.destinations import Address
from tests.rendering.guarding import (
    guarded,
    hang_up,
    request,
    resolve_to,
    rest,
    run,
    served,
)

Names = Callable[..., list[str]]


@pytest.fixture
def names(monkeypatch: pytest.MonkeyPatch) -> Names:
    """``names("10.0.0.1", "::1 8.8.8.8")``: answers for the next resolved names.

    Without it no test may resolve a name. It returns the list of names looked up.
    """
    return lambda *answers: resolve_to(monkeypatch, *answers)


@pytest.fixture
def reached(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The addresses to which the guard would connect; no connection is made."""
    addresses: list[str] = []

    async def connect(address: Address, port: int) -> None:
        addresses.append(str(address))
        raise OSError("no network in tests")

    monkeypatch.setattr(module, "connect", connect)
    return addresses


@pytest.mark.parametrize("host", ["127.0.0.1", ip_address("127.0.0.1"), "site.example"])
def test_an_allowed_host_is_reached_and_bytes_go_both_ways(
    host: str | Address, names: Names
) -> None:
    async def test() -> None:
        async with served() as site, guarded(f"127.0.0.1:{site.port}") as guard:
            code, streams = await guard.ask(host, site.port)
            assert code == 0
            sent = bytes(range(256)) * 4096
            streams[1].write(sent)
            streams[1].write_eof()  # The answer still comes after the request's end.
            assert await rest(streams) == sent
            assert site.connections == 1
            assert guard.refused == []

    names("127.0.0.1")
    run(test())


FORBIDDEN = [
    *(ip_address("127.0.0.1"), ip_address("::1"), "127.0.0.1", "::1", "127.0.0.1."),
    *("localhost", "LOCALHOST", "localhost.", "app.localhost"),
    *("0x7f.1", "0x7f000001", "2130706433", "127.1", "0177.0.0.1"),
    *("::ffff:127.0.0.1", "::ffff:7f00:1"),
]


@pytest.mark.parametrize("host", FORBIDDEN)
def test_a_forbidden_host_is_not_even_connected_to_nor_resolved(
    host: str | Address, names: Names
) -> None:
    async def test() -> None:
        async with served() as site, guarded(f"127.0.0.1:{site.port + 1}") as guard:
            assert await guard.reply(host, site.port) == 2
            assert guard.refused == [("loopback", str(host), site.port)]
        assert site.connections == 0

    asked = names("8.8.8.8")
    run(test())
    assert asked == []


@pytest.mark.parametrize(
    ("entry", "host"),
    [
        ("localhost", "localhost"),
        ("localhost", "LOCALHOST."),
        ("127.0.0.1", "localhost"),
        ("127.0.0.0/8", "app.localhost"),
        ("*.localhost", "app.localhost"),
        ("127.0.0.1", "0x7f.1"),
    ],
)
def test_loopback_that_is_allowed_is_reached_by_its_name(
    entry: str, host: str, names: Names
) -> None:
    async def test() -> None:
        async with served() as site, guarded(f"{entry}:{site.port}") as guard:
            assert await guard.reply(host, site.port) == 0
            assert await guard.reply(host, site.port + 1) == 2
        assert site.connections == 1

    asked = names("8.8.8.8")
    run(test())
    assert asked == []


@pytest.mark.parametrize(
    "host",
    [
        b"",
        b".",
        b"a..example",
        b"a\0b.example",
        b"127.0.0.1\0.example",
        b"1.2.3.4.5",
        b"127.0.0.08",
        b"a.example.7",
        b"a.0x7f",
        b"a b.example",
        b"a.example\n",
        b"[::1]",
        b"fe80::1%eth0",
        b"::1%lo",
        b"user@a.example",
        "bücher.example".encode(),
        b"\xff\xfe",
        b"a" * 64 + b".example",
        b"a" * 255,
        b".".join([b"a" * 50] * 5),
    ],
)
def test_what_is_no_host_name_is_refused_unresolved(host: bytes, names: Names) -> None:
    async def test() -> None:
        async with guarded() as guard:
            assert await guard.reply(host, 80) == 2
            assert guard.refused == [("invalid_host", host.decode("latin-1"), 80)]

    asked = names()
    run(test())
    assert asked == []


def test_a_name_is_resolved_once_and_what_was_checked_is_connected_to(
    names: Names, reached: list[str]
) -> None:
    async def test() -> None:
        async with guarded() as guard:
            assert await guard.reply("rebound.example", 80) == 4
            assert (reached, guard.refused) == (["93.184.215.14"], [])
            assert await guard.reply("rebound.example", 80) == 2
            assert guard.refused == [("loopback", "rebound.example", 80)]

    asked = names("93.184.215.14", "127.0.0.1")
    run(test())
    assert len(asked) == 2
    assert reached == ["93.184.215.14"]


@pytest.mark.parametrize(
    "addresses", ["8.8.8.8 10.0.0.1", "10.0.0.1 8.8.8.8", "2600:: ::ffff:10.0.0.1"]
)
def test_one_forbidden_address_condemns_the_whole_name(
    addresses: str, names: Names, reached: list[str]
) -> None:
    async def test() -> None:
        async with guarded() as guard:
            assert await guard.reply("mixed.example", 80) == 2
            assert guard.refused == [("private", "mixed.example", 80)]

    names(addresses)
    run(test())
    assert reached == []


def test_a_name_that_is_allowed_may_have_any_address(
    names: Names, reached: list[str]
) -> None:
    async def test() -> None:
        async with guarded("*.intranet.example:80") as guard:
            assert await guard.reply("WIKI.intranet.example.", 80) == 4
            assert await guard.reply("wiki.intranet.example", 81) == 2

    names("10.0.0.1", "10.0.0.1")
    run(test())
    assert reached == ["10.0.0.1"]


async def never(*_: object) -> None:
    await asyncio.Event().wait()


@pytest.mark.parametrize("step", ["resolve", "connect"])
def test_what_takes_too_long_is_unreachable(
    step: str, names: Names, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = destinations if step == "resolve" else module

    async def test() -> None:
        async with guarded() as guard:
            assert await guard.reply("slow.example", 80) == 4

    names("8.8.8.8")
    monkeypatch.setattr(place, step, never)
    monkeypatch.setattr(place, f"{step.upper()}_SECONDS", 0.01)
    run(test())


@pytest.mark.parametrize("command", [0, 2, 3, 255])
def test_other_commands_than_connect_are_not_supported(command: int) -> None:
    async def test() -> None:
        async with served() as site, guarded("127.0.0.1") as guard:
            code = await guard.reply("127.0.0.1", site.port, command=command)
            assert code == 7
        assert site.connections == 0

    run(test())


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        (b"\5\1\0\5\1\0\2", b"\5\0\5\x08\0\1" + bytes(6)),  # an unknown kind of address
        (b"\5\1\2", b"\5\xff"),  # a password wanted
        (b"\5\0", b"\5\xff"),
        (b"\5\1\0\4\1\0\1", b"\5\0"),  # the version changes
        (b"\4\1", b""),
        (b"GET / HTTP/1.1\r\n\r\n", b""),
        (b"\x16\x03\x01\x02\0\1\0\1\xfc\3\3", b""),
        (bytes(1000), b""),
    ],
)
def test_what_is_no_socks_is_hung_up_on_and_harms_nobody(
    said: bytes, answer: bytes
) -> None:
    async def test() -> None:
        async with served() as site, guarded("127.0.0.1") as guard:
            streams = await guard.connect()
            streams[1].write(said)
            # With bytes unread a system may reset the connection and lose the answer.
            assert await rest(streams) in (answer, b"")
            assert await guard.reply("127.0.0.1", site.port) == 0
            assert guard.refused == []

    run(test())


@pytest.mark.parametrize("said", [b"", b"\5", b"\5\1\0", b"\5\1\0\5\1\0\3\x0bexam"])
def test_a_handshake_that_breaks_off_or_stalls_is_ended(
    said: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def test() -> None:
        async with guarded() as guard:
            streams = await guard.connect()
            streams[1].write(said)
            streams[1].write_eof()
            assert await rest(streams) in (b"", b"\5\0")
            monkeypatch.setattr(module, "HANDSHAKE_SECONDS", 0.01)
            streams = await guard.connect()
            streams[1].write(said)
            assert await rest(streams) in (b"", b"\5\0")

    run(test())


@pytest.mark.parametrize("more", [0, 1])
def test_a_tunnel_carries_so_many_bytes_to_the_browser_and_no_more(more: int) -> None:
    async def send(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(bytes(300_000 + more))
        await writer.drain()

    async def test() -> None:
        async with (
            served(send) as site,
            guarded("::/0", "0.0.0.0/0", max_bytes=300_000) as guard,
        ):
            code, streams = await guard.ask("127.0.0.1", site.port)
            assert code == 0
            received = await rest(streams)
        refusal = ("too_large", "127.0.0.1", site.port)
        assert guard.refused == [refusal] * more
        assert len(received) == 300_000 if not more else len(received) <= 300_000

    run(test())


def test_a_browser_that_does_not_read_stops_the_site() -> None:
    size = 64 << 20
    sent = asyncio.Event()

    async def send(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        for _ in range(size // 65536):
            writer.write(bytes(65536))
            await writer.drain()
        sent.set()

    async def test() -> None:
        async with served(send) as site, guarded("127.0.0.1", max_bytes=size) as guard:
            _, streams = await guard.ask("127.0.0.1", site.port)
            # Without backpressure it would be through long before.
            waiting = asyncio.ensure_future(sent.wait())
            done, _ = await asyncio.wait({waiting}, timeout=0.5)
            assert not done
            assert len(await rest(streams)) == size
            await waiting

    run(test())


def test_there_is_a_bound_to_the_tunnels(monkeypatch: pytest.MonkeyPatch) -> None:
    async def test() -> None:
        async with served() as site, guarded("127.0.0.1") as guard:
            tunnels = [await guard.ask("127.0.0.1", site.port) for _ in range(3)]
            assert await rest(await guard.connect()) == b""
            assert guard.refused == [("too_many", "", 0)]
            await hang_up(tunnels.pop()[1])
            while len(tunnels) < 3:  # Until the guard notices.
                with suppress(OSError, EOFError):
                    tunnels.append(await guard.ask("127.0.0.1", site.port))
            for _, streams in tunnels:
                await hang_up(streams)

    monkeypatch.setattr(module, "MAX_TUNNELS", 3)
    run(test())


def test_one_side_that_breaks_off_ends_the_other() -> None:
    ended = asyncio.Event()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if await reader.readexactly(1) == b"x":
            writer.transport.abort()
            return
        with suppress(OSError):
            await reader.read()
        ended.set()

    async def test() -> None:
        async with served(serve) as site, guarded("127.0.0.1") as guard:
            _, streams = await guard.ask("127.0.0.1", site.port)
            streams[1].write(b"x")
            assert await rest(streams) == b""
            _, streams = await guard.ask("127.0.0.1", site.port)
            streams[1].write(b"y")
            await streams[1].drain()
            streams[1].transport.abort()
            await ended.wait()

    run(test())


def test_close_ends_tunnels_in_every_state(
    names: Names, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def test() -> None:
        async with served() as site, guarded("127.0.0.1") as guard:
            _, tunnel = await guard.ask("127.0.0.1", site.port)
            tunnel[1].write(b"hello")
            assert await tunnel[0].readexactly(5) == b"hello"
            silent = await guard.connect()
            waiting = []
            monkeypatch.setattr(module, "connect", never)
            for host in ("connecting.example", "resolving.example"):
                waiting.append(await guard.connect())
                waiting[-1][1].write(b"\5\1\0" + request(host, 80))
                assert await waiting[-1][0].readexactly(2) == b"\5\0"
                monkeypatch.setattr(destinations, "resolve", never)
            await guard.guard.close()
            for streams in (tunnel, silent, *waiting):
                assert await rest(streams) == b""
            with pytest.raises(RuntimeError, match="not started"):
                assert guard.guard.url
            await guard.guard.close()

    names("8.8.8.8")
    run(test())
