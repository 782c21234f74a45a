"""Query lines kept on the server."""

from __future__ import annotations

import threading

from ui.queries import QueryStore


def test_a_line_comes_back_under_its_token() -> None:
    store = QueryStore()
    first, second = store.put("effusion"), store.put("effusion")
    assert (store.get(first), store.get(second)) == ("effusion", "effusion")
    assert first != second


def test_a_token_holds_128_random_bits_and_no_text() -> None:
    token = QueryStore().put("effusion")
    assert len(token) == 22
    assert "effusion" not in token


def test_an_unknown_token_is_none() -> None:
    assert QueryStore().get("nobody") is None


def test_the_longest_unused_goes_first() -> None:
    store = QueryStore(capacity=2)
    a, b = store.put("a"), store.put("b")
    assert store.get(a) == "a"
    c = store.put("c")
    assert (store.get(a), store.get(b), store.get(c)) == ("a", None, "c")
    assert len(store) == 2


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
