"""A backup put back: the ledger as it was, and an index that agrees with it."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from uuid import uuid4

from opensearchpy import OpenSearch
from sqlalchemy import update

from access.audit.entry import Action, Entry
from access.audit.sealing import KEYS, add_keys
from access.audit.trail import Trail, commander
from aspectra.promotion import kept_models
from aspectra.saving.backup import INDEX, LEDGER, LEXICONS, MODELS
from aspectra.saving.manifest import Manifest, read_manifest
from aspectra.saving.repository import emptied
from aspectra.stack.engine_config import repository_folder
from aspectra.stack.folders import PRIVATE, engine_account, give_to, make_folder
from ingest.agreement import Agreement, compare, every_range, greatest_key
from ingest.ledger import Ledger
from ingest.ledger.copy import clear, copy_ledger, is_empty, snapshot_of
from ingest.ledger.database import open_database, writing
from ingest.ledger.tables import builds, identity, notes
from ingest.work.fact_writer import rebuild_facts
from ingest.work.orphans import OrphanSweep
from ingest.work.reindex import give_up_builds, reindex
from search_stack.core.client import connect, engine_errors
from search_stack.core.errors import AspectraError
from search_stack.core.files import disk_errors
from search_stack.core.promoted import CHOICE
from search_stack.core.settings import Settings
from search_stack.index.mapping import Indexes
from search_stack.index.meta import SCHEMA
from search_stack.index.snapshots import Snapshots
from search_stack.inference.models import Encoder
from search_stack.language.labeller import load_labeller

SCRATCH = "restore"
"""A folder in the data folder, for its owner alone: the whole ledger lies there while a backup is put back."""
Progress = Callable[[str, int, int], None]


def restore(settings: Settings, folder: Path, replace_all: bool, progress: Progress) -> tuple[Manifest, Agreement]:
    """Put the backup in ``folder`` back, and see that ledger and index agree afterwards.

    The engine must run, the worker and the page must not. The ledger gets a new identity, so that nothing that was
    indexed since can be taken for what it says. Interrupted, the same call with ``replace_all`` begins anew.

    Raises:
        AspectraError: the backup is damaged, or there are notes already and ``replace_all`` is not given.
    """
    scratch = settings.data_dir / SCRATCH
    with disk_errors(scratch):
        _remove(scratch)  # of a restore that was killed
    manifest = read_manifest(folder)
    ledger = Ledger.from_settings(settings)
    client = connect(settings)
    with engine_errors(settings):
        Indexes(client, settings).live()  # better now than after the ledger was changed
    give_up_builds(ledger, Indexes(client, settings), settings)
    _put_back_ledger(ledger, folder / LEDGER, scratch, replace_all, lambda done, total: progress("ledger", done, total))
    _go_on_with_trail(settings, ledger, folder, manifest)
    _put_back(folder / LEXICONS, settings.lexicon_folder)
    _put_back(folder / MODELS, kept_models(settings))
    if (folder / CHOICE).is_file():
        shutil.copyfile(folder / CHOICE, settings.data_dir / CHOICE)
    restored = Ledger(ledger.engine)
    if not _put_back_index(client, settings, restored, folder, manifest):
        _build(client, settings, restored, lambda done, total: progress("index", done, total))
    rebuild_facts(restored, client, settings, lambda done, total: progress("facts", done, total))
    return manifest, _reconcile(client, settings, restored)


@contextmanager
def _copied(file: Path, scratch: Path) -> Iterator[Path]:
    """A copy of the saved ledger in the new folder ``scratch``, for us alone, for as long as it is needed: a ledger of
    an earlier version is brought up to date when it is opened."""
    try:
        copy = make_folder(scratch, PRIVATE) / file.name
        copy.touch(0o600, exist_ok=False)
        yield Path(shutil.copyfile(file, copy))
    finally:
        _remove(scratch)


def _remove(scratch: Path) -> None:
    """
    Raises:
        OSError: what is there cannot be removed.
    """
    if scratch.exists():
        shutil.rmtree(scratch)


def _put_back_ledger(
    ledger: Ledger, file: Path, scratch: Path, replace_all: bool, progress: Callable[[int, int], None]
) -> None:
    with _copied(file, scratch) as copy:
        saved = open_database(f"sqlite:///{copy}")
        with snapshot_of(saved) as old, writing(ledger.engine) as new:
            if not is_empty(new) and not replace_all:
                raise AspectraError(
                    "The ledger holds notes already.", "Give --replace to put the backup in their place."
                )
            clear(new)
            copy_ledger(old, new, progress)
            new.execute(update(identity).values(id=uuid4().hex))
            new.execute(update(notes).values(claim=None, claimed_until=None))
            new.execute(builds.delete())
        saved.dispose()


def _go_on_with_trail(settings: Settings, ledger: Ledger, folder: Path, manifest: Manifest) -> None:
    """The audit trail goes on from where it ended here, or where there was none, in the backup."""
    if (folder / KEYS).is_file():
        add_keys(settings.data_dir / KEYS, folder / KEYS)
    about = {"backup": manifest.made, "ledger": manifest.ledger}
    Trail.from_settings(settings, ledger).add(Entry(commander(), Action.RESTORE, about=about))


def _put_back(saved: Path, to: Path) -> None:
    """The folder as it was saved; what stood there is kept beside it."""
    if to.is_dir():
        aside = to.with_name(f"{to.name}.before-restore")
        shutil.rmtree(aside, ignore_errors=True)
        to.rename(aside)
    if saved.is_dir():
        shutil.copytree(saved, to)


def _put_back_index(client: OpenSearch, settings: Settings, ledger: Ledger, folder: Path, manifest: Manifest) -> bool:
    """Whether the snapshot serves now: it must be there, and hold vectors of the encoder that is in use."""
    if not manifest.snapshot:
        return False
    indexes, snapshots = Indexes(client, settings), Snapshots(client, settings)
    with engine_errors(settings):
        if not snapshots.possible():
            return False
        snapshots.register()
        with emptied(settings, snapshots):
            if not settings.engine_url:
                _put_back_repository(settings, snapshots, folder / INDEX)
            return _put_back_snapshot(settings, ledger, indexes, snapshots, manifest.snapshot)


def _put_back_snapshot(
    settings: Settings, ledger: Ledger, indexes: Indexes, snapshots: Snapshots, snapshot: str
) -> bool:
    if not snapshots.holds(snapshot):
        return False
    name = snapshots.put_back(snapshot)
    meta = indexes.meta(name)
    if meta.schema != SCHEMA or meta.encoder != Encoder.from_settings(settings).manifest.identity:
        indexes.drop(name)
        return False
    indexes.say(name, replace(meta, ledger=ledger.identity))
    indexes.swap(name)
    indexes.drop_besides({name})
    return True


def _put_back_repository(settings: Settings, snapshots: Snapshots, saved: Path) -> None:
    repository = repository_folder(settings) / snapshots.folder
    snapshots.forget()
    shutil.rmtree(repository, ignore_errors=True)
    shutil.copytree(saved, repository)
    give_to(engine_account(settings), repository)
    snapshots.register()


def _build(client: OpenSearch, settings: Settings, ledger: Ledger, progress: Callable[[int, int], None]) -> None:
    labeller = load_labeller(settings.lexicon_folder, settings.mentions)
    reindex(ledger, client, Encoder.from_settings(settings), labeller, settings, progress, labels_only=True)


def _reconcile(client: OpenSearch, settings: Settings, ledger: Ledger) -> Agreement:
    """What still differs after orphans were swept away, and notes that the index lacks were set to be indexed."""
    indexes = Indexes(client, settings)
    with engine_errors(settings):
        live = indexes.live() or ""
    sweep = OrphanSweep(ledger, client, settings)
    while sweep.step() or not sweep.round_done:
        pass
    with engine_errors(settings):
        indexes.refresh()
    greatest = greatest_key(client, settings, live)
    first = compare(ledger, client, settings, live, every_range(ledger, greatest))
    if first.differences:
        ledger.index_again(sorted(first.keys))
        first = compare(ledger, client, settings, live, every_range(ledger, greatest))
    return first
