from __future__ import annotations

from scrapy_mainpage.rendering.browser.contexts import ContextSlot, ContextSlots


def take(contexts: ContextSlots, kind: object, *, alone: bool = False) -> ContextSlot:
    """Take a slot for which no other context has to be closed."""
    name, closed = contexts.acquire(kind, alone=alone)
    assert closed == []
    return name


def test_pages_of_a_kind_share_a_context_until_it_has_served() -> None:
    contexts = ContextSlots(2)
    first, second, third = (take(contexts, "agent") for _ in range(3))
    assert first is second
    assert third is not first
    assert not first.release()
    assert second.release()
    assert not third.release()
    assert take(contexts, "agent") is third
    assert third.release()


def test_a_page_alone_shares_with_nobody() -> None:
    contexts = ContextSlots(5)
    shared, alone = take(contexts, "agent"), take(contexts, "agent", alone=True)
    assert shared != alone
    assert take(contexts, "agent", alone=True) not in (shared, alone)
    assert take(contexts, "agent") == shared
    assert alone.release()


def test_the_kind_that_was_used_least_recently_gives_way() -> None:
    contexts = ContextSlots(50)
    names = [take(contexts, kind) for kind in "abcd"]
    assert take(contexts, "a") == names[0]
    for name in (*names, names[0]):
        assert not name.release()
    assert contexts.acquire("e")[1] == [names[1]]
    assert contexts.acquire("a") == (names[0], [])
    again, closed = contexts.acquire("b")
    assert again not in names
    assert closed == [names[2]]


def test_a_kind_that_gives_way_ends_the_pages_it_has_under_way() -> None:
    contexts = ContextSlots(50)
    first, second = take(contexts, "a"), take(contexts, "a")
    for kind in "bcde":
        take(contexts, kind)
    assert take(contexts, "a") != first
    assert not first.release()
    assert second.release()
