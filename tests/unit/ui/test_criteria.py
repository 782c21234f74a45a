"""What was understood, criterion by criterion: each chip and each choice carries the whole line that it leads to."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from search_stack.query.nodes import ANY, FieldIs, Finding, Node, Not, Words
from search_stack.query.tree import all_of, any_of, criteria
from search_stack.query.understand import Understanding
from search_stack.retrieval.answer import FacetValue
from ui.criteria import Chip, Control, chips, filters_early

FEVER, COUGH = Finding("fever"), Finding("cough")


def _chips(understanding: Understanding, line: str, assertions: Sequence[FacetValue] = ()) -> tuple[Chip, ...]:
    """Those of ``line``, the counts 10, 11 and so on."""
    asked = understanding.understand(line)
    counted = range(10, 10 + len(criteria(asked.query)))
    return chips(asked, counted, assertions, understanding.lexicon)


def _active(control: Control) -> list[str]:
    return [c.name for c in control.choices if c.active]


def _leads_to(understanding: Understanding, control: Control) -> dict[str, Node]:
    """By the names of the choices, what their lines mean."""
    return {c.name: understanding.understand(c.line).query for c in control.choices}


def test_each_criterion_is_a_chip_that_takes_only_itself_off(understanding: Understanding) -> None:
    line = '"chest pain" fever -cough section:impression after:2019'
    found = _chips(understanding, line)
    query = understanding.understand(line).query
    assert [(c.kind, c.text, c.count) for c in found] == [
        ("words", '"chest pain"', 10),
        ("finding", "fever", 11),
        ("without", "cough", 12),
        ("filter", "in the section impression", 13),
        ("filter", "since 2019-01-01", 14),
    ]
    for chip, own in zip(found, criteria(query), strict=True):
        rest = all_of(c for c in criteria(query) if c != own)
        assert understanding.understand(chip.line).query == rest


SEX, TYPE, YEAR = FieldIs("sex", "female"), FieldIs("type", "letter"), FieldIs("after", "2019-01-01")
FLU = Finding("influenza")


@pytest.mark.parametrize(
    ("asked_for", "order", "places"),
    [
        ([FEVER, COUGH, FLU], [FEVER, COUGH, FLU], [0, 1, 2]),
        ([FEVER, COUGH, SEX, TYPE, FLU], [FEVER, SEX, TYPE, COUGH, FLU], [2, 3, 3, 3, 4]),
        ([SEX, TYPE, FEVER, YEAR, COUGH], [SEX, TYPE, FEVER, YEAR, COUGH], [0, 1, 3, 3, 4]),
        ([SEX, TYPE, YEAR], [SEX, TYPE, YEAR], [0, 1, 2]),
    ],
)
def test_what_a_criterion_leaves_lies_within_all_filters_as_what_it_has(
    asked_for: list[Node], order: list[Node], places: list[int]
) -> None:
    assert filters_early(asked_for) == (order, places)


@pytest.mark.parametrize(
    "line", ["fever", "no fever", "-fever", "section:impression", "fever OR cough", '"chest pain"']
)
def test_the_last_criterion_leaves_an_empty_line(understanding: Understanding, line: str) -> None:
    assert [c.line for c in _chips(understanding, line)] == [""]


def test_a_filter_taken_off_leaves_the_rest_as_it_was_typed(understanding: Understanding) -> None:
    assert _chips(understanding, "Effusions, no cough section:impression")[-1].line == "Effusions, no cough"


@pytest.mark.parametrize(
    ("line", "kind", "text"),
    [
        ("treatment of asthma", "about", "treatment of asthma"),
        ("entity:asthma", "about", "about asthma"),
        ("gossamer", "words", "the word gossamer"),
        ("fever or cough", "group", "fever or cough"),
        ("fever in 2020", "filter", "since 2020-01-01 before 2021-01-01"),
        ("fever (section:findings OR type:letter)", "filter", "in the section findings or in notes of the type letter"),
        ("fever -section:impression", "filter", "not in the section impression"),
        ('fever -"chest pain"', "without", '"chest pain"'),
        ("fever -(cough OR chills)", "without", "cough or chills"),
        ("never mentioning fever", "without", "fever"),
        ("-finding:fever absent", "without", "fever ruled out"),
    ],
)
def test_a_criterion_is_called_by_what_it_is(understanding: Understanding, line: str, kind: str, text: str) -> None:
    last = _chips(understanding, line)[-1]
    assert (last.kind, last.text) == (kind, text)


@pytest.mark.parametrize(
    ("line", "typed"),
    [
        ("tuburculosis", "tuburculosis"),
        ("DVT", "DVT"),
        ("dvt or fever", "dvt"),
        ("fever", ""),
        ("finding:fever absent", ""),
        ("entity:asthma", ""),
        ("section:impression", ""),
        ("after:2019", ""),
        ('words:"left side"', ""),
        ("fever in the findings or impression", "in the findings or impression"),
        ("fever in 2020", "in 2020"),
    ],
)
def test_how_it_was_typed_is_said_where_it_is_called_otherwise(
    understanding: Understanding, line: str, typed: str
) -> None:
    assert _chips(understanding, line)[-1].typed == typed


def test_each_way_to_ask_for_a_finding_is_a_line_that_asks_so(understanding: Understanding) -> None:
    finding, _ = _chips(understanding, "fever gossamer")
    (control,) = finding.controls
    assert (control.name, _active(control)) == ("fever", ["present"])
    left = Words("gossamer")
    assert _leads_to(understanding, control) == {
        "present": all_of([FEVER, left]),
        "ruled out": all_of([Finding("fever", "absent"), left]),
        "possible": all_of([Finding("fever", "possible"), left]),
        "historical": all_of([Finding("fever", "historical"), left]),
        "hypothetical": all_of([Finding("fever", "hypothetical"), left]),
        "family": all_of([Finding("fever", "family"), left]),
        "not in the family": all_of([Finding("fever", "unaffected"), left]),
        "any mention": all_of([Finding("fever", "any"), left]),
        "not present": all_of([Not(FEVER), left]),
        "never mentioned": all_of([Not(Finding("fever", "any")), left]),
    }
    assert all(c.meaning for c in control.choices)


@pytest.mark.parametrize(
    ("line", "active"),
    [
        ("fever", "present"),
        ("no fever", "ruled out"),
        ("finding:fever any", "any mention"),
        ("fever in the family", "family"),
        ("-fever", "not present"),
        ("never mentioning fever", "never mentioned"),
        ("-finding:fever absent", "not ruled out"),
        ("-finding:fever possible", "not possible"),
    ],
)
def test_the_way_that_was_asked_is_the_one_that_is_pressed(
    understanding: Understanding, line: str, active: str
) -> None:
    ((control,),) = [c.controls for c in _chips(understanding, line)]
    assert _active(control) == [active]
    (pressed,) = [c for c in control.choices if c.active]
    assert understanding.understand(pressed.line).query == understanding.understand(line).query


def test_findings_inside_brackets_have_controls_that_leave_the_others(understanding: Understanding) -> None:
    line = "(fever OR -cough) section:impression"
    group, _ = _chips(understanding, line)
    assert [(c.name, _active(c)) for c in group.controls] == [("fever", ["present"]), ("cough", ["not present"])]
    section = FieldIs("section", "impression")
    fever, cough = (_leads_to(understanding, c) for c in group.controls)
    assert fever["ruled out"] == all_of([any_of([Finding("fever", "absent"), Not(COUGH)]), section])
    assert cough["present"] == all_of([any_of([FEVER, COUGH]), section])


def test_findings_of_an_excluded_bracket_stay_excluded(understanding: Understanding) -> None:
    (_, without) = _chips(understanding, "chills -(fever OR cough)")
    fever, _ = without.controls
    assert (fever.name, _active(fever)) == ("fever", ["present"])
    absent = _leads_to(understanding, fever)["ruled out"]
    assert absent == all_of([Finding("chills"), Not(any_of([Finding("fever", "absent"), COUGH]))])


def test_numbers_are_those_of_the_one_finding_that_is_asked_for(understanding: Understanding) -> None:
    counted = [FacetValue("present", 12), FacetValue("absent", 30), FacetValue("any", 41)]
    asked, excluded = _chips(understanding, "fever -cough", counted)
    counts = {c.name: c.count for c in asked.controls[0].choices}
    assert (counts["present"], counts["ruled out"], counts["any mention"], counts["family"]) == (12, 30, 41, 0)
    assert (counts["not present"], counts["never mentioned"]) == (None, None)
    assert {c.count for c in excluded.controls[0].choices} == {None}


def test_what_was_not_counted_says_so(understanding: Understanding) -> None:
    found = _chips(understanding, "fever cough")
    assert {c.count for chip in found for control in chip.controls for c in control.choices} == {None}


def test_names_and_narrower_concepts_that_count_with_it_are_told(understanding: Understanding) -> None:
    (control,) = _chips(understanding, "pneumothorax")[0].controls
    below = {n.name for n in control.children}
    assert {"hydropneumothorax", "tension pneumothorax"} <= below
    assert "pneumothorax" not in below
    concept = understanding.lexicon.find("pneumothorax")
    assert concept
    assert [one.name for one in control.also] == [*concept.synonyms, *concept.abbreviations]
    asked = understanding.understand("pneumothorax")
    (bare,) = chips(asked, [1], (), None)
    assert (bare.controls[0].also, bare.controls[0].children) == ((), ())


def test_a_narrower_concept_is_switched_off_and_on_again(understanding: Understanding) -> None:
    for line, assertion in (("fever, pleural effusion", "present"), ("fever -finding:effusion any", ANY)):
        chip = _chips(understanding, line)[1]
        off = next(n for n in chip.controls[0].children if n.name == "hemothorax")
        without = criteria(understanding.understand(off.line).query)[1]
        finding = without.child if isinstance(without, Not) else without
        assert finding == Finding("pleural effusion", assertion, ("hemothorax",))
        chip = _chips(understanding, off.line)[1]
        assert "(except hemothorax)" in chip.text
        first, *rest = chip.controls[0].children
        assert (first.name, first.counts) == ("hemothorax", False)
        assert all(n.counts for n in rest)
        assert understanding.understand(first.line).query == understanding.understand(line).query


def test_another_name_is_switched_off_and_on_again(understanding: Understanding) -> None:
    chip = _chips(understanding, "fever, pleural effusion")[1]
    off = chip.controls[0].also[1]
    assert (off.name, off.counts) == ("pleural fluid", True)
    assert criteria(understanding.understand(off.line).query)[1] == Finding(
        "pleural effusion", "present", ("pleural fluid",)
    )
    chip = _chips(understanding, off.line)[1]
    assert "(except pleural fluid)" in chip.text
    first, *rest = chip.controls[0].also
    assert (first.name, first.counts) == ("pleural fluid", False)
    assert all(n.counts for n in (*rest, *chip.controls[0].children))
    assert understanding.understand(first.line).query == understanding.understand("fever, pleural effusion").query


def test_what_has_no_assertion_has_no_control(understanding: Understanding) -> None:
    found = _chips(understanding, 'entity:asthma gossamer "chest pain" section:impression')
    assert [c.controls for c in found] == [(), (), (), ()]


def test_a_finding_by_its_number_switches_what_is_said_and_no_names(understanding: Understanding) -> None:
    chip = _chips(understanding, "creatinine over 3")[0]
    (control,) = chip.controls
    assert chip.text == "creatinine measurement > 3"
    assert not control.also
    assert not control.children
    meant = _leads_to(understanding, control)
    assert all(isinstance(leaf := getattr(node, "child", node), Finding) and leaf.amount for node in meant.values())
    assert "never mentioned" not in meant


def test_a_sign_does_not_say_a_choice_again(understanding: Understanding) -> None:
    (control,) = _chips(understanding, "normal CT head")[0].controls
    assert _active(control) == ["normal"]
    assert not any(choice.sign == choice.name for choice in control.choices)
    assert next(c.sign for c in control.choices if c.name == "ruled out") == "no"
