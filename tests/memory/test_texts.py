"""Texts in the memory: claims, copies, what replaces what; in each of its places."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from scrapy_mainpage.memory import Memory, open_memory, texts
from scrapy_mainpage.memory.copies import Entry
from scrapy_mainpage.memory.fingerprints import Fingerprint
from scrapy_mainpage.memory.texts import TextMemory, TextsFailed
from tests.pipelines.copies import Writer, collection

WRITER = Writer(5)
TEXT = WRITER.prose(100)
COPY = " ".join("kelp" if n % 25 == 3 else w for n, w in enumerate(TEXT.split()))


def entry(text: str, name: str = "a", canonical: str = "") -> Entry:
    made = Fingerprint.of(text)
    assert made is not None
    return Entry.of(made, f"https://example.com/{name}", canonical)


def keep(memory: TextMemory, one: Entry, instead_of: Any = ()) -> None:
    number = memory.claim(one, memory.find(one, 0.8))
    assert number is not None
    memory.settle(number, one, instead_of)


def urls(matches: Any) -> list[str]:
    return [match.entry.url.removeprefix("https://example.com/") for match in matches]


def counts(memory: Memory) -> tuple[int, int]:
    """The number of texts, and of the places by which they are found."""
    names = ("texts", "places")
    found = [memory.read(f"SELECT count(*) FROM {name}")[0][0] for name in names]
    return found[0], found[1]


@pytest.fixture
def memory(memory_url: str) -> Iterator[Memory]:
    memory = open_memory(memory_url)
    yield memory
    memory.close()


@pytest.fixture
def workers(postgresql_url: str) -> Iterator[list[TextMemory]]:
    """The memories of two workers of a shared crawl."""
    memories = [open_memory(postgresql_url) for _ in range(2)]
    scope = memories[0].scope("docs")
    assert all(memory.lock(scope, "crawl") for memory in memories)
    made = [TextMemory(memory, scope, 1) for memory in memories]
    for each in made:
        each.open()
    yield made
    for memory in memories:
        memory.close()


def test_every_place_decides_the_same(memory: Memory) -> None:
    def decide(kept: TextMemory) -> list[list[str]]:
        found = []
        kept.open()
        for number, sample in enumerate(collection(4)):
            one = entry(sample.text, str(number))
            found.append(urls(kept.find(one, 0.82).matches[:1]))
            if not found[-1]:
                keep(kept, one)
        return found

    alone = TextMemory.of_process()
    decided = decide(alone)
    alone.close()
    assert decide(TextMemory(memory, memory.scope("docs"), 1)) == decided
    assert sum(map(bool, decided)) > 100


def test_scopes_are_apart_and_texts_there_the_next_time(memory: Memory) -> None:
    scope = memory.scope("docs")
    first = TextMemory(memory, scope, 1)
    assert first.open() == 0
    keep(first, entry(TEXT))
    assert TextMemory(memory, memory.scope("shop"), 1).open() == 0
    again = TextMemory(memory, scope, 2)
    assert again.open() == 1
    assert urls(again.find(entry(TEXT, "b"), 0.8).matches) == ["a"]
    again.forget_former(entry(TEXT).own)  # its page has come again
    assert not again.find(entry(TEXT, "b"), 0.8).matches
    keep(again, entry(TEXT, "b"))
    again.forget_former(entry(TEXT, "b").own)
    assert again.find(entry(TEXT), 0.8).matches
    assert counts(memory) == (1, 21)


@pytest.mark.parametrize("broken", ["sketch = :odd", "words = 0", "url = NULL"])
def test_a_text_that_cannot_be_read_is_none(memory: Memory, broken: str) -> None:
    kept = TextMemory(memory, memory.scope("docs"), 1)
    keep(kept, entry(TEXT))
    values = {"odd": b"odd"} if ":odd" in broken else {}
    memory.write(f"UPDATE texts SET {broken}", **values)
    assert not kept.find(entry(TEXT, "b"), 0.8).matches
    keep(kept, entry(TEXT, "b"))


def test_a_text_takes_the_place_of_others_whose_documents_go(memory: Memory) -> None:
    kept = TextMemory(memory, memory.scope("docs"), 1)
    kept.open()
    keep(kept, entry(TEXT, "short"))
    (match,) = kept.find(entry(TEXT, "other"), 0.8).matches
    keep(kept, entry(f"{TEXT} more", "longer", "/main"), [match.key])
    assert urls(kept.find(entry(TEXT, "other"), 0.8).matches) == ["longer"]
    half = f"{TEXT[: len(TEXT) * 65 // 100]} {WRITER.prose(35)}"
    assert not kept.find(entry(half, "half"), 0.8).matches
    assert kept.find(entry(half, "half", "/main"), 0.8).matches
    # Also a process that was killed before it deleted the document has it deleted.
    again = TextMemory(memory, memory.scope("docs"), 1)
    assert again.replaced() == ["https://example.com/short"]
    assert again.replaced() == []
    assert counts(memory)[0] == 1


def test_what_was_remembered_is_not_let_go_by_a_claim_of_the_same_page(
    memory: Memory,
) -> None:
    kept = TextMemory(memory, memory.scope("docs"), 1)
    kept.open()
    keep(kept, entry(TEXT))
    number = kept.claim(entry(TEXT), kept.find(entry(TEXT), 0.8))
    assert number is not None
    kept.release(number)
    assert urls(kept.find(entry(TEXT, "b"), 0.8).matches) == ["a"]


def test_the_claim_of_a_killed_process_is_unsettled(memory: Memory) -> None:
    killed = TextMemory(memory, memory.scope("docs"), 1)
    killed.open()
    assert killed.claim(entry(TEXT), killed.find(entry(TEXT), 0.8))
    resumed = TextMemory(memory, memory.scope("docs"), 1)
    resumed.open()
    found = resumed.find(entry(COPY, "b"), 0.8)
    assert urls(found.matches) == ["a"]
    assert found.unsettled == {found.matches[0].key}
    keep(resumed, entry(COPY, "b"), [found.matches[0].key])
    assert resumed.replaced() == ["https://example.com/a"]


def test_a_document_of_a_killed_process_goes_unless_its_page_is_claimed_again(
    memory: Memory,
) -> None:
    killed = TextMemory(memory, memory.scope("docs"), 1)
    killed.open()
    assert killed.claim(entry(TEXT), killed.find(entry(TEXT), 0.8))
    resumed = TextMemory(memory, memory.scope("docs"), 1)
    resumed.open()
    resumed.forget_former(entry(TEXT).own)
    assert counts(memory)[0] == 0
    keep(resumed, entry(TEXT))
    assert resumed.replaced() == []
    again = TextMemory(memory, memory.scope("docs"), 1)
    again.open()
    again.forget_former(entry(TEXT).own)  # settled: it is kept, or judged by the sweep
    assert again.replaced() == []
    assert again.claim(entry(TEXT), again.find(entry(TEXT), 0.8))
    last = TextMemory(memory, memory.scope("docs"), 1)
    last.open()
    last.forget_former(entry(TEXT).own)
    assert last.replaced() == ["https://example.com/a"]


def test_a_claimed_text_is_seen_by_other_workers(workers: list[TextMemory]) -> None:
    one, other = workers
    number = one.claim(entry(TEXT), one.find(entry(TEXT), 0.8))
    assert number is not None
    copy = entry(COPY, "b")
    assert urls(one.find(copy, 0.8).own) == ["a"]
    found = other.find(copy, 0.8)
    assert urls(found.matches) == ["a"]
    assert not found.unsettled
    # A better one takes its place, and deletes what its worker writes meanwhile.
    keep(other, copy, [number])
    one.settle(number, entry(TEXT))
    assert urls(one.find(entry(COPY, "c"), 0.8).matches) == ["b"]
    assert one.replaced() == ["https://example.com/a"]


def test_nobody_may_claim_what_has_a_copy_that_came_since_the_look(
    workers: list[TextMemory],
) -> None:
    one, other = workers
    mine, theirs = entry(TEXT), entry(COPY, "b")
    looks = one.find(mine, 0.8), other.find(theirs, 0.8)
    number = one.claim(mine, looks[0])
    assert number is not None
    assert other.claim(theirs, looks[1]) is None
    assert other.claim(entry(WRITER.prose(100), "c"), looks[1])
    one.release(number)
    assert other.claim(theirs, other.find(theirs, 0.8))


def test_a_worker_that_was_killed_claims_nothing_after_a_while(
    workers: list[TextMemory], monkeypatch: pytest.MonkeyPatch
) -> None:
    killed, other = workers
    monkeypatch.setattr(texts, "CLAIM_SECONDS", -1)
    assert killed.claim(entry(TEXT), killed.find(entry(TEXT), 0.8))
    found = other.find(entry(COPY, "b"), 0.8)
    assert urls(found.matches) == ["a"]
    assert found.unsettled == {found.matches[0].key}


def test_a_document_that_two_workers_wrote_is_deleted_by_both(
    workers: list[TextMemory],
) -> None:
    one, other = workers
    keep(one, entry(TEXT, "a"))
    (match,) = other.find(entry(TEXT, "b"), 0.8).matches
    keep(other, entry(TEXT, "b"), [match.key])
    assert other.replaced() == other.replaced() == ["https://example.com/a"]
    assert one.replaced() == ["https://example.com/a"]
    assert other.replaced() == []
    keep(one, entry(WRITER.prose(90), "b"))  # it is written again: no longer replaced
    assert one.replaced() == []


def test_a_memory_that_fails_says_so_in_one_line() -> None:
    memory = TextMemory.of_process()
    memory.open()
    memory.close()
    with pytest.raises(TextsFailed) as error:
        memory.find(entry(TEXT), 0.8)
    assert "\n" not in str(error.value)
