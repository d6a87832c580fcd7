"""What the search server of the tests reads in requests, and refuses to read."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from .searchserveranalysis import RefusedError
from .searchserverhttp import Request


def check_params(request: Request, known: set[str]) -> None:
    if unknown := request.params.keys() - known:
        reason = f"request [{request.path}] contains unrecognized parameter: {unknown}"
        raise RefusedError("illegal_argument_exception", reason)


def read_actions(body: bytes) -> Iterator[tuple[str, dict[str, Any], Any]]:
    """The operations of a bulk request; all of it is read before anything is done."""
    if not body:
        raise RefusedError("parse_exception", "request body is required")
    if not body.endswith(b"\n"):
        reason = "The bulk request must be terminated by a newline [\\n]"
        raise RefusedError("illegal_argument_exception", reason)
    lines = iter(enumerate(body[:-1].split(b"\n"), 1))
    for number, line in lines:
        action, options = _metadata(number, line)
        if action == "delete":
            yield action, options, None
            continue
        _, text = next(lines, (0, b""))
        try:
            source = json.loads(text)
        except ValueError:
            raise RefusedError("parse_exception", f"line [{number + 1}]") from None
        yield action, options, source


def _metadata(number: int, line: bytes) -> tuple[str, dict[str, Any]]:
    try:
        ((action, options),) = json.loads(line).items()
    except (ValueError, AttributeError):
        reason = f"Malformed action/metadata line [{number}], expected START_OBJECT"
        raise RefusedError("illegal_argument_exception", reason) from None
    if action not in ("index", "delete"):  # and two that are not known here
        reason = (
            f"Malformed action/metadata line [{number}], expected one of "
            f"[create, delete, index, update] but found [{action}]"
        )
        raise RefusedError("illegal_argument_exception", reason)
    if options.keys() != {"_id"}:
        reason = f"Action/metadata line [{number}] contains an unknown parameter"
        raise RefusedError("illegal_argument_exception", reason)
    return action, options
