"""What a page of results says of its hits."""

from __future__ import annotations

import pytest
from flask import Flask

from search_stack.core.schema import Finding, Hit, Scores
from search_stack.query.understand import Understanding
from search_stack.retrieval.answer import Answer, Counts, Group
from ui.frame import Frame
from ui.place import Place
from ui.results_page import ResultsPage, results_page

TEXT = "No fever. There is a cough."


def hit(note: int, collection: str) -> Hit:
    return Hit(
        *(
            f"{note}.0",
            f"n{note}",
            note,
            f"p{note}",
            "letter",
            "2020-01-01",
            "",
            collection,
            "",
            "",
            0,
            len(TEXT),
            TEXT,
        ),
        highlights=((21, 26),),
        scores=Scores(),
        matched="every word",
        findings=(
            Finding("c1", "fever", "finding", 3, 8, "absent"),
            Finding("c2", "cough", "finding", 21, 26, "present"),
        ),
    )


def page_of(
    app: Flask, understanding: Understanding, line: str, collections: tuple[str, ...], others: bool
) -> ResultsPage:
    groups = tuple(Group(f"{n}.0", (hit(n, one),), 0) for n, one in enumerate(collections))
    asked = understanding.understand(line)
    number = len(groups)
    answer = Answer(
        "passage",
        groups,
        1,
        1,
        number,
        0,
        0,
        Counts(number, number, number, 0),
        {},
        {},
        0,
        (number,),
        query=asked.query,
    )
    with app.test_request_context():
        return results_page(Frame(line, "passage", True, others), asked, answer, Place("token"))


@pytest.mark.parametrize(
    ("collections", "others", "tagged", "once"),
    [
        (("demo", "demo"), False, [False, False], False),  # the notice on top says it of all notes
        (("demo", "demo"), True, [False, False], True),
        (("demo", "reports"), True, [True, False], False),
        (("reports",), True, [False], False),
    ],
)
def test_what_is_synthetic_is_said_once_where_all_hits_are(
    app: Flask, understanding: Understanding, collections: tuple[str, ...], others: bool, tagged: list[bool], once: bool
) -> None:
    page = page_of(app, understanding, "cough", collections, others)
    assert [group.synthetic for group in page.groups] == tagged
    assert [group.hits[0].synthetic for group in page.groups] == tagged
    assert page.synthetic is once
