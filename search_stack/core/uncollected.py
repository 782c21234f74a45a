"""Making much that stays."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def uncollected() -> Iterator[None]:
    """No search for cycles meanwhile; also a decorator, `@uncollected()`.

    Of a million objects that are made to stay the collector looks at each time and again, which is a quarter of the
    time that the lexicon takes to load.
    """
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()
