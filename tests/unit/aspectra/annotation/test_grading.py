"""Which passages are graded, and in an order that tells nothing."""

from __future__ import annotations

from aspectra.annotation.grading import questions, to_grade
from search_stack.core.schema import Hit, Scores
from search_stack.evaluation.datasets.judgments import Asked

ASKED = Asked("dog bite", "event")


def hit(number: int, text: str, section: str = "Plan") -> Hit:
    own = (f"{number}.0", f"n{number}", number, "p", "", None, "", "", section, "", 0, len(text), text)
    return Hit(*own, (), Scores(), "")


HITS = [hit(n, f"Passage {n}.") for n in range(20)]


def test_equal_texts_under_one_heading_are_graded_together() -> None:
    found = questions(ASKED, [hit(1, "Dog bite."), hit(2, "Dog  bite."), hit(3, "Dog bite.", "History")], 13)
    assert sorted(len(q.hits) for q in found) == [1, 2]
    both = next(q for q in found if len(q.hits) == 2)
    assert {(j.note, j.grade, j.reading, j.kind) for j in both.judgments(2, 1)} == {
        ("n1", 2, 1, "event"),
        ("n2", 2, 1, "event"),
    }


def test_the_order_is_that_of_no_ranking_and_always_the_same() -> None:
    one, other = questions(ASKED, HITS, 13), questions(ASKED, HITS[::-1], 13)
    assert one == other
    assert [q.hits[0] for q in one] not in (HITS, HITS[::-1])
    assert questions(ASKED, HITS, 14) != one


def test_what_is_graded_is_not_asked_again_and_a_second_reader_reads_what_the_first_did() -> None:
    pool = questions(ASKED, HITS, 13)
    first = {place for q in pool[:5] for place in q.places}
    assert to_grade(pool, first, None) == pool[5:]
    assert to_grade(pool, set(), first) == pool[:5]
    assert to_grade(pool, pool[0].places, first) == pool[1:5]
