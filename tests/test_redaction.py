"""Secrets of settings appear in no message, log, file name or traceback."""

from __future__ import annotations

import json
import logging
import socket
import traceback
from base64 import b64encode
from collections.abc import Callable
from typing import Any
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scrapy.settings import BaseSettings

from scrapy_mainpage.commands.cli import index_url
from scrapy_mainpage.indexes import IndexUnavailable, open_index
from scrapy_mainpage.indexes.outbox import index_name
from scrapy_mainpage.redaction import (
    UNREADABLE,
    hide_secrets,
    is_readable,
    message_line,
    redacted,
    redacted_value,
)
from scrapy_mainpage.redis_crawl import check_server
from scrapy_mainpage.rendering.upstream import find_upstream
from scrapy_mainpage.settings import Settings, SettingsError, find_unknown

#: Parts of each secret, which no output may contain.
MARKERS = ("s3cr3t", "pw7x")

#: Names of options of a URL that have secrets.
SECRET_NAMES = [
    *("pw", "pwd", "passwd", "sslpassword", "auth", "bearer", "credential"),
    *("api_key", "apikey", "token", "secret", "Authorization"),
]
#: URLs of servers that refuse a connection, in each form that has a secret.
INDEX_URLS = [
    "postgresql://u:{}@127.0.0.1:1/db",
    "postgresql://127.0.0.1:1/db?user=u&password={}",
    "postgresql://127.0.0.1:1/db?password={}&schema=x&connect_timeout=2",
    "opensearch+http://u:{}@127.0.0.1:1/ix",
    "elasticsearch+http://u:{}@127.0.0.1:1/ix",
    "elasticsearch+http://127.0.0.1:1/ix?api_key={}",
    "postgres://u:{}@127.0.0.1:1/db",
    "postgresql:u:{}@127.0.0.1",
    "u:{}@127.0.0.1/db",
    "postgresql:host=127.0.0.1 port=1 password={}",
    "postgresql://host=127.0.0.1 port=1 password = '{} b\\' c'",
    "host=127.0.0.1 port=1 password='{}'",
    "postgresql://127.0.0.1:1/db?port=1 password={}",
    "postgresql://127.0.0.1:1/db;password={}",
    "postgresql://127.0.0.1:1/db#password={}",
    "postgresql://127.0.0.1:1/db?p%61ssword={}",
    *(f"postgresql://127.0.0.1:1/db?{name}={{}}" for name in SECRET_NAMES),
    "sqlite://u:{}@127.0.0.1/x.db",
]
REDIS_URLS = [
    "redis://:{}@127.0.0.1:1/0",
    "redis://u:{}@127.0.0.1:1/0?prefix=p",
    "redis://127.0.0.1:1/0?password={}",
    "rediss://:{}@127.0.0.1:1/0",
    "unix://u:{}@/nowhere?db=1",
    "redi://:{}@127.0.0.1:1/0",
]
SPECIAL = [*"@/?#[]%&=:+;,\\ \t\"'<ü℀", "%zz", "://", "]@["]
#: With each a client is made, which takes a while.
DIVIDING = ["@", "/", "?", "#", "[", "]@[", "%zz", "&", " "]

GENERATED = st.text(st.characters(codec="utf-8"), max_size=6) | st.sampled_from(SPECIAL)
#: Forms of URLs that are used if the secret is quoted.
READABLE = [
    *("postgresql://u:{}@h1,h2:5/db?schema=s", "opensearch+http://{}@[::1]:1/ix"),
    *(
        "elasticsearch+https://h/ix?ca_certs=a.pem&api_key={}",
        "redis://:{}@h/0?prefix=p",
    ),
    *(
        "postgresql://h?schema=s&passfile=x&password={}",
        "unix://u:{}@/nowhere?db=1",
    ),
]


def secret_with(text: str) -> str:
    return f"S3cr3t{text}Pw7x"


def assert_hidden(*outputs: object) -> None:
    shown = "\n".join(map(str, outputs)).lower()
    assert not [marker for marker in MARKERS if marker in shown], shown


def outcome(
    find: Callable[..., object], url: str | None, options: dict[str, str] | None
) -> str:
    try:
        return str(find(url, None, options))
    except ValueError as error:
        return report(error)


