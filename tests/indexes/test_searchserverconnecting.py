"""OpenSearch and Elasticsearch: hosts, passwords, certificates and URLs."""

from __future__ import annotations

import logging
import ssl
import threading
from base64 import b64encode
from collections.abc import Iterator
from datetime import datetime, timedelta, timezone
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import quote

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from scrapy_mainpage.indexes import (
    IndexFailure,
    IndexUnavailable,
    open_index,
)

from ..servers.searchserver import SearchServer
from ..servers.searchserverfixtures import PRODUCTS, any_search_server
from .helpers import put

__all__ = ["any_search_server"]


class TestConnecting:
    def test_password_is_sent_and_never_told(self) -> None:
        password = "s3cret:ü/@"
        with SearchServer("opensearch", password=password) as server:
            quoted = "s3cret%3A%C3%BC%2F%40"
            url = f"opensearch+http://me:{quoted}@{server.host}/pages"
            open_index(url).close()
            sent = b64encode(f"me:{password}".encode()).decode()
            for request in server.requests:
                assert request.headers["authorization"] == f"Basic {sent}"

    @pytest.mark.parametrize("product", PRODUCTS)
    def test_wrong_password_is_refused_in_one_line_without_it(
        self, product: str, caplog: pytest.LogCaptureFixture
    ) -> None:
        caplog.set_level(logging.DEBUG)
        with SearchServer(product, password="right") as server:
            url = f"{product}+http://me:wr0ng@{server.host}/pages"
            with pytest.raises(IndexUnavailable, match="missing authent") as caught:
                open_index(url)
        assert "\n" not in str(caught.value)
        assert "wr0ng" not in str(caught.value)
        assert "wr0ng" not in caplog.text
        assert b64encode(b"me:wr0ng").decode() not in caplog.text

    def test_key_is_sent_and_never_told(self) -> None:
        with SearchServer("elasticsearch", api_key="a+b/c==") as server:
            open_index(server.url(options="api_key=a+b/c==")).close()
            with pytest.raises(IndexUnavailable) as caught:
                open_index(server.url(options="api_key=WRONGKEY"))
            assert "WRONGKEY" not in str(caught.value)

    def test_silent_server_is_an_error_after_a_while(
        self, server: SearchServer, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("scrapy_mainpage.indexes.searchserver.TIMEOUT", 0.3)
        answer = threading.Event()
        server.hold("/pages", answer)
        with pytest.raises(IndexUnavailable):
            open_index(server.url())
        answer.set()

    @pytest.mark.parametrize("product", PRODUCTS)
    def test_host_that_is_gone_fails_to_be_tried_again(self, product: str) -> None:
        with SearchServer(product) as server:
            index = open_index(server.url())
        with pytest.raises(IndexFailure) as caught:
            put(index, "words")
        assert (caught.value.reason, caught.value.retryable) == ("connection", True)
        index.close()  # an open session would be a warning, which fails the test


BAD_URLS = [
    ("opensearch://h/pages", "neither"),
    ("opensearch+ftp://h/pages", "neither"),
    ("opensearch+http:///pages", "no host"),
    ("opensearch+http://u:p@/pages", "no host"),
    ("opensearch+http://h:port/pages", "Port"),
    ("opensearch+http://h:99999/pages", "Port"),
    ("opensearch+http://h", "name an index"),
    ("opensearch+http://h/", "name an index"),
    ("opensearch+http://h/Pages", "lower case"),
    ("opensearch+http://h/_all", "name an index"),
    ("opensearch+http://h/-pages", "name an index"),
    ("opensearch+http://h/..", "name an index"),
    ("opensearch+http://h/a*", "name an index"),
    ("opensearch+http://h/a%2Fb", "name an index"),
    ("opensearch+http://h/" + "x" * 256, "name an index"),
    ("opensearch+http://h/pages#x", "quoted"),
    ("opensearch+http://h/pages?verify=false", "no option 'verify'"),
    ("opensearch+https://h/pages?ca_certs=/no/such", "/no/such"),
]


class TestUrls:
    @pytest.mark.parametrize(("url", "reason"), BAD_URLS)
    def test_url_that_names_no_index_is_refused(self, url: str, reason: str) -> None:
        with pytest.raises(IndexUnavailable, match=reason) as caught:
            open_index(url)
        assert "\n" not in str(caught.value)
        assert url.partition("+")[0].partition(":")[0] in caught.value.allowed


def certificate(folder: Path) -> Path:
    """A file with a key for 127.0.0.1 and its self-signed certificate."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "127.0.0.1")])
    now = datetime.now(timezone.utc)
    address = x509.IPAddress(ip_address("127.0.0.1"))
    signed = (
        x509.CertificateBuilder(name, name, key.public_key(), 1)
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([address]), critical=False)
        .sign(key, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    key_bytes = key.private_bytes(
        pem,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    file = folder / "server.pem"
    file.write_bytes(key_bytes + signed.public_bytes(pem))
    return file


class TestTls:
    @pytest.fixture
    def file(self, tmp_path: Path) -> Path:
        return certificate(tmp_path)

    @pytest.fixture(params=PRODUCTS)
    def tls_server(
        self, request: pytest.FixtureRequest, file: Path
    ) -> Iterator[SearchServer]:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(file)
        with SearchServer(request.param, tls=context) as server:
            yield server

    def test_unknown_certificate_is_refused(self, tls_server: SearchServer) -> None:
        with pytest.raises(IndexUnavailable, match=r"(?i)certificate"):
            open_index(tls_server.url())
        assert not tls_server.requests

    def test_certificate_is_known_by_its_file(
        self, tls_server: SearchServer, file: Path
    ) -> None:
        options = f"ca_certs={quote(str(file))}"
        with open_index(tls_server.url(options=options)) as index:
            put(index, "words")
            assert list(index.urls()) == ["https://example.com/0"]

    def test_file_that_is_no_certificate_is_named(
        self, tls_server: SearchServer, tmp_path: Path
    ) -> None:
        other = tmp_path / "other.pem"
        other.write_text("no certificate")
        with pytest.raises(IndexUnavailable, match=r"other\.pem"):
            open_index(tls_server.url(options=f"ca_certs={quote(str(other))}"))
