"""The worker: Celery's processes, and beside them a thread that keeps them fed."""

from __future__ import annotations

import gc
import logging
import os
import signal
import threading
import time
from contextlib import suppress
from datetime import timedelta
from functools import lru_cache, partial
from typing import Any

from celery import Celery
from celery.signals import setup_logging, worker_ready, worker_shutting_down

from ingest.cohorts.finding import Finder
from ingest.cohorts.scheduled import run_due
from ingest.cohorts.store import Store
from ingest.handover.background import run_exports
from ingest.handover.jobs import Jobs
from ingest.ledger import Ledger
from ingest.prepare_index import ensure_index
from ingest.work.beat import Beat, make_beat
from ingest.work.celery_app import COHORTS, EXPORTS, TASK, make_celery
from ingest.work.complaints import Complaints
from ingest.work.deafness import Hearing, busy, connect_anew
from ingest.work.dispatch import BrokerUnavailable, Dispatcher, make_queue
from ingest.work.indexer import Indexer
from ingest.work.ready import ready_file
from ingest.work.stages import TimedEncoder, TimedWriter, batch
from ingest.work.watchdog import Watchdog
from search_stack.core import logs
from search_stack.core.client import connect
from search_stack.core.errors import AspectraError
from search_stack.core.settings import Settings
from search_stack.index.mapping import Indexes
from search_stack.inference.models import Encoder
from search_stack.language.assertion.table import tree
from search_stack.language.labeller import Labeller, labeller_of
from search_stack.language.lexicon.current import Current
from search_stack.query.understand import Understanding
from search_stack.retrieval.searcher import Searcher

log = logging.getLogger(__name__)
TICK = 1.0
SWEEP_EVERY = 20
PATIENCE = 900
"""Seconds without any movement after which a worker ends itself."""
GRACE = 60
COHORT_SECONDS = 600
"""Hard limit of a run of scheduled cohorts."""
EXPORT_SECONDS = 86_400
"""Hard limit of a run of exports; what it ends goes on with the next."""
# A child that inherits an open connection shares its locks or its socket and so loses data:
# while the feeding thread has one open, nothing is forked.
_feeding = threading.Lock()
os.register_at_fork(before=_feeding.acquire, after_in_parent=_feeding.release, after_in_child=_feeding.release)


@lru_cache(maxsize=1)
def _labeller(settings: Settings) -> Current[Labeller]:
    """The same in all processes: made before they are forked, for it takes a second and much memory, and opens nothing
    until it labels."""
    make = partial(labeller_of, folder=settings.lexicon_folder, mentions=settings.mentions)
    return Current(settings.lexicon_folder, make)


# One of each a process, made after the fork: neither sessions nor connections survive one.


@lru_cache(maxsize=1)
def _ledger(settings: Settings) -> Ledger:
    return Ledger.from_settings(settings)


@lru_cache(maxsize=1)
def _encoder(settings: Settings) -> Encoder:
    return TimedEncoder.from_settings(settings, threads=settings.onnx_threads or 1)


def _searcher(settings: Settings) -> Searcher:
    """Anew for each run, which is rare: what its criteria bring is much to keep."""
    understanding = Current(settings.lexicon_folder, Understanding.of)
    return Searcher(
        connect(settings), settings, _encoder(settings), None, understanding=understanding, ledger=_ledger(settings)
    )


def _finder(settings: Settings) -> Finder:
    return Finder(_searcher(settings), _ledger(settings), settings)


@lru_cache(maxsize=1)
def _indexer(settings: Settings) -> Indexer:
    ledger, encoder = _ledger(settings), _encoder(settings)
    client = connect(settings)
    ensure_index(client, settings, encoder.manifest, ledger)
    writer, indexes = TimedWriter(client, settings), Indexes(client, settings)
    return Indexer(ledger, make_queue(ledger, settings), writer, indexes, encoder, _labeller(settings), settings)