def report(error: BaseException) -> str:
    return "".join(traceback.format_exception(error)) + repr(error)


@pytest.fixture(autouse=True)
def no_names_are_resolved(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Tests need no network: only addresses are resolved. All of the log is seen."""
    caplog.set_level(logging.DEBUG)
    resolve = socket.getaddrinfo

    def resolve_addresses(host: Any, *args: Any, **options: Any) -> Any:
        if host not in ("127.0.0.1", "localhost"):
            raise socket.gaierror(-2, f"failed to resolve {host!r}")
        return resolve(host, *args, **options)

    monkeypatch.setattr(socket, "getaddrinfo", resolve_addresses)


@pytest.mark.parametrize("form", INDEX_URLS)
def test_no_secret_of_an_index(form: str, caplog: pytest.LogCaptureFixture) -> None:
    for secret in [*map(secret_with, DIVIDING), quote(secret_with("@/"), safe="")]:
        url = form.format(secret)
        for each in {url, index_url(url)}:
            with pytest.raises(IndexUnavailable) as caught:
                open_index(each)
            assert_hidden(report(caught.value), vars(caught.value))
        assert_hidden(redacted(url), index_name(url))
    assert_hidden(caplog.text)


@pytest.mark.parametrize("form", REDIS_URLS)
def test_no_secret_of_redis(form: str, caplog: pytest.LogCaptureFixture) -> None:
    for secret in [*map(secret_with, DIVIDING), quote(secret_with("@/"), safe="")]:
        with pytest.raises(SettingsError) as caught:
            check_server(form.format(secret))
        assert_hidden(report(caught.value))
    assert_hidden(caplog.text)


@pytest.mark.parametrize("scheme", ["http://", "https://", "socks5://", ""])
def test_no_secret_of_a_proxy(scheme: str) -> None:
    for special in SPECIAL:
        secret = secret_with(special)
        url = f"{scheme}u:{secret}@127.0.0.1:1"
        for options in (None, {"server": url}):
            assert_hidden(outcome(find_upstream, None if options else url, options))


def test_no_digits_of_a_password_are_the_port_of_a_proxy() -> None:
    for mark in "/?#":
        assert "123" not in outcome(find_upstream, f"http://u:123{mark}x@host:1", None)


@pytest.mark.parametrize(
    "name", ["MAINPAGE_INDEX", "MAINPAGE_SHARED", "MAINPAGE_STATE"]
)
@pytest.mark.parametrize("form", INDEX_URLS[:2] + REDIS_URLS[:1])
def test_no_secret_of_a_setting_of_another_type(name: str, form: str) -> None:
    url = form.format(secret_with("@"))
    values: list[Any] = [[url, 5], {"url": url}, f'["{url}"', url.encode(), [[url]]]
    for value in [*values, {"password": secret_with("")}]:
        settings = BaseSettings({name: value})
        try:
            Settings.from_settings(settings)
        except SettingsError as error:
            assert_hidden(report(error))


@pytest.mark.parametrize("form", ["postgresql:/u:{}@h", "u:{}@h", "host=h password={}"])
def test_no_secret_of_a_value_without_slashes(form: str) -> None:
    url = form.format(secret_with(""))
    for value in ([url, 5], {"a": url}, {"pwd": [url]}, url.encode()):
        assert_hidden(redacted_value(value))


@pytest.mark.parametrize("form", INDEX_URLS)
def test_no_secret_of_an_unknown_setting(form: str) -> None:
    url, secret = form.format(secret_with("")), secret_with("")
    values = {"MAINPAGE_INDEXES": [url], "MAINPAGE_REDIS_PASSWORD": secret}
    assert_hidden(*find_unknown(BaseSettings(values)))


@pytest.mark.parametrize("form", INDEX_URLS[:1] + REDIS_URLS[:1])
def test_no_secret_in_the_repr_of_settings(form: str) -> None:
    url = form.format(secret_with(""))
    names = ("MAINPAGE_INDEX", "MAINPAGE_SHARED")
    settings = BaseSettings(dict.fromkeys(names, url))
    assert_hidden(repr(Settings.from_settings(settings)))


def test_no_password_that_a_server_quotes_in_a_header() -> None:
    encoded = b64encode(b"u:S3cr3t/Pw7x").decode()
    url = "opensearch+http://u:S3cr3t%2FPw7x@127.0.0.1:1/ix"
    assert encoded not in message_line(f"401 Basic {encoded} is wrong", url)


@given(
    form=st.sampled_from(INDEX_URLS + REDIS_URLS),
    special=GENERATED,
    is_quoted=st.booleans(),
    template=st.sampled_from(["cannot read {!r}", "{}", "no\thost {!a}\n", "{0} {0}"]),
)
def test_no_library_message_shows_a_secret(
    form: str, special: str, is_quoted: bool, template: str
) -> None:
    secret = secret_with(special)
    url = form.format(quote(secret, safe="") if is_quoted else secret)
    messages = [url, secret, quote(secret), quote_plus(secret), quote(url)]
    messages += [json.dumps(secret), str(secret.encode(errors="replace"))]
    if not is_quoted:  # parsers divide at special characters
        marks = "@?#[]%" if "={}" in form else "@/?#[]%"  # an option may have a /
        messages += [url.rpartition(mark)[2] for mark in special if mark in marks]
    for message in map(template.format, messages):
        assert_hidden(redacted(url), message_line(message, url))
        assert_hidden(hide_secrets(message, url))


@given(form=st.sampled_from(READABLE), special=GENERATED)
def test_a_quoted_password_is_readable(form: str, special: str) -> None:
    url = form.format(quote(secret_with(special), safe=""))
    assert is_readable(url) == special.isprintable()


@given(form=st.sampled_from(READABLE), special=GENERATED, mark=st.sampled_from("@?# "))
def test_a_password_with_an_unquoted_mark_is_refused(
    form: str, special: str, mark: str
) -> None:
    secret = secret_with(special + mark)
    url = form.format(secret)
    assert redacted(url) == "***"
    assert message_line(f"no host {secret}", url) == UNREADABLE


@pytest.mark.parametrize("mark", [mark for mark in DIVIDING if mark != "&"])
def test_an_unreadable_url_reaches_no_library(
    mark: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = f"u:{secret_with(mark)}@localhost/0"
    monkeypatch.setattr("scrapy_mainpage.indexes.base.import_module", None)
    with pytest.raises(IndexUnavailable, match="stand last"):
        open_index(f"postgresql://{address}")
    monkeypatch.setattr("redis.Redis.from_url", None)
    with pytest.raises(SettingsError, match="stand last"):
        check_server(f"redis://{address}")


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("postgresql://u:p%40w@h1,h2:5/db?schema=s", "postgresql://u:***@h1,h2:5/db"),
        ("opensearch+http://token@host/ix", "opensearch+http://***@host/ix"),
        ("redis://token:@host/0", "redis://***@host/0"),
        ("https://medium.com/@me/key?a=b@c#d", "https://medium.com/@me/key?a=b@c#d"),
        (
            "postgresql://h/p?schema=s&password=a",
            "postgresql://h/p?schema=s&password=***",
        ),
        ("redis://:pw@[::1]:6379/0?prefix=x", "redis://:***@[::1]:6379/0?prefix=x"),
        ("sqlite:///a:b@c.db", "sqlite:///a:b@c.db"),
        ("postgresql://host:5432/db?schema=s", "postgresql://host:5432/db?schema=s"),
        ("site@home.db", "site@home.db"),
        ("sqlite:///key=5/a.db", "sqlite:///key=5/a.db"),
        ("postgresql://keys:5432/db?schema=s", "postgresql://keys:5432/db?schema=s"),
    ],
)
def test_the_place_of_an_index_is_shown(url: str, shown: str) -> None:
    assert redacted(url).startswith(shown)


def test_values_without_a_secret_are_shown_as_they_are() -> None:
    assert redacted_value(["author", "passages"]) == ["author", "passages"]
    assert redacted_value(["me@example.com"]) == ["me@example.com"]
    assert redacted_value(["sqlite:///a.db", 5]) == ["sqlite:///a.db", 5]
    assert redacted_value(5) == 5
