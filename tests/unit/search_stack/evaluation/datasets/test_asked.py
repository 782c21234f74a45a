from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from aspectra.cli import main
from encoders.training.batches import Batches
from encoders.training.negatives import with_negatives
from encoders.training.options import with_options
from encoders.training.sources import merged
from search_stack.evaluation.datasets import asked, judgments
from search_stack.evaluation.datasets.entity_aspect import EntityAspectData, load

HISTORY, PLAN = "He slipped on the ice and hurt his wrist.", "A cast for six weeks, then physiotherapy."
TEXT = f"HISTORY: {HISTORY}\n\nPLAN: {PLAN}\n\nANESTHESIA: None."
OTHER = "PLAN: Colchicine for the gout."
Mine = Callable[[list[tuple[str | int, ...]]], Result]
GRADED = ("query", "note", "begin", "end", "grade", "reading")


def place(words: str, text: str = TEXT) -> tuple[int, int]:
    begin = text.index(words)
    return begin, begin + len(words)


LINES: list[tuple[str | int, ...]] = [
    ("fell on ice", "n1", *place(HISTORY)),
    ("wrist injury", "n1", *place(HISTORY)),
    ("plan for the wrist", "n1", *place(PLAN)),
    ("gout treatment", "n2", *place("Colchicine for the gout.", OTHER)),
]


@pytest.fixture
def mine(tmp_path: Path) -> Mine:
    """`aspectra mine --asked` of such lines."""

    def run(lines: list[tuple[str | int, ...]]) -> Result:
        notes, file = tmp_path / "notes.jsonl", tmp_path / "asked.tsv"
        rows = [{"id": "n1", "text": TEXT}, {"id": "n2", "text": OTHER}, {"id": "n3", "text": "Nothing."}]
        notes.write_text("\n".join(map(json.dumps, rows)))
        table = [GRADED[: len(lines[0]) if lines else 4], *lines]
        file.write_text("".join("\t".join(map(str, row)) + "\n" for row in table))
        given = ["mine", str(notes), "--asked", str(file), "--out", str(tmp_path / "pairs.json")]
        return CliRunner().invoke(main, given)

    return run


@pytest.fixture
def pairs(mine: Mine, tmp_path: Path) -> EntityAspectData:
    done = mine(LINES)
    assert done.exit_code == 0, done.output
    assert "4 queries of 2 notes." in done.output
    return load(tmp_path / "pairs.json")


def test_each_line_is_answered_by_its_passage_under_its_heading(pairs: EntityAspectData) -> None:
    passages = pairs.passage_by_id()
    answers = {q.text: passages[q.relevant[0]] for q in pairs.queries}
    assert {text: p.text for text, p in answers.items()} == {
        "fell on ice": HISTORY,
        "wrist injury": HISTORY,
        "plan for the wrist": PLAN,
        "gout treatment": "Colchicine for the gout.",
    }
    assert answers["fell on ice"].id == answers["wrist injury"].id
    assert [p.around.section for p in pairs.passages] == ["HISTORY", "PLAN", "ANESTHESIA", "PLAN"]
    assert answers["plan for the wrist"].around.lead.startswith("HISTORY: He slipped")


def test_what_nobody_asked_of_is_there_to_be_wrong(pairs: EntityAspectData) -> None:
    (other,) = (p for p in pairs.passages if p.around.section == "ANESTHESIA")
    assert other.text == "None."
    assert all(other.id not in q.relevant for q in pairs.queries)
    assert all(other in example.negatives for example in with_negatives(pairs))


def test_lines_of_different_people_meet_in_a_batch_and_equal_ones_do_not(pairs: EntityAspectData) -> None:
    config = with_options("bi", {"batch": 8, "together": 4})
    twice = EntityAspectData("twice", pairs.passages, (*pairs.queries, *pairs.queries))
    batches = Batches(with_negatives(twice), config)
    drawn = [sorted(e.query.text for e in batches[n]) for n in range(batches.each)]
    assert drawn == [sorted(line[0] for line in LINES)] * 2


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (("fell", "n9", 0, 4), "asked.tsv:2: note: it is not among the notes."),
        (("fell", "n1", 0, 4000), "asked.tsv:2: end: the note is shorter."),
        (("fell", "n1", 9, 9), "asked.tsv:2: begin, end: these are no offsets."),
        (("fell", "n1", 0, 9, 3), "asked.tsv:2: grade: it is none."),
    ],
)
def test_a_line_that_stands_nowhere_is_named(
    line: tuple[str | int, ...], told: str, mine: Mine, tmp_path: Path
) -> None:
    done = mine([line])
    assert done.exit_code == 1
    assert told in done.output.replace("\n", "")
    assert not (tmp_path / "pairs.json").exists()


def test_what_people_graded_has_the_lesser_as_its_wrong_answers_and_no_others(mine: Mine, tmp_path: Path) -> None:
    history, plan, gout = place(HISTORY), place(PLAN), place("Colchicine for the gout.", OTHER)
    done = mine(
        [
            ("wrist injury", "n1", *history, 2, 1),
            ("wrist injury", "n1", *plan, 1, 1),
            ("wrist injury", "n1", *plan, 2, 2),  # a second reader's: to compare, not to learn from
            ("wrist injury", "n2", *gout, 0, 1),
            ("nothing answers", "n2", *gout, 0, 1),
        ]
    )
    assert "1 queries of 2 notes." in done.output
    data = merged([load(tmp_path / "pairs.json"), load(tmp_path / "pairs.json")])
    examples = with_negatives(EntityAspectData("once", data.passages, data.queries[:1]))
    assert [(e.positive.text, [p.text for p in e.negatives]) for e in examples] == [
        (HISTORY, [PLAN, "Colchicine for the gout."]),
        (PLAN, ["Colchicine for the gout."]),
    ]


def test_a_file_without_a_line_teaches_nothing(mine: Mine) -> None:
    done = mine([])
    assert done.exit_code == 1
    assert "holds no asked line" in done.output


def test_what_is_not_for_asked_lines_is_refused(tmp_path: Path) -> None:
    given = ["mine", str(tmp_path), "--asked", "asked.tsv", "--findings", "--out", "pairs.json"]
    done = CliRunner().invoke(main, given)
    assert done.exit_code == 1
    assert "--asked goes with none of" in done.output


def test_no_shipped_line_is_one_that_is_judged() -> None:
    lines = asked.load()
    assert len(lines) > 5000
    assert not {line.query.lower() for line in lines} & {j.query.lower() for j in judgments.load()}
