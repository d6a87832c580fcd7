from __future__ import annotations

from scrapy_mainpage.rendering.contexts import Contexts


def test_pages_of_a_kind_share_a_context_until_it_has_served() -> None:
    contexts = Contexts(3)
    names = [contexts.take("agent") for _ in range(7)]
    assert names[0] == names[1] == names[2]
    assert names[3] == names[4] == names[5]
    assert len(set(names)) == 3


def test_a_context_is_closed_with_its_last_page_and_not_before() -> None:
    contexts = Contexts(2)
    first, second = contexts.take("agent"), contexts.take("agent")
    assert first == second
    assert not contexts.give_back(first)
    assert contexts.give_back(second)


def test_a_context_that_is_idle_stays_open_for_its_next_page() -> None:
    contexts = Contexts(2)
    name = contexts.take("agent")
    assert not contexts.give_back(name)
    assert contexts.take("agent") == name
    assert contexts.give_back(name)


def test_kinds_do_not_mix() -> None:
    contexts = Contexts(5)
    assert contexts.take("one") != contexts.take("two")
    assert contexts.take("one") != contexts.take(None)


def test_a_page_alone_shares_with_nobody() -> None:
    contexts = Contexts(5)
    shared, alone = contexts.take("agent"), contexts.take("agent", alone=True)
    assert shared != alone
    assert contexts.take("agent", alone=True) not in (shared, alone)
    assert contexts.take("agent") == shared
    assert contexts.give_back(alone)


def test_one_page_for_each_context_if_the_project_wants_it() -> None:
    contexts = Contexts(1)
    names = [contexts.take("agent") for _ in range(3)]
    assert len(set(names)) == 3
    assert all(contexts.give_back(name) for name in names)


def test_a_spoiled_context_gets_no_more_pages_and_closes_with_the_last_it_has() -> None:
    contexts = Contexts(50)
    first, second = contexts.take("agent"), contexts.take("agent")
    contexts.spoil(first)
    assert contexts.take("agent") != first
    assert not contexts.give_back(first)
    assert contexts.give_back(second)


def test_spoiling_an_old_context_leaves_its_successor_open() -> None:
    contexts = Contexts(1)
    old = contexts.take("agent")
    contexts.pages = 50
    new = contexts.take("agent")
    contexts.spoil(old)
    assert contexts.take("agent") == new
