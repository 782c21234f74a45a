"""Many notes of one patient, no two alike: sentences of the synthetic notes, and findings of the lexicon, at random."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import date, timedelta

from ingest.demo import demo_notes
from search_stack.core.schema import Note
from search_stack.language.sections import sections
from search_stack.language.sentences import sentences
from tests import language

FIRST = date(2008, 1, 3)
HEADINGS = ("HISTORY", "EXAMINATION", "RESULTS", "MEDICATIONS", "ASSESSMENT", "PLAN")
SAID = (
    "No {}.",
    "Known {}.",
    "New {} since the last visit.",
    "Possible {}, to be followed.",
    "Her mother had {}.",
    "History of {}.",
    "{} is unchanged.",
    "There is no evidence of {} or {}.",
    "We discussed {}, {} and {}.",
)
LEAST_WORDS, MOST_WORDS = 150, 300
NAMES = 2_000
"""Concepts of the lexicon that are said."""


def varied_notes(number: int, patient: str) -> Iterator[Note]:
    """Notes of 150 to 300 words; the same on every run."""
    rng = random.Random(16)
    told = _sentences()
    names = sorted({one.name for one in language.lexicon().concepts.values() if one.kind in ("disorder", "sign")})
    names = rng.sample(names, NAMES)
    day = FIRST
    for n in range(number):
        day += timedelta(rng.randint(0, 12))
        words, wanted, parts = 0, rng.randint(LEAST_WORDS, MOST_WORDS - 40), []
        while words < wanted:
            said = rng.choice(SAID)
            body = [*rng.sample(told, rng.randint(1, 3)), said.format(*rng.sample(names, said.count("{}")))]
            rng.shuffle(body)
            parts.append(f"{rng.choice(HEADINGS)}:\n{' '.join(body)}")
            words += len(parts[-1].split())
        yield Note(f"varied-{n}", "\n\n".join(parts), patient, "progress note", day, f"Visit {n}")


def _sentences() -> list[str]:
    """Whole ones of the synthetic notes, each once."""
    found = dict.fromkeys(
        " ".join(note.text[begin:end].split())
        for note in demo_notes()
        for part in sections(note.text)
        for begin, end in sentences(note.text, part.begin, part.end)
    )
    return [one for one in found if 4 <= len(one.split()) <= 30]
