"""Measure retrieval: our systems and trained models beside BM25, and runs that were kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import click

from aspectra.console import command, need_torch, out, say, settings, stage_bars, write_figures, write_text
from search_stack.client import connect
from search_stack.context import Part
from search_stack.errors import AspectraError
from search_stack.evaluation import entity_aspect, trec
from search_stack.evaluation.entity_aspect import EntityAspectData, Query
from search_stack.evaluation.errors import worst_queries
from search_stack.evaluation.groups import by_group, group_table, groups_of
from search_stack.evaluation.measures import STANDARD
from search_stack.evaluation.pages import Column, html, markdown
from search_stack.evaluation.report import retrieval_report
from search_stack.evaluation.retrieval import Candidates, Ranker, Rankings, rank_all, sample
from search_stack.inference.bundle import kind_of
from search_stack.inference.models import Encoder, Reranker
from search_stack.promoted import FIELD
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


@click.command()
@click.option("--data", required=True, type=click.Path(path_type=Path), help="File in the entity/aspect format.")
@click.option("--candidates", default="bm25:64", help="bm25:N ranks BM25's first N and every answer; corpus, all.")
@click.option(
    "--context",
    type=click.Choice([*COLUMNS, "all"]),
    default="all",
    help="What every system reads of each passage: the passage alone, with the opening words of its document, with its "
    "title too, or each in turn.",
)
@click.option(
    "--model",
    "models",
    multiple=True,
    help="A bundle to use instead of the configured encoder or cross-encoder, by its kind; or OUT/model of a training "
    "run of whatever architecture, as a system besides.",
)
@click.option("--by", type=click.Choice(["aspect", "source"]), help="R@1 for each aspect or source, too.")
@click.option("--limit", type=click.IntRange(min=1), help="Rank so many queries only, drawn with a fixed seed.")
@click.option("--json", "json_file", type=click.Path(path_type=Path), help="Write the figures to this file.")
@click.option(
    "--report",
    "folder",
    type=click.Path(path_type=Path),
    help="Write a page with the worst queries, tables in Markdown, and TREC's runs and qrels to this folder.",
)
@command
def retrieval(
    data: Path,
    candidates: str,
    context: str,
    models: tuple[str, ...],
    by: str | None,
    limit: int | None,
    json_file: Path | None,
    folder: Path | None,
) -> None:
    """BM25, bi-encoder, hybrid, and hybrid + rerank: R@1, R@5, R@10, MRR, MAP, nDCG@10.

    The file with --json holds each column; its top holds the one with context and without title.
    """
    config, others = _with_models(settings(), models)
    wanted = Candidates.parse(candidates)
    loaded = entity_aspect.load(data)
    queries = sample(loaded, limit)
    groups = groups_of(loaded, queries)
    columns = {}
    for name in COLUMNS if context == "all" else (context,):
        found = ranked(loaded, queries, wanted, COLUMNS[name], config, others)
        report = retrieval_report(found.runs, found.qrels, STANDARD, costs=found.costs)
        out.print(report.table(TITLES[name]))
        grouped = by_group(report.per_query, groups)
        if by:
            out.print(group_table(grouped[by], by, STANDARD[0].name))
        compared = (list(found.runs)[-1], report.baseline)
        worst = worst_queries(found.runs, compared, found.qrels, queries, found.texts)
        columns[name] = Column(name, TITLES[name], report, grouped, worst, compared)
        if folder:
            _keep_runs(folder, name, found)
    write_figures(json_file, _figures(loaded.name, candidates, columns))
    if folder:
        write_text(folder / "report.html", html(loaded.name, candidates, list(columns.values())))
        write_text(folder / "report.md", markdown(loaded.name, candidates, list(columns.values())))
        say(f"{folder / 'report.html'}: tables, charts and the worst queries; report.md, runs and qrels beside it.")


@click.command()
@click.option("--qrels", required=True, type=click.Path(path_type=Path), help="Relevance judgements in TREC's format.")
@click.option("--run", "runs", required=True, multiple=True, type=click.Path(path_type=Path), help="A run; repeat it.")
@click.option("--json", "json_file", type=click.Path(path_type=Path), help="Write the figures to this file.")
@command
def trec_files(qrels: Path, runs: tuple[Path, ...], json_file: Path | None) -> None:
    """Runs in TREC's files against relevance judgements; the first run is the baseline."""
    named = {run.stem: trec.read_run(run) for run in runs}
    if len(named) < len(runs):
        raise AspectraError("Two runs have the same file name.", "The name tells them apart: rename one.")
    report = retrieval_report(named, trec.read_qrels(qrels), STANDARD, baseline=runs[0].stem)
    out.print(report.table())
    write_figures(json_file, report.json())


def _with_models(config: Settings, models: Sequence[str]) -> tuple[Settings, dict[str, Ranker]]:
    """The settings with the bundles among ``models``, and the others by name."""
    others: dict[str, Ranker] = {}
    for model in models:
        kind = kind_of(model)
        if kind is not None:
            config = config.model_copy(update={FIELD[kind]: model})
            continue
        need_torch("Evaluating a model that is not exported")
        from encoders.rankers import ModelRanker

        folder = Path(model)
        name = folder.parent.name if folder.name == "model" else folder.name
        others[name] = ModelRanker.load(folder)
    return config, others


def ranked(
    data: EntityAspectData,
    queries: Sequence[Query],
    candidates: Candidates,
    parts: Sequence[Part],
    config: Settings,
    others: dict[str, Ranker],
) -> Rankings:
    """Rankings of every system, with a bar."""
    client, encoder, reranker = connect(config), Encoder.from_settings(config), Reranker.from_settings(config)
    with stage_bars() as progress:
        return rank_all(data, queries, candidates, parts, client, encoder, reranker, config, progress, others)


def _figures(data: str, candidates: str, columns: dict[str, Column]) -> dict[str, object]:
    main = columns.get(MAIN) or next(iter(columns.values()))
    each = {
        name: {
            **c.report.json(),
            "groups": {kind: {group: asdict(g) for group, g in named.items()} for kind, named in c.groups.items()},
        }
        for name, c in columns.items()
    }
    return {"data": data, "candidates": candidates, **main.report.json(), "columns": each}


def _keep_runs(folder: Path, column: str, found: Rankings) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as e:
        raise AspectraError(f"{folder}: cannot be made ({e.strerror}).", "Choose another --report folder.") from e
    trec.write_qrels(folder / "qrels.txt", found.qrels)
    for system, run in found.runs.items():
        trec.write_run(folder / f"{column}-{system}.run", run, system)