def make_worker(settings: Settings) -> Celery:
    """The application with its tasks, for a worker."""
    app = make_celery(settings)
    complaints = Complaints(log)

    @app.task(name=TASK)  # type: ignore[untyped-decorator]  # Celery ships no types
    def index(claim: str) -> None:
        # Whatever it was, the claim lapses and its notes come back; Celery would log the error's words.
        try:
            with batch():
                _indexer(settings).work(claim)
        except Exception as e:
            complaints.about(e)
        else:
            complaints.over()

    # The message says only that something is due: lost, it is sent again.
    @app.task(name=COHORTS, acks_late=False, time_limit=COHORT_SECONDS)  # type: ignore[untyped-decorator]
    def cohorts() -> None:
        try:
            run_due(Store(_ledger(settings).engine), _finder(settings), timedelta(seconds=COHORT_SECONDS))
        except Exception as e:
            complaints.about(e)
        else:
            complaints.over()

    @app.task(name=EXPORTS, acks_late=False, time_limit=EXPORT_SECONDS)  # type: ignore[untyped-decorator]
    def exports() -> None:
        try:
            ledger, searcher = _ledger(settings), _searcher(settings)
            run_exports(Finder(searcher, ledger, settings), searcher, ledger)
        except Exception as e:
            complaints.about(e)
        else:
            complaints.over()

    return app


def _keep_fed(settings: Settings, stop: threading.Event, consumer: Any) -> None:
    ready = ready_file(settings)
    ledger: Ledger | None = None
    dispatcher: Dispatcher | None = None
    beat: Beat | None = None
    dog = Watchdog(PATIENCE)
    hearing = Hearing()
    complaints = Complaints(log)
    turn = 0
    while not stop.wait(TICK):
        turn += 1
        stuck = False
        with _feeding:
            try:
                ledger = ledger or Ledger.from_settings(settings)
                dispatcher = dispatcher or Dispatcher(ledger, settings)
                try:
                    dispatcher.tick()
                    complaints.over()
                    beat = beat or make_beat(make_celery(settings), Store(ledger.engine), Jobs(ledger.engine))
                    beat.tick()
                except BrokerUnavailable as e:
                    complaints.about(e)
                if turn % SWEEP_EVERY == 0:
                    dispatcher.sweep()
                stuck = dog.stuck(ledger.counts(), time.monotonic())
                if hearing.lost(dispatcher.waiting(), busy(), time.monotonic()):
                    connect_anew(consumer)
            except Exception as e:  # the thread must outlive whatever the database does
                complaints.about(e)
                dog = Watchdog(PATIENCE)  # nothing could move meanwhile
            if ledger:
                ledger.engine.dispose()
        # Its age tells the container's health check that this thread, and so this worker, goes on.
        with suppress(OSError):
            os.utime(ready)
        if stuck:
            _give_up()


def _give_up() -> None:
    """End this worker, for whoever runs it to start a fresh one; no note is lost by that."""
    log.error("nothing was indexed for %d s while notes wait: ending, to be started anew", PATIENCE)
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(GRACE)
    if os.getpgid(0) == os.getpid():
        os.killpg(0, signal.SIGKILL)
    os._exit(1)


def processes(settings: Settings) -> int:
    return settings.worker_processes or min(4, len(os.sched_getaffinity(0)))


def run_worker(settings: Settings) -> None:
    """Run until a signal ends it."""
    logs.set_up(settings)
    setup_logging.connect(lambda **_: None, weak=False)  # Celery leaves it as it is
    app = make_worker(settings)
    if not settings.mentions:  # a pipeline of others may have threads, which no fork takes along
        with suppress(AspectraError):  # each batch says what is wrong with a lexicon
            _labeller(settings)()
            tree()
        gc.freeze()
    stop = threading.Event()
    ready = ready_file(settings)

    feeding: list[threading.Thread] = []

    def _ready(sender: Any, **_: Any) -> None:
        if feeding:
            return  # connected anew
        ready.parent.mkdir(parents=True, exist_ok=True)
        ready.write_text(str(os.getpid()))
        feeding.append(threading.Thread(target=_keep_fed, args=(settings, stop, sender), daemon=True))
        feeding[0].start()

    def _stopping(**_: Any) -> None:
        stop.set()

    worker_ready.connect(_ready, weak=False)
    worker_shutting_down.connect(_stopping, weak=False)
    app.worker_main(
        [
            "worker",
            "--pool=prefork",
            f"--concurrency={processes(settings)}",
            "--loglevel=INFO",
            "--without-gossip",
            "--without-mingle",
            "--hostname=aspectra@%h",
        ]
    )
