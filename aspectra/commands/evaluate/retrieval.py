"""Measure retrieval: our systems and trained models beside BM25."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from aspectra.commands.evaluate import options
from aspectra.commands.evaluate.standard import Standard
from aspectra.console import command, need_torch, out, say, settings, stage_bars, write_figures, write_text
from search_stack.core.client import connect
from search_stack.core.context import Part
from search_stack.core.promoted import field_of
from search_stack.core.settings import Settings
from search_stack.evaluation import trec
from search_stack.evaluation.candidates import Candidates
from search_stack.evaluation.datasets import entity_aspect
from search_stack.evaluation.datasets.entity_aspect import EntityAspectData, Query
from search_stack.evaluation.datasets.wording import WORDINGS, Wording, worded
from search_stack.evaluation.groups import group_table
from search_stack.evaluation.measures import STANDARD
from search_stack.evaluation.pages import html, markdown
from search_stack.evaluation.systems import RankedSystems, Ranker, rank_systems
from search_stack.evaluation.tasks.retrieval import READINGS, evaluate, figures, sample
from search_stack.inference.bundle import kind_of
from search_stack.inference.models import Encoder, Reranker


@click.command()
@options.data("File in the entity/aspect format.")
@click.option("--candidates", default="bm25:64", help="bm25:N ranks BM25's first N and every answer; corpus, all.")
@click.option(
    "--context",
    type=click.Choice([*READINGS, "all"]),
    default="all",
    help="What every system reads of each passage: the passage alone, with the opening words of its document, with its "
    "title too, or each in turn.",
)
@click.option(
    "--queries",
    "wording",
    type=click.Choice(WORDINGS),
    default="asked",
    help='As asked, or as "entity ; heading", as the papers on contextual discourse vectors ask.',
)
@click.option(
    "--model",
    "models",
    multiple=True,
    help="A bundle to use instead of the configured encoder or cross-encoder, by its kind; or OUT/model of a training "
    "run of whatever architecture, as a system besides.",
)
@click.option("--by", type=click.Choice(["aspect", "source"]), help="R@1 for each aspect or source, too.")
@options.limit("Rank so many queries only, drawn with a fixed seed.")
@options.figures()
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
    wording: Wording,
    models: tuple[str, ...],
    by: str | None,
    limit: int | None,
    json_file: Path | None,
    folder: Path | None,
) -> None:
    """BM25, TF-IDF, bi-encoder, hybrid, and hybrid + rerank: R@1, R@5, R@10, MRR, MAP, nDCG@10, Success@1.

    The file with --json holds each column; its top holds the one with context and without title.
    """
    config, others = _with_models(settings(), models)
    wanted = Candidates.parse(candidates)
    loaded = worded(entity_aspect.load(data), wording)
    queries = sample(loaded, limit)
    readings = {}
    for name in READINGS if context == "all" else (context,):
        found = ranked(loaded, queries, wanted, READINGS[name].parts, config, others)
        readings[name] = one = evaluate(loaded, queries, found, name)
        out.print(one.report.table(one.title))
        if by:
            out.print(group_table(one.groups[by], by, STANDARD[0].name))
        if folder:
            trec.write_folder(folder, name, found.rankings, found.qrels)
    write_figures(json_file, {"queries_worded": wording, **figures(loaded.name, candidates, readings)})
    if folder:
        write_text(folder / "report.html", html(loaded.name, candidates, list(readings.values())))
        write_text(folder / "report.md", markdown(loaded.name, candidates, list(readings.values())))
        say(f"{folder / 'report.html'}: tables, charts and the worst queries; report.md, runs and qrels beside it.")


def _with_models(config: Settings, models: Sequence[str]) -> tuple[Settings, dict[str, Ranker]]:
    """The settings with the bundles among ``models``, and the others by name."""
    others: dict[str, Ranker] = {}
    for model in models:
        kind = kind_of(model)
        if kind is not None:
            config = config.model_copy(update={field_of(kind, model): model})
            continue
        need_torch("Evaluating a model that is not exported")
        from encoders.peers.rankers import ModelRanker

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
) -> RankedSystems:
    """Rankings of every system, with a bar."""
    client, encoder, reranker = connect(config), Encoder.from_settings(config), Reranker.from_settings(config)
    with stage_bars() as progress:
        return rank_systems(data, queries, candidates, parts, client, encoder, reranker, config, progress, others)


COMMANDS = (retrieval,)
FOR_ALL = tuple(
    Standard(data, ("systems/*/R@1", "systems/*/MRR", "intervals/*/R@1"), ("--limit", "400"))
    for data in ("entity_aspect/*_dev.json", "entity_aspect/*_test.json")
)
