"""Time our parts beside a named peer, in one run."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any

import click
from rich.table import Table

from aspectra.console import command, out, say, settings, stage_bars, write_figures
from aspectra.terminal import add_row
from search_stack.core.client import connect
from search_stack.core.errors import AspectraError
from search_stack.core.schema import Note
from search_stack.core.settings import Settings
from search_stack.evaluation.bench.passages import QUERIES, drawn, of_notes
from search_stack.evaluation.datasets.entity_aspect import load
from search_stack.inference.models import Encoder

TABLES = (
    (
        "Trees, by criteria",
        ("tree", "patients", "cold ms", "p95", "warm ms", "p95", "requests", "MB sent", "MB read"),
    ),
    (
        "Passages of a cohort: a bitmap beside a list of ids",
        ("patients", "ms", "list ms", "times", "kB sent", "list kB"),
    ),
    ("Patients of a finding: the engine's cardinality", ("exact", "estimate", "error %", "ms", "p95")),
)


@click.group()
def bench() -> None:
    """Time our parts beside a named peer in one run: the ratio counts, machines differ."""


def _options(function: Callable[..., None]) -> Callable[..., None]:
    function = click.option("--json", "json_file", type=click.Path(path_type=Path), help="Write the figures to it.")(
        function
    )
    return click.option("--runs", type=click.IntRange(min=3), default=9, help="Counted runs of each.")(function)


def _data(function: Callable[..., None]) -> Callable[..., None]:
    return click.option(
        "--data", type=click.Path(path_type=Path), help="Entity/aspect file to take passages from; else the demo notes."
    )(function)


def _passages(config: Settings, data: Path | None, count: int) -> list[str]:
    """``count`` passages of ``data``, else of the demo notes."""
    if data:
        return drawn([p.text for p in load(data).passages], count)
    from ingest.demo import demo_notes

    return drawn(list(of_notes(demo_notes(), Encoder.from_settings(config), config.passage_tokens)), count)


def _need_peer() -> None:
    try:
        import sentence_transformers  # noqa: F401
    except ModuleNotFoundError as e:
        raise AspectraError("The peer is not installed.", "Install it: pip install 'aspectra[bench]'") from e


def _show(figures: dict[str, Any], json_file: Path | None) -> None:
    out.print(f"[bold]{figures['speedup']:.2f} times[/] as fast as {figures['peer']}")
    for name, value in figures.items():
        if name not in ("speedup", "peer"):
            out.print(f"  {name}: {value}")
    write_figures(json_file, figures)


def _show_cohorts(figures: dict[str, Any]) -> None:
    trees, lists, estimates = (
        Table(*names, box=None, pad_edge=False, title=title, title_justify="left") for title, names in TABLES
    )
    for one in figures["trees"]:
        cold = one["cold"]
        moved = (f"{cold[name] / 1e6:.1f}" for name in ("sent_bytes", "received_bytes"))
        spread = (*_spread(cold), *_spread(one["warm"]))
        add_row(trees, one["tree"], f"{one['patients']:,}", *spread, str(cold["requests"]), *moved)
    for one in figures["ids"]:
        sent = (f"{one[name] / 1e3:,.1f}" for name in ("ours_sent_bytes", "peer_sent_bytes"))
        times = f"{one['speedup']:.2f} ({one['speedup_min']:.2f} to {one['speedup_max']:.2f})"
        add_row(lists, f"{one['patients']:,}", f"{one['ours_ms']:.1f}", f"{one['peer_ms']:.1f}", times, *sent)
    for one in figures["cardinality"]:
        add_row(
            estimates, f"{one['patients']:,}", f"{one['estimate']:,}", f"{one['error_percent']:+.2f}", *_spread(one)
        )
    for table in (trees, lists, estimates):
        out.print(table)
        out.print()
    read, memory = figures["criterion"], figures["memory"]
    more = (one["cold"]["requests"] - one["without_attrition"]["requests"] for one in figures["trees"])
    say(f"A criterion of {read['pairs']:,} rows: {read['p50_ms']:.0f} ms, {read['p95_ms']:.0f} at the 95th percentile.")
    say(f"Requests that attrition adds: {', '.join(map(str, more))}.")
    say(f"Memory of the process: {memory['before_mb']} MB before, {memory['peak_mb']} at most.")


def _show_page(figures: dict[str, Any]) -> None:
    table = Table("order", "ms", "p95", "longest", "engine ms", "times", "goal ms", "within", box=None, pad_edge=False)
    for order in ("first", "final"):
        one = figures[order]
        spent = (f"{one[name]:.0f}" for name in ("ours_ms", "ours_p95_ms", "ours_max_ms"))
        times = f"{one['times_peer']:.1f} ({one['times_peer_min']:.1f} to {one['times_peer_max']:.1f})"
        within = f"{one['within_goal']:.0%}"
        add_row(table, order, *spent, f"{one['peer_ms']:.1f}", times, f"{one['goal_ms']:.0f}", within)
    out.print(table)
    say(
        f"{figures['queries']} queries over {figures['passages']:,} passages, {figures['read_closely']} of them read "
        f"closely; {figures['first']['runs']} turns, at a load of {figures['load']}."
    )


def _spread(timed: dict[str, Any]) -> tuple[str, str]:
    return f"{timed['p50_ms']:.0f}", f"{timed['p95_ms']:.0f}"


@bench.command()
@click.option("--passages", "count", type=click.IntRange(min=1), default=64)
@_data
@_options
@command
def rerank(count: int, data: Path | None, runs: int, json_file: Path | None) -> None:
    """The reranker beside sentence-transformers' CrossEncoder, same weights in fp32."""
    _need_peer()
    from encoders.peers.bench import bench_rerank

    config = settings()
    _show(bench_rerank(config, QUERIES[1], _passages(config, data, count), runs), json_file)


