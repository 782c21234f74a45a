"""Work in a process of its own, so that the memory it needs is its own."""

from __future__ import annotations

from collections.abc import Callable
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Any

from search_stack.core.errors import AspectraError
from search_stack.evaluation.temporary_index import Progress

Work = Callable[[Progress], dict[str, Any]]


def apart(work: Work, progress: Progress) -> dict[str, Any]:
    """What ``work`` gives back, done in a new process; it ends with the caller.

    Raises:
        AspectraError: ``work`` raised it, or its process ended before it was done.
    """
    spawn = get_context("spawn")
    here, there = spawn.Pipe()
    process = spawn.Process(target=_work, args=(work, there), daemon=True)
    process.start()
    there.close()
    try:
        while True:
            kind, *said = here.recv()
            if kind == "done":
                return dict(said[0])
            if kind == "error":
                raise AspectraError(*said)
            progress(*said)
    except EOFError:
        raise AspectraError("The process that asked ended before it was done.", "Run it again.") from None
    finally:
        process.terminate()
        process.join()
        here.close()


def _work(work: Work, pipe: Connection) -> None:
    try:
        pipe.send(("done", work(lambda what, done, total: pipe.send(("progress", what, done, total)))))
    except AspectraError as e:
        pipe.send(("error", e.message, e.remedy))
    except KeyboardInterrupt:
        pipe.close()
