"""Fixtures of the tests in this folder."""

from tests.servers.object_store import store, store_server

__all__ = ["store", "store_server"]
