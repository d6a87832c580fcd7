"""What the engines with SQL share: statements, conditions, and hits of their rows.

Their tables have the same names and columns. An engine says how words match and what a
match scores; values stand in statements as ``:name``.
"""

from __future__ import annotations

import json
from abc import abstractmethod
from dataclasses import replace
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any, ClassVar, Final

from .base import Index
from .documents import HIT_FIELDS, STORED_FIELDS, Hit, Passage, sections_of
from .fields import DATE, MAX_COUNTS, NUMBER, shown
from .ranking import Found
from .tokens import segment
from .word_forms import MAX_WORDS

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping, Sequence, Set

    from .documents import IndexDocument, Section
    from .fields import Condition, Facets, Value
    from .query import Query

Row = tuple[Any, ...]
Values = dict[str, Any]

#: The stored columns of a document; each engine adds those of its words.
COLUMNS: Final = (*STORED_FIELDS, "weight", "sections", "fields")
PASSAGE_COLUMNS: Final = ("id", "position", "heading", "anchor", "path")

#: URLs read at once.
URL_BATCH: Final = 1_000

_HIT: Final = ", ".join(f"d.{name}" for name in (*HIT_FIELDS, *COLUMNS[-3:]))
_FIND: Final = f"""
SELECT m.score, {_HIT}, {{text}} FROM ({{best}}) AS m
JOIN documents AS d ON d.id = m.row ORDER BY m.score DESC, d.url
"""
_FIND_PASSAGES: Final = f"""
SELECT m.score, {_HIT}, p.text, {", ".join(f"p.{x}" for x in PASSAGE_COLUMNS)}
FROM ({{best}}) AS m JOIN passages AS p ON p.row = m.row
JOIN documents AS d ON d.id = p.document ORDER BY m.score DESC, d.url, p.position
"""
_BEST: Final = "SELECT row, score FROM ({}) AS b ORDER BY score DESC LIMIT :limit"
_OF_DOCUMENT: Final = (
    "EXISTS (SELECT 1 FROM documents AS f WHERE f.id = {document} AND {conditions})"
)
_DOCUMENT_OF_PASSAGE: Final = "(SELECT g.document FROM passages AS g WHERE g.row = {})"
_HAS_VALUE: Final = (
    "EXISTS (SELECT 1 FROM fields AS x WHERE x.document = f.id AND x.name = :{name} "
    "AND ({bounds}))"
)
#: Missing values come last, in both directions.
_SORTED: Final = (
    "coalesce((SELECT max({sign} x.number) FROM fields AS x "
    "WHERE x.document = {document} AND x.name = :sort), -1e300)"
)
_COUNT: Final = """
SELECT min(value), number, count(DISTINCT document) FROM fields
WHERE name = :name AND document IN ({documents})
GROUP BY key, number ORDER BY 3 DESC, key, number LIMIT :most
"""
_FILTERS: Final = {
    "site": "(f.site = :site OR "
    "substr(f.site, length(f.site) - length(:site)) = '.' || :site)",
    "page_type": "f.page_type = :page_type",
    "language": "(f.language = :language OR "
    "substr(f.language, 1, length(:language) + 1) = :language || '-')",
}
# Few pages in another language give words of the others wrong forms.
_LANGUAGES: Final = """
SELECT language FROM documents WHERE language IS NOT NULL GROUP BY language
HAVING count(*) >= 0.02 * (SELECT count(*) FROM documents)
ORDER BY count(*) DESC LIMIT 8
"""
_WORDS_FROM: Final = (
    "SELECT term FROM vocabulary WHERE term >= :first AND term < :end "
    "ORDER BY term LIMIT :most"
)
_PUT_MARK: Final = (
    "INSERT INTO marks (name, value) VALUES (:name, :value) "
    "ON CONFLICT (name) DO UPDATE SET value = excluded.value"
)


