"""Denials as they are typed: without an apostrophe, of guesses, beside what somebody has besides."""

from __future__ import annotations

import pytest

from search_stack.query.tree_json import to_json
from search_stack.query.understand import Understanding
from tests.queries.judge import same, shipped
from tests.queries.written import Tree, both, field, has, no, words

IN_2025 = both(field("after", "2025-01-01"), field("before", "2026-01-01"))


@pytest.mark.parametrize(
    ("line", "tree"),
    [
        (
            "history of depression but not currently depressed",
            both(has("depression", "historical"), no(has("depression"))),
        ),
        ("possible TB not confirmed", has("tuberculosis", "possible")),
        ("possible TB, unconfirmed", has("tuberculosis", "possible")),
        ("TB confirmed", has("tuberculosis")),
        ("patients who dont speak english", has("language barrier")),
        ("people who do not speak english", has("language barrier")),
        ("cant swallow", has("dysphagia")),
        ("not on warfarin, atrial fibrillation", both(no(has("warfarin")), has("atrial fibrillation"))),
        (
            "not on warfarin, aspirin or clopidogrel",
            both(*(no(has(d)) for d in ("warfarin", "aspirin", "clopidogrel"))),
        ),
        ("formerly obese", has("obesity", "historical")),
    ],
)
def test_what_is_denied_stays_denied(understanding: Understanding, line: str, tree: Tree) -> None:
    assert same(to_json(understanding.understand(line).query), tree)


def test_guesses_that_are_left_out_are_told(understanding: Understanding) -> None:
    found = understanding.understand("exclude rule out diagnoses, pneumonia")
    assert to_json(found.query) == has("pneumonia")
    assert found.aside == ("exclude rule out diagnoses",)
    assert [n.kind for n in found.notices] == ["denial"]


@pytest.mark.parametrize(
    ("line", "tree"),
    [
        ("no contraindication to aspirin", no(both(has("aspirin", "any"), words("contraindication")))),
        (
            "no contraindication to MRI (pacemaker, metal)",
            both(
                no(both(has("magnetic resonance imaging", "any"), words("contraindication"))),
                no(has("pacemaker")),
                no(words("metal")),
            ),
        ),
        ("no red flags (fever, weight loss)", both(has("fever", "absent"), has("weight loss", "absent"))),
        (
            "without organ failure (liver, kidney)",
            both(*(no(has(f"{o} failure")) for o in ("organ", "liver", "renal"))),
        ),
        ("no fever (on paracetamol)", both(has("fever", "absent"), has("acetaminophen"))),
        ("no cancer (except skin cancer)", no({**has("cancer"), "except": ["skin cancer"]})),
        (
            "no cancer within 3 years except skin cancer",
            no({"during": {**has("cancer"), "except": ["skin cancer"]}, "after": "2023-11-22"}),
        ),
        ("no foot exam in last year", no({"during": has("foot examination"), "after": "2025-11-22"})),
        ("hip fracture last year, no foot exam", both(has("hip fracture"), IN_2025, no(has("foot examination")))),
        ("CT neg LP done", both(has("computed tomography", "normal"), has("lumbar puncture"))),
        ("fever, negative LP", both(has("fever"), has("lumbar puncture", "normal"))),
        ("no blood cultures taken", has("blood culture", "absent")),
        ("no follow up arranged", has("follow up appointment", "absent")),
        ("falls with head injury", both(has("accidental fall"), has("head injury"))),
    ],
)
def test_a_denial_reaches_as_far_as_it_is_meant(line: str, tree: Tree) -> None:
    assert same(to_json(shipped().understand(line).query), tree)


def test_a_denial_that_is_looked_for_as_it_is_written_is_told(understanding: Understanding) -> None:
    (notice,) = understanding.understand("lives alone, no carers").notices
    assert (notice.kind, notice.line) == ("denial", 'lives alone, NOT words:"carers"')
