"""Turns claimed notes into passages in the index."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import takewhile

from ingest.ledger import Ledger, StoredNote
from ingest.ledger.queue import Queue
from ingest.work.prepared import Prepared
from ingest.work.writer import Action, RefusedDocument, Writer, delete_action, write_action
from search_stack.core.client import EngineUnavailable, engine_errors
from search_stack.core.errors import LedgerUnavailable
from search_stack.core.schema import passage_id
from search_stack.core.settings import Settings
from search_stack.index.documents import LabelledPassage, document, encoded
from search_stack.index.mapping import Indexes, alias
from search_stack.index.meta import ForeignIndex, IndexMeta
from search_stack.inference.models import Encoder
from search_stack.language.labeller import Labeller

log = logging.getLogger(__name__)
SLICE = 64
"""Passages that are encoded and written at a time; seconds of work, since a deadline waits for it."""
ENGINE_PAUSE = 3.0
"""Seconds until notes are tried again that the engine could not take."""
Slice = list[tuple[StoredNote, LabelledPassage]]
Vectors = Callable[[Slice], list[list[float]]]
"""Gives the vector of each passage of a slice."""


class Indexer:
    """Works on one claim at a time, within a deadline.

    Args:
        labeller: gives the labeller of the lexicon as it stands now.
        clock: monotonic seconds.
    """

    def __init__(
        self,
        ledger: Ledger,
        queue: Queue,
        writer: Writer,
        indexes: Indexes,
        encoder: Encoder,
        labeller: Callable[[], Labeller],
        settings: Settings,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._ledger = ledger
        self._queue = queue
        self._writer = writer
        self._indexes = indexes
        self._encoder = encoder
        self._labeller = labeller
        self._settings = settings
        self._clock = clock
        self._deadline = 0.0
        self._labels = ""
        self._prepared = Prepared(encoder, settings.passage_tokens)

    def work(self, claim: str) -> None:
        """Index the notes of ``claim``; whatever happens, each ends indexed, failed or free again."""
        # Half the hard limit: what is left is for the slice under way.
        self._deadline = self._clock() + self._settings.task_seconds / 2
        batch = self._queue.begin(claim)
        if batch:
            self._bisect(batch)

    def _bisect(self, batch: Sequence[StoredNote]) -> None:
        """Index ``batch``; where it fails, its halves, so that one bad note keeps no other out."""
        try:
            self._index(batch)
        except EngineUnavailable as e:
            self._queue.release(batch, ENGINE_PAUSE)
            log.warning("%d notes wait: %s", len(batch), e.message)
        except LedgerUnavailable:
            self._release_in_time(batch)
            raise
        except Exception as e:  # whatever a note does to us, the others go in
            if len(batch) == 1:
                # Only the kind of error: its words could be the note's.
                reason = f"{type(e).__name__} {e}" if isinstance(e, RefusedDocument) else type(e).__name__
                self._queue.fail(batch[0], reason)
                self._prepared.forget(batch[0])
                log.warning("note %d failed: %s", batch[0].key, reason)
            else:
                middle = len(batch) // 2
                self._bisect(batch[:middle])
                self._bisect(batch[middle:])

    def _release_in_time(self, batch: Sequence[StoredNote]) -> None:
        """Give the attempt back, if the ledger is there again before the task ends: the notes are not at fault."""
        pause = 1.0
        while self._clock() + pause < self._deadline:
            time.sleep(pause)
            pause *= 2
            try:
                self._queue.release(batch, 0)
            except LedgerUnavailable:
                continue
            return

    def _index(self, batch: Sequence[StoredNote]) -> None:
        labeller = self._known(self._labeller())
        targets = [alias(self._settings), *self._ledger.building()]
        self._check(targets)
        count: dict[int, int] = {}
        written: dict[int, int] = {}
        left = list(batch)
        for part in slices(self._prepared_in_time(batch, labeller, count)):
            write_slice(part, count, targets, self._queue, self._writer, self._vectors, labeller)
            written |= {s.key: p.ordinal + 1 for s, p in part}
            left = self._finish_first(left, written, count, targets)
            if left and self._clock() > self._deadline:
                break
        left = self._finish_first(left, written, count, targets)
        if left and left[0].key in written:
            self._queue.pause(left[0], written[left[0].key])
            left = left[1:]
        if left:  # The first of them may be prepared in part.
            self._queue.release(left, 0)

    def _prepared_in_time(
        self, batch: Sequence[StoredNote], labeller: Labeller, count: dict[int, int]
    ) -> Iterator[tuple[StoredNote, list[LabelledPassage]]]:
        """The notes one by one, as long as there is time, so that long ones cost none an attempt."""
        for stored in batch:
            parts = self._prepared(stored, labeller, lambda: self._clock() <= self._deadline)
            if parts is None:
                return
            count[stored.key] = len(parts)
            yield stored, parts

    def _finish_first(
        self, left: list[StoredNote], written: Mapping[int, int], count: dict[int, int], targets: Sequence[str]
    ) -> list[StoredNote]:
        """Finish the notes at the head of ``left`` that are written to their end; the rest."""
        done = list(takewhile(lambda s: written.get(s.key, 0) == count.get(s.key), left))
        if done:
            self._finish(done, count, targets)
        for s in done:
            self._prepared.forget(s)
        return left[len(done) :]

    def _known(self, labeller: Labeller) -> Labeller:
        """Its version is in the ledger before any passage carries it."""
        if self._labels != labeller.version:
            self._ledger.note_labelling(labeller.version, labeller.fingerprints)
            self._labels = labeller.version
        return labeller

    def _check(self, targets: Sequence[str]) -> None:
        """A vector of another encoder would be found beside the wrong passages, a passage of another
        ledger lead to the wrong patient: so nothing is written, and the notes wait."""
        own = IndexMeta(self._encoder.manifest.identity, self._ledger.identity)
        with engine_errors(self._settings):
            metas = self._indexes.metas(targets)
        for name, meta in metas.items():
            if meta.ledger != own.ledger:
                foreign = ForeignIndex(name)
                raise EngineUnavailable(foreign.message, foreign.remedy)
            if meta.encoder != own.encoder:
                raise EngineUnavailable(
                    f"{name} holds vectors of {meta.encoder}, this worker encodes with {own.encoder}.",
                    "Start the workers anew with the encoder that the index was built with.",
                )

    def _vectors(self, part: Slice) -> list[list[float]]:
        return encoded(self._encoder, part)

    def _finish(self, done: Sequence[StoredNote], count: dict[int, int], targets: Sequence[str]) -> None:
        """Delete what earlier, longer versions left, then record the notes as indexed."""
        self._writer.write(action for s in done for action in stale(s, count[s.key], targets))
        self._queue.finish([(s, count[s.key]) for s in done])


def write_slice(
    part: Slice,
    count: Mapping[int, int],
    targets: Sequence[str],
    queue: Queue,
    writer: Writer,
    vectors: Vectors,
    labeller: Labeller,
) -> None:
    """Encode and write passages, but for those of a note that changed or was deleted meanwhile.

    ``count`` says how many passages the whole note of each key has. However long this process
    sleeps between looking and writing, what it wrote too late it takes out again; and where it is
    killed before it can, `ingest.work.orphans` does.

    Raises:
        RefusedDocument: the index holds a newer version of a note than the ledger.
    """
    current = queue.reserve([(s, count[s.key]) for s in {s.key: s for s, _ in part}.values()])
    part = [(s, p) for s, p in part if s.key in current]
    if not part:
        return
    newer = writer.write(
        write_action(target, document(s, p, vector, labeller))
        for (s, p), vector in zip(part, vectors(part), strict=True)
        for target in targets
    )
    current = queue.current({s.key: s for s, _ in part}.values())
    writer.write(
        delete_action(target, s.key, p.ordinal, s.version)
        for s, p in part
        if s.key not in current
        for target in targets
    )
    if any(s.key in current and passage_id(s.key, p.ordinal) in newer for s, p in part):
        raise RefusedDocument("409 the index is ahead of the ledger; build it anew: aspectra reindex")


def slices(prepared: Iterable[tuple[StoredNote, Sequence[LabelledPassage]]]) -> Iterator[Slice]:
    """Passages still to be written, in order, `SLICE` at a time."""
    part: Slice = []
    for stored, parts in prepared:
        for passage in parts[min(stored.progress, len(parts) - 1) :] if parts else []:
            part.append((stored, passage))
            if len(part) == SLICE:
                yield part
                part = []
    if part:
        yield part


def stale(stored: StoredNote, kept: int, targets: Sequence[str]) -> Iterator[Action]:
    """Deletion of the passages beyond the first ``kept``, as far as any version ever reached."""
    for ordinal in range(kept, stored.passages):
        for target in targets:
            yield delete_action(target, stored.key, ordinal, stored.version)
