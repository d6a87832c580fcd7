"""Fixtures of the project's tests, for those of the lab."""

from tests.conftest import chromium, redis_server, requirement

__all__ = ["chromium", "redis_server", "requirement"]
