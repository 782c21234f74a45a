"""Where in the body a line asks for something to be."""

from __future__ import annotations

import pytest

from search_stack.core.sites import GRADES
from search_stack.query.nodes import AnyOf, Finding, Not
from search_stack.query.plain import siting
from search_stack.query.plainest import plainest
from search_stack.query.tree import QueryError
from search_stack.query.tree_json import from_json, to_json
from search_stack.query.understand import Understanding
from search_stack.query.write import readable, write
from tests.queries.judge import same
from tests.queries.written import Tree, at, both, either, has, no, severe, words

EFFUSION, KNEE_PAIN = has("pleural effusion"), has("knee pain")


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("left pleural effusion", at(EFFUSION, "left")),
        ("pleural effusion on the right", at(EFFUSION, "right")),
        ("b/l pleural effusions", at(EFFUSION, "bilateral")),
        ("RLL pneumonia", at(has("pneumonia"), "right lower lobe")),
        ("DVT of the left lower extremity", at(has("deep vein thrombosis"), "left leg")),
        # The part that the name says itself is not asked for twice; that of another's name is its own.
        ("left knee pain", at(KNEE_PAIN, "left")),
        ("fracture of the left clavicle", at(has("clavicle fracture"), "left")),
        ("pulmonary embolism or DVT", either(has("pulmonary embolism"), has("deep vein thrombosis"))),
        ("right-sided heart failure", has("right heart failure")),
        ("effusion of the right wrist", at(has("joint effusion"), "right wrist")),
        # One site for what is listed, and several for one.
        (
            "cellulitis or abscess of the left leg",
            either(at(has("cellulitis"), "left leg"), at(has("abscess"), "left leg")),
        ),
        ("left or right pleural effusion", either(at(EFFUSION, "left"), at(EFFUSION, "right"))),
        ("left knee pain and right pleural effusion", both(at(KNEE_PAIN, "left"), at(EFFUSION, "right"))),
        # With what is said of it.
        ("no left pleural effusion", at(has("pleural effusion", "absent"), "left")),
        ("without left pleural effusion", no(at(EFFUSION, "left"))),
        ("possible left lower lobe pneumonia", at(has("pneumonia", "possible"), "left lower lobe")),
        ("nodule > 8 mm in the left breast", {**at(has("breast nodule"), "left"), "value": "> 8 mm"}),
        # Of a bare part, and behind another name, of disorders those that can be there.
        ("pressure sore heel diabetic", both(at(has("pressure ulcer"), "heel"), has("diabetes mellitus"))),
        ("wound hand hygiene", both(has("wound"), words("hand hygiene"))),
        ("left leg cellulitis AF", both(at(has("cellulitis"), "left leg"), has("atrial fibrillation"))),
        ("left forearm rash erythema", both(at(has("rash"), "left forearm"), at(has("erythema"), "left forearm"))),
        ("left colon cancer, stage III", both(at(has("colon cancer"), "left"), has("stage iii cancer"))),
        ("DVT left leg cancer", both(at(has("deep vein thrombosis"), "left leg"), has("cancer"))),
        ("AF left leg DVT", both(has("atrial fibrillation"), at(has("deep vein thrombosis"), "left leg"))),
        ("pneumonia, left leg DVT", both(has("pneumonia"), at(has("deep vein thrombosis"), "left leg"))),
        # What a longer name holds and its concept is not called by.
        ("bibasal creps", at(has("crackles"), "bilateral lung base")),
        ("RUQ pain", has("right upper quadrant pain")),
        # What is no site, or nobody's.
        ("patients with both asthma and gout", both(has("asthma"), has("gout"))),
        ("gout and left leg", both(has("gout"), words("left leg"))),
        ("left knee ibuprofen", both(words("left knee"), has("ibuprofen"))),
        # How severe, there or anywhere, and which of several.
        ("severe pleural effusion", severe(EFFUSION)),
        ("severe left pleural effusion", at(severe(EFFUSION), "left")),
        ("no severe left knee pain", at(severe(has("knee pain", "absent")), "left")),
        ("mild to severe pneumonia", either(*(severe(has("pneumonia"), how) for how in GRADES))),
        ("no mild or severe pneumonia", both(*(severe(has("pneumonia", "absent"), how) for how in GRADES[::2]))),
        ("severe pneumonia or cellulitis", either(severe(has("pneumonia")), severe(has("cellulitis")))),
        ("no severe pneumonia or cellulitis", both(severe(has("pneumonia", "absent")), has("cellulitis", "absent"))),
        ("severe pneumonia with cellulitis", both(severe(has("pneumonia")), has("cellulitis"))),
        ("severe ibuprofen", both(words("severe"), has("ibuprofen"))),
    ],
)
def test_a_side_or_part_beside_a_name_is_where_it_must_be(
    understanding: Understanding, line: str, expected: Tree
) -> None:
    assert same(to_json(understanding.understand(line).query), expected)


