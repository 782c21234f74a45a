"""What the page of administration shows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import groupby
from operator import attrgetter

from sqlalchemy import Engine

from access.accounts import Accounts
from access.purposes import Purposes
from access.roles import Role
from ingest.ledger import Ledger
from ingest.ledger.backlog import Failed, failed_alike, oldest_pending
from ingest.ledger.failures import LEDGER_ERRORS
from ingest.ledger.ledger import now
from ingest.ledger.runs import Progress, Standing, WantedRuns, formats_of, newest_runs
from ingest.work.dispatch import make_queue
from search_stack.core.errors import AspectraError
from search_stack.core.settings import Settings
from search_stack.index.meta import SCHEMA
from search_stack.inference.bundle import Manifest, read_manifest
from search_stack.language.arbiter.reader import SHIPPED as READER
from search_stack.language.labeller import version_in_use
from search_stack.language.lexicon.concepts import Lexicon
from ui.admin_filters import STATES, Filters, WantedPeople
from ui.frame import Frame, frame
from ui.health import engine_state
from ui.parts import Part, parts_of
from ui.services import Services
from ui.wording import counted

RUNS = 50
"""The newest, that are shown."""
ALL = Filters()
BROKEN_OFF = timedelta(days=1)
"""A run that has read for longer, and of which nothing waits, is not looked at again."""


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
    made_of: str
    """How many concepts of each kind, and names, in words."""


@dataclass(frozen=True, slots=True)
class Model:
    purpose: str
    identity: str
    """Its name and weights."""
    figures: str = ""
    """As its card has them; empty where it has none."""
    measured: str = ""
    """On what."""


@dataclass(frozen=True, slots=True)
class RunRow:
    progress: Progress
    rejects: str
    """Path of the file of what was rejected; empty where there is none."""

    @property
    def goes_on(self) -> bool:
        """It reads, or notes of it wait."""
        run = self.progress.run
        return bool(self.progress.waiting) or (run.finished is None and now() - run.started < BROKEN_OFF)

    @property
    def _came(self) -> int:
        run = self.progress.run
        return run.counts["new"] + run.counts["changed"] if run.finished else self.progress.came or 0

    @property
    def percent(self) -> int:
        """Of what has come, that waits no more."""
        waiting = min(self.progress.waiting, self._came)
        return 100 * (self._came - waiting) // self._came if self._came else 0

    @property
    def words(self) -> str:
        reads = "" if self.progress.run.finished else ", and more is read"
        return f"{self._came - min(self.progress.waiting, self._came):,} of {self._came:,} settled{reads}"


@dataclass(frozen=True, slots=True)
class Collection:
    """With failed notes."""

    name: str
    kinds: tuple[Failed, ...]


@dataclass(frozen=True, slots=True)
class Someone:
    name: str
    role: Role
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
    formats: tuple[str, ...]
    """Of all runs."""
    failed: tuple[Collection, ...]
    people: tuple[Someone, ...]
    purposes: tuple[int, int]
    """Open, and ended."""


@dataclass(frozen=True, slots=True)
class AdministrationPage:
    frame: Frame
    said: str
    problem: str
    filters: Filters
    parts: tuple[Part, ...]
    told: Told | None
    """None where the ledger does not answer."""
    indexes: tuple[Index, ...]
    labels: Labels | None
    """None where the engine does not answer."""
    models: tuple[Model, ...]
    standings: tuple[Standing, ...] = tuple(Standing)
    roles: tuple[Role, ...] = tuple(Role)
    states: tuple[str, ...] = STATES

    @property
    def goes_on(self) -> bool:
        return self.told is not None and any(row.goes_on for row in self.told.runs)


def page(all_: Services, said: str = "", problem: str = "", filters: Filters = ALL) -> AdministrationPage:
    """
    Args:
        all_: of the installation, not of a purpose: who runs it states none, and would see nothing.
    """
    engine, ledger = engine_state(), all_.health.state()
    parts = parts_of(all_.settings, engine, ledger)
    told = _told(all_, filters) if ledger == "ok" else None
    indexes, labels = _indexes(all_) if engine == "ok" else ((), None)
    return AdministrationPage(frame(), said, problem, filters, parts, told, indexes, labels, _models(all_.settings))


def _told(all_: Services, filters: Filters) -> Told | None:
    ledger = all_.ledger
    try:
        return Told(
            notes=ledger.counts(),
            claims=make_queue(ledger, all_.settings).waiting(),
            oldest=int(oldest_pending(ledger.engine)),
            runs=runs_of(ledger.engine, all_.settings, filters.runs),
            formats=formats_of(ledger.engine),
            failed=_failed(ledger),
            people=_people(ledger, filters.people) if all_.settings.accounts else (),
            purposes=_purposes(ledger.engine) if all_.settings.accounts else (0, 0),
        )
    except LEDGER_ERRORS:
        return None


def runs_of(engine: Engine, settings: Settings, wanted: WantedRuns) -> tuple[RunRow, ...]:
    """The newest first."""
    return tuple(_run(one, settings) for one in newest_runs(engine, RUNS, wanted))


def _run(progress: Progress, settings: Settings) -> RunRow:
    path = settings.data_dir / "rejects" / f"run-{progress.run.number}.jsonl"
    return RunRow(progress, str(path) if path.is_file() else "")


def _failed(ledger: Ledger) -> tuple[Collection, ...]:
    alike = groupby(failed_alike(ledger.engine), key=attrgetter("collection"))
    return tuple(Collection(name, tuple(kinds)) for name, kinds in alike)


def _people(ledger: Ledger, wanted: WantedPeople) -> tuple[Someone, ...]:
    found = (a for a in Accounts(ledger.engine).all() if wanted.holds(a.name, a.role, a.state))
    return tuple(Someone(a.name, a.role, a.state, a.signed_in) for a in found)


def _purposes(engine: Engine) -> tuple[int, int]:
    found = Purposes(engine).all()
    opened = sum(one.open for one in found)
    return opened, len(found) - opened


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
    return indexes, Labels(ours, outdated, len(lexicon), lexicon.digest, _made_of(lexicon))


def _made_of(lexicon: Lexicon) -> str:
    concepts = lexicon.concepts.values()
    kinds = Counter(one.kind for one in concepts).most_common()
    names = sum(len(one.names) + len(one.abbreviations) for one in concepts)
    below = sum(bool(one.parents) for one in concepts)
    said = ", ".join(f"{number:,} {kind}" for kind, number in kinds)
    return f"{said}; {counted(names, 'name')} and abbreviations; {below:,} below a broader one"


def _models(settings: Settings) -> tuple[Model, ...]:
    """As they were chosen when the page started."""
    reranker = settings.reranker_bundle
    return (
        _model("Encoder", read_manifest(settings.encoder_bundle)),
        _model("Reranker", read_manifest(reranker)) if reranker else Model("Reranker", "none"),
        _model("Reader of mentions", read_manifest(READER)),
    )


def _model(purpose: str, manifest: Manifest) -> Model:
    """With the figures of its card: those that are numbers, of itself and not of what it is compared with."""
    told = manifest.figures.items()
    own = [(name, value) for name, value in told if isinstance(value, float) and not name.startswith("bm25")]
    figures = ", ".join(f"{name} {value:.3f}" for name, value in own)
    return Model(purpose, manifest.identity, figures, str(manifest.figures.get("data", "")) if own else "")
