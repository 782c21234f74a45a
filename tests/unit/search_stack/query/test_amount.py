"""Amounts that plain words ask for, and the passages that tell one."""

from __future__ import annotations

import pytest

from search_stack.query.amount import Amount, asked_amount
from tests import language


@pytest.mark.parametrize(
    ("line", "number", "above", "inclusive", "kind"),
    [
        ("creatinine over 3", 3.0, True, False, ""),
        ("patients with a BMI of at least 40", 40.0, True, True, ""),
        ("hemoglobin < 7.5", 7.5, False, False, ""),
        ("ejection fraction below 30 percent", 30.0, False, False, "share"),
        ("platelet count under 20,000", 20_000.0, False, False, ""),
        ("blood loss more than a liter", 1000.0, True, False, "volume"),
        ("blood loss of not more than 50 cc", 50.0, False, True, "volume"),
        ("kidney stone larger than 2 cm", 20.0, True, False, "length"),
    ],
)
def test_a_line_asks_for_more_or_less_of_a_quantity(
    line: str, number: float, above: bool, inclusive: bool, kind: str
) -> None:
    found = asked_amount(line, language.lexicon())
    assert found is not None
    assert (found.number, found.above, found.inclusive, found.kind) == (number, above, inclusive, kind)


@pytest.mark.parametrize(
    "line",
    [
        "creatinine",
        "women over 60",
        "headache for more than 3 days",
        "pneumonia less than 2 weeks after surgery",
        "fell over a chair",
        "pain over 10/10",
        "seizures more than 3 times",
        "zzyzx over 4",
    ],
)
def test_a_time_an_age_and_what_no_lexicon_names_are_none(line: str) -> None:
    assert asked_amount(line, language.lexicon()) is None


@pytest.mark.parametrize(
    ("line", "heading", "text", "told"),
    [
        ("creatinine over 3", "LABS", "BUN 40, creatinine was 3.4.", True),
        ("creatinine over 3", "LABS", "Creatinine 3.0, potassium 5.1.", False),
        ("creatinine over 3", "LABS", "Creatinine 1.1. Sodium 139.", False),
        ("creatinine over 3", "LABS", "Creatinine pending, potassium 5.1.", False),
        ("creatinine over 3", "LABS", "Creatinine was seen after 4 days.", False),
        ("creatinine over 3", "LABS", "Creatinine on 4/12 was normal.", False),
        ("creatinine over 3", "LABS", "Creatinine between 3.2 and 4.", True),
        ("creatinine over 3", "LABS", "Creatinine 2.8 to 3.3.", False),
        ("creatinine over 3", "CREATININE", "Now 4.4.", True),
        ("creatinine under 1", "LABS", "Creatinine 0.8.", True),
        ("bmi over 40", "EXAM", "Body mass index (BMI) is 46.", True),
        ("bmi over 40", "EXAM", "BMI 38, weight 240 pounds.", False),
        ("blood loss more than a liter", "ESTIMATED BLOOD LOSS", "1,500 mL.", True),
        ("blood loss more than a liter", "ESTIMATED BLOOD LOSS", "Minimal. He was given 2 liters of saline.", False),
        ("blood loss more than a liter", "OPERATION", "Blood loss was more than 1 L.", True),
        ("blood loss more than a liter", "OPERATION", "Blood loss was 1 L.", False),
        ("ejection fraction below 30 percent", "ECHO", "The ejection fraction is 20 to 25%.", True),
        ("ejection fraction below 30 percent", "ECHO", "The ejection fraction is 55%.", False),
        ("ejection fraction below 30", "ECHO", "The ejection fraction is 25%.", True),
    ],
)
def test_a_passage_tells_the_amount_by_its_own_numbers(line: str, heading: str, text: str, told: bool) -> None:
    found = asked_amount(line, language.lexicon())
    assert found is not None
    assert found.tells(heading, text) is told


def test_a_long_passage_without_the_name_is_read_in_no_time() -> None:
    assert not Amount(("creatinine",), True, 3.0).tells("", "7 8 9 - " * 20_000)
