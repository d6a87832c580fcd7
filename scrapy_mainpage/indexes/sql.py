"""What the engines with SQL share: statements, conditions, and hits of their rows.

Their tables have the same names and columns. An engine says how words match and what a
match scores; values stand in statements as ``:name``.
"""

from __future__ import annotations

import json
import re
from abc import abstractmethod
from collections import Counter
from dataclasses import replace
from functools import lru_cache
from itertools import starmap
from typing import TYPE_CHECKING, Any, ClassVar, Final

from . import ranking
from .base import Hits, Index, IndexFailure
from .candidates import Found, StoredPassage
from .documents import HIT_FIELDS, STORED_FIELDS, Hit, Section
from .fields import DATE, MAX_COUNTS, NUMBER, shown, shown_fields
from .query import Query
from .tokens import segment
from .word_forms import MAX_WORDS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set

    from .documents import IndexDocument, Passage
    from .fields import Condition, Facets, Value
    from .query import Term

Row = tuple[Any, ...]
Values = dict[str, Any]

#: The stored columns of a document; each engine adds those of its words.
COLUMNS: Final = (*STORED_FIELDS, "weight", "sections", "fields")
#: A passage that is a part of the page's text is kept as its place there.
PASSAGE_COLUMNS: Final = StoredPassage._fields

#: Documents that are counted with a word, and ranked: those that were stored first,
#: which are nearest to the start of a crawl.
MAX_COUNTED: Final = 10_000
MAX_RANKED: Final = 1_000

_HIT: Final = ", ".join(f"d.{name}" for name in (*HIT_FIELDS, *COLUMNS[-3:]))
_FIND: Final = f"""
SELECT d.id, m.score, {_HIT}, {{text}} FROM ({{best}}) AS m
JOIN documents AS d ON d.id = m.row ORDER BY m.score DESC, d.url
"""
_PASSAGES: Final = f"""
SELECT p.row, p.document, {", ".join(f"p.{name}" for name in PASSAGE_COLUMNS)}
FROM passages AS p WHERE p.{{where}} ORDER BY p.position
"""
_COUNT_ROWS: Final = "SELECT count(*) FROM (SELECT 1 FROM ({}) AS m LIMIT :most) AS c"
_BEST: Final = "SELECT row, score FROM ({}) AS b ORDER BY score DESC LIMIT :limit"
_OF_DOCUMENT: Final = (
    "EXISTS (SELECT 1 FROM documents AS f WHERE f.id = {document} AND {conditions})"
)
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
    "url_like": "f.url LIKE :url_like",
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


#: Titles of a site that are read, and the share of them that ends like the site.
_TITLES: Final = (
    "SELECT title FROM documents WHERE site = :site AND title IS NOT NULL LIMIT 300"
)
SHARED: Final = 0.8
MIN_TITLES: Final = 5
_TITLE_ENDS: Final = re.compile(r"(?<!\s)\s+(?=[-–—|·:»(]\s?\S)")