class SqlIndex(Index):
    """An index in tables; engines say how they run statements and match words."""

    #: The stored text of the document ``d``.
    TEXT: ClassVar[str] = "d.text"
    #: Those of the JSON list ``:words`` that the vocabulary has.
    KNOWN: ClassVar[str]

    _languages: Sequence[str] | None = None

    @abstractmethod
    async def _rows(self, statement: str, values: Mapping[str, Any]) -> list[Row]:
        """Run a statement that changes nothing; return its rows."""

    @abstractmethod
    async def _write(self, statement: str, values: Mapping[str, Any]) -> None:
        """Run a statement that changes one table."""

    @abstractmethod
    async def _matched(self, query: Query, values: Values, condition: str) -> str:
        """Return the SQL of ``row`` and ``score`` of the documents, or passages.

        Its values are added. The *condition* holds for ``{document}``. A query without
        wanted words matches all, with the score 0; one with a ``sort`` needs no score.
        """

    def _unpacked(self, stored: Any) -> str:
        """Return the text of a document or passage of its stored form."""
        return str(stored)

    def _segmented(self, stored: Any) -> str:
        """Return the segmented text of a document of its stored form."""
        return segment(self._unpacked(stored))

    async def _candidates(self, query: Query) -> list[Found]:
        values: Values = {"limit": query.limit}
        best = _BEST.format(await self._filtered(query, values))
        return await self._hits_of(best, query, values)

    async def _hits_of(self, best: str, query: Query, values: Values) -> list[Found]:
        """Return the candidates of the SQL of their ``row`` and ``score``."""
        find = _FIND_PASSAGES if query.passages else _FIND
        rows = await self._rows(find.format(best=best, text=self.TEXT), values)
        return list(map(self._found, rows))

    async def _facets(self, query: Query, names: Sequence[str]) -> Facets:
        values: Values = {"most": MAX_COUNTS}
        plain = replace(query, sort="")
        documents = f"SELECT row FROM ({await self._filtered(plain, values)}) AS m"
        if query.passages:
            documents = f"SELECT document FROM passages WHERE row IN ({documents})"
        counts: Facets = {}
        for name in names:
            statement = _COUNT.format(documents=documents)
            rows = await self._rows(statement, {**values, "name": name})
            counts[name] = {
                shown(number) if text is None else text: count
                for text, number, count in rows
            }
        return counts

    async def _filtered(self, query: Query, values: Values) -> str:
        """Return the SQL of the matches that pass the query's filters."""
        filters = []
        for name, condition in _FILTERS.items():
            if (value := getattr(query, name)) is not None:
                values[name] = value
                filters.append(condition)
        filters += [_condition(each, values) for each in query.conditions]
        document = _DOCUMENT_OF_PASSAGE if query.passages else "{}"
        document = document.format("{row}")
        inside = "TRUE"
        if filters:
            conditions = " AND ".join(filters)
            inside = _OF_DOCUMENT.format(document=document, conditions=conditions)
        if not query.sort:
            return await self._matched(query, values, inside)
        values["sort"] = query.sort.lstrip("-")
        sign = "" if query.sort.startswith("-") else "-"
        score = _SORTED.format(sign=sign, document=document.format(row="s.row"))
        matched = await self._matched(query, values, inside)
        return f"SELECT s.row AS row, {score} AS score FROM ({matched}) AS s"

    def _found(self, row: Row) -> Found:
        score, *rest = row
        weight, sections, fields, text, *passage = rest[len(HIT_FIELDS) :]
        hit = Hit(
            **dict(zip(HIT_FIELDS, rest, strict=False)),
            snippet="",
            score=float(score),
            weight=weight,
            fields=_fields(fields or "{}"),
            sections=_sections(sections or "[]"),
        )
        if passage:
            id_, position, heading, anchor, path = passage
            whole = self._unpacked(text)
            own = tuple(json.loads(path or "[]"))
            found = Passage(id_, position, whole, heading, anchor, own)
            hit = replace(hit, passage=found)
            return Found(hit, partial(segment, whole))
        return Found(hit, partial(self._segmented, text))

    async def field_types(self) -> Mapping[str, str]:
        """Return the names and types of the documents' own fields."""
        return dict(await self._rows("SELECT name, type FROM field_types", {}))

    async def languages(self) -> Sequence[str]:
        """Return the language tags of the documents, as before the last write."""
        if self._languages is None:
            rows = await self._rows(_LANGUAGES, {})
            self._languages = [str(tag) for (tag,) in rows]
        return self._languages

    async def known_words(self, words: Set[str]) -> Set[str]:
        """Return those of the folded words that the index has."""
        if not words:
            return set()
        values = {"words": json.dumps(sorted(words))}
        return {word for (word,) in await self._rows(self.KNOWN, values)}

    async def words_from(self, beginning: str) -> Sequence[str]:
        """Return words of the index that begin so."""
        end = f"{beginning}\U0010ffff"
        values = {"first": beginning, "end": end, "most": MAX_WORDS}
        return [word for (word,) in await self._rows(_WORDS_FROM, values)]

    async def urls(self) -> AsyncIterator[str]:
        """Yield the URLs of all documents, in the order of their ids."""
        where, values = "", {"most": URL_BATCH}
        while True:
            statement = f"SELECT id, url FROM documents {where} ORDER BY id LIMIT :most"
            rows = await self._rows(statement, values)
            for _, url in rows:
                yield url
            if len(rows) < URL_BATCH:
                return
            where, values = "WHERE id > :last", {**values, "last": rows[-1][0]}

    async def mark(self, name: str) -> str | None:
        """Return the mark of that name; ``None`` without one."""
        rows = await self._rows(
            "SELECT value FROM marks WHERE name = :name", {"name": name}
        )
        return rows[0][0] if rows else None

    async def put_mark(self, name: str, value: str) -> bool:
        """Leave a mark in a table of its own."""
        await self._write(_PUT_MARK, {"name": name, "value": value})
        return True


