"""`aspectra annotate`, as a person uses it: keys typed into a real terminal, and what they leave behind."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from aspectra.cli import main
from search_stack.evaluation.datasets.gold import COLUMNS, GoldMention, load
from tests.terminal import Person

NOTES = {
    "n1": "Reports fever since Sunday.",
    "n2": "She denies cough.\x1b]0;owned\x07 Takes aspirin\u202e daily.",
    "n3": "Possible pneumonia. Chest x-ray tomorrow.",
}
Sits = Callable[..., Person]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    file = tmp_path / "notes.jsonl"
    rows = [{"id": name, "text": text, "type": "letter\x1b[31m"} for name, text in NOTES.items()]
    file.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    return file


@pytest.fixture
def sits(file: Path, tmp_path: Path) -> Sits:
    own = {"ASPECTRA_DATA_DIR": str(tmp_path)}
    return lambda *arguments: Person(own, "annotate", str(file), *arguments)


def places(folder: Path, *found: tuple[str, str]) -> Path:
    rows = [(note, str(at := NOTES[note].index(words)), str(at + len(words)), words) for note, words in found]
    named = folder / "places.tsv"
    named.write_text("\n".join("\t".join(row) for row in (("note", "begin", "end", "concept"), *rows)) + "\n")
    return named


def answers(file: Path) -> list[GoldMention]:
    return load(file.with_name("notes.jsonl.mentions.tsv"))


def said(file: Path, reading: int = 1) -> dict[str, tuple[str, str, bool]]:
    return {m.concept: (m.answer, m.status, m.unsure) for m in answers(file) if m.reading == reading}


KEYS = {"fever": "p", "cough": "a", "aspirin": "p1", "pneumonia": "q"}
ALL = tuple(zip(("n1", "n2", "n2", "n3"), KEYS, strict=True))


def concept(shown: str) -> str:
    found = re.search(r"Concept: (.+)", shown)
    assert found
    return found[1].strip()


def answers_all(person: Person, keys: dict[str, str]) -> str:
    for n in range(len(keys)):
        for key in keys[concept(person.sees(f"{n + 1} of {len(keys)}", "Concept: "))]:
            person.sees()
            person.types(key)
    return person.ends()


def test_keys_become_rows_like_those_of_the_gold_standard(sits: Sits, file: Path, tmp_path: Path) -> None:
    person = sits("--mentions", str(places(tmp_path, *ALL)))
    told = answers_all(person, KEYS)
    assert said(file) == {
        "fever": ("present", "", False),
        "cough": ("absent", "", False),
        "aspirin": ("present", "taking", False),
        "pneumonia": ("possible", "", False),
    }
    target = file.with_name("notes.jsonl.mentions.tsv")
    written = target.read_text()
    assert written.startswith("\t".join(COLUMNS) + "\n")
    assert target.stat().st_mode & 0o077 == 0
    assert all({m.note: NOTES[m.note][m.begin : m.end] for m in answers(file)}.values())
    assert "4 judged now, 0 left" in told
    assert f"aspectra evaluate gold --data {file} --mentions {target}" in told
    assert f"aspectra train labels --data {file} --more {target} --out FOLDER" in told
    # No word of a note but the concepts' names is kept, or is on the terminal when all is done.
    for word in ("Reports", "denies", "Sunday", "daily"):
        assert word not in written + told
        assert word.encode() in person.raw
    # Nor was what the labels say ever shown, or obeyed what a note holds.
    assert b"labels say" not in person.raw
    assert b"\x1b]0;owned" not in person.raw
    assert b"\x1b[31m" not in person.raw
    assert "\u202e".encode() not in person.raw
    assert "␛]0;owned␇" in person.raw.decode()


def test_whoever_is_interrupted_goes_on_where_he_stopped(sits: Sits, file: Path, tmp_path: Path) -> None:
    named = str(places(tmp_path, *ALL))
    person = sits("--mentions", named)
    first = concept(person.sees("1 of 4"))
    person.types("n")
    person.sees("2 of 4")
    person.is_killed()
    assert said(file) == {first: ("none", "", False)}
    person = sits("--mentions", named)
    second = concept(person.sees("2 of 4"))
    assert second != first
    person.types("n")
    person.sees("3 of 4")
    person.types("\x03")
    assert "1 judged now, 2 left" in person.ends()
    person = sits("--mentions", named)
    person.sees("3 of 4")
    person.types("x")
    assert "0 judged now, 2 left" in person.ends()
    assert list(said(file)) == [first, second]


def test_back_takes_the_last_answer_back_even_of_an_earlier_sitting(sits: Sits, file: Path, tmp_path: Path) -> None:
    named = str(places(tmp_path, *ALL[:2]))
    person = sits("--mentions", named)
    first = concept(person.sees("1 of 2"))
    person.types("b")
    person.sees("nothing to go back to")
    person.types("f")
    person.sees("2 of 2")
    person.types("x")
    person.ends()
    person = sits("--mentions", named)
    person.sees("2 of 2")
    person.types("b")
    assert concept(person.sees("1 of 2", "You said: family")) == first
    person.types("u")
    person.sees("unsure", "1 of 2")
    person.types("s")
    person.sees("2 of 2")
    person.types("x")
    person.ends()
    assert said(file) == {first: ("historical", "", True)}


def test_a_drug_asks_for_its_status_and_back_returns_to_the_assertion(sits: Sits, file: Path, tmp_path: Path) -> None:
    person = sits("--mentions", str(places(tmp_path, ("n2", "aspirin"))), "--show")
    assert "allergy" not in person.sees("hypothetical")
    person.types("h")
    person.sees("allergy", "not\u00a0taken")
    person.types("b")
    person.sees("historical")
    for key in ("\x1b[A", "z", "5"):  # an arrow, a letter and a digit that mean nothing here
        person.types(key)
        person.sees("historical")
    person.types("p")
    person.sees("allergy")
    person.types("?")
    person.ends()
    assert said(file) == {"aspirin": ("present", "?", False)}


def test_a_draw_is_of_what_the_labels_find_and_shows_what_they_say_if_asked(sits: Sits, file: Path) -> None:
    person = sits("--draw", "2", "--seed", "7", "--show")
    while "labels say" not in (shown := person.sees("of 2")):
        person.types("1" if "allergy" in shown or "done" in shown else "p")
    person.types("x")
    assert "1 judged now, 1 left" in person.ends()
    (mention,) = answers(file)
    assert mention.drawn == "random"
    assert NOTES[mention.note][mention.begin : mention.end]


def test_the_second_reader_judges_the_same_and_agreement_is_measured(sits: Sits, file: Path, tmp_path: Path) -> None:
    answers_all(sits("--mentions", str(places(tmp_path, *ALL))), KEYS)
    person = sits("--reading", "2")
    answers_all(person, {**KEYS, "pneumonia": "p"})
    assert b"You said" not in person.raw
    assert said(file, 2)["pneumonia"] == ("present", "", False)
    target, figures = file.with_name("notes.jsonl.mentions.tsv"), tmp_path / "figures.json"
    arguments = ["evaluate", "gold", "--data", str(file), "--mentions", str(target), "--json", str(figures)]
    result = CliRunner().invoke(main, arguments, env={"ASPECTRA_DATA_DIR": str(tmp_path)})
    assert result.exit_code == 0, result.output
    told = json.loads(figures.read_text())
    assert (told["part"], told["mentions"], told["read_twice"], told["whole_notes"]) == ("all", 4, 4, None)
    first, second = ["present", "absent", "present", "possible"], ["present", "absent", "present", "present"]
    chance = sum(first.count(a) * second.count(a) for a in set(first)) / 16
    assert told["agreement"]["value"] == pytest.approx((3 / 4 - chance) / (1 - chance))


def test_without_a_terminal_it_says_so_and_tells_nothing_of_the_notes(file: Path, tmp_path: Path) -> None:
    arguments = ["annotate", str(file), "--draw", "1"]
    result = CliRunner().invoke(main, arguments, env={"ASPECTRA_DATA_DIR": str(tmp_path)})
    assert result.exit_code == 1
    assert "needs a terminal" in result.stderr
    assert "fever" not in result.output


@pytest.mark.parametrize(
    ("row", "told"),
    [
        (("n9", "0", "3", "fever"), "note: "),
        (("n1", "0", "999", "fever"), "end: "),
        (("n1", "5", "5", "fever"), "begin, end: "),
        (("n1", "0", "3", ""), "concept: "),
    ],
)
def test_a_place_that_is_none_is_named_by_line(file: Path, tmp_path: Path, row: tuple[str, ...], told: str) -> None:
    named = tmp_path / "places.tsv"
    named.write_text("\n".join("\t".join(cells) for cells in (("note", "begin", "end", "concept"), row)))
    arguments = ["annotate", str(file), "--mentions", str(named)]
    result = CliRunner().invoke(main, arguments, env={"ASPECTRA_DATA_DIR": str(tmp_path)})
    assert result.exit_code == 1
    assert f"places.tsv:2: {told}" in result.stderr.replace("\n", "")
