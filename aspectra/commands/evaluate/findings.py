"""Measure the ranking of reports for findings."""

from __future__ import annotations

from pathlib import Path

import click
from rich.table import Table

from aspectra.commands.evaluate import options
from aspectra.commands.evaluate.standard import Standard
from aspectra.console import command, out, say, settings, stage_bars, write_figures
from search_stack.core.client import connect
from search_stack.core.halves import HALVES, Half, half_of
from search_stack.core.promoted import field_of
from search_stack.evaluation.datasets import coded_reports
from search_stack.evaluation.plots import draw_separation
from search_stack.evaluation.tasks import findings as codes
from search_stack.evaluation.tasks import polarity
from search_stack.evaluation.tasks.findings import FindingsReport
from search_stack.evaluation.tasks.polarity import PolarityReport
from search_stack.inference.bundle import read_manifest
from search_stack.inference.models import Encoder, Reranker
from search_stack.language.labeller import load_labeller


@click.command()
@options.data("Reports with Problems codes, as CSV.")
@click.option(
    "--protocol",
    type=click.Choice(["codes", "polarity"]),
    default="codes",
    help="codes: the radiologists' codes; polarity: present and absent by the lexicon's own labels.",
)
@click.option("--model", help="Bundle to use instead of the configured encoder or cross-encoder, by its kind.")
@click.option("--half", type=click.Choice(HALVES), help="Rank only this half of the reports, drawn by their ids.")
@click.option("--plot", type=click.Path(path_type=Path), help="polarity: draw how far each system tells them apart.")
@options.limit("Read so many reports only.")
@options.figures()
@command
def findings(
    data: Path,
    protocol: str,
    model: str | None,
    half: Half | None,
    plot: Path | None,
    limit: int | None,
    json_file: Path | None,
) -> None:
    """Reports ranked for "finding present", beside BM25: mean average precision."""
    config = settings()
    if model is not None:
        config = config.model_copy(update={field_of(read_manifest(model).kind, model): model})
    # By the id that the reader gives a report, so that `mine` divides as this does.
    reports = [r for r in coded_reports.load(data, limit) if half is None or half_of(f"openi-{r.uid}") == half]
    client, encoder = connect(config), Encoder.from_settings(config)
    labeller = load_labeller(config.lexicon_folder, config.mentions)
    report: FindingsReport | PolarityReport
    with stage_bars() as progress:
        if protocol == "codes":
            judged = coded_reports.qrels(reports)
            reranker = Reranker.from_settings(config)
            ranked = codes.rank(reports, list(judged), client, encoder, reranker, labeller, config, progress)
            report = codes.evaluate(ranked, judged, codes.counted(reports, list(judged), labeller))
            _show_codes(report)
        else:
            judged = polarity.labelled(reports, labeller)
            ranked = polarity.rank(reports, list(judged), client, encoder, labeller, config, progress)
            report = polarity.evaluate(ranked, judged)
            _show_polarity(report)
            if plot:
                draw_separation(report.separation, plot)
    write_figures(json_file, {"data": data.name, "protocol": protocol, "reports": len(reports), **report.json()})


def _show_codes(report: FindingsReport) -> None:
    table = Table("code", "query", "reports", "BM25", "Aspectra", title="Average precision by code")
    for code, found in report.judged.items():
        row = (f"{report.average_precision(system, code):.3f}" for system in ("bm25", "aspectra"))
        table.add_row(code, coded_reports.QUERIES[code], str(len(found)), *row)
    out.print(table)
    out.print(report.systems.table())
    c = report.counted
    say(f"Counted where coded: precision {c.precision:.3f}, recall {c.recall:.3f}, F1 {c.f1:.3f}.")


def _show_polarity(report: PolarityReport) -> None:
    for name, part in report.parts.items():
        out.print(part.table(f"{name}: {part.queries} queries"))
    table = Table("system", "pairs of queries", "mean area", title='Telling "effusion" from "no effusion"')
    for system, areas in report.separation.items():
        table.add_row(system, str(len(areas)), f"{sum(areas.values()) / len(areas):.3f}" if areas else "")
    out.print(table)


COMMANDS = (findings,)
FOR_ALL = (
    Standard("reports/openi.csv", ("map", "bm25_map", "intervals/aspectra/*", "counted/f1")),
    Standard("reports/openi.csv", ("map", "separation/*"), ("--protocol", "polarity")),
)
