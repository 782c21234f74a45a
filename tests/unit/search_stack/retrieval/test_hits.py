from __future__ import annotations

from itertools import pairwise
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from search_stack.retrieval.dsl import MARKS, WHOLE
from search_stack.retrieval.hits import merged, read_hit, spans

TEXT = st.text(alphabet=st.one_of(st.characters(exclude_categories=["Cs", "Co"]), st.sampled_from("😀𝔸é\u0301")))
SPANS = st.lists(st.tuples(st.integers(0, 60), st.integers(1, 12)).map(lambda p: (p[0], p[0] + p[1])), max_size=12)


@given(st.lists(st.tuples(TEXT, st.booleans())))
def test_spans_are_recovered_whatever_the_text(parts: list[tuple[str, bool]]) -> None:
    marked = text = ""
    expected = []
    for part, highlighted in parts:
        if highlighted:
            expected.append((len(text), len(text) + len(part)))
        marked += MARKS[0] + part + MARKS[1] if highlighted else part
        text += part
    assert spans(marked, text) == tuple(expected)


def test_a_text_that_holds_a_mark_itself_gets_no_spans() -> None:
    text = f"a{MARKS[0]}b c"
    assert spans(f"a{MARKS[0]}b {MARKS[0]}c{MARKS[1]}", text) == ()


def test_marks_of_another_text_give_no_spans() -> None:
    assert spans(f"{MARKS[0]}effusion{MARKS[1]}", "no effusion") == ()


@given(SPANS, SPANS)
def test_merged_spans_cover_the_same_characters_in_order(a: list[tuple[int, int]], b: list[tuple[int, int]]) -> None:
    out = merged(tuple(a), tuple(b))
    assert {n for s in out for n in range(*s)} == {n for s in a + b for n in range(*s)}
    assert all(first[1] <= second[0] for first, second in pairwise(out))


def test_merging_nothing() -> None:
    assert merged() == ()
    assert merged((), ()) == ()


def raw(**more: Any) -> dict[str, Any]:
    source = {
        "note_id": "n-1",
        "note_key": 7,
        "patient_id": "P-1",
        "note_type": "letter",
        "date": "2020-01-02",
        "title": "",
        "collection": "demo",
        "section": "Plan",
        "aspect": "treatment",
        "begin": 10,
        "end": 29,
        "text": "small chest effusion",
    }
    return {"_id": "7.0", "_source": source, **more}


def test_read_hit_joins_the_marks_of_words_and_phrases() -> None:
    b, e = MARKS
    highlight = {"text": [f"small chest {b}effusion{e}"], "text.exact": [f"small {b}chest{e} {b}effusion{e}"]}
    hit = read_hit(raw(highlight=highlight, matched_queries=[WHOLE]))
    assert [hit.text[slice(*s)] for s in hit.highlights] == ["chest", "effusion"]
    assert (hit.passage_id, hit.note_key, hit.matched) == ("7.0", 7, "every word")


def test_read_hit_without_marks() -> None:
    hit = read_hit(raw())
    assert (hit.highlights, hit.matched) == ((), "")


def test_read_hit_of_a_note_without_a_date() -> None:
    one = raw()
    del one["_source"]["date"]
    assert read_hit(one).date is None
