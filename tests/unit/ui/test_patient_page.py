"""A patient's page: what lies where on the axis, and what is lit in which colour."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

import pytest
from flask import Flask
from flask.testing import FlaskClient
from markupsafe import Markup

from ingest.ledger import Ledger
from ingest.ledger.listing import ListedFact, ListedNote, ListedPatient
from search_stack.cohorts.clauses import EVERYTHING
from search_stack.cohorts.named import Counted
from search_stack.cohorts.plan import Plan
from search_stack.core.schema import Finding, Hit, Note, Scores
from search_stack.core.settings import Settings
from search_stack.index.passage import UNDATED, day_number
from search_stack.query.nodes import Finding as Asked
from search_stack.query.nodes import Words
from search_stack.retrieval.evidence import Criterion, Shown, Sought, Spot
from search_stack.retrieval.nearness import PassageNear
from search_stack.retrieval.record import Said, courses
from ui.app import create_app
from ui.frame import Frame
from ui.heat import COLD
from ui.hues import lit
from ui.near_copies import Like
from ui.note_row import SNIPPETS, Entry, Matches, NoteRow, Snippet, entries, note_rows
from ui.patient_page import LAST_STRETCHES, LISTED, PatientPage, asked_by, course_row, parts
from ui.patient_page import Asked as Colour
from ui.place import Place
from ui.time_axis import BARS, DOTS, axis

FIRST = date(2019, 1, 1)


def rows(*days: int) -> list[NoteRow]:
    return [NoteRow(n, (FIRST + timedelta(days=day)).isoformat(), f"note {n}", "/", "") for n, day in enumerate(days)]


def test_notes_stand_by_their_days_and_above_each_other_where_they_are_close() -> None:
    found = axis(rows(0, 1, 500, 1000), [])
    assert found is not None
    assert [(dot.x, dot.row) for dot in found.dots] == [(3.0, 0), (3.09, 1), (50.0, 0), (97.0, 0)]
    assert [label for _, label in found.ticks] == ["2019-01-01", "2020", "2021", "2021-09-27"]
    assert found.rows == 2


def test_a_year_beside_the_first_or_last_day_is_told() -> None:
    found = axis(rows(0, 1500), [])
    assert found is not None
    assert [(tick.label, tick.is_beside_end) for tick in found.ticks] == [
        ("2019-01-01", False),
        ("2020", True),
        ("2021", False),
        ("2022", True),
        ("2023-02-09", False),
    ]


def test_many_notes_are_counted_in_bars() -> None:
    found = axis(rows(*range(DOTS + 50)), [])
    assert found is not None
    assert found.dots == ()
    assert len(found.bars) <= BARS
    assert sum(int(bar.title.split()[0]) for bar in found.bars) == DOTS + 50
    assert max(bar.height for bar in found.bars) == 100
    assert found.rows == 0
    many = rows(*range(DOTS + 50))
    many[7] = replace(many[7], hues=((0, "fever"),))
    found = axis(many, [])
    assert found is not None
    assert [dot.title for dot in found.dots] == ["2019-01-08 note 7"]


def test_of_many_notes_those_that_are_asked_for_come_first_and_the_others_by_year() -> None:
    few, many = rows(*range(LISTED)), [*rows(*range(0, 740, 10)), NoteRow(99, "", "undated", "/", "")]
    assert (page(few).first, page(few).by_year) == (tuple(Entry((row,)) for row in few), ())
    many[3] = replace(many[3], hues=((0, "fever"),))
    assert page(many).first == (Entry((many[3],)),)
    assert [(year, len(own)) for year, own in page(many).by_year] == [("2019", 36), ("2020", 37), ("", 1)]


def page(shown: list[NoteRow]) -> PatientPage:
    patient = ListedPatient(1, "P-1", "", None, None, len(shown))
    return PatientPage(Frame("", "passage", False, True), patient, "", "", (), None, tuple(shown), (), 0, ())


def test_without_a_day_there_is_no_axis_and_facts_make_one() -> None:
    undated = [NoteRow(1, "", "note", "/", "")]
    assert axis(undated, []) is None
    found = axis(undated, [ListedFact(FIRST, "icd10", "I48", "", None, "")])
    assert found is not None
    assert (found.dots, found.facts) == ((), ((3.0, "2019-01-01 I48"),))
    one = axis(rows(0), [])
    assert one is not None
    assert [label for _, label in one.ticks] == ["2019-01-01"]


def shown(text: str, held: tuple[int, ...], words: tuple[tuple[int, int], ...] = ()) -> Shown:
    at = text.index("effusion")
    findings = (Finding("c1", "effusion", "finding", 100 + at, 100 + at + 8, "absent"),)
    hit = Hit("1.0", "n1", 1, "p", "", None, "", "", "", "", 100, 100 + len(text), text, (), Scores(), "", findings)
    return Shown(hit, 1, held, words)


CRITERIA = (
    Criterion(Asked("effusion", "absent"), "no effusion", EVERYTHING, Counted(frozenset({"c1"}))),
    Criterion(Words("small"), "small", EVERYTHING),
)


def test_each_criterion_is_lit_in_its_colour_and_text_stays_text() -> None:
    found = lit(shown("No <b> effusion, small.", (0, 1), ((17, 22),)), CRITERIA)
    assert found == ('No &lt;b&gt; <mark class="hue-0">effusion</mark>, <mark class="hue-1">small</mark>.')
    assert lit(shown("No effusion.", (1,), ((3, 11),)), CRITERIA).count('class="hue-1"') == 1
    overlapping = lit(shown("No effusion.", (0, 1), ((0, 11),)), CRITERIA)
    assert overlapping == '<mark class="hue-1">No effusion</mark>.'


def listed(key: int) -> ListedNote:
    return ListedNote(key, f"n{key}", 1, "p", "", "Letter", FIRST, "", "", None, 1, "indexed")


def held(note: int, ordinal: int, *criteria: int) -> Spot:
    return Spot(note, f"{note}.{ordinal}", criteria)


def test_passages_are_numbered_through_and_of_those_not_read_yet_it_is_told_where_they_are(app: Flask) -> None:
    notes = [listed(key) for key in (7, 8, 9)]
    spots = [held(7, 0, 1), held(7, 3, 0, 1), held(9, 2, 0)]
    matches = Matches.of(Sought(Plan.of(Words("small"), None), CRITERIA, ()), spots)
    assert parts(notes, matches) == [[7, 9]]
    read = shown("No effusion.", (0, 1))
    matches.read([replace(read, hit=replace(read.hit, note_key=9, passage_id="9.2"))])
    with app.test_request_context():
        first, none, last = note_rows(notes, matches, Place("token"), {7: "/more", 8: "/none", 9: "/read"})
    assert (first.passages, first.snippets, first.part) == (2, (), "/more")
    assert first.hues == ((0, "no effusion"), (1, "small"))
    assert first.url == "/notes/7?passage=7.0&from=token#passage"
    assert (none.passages, none.url, none.hues) == (0, "/notes/8?from=token", ())
    assert ([one.number for one in last.snippets], last.part) == ([3], "")
    assert asked_by(matches) == (Colour("no effusion", 0, 2), Colour("small", 1, 1))


def test_a_row_tells_how_near_the_passages_of_its_note_are(app: Flask) -> None:
    near = [PassageNear(f"8.{n}", 8, 1, n, n + 1, "Plan", cosine) for n, cosine in enumerate((0.2, 0.6))]
    matches = Matches.of(Sought(Plan.of(Words("small"), None), CRITERIA, ()), [held(8, 1, 1)])
    with app.test_request_context():
        cold, warm = note_rows([listed(7), listed(8)], matches, Place("token"), near=near)
    assert cold.heat == COLD
    assert warm.heat.nearest == 1
    assert warm.heat.cells[1].url == "/notes/8?passage=8.1&from=token#passage"
    assert [one.hue for one in warm.heat.cells] == [None, 1]


def test_so_many_notes_are_read_at_a_time() -> None:
    notes = [listed(key) for key in range(1, LISTED + 3)]
    matches = Matches.of(Sought(Plan.of(Words("x"), None), (), ()), [held(note.key, 0, 0) for note in notes])
    assert parts(notes, matches) == [list(range(1, LISTED + 1)), [LISTED + 1, LISTED + 2]]
    assert parts(notes, Matches()) == []


def test_more_passages_than_a_few_are_folded_in_their_note() -> None:
    snippets = tuple(Snippet(f"1.{n}", n, Markup(), "", "", "") for n in range(1, SNIPPETS + 3))
    row = NoteRow(1, "", "note", "/", "", snippets=snippets)
    assert ([one.number for one in row.open], [one.number for one in row.folded]) == ([1, 2, 3], [4, 5])


def test_words_that_a_near_copy_has_besides_are_marked_around_what_is_lit() -> None:
    found = lit(shown("A <b> small effusion.", (0,)), CRITERIA, ((2, 18),))
    assert found == 'A <ins>&lt;b&gt; small </ins><mark class="hue-0">effusion</mark>.'
    assert lit(shown("A small effusion here.", (0,)), CRITERIA, ((0, 1), (17, 21))) == (
        '<ins>A</ins> small <mark class="hue-0">effusion</mark> <ins>here</ins>.'
    )


LIKE = Like("#note-1", "2019-01-01", (), numbers=False)


def of_passages(key: int, *likes: Like | None) -> NoteRow:
    snippets = tuple(Snippet(f"{key}.{n}", n, Markup(), "", "", "", like) for n, like in enumerate(likes))
    return NoteRow(key, "", "note", "/", "", snippets=snippets)


def test_notes_in_a_row_that_only_repeat_are_folded_together() -> None:
    rows = [of_passages(1, None), of_passages(2, LIKE), of_passages(3, LIKE, LIKE), of_passages(4, None, LIKE)]
    rows += [of_passages(5), of_passages(6, LIKE)]
    found = list(entries(rows))
    assert [([row.key for row in one.rows], one.repeats) for one in found] == [
        ([1], False),
        ([2, 3], True),
        ([4], False),
        ([5], False),
        ([6], True),
    ]
    assert found[1].said == "3 near-copies, word for word"
    assert ([one.id for one in rows[3].open], [one.id for one in rows[3].copied]) == (["4.0"], ["4.1"])


def test_passages_of_a_record_repeat_those_above_them_and_are_counted_behind_the_others(app: Flask) -> None:
    long = "The effusion was drained at the bedside and the patient felt better in the evening of that day."
    other = "The effusion is smaller on the film that was taken after the drain had come out this morning."
    made = {(7, 0): long, (8, 0): long, (8, 1): other}
    read = []
    for (note, ordinal), text in made.items():
        one = shown(text, (0,))
        read.append(
            replace(one, hit=replace(one.hit, note_key=note, passage_id=f"{note}.{ordinal}", date="2019-01-01"))
        )
    matches = Matches.all_of(Sought(Plan.of(Words("x"), None), CRITERIA, ()), read)
    with app.test_request_context():
        first, second = note_rows([listed(7), listed(8)], matches, Place(""))
        (alone,) = note_rows([listed(7), listed(8)], matches, Place(""), wanted={8})
    assert [one.like for one in first.snippets] == [None]
    assert [(one.id, one.number, one.like) for one in second.snippets] == [
        ("8.1", 2, None),
        ("8.0", 3, Like("#note-7", "2019-01-01", (), numbers=False)),
    ]
    assert alone == second


def test_a_course_changes_where_what_is_said_does() -> None:
    def said(assertion: str, day: int, note: int, concept: str = "c") -> Said:
        return Said(concept, assertion, day, note)

    day = day_number(FIRST)
    found = courses(
        [
            said("absent", day, 1),
            said("absent", day + 5, 2),
            said("absent", day + 9, 3),
            said("present", day + 9, 4),  # of the same day: who has it in one note, has it
            said("family", UNDATED, 5),
            said("present", UNDATED, 6, "undated"),
        ]
    )
    assert [course.concept for course in found] == ["c", "undated"]
    first, undated = (course_row(course, None, frozenset({"undated"})) for course in found)
    assert first.stretches == (("absent", "no", "2019-01-01 – 2019-01-06", 2), ("present", "", "2019-01-10", 1))
    assert (first.notes, first.undated, first.asked) == (5, 1, False)
    assert (undated.notes, undated.undated, undated.stretches, undated.asked) == (1, 1, (), True)


def test_a_course_that_changes_often_is_cut_but_for_where_all_is_asked_for() -> None:
    day = day_number(FIRST)
    (course,) = courses([Said("c", ("absent", "present")[n % 2], day + n, n) for n in range(20)])
    cut, whole = (course_row(course, None, frozenset(), every) for every in (False, True))
    assert (len(whole.stretches), whole.left_out) == (20, 0)
    assert cut.stretches == (whole.stretches[0], *whole.stretches[-LAST_STRETCHES:])
    assert cut.left_out == 20 - 1 - LAST_STRETCHES
    (short,) = courses([Said("c", ("absent", "present")[n % 2], day + n, n) for n in range(LAST_STRETCHES + 2)])
    assert course_row(short, None, frozenset(), False).left_out == 0  # the words that say so would take as much room


@pytest.fixture(scope="module")
def app(settings: Settings, ledger: Ledger) -> Flask:
    notes = [Note(f"n{n}", "Text.", "p<1>", date=date(2020, 1, n) if n > 1 else None) for n in range(1, 4)]
    ledger.put(notes, ledger.start_run("x", "csv"))
    return create_app(settings, ledger=ledger)


def test_the_notes_are_listed_even_while_the_engine_is_away(client: FlaskClient) -> None:
    page = client.get("/patients/1")
    assert page.status_code == 200
    assert "p&lt;1&gt;" in page.text
    assert [page.text.index(f'id="note-{key}"') for key in (2, 3, 1)] == sorted(
        page.text.index(f'id="note-{key}"') for key in (1, 2, 3)
    )
    assert "cannot be told now" in page.text
    assert page.text.count("pending") == 3
    for number in (2, 2**31, 2**70):
        assert client.get(f"/patients/{number}").status_code == 404
        assert client.get(f"/patients/{number}/passages/1").status_code == 404
    assert client.get("/patients/1/passages/1").status_code == 404  # nothing is asked
