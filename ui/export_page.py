"""Exports on the page: what may be chosen, and how far one is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from flask import url_for

from ingest.cohorts.words import moment
from ingest.handover.export import Form
from ingest.handover.jobs import DONE, FAILED, RUNNING, Job
from search_stack.cohorts.version import Operand
from ui.cohort_head import Head
from ui.frame import Frame

FORMATS: Mapping[Form, tuple[str, str]] = {
    "csv": ("CSV", "the evidence, a row for each mention; opens in any spreadsheet"),
    "json": ("JSON Lines", "the same, an object a line"),
    "parquet": ("Parquet", "the same, for data frames"),
    "omop": ("OMOP CDM 5.4", "COHORT, COHORT_DEFINITION and NOTE_NLP as CSV, for a database"),
    "fhir": ("FHIR R4", "a Group with its Provenance, the evidence beside it"),
}
"""By format, its name and what is written."""


@dataclass(frozen=True, slots=True)
class JobRow:
    number: int
    name: str
    """Of the version, or what it was when a query was handed over by a command."""
    form: str
    words: str
    asked: str
    by: str
    url: str


@dataclass(frozen=True, slots=True)
class AskPage:
    frame: Frame
    head: Head
    earlier: tuple[JobRow, ...]
    """Exports of this cohort, the newest first."""
    problem: str = ""
    formats: tuple[tuple[Form, tuple[str, str]], ...] = tuple(FORMATS.items())


@dataclass(frozen=True, slots=True)
class ExportPage:
    frame: Frame
    row: JobRow
    back: str
    """Address of the cohort; empty where it is not kept any more."""
    over: bool
    failed: bool
    problem: str
    percent: int
    state: str
    """Address that tells how far it is."""
    files: tuple[tuple[str, str, str], ...]
    """Name, address and size."""


def job_row(job: Job) -> JobRow:
    name = job.of.name if isinstance(job.of, Operand) else "a query"
    url = url_for("exporting.show", export=job.id)
    return JobRow(job.id, name, FORMATS[job.form][0], words(job), moment(job.made), job.by, url)


def is_over(job: Job) -> bool:
    return job.state in (DONE, FAILED)


def percent(job: Job) -> int:
    return 100 if job.state == DONE else 100 * job.done // job.total if job.total else 0


def words(job: Job) -> str:
    """How far it is."""
    if job.state == DONE:
        return f"done {moment(job.finished)}"
    if job.state == FAILED:
        return "failed"
    if job.state == RUNNING:
        return f"{job.done:,} of {job.total:,} {job.stage} written" if job.total else "begun"
    return "waiting for a worker"


def size(count: int) -> str:
    """
    >>> size(812), size(20480), size(3500000)
    ('812 bytes', '20 KB', '3.5 MB')
    """
    if count < 1000:
        return f"{count} bytes"
    return f"{count / 1000:.0f} KB" if count < 1_000_000 else f"{count / 1_000_000:.1f} MB"
