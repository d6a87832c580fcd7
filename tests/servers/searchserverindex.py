"""An index of the search server of the tests: mapping, documents, words."""

from __future__ import annotations

import json
import math
import re
import time
from collections import defaultdict
from datetime import datetime
from typing import Any

from .searchserveranalysis import MAX_WORD_BYTES, Analyzer, RefusedError, Token

_SETTINGS = {"auto_expand_replicas", "number_of_shards", "number_of_replicas"}
_MAPPING = {"_meta", "dynamic", "properties"}
#: Type of a field -> the parameters it may have.
_TYPES = {
    "keyword": {"ignore_above"},
    "text": {"analyzer", "term_vector", "index_options"},
    "date": {"format", "ignore_malformed"},
    "integer": set[str](),
    "object": {"enabled", "properties"},
}
_VECTORS = {"no", "yes", "with_positions", "with_offsets", "with_positions_offsets"}
_DATE = re.compile(r"\d{4}(-\d\d(-\d\d(T\d\d(:\d\d(:\d\d([.,]\d{1,9})?)?)?)?)?)?")
_ZONE = re.compile(r"(Z|[+-]\d\d(:?\d\d)?)$")

MAX_ID_BYTES = 512

# As Lucene has them.
_K1, _B = 1.2, 0.75


class Document:
    """A document as it was written, and its fields as they are searched."""

    def __init__(self, source: dict[str, Any], index: SearchIndex):
        self.source = source
        self.exact: dict[str, list[Any]] = {}
        self.words: dict[str, list[Token]] = {}
        for name, field in index.properties.items():
            value = source.get(name)
            if value is None or field.get("enabled") is False:
                continue
            values = value if isinstance(value, list) else [value]
            if field["type"] == "text":
                self.words[name] = index.tokens(name, " ".join(values))
                self._check_words(name)
            else:
                self.exact[name] = [
                    kept for item in values for kept in _exact(name, field, item)
                ]

    def _check_words(self, name: str) -> None:
        for token in self.words[name]:
            if len(token.word.encode()) > MAX_WORD_BYTES:
                raise _immense(name)


