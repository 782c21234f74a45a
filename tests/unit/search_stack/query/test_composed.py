"""What is read right alone is read so beside another, by another name, and however it is typed."""

from __future__ import annotations

from typing import Any

import pytest

from search_stack.query.tree_json import to_json
from search_stack.query.understand import Understanding
from tests.queries.composed import APART, LISTED, composed, misread, surfaced
from tests.queries.judge import same
from tests.queries.written import Tree, at, both, had, has, severe

SEED = 20261127
READ = {APART: 0.97, LISTED: 0.925}
"""The share that is read as its parts are, at least. A trailing time or site may be of both, a short form another."""


def amount(name: str, value: str) -> Tree:
    return {**has(name), "value": value}


def test_lines_put_together_are_read_as_each_is_alone() -> None:
    wrong, number = misread(composed(SEED, 440))
    for links in (APART, LISTED):
        made = sum(number[link] for link in links)
        right = made - sum(one.link in links for one in wrong)
        assert right / made >= READ[links], [one.line for one in wrong]


def test_how_a_line_is_spaced_changes_nothing() -> None:
    wrong, number = misread(surfaced(SEED, 40))
    assert not [one.line for one in wrong]
    assert number.total() > 200


@pytest.mark.parametrize(
    ("line", "query"),
    [
        ("diarrhea. dehydration", both(has("diarrhea"), has("dehydration"))),
        ("pts. with gout", None),
        ("gcs 15. anemia <7", both(amount("glasgow coma scale", "= 15"), amount("hemoglobin measurement", "< 7"))),
        ("back pain 6 months but fever", both(has("back pain"), has("fever"))),
        ("cough 5d but fever", both(has("cough"), has("fever"))),
        ("cough 3/7 but fever", both(has("cough"), has("fever"))),
        ("disease-free at 5 years plus fever", both(has("no evidence of disease"), has("fever"))),
        ("had hysterectomy before but cough", both(has("hysterectomy", "historical"), has("cough"))),
        ("asthma in past plus cough", both(has("asthma", "historical"), has("cough"))),
        ("hysterectomy ever plus fever", both(had("hysterectomy"), has("fever"))),
        ("steroids long term but fever", both(has("corticosteroid"), has("fever"))),
        ("gout NOS but fever", both(has("gout"), has("fever"))),
        ("amyloidosis heart but neuropathy", both(has("cardiac amyloidosis"), has("peripheral neuropathy"))),
        ("any mention of gout but fever", both(has("gout", "any"), has("fever"))),
        ("GCS 15 and PE ruled out", both(amount("glasgow coma scale", "= 15"), has("pulmonary embolism", "absent"))),
        ("no fever and HR > 100", both(has("fever", "absent"), amount("heart rate", "> 100"))),
        ("negative stress test and migraine", both(has("stress test", "normal"), has("migraine"))),
        (
            "negative CT and MRI",
            both(has("computed tomography", "normal"), has("magnetic resonance imaging", "normal")),
        ),
        ("MRI and positive bronchoscopy", both(has("magnetic resonance imaging"), has("bronchoscopy", "abnormal"))),
        ("fever and cough denied", both(has("fever", "absent"), has("cough", "absent"))),
        ("hernia repaired and tpa not given", both(has("hernia repair"), has("thrombolytic", "absent"))),
        ("asthma plus suspected child abuse", both(has("asthma"), has("child abuse", "possible"))),
        ("cellulitis and history of breast cancer", both(has("cellulitis"), has("breast cancer", "historical"))),
        ("fever and history of COPD", both(has("fever"), had("chronic obstructive pulmonary disease"))),
        ("AF and no longer on warfarin", both(has("atrial fibrillation"), has("warfarin", "stopped"))),
        ("asthma and sister has ms", both(has("asthma"), has("multiple sclerosis", "family"))),
        ("newborns of diabetic mothers and jaundice", both(has("infant of diabetic mother"), has("jaundice"))),
        ("insulin pump, rash affecting the left arm", both(has("insulin pump"), at(has("rash"), "left arm"))),
        (
            "pain and swelling of the right knee",
            both(at(has("pain"), "right knee"), at(has("joint swelling"), "right")),
        ),
        ("edema and cellulitis of the left leg", both(at(has("edema"), "left leg"), at(has("cellulitis"), "left leg"))),
        ("fever, lives with son and cough", both(has("fever"), has("lives with family"), has("cough"))),
        ("AF ON WARFARIN", both(has("atrial fibrillation"), has("warfarin"))),
        ("Fever And Neutropenia", both(has("fever"), has("neutropenia"))),
        ("severe gout; cough", both(severe(has("gout")), has("cough"))),
    ],
)
def test_each_statement_keeps_what_is_said_of_it(understanding: Understanding, line: str, query: Any) -> None:
    read = to_json(understanding.understand(line).query)
    if query is None:  # No sentence ends there.
        assert read == to_json(understanding.understand(line.replace(".", "")).query)
    else:
        assert same(read, query), read


@pytest.mark.parametrize(
    "frame",
    ["{} and gout", "gout without {}", "women over 60 with {}", "{} since 2019", "sepsis after {}"],
)
@pytest.mark.parametrize(
    ("name", "concept"),
    [
        ("lives with mom", "lives with parents"),
        ("colorectal cancer screening", "colorectal cancer screening"),
        ("sister mary joseph nodule", "sister mary joseph nodule"),
        ("ganciclovir eye gel", "ganciclovir eye gel"),
        ("fetal alcohol syndrome", "fetal alcohol syndrome"),
    ],
)
def test_a_name_says_nothing_of_another(understanding: Understanding, frame: str, name: str, concept: str) -> None:
    read = to_json(understanding.understand(frame.format(name)).query)
    plain = to_json(understanding.understand(frame.format("psoriasis")).query)
    assert same(read, _instead(plain, "psoriasis", concept)), read


def _instead(node: Any, name: str, other: str) -> Any:
    if isinstance(node, list):
        return [_instead(part, name, other) for part in node]
    if isinstance(node, dict):
        return {key: other if value == name else _instead(value, name, other) for key, value in node.items()}
    return node
