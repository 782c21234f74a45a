"""Which passages the systems order."""

from __future__ import annotations

import re
from dataclasses import dataclass

from search_stack.core.errors import AspectraError


@dataclass(frozen=True, slots=True)
class Candidates:
    """What is ranked: the first ``depth`` passages of BM25, with every missing answer in the
    place of the last ones; or, where ``depth`` is 0, the whole corpus."""

    depth: int

    @classmethod
    def parse(cls, text: str) -> Candidates:
        """Read ``bm25:64`` or ``corpus``."""
        if text == "corpus":
            return cls(0)
        found = re.fullmatch(r"bm25:(\d{1,3})", text)
        if not found or not 2 <= int(found[1]) <= 500:
            raise AspectraError(f"--candidates {text!r} is not known.", "Write bm25:64 (2 to 500) or corpus.")
        return cls(int(found[1]))
