"""``scrapy shell``, with the response's page as ``page``."""

from __future__ import annotations

from typing import Any

from scrapy.commands.shell import Command as ShellCommand


class Command(ShellCommand):
    """Scrapy's shell, with the names ``page`` and ``mainpage``."""

    def update_vars(self, vars: dict[str, Any]) -> None:  # noqa: A002
        """Add the page, ``None`` if the response has none, and the function."""
        from scrapy_mainpage.crawl.pages import known_page, mainpage

        super().update_vars(vars)
        vars["mainpage"] = mainpage
        response = vars.get("response")
        vars["page"] = None if response is None else known_page(response)
