"""Amounts that notes tell, and whether those that are asked for include them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from search_stack.core.amounts import Amount, keys, ranges
from search_stack.language.units import unit_of

numbers = st.integers(0, 10**9).map(lambda n: n / 100)


def held(asked: Amount, told: Amount) -> bool:
    """By what the index compares: strings."""
    return any(low <= key <= high for low, high in ranges(asked) for key in keys(told))


@given(numbers, numbers)
def test_keys_stand_in_the_order_of_the_numbers(asked: float, told: float) -> None:
    one = Amount(told, told)
    assert held(Amount(asked, None, beyond=True), one) == (told > asked)
    assert held(Amount(asked, None), one) == (told >= asked)
    assert held(Amount(None, asked, beyond=True), one) == (told < asked)
    assert held(Amount(None, asked), one) == (told <= asked)
    assert held(Amount(asked, asked), one) == (told == asked)


@pytest.mark.parametrize(
    ("asked", "told", "includes"),
    [
        # A range is above or below as a whole, and in another by its middle.
        (Amount(3.0, None, beyond=True), Amount(2.8, 3.3), False),
        (Amount(None, 30.0, beyond=True), Amount(20.0, 25.0), True),
        (Amount(20.0, 30.0), Amount(20.0, 25.0), True),
        (Amount(20.0, 30.0), Amount(28.0, 40.0), False),
        # What is open on one side says nothing of the other.
        (Amount(None, 30.0, beyond=True), Amount(None, 30.0, beyond=True), True),
        (Amount(None, 30.0, beyond=True), Amount(None, 30.0), False),
        (Amount(None, 20.0), Amount(None, 30.0, beyond=True), False),
        (Amount(10.0, None), Amount(None, 30.0, beyond=True), False),
        (Amount(10.0, 40.0), Amount(None, 30.0, beyond=True), False),
        # Without a unit whatever is no length, volume or mass.
        (Amount(3.0, None), Amount(5.0, 5.0, "mg/dl"), True),
        (Amount(3.0, None), Amount(5.0, 5.0, "%"), True),
        (Amount(3.0, None), Amount(5.0, 5.0, "mm"), False),
        (Amount(3.0, None, "mm"), Amount(5.0, 5.0), False),
        (Amount(3.0, None, "mg/dl"), Amount(5.0, 5.0), True),
        (Amount(3.0, None, "mg/dl"), Amount(265.0, 265.0, "umol/l"), False),
        (Amount(3.0, None, "%"), Amount(5.0, 5.0), True),
    ],
)
def test_what_is_asked_for_includes_what_is_told(asked: Amount, told: Amount, includes: bool) -> None:
    assert asked.includes(told) is includes


@pytest.mark.parametrize(
    ("written", "unit", "factor"),
    [
        ("cm", "mm", 10.0),
        ("Liters", "ml", 1000.0),
        ("lbs", "g", 453.592),
        ("per cent", "%", 1.0),
        ("mg/dL", "mg/dl", 1.0),
        ("mcg / dL", "ug/dl", 1.0),
        ("µmol/L", "umol/l", 1.0),
        ("mm Hg", "mmhg", 1.0),
        ("degrees F", "", 1.0),
        ("", "", 1.0),
    ],
)
def test_units_have_one_spelling(written: str, unit: str, factor: float) -> None:
    assert unit_of(written) == (unit, factor)
