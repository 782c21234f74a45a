"""Answers by date: all that is counted, over all pages, beside a plain sort."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from search_stack.core.settings import Settings
from search_stack.inference.models import Encoder
from search_stack.retrieval.answer import SCOPES, Group, Order, Scope
from search_stack.retrieval.searcher import Searcher
from tests.trees.collection import collection
from tests.trees.indexed import indexed

pytestmark = pytest.mark.engine
LINES = ("fever", "fever or cough", "cough -fever", "fever cough", "no fever", "words:amber", "type:letter", "-fever")
SIZE = 7


@pytest.fixture(scope="module")
def searcher(stack: Settings, encoder: Encoder) -> Iterator[Searcher]:
    """Over notes of which some have no date."""
    with indexed(collection(random.Random(7), patients=30, notes=90), stack, encoder) as found:
        yield found


def listed(searcher: Searcher, line: str, scope: Scope, order: Order) -> tuple[list[Group], int]:
    query = searcher.understand(line).query
    first = searcher.search(query, scope, 1, SIZE, order=order)
    pages = [first, *(searcher.search(query, scope, n, SIZE, order=order) for n in range(2, first.pages + 1))]
    assert all(len(page.groups) == SIZE for page in pages[:-1])
    assert (first.ranked, first.close, first.folded) == (0, 0, 0)
    return [group for page in pages for group in page.groups], first.counts.of(scope)


def day(group: Group, order: Order) -> tuple[bool, str]:
    """By which it stands: those without one behind the others."""
    days = [hit.date for hit in group.hits if hit.date]
    return not days, (min(days) if order == "oldest" else max(days)) if days else ""


@pytest.mark.parametrize("order", ["newest", "oldest"])
@pytest.mark.parametrize("scope", SCOPES)
@pytest.mark.parametrize("line", LINES)
def test_all_that_is_counted_stands_by_its_day(searcher: Searcher, line: str, scope: Scope, order: Order) -> None:
    every = {group.key: group for group in searcher.everything(searcher.understand(line).query, scope)}
    found, counted = listed(searcher, line, scope, order)
    assert [group.key for group in found if group.key not in every] == []
    assert len({group.key for group in found}) == len(found) == counted == len(every)
    days = [day(every[group.key], order) for group in found]
    undated = [without for without, _ in days]
    assert undated == sorted(undated)
    known = [when for without, when in days if not without]
    assert known == sorted(known, reverse=order == "newest")
    for group in found:  # what is shown of each are its first ones in that order, with how many more there are
        assert len(group.hits) + group.more == len(every[group.key].hits)
        shown = [hit.date for hit in group.hits if hit.date]
        assert shown == sorted(shown, reverse=order == "newest")
        assert day(group, order) == day(every[group.key], order)


def test_some_have_no_day(searcher: Searcher) -> None:
    undated = [day(group, "newest")[0] for group in listed(searcher, "fever or cough", "note", "newest")[0]]
    assert {True, False} == set(undated)
