"""The bundles that are there: list them, put one into service, compare two."""

from __future__ import annotations

from pathlib import Path

import click
from rich.table import Column, Table
from rich.text import Text

from aspectra.commands.evaluate import options
from aspectra.commands.evaluate.retrieval import ranked
from aspectra.console import command, counting_bar, given_settings, out, say, settings, write_figures
from aspectra.promotion import bundles, size
from aspectra.promotion import use as promote
from search_stack.core.errors import AspectraError
from search_stack.core.promoted import FIELD, field_of
from search_stack.evaluation.candidates import Candidates
from search_stack.evaluation.datasets import entity_aspect
from search_stack.evaluation.measures import STANDARD
from search_stack.evaluation.report import retrieval_report
from search_stack.evaluation.tasks.retrieval import MAIN, READINGS, sample
from search_stack.inference.bundle import folder_of, read_manifest
from search_stack.language.arbiter import reader_of

SYSTEM = {"bi": "bi", "cross": "rerank"}


@click.group()
def models() -> None:
    """The bundles that are there: list them, put one into service, compare two."""


@models.command("list")
@command
def list_models() -> None:
    """Bundles that came with the program, and those that `use` has kept."""
    config = settings()
    named = [getattr(config, field) for field in FIELD.values() if getattr(config, field)]
    named.append(reader_of(config.lexicon_folder).bundle)
    serving = {str(folder_of(name)) for name in named}
    known = dict.fromkeys([*bundles(config), *named])
    manifests = {name: read_manifest(name) for name in known}
    # On a narrow terminal what they read is told in two lines: names are what is typed elsewhere.
    titles = "name", "kind", "precision", "MB", "reads", "tokens", "serves"
    table = Table(*(Column(title, no_wrap=title != "reads") for title in titles), box=None, pad_edge=False)
    for name, m in manifests.items():
        reads = "mention" if m.kind == "mention" else ", ".join([*m.context, "passage"])
        mark = "yes" if str(folder_of(name)) in serving else ""
        table.add_row(
            Text(m.name), m.kind, m.precision, f"{size(name) / 1e6:.1f}", Text(reads), str(m.max_tokens), mark
        )
    out.print(table)
    for name, m in manifests.items():
        if name != m.name:
            say(f"{m.name}: {name}")


@models.command()
@click.argument("bundle")
@command
def use(bundle: str) -> None:
    """Serve BUNDLE, a shipped name or a folder, from now on.

    With an encoder every passage is encoded anew, beside the index that serves, and swapped in at the end; new notes
    wait meanwhile. Cut short, the same command goes on; naming the old bundle gives up. Workers elsewhere must be
    stopped before, and started anew with the bundle.
    """
    with counting_bar() as bar:
        task = bar.add_task("encoding anew", total=None, visible=False)
        promote(
            bundle,
            settings(),
            given_settings(),
            say,
            lambda done, total: bar.update(task, completed=done, total=total, visible=True),
        )
    m = read_manifest(bundle)
    say(f"{m.name} serves now as {'encoder' if m.kind == 'bi' else 'cross-encoder'}.")


@models.command()
@click.argument("first")
@click.argument("second")
@options.data("File in the entity/aspect format.")
@click.option("--candidates", default="bm25:64", help="bm25:N ranks BM25's first N and every answer; corpus, all.")
@click.option("--context", type=click.Choice(list(READINGS)), default=MAIN, help="What is read of each passage.")
@options.limit("Rank so many queries only, drawn with a fixed seed.")
@options.figures()
@command
def compare(
    first: str, second: str, data: Path, candidates: str, context: str, limit: int | None, json_file: Path | None
) -> None:
    """Rank the same queries with the bundles FIRST and SECOND, of the same kind; FIRST is the baseline."""
    kind, other = (read_manifest(name).kind for name in (first, second))
    if kind != other:
        raise AspectraError(f"{first} is of kind {kind}, {second} of kind {other}.", "Compare two of the same kind.")
    field = field_of(kind, first)
    loaded = entity_aspect.load(data)
    queries = sample(loaded, limit)
    rankings = {}
    for name in (first, second):
        config = settings().model_copy(update={field: name})
        found = ranked(loaded, queries, Candidates.parse(candidates), READINGS[context].parts, config, {})
        rankings[name] = found.rankings[SYSTEM[kind]]
    report = retrieval_report(rankings, found.qrels, STANDARD, baseline=first)
    out.print(report.table(READINGS[context].title))
    write_figures(json_file, report.json())


COMMANDS = (models,)
