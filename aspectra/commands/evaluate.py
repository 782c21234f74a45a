"""Measure models and rules on labelled data."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import click
from rich.progress import TaskID

from aspectra.commands.evaluate_assertion import assertion
from aspectra.commands.evaluate_findings import findings
from aspectra.commands.evaluate_sections import aspects, sections
from aspectra.console import command, counting_bar, out, settings
from search_stack.client import connect
from search_stack.context import Part
from search_stack.evaluation import entity_aspect
from search_stack.evaluation.entity_aspect import EntityAspectData
from search_stack.evaluation.measures import STANDARD
from search_stack.evaluation.report import RetrievalReport, retrieval_report
from search_stack.evaluation.retrieval import Candidates, rank_all, sample
from search_stack.inference.models import Encoder, Reranker
from search_stack.settings import Settings

COLUMNS: dict[str, tuple[Part, ...]] = {"alone": (), "context": ("lead",), "title": ("title", "lead")}
"""What the systems read of each passage."""
TITLES = {
    "alone": "Passages alone",
    "context": "Passages with the opening words of their document",
    "title": "Passages with title and opening words of their document",
}
MAIN = "context"
"""The column whose figures also stand at the top of the JSON."""


@click.group()
def evaluate() -> None:
    """Measure models and rules on labelled data, beside a baseline in the same run."""


@evaluate.command()
@click.option("--data", required=True, type=click.Path(path_type=Path), help="File in the entity/aspect format.")
@click.option("--candidates", default="bm25:64", help="bm25:N ranks BM25's first N and every answer; corpus, all.")
@click.option(
    "--context",
    type=click.Choice([*COLUMNS, "all"]),
    default="all",
    help="What every system reads of each passage: the passage alone, with the opening words of its document, with its "
    "title too, or each in turn.",
)
@click.option("--model", help="Cross-encoder bundle to rerank with, instead of the configured one.")
@click.option("--limit", type=click.IntRange(min=1), help="Rank so many queries only, drawn with a fixed seed.")
@click.option("--json", "json_file", type=click.Path(path_type=Path), help="Write the figures to this file.")
@command
def retrieval(
    data: Path, candidates: str, context: str, model: str | None, limit: int | None, json_file: Path | None
) -> None:
    """BM25, bi-encoder, hybrid, and hybrid + rerank: R@1, R@5, R@10, MRR, MAP, nDCG@10.

    The file with --json holds each column; its top holds the one with context and without title.
    """
    config = settings()
    if model is not None:
        config = config.model_copy(update={"reranker_bundle": model})
    wanted = Candidates.parse(candidates)
    loaded = entity_aspect.load(data)
    queries = sample(loaded, limit)
    reports = {}
    for column in COLUMNS if context == "all" else (context,):
        reports[column] = _measured(loaded, queries, wanted, COLUMNS[column], config)
        out.print(reports[column].table(TITLES[column]))
    if json_file:
        main = reports.get(MAIN) or next(iter(reports.values()))
        columns = {column: report.json() for column, report in reports.items()}
        figures = {"data": loaded.name, "candidates": candidates, **main.json(), "columns": columns}
        json_file.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")


def _measured(
    data: EntityAspectData,
    queries: Sequence[entity_aspect.Query],
    candidates: Candidates,
    parts: Sequence[Part],
    config: Settings,
) -> RetrievalReport:
    client, encoder, reranker = connect(config), Encoder.from_settings(config), Reranker.from_settings(config)
    with counting_bar() as bar:
        tasks: dict[str, TaskID] = {}

        def progress(what: str, done: int, total: int) -> None:
            if what not in tasks:
                tasks[what] = bar.add_task(what, total=total)
            bar.update(tasks[what], completed=done)

        runs, qrels = rank_all(data, queries, candidates, parts, client, encoder, reranker, config, progress)
    return retrieval_report(runs, qrels, STANDARD)


for measured in (sections, aspects, assertion, findings):
    evaluate.add_command(measured)

COMMANDS = (evaluate,)
