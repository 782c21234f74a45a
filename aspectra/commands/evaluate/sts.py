"""Measure how alike models find two sentences."""

from __future__ import annotations

from pathlib import Path

import click
from rich.table import Table

from aspectra.commands.evaluate import options
from aspectra.commands.evaluate.standard import Standard
from aspectra.console import command, out, say, settings, write_figures
from aspectra.qa_models import need_bm25
from search_stack.core.errors import AspectraError
from search_stack.evaluation.datasets import sentence_pairs
from search_stack.inference.bundle import read_manifest
from search_stack.inference.models import Encoder


@click.command()
@options.data("Pairs of sentences with a score: STS-B's columns, or two sentences and a score, by tabs or as CSV.")
@click.option("--model", help="A bundle of an encoder to use instead of the configured one.")
@options.limit("Read so many pairs only.")
@options.figures()
@command
def sts(data: Path, model: str | None, limit: int | None, json_file: Path | None) -> None:
    """Pearson's and Spearman's correlation with how alike people find two sentences, beside word overlap and BM25."""
    need_bm25()
    from search_stack.evaluation.tasks import sts as task

    read = sentence_pairs.load(data, limit)
    config = settings()
    if model:
        if (kind := read_manifest(model).kind) != "bi":
            raise AspectraError(f"{model} is no encoder but of the kind {kind}.", "Name an encoder.")
        config = config.model_copy(update={"encoder_bundle": model})
    encoder = Encoder.from_settings(config)
    scores = {
        "overlap": task.overlap(read.pairs),
        "bm25": task.bm25(read.pairs),
        "encoder": task.cosine(read.pairs, encoder.encode),
    }
    report = task.report(read.pairs, scores)
    table = Table("system", *task.MEASURES, title=f"{report.pairs:,} pairs")
    for name, told in report.systems.items():
        table.add_row(name, *map(str, told.values()))
    out.print(table)
    say(f"Read as {read.form}. In brackets the 95 % interval over pairs.")
    for measure, interval in report.intervals["encoder"].items():
        say(f"encoder minus bm25, {measure}: {interval}")
    write_figures(json_file, {"data": data.name, "form": read.form, **report.json()})


COMMANDS = (sts,)
FOR_ALL = tuple(Standard(data, ("systems/*/*", "intervals/encoder/*")) for data in ("sts/*_dev.csv", "sts/*_test.csv"))
