"""Questions with judged answers, read from XML; what is wrong with a file is said with its place."""

from __future__ import annotations

from pathlib import Path

import pytest

from search_stack.core.errors import AspectraError
from search_stack.evaluation.datasets.mediqa import load

ANSWER = (
    '<Answer AID="{id}" SystemRank="{rank}" ReferenceRank="1" ReferenceScore="{score}">'
    "<AnswerText>{text}</AnswerText></Answer>"
)


def written(folder: Path, *answers: str, question: str = "What is gout?", id_: str = "7") -> Path:
    file = folder / "set.xml"
    file.write_text(
        f'<Set><Question QID="{id_}"><QuestionText>{question}</QuestionText><AnswerList>{"".join(answers)}</AnswerList>'
        "</Question></Set>",
        encoding="utf-8",
    )
    return file


def given(id_: str = "a", rank: str = "1", score: str = "3", text: str = "Gout: it hurts: much.") -> str:
    return ANSWER.format(id=id_, rank=rank, score=score, text=text)


def test_answers_stand_in_the_systems_order_with_their_headings(tmp_path: Path) -> None:
    long = "word " * 60 + ": late"
    (question,) = load([written(tmp_path, given("b", "2", "2", long), given())])
    assert (question.id, question.text) == ("set:7", "What is gout?")
    first, second = question.answers
    assert (first.id, first.heading, first.body, first.correct) == ("a", "Gout", "it hurts: much.", True)
    # A colon far from the begin ends no heading.
    assert (second.heading, second.body, second.correct) == ("", long.strip(), False)


@pytest.mark.parametrize(
    ("answers", "question", "says"),
    [
        ([given(score="good")], "What?", "question 7, answer a: ReferenceScore is no number from 1."),
        ([given(rank="0")], "What?", "question 7, answer a: SystemRank is no number from 1."),
        ([given(text=" ")], "What?", "question 7, answer a: no AID or no AnswerText."),
        ([given(), given(rank="2")], "What?", "question 7 has two answers with one AID."),
        ([], "What?", "question 7 has no Answer."),
        ([given()], "", "question 7 has no QID or no QuestionText."),
    ],
)
def test_what_is_amiss_is_said_with_its_place(tmp_path: Path, answers: list[str], question: str, says: str) -> None:
    file = written(tmp_path, *answers, question=question)
    with pytest.raises(AspectraError) as told:
        load([file])
    assert told.value.message == f"{file}:1: {says}"


def test_a_file_that_is_no_such_xml_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "set.xml"
    with pytest.raises(AspectraError, match="cannot be read"):
        load([file])
    file.write_text("<Set>\n<Question>", encoding="utf-8")
    with pytest.raises(AspectraError, match=r"set\.xml:2: this is no XML"):
        load([file])
    file.write_text("<Set/>", encoding="utf-8")
    with pytest.raises(AspectraError, match="hold no question"):
        load([file])
