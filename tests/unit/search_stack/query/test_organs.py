"""A disorder of an organ goes by its name; where it has none, the organ is its place."""

from __future__ import annotations

import pytest

from search_stack.query.plain import organs
from search_stack.query.tree_json import to_json
from search_stack.query.understand import Understanding
from tests.queries.judge import same
from tests.queries.written import Tree, at, both, either, has, words

EXAMPLES = (
    ("tuberculosis of the bowel", "bowel", "intestinal"),
    ("hemorrhage in the bowel", "bowel", "gastrointestinal"),
    ("malaria affecting the brain", "brain", "cerebral"),
    ("leukemia involving the brain", "brain", "cns"),
    ("polyp in the cervix", "cervix", "cervical"),
    ("adenocarcinoma of her colon", "colon", "colonic"),
    ("melanoma of the eye", "eye", "ocular"),
    ("hemorrhage in the gut", "gut", "gastrointestinal"),
    ("obstruction of the gut", "gut", "intestinal"),
    ("sarcoidosis involving the heart", "heart", "cardiac"),
    ("lesions in the kidneys", "kidney", "renal"),
    ("hemangioma of the liver", "liver", "hepatic"),
    ("embolism in the lung", "lung", "pulmonary"),
    ("candidiasis of the mouth", "mouth", "oral"),
    ("mass in the ovary", "ovary", "ovarian"),
    ("mass in the pancreas", "pancreas", "pancreatic"),
    ("lupus of the skin", "skin", "cutaneous"),
    ("arteriovenous malformation of the spine", "spine", "spinal"),
    ("infarct of the spleen", "spleen", "splenic"),
    ("varices in the stomach", "stomach", "gastric"),
)


@pytest.mark.parametrize(("line", "organ", "adjective"), EXAMPLES)
def test_each_adjective_makes_a_name(
    understanding: Understanding, monkeypatch: pytest.MonkeyPatch, line: str, organ: str, adjective: str
) -> None:
    named = to_json(understanding.understand(line).query)
    assert list(named) == ["finding", "assertion"]
    others = tuple(one for one in organs.ADJECTIVES[organ] if one != adjective)
    monkeypatch.setitem(organs.ADJECTIVES, organ, others)
    assert to_json(understanding.understand(line).query) != named


def test_every_adjective_has_its_example() -> None:
    assert {(o, a) for _, o, a in EXAMPLES} == {(o, a) for o, all_ in organs.ADJECTIVES.items() for a in all_}


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("sarcoidosis with cardiac involvement", has("cardiac sarcoidosis")),
        ("no sarcoidosis of the heart", has("cardiac sarcoidosis", "absent")),
        ("gvhd involving the skin", has("skin graft versus host disease")),
        ("lupus affecting the kidneys", at(has("systemic lupus erythematosus"), "kidney")),
        ("rash affecting the left arm", at(has("rash"), "left arm")),
        ("scleroderma with lung involvement", both(has("scleroderma"), words("lung involvement"))),
        ("clot in the lung or leg", either(has("pulmonary embolism"), has("deep vein thrombosis"))),
        # What is everywhere has no name for an organ, and a name of some of the words is none of all.
        ("hypertension affecting the eyes", both(has("hypertension"), words("affecting the eyes"))),
        ("crush injury of the hand", both(has("crush injury"), has("hand injury"))),
    ],
)
def test_what_has_no_name_is_at_the_organ(understanding: Understanding, line: str, expected: Tree) -> None:
    assert same(to_json(understanding.understand(line).query), expected)
