"""The file of answers: written as they come, by one person at a time, never over something else."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from aspectra.annotation.answers import answers as opened
from aspectra.annotation.mentions import BOOK, status_keys
from search_stack.core.errors import AspectraError
from search_stack.evaluation.datasets.gold import FILE, GoldMention, read, row_of

HEADER = BOOK.header
answers = partial(opened, book=BOOK)
FEVER = GoldMention("n1", 8, 13, "fever", True, "present", "", "random", 1, False)
SCAN = GoldMention("n1", 20, 24, "scan", True, "hypothetical", "planned", "given", 1, True)
AGAIN = GoldMention("n1", 8, 13, "fever", False, "", "", "random", 2, False)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "answers.tsv"


def test_every_answer_can_be_read_while_the_file_is_open(path: Path) -> None:
    with answers(path) as kept:
        assert read(path) == []
        for n, mention in enumerate((FEVER, SCAN, AGAIN), 1):
            kept.add(mention)
            assert read(path) == [FEVER, SCAN, AGAIN][:n]
    with answers(path) as kept:
        assert kept.given == [FEVER, SCAN, AGAIN]
        assert kept.of(2) == [AGAIN]


def test_rows_are_those_of_our_own_file() -> None:
    written = FILE.read_text(encoding="utf-8").splitlines()
    assert written[0] + "\n" == HEADER
    assert [row_of(m) for m in read(FILE)] == written[1:]


def test_only_the_last_answer_of_the_same_reading_is_taken_back(path: Path) -> None:
    with answers(path) as kept:
        assert kept.take_back(1) == []
        for mention in (FEVER, SCAN, AGAIN):
            kept.add(mention)
        assert kept.take_back(1) == []
        assert kept.take_back(2) == [AGAIN]
        assert kept.take_back(1) == [SCAN]
        assert read(path) == kept.given == [FEVER]
        kept.add(SCAN)
    assert read(path) == [FEVER, SCAN]


def test_several_answers_are_written_and_taken_back_together(path: Path) -> None:
    with answers(path) as kept:
        kept.add(FEVER)
        kept.add(SCAN, FEVER)
        assert kept.take_back(1, 4) == []
        assert kept.take_back(1, 2) == [SCAN, FEVER]
    assert read(path) == [FEVER]


def test_a_row_that_others_wrote_otherwise_is_not_cut(path: Path) -> None:
    path.write_text(f"{HEADER}{row_of(FEVER)}\n\n")
    with answers(path) as kept:
        assert kept.take_back(1) == []
    assert read(path) == [FEVER]


def test_two_do_not_write_at_once(path: Path) -> None:
    with answers(path), pytest.raises(AspectraError, match="somebody is judging"), answers(path):
        pass
    with answers(path):
        pass


@pytest.mark.parametrize("content", ['{"id": "n1", "text": "Fever."}\n', "note\tbegin\n", "\ufeff" + HEADER])
def test_another_file_is_left_as_it_is(path: Path, content: str) -> None:
    path.write_text(content)
    with pytest.raises(AspectraError, match="something else"), answers(path):
        pass
    assert path.read_text() == content


def test_a_last_row_without_its_line_end_is_mended(path: Path) -> None:
    path.write_text(HEADER + row_of(FEVER))
    with answers(path) as kept:
        kept.add(SCAN)
    assert read(path) == [FEVER, SCAN]


def test_a_folder_or_a_full_disk_is_named(tmp_path: Path) -> None:
    with pytest.raises(AspectraError, match="folder"), answers(tmp_path):
        pass


def test_a_status_is_asked_where_there_is_one() -> None:
    assert status_keys("procedure") == status_keys("device")
    assert "allergy" in status_keys("drug").values()
    assert not any(status_keys(kind) for kind in ("finding", "symptom", "disorder", ""))