@bench.command()
@click.option("--passages", "count", type=click.IntRange(min=1), default=256)
@_data
@_options
@command
def encode(count: int, data: Path | None, runs: int, json_file: Path | None) -> None:
    """The encoder beside sentence-transformers' SentenceTransformer, same weights in fp32."""
    _need_peer()
    from encoders.peers.bench import bench_encode

    config = settings()
    _show(bench_encode(config, _passages(config, data, count), runs), json_file)


@bench.command()
@click.option("--notes", "count", type=click.IntRange(min=1), default=100, help="Demo notes to ingest.")
@_options
@command
def ingest(count: int, runs: int, json_file: Path | None) -> None:
    """The whole path of a note in one process, beside the raw engine's bulk writing of the same documents."""
    from ingest.bench import bench_ingest
    from ingest.demo import demo_notes

    config = settings()
    notes = list(demo_notes())[:count]
    _show(bench_ingest(config, connect(config), notes, runs), json_file)


@bench.command()
@_options
@command
def search(runs: int, json_file: Path | None) -> None:
    """The first stage over the live index, beside the engine's own hybrid query."""
    from search_stack.evaluation.bench.search import bench_search

    config = settings()
    _show(bench_search(config, connect(config), QUERIES, runs), json_file)


@bench.command()
@_options
@command
def page(runs: int, json_file: Path | None) -> None:
    """The running page's search, first and final order, beside the engine's BM25 request alone."""
    from search_stack.evaluation.bench.page import bench_page

    config = settings()
    figures = bench_page(config, connect(config), QUERIES, runs)
    _show_page(figures)
    write_figures(json_file, figures)


@bench.command()
@click.option("--patients", type=click.IntRange(min=1), default=10_000)
@click.option("--passages", type=click.IntRange(min=1), default=100_000, help="Two of each note on average.")
@_options
@command
def cohorts(patients: int, passages: int, runs: int, json_file: Path | None) -> None:
    """Cohorts over a synthetic index, beside lists of ids and the engine's estimate of a number of patients."""
    from ingest.bench_cohorts import bench_cohorts

    config = settings()
    with stage_bars() as progress:
        figures = bench_cohorts(config, connect(config), patients, passages, runs, progress)
    _show_cohorts(figures)
    write_figures(json_file, figures)


@bench.command("spacy")
@click.option("--data", type=click.Path(path_type=Path), help="Notes as `ingest` reads them; else the demo notes.")
@click.option("--notes", "count", type=click.IntRange(min=1), default=300, help="So many of them, the first ones.")
@_options
@command
def spacy_pipeline(data: Path | None, count: int, runs: int, json_file: Path | None) -> None:
    """A spaCy pipeline with our component, beside the labeller alone."""
    try:
        from aspectra.spacy_bench import bench_spacy
    except ModuleNotFoundError as e:
        raise AspectraError("spaCy is not installed.", "Install it: pip install 'aspectra[spacy]'") from e
    from ingest.demo import demo_notes
    from ingest.readers import open_source

    folder = settings().lexicon_folder
    items = (r.item for r in open_source(data)) if data else iter(demo_notes())
    texts = [note.text for note in islice((i for i in items if isinstance(i, Note)), count)]
    if not texts:
        raise AspectraError(f"{data} holds no notes.", "Name a file that aspectra ingest takes.")
    _show(bench_spacy(texts, folder if folder.is_dir() else None, runs), json_file)


COMMANDS = (bench,)
