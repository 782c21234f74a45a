"""What a page of results says of its hits."""

from __future__ import annotations

from dataclasses import replace

import pytest
from flask import Flask

from search_stack.cohorts.plan import Plan
from search_stack.core.schema import Finding, Hit, Scores
from search_stack.query.tree import criteria
from search_stack.query.understand import Understanding
from search_stack.retrieval.answer import Answer, Counts, Group, Order
from search_stack.retrieval.evidence import Sought
from ui.criteria import chips
from ui.frame import Frame
from ui.hit_view import said_of
from ui.hues import Lights, places
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
    app: Flask,
    understanding: Understanding,
    line: str,
    collections: tuple[str, ...],
    others: bool,
    sort: Order = "best",
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
        return results_page(Frame(line, "passage", True, others), asked, answer, Place("token", sort=sort))


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


def lights_of(understanding: Understanding, line: str) -> Lights:
    plan = Plan.of(understanding.understand(line).query, understanding.lexicon)
    return Lights(plan.named, Sought.of(plan).criteria)


@pytest.mark.parametrize(
    ("line", "hues"),
    [
        ("cough", {(): 0}),
        ("pneumothorax or pacemaker", {(0,): 0, (1,): 1}),
        ("fever pneumothorax -cough", {(0,): 0, (1,): 1}),
        ("sex:female pneumothorax within 30 days after pacemaker", {(1, 0): 0}),
    ],
)
def test_what_is_left_out_or_only_near_has_no_colour(
    understanding: Understanding, line: str, hues: dict[tuple[int, ...], int]
) -> None:
    query = understanding.understand(line).query
    assert places(query, lights_of(understanding, line).criteria) == hues


def test_a_hit_has_the_colours_of_the_criteria_that_it_shows(understanding: Understanding) -> None:
    text = "No fever. There is a cough. Seen on the ward."
    fever, cough = (understanding.lexicon.find(name) for name in ("fever", "cough"))
    assert fever
    assert cough
    found = replace(
        hit(1, ""),
        text=text,
        end=len(text),
        highlights=((21, 26), (40, 44)),
        findings=(
            Finding(fever.id, "fever", "finding", 3, 8, "absent"),
            Finding(cough.id, "cough", "finding", 21, 26, "present"),
        ),
    )
    # What was asked for and is said otherwise is among the highlights, and shows nothing.
    denied = replace(found, highlights=((3, 8), (40, 44)))
    assert lights_of(understanding, "fever or words:ward").on(denied) == [(40, 44, 1)]
    assert lights_of(understanding, "cough, no fever").on(found) == [(3, 8, 1), (21, 26, 0)]
    assert lights_of(understanding, "cough words:ward").on(found) == [(21, 26, 0), (40, 44, 1)]
    # Of several that are looked for by words the one that has this word; of none, or of two, the mark stays plain.
    assert lights_of(understanding, "words:room words:ward").on(found) == [(40, 44, 1)]
    assert lights_of(understanding, "words:wards words:rooms").on(found) == []
    assert [one.hue for one in said_of(found, lights_of(understanding, "fever or cough"))] == [None, 1]


def test_a_chip_has_its_colour_and_a_group_those_of_its_parts(understanding: Understanding) -> None:
    def of(line: str) -> list[tuple[int | None, list[int | None], tuple[tuple[str, int], ...]]]:
        asked = understanding.understand(line)
        hues = places(asked.query, lights_of(understanding, line).criteria)
        made = chips(asked, [1] * len(criteria(asked.query)), (), understanding.lexicon, hues=hues)
        return [(one.hue, [control.hue for control in one.controls], one.words) for one in made]

    assert of("fever, words:ward, -cough") == [(0, [None], ()), (1, [], ()), (None, [None], ())]
    assert of("fever OR words:ward") == [(None, [0], (("the word ward", 1),))]


def test_an_order_by_date_is_said_and_its_address_holds_no_word(app: Flask, understanding: Understanding) -> None:
    newest, best = (page_of(app, understanding, "cough", ("",), True, sort) for sort in ("newest", "best"))
    assert newest.ranking.startswith("The newest first, by their day;")
    assert best.ranking == ""
    addresses = ["/results/token", "/results/token?sort=newest", "/results/token?sort=oldest"]
    assert [(one.name, one.current) for one in newest.sorts] == [("Best", False), ("Newest", True), ("Oldest", False)]
    assert [one.url for one in newest.sorts] == [one.url for one in best.sorts] == addresses
    assert newest.groups[0].hits[0].url == "/notes/0?passage=0.0&sort=newest&from=token#passage"
    usual, oldest = (page_of(app, understanding, "type:letter", ("",), True, sort) for sort in ("best", "oldest"))
    assert usual.sorts[0].name == "Usual"
    assert [one.counted for one in (usual, oldest)] == [
        "No words to rank by: the newest notes come first.",
        "No words to rank by.",
    ]


def test_an_address_tells_the_order(app: Flask) -> None:
    assert [Place.read("t", {"sort": said}).sort for said in ("newest", "oldest", "best", "x", "")] == [
        "newest",
        "oldest",
        *3 * ["best"],
    ]
    assert Place.read("t", {"order": "first"}).first
    assert not Place.read("t", {"order": "first", "sort": "newest"}).first  # nothing is read closely
    with app.test_request_context():
        assert Place("t", "note", 3, sort="oldest").results() == "/results/t?scope=note&sort=oldest&page=3"
        assert Place("t", "note", 3, sort="oldest").by("best") == "/results/t?scope=note"
