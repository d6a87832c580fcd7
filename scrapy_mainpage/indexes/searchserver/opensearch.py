"""The engine for OpenSearch, with its own asynchronous client."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from opensearchpy import AsyncOpenSearch
from opensearchpy.exceptions import (
    ConnectionError as NoConnectionError,
)
from opensearchpy.exceptions import (
    ConnectionTimeout,
    ImproperlyConfigured,
    SerializationError,
    TransportError,
)

from .answers import Answer, no_answer
from .engine import SearchServerIndex

if TYPE_CHECKING:
    from .address import Address
    from .answers import Connection


class OpensearchIndex(SearchServerIndex):
    """Documents on an OpenSearch server: ``opensearch+http(s)://host:9200/index``."""

    @staticmethod
    def _connect(address: Address) -> Connection:
        return OpensearchConnection(address)


class OpensearchConnection:
    """A :class:`.Connection` to OpenSearch. A request goes once to a host."""

    def __init__(self, address: Address):
        tls: dict[str, Any] = dict(address.tls)
        self._client = AsyncOpenSearch(
            hosts=list(address.hosts),
            headers=dict(address.headers),
            timeout=address.timeout,
            max_retries=address.other_hosts,
            retry_on_status=(),
            **tls,
        )

    async def request(
        self,
        method: str,
        path: str,
        *,
        params: dict[str, str] | None = None,
        body: bytes | None = None,
        media_type: str = "application/json",
        timeout: float | None = None,
    ) -> Answer:
        """See :meth:`.Connection.request`."""
        try:
            data = await self._client.transport.perform_request(
                method,
                path,
                params=params,
                body=body,
                timeout=timeout,
                headers={"content-type": media_type},
            )
        except ConnectionTimeout as exc:
            raise no_answer("timeout", exc.error) from exc
        except NoConnectionError as exc:
            raise no_answer("connection", exc.error) from exc
        except TransportError as exc:
            return Answer(int(exc.status_code), exc.info or {"error": exc.error})
        except SerializationError as exc:
            raise no_answer("bad_answer", str(exc)) from exc
        except (ImproperlyConfigured, OSError) as exc:  # of certificates
            raise no_answer("misconfigured", str(exc), retryable=False) from exc
        return Answer(200, data)

    async def close(self) -> None:
        """See :meth:`.Connection.close`."""
        await self._client.close()
        # The client forgets those of hosts that could not be reached.
        connections: list[Any] = self._client.transport.seed_connections
        for connection in connections:
            await connection.close()