class SqlIndex(Index):
    """An index in tables; engines say how they run statements and match words."""

    #: The stored text of the document ``d``.
    TEXT: ClassVar[str] = "d.text"
    #: Those of the JSON list ``:words`` that the vocabulary has.
    KNOWN: ClassVar[str]
    #: The ids of the JSON list ``:ids``.
    IDS: ClassVar[str]

    _languages: Sequence[str] | None = None
    _size: int | None = None
    #: The end of a site's titles, by the site; as that of the languages, until a write.
    _title_ends: dict[str, str]

    @abstractmethod
    def _rows(self, statement: str, values: Mapping[str, Any]) -> list[Row]:
        """Run a statement that changes nothing; return its rows."""

    @abstractmethod
    def _write(self, statement: str, values: Mapping[str, Any]) -> None:
        """Run a statement that changes one table."""

    @abstractmethod
    def _matched(self, query: Query, values: Values, condition: str) -> str:
        """Return the SQL of ``row`` and ``score`` of the documents.

        Its values are added. The *condition* holds for ``{document}``. A query without
        wanted words matches all, with the score 0; one that is strict needs no score.
        """

    def _segmented(self, stored: str) -> str:
        """Return the segmented text of its stored form."""
        return segment(stored)

    def _search(
        self,
        query: Query,
        synonyms: Mapping[str, Sequence[str]] | None,
        mode: str,
        facets: Sequence[str],
    ) -> Hits:
        if mode == "lexical" or query.sort or not query.wanted:
            hits, asked = ranking.search(self, query, synonyms)
        elif self.vectors is None:
            problem = f"mode {mode!r} needs MAINPAGE_EMBEDDER"
            raise IndexFailure("no_embedder", problem)
        else:
            hits, asked = self.vectors.search(query, synonyms, mode)
        return Hits(hits, self._facets(asked, facets) if facets else {})

    def candidates(self, query: Query) -> list[Found]:
        """Return the candidates, the best by the engine's own score first.

        The limit is 1 or more. A search for passages needs the pages' passages.
        """
        values: Values = {"limit": query.limit}
        best = _BEST.format(self._filtered(query, values))
        pages = self._pages(best, values)
        if query.passages:
            for _, document, passage in self._passages("document", list(pages)):
                pages[document].passages.append(passage)
        return list(pages.values())

    def _pages(self, best: str, values: Values) -> dict[Any, Found]:
        """Return the candidates of the SQL of their ``row`` and ``score``, by id."""
        rows = self._rows(_FIND.format(best=best, text=self.TEXT), values)
        return {row[0]: self._found(row[1:]) for row in rows}

    def _passages(
        self, column: str, ids: Sequence[Any]
    ) -> list[tuple[int, Any, StoredPassage]]:
        """Return the row, document and columns of passages, by one of their columns."""
        where = f"{column} IN {self.IDS}"
        values = {"ids": json.dumps(list(map(str, ids)))}
        rows = self._rows(_PASSAGES.format(where=where), values)
        return [(row, document, StoredPassage(*own)) for row, document, *own in rows]

    def _facets(self, query: Query, names: Sequence[str]) -> Facets:
        """Count the values of these fields in the documents that match."""
        values: Values = {"most": MAX_COUNTS}
        every = replace(query, sort="", is_strict=True)
        documents = f"SELECT row FROM ({self._filtered(every, values)}) AS m"
        counts: Facets = {}
        for name in names:
            statement = _COUNT.format(documents=documents)
            rows = self._rows(statement, {**values, "name": name})
            counts[name] = {
                shown(number) if text is None else text: count
                for text, number, count in rows
            }
        return counts

    def _filtered(self, query: Query, values: Values) -> str:
        """Return the SQL of the matches that pass the query's filters."""
        filters = []
        for name, condition in _FILTERS.items():
            if (value := getattr(query, name)) is not None:
                values[name] = value
                filters.append(condition)
        filters += [_condition(each, values) for each in query.conditions]
        inside = "TRUE"
        if filters:
            conditions = " AND ".join(filters)
            inside = _OF_DOCUMENT.format(document="{row}", conditions=conditions)
        matched = self._matched(query, values, inside)
        if not query.sort:
            return matched
        values["sort"] = query.sort.lstrip("-")
        sign = "" if query.sort.startswith("-") else "-"
        score = _SORTED.format(sign=sign, document="s.row")
        return f"SELECT s.row AS row, {score} AS score FROM ({matched}) AS s"

    def _found(self, row: Row) -> Found:
        score, *rest = row
        weight, sections, fields, text = rest[len(HIT_FIELDS) :]
        values = dict(zip(HIT_FIELDS, rest, strict=False))
        values["title"] = self._short(values["title"], values["site"])
        hit = Hit(
            **values,
            snippet="",
            score=float(score),
            weight=weight,
            fields=_fields(fields or "{}"),
            sections=_sections(sections or "[]"),
        )
        return Found(hit, self._segmented, text)

    def _short(self, title: str | None, site: str) -> str | None:
        """Return a title without what nearly all titles of the site end with."""
        if not title or not _TITLE_ENDS.search(title):
            return title
        if site not in self._title_ends:
            rows = self._rows(_TITLES, {"site": site})
            self._title_ends[site] = shared_end([title for (title,) in rows])
        return title.removesuffix(self._title_ends[site]) or title

    def field_types(self) -> Mapping[str, str]:
        """Return the names and types of the documents' own fields."""
        return dict(self._rows("SELECT name, type FROM field_types", {}))

    def size(self) -> int:
        """Return the number of documents, as before the last write."""
        if self._size is None:
            ((self._size,),) = self._rows("SELECT count(*) FROM documents", {})
        return self._size

    def count(self, term: Term) -> int:
        """Return how many documents have a term, as far as they are counted."""
        values: Values = {"most": MAX_COUNTED}
        matched = self._matched(Query((term,), is_strict=True), values, "TRUE")
        ((count,),) = self._rows(_COUNT_ROWS.format(matched), values)
        return int(count)

    def languages(self) -> Sequence[str]:
        """Return the language tags of the documents, as before the last write."""
        if self._languages is None:
            rows = self._rows(_LANGUAGES, {})
            self._languages = [str(tag) for (tag,) in rows]
        return self._languages

    def known_words(self, words: Set[str]) -> Set[str]:
        """Return those of the folded words that the index has."""
        values = {"words": json.dumps(sorted(words))}
        return {word for (word,) in self._rows(self.KNOWN, values)}

    def words_from(self, beginning: str) -> Sequence[str]:
        """Return words of the index that begin so."""
        end = f"{beginning}\U0010ffff"
        values = {"first": beginning, "end": end, "most": MAX_WORDS}
        return [word for (word,) in self._rows(_WORDS_FROM, values)]

    def urls(self) -> Iterator[str]:
        """Yield the URLs of all documents, in the order of their ids."""
        for (url,) in self._rows("SELECT url FROM documents ORDER BY id", {}):
            yield url

    def mark(self, name: str) -> str | None:
        """Return the mark of that name; ``None`` without one."""
        rows = self._rows("SELECT value FROM marks WHERE name = :name", {"name": name})
        return rows[0][0] if rows else None

    def put_mark(self, name: str, value: str) -> bool:
        """Leave a mark in a table of its own."""
        self._write(_PUT_MARK, {"name": name, "value": value})
        return True


