"""The engine for Elasticsearch, with its asynchronous client."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from elasticsearch import (
    ApiError,
    AsyncElasticsearch,
    ConnectionTimeout,
    SerializationError,
    TransportError,
    UnsupportedProductError,
)

from ..failures import IndexFailure
from .client import NOT_FOUND, Answer, no_answer
from .engine import SearchServerIndex

if TYPE_CHECKING:
    from .address import Address
    from .client import Connection

_PRODUCT = "x-elastic-product"
_FOREIGN = "the server is not Elasticsearch"


class ElasticsearchIndex(SearchServerIndex):
    """Documents on Elasticsearch: ``elasticsearch+http(s)://host:9200/index``."""

    API_KEYS = True

    @staticmethod
    def _connect(address: Address) -> Connection:
        return ElasticsearchConnection(address)


class ElasticsearchConnection:
    """A :class:`.Connection` to Elasticsearch."""

    def __init__(self, address: Address):
        options = address.client_options()
        try:
            self._client = AsyncElasticsearch(
                **options, request_timeout=address.timeout
            )
        except (OSError, ValueError) as exc:  # of certificates
            raise no_answer("misconfigured", str(exc), retryable=False) from exc

    async def request(
        self, method: str, path: str, headers: dict[str, str], **options: Any
    ) -> Answer:
        """See :meth:`.Connection.request`."""
        client = self._client
        if timeout := options.pop("timeout", None):
            client = client.options(request_timeout=timeout)
        accept = {"accept": "application/json"}
        headers = accept if options.get("body") is None else {**accept, **headers}
        try:
            answer = await client.perform_request(
                method, path, headers=headers, **options
            )
        except UnsupportedProductError as exc:
            raise IndexFailure("foreign", _FOREIGN) from exc
        except ApiError as exc:
            # The client checks the product in successful answers only.
            if exc.meta.status == NOT_FOUND and _PRODUCT not in exc.meta.headers:
                raise IndexFailure("foreign", _FOREIGN) from exc
            return Answer(exc.meta.status, exc.body)
        # str() of these does not include the cause.
        except ConnectionTimeout as exc:
            raise no_answer("timeout", str(exc.message)) from exc
        except SerializationError as exc:
            raise no_answer("bad_answer", str(exc.message)) from exc
        except TransportError as exc:
            raise no_answer("connection", str(exc.message)) from exc
        return Answer(answer.meta.status, answer.body)

    async def close(self) -> None:
        """See :meth:`.Connection.close`."""
        await self._client.close()
