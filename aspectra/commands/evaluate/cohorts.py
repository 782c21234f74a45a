"""Measure whether questions count the patients that readers of the notes say they have."""

from __future__ import annotations

from pathlib import Path

import click
from rich.table import Table

from aspectra.commands.evaluate import options
from aspectra.console import command, out, say, settings, stage_bars, write_figures
from aspectra.terminal import add_row, json_line
from ingest.ledger import Ledger
from search_stack.core.files import write_whole
from search_stack.evaluation.datasets.cohort_questions import CohortQuestion, load
from search_stack.evaluation.tasks.cohorts import OURS, WORDS, Answered, CohortsReport, check, evaluate, of_index
from search_stack.retrieval.searcher import Searcher


@click.command()
@options.data("Questions, as JSON lines of line, patients, and what may be debatable.")
@options.limit("Ask so many questions only.")
@click.option(
    "--wrong",
    "wrong_file",
    type=click.Path(path_type=Path),
    help="Write the questions that do not count exactly, with the ids that are wrong and missed.",
)
@options.figures()
@command
def cohorts(data: Path, limit: int | None, wrong_file: Path | None, json_file: Path | None) -> None:
    """Whether each question counts the patients that somebody who read the notes says it has, beside a search for its
    words. The notes are those of the index: ingest them first."""
    questions = load(data, limit)
    config = settings()
    ledger = Ledger.from_settings(config)
    meant = frozenset().union(*(q.patients | q.among for q in questions))
    check(questions, frozenset(ledger.people.numbers(sorted(meant))))
    searcher = Searcher.from_settings(config, ledger)
    with stage_bars() as progress:
        report = evaluate(questions, of_index(searcher, ledger.people.ids), progress)
    _print(report)
    if wrong_file:
        told = zip(questions, report.answered[OURS], strict=True)
        rows = [json_line(_told(q, a)) for q, a in told if not a.exact]
        write_whole(wrong_file, "".join(f"{row}\n" for row in rows), private=True)
    write_figures(json_file, {"data": data.name, **report.json()})


def _print(report: CohortsReport) -> None:
    title = f"Patients of {len(report.questions):,} questions"
    table = Table("system", "exact", "95 %", "F1", "precision", "recall", title=title)
    for system in report.answered:
        exact, of = report.exact(system), report.patients(system)
        ends = f"{exact.low:.3f} to {exact.high:.3f}"
        cells = (exact.value, report.f1(system), of.precision, of.recall)
        first, *rest = (f"{value:.3f}" for value in cells)
        add_row(table, system, first, ends, *rest)
    out.print(table)
    more_exact, more_f1 = report.minus(WORDS, lambda a: float(a.exact)), report.minus(WORDS, lambda a: a.f1)
    say(f"{OURS} minus {WORDS}: exact {more_exact}; F1 {more_f1}.")
    say("exact and F1: by question. precision and recall: of all patients of all questions.")
    if refused := report.refused(OURS):
        say(f"{refused:,} questions were refused, and count as wrong.")


def _told(question: CohortQuestion, answered: Answered) -> dict[str, object]:
    ids = {what: sorted(getattr(answered, what)) for what in ("wrong", "missed")}
    return {"line": question.line, **ids, "refused": answered.refused}


COMMANDS = (cohorts,)
