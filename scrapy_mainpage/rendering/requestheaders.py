"""Which of a request's headers the browser sends, and to whom."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from scrapy_playwright.headers import use_scrapy_headers

if TYPE_CHECKING:
    from playwright.async_api import Request


async def own_headers_only(
    *,
    browser_type_name: str,
    playwright_request: Request,
    scrapy_request_data: dict[str, Any],
) -> dict[str, str]:
    """Send Scrapy's headers, credentials maybe, to the request's own site only.

    What documents are loaded from elsewhere, in frames or by a script that goes there,
    get the browser's headers and Scrapy's user agent, as sub-requests do.
    """
    is_own = _origin(playwright_request.url) == _origin(scrapy_request_data["url"])
    if not (playwright_request.is_navigation_request() and is_own):
        headers = await playwright_request.all_headers()
        if agent := scrapy_request_data["headers"].get("User-Agent"):
            headers["user-agent"] = agent.decode("latin-1")
        return headers
    given: dict[str, str] = await use_scrapy_headers(
        browser_type_name=browser_type_name,
        playwright_request=playwright_request,
        scrapy_request_data=scrapy_request_data,
    )
    return given


def _origin(url: str) -> tuple[str, str]:
    parts = urlsplit(url)
    return parts.scheme, parts.netloc.rpartition("@")[2].lower()
