"""Measure the labels by mentions that people judged."""

from __future__ import annotations

from pathlib import Path

import click
from rich.table import Table

from aspectra.commands.evaluate import options
from aspectra.commands.evaluate.standard import Standard
from aspectra.console import command, out, say, settings, write_figures
from aspectra.note_texts import MTSAMPLES, OPENI, VISITS, note_texts, section_texts
from search_stack.core.errors import AspectraError
from search_stack.evaluation import negspacy_peer
from search_stack.evaluation.compare import Share
from search_stack.evaluation.datasets import whole_notes
from search_stack.evaluation.datasets.gold import FILE, FRESH, FRESH_FILE, PARTS, GoldMention, load, part_of
from search_stack.evaluation.tasks import whole_notes as whole
from search_stack.evaluation.tasks.gold import ANSWERS, GoldReport, evaluate
from search_stack.language.arbiter.model import FILE as ARBITER
from search_stack.language.arbiter.reader import FOLDER as READER
from search_stack.language.labeller import labeller_of
from search_stack.language.lexicon.load import load_lexicon

ALL = "all"


@click.command()
@options.data("Folder of the shared data, which holds the notes; or a site's notes as JSON lines of id and text.")
@click.option("--mentions", type=click.Path(path_type=Path), help="Judged mentions, instead of ours.")
@click.option(
    "--part", type=click.Choice((*PARTS, FRESH)), help="Notes of this part only: dev of ours, all of a site's."
)
@click.option(
    "--model",
    type=click.Path(path_type=Path),
    help="Folder of another arbiter (labels.npz) or reader (reader/) than the shipped ones.",
)
@options.figures()
@command
def gold(data: Path, mentions: Path | None, part: str | None, model: Path | None, json_file: Path | None) -> None:
    """Labels beside the rules alone, a window rule and negspacy, on mentions that people judged who did not see them
    (docs/annotation.md); and what of the notes that were annotated in full is found.

    The test part and, of other notes, the fresh part were opened once each, on 2026-11-26: quote them, and choose
    nothing by them.
    """
    part = part or (ALL if data.is_file() else "dev")
    judged = _judged(mentions, part)
    annotated = [] if data.is_file() else _annotated(part)
    wanted = {m.note for m in judged} | {n.note for n in annotated}
    texts = note_texts(data) | (section_texts(data) if part == FRESH and not data.is_file() else {})
    if missing := sorted(wanted - texts.keys()):
        raise AspectraError(
            f"{data}: {len(missing)} of the notes are not there, the first is {missing[0]}.",
            "Name what holds them; with --mentions, what was judged of them.",
        )
    config = settings()
    folder = config.lexicon_folder
    labeller = labeller_of(load_lexicon(folder), _trained(model) if model else folder, config.mentions)
    report = evaluate(judged, texts, labeller, negspacy_peer.peers())
    _print(report, part)
    recall = whole.evaluate(annotated, texts, labeller) if annotated else None
    if recall:
        _print_whole(recall, part)
    write_figures(json_file, {"part": part, **report.json(), "whole_notes": recall.json() if recall else None})


def _judged(file: Path | None, part: str) -> list[GoldMention]:
    """
    Raises:
        AspectraError: the file cannot be read, or holds none of ``part``.
    """
    if part == FRESH and file is None:
        return load(FRESH_FILE)
    found = [m for m in load(file or FILE) if part in (ALL, part_of(m.note))]
    if not found:
        raise AspectraError(f"{file or FILE}: no mention is of the part {part}.", "Choose another part.")
    return found


def _annotated(part: str) -> list[whole_notes.WholeNote]:
    if part == FRESH:
        return whole_notes.load(whole_notes.FRESH_FILE)
    return [n for n in whole_notes.load() if part_of(n.note) == part]


def _trained(folder: Path) -> Path:
    """
    Raises:
        AspectraError: neither an arbiter nor a reader is in ``folder``.
    """
    if (folder / ARBITER).is_file() or (folder / READER).is_dir():
        return folder
    raise AspectraError(
        f"{folder}: neither {ARBITER} nor {READER}/ is there.", "Train one: aspectra train labels, or train reader."
    )


def _print(report: GoldReport, part: str) -> None:
    table = Table("assertion", "judged", "precision", "recall", "F1", title=f"{report.mentions:,} mentions, {part}")
    for name, s in report.classes.items():
        table.add_row(name, f"{report.numbers[name]:,}", f"{s.precision:.3f}", f"{s.recall:.3f}", f"{s.f1:.3f}")
    out.print(table)
    confusion = Table("judged as", *ANSWERS, title="What was said")
    for name in ANSWERS:
        confusion.add_row(name, *(str(report.confusion[name].get(said, "")) for said in ANSWERS))
    out.print(confusion)
    number, share = report.at_random
    say(
        f"Right {report.accuracy:.3f}; of {number} drawn at random {share:.3f}. F1 weighted {report.weighted_f1:.3f}, "
        f"macro {report.macro_f1:.3f}. The concept is meant in {report.sense:.3f} of what is labelled."
    )
    say(
        f"The status of {report.status[0]:,} drugs, procedures and devices is right in {report.status[1]:.3f}"
        f" (by the rules alone {report.status_by_rules:.3f})."
    )
    say(f"The rules alone: {report.rules:.3f}; ours minus them {report.over_rules}.")
    say(f"Without the reader: {report.unread:.3f}; ours minus that {report.over_unread}.")
    say(f"A window rule: {report.window:.3f}; ours minus it {report.interval}.")
    said = ", ".join(
        f"{name} {s.f1:.3f}" + (f" (ours minus it {report.over_others[name]})" if name in report.over_others else "")
        for name, s in report.absent.items()
    )
    say(f"Absent or not, where the concept is meant: F1 {said}.")
    if report.agreement:
        k = report.agreement
        say(f"Two readers on {report.read_twice}: kappa {k.value:.2f} ({k.low:.2f} to {k.high:.2f}).")


def _print_whole(report: whole.WholeNotesReport, part: str) -> None:
    columns = ("mentions", "annotated", "found", "names word for word", "ours minus those", "found with its assertion")
    table = Table(*columns, title=f"{report.notes} notes annotated in full, {part}; 95 % over notes")
    for kind, k in report.kinds.items():
        table.add_row(kind, f"{k.mentions:,}", *map(_share, (k.found, k.plain, k.over_plain, k.right)))
    out.print(table)
    h, c = report.heading, report.capitals
    say(
        f"Headings: {report.headings} annotated; precision {h.precision:.3f}, recall {h.recall:.3f}, F1 {h.f1:.3f}. "
        f"Capitals with a colon: F1 {c.f1:.3f}."
    )


def _share(value: Share | None) -> str:
    return "" if value is None else str(value)


COMMANDS = (gold,)
FOR_ALL = (
    Standard(
        ".",
        ("accuracy", "macro_f1", "sense", "rules", "over_rules", "window", "interval"),
        ("--part", "dev"),
        (MTSAMPLES, *VISITS, OPENI),
    ),
)
