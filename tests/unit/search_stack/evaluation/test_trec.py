from __future__ import annotations

from pathlib import Path

import ir_measures
import pytest

from search_stack.core.errors import AspectraError
from search_stack.evaluation.measures import STANDARD, parse
from search_stack.evaluation.rankings import evaluate, mean
from search_stack.evaluation.trec import read_qrels, read_run, write_qrels, write_run

QRELS = {"q1": {"a": 1, "b": 0}, "q2": {"c": 2, "a": 1}}
RUN = {"q1": [("b", 0.1), ("a", 0.30000000000000004)], "q2": [("a", -1.5), ("c", 3.0), ("b", 1e-9)]}


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    write_run(tmp_path / "run", RUN, "ours")
    write_qrels(tmp_path / "qrels", QRELS)
    assert {q: sorted(found) for q, found in read_run(tmp_path / "run").items()} == {
        q: sorted(found) for q, found in RUN.items()
    }
    assert read_qrels(tmp_path / "qrels") == QRELS


def test_ir_measures_reads_the_files_and_agrees(tmp_path: Path) -> None:
    write_run(tmp_path / "run", RUN, "ours")
    write_qrels(tmp_path / "qrels", QRELS)
    theirs = ir_measures.calc_aggregate(
        [ir_measures.RR, ir_measures.AP],
        ir_measures.read_trec_qrels(str(tmp_path / "qrels")),
        ir_measures.read_trec_run(str(tmp_path / "run")),
    )
    ours = evaluate(read_run(tmp_path / "run"), read_qrels(tmp_path / "qrels"), STANDARD)
    assert mean(ours[parse("MRR")]) == pytest.approx(theirs[ir_measures.RR])
    assert mean(ours[parse("MAP")]) == pytest.approx(theirs[ir_measures.AP])


def test_lines_are_ranked_from_1_best_first(tmp_path: Path) -> None:
    write_run(tmp_path / "run", {"q1": RUN["q1"]}, "ours")
    assert (tmp_path / "run").read_text().splitlines() == [
        "q1 Q0 a 1 0.30000000000000004 ours",
        "q1 Q0 b 2 0.1 ours",
    ]


def test_queries_without_an_answer_are_not_judged(tmp_path: Path) -> None:
    (tmp_path / "qrels").write_text("q1 0 a 0\nq2 0 a 1\n")
    assert read_qrels(tmp_path / "qrels") == {"q2": {"a": 1}}


@pytest.mark.parametrize("line", ["q1 Q0 a 1 0.5", "q1 Q0 a 1 much ours", "q1 Q0 a 1 0.5 ours or"])
def test_a_line_that_is_no_run(tmp_path: Path, line: str) -> None:
    (tmp_path / "run").write_text(f"q1 Q0 b 1 0.5 ours\n\n{line}\n")
    with pytest.raises(AspectraError) as caught:
        read_run(tmp_path / "run")
    assert caught.value.message == f"{tmp_path / 'run'}:3: no line of a run."


@pytest.mark.parametrize("line", ["q1 0 a", "q1 0 a yes"])
def test_a_line_that_is_no_judgement(tmp_path: Path, line: str) -> None:
    (tmp_path / "qrels").write_text(line)
    with pytest.raises(AspectraError, match=":1: no line of relevance"):
        read_qrels(tmp_path / "qrels")


def test_files_that_cannot_be_read_or_written(tmp_path: Path) -> None:
    with pytest.raises(AspectraError, match="cannot be read"):
        read_run(tmp_path / "nowhere")
    with pytest.raises(AspectraError, match="cannot be written"):
        write_qrels(tmp_path / "no" / "folder", QRELS)


def test_an_id_with_a_blank_is_refused_for_it_would_be_read_as_two(tmp_path: Path) -> None:
    with pytest.raises(AspectraError, match="white space"):
        write_run(tmp_path / "run", {"a question": RUN["q1"]}, "ours")
