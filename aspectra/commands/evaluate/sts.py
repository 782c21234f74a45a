"""Measure how alike models find two sentences."""

from __future__ import annotations

from pathlib import Path

import click
from rich.table import Table

from aspectra.commands.evaluate import options
from aspectra.commands.evaluate.standard import Standard
from aspectra.console import command, out, say, settings, write_figures
from aspectra.note_texts import note_texts
from aspectra.qa_models import need_bm25
from search_stack.core.errors import AspectraError
from search_stack.evaluation.datasets import sentence_pairs
from search_stack.evaluation.datasets.gold import PARTS, Part
from search_stack.evaluation.minimal_pairs import measuring
from search_stack.language.labeller import Labeller
from search_stack.language.lexicon.load import load_lexicon

MOST = 400
"""Triples of a kind, where no limit is given."""


@click.command()
@options.data(
    "Pairs of sentences with a score: STS-B's columns, or two sentences and a score, by tabs or as CSV. "
    "--minimal-pairs: the folder of the shared data, or a site's notes as JSON lines of id and text."
)
@click.option(
    "--model",
    "models",
    multiple=True,
    help="A bundle of an encoder or a cross-encoder, or OUT/model of a run, instead of what is shipped; of several, "
    "the mean too.",
)
@click.option(
    "--minimal-pairs",
    "minimal",
    is_flag=True,
    help="Sentences of notes against others: is a synonym nearer than another finding, affirmed nearer than denied, "
    "left than right, 10 mg than 100 mg, the mother than the patient?",
)
@click.option(
    "--part", type=click.Choice(PARTS), default="dev", help="--minimal-pairs: of the notes; train is trained with."
)
@options.limit("Read so many pairs only; --minimal-pairs: of each kind so many triples.")
@options.figures()
@command
def sts(
    data: Path, models: tuple[str, ...], minimal: bool, part: Part, limit: int | None, json_file: Path | None
) -> None:
    """Pearson's and Spearman's correlation with how alike people find two sentences, beside word overlap, BM25 and the
    encoder that serves; or, with --minimal-pairs, how often what says the same is found more alike."""
    need_bm25()
    if minimal:
        _minimal_pairs(data, models, part, limit or MOST, json_file)
        return
    from aspectra.similarity_models import all_scores
    from search_stack.evaluation.tasks import sts as task

    read = sentence_pairs.load(data, limit)
    scores = all_scores(read.pairs, models, settings())
    report = task.report(read.pairs, scores)
    table = Table("system", *task.MEASURES, title=f"{report.pairs:,} pairs")
    for name, told in report.systems.items():
        table.add_row(name, *map(str, told.values()))
    out.print(table)
    say(f"Read as {read.form}. In brackets the 95 % interval over pairs.")
    asked = list(scores)[-1]
    for measure, interval in report.intervals[asked].items():
        say(f"{asked} minus bm25, {measure}: {interval}")
    figures = {measure: told.value for measure, told in report.systems[asked].items()}
    write_figures(json_file, {"data": data.name, "form": read.form, "model": asked, **figures, **report.json()})


def _minimal_pairs(data: Path, models: tuple[str, ...], part: Part, limit: int, json_file: Path | None) -> None:
    from aspectra.similarity_models import all_scores
    from search_stack.evaluation.tasks import minimal_pairs as task

    triples = measuring(note_texts(data), Labeller(load_lexicon(settings().lexicon_folder), None), part, limit)
    if not triples:
        raise AspectraError(f"{data}: no sentence of the part {part} gives a triple.", "Name a folder with more notes.")
    scores = all_scores(task.pairs_of(triples), models, settings())
    report = task.report(triples, scores)
    table = Table(
        "system", *(f"{g} ({report.triples[g]:,})" for g in task.GROUPS), title=f"{report.notes:,} notes, {part}"
    )
    for name, told in report.systems.items():
        table.add_row(name, *(str(told[g] or "–") for g in task.GROUPS))
    out.print(table)
    say(
        "Share of triples in the right order, in brackets the 95 % interval over notes. apart: those with wordings that"
    )
    say("nothing is trained with.")
    asked = list(scores)[-1]
    say(f"{asked} minus bm25, all: {report.intervals[asked][task.ALL]}")
    write_figures(json_file, {"data": data.name, "part": part, "model": asked, **report.json()})


COMMANDS = (sts,)
FOR_ALL = tuple(Standard(data, ("systems/*/*", "intervals/encoder/*")) for data in ("sts/*_dev.csv", "sts/*_test.csv"))
