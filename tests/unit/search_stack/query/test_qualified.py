"""What is typed around a name and asks for nothing is left aside and told; a drug that did not work is asked for in all
ways in which notes tell it."""

from __future__ import annotations

import pytest

from search_stack.query.tree_json import to_json
from search_stack.query.wording import wording
from tests.queries.judge import same, shipped
from tests.queries.written import Tree, both, either, field, has, no, words


def failed(name: str, *more: Tree) -> Tree:
    return both(has(name, "any"), either(*map(words, wording().failure)), *more)


@pytest.mark.parametrize(
    ("line", "tree", "aside"),
    [
        ("long term steroids", has("corticosteroid"), ("long term",)),
        ("on stable donepezil", has("donepezil"), ("on stable",)),
        ("dementia unspecified", has("dementia"), ("unspecified",)),
        ("pneumonia NOS", has("pneumonia"), ("NOS",)),
        ("mean age over 80, stroke", both(field("age", ">80"), has("stroke")), ("mean",)),
        ("sarcoid incl. cardiac", has("sarcoidosis"), ("incl. cardiac",)),
        ("NICE: head injury", has("head injury"), ("NICE",)),
        ("query: patients with gout", has("gout"), ("query: patients",)),
        ("admissions with DKA", has("diabetic ketoacidosis"), ("admissions",)),
    ],
)
def test_what_asks_for_nothing_is_left_aside(line: str, tree: Tree, aside: tuple[str, ...]) -> None:
    found = shipped().understand(line)
    assert same(to_json(found.query), tree)
    assert found.aside == aside
    assert found.notices or "admissions" in aside


@pytest.mark.parametrize(
    ("line", "tree"),
    [
        ("long term catheter blocked", both(has("urinary catheter"), has("obstruction"))),
        (
            "mild to severe asthma",
            either(*({**has("asthma"), "severity": one} for one in ("mild", "moderate", "severe"))),
        ),
        (
            "no moderate or severe asthma",
            both(*({**has("asthma", "absent"), "severity": one} for one in ("moderate", "severe"))),
        ),
        ("uncertain diagnosis of gout", has("gout", "possible")),
        ("stable angina", has("angina pectoris")),
        ("FH: stroke", has("stroke", "family")),
        ("PLAN: dialysis", both(field("section", "plan"), has("dialysis"))),
        ("query PE", has("pulmonary embolism", "possible")),
        ("STROKE: gout", both(has("stroke"), has("gout"))),
        ("acute on chronic resp failure", has("acute on chronic respiratory failure")),
        ("methotrexate failure", failed("methotrexate")),
        ("asthma unresponsive to steroids", both(has("asthma"), failed("corticosteroid"))),
        ("failed at least one anti-TNF", failed("tnf inhibitor")),
        ("failed two SSRIs", failed("selective serotonin reuptake inhibitor")),
        ("failed oral antibiotics", failed("antibiotic", words("oral"))),
        ("without failed methotrexate", no(failed("methotrexate"))),
        (
            "UTI resistant to trimethoprim",
            both(has("urinary tract infection"), has("trimethoprim", "any"), words("resistant")),
        ),
        ("failed to tolerate metformin", has("metformin", "allergy")),
    ],
)
def test_what_asks_for_something_stays(line: str, tree: Tree) -> None:
    assert same(to_json(shipped().understand(line).query), tree)


def test_how_many_failed_is_told_not_to_be_counted() -> None:
    (notice,) = shipped().understand("failed two SSRIs").notices
    assert "not counted" in notice.message


def test_the_way_back_asks_for_the_word() -> None:
    (notice,) = shipped().understand("long term use of NSAIDs").notices
    assert notice.line == 'NSAIDs words:"long term"'
