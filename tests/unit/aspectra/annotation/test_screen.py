"""What is shown of a note: the mention and the words around it, and nothing that a terminal obeys."""

from __future__ import annotations

import os
from io import StringIO

import pytest
from rich.console import Console

from aspectra.annotation.screen import BEFORE, BEHIND, STOP, Screen, View, context


def test_a_mention_stands_between_marks_with_the_words_around_it() -> None:
    text = "a" * 1_000 + "fever" + "b" * 1_000
    shown = context(text, 1_000, 1_005).plain
    assert shown == f"… {'a' * BEFORE}«fever»{'b' * BEHIND} …"
    assert context("No fever.", 3, 8).plain == "No «fever»."


def test_nothing_in_it_is_obeyed_and_brackets_are_no_markup() -> None:
    assert context("[red]\x1b[31m fever\x07[/red]", 11, 16).plain == "[red]␛[31m «fever»␇[/red]"
    told = StringIO()
    screen = Screen(Console(file=told, width=80, height=24), 0)
    screen.show(
        View("1 of 2   \x1b]0;x", context("[b]fever[/b]", 3, 8), {"Concept": "[i]fever\x9b"}, "", {"p": "present"})
    )
    assert "[b]«fever»[/b]" in told.getvalue()
    assert "[i]fever" in told.getvalue()
    assert not {"\x1b", "\x9b"} & set(told.getvalue())


@pytest.mark.parametrize("before", ["", "a\n" * 200, "word " * 80])
@pytest.mark.parametrize("behind", ["", "\nb" * 130, " word" * 50])
def test_the_mention_and_the_keys_have_room_on_a_small_terminal(before: str, behind: str) -> None:
    told = StringIO()
    text = f"{before}fever{behind}"
    view = View(
        "1 of 2", context(text, len(before), len(before) + 5), {"Concept": "fever"}, "", {"p": "present", "x": "stop"}
    )
    Screen(Console(file=told, width=60, height=20), 0).show(view)
    lines = told.getvalue().splitlines()
    assert len(lines) < 20
    assert any("«fever»" in row for row in lines)
    assert "stop" in lines[-1]


def test_a_key_is_one_character_and_the_rest_of_an_arrow_is_dropped() -> None:
    read, write = os.pipe()
    screen = Screen(Console(file=StringIO()), read)
    os.write(write, b"Pn")
    assert [screen.key(), screen.key()] == ["p", "n"]
    os.write(write, b"\x1b[A")
    assert screen.key() == ""
    os.write(write, "ä".encode())
    assert screen.key() == ""
    os.write(write, b"abc")
    screen.forget()
    os.write(write, b"\x04")
    assert screen.key() == STOP
    os.close(write)
    assert screen.key() == STOP
    os.close(read)
