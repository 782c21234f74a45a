"""Words that alternatives share, and heads that an adjective leaves out."""

from __future__ import annotations

import pytest

from search_stack.query.tree_json import to_json
from search_stack.query.understand import Understanding
from tests.queries.judge import same
from tests.queries.written import Tree, at, has, phrases


def words(*alternatives: str) -> Tree:
    return {"any": [{"words": w} for w in alternatives]} if len(alternatives) > 1 else {"words": alternatives[0]}


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("hepatitis b or c", {"any": [has("hepatitis b"), has("hepatitis c")]}),
        ("no hepatitis b or c", {"all": [has("hepatitis b", "absent"), has("hepatitis c", "absent")]}),
        ("type 1 or 2 diabetes", {"any": [has("type 1 diabetes mellitus"), has("type 2 diabetes mellitus")]}),
        (
            "pressure ulcer stage 3 or 4",
            {"all": [has("pressure ulcer"), {"any": [has(f"stage {n} pressure ulcer") for n in (3, 4)]}]},
        ),
        (
            "stage III or IV ovarian cancer",
            {"all": [phrases("stage iii", "stage 3", "stage iv", "stage 4"), has("ovarian cancer")]},
        ),
        (
            "stage 2, 3 or 4 ckd",
            {
                "all": [
                    phrases("stage 2", "stage ii", "stage 3", "stage iii", "stage 4", "stage iv"),
                    has("chronic kidney disease"),
                ]
            },
        ),
        ("excluding stage 3 or 4", {"not": phrases("stage 3", "stage iii", "stage 4", "stage iv")}),
        ("left or right hip fracture", {"any": [at(has("hip fracture"), "left"), at(has("hip fracture"), "right")]}),
        ("c6 or c7 radiculopathy", {"all": [words("c6", "c7"), has("radiculopathy")]}),
        ("fever or chills", {"any": [has("fever"), has("chills")]}),
        ("third or fourth degree tear", {"any": [has("third degree laceration"), has("fourth degree laceration")]}),
        ("2nd or 3rd degree burns", {"any": [has("partial thickness burn"), has("full thickness burn")]}),
        (
            "aortic stenosis, moderate or severe",
            {"any": [{**has("aortic stenosis"), "severity": one} for one in ("moderate", "severe")]},
        ),
        ("periprosthetic fracture hip or knee", {"all": [has("periprosthetic fracture"), words("hip", "knee")]}),
        ("no tear of knee or hip", {"all": [at(has("tear", "absent"), "knee"), at(has("tear", "absent"), "hip")]}),
        ("renal failure awaiting transplant", {"all": [has("renal failure"), has("transplantation", "hypothetical")]}),
    ],
)
def test_alternatives_share_what_stands_once(understanding: Understanding, line: str, expected: Tree) -> None:
    assert same(to_json(understanding.understand(line).query), expected)


@pytest.mark.parametrize("line", ["foobar 7 or higher", "foobar 7 +"])
def test_more_of_a_number_is_told_and_left_aside(understanding: Understanding, line: str) -> None:
    read = understanding.understand(line)
    assert same(to_json(read.query), words("foobar 7"))
    assert [n.kind for n in read.notices] == ["field"]
    assert read.aside or line.endswith("+")


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("ischemic stroke NOT hemorrhagic", {"all": [has("ischemic stroke"), {"not": has("hemorrhagic stroke")}]}),
        ("stroke, not ischemic", {"all": [has("stroke"), {"not": has("ischemic stroke")}]}),
        ("diabetes but not gestational", {"all": [has("diabetes mellitus"), {"not": has("gestational diabetes")}]}),
        ("septic arthritis -rheumatoid", {"all": [has("septic arthritis"), {"not": has("rheumatoid arthritis")}]}),
        # A name of its own is that: nobody means the pain of a cancer.
        ("chest pain -cancer", {"all": [has("chest pain"), {"not": has("cancer")}]}),
        ("stroke not bleeding", {"all": [has("stroke"), {"not": has("bleeding")}]}),
    ],
)
def test_an_adjective_left_alone_is_said_of_the_name_before(
    understanding: Understanding, line: str, expected: Tree
) -> None:
    assert same(to_json(understanding.understand(line).query), expected)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("knee replacement septic arthritis", {"all": [has("knee replacement"), has("septic arthritis")]}),
        ("bone pain cancer", {"all": [has("bone pain"), has("cancer")]}),
        ("gastric cancer screening", {"entity": "gastric cancer", "aspect": "screening"}),
        ("infected hip wound", at(has("wound infection"), "hip")),
    ],
)
def test_things_beside_each_other_lend_no_words(understanding: Understanding, line: str, expected: Tree) -> None:
    assert same(to_json(understanding.understand(line).query), expected)


@pytest.mark.parametrize(
    ("line", "cause"),
    [
        ("pancreatitis due to gallstones or alcohol", {"any": [has("cholelithiasis"), has("alcohol use")]}),
        ("pancreatitis secondary to gallstones or alcohol", {"any": [has("cholelithiasis"), has("alcohol use")]}),
        ("pancreatitis caused by alcohol", has("alcohol use")),
    ],
)
def test_what_causes_it_is_one_side(understanding: Understanding, line: str, cause: Tree) -> None:
    assert same(to_json(understanding.understand(line).query), {"all": [has("pancreatitis"), cause]})


@pytest.mark.parametrize(
    ("line", "instead"),
    [
        ("elderly men with falls", "sex:male with falls"),
        ("neonates with sepsis", "with sepsis"),
        ("toddlers with croup", "with croup"),
        ("older men with falls", ""),
        ("infants of 3 months with fever", ""),
    ],
)
def test_a_usual_age_is_read_and_can_be_left_out(understanding: Understanding, line: str, instead: str) -> None:
    read = understanding.understand(line)
    assert [n.line for n in read.notices if n.kind == "people"] == [instead]


def test_a_name_holds_people_too(understanding: Understanding) -> None:
    assert same(to_json(understanding.understand("newborn jaundice").query), has("neonatal jaundice"))
