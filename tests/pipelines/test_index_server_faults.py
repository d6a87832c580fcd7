"""Crawls into the indexes of servers that are killed or cut off: no item is lost."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.servers.cuttingproxy import CuttingProxy
from tests.servers.postgres import PostgresServer
from tests.servers.searchserver import SearchServer

from .indexcrawls import PAGES, Crawling, Numbers
from .indexing import urls

pytestmark = pytest.mark.skipif(
    sys.platform == "win32", reason="signals and mounts are of POSIX"
)


def postgres_url(server: PostgresServer, schema: str) -> str:
    url = server.database("faults")
    # Or a killed server may lose committed transactions.
    server.execute("ALTER DATABASE faults SET synchronous_commit = on")
    return f"{url}?schema={schema}&connect_timeout=2"


class TestPostgresql:
    def test_killed_and_restarted_server_costs_no_document(
        self, site: Numbers, postgres_server: PostgresServer, tmp_path: Path
    ) -> None:
        crawl = Crawling(site, postgres_url(postgres_server, "restarted"), tmp_path)
        with crawl.running() as process:
            crawl.wait_for_items(PAGES // 2)
            postgres_server.kill()
            try:
                site.open.set()
                crawl.wait_for_log("Not yet in")
            finally:
                postgres_server.start()
            found = crawl.finish(process)
        assert len(crawl.reached()) == PAGES
        assert sorted(urls(crawl.index)) == sorted(site.urls)
        assert found.stat("mainpage/index/put") == PAGES
        assert found.stat("mainpage/index/retried") > 0
        assert crawl.dead() == crawl.left() == []

    def test_connection_that_is_cut_within_a_batch_costs_no_document(
        self, site: Numbers, postgres_server: PostgresServer, tmp_path: Path
    ) -> None:
        url = postgres_url(postgres_server, "cut")
        with CuttingProxy(postgres_server.port) as proxy:
            through = url.replace(f":{postgres_server.port}/", f":{proxy.port}/")
            crawl = Crawling(site, through, tmp_path)
            with crawl.running() as process:
                crawl.wait_for_items(PAGES // 2)
                proxy.cut(b"COMMIT", times=3, is_applied=True)
                found = crawl.finish(process)
            assert proxy.cuts == 3
        assert len(crawl.reached()) == PAGES
        assert sorted(urls(url)) == sorted(site.urls)
        assert found.stat("mainpage/index/put") == PAGES
        assert found.stat("mainpage/index/retried") > 0
        assert crawl.dead() == []


class TestSearchServer:
    def test_connection_that_is_reset_within_a_batch_costs_no_document(
        self, site: Numbers, tmp_path: Path
    ) -> None:
        with SearchServer("elasticsearch") as server:
            crawl = Crawling(site, server.url(), tmp_path)
            with crawl.running() as process:
                crawl.wait_for_items(PAGES // 2)
                server.reset("/_bulk", is_applied=True, times=3)
                found = crawl.finish(process)
            assert sorted(refreshed(server)) == sorted(site.urls)
        assert len(crawl.reached()) == PAGES
        assert found.stat("mainpage/index/put") == PAGES
        assert found.stat("mainpage/index/retried") > 0
        assert crawl.dead() == []


def refreshed(server: SearchServer) -> list[str]:
    return urls(f"{server.url()}?refresh=true")
