"""The engine for OpenSearch, with its asynchronous client."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from opensearchpy import AsyncOpenSearch, exceptions

from .client import Answer, no_answer
from .engine import SearchServerIndex

if TYPE_CHECKING:
    from .address import Address
    from .client import Connection


class OpensearchIndex(SearchServerIndex):
    """Documents on an OpenSearch server: ``opensearch+http(s)://host:9200/index``."""

    @staticmethod
    def _connect(address: Address) -> Connection:
        return OpensearchConnection(address)


class OpensearchConnection:
    """A :class:`.Connection` to OpenSearch."""

    def __init__(self, address: Address):
        options = address.client_options()
        self._client = AsyncOpenSearch(**options, timeout=address.timeout)

    async def request(
        self, method: str, path: str, headers: dict[str, str], **options: Any
    ) -> Answer:
        """See :meth:`.Connection.request`."""
        try:
            data = await self._client.transport.perform_request(
                method, path, headers=headers, **options
            )
        except exceptions.ConnectionTimeout as exc:
            raise no_answer("timeout", exc.error) from exc
        except exceptions.ConnectionError as exc:
            raise no_answer("connection", exc.error) from exc
        except exceptions.TransportError as exc:
            return Answer(int(exc.status_code), exc.info or {"error": exc.error})
        except exceptions.SerializationError as exc:
            raise no_answer("bad_answer", str(exc)) from exc
        except (exceptions.ImproperlyConfigured, OSError) as exc:  # of certificates
            raise no_answer("misconfigured", str(exc), retryable=False) from exc
        return Answer(200, data)

    async def close(self) -> None:
        """See :meth:`.Connection.close`."""
        await self._client.close()
        # The client itself forgets those of unreachable hosts.
        connections: list[Any] = self._client.transport.seed_connections
        for connection in connections:
            await connection.close()
