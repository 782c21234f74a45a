"""Radiology reports with the radiologists' own codes (the format of Open-i)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from search_stack.core.errors import AspectraError
from search_stack.evaluation.datasets.records import first, rows
from search_stack.evaluation.rankings import Qrels

QUERIES = {
    "Opacity": "opacity",
    "Cardiomegaly": "cardiomegaly",
    "Calcinosis": "calcification",
    "Pulmonary Atelectasis": "atelectasis",
    "Calcified Granuloma": "calcified granuloma",
    "Cicatrix": "scarring",
    "Pleural Effusion": "pleural effusion",
    "Atherosclerosis": "atherosclerosis",
    "Airspace Disease": "airspace disease",
    "Scoliosis": "scoliosis",
    "Nodule": "nodule",
    "Granulomatous Disease": "granulomatous disease",
    "Fractures, Bone": "fracture",
    "Osteophyte": "osteophyte",
    "Pulmonary Congestion": "pulmonary vascular congestion",
    "Spondylosis": "spondylosis",
    "Infiltrate": "infiltrate",
    "Emphysema": "emphysema",
    "Hernia, Hiatal": "hiatal hernia",
    "Pulmonary Edema": "pulmonary edema",
    "Pneumonia": "pneumonia",
    "Kyphosis": "kyphosis",
    "Consolidation": "consolidation",
    "Pneumothorax": "pneumothorax",
}
"""The radiologists' codes, each with what a user would type for it."""
COLUMNS = ("uid", "Problems", "findings", "impression")


@dataclass(frozen=True, slots=True)
class CodedReport:
    uid: str
    text: str
    codes: frozenset[str]


def load(file: Path, limit: int | None = None) -> list[CodedReport]:
    """Reports with their codes; the text is findings and impression, each under its heading.

    Raises:
        AspectraError: the file cannot be read, or lacks a column; a report stands there twice.
    """
    return first(_reports(file), limit, f"{file}: holds no report.", "reports")


def _reports(file: Path) -> Iterator[CodedReport]:
    seen: set[str] = set()
    for where, row in rows(file, "reports", COLUMNS):
        if row["uid"] in seen:
            raise AspectraError(f"{where}: uid: stands there twice.", "Keep one of the rows.")
        seen.add(row["uid"])
        yield _report(row)


def _report(row: Mapping[str, str]) -> CodedReport:
    parts = [(name, row[name].strip()) for name in ("findings", "impression")]
    text = "\n\n".join(f"{name.upper()}:\n{words}" for name, words in parts if words)
    return CodedReport(row["uid"], text, frozenset(c.strip() for c in row["Problems"].split(";")))


def qrels(reports: Sequence[CodedReport]) -> Qrels:
    """The reports of each code, for the codes that any report has."""
    judged = {code: {r.uid: 1 for r in reports if code in r.codes} for code in QUERIES}
    return {code: found for code, found in judged.items() if found}
