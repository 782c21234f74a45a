from __future__ import annotations

import pytest

from search_stack.retrieval.suggest import unknown_value

KNOWN = ["findings", "Impression", "history"]


@pytest.mark.parametrize("name", ["impression", "IMPRESSION", "findings"])
def test_a_known_value_in_any_case_is_fine(name: str) -> None:
    assert unknown_value("aspect", name, KNOWN) is None


def test_a_near_value_is_suggested_as_it_is_written() -> None:
    error = unknown_value("section", "impresion", KNOWN)
    assert error is not None
    assert error.message == 'There is no section called "impresion".'
    assert error.remedy == 'Did you mean "Impression"?'


def test_far_from_all_the_first_are_named() -> None:
    error = unknown_value("type", "xyz", [f"kind {n}" for n in range(20)])
    assert error is not None
    assert error.message == 'There is no note type called "xyz".'
    assert error.remedy.startswith("There are: kind 0, kind 1,")
    assert "kind 8" not in error.remedy


def test_where_there_are_none_it_says_so() -> None:
    error = unknown_value("type", "letter", [])
    assert error is not None
    assert error.remedy == "No note has one."
