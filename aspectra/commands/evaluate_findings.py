"""Measure the ranking of reports for findings."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click
from rich.table import Table

from aspectra.console import command, out, settings, stage_bars, write_figures
from ingest.evaluation.findings import QUERIES, load_reports, qrels, rank_codes, rank_polarity, separation
from ingest.labelling import Labeller
from search_stack.client import connect
from search_stack.errors import AspectraError
from search_stack.evaluation.measures import AveragePrecision, Recall
from search_stack.evaluation.report import RetrievalReport, retrieval_report
from search_stack.halves import HALVES, Half, half_of
from search_stack.inference.bundle import read_manifest
from search_stack.inference.models import Encoder, Reranker
from search_stack.lexicon.load import load_lexicon
from search_stack.promoted import FIELD

AP = AveragePrecision()


@click.command()
@click.option("--data", required=True, type=click.Path(path_type=Path), help="Reports with Problems codes, as CSV.")
@click.option(
    "--protocol",
    type=click.Choice(["codes", "polarity"]),
    default="codes",
    help="codes: the radiologists' codes; polarity: present and absent by the lexicon's own labels.",
)
@click.option("--model", help="Bundle to use instead of the configured encoder or cross-encoder, by its kind.")
@click.option("--half", type=click.Choice(HALVES), help="Rank only this half of the reports, drawn by their ids.")
@click.option("--plot", type=click.Path(path_type=Path), help="polarity: draw how far each system tells them apart.")
@click.option("--limit", type=click.IntRange(min=1), help="Read so many reports only.")
@click.option("--json", "json_file", type=click.Path(path_type=Path), help="Write the figures to this file.")
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
        config = config.model_copy(update={FIELD[read_manifest(model).kind]: model})
    # By the id that the reader gives a report, so that `mine` divides as this does.
    reports = [r for r in load_reports(data, limit) if half is None or half_of(f"openi-{r.uid}") == half]
    client, encoder = connect(config), Encoder.from_settings(config)
    labeller = Labeller(load_lexicon(config.lexicon_folder))
    with stage_bars() as progress:
        if protocol == "codes":
            judged = qrels(reports)
            reranker = Reranker.from_settings(config)
            runs = rank_codes(reports, list(judged), client, encoder, reranker, labeller, config, progress)
            figures = _codes(runs, judged)
        else:
            runs, judged = rank_polarity(reports, client, encoder, labeller, config, progress)
            figures = _polarity(runs, judged)
            if plot:
                _draw(figures["separation"], plot)
    write_figures(json_file, {"data": data.name, "protocol": protocol, "reports": len(reports), **figures})


def _codes(runs: Any, judged: Any) -> dict[str, Any]:
    report = retrieval_report(runs, judged, [AP])
    values = {system: by_measure[AP] for system, by_measure in report.per_query.items()}
    table = Table("code", "query", "reports", "BM25", "Aspectra", title="Average precision by code")
    for code in judged:
        row = (f"{values[system][code]:.3f}" for system in ("bm25", "aspectra"))
        table.add_row(code, QUERIES[code], str(len(judged[code])), *row)
    out.print(table)
    out.print(report.table())
    return {
        "map": report.systems["aspectra"][AP.name],
        "bm25_map": report.systems["bm25"][AP.name],
        "per_finding": {
            code: {"ap": values["aspectra"][code], "bm25_ap": values["bm25"][code], "reports": len(judged[code])}
            for code in judged
        },
        "intervals": report.json()["intervals"],
    }


def _polarity(runs: Any, judged: Any) -> dict[str, Any]:
    figures: dict[str, Any] = {}
    for name, signs in (("Pos", "+"), ("Neg", "-"), ("All", "+-")):
        part = {q: found for q, found in judged.items() if q[0] in signs}
        report: RetrievalReport = retrieval_report(runs, part, [AP, Recall(10), Recall(100)])
        table = report.table()
        table.title = f"{name}: {len(part)} queries"
        out.print(table)
        figures[name] = report.json()
    apart = separation(runs, judged)
    table = Table("system", "pairs of queries", "mean area", title='Telling "effusion" from "no effusion"')
    for system, areas in apart.items():
        table.add_row(system, str(len(areas)), f"{sum(areas.values()) / len(areas):.3f}" if areas else "")
    out.print(table)
    return {
        "map": figures["All"]["systems"]["aspectra"][AP.name],
        "polarity": figures,
        "separation": {system: dict(areas) for system, areas in apart.items()},
    }


def _draw(apart: Mapping[str, Mapping[str, float]], path: Path) -> None:
    """How many queries each system tells apart how well."""
    try:
        from matplotlib.figure import Figure
    except ModuleNotFoundError as e:
        raise AspectraError("Drawing needs matplotlib.", "Install it: pip install 'aspectra[train]'") from e
    figure = Figure(figsize=(7, 3.5), layout="constrained")
    axes = figure.subplots()
    axes.hist([list(a.values()) for a in apart.values()], bins=[n / 10 for n in range(11)], label=list(apart))
    axes.axvline(0.5, color="grey", linewidth=1)
    axes.set_xlabel("share of pairs in the right order (0.5: cannot tell)")
    axes.set_ylabel("queries")
    axes.legend()
    try:
        figure.savefig(path, dpi=150)
    except OSError as e:
        raise AspectraError(f"{path}: cannot be written ({e.strerror}).", "Choose another place.") from e
