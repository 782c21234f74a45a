"""Judge mentions at the terminal."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from shlex import quote

import click

from aspectra import console
from aspectra.annotation import places
from aspectra.annotation.answers import Answers, answers
from aspectra.annotation.mentions import BOOK
from aspectra.annotation.places import Place
from aspectra.annotation.screen import screen
from aspectra.annotation.session import Sitting
from aspectra.console import command, say, settings, stage_bars
from search_stack.core.errors import AspectraError
from search_stack.evaluation.datasets import own_notes
from search_stack.evaluation.datasets.gold import RANDOM, GoldMention
from search_stack.evaluation.datasets.own_notes import OwnNote
from search_stack.language.labeller import Labeller, load_labeller

NUMBER = 200


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--draw",
    type=click.IntRange(min=1),
    help=f"Judge so many, drawn at random: {NUMBER} of what the labels find unless told otherwise, all of --mentions.",
)
@click.option("--seed", default=13, show_default=True, help="Of the draw.")
@click.option(
    "--mentions",
    type=click.Path(path_type=Path),
    help="Judge these places: tab-separated, with the columns note, begin, end and concept.",
)
@click.option(
    "--out", "target", type=click.Path(path_type=Path), help="File of the answers; FILE.mentions.tsv unless told."
)
@click.option(
    "--reading",
    type=click.IntRange(1, 2),
    default=1,
    show_default=True,
    help="2: read what is judged in the file of the answers a second time, without seeing them.",
)
@click.option("--show", is_flag=True, help="Once you have answered, tell what the labels say.")
@command
def annotate(
    file: Path, draw: int | None, seed: int, mentions: Path | None, target: Path | None, reading: int, show: bool
) -> None:
    """Judge mentions of concepts in your own notes, by docs/annotation.md: FILE has JSON lines {"id", "text"}, and
    "type" where you know it.

    Each mention is shown in its note, never what the labels say of it. A key is an answer, and it is
    written at once. Who starts again goes on where he stopped. The answers hold ids and offsets, no text.
    """
    notes = own_notes.load(file)
    labeller = load_labeller(settings().lexicon_folder, settings().mentions)
    with answers(target or file.with_name(f"{file.name}.mentions.tsv"), BOOK) as kept:
        pool = _pool(notes, labeller, kept, mentions, reading)
        by_draw = not mentions and reading == 1
        done = _done(kept.of(reading), pool, notes, by_draw)
        number = draw or NUMBER if by_draw else draw
        missing = None if number is None else max(0, number - len(done))
        todo = places.to_judge(pool, kept.of(reading), missing, seed)
        if not todo and not done:
            raise AspectraError(f"{file}: there is no mention to judge.", "Give more notes, or --mentions.")
        before, left = len(kept.of(reading)), len(todo)
        if todo:
            sitting = Sitting(notes, labeller, kept, reading, show)
            try:
                with screen(console.out) as terminal:
                    sitting.judge(todo, len(done), terminal)
            except KeyboardInterrupt:
                pass  # a way to stop, as good as the key
        judged = len(kept.of(reading)) - before
        _tell(file, kept.path, judged, left - judged, reading)


def _pool(
    notes: Mapping[str, OwnNote], labeller: Labeller, kept: Answers[GoldMention], mentions: Path | None, reading: int
) -> list[Place]:
    if mentions:
        return places.given(mentions, notes)
    if reading == 2:
        return [places.place_of(m) for m in kept.of(1) if m.note in notes]
    with stage_bars() as progress:
        return places.found(notes, labeller, progress)


def _done(
    earlier: list[GoldMention], pool: list[Place], notes: Mapping[str, OwnNote], by_draw: bool
) -> list[GoldMention]:
    """Earlier answers that are some of those asked for now; of a draw whether or not the labels still find them."""
    if by_draw:
        return [m for m in earlier if m.drawn == RANDOM and m.note in notes]
    asked = {p.key for p in pool}
    return [m for m in earlier if m.place in asked]


def _tell(file: Path, target: Path, judged: int, left: int, reading: int) -> None:
    say(f"{target}: {judged:,} judged now, {left:,} left." + (" Start again to go on." if left > 0 else ""))
    data, out = quote(str(file)), quote(str(target))
    say(f"Measure the labels by it: aspectra evaluate gold --data {data} --mentions {out}")
    say(f"Have them learn from it: aspectra train labels --data {data} --more {out} --out FOLDER")
    if reading == 1 and not left:
        say(f"Have a second reader judge a part again: aspectra annotate {data} --out {out} --reading 2 --draw NUMBER")


COMMANDS = (annotate,)
