"""What was judged of a mention, and by which words."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Judgement:
    """``assertion`` is one of `search_stack.core.schema.ASSERTIONS`; the trigger is None where no words decided."""

    assertion: str = "present"
    trigger_begin: int | None = None
    trigger_end: int | None = None
    temporality: str = "recent"
    experiencer: str = "patient"
