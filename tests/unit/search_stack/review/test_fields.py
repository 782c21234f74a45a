"""What reviewers may fill in."""

from __future__ import annotations

import pytest

from search_stack.core.errors import AspectraError
from search_stack.review.fields import Field, Quote, Value, checked_field, checked_value, find_quote

SIDE = Field(1, "Side", "choice", ("left", "right"))


@pytest.mark.parametrize(
    ("field", "typed", "kept"),
    [
        (Field(1, "Size", "number"), " 12.50 ", "12.5"),
        (Field(1, "Size", "number"), "-3e2", "-300"),
        (Field(1, "Seen", "date"), "2027-03-01", "2027-03-01"),
        (Field(1, "Cause", "text"), " heart failure ", "heart failure"),
        (SIDE, "left", "left"),
        (SIDE, "  ", ""),
    ],
)
def test_a_value_is_kept_in_one_way(field: Field, typed: str, kept: str) -> None:
    assert checked_value(field, typed) == kept


@pytest.mark.parametrize(
    ("field", "typed"),
    [
        (Field(1, "Size", "number"), "large"),
        (Field(1, "Size", "number"), "nan"),
        (Field(1, "Size", "number"), "1e999"),
        (Field(1, "Seen", "date"), "1.3.2027"),
        (Field(1, "Seen", "date"), "2027-02-30"),
        (SIDE, "Left"),
        (Field(1, "Cause", "text"), "x" * 501),
    ],
)
def test_what_is_no_value_is_refused_and_not_repeated(field: Field, typed: str) -> None:
    with pytest.raises(AspectraError, match=field.name) as caught:
        checked_value(field, typed)
    assert typed not in caught.value.message


def test_a_field_has_a_name_a_kind_and_choices_where_it_needs_some() -> None:
    assert checked_field("  Side  of it ", "choice", ["left", " right ", "left", ""]) == (
        "Side of it",
        "choice",
        ("left", "right"),
    )
    assert checked_field("Size", "number", ["left"]) == ("Size", "number", ())
    for wrong in (("", "text", []), ("x" * 65, "text", []), ("Side", "colour", []), ("Side", "choice", ["left"])):
        with pytest.raises(AspectraError):
            checked_field(*wrong)


def test_a_quote_is_found_whatever_its_white_space() -> None:
    assert find_quote("A (small)\n  left effusion.", "(small) left  effusion") == (2, 25)
    assert find_quote("A small effusion.", "large") is None
    assert find_quote("A", "  ") is None
    value = Value("yes", Quote(7, 1, 2, 25))
    assert Value.of(value.json()) == value
    assert Value.of(Value("no").json()) == Value("no")
