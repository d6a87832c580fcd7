"""The scope of a crawl, its requests as the memory stores them, and its hashes."""

from __future__ import annotations

import inspect
import json
import logging
from dataclasses import fields
from hashlib import blake2b
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from scrapy.utils.request import request_from_dict

from ..addresses import page_address
from ..indexes.documents import FIELDS_VERSION

if TYPE_CHECKING:
    from scrapy import Request, Spider
    from scrapy.crawler import Crawler

    from ..indexes import IndexDocument
    from ..memory import PageRow
    from ..settings import Settings

logger = logging.getLogger(__name__)

#: In a request's meta: a hash of the request for one that the ledger notes, ``True`` if
#: it has none; ``False`` of the spider for one without conditions.
STATE_KEY: Final = "mainpage_state"

#: Attribute of a spider: the name of its scope, in place of its name and arguments.
SCOPE_ATTRIBUTE: Final = "mainpage_scope"

#: Prefixes of settings that change what is written into an index.
_WRITTEN_BY: Final = (
    "algorithm favor structured title detect item_fields rules max_ render filter "
    "min_confidence duplicates_enabled duplicates_threshold duplicates_keep "
    "index_fields index_passage robots canonical weight"
).split()

_PLAIN: Final = (str, int, bool)

_USUAL: Final = {"method": "GET", "encoding": "utf-8"}

#: Meta that Scrapy makes anew.
_PASSING: Final = {
    *"depth download_latency retry_times redirect_times redirect_ttl".split(),
    STATE_KEY,
}


def address_of(request: Request, *, routes: bool = False) -> str:
    """Return the address of a request in the ledger: its URL without fragment.

    A route stays with *routes*.

    A request with another method, or with a body, has a mark of them as its fragment.
    """
    url = page_address(request.url, routes=routes)
    if request.method == "GET" and not request.body:
        return url
    digest = blake2b(request.body, digest_size=8).hexdigest()
    return f"{url}#{request.method}:{digest}"


def dump_request(request: Request, spider: Spider) -> str | None:
    """Return the request without ``dont_filter`` as JSON; ``None`` for a plain GET.

    Raises :exc:`ValueError` for one with anything that JSON or a name cannot express.
    """
    values = request.to_dict(spider=spider)
    kept = {
        name: value
        for name, value in values.items()
        if value and value != _USUAL.get(name) and name != "dont_filter"
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
    try:
        values: dict[str, Any] = {"url": row.url, **json.loads(row.request or "{}")}
        if "body" in values:
            values["body"] = values["body"].encode("latin-1")
        return request_from_dict(values, spider=spider)
    except Exception as error:  # noqa: BLE001 - of whatever the row has
        logger.warning("Not requested again: %s: %s", row.url, error)
        return None


def scope_of(spider: Spider) -> str:
    """Return the name of the spider with its arguments.

    These are its own attributes that are texts, whole numbers or lists of them.
    """
    named = getattr(spider, SCOPE_ATTRIBUTE, None)
    if named:
        return str(named)
    own = {
        name: value
        for name, value in vars(spider).items()
        if not name.startswith("_") and name != "name" and _is_plain(value)
        if value != []
    }
    arguments = json.dumps(own, sort_keys=True, ensure_ascii=False)
    if len(arguments) > 200:
        arguments = blake2b(arguments.encode(), digest_size=8).hexdigest()
    return f"{spider.name} {arguments}" if own else spider.name


def _is_plain(value: object) -> bool:
    if isinstance(value, list | tuple):
        return all(isinstance(each, _PLAIN) for each in value)
    return isinstance(value, _PLAIN)


def config_hash(settings: Settings, crawler: Crawler) -> bytes:
    """Return a hash of all that decides what a page gives: any change makes it new.

    That is this package, the settings of extraction, filter and documents, the rules,
    the pipelines and the source of the spider.
    """
    values = {
        item.name: repr(getattr(settings, item.name))
        for item in fields(settings)
        if item.name.startswith(tuple(_WRITTEN_BY))
    }
    parts = [
        version("scrapy-mainpage"),
        str(FIELDS_VERSION),
        json.dumps(values, sort_keys=True),
        str(bool(settings.embedder)),  # which needs passages
        str(sorted(map(str, crawler.settings.getdict("ITEM_PIPELINES")))),
        _source_of(crawler),
    ]
    digest = blake2b("\0".join(parts).encode("utf-8", "replace"), digest_size=8)
    for path in sorted(Path(settings.rules).rglob("*")) if settings.rules else ():
        if path.is_file():
            digest.update(path.read_bytes())
    return digest.digest()


def _source_of(crawler: Crawler) -> str:
    try:
        return inspect.getsource(crawler.spidercls)
    except (OSError, TypeError):
        return crawler.spidercls.__qualname__


def content_hash(document: IndexDocument) -> bytes:
    """Return a hash of a document without the time of the crawl and the page type.

    That may change with what stands beside the main content.
    """
    values = document.as_dict()
    for name in ("crawled_at", "page_type"):
        values.pop(name, None)
    text = json.dumps(values, sort_keys=True)
    return blake2b(text.encode(), digest_size=12).digest()
