"""What a browser context is opened with, and which pages may share one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.settings import BaseSettings


def context_options(
    request: Request, window: tuple[int, int], settings: BaseSettings, proxy: str | None
) -> dict[str, Any]:
    """Return the options of the context that the request's page is rendered in.

    *window* is its width and height, *proxy* the URL of the guard; ``None`` for a
    browser elsewhere, which could not reach it.
    """
    width, height = window
    # As the project's own downloads do; Scrapy's are not verified by default.
    verifies = settings.getbool("DOWNLOAD_VERIFY_CERTIFICATES", False)
    options: dict[str, Any] = {
        "accept_downloads": False,
        "permissions": [],
        "service_workers": "block",
        "viewport": {"width": width, "height": height},
        "ignore_https_errors": not verifies,
    }
    if agent := agent_of(request):
        options["user_agent"] = agent
    if proxy is not None:
        options["proxy"] = {"server": proxy, "bypass": "<-loopback>"}
    return options


def agent_of(request: Request) -> str | None:
    """Return the user agent of the request, ``None`` if it has none."""
    agent = request.headers.get("User-Agent")
    return None if agent is None else agent.decode("latin-1")


def is_alone(request: Request, settings: BaseSettings) -> bool:
    """Return whether no other page may have what this one leaves in its context."""
    meta = request.meta
    if "cookiejar" in meta or meta.get("dont_merge_cookies"):
        return True
    return not settings.getbool("COOKIES_ENABLED")
