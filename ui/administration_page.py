"""What the page of administration shows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from operator import attrgetter

from access.accounts import Accounts
from ingest.ledger import Ledger
from ingest.ledger.backlog import Failed, failed_alike, oldest_pending
from ingest.ledger.failures import LEDGER_ERRORS
from ingest.ledger.runs import Progress, newest_runs
from ingest.work.dispatch import make_queue
from search_stack.core.errors import AspectraError
from search_stack.core.settings import Settings
from search_stack.index.meta import SCHEMA
from search_stack.inference.bundle import read_manifest
from search_stack.language.labeller import version_in_use
from ui.frame import Frame, frame
from ui.health import engine_state
from ui.parts import Part, parts_of
from ui.services import Services

RUNS = 50
"""The newest, that are shown."""


@dataclass(frozen=True, slots=True)
class Index:
    name: str
    schema: str
    encoder: str


@dataclass(frozen=True, slots=True)
class Labels:
    """Of the passages, and of the lexicon that gives them."""

    version: str
    outdated: int
    """Passages with labels of another version."""
    concepts: int
    digest: str


@dataclass(frozen=True, slots=True)
class RunRow:
    progress: Progress
    rejects: str
    """Path of the file of what was rejected; empty where there is none."""


@dataclass(frozen=True, slots=True)
class Collection:
    """With failed notes."""

    name: str
    kinds: tuple[Failed, ...]


@dataclass(frozen=True, slots=True)
class Someone:
    name: str
    role: str
    state: str
    signed_in: datetime | None


@dataclass(frozen=True, slots=True)
class Told:
    """By the ledger."""

    notes: Mapping[str, int]
    claims: int
    oldest: int
    """Seconds that the note which waits longest has waited; 0 where none waits."""
    runs: tuple[RunRow, ...]
    failed: tuple[Collection, ...]
    people: tuple[Someone, ...]


@dataclass(frozen=True, slots=True)
class AdministrationPage:
    frame: Frame
    said: str
    parts: tuple[Part, ...]
    told: Told | None
    """None where the ledger does not answer."""
    indexes: tuple[Index, ...]
    labels: Labels | None
    """None where the engine does not answer."""
    models: tuple[tuple[str, str], ...]
    """What each is for, and its name and weights."""


def page(all_: Services, said: str = "") -> AdministrationPage:
    """
    Args:
        all_: of the installation, not of a purpose: who runs it states none, and would see nothing.
    """
    engine, ledger = engine_state(), all_.health.state()
    parts = parts_of(all_.settings, engine, ledger)
    told = _told(all_) if ledger == "ok" else None
    indexes, labels = _indexes(all_) if engine == "ok" else ((), None)
    return AdministrationPage(frame(), said, parts, told, indexes, labels, _models(all_.settings))


def _told(all_: Services) -> Told | None:
    ledger = all_.ledger
    try:
        return Told(
            notes=ledger.counts(),
            claims=make_queue(ledger, all_.settings).waiting(),
            oldest=int(oldest_pending(ledger.engine)),
            runs=tuple(_run(one, all_.settings) for one in newest_runs(ledger.engine, RUNS)),
            failed=_failed(ledger),
            people=_people(ledger) if all_.settings.accounts else (),
        )
    except LEDGER_ERRORS:
        return None


def _run(progress: Progress, settings: Settings) -> RunRow:
    path = settings.data_dir / "rejects" / f"run-{progress.run.number}.jsonl"
    return RunRow(progress, str(path) if path.is_file() else "")


def _failed(ledger: Ledger) -> tuple[Collection, ...]:
    alike = groupby(failed_alike(ledger.engine), key=attrgetter("collection"))
    return tuple(Collection(name, tuple(kinds)) for name, kinds in alike)


def _people(ledger: Ledger) -> tuple[Someone, ...]:
    return tuple(Someone(a.name, a.role, a.state, a.signed_in) for a in Accounts(ledger.engine).all())


def _indexes(all_: Services) -> tuple[tuple[Index, ...], Labels | None]:
    serving = all_.searcher.serving
    try:
        metas, versions, lexicon = serving.metas(), serving.labels(), all_.searcher.lexicon()
    except AspectraError:
        return (), None
    indexes = tuple(
        Index(name, f"{meta.schema}{'' if meta.schema == SCHEMA else f', not {SCHEMA}'}", meta.encoder or "not said")
        for name, meta in metas.items()
    )
    if lexicon is None:
        return indexes, None
    ours = version_in_use(lexicon, all_.settings.lexicon_folder, all_.settings.mentions)
    outdated = sum(number for version, number in versions.items() if version != ours)
    return indexes, Labels(ours, outdated, len(lexicon), lexicon.digest)


def _models(settings: Settings) -> tuple[tuple[str, str], ...]:
    """As they were chosen when the page started."""
    reranker = read_manifest(settings.reranker_bundle).identity if settings.reranker_bundle else "none"
    return ("Encoder", read_manifest(settings.encoder_bundle).identity), ("Reranker", reranker)
