"""From a site's own notes to an encoder that ranks them better, or to the word that none was found: `aspectra train
own`."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from aspectra.bases import restored
from aspectra.console import counting_bar, need_torch, out, say, stage_bars
from aspectra.note_texts import notes_of, write_pairs
from aspectra.terminal import line
from ingest.ledger import Ledger
from search_stack.core.errors import AspectraError, NotPossible
from search_stack.core.files import write_whole
from search_stack.core.halves import kept_aside
from search_stack.core.settings import Settings
from search_stack.evaluation.datasets.entity_aspect import EntityAspectData, load
from search_stack.evaluation.datasets.judgments import Judgment, load_part, part_to_read
from search_stack.evaluation.datasets.mining import Mined, as_data, mine
from search_stack.evaluation.measures import NDCG, ReciprocalRank, Success
from search_stack.evaluation.report import RetrievalReport
from search_stack.evaluation.tasks.pools import Pools, compared, of_judgments
from search_stack.inference.bundle import load_bundle
from search_stack.inference.models import Encoder
from search_stack.inference.session import ModelSession
from search_stack.language.labeller import load_labeller

if TYPE_CHECKING:
    from encoders.training.config import TrainingConfig

FOLDER = "own"
"""In the data folder, unless told otherwise."""
PAIRS, ASIDE, RUN, CANDIDATE, FIGURES = "pairs.json", "aside.json", "run", "candidate", "figures.json"
MOST_NOTES = 20_000
"""Read of a larger collection, evenly: more pairs than an hour can learn from."""
FEWEST, FEWEST_ASIDE = 100, 30
"""Queries to learn from, and to measure on."""
MEASURED = 400
"""Queries of the notes kept aside, at most."""
LONGEST = 144
"""Tokens that are read in training, at most: twice as fast as all that the encoder may read."""
SERVED, OWN = "served", "own"
ASKED, JUDGED = ReciprocalRank(), NDCG(10)
"""What is decided by, on pairs and on judgments."""


@dataclass(frozen=True, slots=True)
class Verdict:
    better: bool
    why: str


def verdict(pairs: RetrievalReport, judged: RetrievalReport | None) -> Verdict:
    """Whether `OWN` is to take the place of `SERVED`: above it on the pairs beyond chance, and not below it on what
    people judged, where they did."""
    found = pairs.intervals[OWN][ASKED.name]
    if not (found.significant and found.mean_difference > 0):
        return Verdict(False, f"on pairs of notes that it has not read, {ASKED.name} differs by {found}")
    if judged is None:
        return Verdict(True, f"{ASKED.name} {found} on pairs of notes that it has not read")
    other = judged.intervals[OWN][JUDGED.name]
    if other.mean_difference < 0:
        return Verdict(False, f"on judged passages, {JUDGED.name} differs by {other}")
    return Verdict(
        True, f"{ASKED.name} {found} on pairs of notes that it has not read, {JUDGED.name} {other} on judged passages"
    )


def train_own(
    minutes: float,
    judgments: Path | None,
    folder: Path | None,
    options: Sequence[str],
    settings: Settings,
    seed: int | None = None,
) -> None:
    """Mine the notes of the ledger, train the encoder that serves on four fifths of their patients for ``minutes``, and
    measure the mean of its old weights and its new ones on the others, and on ``judgments``. What is better is left in
    ``folder`` as a bundle.

    Cut short, the same call goes on: with the pairs that were mined, from the last checkpoint.

    Raises:
        AspectraError: PyTorch is missing, the notes are too few or yield too few pairs, the folder holds a run with
            other options, or a file cannot be read or written.
    """
    need_torch("Training")
    from encoders.export.bundle import Card, export_bundle
    from encoders.training import loop
    from encoders.training.near_duplicates import without

    folder = folder or settings.data_dir / FOLDER
    judged = load_part(judgments, part_to_read(judgments)) if judgments else []
    ledger = Ledger.from_settings(settings)
    told = _judged(judged, ledger)
    serving = load_bundle(settings.encoder_bundle, "bi")
    _begin(folder)
    mined = _mined(folder, ledger, settings)
    aside = load(folder / ASIDE)
    pairs = without(load(folder / PAIRS), aside)
    say(f"To learn from: {len(pairs.queries):,} queries, {len(pairs.passages):,} passages{mined}.")
    say(f"Kept aside to measure on: {len(aside.queries):,} queries of other patients.")
    _check(pairs, aside)
    start = restored(str(serving.folder), folder)
    config = _config(start, serving.manifest.context, serving.manifest.max_tokens, minutes, options, seed)
    loop.train(pairs, config, folder / RUN)
    learnt = {"minutes": minutes, "queries": len(pairs.queries), "options": config.flat()}
    candidate = folder / CANDIDATE
    export_bundle(
        str(folder / RUN / "model"),
        "bi",
        candidate,
        Card(OWN, serving.manifest.name, serving.manifest.licence, training=learnt),
        serving.manifest.max_tokens,
        "fp32" if serving.manifest.precision == "fp32" else "int8",
        serving.manifest.context,
        others=[start],
    )
    encoders = {
        name: Encoder(ModelSession(load_bundle(str(place), "bi"), settings.onnx_provider, settings.onnx_threads))
        for name, place in ((SERVED, serving.folder), (OWN, candidate))
    }
    with stage_bars() as progress:
        on_pairs = compared(_asked(aside), encoders, (ASKED, Success(1), Success(5)), progress, "pairs")
        on_judged = compared(told, encoders, (JUDGED,), progress, "judged") if told.grades else None
    out.print(on_pairs.table("Pairs of notes kept aside, among BM25's first 64"))
    if on_judged:
        out.print(on_judged.table("Judged passages, each query's own"))
    found = verdict(on_pairs, on_judged)
    figures: dict[str, Any] = {
        "better": found.better,
        "served": serving.manifest.identity,
        "pairs": on_pairs.json(),
        "judged": on_judged.json() if on_judged else None,
    }
    _end(folder, found, figures)


def _begin(folder: Path) -> None:
    """Room for a run where the last one has ended; bundles stay, for one of them may serve."""
    if not (folder / FIGURES).is_file():
        return
    for name in (RUN, CANDIDATE):
        shutil.rmtree(folder / name, ignore_errors=True)
    for name in (PAIRS, ASIDE, FIGURES):
        (folder / name).unlink(missing_ok=True)
    say(f"{line(str(folder))}: the run before had ended; this is a new one.")


def _mined(folder: Path, ledger: Ledger, settings: Settings) -> str:
    """Leave `PAIRS` and `ASIDE` in ``folder``, and say where they are from.

    Raises:
        AspectraError: there are no notes, or none has a headed section that names a concept.
    """
    if (folder / PAIRS).is_file() and (folder / ASIDE).is_file():
        return ", mined before"
    states = ledger.counts()
    count = states["indexed"] + states["pending"]
    if not count:
        raise NotPossible("There are no notes to learn from.", "Ingest some first: aspectra ingest PATH")
    every = -(-count // MOST_NOTES)
    labeller = load_labeller(settings.lexicon_folder, settings.mentions)
    parts: dict[bool, list[Mined]] = {True: [], False: []}
    with counting_bar() as bar:
        task = bar.add_task("notes read", total=-(-count // every))
        for note in islice(notes_of(ledger), 0, None, every):
            parts[kept_aside(note.patient_id)] += mine([note], labeller)
            bar.advance(task)
    folder.mkdir(parents=True, exist_ok=True)
    write_pairs(as_data(parts[True], OWN), folder / ASIDE)
    write_pairs(as_data(parts[False], OWN), folder / PAIRS)  # last, for both are there where it is
    return f", of {len(parts[False]):,} of {count:,} notes"


def _check(pairs: EntityAspectData, aside: EntityAspectData) -> None:
    """
    Raises:
        AspectraError: there is too little to learn from, or to measure on.
    """
    for data, fewest, what in ((pairs, FEWEST, "learn from"), (aside, FEWEST_ASIDE, "measure on")):
        if len(data.queries) < fewest:
            raise NotPossible(
                f"The notes yield {len(data.queries):,} queries to {what}, and {fewest} are needed.",
                "Headed sections that name a concept of the lexicon make them: ingest more notes, or bring a lexicon.",
            )


def _config(
    base: str, context: Sequence[str], max_tokens: int, minutes: float, options: Sequence[str], seed: int | None
) -> TrainingConfig:
    from encoders.training.options import configured

    config = configured(
        "bi",
        options,
        base=base,
        seed=seed,
        minutes=minutes,
        context=tuple(part for part in context if part != "title"),
        titled=0.3 if "title" in context else None,
        max_tokens=min(max_tokens, LONGEST),
        together=4,
        checkpoint_every=25,
    )
    if (served := config.architecture.served) and (found := served.unfit(config.shape)):
        raise AspectraError(f"A bundle serves {found[0]} {found[2]}, not {found[1]}.", "Leave that option out.")
    return config


def _asked(aside: EntityAspectData) -> Pools:
    """`MEASURED` queries of ``aside``, each with BM25's first passages and all that answers it. What is asked in the
    same words is one query: each one's answers answer the others."""
    from encoders.training.development import Development

    answers: dict[str, set[str]] = {}
    for q in aside.queries:
        answers.setdefault(q.text, set()).update(q.relevant)
    merged = {q.text: replace(q, relevant=tuple(sorted(answers[q.text]))) for q in aside.queries}
    data = replace(aside, queries=tuple(merged.values()))
    lists = Development(data, (), limit=MEASURED).lists
    grades = {
        c.query: {(name := aside.passages[n].id): int(name in answers[c.query]) for n in c.passages} for c in lists
    }
    return Pools({p.id: (p.text, p.around) for p in aside.passages}, grades)