SHORT = {"chronic kidney disease": "CKD", "chronic obstructive pulmonary disease": "COPD"}
"""What is written so says no part of the body by itself."""


@pytest.mark.parametrize("name", sorted(siting.NOWHERE))
def test_what_has_no_place_is_at_no_site(
    understanding: Understanding, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    line = f"left leg {SHORT.get(name, name)}"
    expected = both(words("left leg"), has(name))
    assert same(to_json(understanding.understand(line).query), expected)
    monkeypatch.setattr(siting, "NOWHERE", siting.NOWHERE - {name})
    assert not same(to_json(understanding.understand(line).query), expected)


def test_a_finding_at_a_site_is_a_line_json_and_words(understanding: Understanding) -> None:
    node = Finding("pneumonia", "absent", site="right lower lobe")
    so_severe = Finding("pneumonia", "absent", site="severe right lower lobe")
    assert write(so_severe) == 'finding:"pneumonia; severe; at right lower lobe" absent'
    assert understanding.understand(write(so_severe)).query == so_severe == from_json(to_json(so_severe))
    assert to_json(so_severe) == {**to_json(node), "severity": "severe"}
    assert readable(so_severe) == "pneumonia (severe right lower lobe) ruled out"
    assert write(node) == 'finding:"pneumonia; at right lower lobe" absent'
    assert understanding.understand(write(node)).query == node
    assert understanding.understand('finding:"pneumonia; at RLL" absent').query == node
    assert from_json(to_json(node)) == node
    assert from_json({"finding": "pneumonia", "assertion": "absent", "site": "RLL"}) == node
    assert readable(Not(node)) == "without pneumonia (right lower lobe) ruled out"


@pytest.mark.parametrize(
    ("data", "where"),
    [
        ({"finding": "fever", "site": "the moon"}, "query.site"),
        ({"finding": "fever", "site": "severe left"}, "query.site"),
        ({"finding": "fever", "severity": "left"}, "query.severity"),
        ({"finding": "mass", "except": ["lung mass"], "site": "left"}, "query.except"),
    ],
)
def test_a_site_that_is_none_is_told_with_its_place(data: Tree, where: str) -> None:
    with pytest.raises(QueryError, match=where):
        from_json(data)


@pytest.mark.parametrize(
    "line", ['finding:"fever; at the moon"', 'finding:"fever; at left; at right"', 'finding:"fever; not x; mild"']
)
def test_a_line_with_a_site_that_is_none_is_refused(understanding: Understanding, line: str) -> None:
    with pytest.raises(QueryError, match="is not understood"):
        understanding.understand(line)


def test_it_is_typed_as_a_person_would(understanding: Understanding) -> None:
    node = AnyOf(
        (Finding("hip fracture", site="left"), Finding("rash", site="bilateral hand"), Finding("fever", site="mild"))
    )
    assert plainest(node, understanding.understand) == "left hip fracture or bilateral hand rash or mild fever"
