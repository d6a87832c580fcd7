"""Cookies of a request, for the browser."""

from __future__ import annotations

import pytest
from scrapy import Request

from scrapy_mainpage.rendering.browser.contexts import read_cookies


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        (None, {}),
        ("a=1; b=x=y", {"a": "1", "b": "x=y"}),
        ("a=1; nonsense; =2; b=", {"a": "1", "b": ""}),
    ],
)
def test_the_cookies_of_a_request_belong_to_its_host(
    header: str | None, expected: dict[str, str]
) -> None:
    headers = {"Cookie": header} if header else {}
    found = read_cookies(Request("https://www.example.com/shop/item", headers=headers))
    assert {cookie["name"]: cookie["value"] for cookie in found} == expected
    assert all(cookie["url"] == "https://www.example.com/" for cookie in found)