def shared_end(titles: Sequence[str]) -> str:
    """Return the longest end, from a sign on, that nearly all titles share.

    >>> shared_end([f"{name} - Glue (v1) | Docs" for name in "ABCDE"])
    ' - Glue (v1) | Docs'
    """
    ends: Iterable[str] = (
        title[match.start() :]
        for title in titles
        for match in _TITLE_ENDS.finditer(title)
    )
    least = max(MIN_TITLES, SHARED * len(titles))
    shared = (end for end, count in Counter(ends).items() if count >= least)
    return max(shared, key=len, default="")


def document_values(document: IndexDocument) -> list[Any]:
    """Return the values of the ``COLUMNS`` of a document."""
    values = [getattr(document, name) for name in COLUMNS[:-2]]
    lines = filter(None, (document.headings or "").split("\n"))
    sections = [
        part[:4] for part in document.sections or (Section(x, 2) for x in lines)
    ]
    own = {x: [shown(v) for v in field.values] for x, field in document.fields.items()}
    return [*values, packed_json(sections), packed_json(own)]


def passage_values(
    passages: Iterable[Passage], text: str, stored: Callable[[str], str] = str
) -> Iterator[list[Any]]:
    """Yield the values of the ``PASSAGE_COLUMNS``, for a document's stored text."""
    place = 0
    for id_, position, written, heading, anchor, path in passages:
        own = stored(written)
        start = text.find(own, place)
        place = max(place, start)
        values = [id_, position, heading, anchor, packed_json(path)]
        yield [*values, start, len(own), own if start < 0 else None]


def rarest(terms: Iterable[Term]) -> list[Term]:
    """Return the rarest terms, as long as not too many documents have one."""
    rare: list[Term] = []
    count = 0
    for term in sorted(terms, key=lambda each: each.count):
        count += term.count
        if rare and count > MAX_RANKED:
            break
        rare.append(term)
    return rare


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
    return tuple(starmap(Section, json.loads(stored)))


def _fields(stored: str) -> dict[str, Any]:
    return shown_fields((x, v) for x, own in json.loads(stored).items() for v in own)


def _condition(condition: Condition, values: Values) -> str:
    """Return the SQL of a condition on a field; its values are added."""
    column = "number" if condition.type in (NUMBER, DATE) else "key"

    def bound(value: Value) -> str:
        name = f"v{len(values)}"
        values[name] = value
        return name

    def compared(sign: str, value: Value) -> str:
        if sign == "has":
            # In LIKE these signs mean themselves only behind another.
            text = re.sub("[!%_]", r"!\g<0>", str(value))
            like = bound(f"%{text}%")
            return f"x.key LIKE :{like} ESCAPE '!'"
        return f"x.{column} {sign} :{bound(value)}"

    choices = (
        " AND ".join(compared(sign, value) for sign, value in bounds)
        for bounds in condition.any_of
    )
    found = " OR ".join(choices)
    no = "NOT " if condition.excluded else ""
    return no + _HAS_VALUE.format(name=bound(condition.name), bounds=found)
