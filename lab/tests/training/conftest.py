"""Fixtures of the tests of the training, for those of the shipped models."""

from tests.training.conftest import kinds, pages, quick

__all__ = ["kinds", "pages", "quick"]
