"""How often a section's header is told from its text alone (the format of MTS-Dialog)."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ingest.evaluation.classes import Scores, of_counts
from ingest.evaluation.sections import load_cases
from ingest.sections import sections
from ingest.sections.text_model import TextModel, header_table
from search_stack.errors import AspectraError
from search_stack.evaluation.compare import Interval, paired_bootstrap

COLUMNS = ("section_header", "section_text")
KEYWORDS = {
    "ALLERGY": ("allerg",),
    "MEDICATIONS": (" mg", "daily", "tablet"),
    "ROS": ("denies", "no fever", "negative for"),
    "PASTSURGICAL": ("surger", "ectomy"),
    "FAM/SOCHX": ("mother", "father", "smok", "alcohol", "married"),
    "IMMUNIZATIONS": ("immuniz", "vaccin"),
    "CC": ("complain",),
    "PLAN": ("follow up", "will "),
    "PASTMEDICALHX": ("history of", "hypertension"),
}
"""The baseline: the first header of which a word is there, else the commonest one."""
COMMONEST = "GENHX"
SHORTEST = 8
"""Characters of a section below which it teaches nothing."""


@dataclass(frozen=True, slots=True)
class Example:
    header: str
    text: str


def load_examples(file: Path, limit: int | None = None) -> list[Example]:
    """Sections with their headers.

    Raises:
        AspectraError: the file cannot be read, lacks a column, or names an unknown header.
    """
    out: list[Example] = []
    try:
        with file.open(encoding="utf-8-sig", newline="") as lines:
            rows = csv.DictReader(lines)
            if missing := [c for c in COLUMNS if c not in (rows.fieldnames or ())]:
                raise AspectraError(
                    f"{file}:1: there is no column {missing[0]}.", f"It needs the columns {', '.join(COLUMNS)}."
                )
            for row in rows:
                if row["section_header"] not in header_table()["aspects"]:
                    known = ", ".join(header_table()["aspects"])
                    raise AspectraError(f"{file}:{rows.line_num}: section_header: unknown.", f"It is one of: {known}.")
                out.append(Example(row["section_header"], row["section_text"] or ""))
                if limit and len(out) == limit:
                    break
    except OSError as e:
        raise AspectraError(f"{file}: cannot be read ({e.strerror}).", "Name a file of sections.") from e
    except (UnicodeDecodeError, csv.Error) as e:
        raise AspectraError(f"{file}: not a UTF-8 CSV file ({type(e).__name__}).", "Save it as CSV in UTF-8.") from e
    if not out:
        raise AspectraError(f"{file}: holds no section.", "Name a file of sections.")
    return out


def headed_sections(file: Path) -> list[Example]:
    """Sections of notes (JSON lines with ``text``) whose heading stands for one of the headers: further examples."""
    table = header_table()
    of_aspect = {aspect: header for header, aspect in table["aspects"].items() if header not in table["skipped"]}
    of_aspect |= table["also"]
    out = []
    for case in load_cases(file):
        for section in sections(case.text):
            header = of_aspect.get(section.aspect) if section.heading else None
            body = case.text[section.heading_end : section.end].strip()
            if header and len(body) > SHORTEST:
                out.append(Example(header, body))
    return out


def keyword_rule(text: str) -> str:
    folded = text.lower()
    return next((h for h, words in KEYWORDS.items() if any(w in folded for w in words)), COMMONEST)


@dataclass(frozen=True, slots=True)
class AspectsReport:
    accuracy: float
    baseline: float
    interval: Interval
    per_header: dict[str, Scores]
    examples: int


def evaluate(examples: Sequence[Example], model: TextModel) -> AspectsReport:
    """The model's headers beside those of the keyword rule."""
    found = [model.header(e.text)[0] for e in examples]
    gold = [e.header for e in examples]
    right = [float(f == g) for f, g in zip(found, gold, strict=True)]
    ruled = [float(keyword_rule(e.text) == e.header) for e in examples]
    named, meant, hits = Counter(found), Counter(gold), Counter(g for f, g in zip(found, gold, strict=True) if f == g)
    return AspectsReport(
        accuracy=sum(right) / len(right),
        baseline=sum(ruled) / len(ruled),
        interval=paired_bootstrap(right, ruled),
        per_header={h: of_counts(hits[h], named[h], meant[h]) for h in sorted(meant)},
        examples=len(examples),
    )