def _judged(judgments: Sequence[Judgment], ledger: Ledger) -> Pools:
    wanted = {j.note for j in judgments}
    notes = {note.note_id: note for note in notes_of(ledger) if note.note_id in wanted} if wanted else {}
    if wanted and not notes:
        raise AspectraError("None of the judged notes is here.", "Ingest them first, or leave --judgments out.")
    return of_judgments(judgments, notes)


def _end(folder: Path, found: Verdict, figures: dict[str, Any]) -> None:
    """Promote the candidate or let it go; say which, and note that the run has ended."""
    candidate = folder / CANDIDATE
    if found.better:
        digest = load_bundle(str(candidate), "bi").manifest.identity.rpartition("@")[2]
        bundle = folder / f"{OWN}-{digest}"
        shutil.rmtree(bundle, ignore_errors=True)
        candidate.rename(bundle)
        figures = {**figures, "bundle": str(bundle)}
        say(f"Better than the encoder that serves: {found.why}. It is in {line(str(bundle))}.")
        say(f"Serve it, which encodes all notes anew beside the index: aspectra models use {line(str(bundle))}")
        say(f"Workers elsewhere: ASPECTRA_ENCODER_BUNDLE={line(str(bundle))}, and aspectra reindex.")
    else:
        shutil.rmtree(candidate, ignore_errors=True)
        say(f"Not better than the encoder that serves: {found.why}. Nothing is to be served anew.")
    write_whole(folder / FIGURES, json.dumps(figures, indent=2) + "\n", "Free some space and try again.")
