"""Measure how well entailed questions are told from others."""

from __future__ import annotations

from pathlib import Path

import click
from rich.table import Table

from aspectra.commands.evaluate import options
from aspectra.commands.evaluate.standard import Standard
from aspectra.console import command, out, say, settings, write_figures
from aspectra.qa_models import qa_models
from search_stack.core.errors import AspectraError
from search_stack.evaluation.datasets import question_pairs
from search_stack.evaluation.tasks import rqe as task


@click.command()
@options.data("Pairs of a long question and a short one, entailed or not, as XML of RQE.")
@click.option(
    "--train",
    type=click.Path(path_type=Path),
    help="Choose the thresholds anew on these other pairs; needed with other models than the shipped ones.",
)
@click.option("--model", help="A bundle to use instead of the configured encoder or cross-encoder, by its kind.")
@options.figures()
@command
def rqe(data: Path, train: Path | None, model: str | None, json_file: Path | None) -> None:
    """Accuracy of telling whether a long question entails a short one, beside what most pairs are."""
    pairs = question_pairs.load(data)
    others = question_pairs.load(train, whole=False) if train else []
    encoder, reranker = qa_models(settings(), model)
    identities = encoder.manifest.identity, reranker.manifest.identity
    if others:
        learnt = task.learn(others, task.scores(others, encoder, reranker), *identities)
    elif identities != ((learnt := task.Learnt.shipped()).encoder, learnt.reranker):
        raise AspectraError(
            "The shipped thresholds are of other models.", "Choose them on training pairs: --train FILE."
        )
    found = task.report(pairs, task.scores(pairs, encoder, reranker), learnt)
    table = Table("system", "accuracy", "threshold", title=f"{found.pairs:,} pairs, {found.entailed:.3f} entailed")
    for name, value in found.systems.items():
        at = learnt.thresholds.get(name)
        table.add_row(name, str(value), "–" if at is None else f"{at:.3f}")
    out.print(table)
    say(
        "In brackets the 95 % interval over long questions. Thresholds were chosen on other pairs, where "
        f"{found.best} was right most often."
    )
    for name, interval in found.intervals.items():
        say(f"{name} minus {task.BASELINE}: {interval or '–'}")
    write_figures(json_file, {"data": data.name, **found.json(), "learnt": learnt.model_dump()})


COMMANDS = (rqe,)
FOR_ALL = (Standard("qa/RQE_Test*.xml", ("systems/*", "intervals/*")),)
