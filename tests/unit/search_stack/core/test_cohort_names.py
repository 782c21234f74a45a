"""Names of cohorts and versions, and what is said where there is none."""

from __future__ import annotations

import pytest

from search_stack.core.cohort_names import checked_name, referred, unknown_cohort
from search_stack.core.errors import AspectraError


@pytest.mark.parametrize("name", ["copd", "COPD-2020", "7", "a.b_c-d", "x" * 64])
def test_a_name(name: str) -> None:
    assert checked_name(name) == name
    assert referred(name) == (name, None)
    assert referred(f"{name}@12") == (name, 12)


@pytest.mark.parametrize("name", ["", " ", "-a", ".a", "a b", "a/b", "a\n", "ä", "x" * 65, "a@1"])
def test_no_name(name: str) -> None:
    with pytest.raises(AspectraError, match="no name for a cohort"):
        checked_name(name)


@pytest.mark.parametrize("text", ["a@", "@1", "a@0", "a@-1", "a@b", "a@1@2"])
def test_no_version(text: str) -> None:
    with pytest.raises(AspectraError, match="A version is a name, @ and a number"):
        referred(text)


def test_an_unknown_one_names_its_neighbours() -> None:
    assert unknown_cohort("copd-wmen", ["asthma", "COPD-women"]).remedy == "Did you mean COPD-women?"
    assert unknown_cohort("zzz", ["asthma"]).remedy == "There are: asthma."
    assert "cohort list" in unknown_cohort("zzz", [f"asthma{n}" for n in range(9)]).remedy
    assert "cohort save" in unknown_cohort("zzz", []).remedy
