"""Grade at the terminal what queries bring."""

from __future__ import annotations

from pathlib import Path
from shlex import quote

import click

from aspectra import console
from aspectra.annotation.answers import answers
from aspectra.annotation.grading import BOOK, Question, grade, questions, to_grade
from aspectra.annotation.screen import screen
from aspectra.console import command, say, settings, stage_bars
from aspectra.terminal import line
from ingest.ledger import Ledger
from search_stack.core.client import connect
from search_stack.core.errors import AspectraError
from search_stack.evaluation.datasets.judgments import Asked
from search_stack.evaluation.datasets.judgments import queries as asked_in
from search_stack.evaluation.tasks.judgments import DEPTH, pooled
from search_stack.index.engine import Engine
from search_stack.index.mapping import alias
from search_stack.query.tree import QueryError
from search_stack.retrieval.searcher import Searcher


@click.command()
@click.argument("queries", type=click.Path(path_type=Path))
@click.option("--depth", type=click.IntRange(1, 100), default=DEPTH, show_default=True, help="Passages of each system.")
@click.option("--seed", default=13, show_default=True, help="Of the order.")
@click.option(
    "--out", "target", type=click.Path(path_type=Path), help="File of the grades; QUERIES.judgments.tsv unless told."
)
@click.option(
    "--reading",
    type=click.IntRange(1, 2),
    default=1,
    show_default=True,
    help="2: grade what is in the file of the grades a second time, without seeing them.",
)
@command
def judge(queries: Path, depth: int, seed: int, target: Path | None, reading: int) -> None:
    """Grade the passages that QUERIES bring, by docs/judging.md: a file with a query a line, or tab-separated with the
    columns query, kind and need.

    The passages that any of six systems puts first are shown in an order that tells nothing of their ranks.
    A key is a grade, and it is written at once. Who starts again goes on where he stopped. The grades
    hold the queries, ids and offsets, no text of a note.
    """
    wanted = asked_in(queries)
    target = target or queries.with_name(f"{queries.name}.judgments.tsv")
    with answers(target, BOOK) as kept:
        pool = _pool(wanted, depth, seed)
        judged = {j.place for j in kept.of(reading)}
        todo = to_grade(pool, judged, {j.place for j in kept.of(1)} if reading == 2 else None)
        done = sum(q.places <= judged for q in pool)
        if not todo and not done:
            raise AspectraError("There is no passage to grade.", "Ingest notes, or write other queries.")
        left = len(todo)
        if todo:
            try:
                with screen(console.out) as terminal:
                    left = grade(todo, done, kept, reading, terminal)
            except KeyboardInterrupt:
                left = sum(not q.places <= {j.place for j in kept.of(reading)} for q in todo)
        _tell(queries, target, len(todo) - left, left, reading)


def _pool(wanted: list[Asked], depth: int, seed: int) -> list[Question]:
    config = settings()
    ledger = Ledger.from_settings(config)
    engine = Engine(connect(config), config, alias(config), ledger)
    searcher = Searcher.from_settings(config, ledger)
    found: list[Question] = []
    refused = 0
    with stage_bars() as progress:
        for number, asked in enumerate(wanted, 1):
            try:
                found += questions(asked, pooled(searcher, engine, asked.query, depth), seed)
            except QueryError:
                refused += 1
            progress("queries asked", number, len(wanted))
    if refused:
        say(f"{refused:,} queries could not be read, and are left out: aspectra understand tells why.")
    return found


def _tell(queries: Path, target: Path, judged: int, left: int, reading: int) -> None:
    say(f"{line(str(target))}: {judged:,} graded now, {left:,} left." + (" Start again to go on." if left else ""))
    say(f"Measure the ranking by it: aspectra evaluate judgments {quote(str(target))}")
    if reading == 1 and not left:
        file, out = quote(str(queries)), quote(str(target))
        say(f"Have a second reader grade it again: aspectra judge {file} --out {out} --reading 2")


COMMANDS = (judge,)
