"""Requests as the ledger stores them: what differs from a plain GET request."""

from __future__ import annotations

import json
import logging
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Final

from scrapy.utils.request import request_from_dict

from ..crawl.crawl_ledger import STATE_KEY
from ..crawl.crawl_scope import address_of

if TYPE_CHECKING:
    from scrapy import Request, Spider

    from ..memory import PageRow

logger = logging.getLogger(__name__)

_PLAIN: Final = {"method": "GET", "encoding": "utf-8"}

#: Meta that Scrapy makes anew.
_PASSING: Final = {
    *"depth download_latency retry_times redirect_times redirect_ttl".split(),
    STATE_KEY,
}


def dump_request(request: Request, spider: Spider) -> str | None:
    """Return the request without ``dont_filter`` as JSON; ``None`` for a plain GET.

    Raises :exc:`ValueError` for one with anything that JSON or a name cannot express.
    """
    values = request.to_dict(spider=spider)
    kept = {
        name: value
        for name, value in values.items()
        if value and value != _PLAIN.get(name) and name != "dont_filter"
    }
    if kept["url"] == address_of(request):
        del kept["url"]
    if isinstance(kept.get("body"), bytes):
        kept["body"] = kept["body"].decode("latin-1")
    meta = {k: v for k, v in values["meta"].items() if k not in _PASSING}
    headers = {
        name.decode("latin-1"): [each.decode("latin-1") for each in found]
        for name, found in values["headers"].items()
        if name != b"Referer"
    }
    for name, value in (("meta", meta), ("headers", headers)):
        kept.pop(name, None)
        if value:
            kept[name] = value
    try:
        return json.dumps(kept) if kept else None
    except TypeError as error:
        raise ValueError(str(error)) from error


def request_hash(text: str | None) -> str:
    """Return a hash of what :func:`dump_request` returned."""
    return blake2b((text or "").encode(), digest_size=8).hexdigest()


def load_request(row: PageRow, spider: Spider) -> Request | None:
    """Return the request of a row; ``None`` if it cannot be made.

    The spider may have lost its callback since.
    """
    if row.requested_run is None and not row.url.startswith("http"):
        return None  # an archive may name files of this machine
    values: dict[str, Any] = {"url": row.url, **json.loads(row.request or "{}")}
    if "body" in values:
        values["body"] = values["body"].encode("latin-1")
    try:
        return request_from_dict(values, spider=spider)
    except (ImportError, LookupError, TypeError, ValueError, NameError) as error:
        logger.warning("Not requested again: %s: %s", row.url, error)
        return None