def document_values(document: IndexDocument) -> list[Any]:
    """Return the values of the ``COLUMNS`` of a document."""
    values = [getattr(document, name) for name in COLUMNS[:-2]]
    sections = [part[:4] for part in document.sections]
    own = {x: [shown(v) for v in field.values] for x, field in document.fields.items()}
    return [*values, packed_json(sections), packed_json(own)]


def field_rows(
    document: IndexDocument,
) -> list[tuple[str, str | None, float | None, str | None]]:
    """Return name, key, number and value of each of the document's own fields."""
    rows = []
    for name, field in document.fields.items():
        for key, value in field.rows():
            keys = (key, None) if isinstance(key, str) else (None, key)
            rows.append((name, *keys, value if isinstance(value, str) else None))
    return rows


def packed_json(value: Any) -> str | None:
    """Return a list or mapping as JSON; ``None`` for an empty one."""
    if not value:
        return None
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


@lru_cache(200)  # pages: several searches of a query find the same ones
def _sections(stored: str) -> tuple[Section, ...]:
    return sections_of(json.loads(stored))


def _fields(stored: str) -> dict[str, Any]:
    """The fields of a hit: a value, or a sorted tuple of several."""
    return {
        name: tuple(sorted(values)) if len(values) > 1 else values[0]
        for name, values in json.loads(stored).items()
    }


def _condition(condition: Condition, values: Values) -> str:
    """Return the SQL of a condition on a field; its values are added."""
    column = "number" if condition.type in (NUMBER, DATE) else "key"

    def bound(value: Value) -> str:
        name = f"v{len(values)}"
        values[name] = value
        return name

    def compared(sign: str, value: Value) -> str:
        if sign == "has":
            like = bound(f"%{_escaped(str(value))}%")
            return f"x.key LIKE :{like} ESCAPE '!'"
        return f"x.{column} {sign} :{bound(value)}"

    choices = (
        " AND ".join(compared(sign, value) for sign, value in bounds)
        for bounds in condition.any_of
    )
    found = " OR ".join(choices)
    no = "NOT " if condition.excluded else ""
    return no + _HAS_VALUE.format(name=bound(condition.name), bounds=found)


def _escaped(text: str) -> str:
    """Return a text that means itself in LIKE."""
    return text.replace("!", "!!").replace("%", "!%").replace("_", "!_")
