"""Query lines kept on the server."""

from __future__ import annotations

import threading
import time

import pytest

from ui.queries import SOON, QueryStore


def test_a_line_comes_back_under_its_token() -> None:
    store = QueryStore()
    first, second = store.put("effusion"), store.put("effusion")
    assert (store.get(first), store.get(second)) == ("effusion", "effusion")
    assert first != second


def test_a_token_holds_128_random_bits_and_no_text() -> None:
    token = QueryStore().put("effusion")
    assert len(token) == 22
    assert "effusion" not in token


def test_a_step_knows_the_search_before_it_as_long_as_it_is_kept() -> None:
    store = QueryStore(capacity=2)
    first = store.put("effusion")
    step = store.put("effusion fever", before=(first, "patient"))
    assert (store.before(first), store.before(step)) == (None, (first, "patient"))
    store.put("a")
    store.put("b")
    assert store.before(step) is None


def test_an_unknown_token_is_none() -> None:
    assert QueryStore().get("nobody") is None


def test_the_longest_unused_goes_first() -> None:
    store = QueryStore(capacity=2)
    a, b = store.put("a"), store.put("b")
    assert store.get(a) == "a"
    c = store.put("c")
    assert (store.get(a), store.get(b), store.get(c)) == ("a", None, "c")
    assert len(store) == 2


def test_a_browser_pushes_out_its_own_lines_only() -> None:
    store = QueryStore(each=2)
    mine = store.put("mine", "a")
    others = [store.put(str(n), "b") for n in range(50)]
    assert store.get(mine) == "mine"
    assert [store.get(t) for t in others[-3:]] == [None, "48", "49"]
    assert len(store) == 3


def test_together_they_push_out_who_was_longest_away() -> None:
    store = QueryStore(capacity=4, each=2)
    away, here = store.put("away", "a"), store.put("here", "b")
    store.put("c", "c")
    store.get(here)
    store.put("d", "d")
    store.put("e", "e")
    assert (store.get(away), store.get(here)) == (None, "here")
    assert (store.knows("a"), store.knows("b"), store.knows("never")) == (False, True, False)


def test_many_threads_never_exceed_the_capacity() -> None:
    store = QueryStore(capacity=50)

    def fill(name: int) -> None:
        for n in range(300):
            token = store.put(f"{name} {n}")
            store.get(token)

    threads = [threading.Thread(target=fill, args=(n,)) for n in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert len(store) == 50


def test_what_the_trail_was_told_is_taken_once_and_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    store = QueryStore(each=1)
    token = store.put("effusion", "mo")
    store.told(token, frozenset({"n1", "n2"}))
    assert store.take_told(token) == {"n1", "n2"}
    assert store.take_told(token) == frozenset()
    store.told(token, frozenset({"n1"}))
    later = time.monotonic() + SOON
    monkeypatch.setattr(time, "monotonic", lambda: later)
    assert store.take_told(token) == frozenset()
    store.told(token, frozenset({"n1"}))
    store.put("another", "mo")
    assert store.take_told(token) == frozenset()
    store.told("unknown", frozenset({"n1"}))
    assert store.take_told("unknown") == frozenset()
