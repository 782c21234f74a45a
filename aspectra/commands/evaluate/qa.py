"""Measure how answers to questions are ordered and told right from wrong."""

from __future__ import annotations

from pathlib import Path

import click
from rich.table import Table

from aspectra.commands.evaluate import options
from aspectra.commands.evaluate.standard import Standard
from aspectra.console import command, out, say, settings, stage_bars, write_figures
from aspectra.qa_models import judge_of, need_bm25, qa_models, run_name
from search_stack.evaluation.answers import MEASURES, by_half, tally
from search_stack.evaluation.datasets import mediqa
from search_stack.evaluation.stacking import Stacked, all_features


@click.command()
@click.option(
    "--data",
    required=True,
    multiple=True,
    type=click.Path(path_type=Path),
    help="Questions with judged answers, as XML of MEDIQA 2019, task 3; several are read as one.",
)
@click.option(
    "--model",
    help="A bundle to use instead of the configured encoder or cross-encoder, by its kind; or OUT/model of "
    "`aspectra train qa-head`, as a system besides.",
)
@click.option(
    "--weights", type=click.Path(path_type=Path), help="What `aspectra train qa` wrote, instead of what is shipped."
)
@options.figures()
@command
def qa(data: tuple[Path, ...], model: str | None, weights: Path | None, json_file: Path | None) -> None:
    """Accuracy, precision, MRR and Spearman of answers ordered and labelled, beside BM25 and the order they came in."""
    need_bm25()
    from search_stack.evaluation.tasks.qa import report, systems

    questions, stacked = mediqa.load(data), Stacked.load(weights)
    judge = judge_of(model) if model else None
    encoder, reranker = qa_models(settings(), None if judge else model)
    with stage_bars() as progress:
        features = all_features(questions, encoder, reranker, progress)
    told = systems(questions, features, stacked)
    if judge and model:
        judged = zip(questions, judge(questions), strict=True)
        told[run_name(model)] = [tally(by_half(q, own)) for q, own in judged]
    found = report(questions, told)
    table = Table("system", *MEASURES, title=f"{found.questions:,} questions, {found.answers:,} answers")
    for name in found.systems:
        table.add_row(name, *(found.cell(name, measure) for measure in MEASURES))
    out.print(table)
    say("▲ above, ▼ below bm25 beyond chance: the 95 % interval over questions leaves 0 out (paired bootstrap).")
    for measure, value in found.systems["stacked"].items():
        say(f"stacked, {measure}: {value or '–'}; minus bm25 {found.intervals['stacked'][measure] or '–'}")
    say("as given: the order of the files, all called correct. bm25, cosine: correct from their question's mean on.")
    if (stacked.encoder, stacked.reranker) != (encoder.manifest.identity, reranker.manifest.identity):
        say("stacked was fitted over other models than these: fit it anew, aspectra train qa.")
    write_figures(json_file, {"data": [file.name for file in data], **found.json()})


COMMANDS = (qa,)
FOR_ALL = tuple(
    Standard(f"qa/MEDIQA2019-Task3-QA-{part}*.xml", ("systems/*/*", "intervals/stacked/*"))
    for part in ("Validation", "Test")
)