class SearchIndex:
    """Documents by id; searches see them as they were at the last refresh."""

    def __init__(self, name: str, body: dict[str, Any]):
        known = {"settings", "mappings", "aliases"}
        if unknown := body.keys() - known:
            reason = f"unknown key {sorted(unknown)} for create index"
            raise RefusedError("parse_exception", reason)
        self.name = name
        self.body = body
        settings = dict(body.get("settings", {}).get("index", {}))
        analysis = settings.pop("analysis", {})
        if unknown := settings.keys() - _SETTINGS:
            reason = f"unknown setting {sorted(unknown)}"
            raise RefusedError("illegal_argument_exception", reason)
        mappings = body.get("mappings", {})
        if unknown := mappings.keys() - _MAPPING:
            reason = f"Root mapping definition has unsupported parameters: {unknown}"
            raise RefusedError("mapper_parsing_exception", reason)
        self.properties: dict[str, dict[str, Any]] = mappings.get("properties", {})
        names = analysis.get("analyzer", {})
        self._analyzers = {each: Analyzer(each, analysis) for each in names}
        for field, definition in self.properties.items():
            self._check_field(field, definition)
        self.documents: dict[str, Document] = {}
        self.searchable: dict[str, Document] = {}
        self._changed: set[str] = set()
        self._postings: dict[str, dict[str, dict[str, list[int]]]] = defaultdict(
            lambda: defaultdict(dict)
        )
        self._lengths: dict[str, dict[str, int]] = defaultdict(dict)
        self._total: dict[str, int] = defaultdict(int)
        self.created = int(time.time() * 1000)

    def _check_field(self, name: str, definition: dict[str, Any]) -> None:
        kind = definition.get("type", "object")
        if kind not in _TYPES:
            reason = f"No handler for type [{kind}] declared on field [{name}]"
            raise RefusedError("mapper_parsing_exception", reason)
        if unknown := definition.keys() - _TYPES[kind] - {"type"}:
            reason = f"unknown parameter {sorted(unknown)} on mapper [{name}]"
            raise RefusedError("mapper_parsing_exception", reason)
        if definition.get("analyzer", next(iter(self._analyzers), None)) not in (
            *self._analyzers,
            None,
        ):
            reason = f"analyzer [{definition['analyzer']}] has not been configured"
            raise RefusedError("mapper_parsing_exception", reason)
        if definition.get("term_vector", "no") not in _VECTORS:
            reason = f"Unknown value for field [term_vector] of [{name}]"
            raise RefusedError("mapper_parsing_exception", reason)

    def tokens(self, field: str, text: str) -> list[Token]:
        """The words of the text as the field has them."""
        return self._analyzers[self.properties[field]["analyzer"]].tokens(text)

    def write(self, name: str, source: dict[str, Any]) -> str:
        """Put the document; what the server calls what it did."""
        if len(name.encode()) > MAX_ID_BYTES:
            reason = f"id [{name}] is too long, must be no longer than 512 bytes"
            raise RefusedError("illegal_argument_exception", reason)
        document = Document(source, self)
        result = "updated" if name in self.documents else "created"
        self.documents[name] = document
        self._changed.add(name)
        return result

    def delete(self, name: str) -> str:
        """Take the document out; what the server calls what it did."""
        if self.documents.pop(name, None) is None:
            return "not_found"
        self._changed.add(name)
        return "deleted"

    def refresh(self) -> None:
        """Let searches see what has been written."""
        for name in self._changed:
            self._forget(name)
            if document := self.documents.get(name):
                self._learn(name, document)
        self._changed.clear()

    def _forget(self, name: str) -> None:
        document = self.searchable.pop(name, None)
        for field, tokens in document.words.items() if document else ():
            for word in {token.word for token in tokens}:
                del self._postings[field][word][name]
                if not self._postings[field][word]:
                    del self._postings[field][word]
            self._total[field] -= self._lengths[field].pop(name)

    def _learn(self, name: str, document: Document) -> None:
        self.searchable[name] = document
        for field, tokens in document.words.items():
            for position, token in enumerate(tokens):
                positions = self._postings[field][token.word].setdefault(name, [])
                positions.append(position)
            self._lengths[field][name] = len(tokens)
            self._total[field] += len(tokens)

    def postings(self, field: str, word: str) -> dict[str, list[int]]:
        """The documents that have the word in the field, and where."""
        return self._postings[field].get(word, {})

    def words_with(self, field: str, prefix: str) -> list[str]:
        """The words of the field that begin so, in their order."""
        return sorted(word for word in self._postings[field] if word.startswith(prefix))

    def score(self, field: str, name: str, words: list[str], frequency: float) -> float:
        """BM25 of the words, which stand so many times together in the field."""
        count = len(self._lengths[field])
        weight = sum(
            math.log(1 + (count - found + 0.5) / (found + 0.5))
            for found in (len(self.postings(field, word)) for word in words)
        )
        length = self._lengths[field][name] * count / max(self._total[field], 1)
        return weight * frequency / (frequency + _K1 * (1 - _B + _B * length))


def _exact(name: str, field: dict[str, Any], value: Any) -> list[Any]:
    """The value as it is sorted and filtered by; none if it is left out."""
    if isinstance(value, dict | list):
        reason = f"failed to parse field [{name}] of type [{field['type']}]"
        raise RefusedError("document_parsing_exception", reason)
    if field["type"] == "integer":
        return [int(value)]
    text = value if isinstance(value, str) else json.dumps(value)
    if field["type"] == "keyword":
        if len(text) > field.get("ignore_above", math.inf):
            return []
        if len(text.encode()) > MAX_WORD_BYTES:
            raise _immense(name)
        return [text]
    if _is_date(text):
        return [text]
    if field.get("ignore_malformed"):
        return []
    reason = f"failed to parse field [{name}] of type [date]"
    raise RefusedError("document_parsing_exception", reason)


def _is_date(text: str) -> bool:
    """Whether it is of the format ``strict_date_optional_time``."""
    if not _DATE.fullmatch(_ZONE.sub("", text) if "T" in text else text):
        return False
    try:
        datetime(*[int(part) for part in (f"{text[:10]}-01-01")[:10].split("-")])  # type: ignore[arg-type]
    except ValueError:
        return False
    return True


def _immense(name: str) -> RefusedError:
    reason = f'Document contains at least one immense term in field="{name}"'
    return RefusedError("illegal_argument_exception", reason)
