"""The evaluator of MEDIQA 2019, task 3: cases worked out by hand, and the published data."""

from __future__ import annotations

from pathlib import Path

import pytest

from search_stack.evaluation.answers import differences, labelled, shares, tally, tilted
from search_stack.evaluation.datasets.mediqa import Answer, Question, load
from search_stack.evaluation.tasks.qa import as_given, by_mean


def answer(number: int, score: int, reference: int, question: int = 2) -> Answer:
    return Answer(f"{question}_Answer{number}", "Gout: it hurts.", number, reference, score)


FIRST, SECOND, TENTH = answer(1, 4, 2), answer(2, 3, 3), answer(10, 4, 1)
WRONG = answer(3, 2, 4)


def value(name: str, *tallies: object) -> float | None:
    found = shares(tallies)[name]  # type: ignore[arg-type]
    return None if found is None else found.value


def test_a_label_is_right_for_a_correct_answer_and_its_lack_for_a_wrong_one() -> None:
    one = tally([(FIRST, True), (WRONG, True), (SECOND, False), (TENTH, True)])
    other = tally([(WRONG, False)])
    assert value("accuracy", one, other) == 3 / 5
    # Over all questions together: a question of which none is called correct counts nothing.
    assert value("precision", one, other) == 2 / 3
    assert value("precision", other) is None


def test_the_reciprocal_rank_counts_the_whole_list_and_what_is_called_correct() -> None:
    assert value("MRR", tally([(FIRST, False), (WRONG, True), (SECOND, True)])) == 1 / 3
    assert value("MRR", tally([(WRONG, True)]), tally([(FIRST, True)])) == 1 / 2
    assert value("MRR", tally([(FIRST, False)])) == 0


def test_spearman_ranks_ids_as_text() -> None:
    # As text 1, 10, 2 have the ranks 1, 2, 3. Ours 1, 2, 10: 1, 3, 2; the reference's 10, 1, 2: 2, 1, 3.
    assert value("spearman", tally([(FIRST, True), (SECOND, True), (TENTH, True)])) == pytest.approx(-0.5)
    # Ids ranked as numbers would give 1, 2, 3 against 3, 1, 2: the same by chance; without the first they differ.
    assert value("spearman", tally([(SECOND, True), (TENTH, True)])) == pytest.approx(-1)
    assert value("spearman", tally([(TENTH, True), (SECOND, True)])) == pytest.approx(1)
    # Fewer than two that are called correct and are: left out of the mean.
    assert value("spearman", tally([(FIRST, True), (SECOND, False), (WRONG, True)])) is None


def test_the_correlation_of_ranks_is_of_all_answers() -> None:
    assert value(
        "spearman_ranks", tally([(TENTH, False), (FIRST, False), (SECOND, False), (WRONG, False)])
    ) == pytest.approx(1)
    assert value("spearman_ranks", tally([(SECOND, True), (FIRST, True)])) == pytest.approx(-1)


def test_the_first_is_called_correct_whatever_its_score() -> None:
    question = Question("q", "What is gout?", (FIRST, SECOND, WRONG))
    assert labelled(question, [0.1, 0.3, 0.2], 0.5) == [(SECOND, True), (WRONG, False), (FIRST, False)]
    assert labelled(question, [0.6, 0.3, 0.6], 0.5) == [(FIRST, True), (WRONG, True), (SECOND, False)]
    assert by_mean(question, [1.0, 2.0, 6.0]) == [(WRONG, True), (SECOND, False), (FIRST, False)]


def test_systems_are_compared_on_the_same_questions() -> None:
    good = [tally([(FIRST, True), (WRONG, False)])] * 12
    bad = [tally([(WRONG, True), (FIRST, False)])] * 12
    told = differences(good, bad)["accuracy"]
    assert told is not None
    assert (told.mean_difference, told.low, told.high, told.significant) == (1, 1, 1, True)
    same = differences(good, good)["MRR"]
    assert same is not None
    assert not same.significant
    assert differences(good, bad)["spearman"] is None


def test_the_order_of_the_files_has_the_figures_that_the_overview_prints(data_dir: Path) -> None:
    files = sorted((data_dir / "qa").glob("MEDIQA2019-Task3-QA-TrainingSet*.xml"))
    questions = load(files)
    assert (len(questions), sum(len(q.answers) for q in questions)) == (208, 1701)
    found = shares([tally(as_given(q)) for q in questions])
    figures = [found[name] for name in ("accuracy", "precision", "MRR")]
    assert [round(f.value, 3) for f in figures if f] == [0.373, 0.373, 0.691]


def test_questions_are_weighted_to_another_share_of_correct_answers() -> None:
    few, many = Question("a", "?", (FIRST, WRONG, WRONG, WRONG)), Question("b", "?", (FIRST, SECOND, TENTH, WRONG))
    weights = tilted([few, many], 0.5)
    assert weights == pytest.approx([1, 1])
    weights = tilted([few, many], 0.6)
    # 1/4 of the one's answers are correct and 3/4 of the other's: 0.3 times the one and 0.7 times the other give 0.6.
    assert weights == pytest.approx([0.6, 1.4])
    told = [tally([(a, True) for a in q.answers]) for q in (few, many)]
    found = shares(told, weights)["accuracy"]
    assert found is not None
    assert found.value == pytest.approx(0.6)
    assert tilted([few, many], 0.8) is None
    assert tilted([few, many], 0.2) is None
