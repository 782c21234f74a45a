"""Pairs of sentences in the forms that they come in."""

from __future__ import annotations

from pathlib import Path

import pytest

from search_stack.core.errors import AspectraError
from search_stack.evaluation.datasets.sentence_pairs import SentencePair, load

PAIRS = [SentencePair("No fever.", "She has no fever.", 4.5), SentencePair('A "cough", dry', "Gout", 0.0)]
STSB = 'g\tf\t2012\t1\t4.5\tNo fever.\tShe has no fever.\ng\tf\t2012\t2\t0\tA "cough", dry\tGout\tsource\tsource\n'


@pytest.mark.parametrize(
    ("text", "form"),
    [
        (STSB, "STS-B: the score in column 5, the sentences in 6 and 7"),
        ('No fever.\tShe has no fever.\t4.5\n\nA "cough", dry\tGout\t0\n', "two sentences and a score"),
        ('4.5,No fever.,She has no fever.\n0,"A ""cough"", dry",Gout\n', "a score and two sentences"),
        (
            'id,Sentence1,Sentence2,Score\n7,No fever.,She has no fever.,4.5\n8,"A ""cough"", dry",Gout,0\n',
            "columns by their names",
        ),
        (
            'similarity\ttext_1\ttext_2\n4.5\tNo fever.\tShe has no fever.\n0\tA "cough", dry\tGout\n',
            "columns by their names",
        ),
    ],
)
def test_each_form_gives_the_same_pairs(tmp_path: Path, text: str, form: str) -> None:
    file = tmp_path / "pairs.csv"
    file.write_text(text, encoding="utf-8")
    found = load(file)
    assert (found.pairs, found.form) == (PAIRS, form)
    assert load(file, 1).pairs == PAIRS[:1]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "pairs.csv: holds no pair."),
        ("sentence1,sentence2,score\n", "pairs.csv: holds no pair."),
        ("a,b\n", "pairs.csv:1: neither STS-B's seven columns nor two sentences and a score."),
        ("a,b,1\na,b,high\n", "pairs.csv:2: score: this is no number."),
        ("a,b,1\na,b,nan\n", "pairs.csv:2: score: this is no number."),
        ("a,b,1\na, ,2\n", "pairs.csv:2: a sentence is empty."),
        ("a,b,1\na,b\n", "pairs.csv:2: 2 columns, 3 are needed."),
    ],
)
def test_what_is_amiss_is_said_with_its_line(tmp_path: Path, text: str, says: str) -> None:
    file = tmp_path / "pairs.csv"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(AspectraError) as told:
        load(file)
    assert told.value.message == f"{tmp_path}/{says}"


def test_a_wrong_byte_and_a_score_out_of_range_are_told_with_their_line(tmp_path: Path) -> None:
    file = tmp_path / "pairs.csv"
    file.write_bytes(b"a,b,1\n" * 9000 + b"a,\xe9,2\n")
    with pytest.raises(AspectraError) as told:
        load(file)
    assert told.value.message == f"{file}:9001: not UTF-8."
    file.write_text("a,b,1\na,b,5.5\n", encoding="utf-8")
    assert [p.score for p in load(file).pairs] == [1, 5.5]
    with pytest.raises(AspectraError) as told:
        load(file, highest=5)
    assert told.value.message == f"{file}:2: score: 5.5 is not from 0 to 5."
