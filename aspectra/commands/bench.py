"""Time our parts beside a named peer, in one run."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from aspectra.console import command, out, settings, write_figures
from search_stack.client import connect
from search_stack.errors import AspectraError
from search_stack.inference.models import Encoder
from search_stack.settings import Settings

SEED = 13
QUERIES = (
    "pleural effusion",
    "pneumothorax after pacemaker",
    "no acute cardiopulmonary abnormality",
    "family history of breast cancer",
    "shortness of breath on exertion",
    "chest pain radiating to the left arm",
    "deep vein thrombosis anticoagulation",
    "nodule right upper lobe follow-up",
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
    """``count`` passages drawn with a fixed seed."""
    if data:
        from search_stack.evaluation.entity_aspect import load

        texts = [p.text for p in load(data).passages]
    else:
        from ingest.demo import demo_notes
        from ingest.passages import passages
        from ingest.sections import sections

        encoder = Encoder.from_settings(config)
        texts = []
        for note in demo_notes():
            found = passages(note.text, sections(note.text), encoder.count_tokens, config.passage_tokens)
            texts += [p.text for p in found]
    if len(texts) < count:
        raise AspectraError(f"There are {len(texts)} passages, and {count} are wanted.", "Give a larger file.")
    return random.Random(SEED).sample(texts, count)


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


@bench.command()
@click.option("--passages", "count", type=click.IntRange(min=1), default=64)
@_data
@_options
@command
def rerank(count: int, data: Path | None, runs: int, json_file: Path | None) -> None:
    """The reranker beside sentence-transformers' CrossEncoder, same weights in fp32."""
    _need_peer()
    from encoders.bench import bench_rerank

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
    from encoders.bench import bench_encode

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
    from search_stack.bench import bench_search

    config = settings()
    _show(bench_search(config, connect(config), QUERIES, runs), json_file)


COMMANDS = (bench,)
