"""What is added about a name behind it, said of the name itself."""

from __future__ import annotations

import tomllib
from importlib.resources import files

import pytest

from search_stack.query.nodes import Finding, Node
from search_stack.query.understand import Understanding

TOLD = tomllib.loads((files("search_stack.query") / "wording.toml").read_text(encoding="utf-8"))["afterthoughts"]
DRUG = frozenset(("stopped", "discontinued", "held", "withheld", "allergic", "allergy"))
SIGNS = ("{} ({})", "{}, {}", "{} - {}", "{}, later {}")


def asked(understanding: Understanding, line: str) -> Node | None:
    return understanding.understand(line).query


@pytest.mark.parametrize("sign", SIGNS)
@pytest.mark.parametrize("what", " ".join(TOLD["told"].split()).split(" / "))
def test_it_is_read_as_if_it_stood_behind_the_name(understanding: Understanding, what: str, sign: str) -> None:
    name, concept = {"removed": ("foley", "foley catheter")}.get(
        what, ("heparin", "heparin") if what in DRUG else ("sepsis", "sepsis")
    )
    query = asked(understanding, sign.format(name, what))
    assert query == asked(understanding, f"{name} {what}")
    assert (query == Finding(concept, "present")) == (what == "positive")


@pytest.mark.parametrize("adverb", TOLD["adverbs"].split())
def test_adverbs_are_left_aside(understanding: Understanding, adverb: str) -> None:
    understood = understanding.understand(f"suspected sepsis, {adverb} ruled out")
    assert understood.query == Finding("sepsis", "absent")
    assert adverb in " ".join(understood.aside)


@pytest.mark.parametrize("proved", " ".join(TOLD["true"].split()).split(" / "))
def test_what_proved_true_is_no_guess_and_what_did_not_stays_one(understanding: Understanding, proved: str) -> None:
    assert asked(understanding, f"suspected sepsis, later {proved}") == Finding("sepsis", "present")
    assert asked(understanding, f"suspected sepsis but never {proved}") == Finding("sepsis", "possible")


@pytest.mark.parametrize(
    "line", ["asthma, allergic to penicillin", "fever, resolved pneumonia", "sepsis, held for questioning"]
)
def test_what_goes_on_with_something_else_begins_anew(understanding: Understanding, line: str) -> None:
    name, behind = line.split(", ")
    assert asked(understanding, line) == asked(understanding, f"{name} AND {behind}")
