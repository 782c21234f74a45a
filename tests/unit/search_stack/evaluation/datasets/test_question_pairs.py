"""Pairs of questions, read from XML; what is wrong with a file is said with its line."""

from __future__ import annotations

from pathlib import Path

import pytest

from search_stack.core.errors import AspectraError
from search_stack.evaluation.datasets.question_pairs import QuestionPair, load

PAIR = '<pair pid="1" value="{value}">\n<chq>{chq}</chq><faq>{faq}</faq></pair>'


def written(folder: Path, *pairs: str) -> Path:
    file = folder / "rqe.xml"
    file.write_text("<RQE>\n" + "\n".join(pairs) + "</RQE>", encoding="utf-8")
    return file


def given(value: str = "true", chq: str = "My toe\n  hurts.", faq: str = "What is gout?") -> str:
    return PAIR.format(value=value, chq=chq, faq=faq)


def test_pairs_stand_in_the_files_order(tmp_path: Path) -> None:
    assert load(written(tmp_path, given(), given("false"))) == [
        QuestionPair("My toe hurts.", "What is gout?", True),
        QuestionPair("My toe hurts.", "What is gout?", False),
    ]


@pytest.mark.parametrize(
    ("pair", "says"),
    [
        (given(faq=" "), "5: the pair has no faq."),
        (given(chq=""), "5: the pair has no chq."),
        (given("yes"), "5: the pair's value is neither true nor false."),
        (given(faq="a < b"), "7: this is no XML (not well-formed (invalid token))."),
    ],
)
def test_what_is_amiss_is_said_with_its_line(tmp_path: Path, pair: str, says: str) -> None:
    file = written(tmp_path, given(), pair)
    with pytest.raises(AspectraError) as told:
        load(file)
    assert told.value.message == f"{file}:{says}"


def test_a_file_without_pairs_or_of_no_known_encoding_is_refused(tmp_path: Path) -> None:
    file = written(tmp_path)
    with pytest.raises(AspectraError, match="holds no pair"):
        load(file)
    file.write_text('<?xml version="1.0" encoding="none-such"?><RQE/>', encoding="utf-8")
    with pytest.raises(AspectraError, match=r"rqe\.xml:1: "):
        load(file)
    file.write_bytes(b"<RQE><pair>\xff</pair></RQE>")
    with pytest.raises(AspectraError, match=r"rqe\.xml:1: "):
        load(file)


def test_the_published_pairs(data_dir: Path) -> None:
    file = data_dir / "qa" / "RQE_Train_8588_AMIA2016.xml"
    with pytest.raises(AspectraError, match=r"46875: the pair has no faq"):
        load(file)
    trained = load(file, whole=False)
    measured = load(data_dir / "qa" / "RQE_Test_302_pairs_AMIA2016.xml")
    assert (len(trained), sum(p.entailed for p in trained)) == (8587, 4654)
    assert (len(measured), sum(p.entailed for p in measured)) == (302, 129)
