"""Whether the serving index fits this version, its encoder, its labels and the ledger."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from opensearchpy import OpenSearch

from aspectra.stack.check import Check
from ingest.agreement import compare, every_range, greatest_key, some_ranges
from ingest.ledger import Ledger
from ingest.ledger.database import is_there
from ingest.ledger.tables import DELETING, INDEXED, PENDING
from ingest.prepare_index import claim_index
from ingest.work.fact_sweep import every_page
from search_stack.core.client import EngineUnavailable, connect, engine_errors
from search_stack.core.errors import AspectraError
from search_stack.core.settings import Settings
from search_stack.index.facts import FactIndexes
from search_stack.index.mapping import Indexes
from search_stack.index.meta import ForeignIndex
from search_stack.index.serving import Serving
from search_stack.inference.bundle import read_manifest
from search_stack.language.labeller import version_in_use
from search_stack.language.lexicon.load import load_lexicon

ANEW = "aspectra reindex"
LABEL_ANEW = "aspectra reindex --labels-only"


def index_checks(settings: Settings, deep: bool = False) -> list[Check]:
    """Nothing where no engine answers, or there is no index and no note that should be in one. Changes nothing.

    ``deep`` compares every note with its passages; otherwise some are, drawn at random.
    """
    try:
        client = connect(settings)
        with engine_errors(settings):
            live = Indexes(client, settings).live()
        if live is None:
            return [*_lost(settings), *_facts(client, settings, deep)]
        checks = [_fits(client, settings, live), _labels(client, settings, live)]
        return [*checks, _agrees(client, settings, live, deep), *_facts(client, settings, deep)]
    except EngineUnavailable:
        return []
    except AspectraError as e:
        return [Check("index", False, e.message, e.remedy)]


def claim(settings: Settings) -> None:
    """See that the serving index, where an engine answers and has one, is our ledger's.

    Raises:
        ForeignIndex: it is not.
    """
    client = connect(settings)
    with suppress(EngineUnavailable):
        with engine_errors(settings):
            live = Indexes(client, settings).live()
        if live is not None:
            claim_index(client, settings, Ledger.from_settings(settings), live)


def amiss(settings: Settings) -> str:
    """That the index is lost, does not fit this version and encoder, or how many passages carry labels of another
    version than ours; empty where all is well, or nobody can tell."""
    with suppress(AspectraError):
        client = connect(settings)
        with engine_errors(settings):
            live = Indexes(client, settings).live()
        checks = (check(client, settings, live) for check in (_fits, _labels)) if live else _lost(settings)
        return next((f"{found.detail} {found.remedy}" for found in checks if not found.ok), "")
    return ""


def _lost(settings: Settings) -> Iterator[Check]:
    """That the engine has no index, where the ledger has notes that are taken for indexed; nothing before the first."""
    if not is_there(settings.ledger_address):
        return
    if indexed := Ledger.from_settings(settings).counts()[INDEXED]:
        detail = f"the engine holds no index, and {indexed:,} notes of the ledger should be in one."
        yield Check("index", False, detail, f"Build it anew: {ANEW}")


def _fits(client: OpenSearch, settings: Settings, live: str) -> Check:
    with engine_errors(settings):
        problem = Indexes(client, settings).unfit(live, read_manifest(settings.encoder_bundle))
    if problem:
        return Check("index", False, problem.message, problem.remedy)
    return Check("index", True, "fits this version and its encoder")


def _labels(client: OpenSearch, settings: Settings, live: str) -> Check:
    versions = Serving(client, settings, live).labels()
    ours = version_in_use(load_lexicon(settings.lexicon_folder), settings.lexicon_folder, settings.mentions)
    older = sum(n for version, n in versions.items() if version != ours)
    detail = (
        f"{older:,} of {sum(versions.values()):,} passages carry labels of another version or lexicon than yours."
        if older
        else "made by this version and lexicon"
    )
    return Check.of("labels", not older, detail, f"Label anew: {LABEL_ANEW}")


def _agrees(client: OpenSearch, settings: Settings, live: str, deep: bool) -> Check:
    name = "ledger and index"
    if not is_there(settings.ledger_address):
        return Check(name, False, "there is an index and no ledger", "Set ASPECTRA_LEDGER_URL, or restore a backup.")
    ledger = Ledger.from_settings(settings)
    with engine_errors(settings):
        owner = Indexes(client, settings).meta(live).ledger
    if owner and owner != ledger.identity:
        foreign = ForeignIndex(live)
        return Check(name, False, foreign.message, foreign.remedy)
    greatest = greatest_key(client, settings, live)
    ranges = (every_range if deep else some_ranges)(ledger, greatest)
    found = compare(ledger, client, settings, live, ranges)
    remedy = f"Build the index anew, its vectors taken over: {LABEL_ANEW}"
    return Check.of(name, not found.differences, str(found), remedy)


def _facts(client: OpenSearch, settings: Settings, deep: bool) -> Iterator[Check]:
    """Whether every structured fact of the ledger is in its index; nothing where there are none."""
    if not is_there(settings.ledger_address):
        return
    ledger = Ledger.from_settings(settings)
    counts = ledger.facts.counts()
    indexes = FactIndexes(client, settings)
    with engine_errors(settings):
        live = indexes.live()
        if live is None and not any(counts.values()):
            return
        ours = live is not None and live in indexes.ours(ledger.identity)
        held = indexes.count(live) if live and ours else 0
    name = "facts"
    if live and not ours:
        yield Check(name, False, f"{live} is another ledger's, or of another version.", f"Build it anew: {ANEW}")
        return
    waiting = counts[PENDING] + counts[DELETING]
    detail = f"{sum(counts.values()):,} in the ledger, {held:,} in the index, {waiting:,} on their way"
    lacking = max(0, counts[INDEXED] - held)
    orphans = 0
    if deep and live:
        found = list(every_page(ledger, client, settings, live))
        lacking, orphans = sum(len(d.lacking) for d in found), sum(len(d.orphans) for d in found)
    if lacking or orphans:
        detail += f"; {lacking:,} are missing, {orphans:,} are there and should not be"
    remedy = f"A running worker mends it within minutes; or build it anew: {ANEW}"
    yield Check.of(name, not (lacking or orphans), detail, remedy)
