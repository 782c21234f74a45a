"""What is timed: queries, and passages drawn with a fixed seed."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence

from search_stack.core.errors import AspectraError
from search_stack.core.schema import Note
from search_stack.inference.models import Encoder
from search_stack.language.passages import passages
from search_stack.language.sections import sections

SEED = 13
QUERIES = (
    "pleural effusion",
    "pneumothorax after pacemaker",
    "no acute cardiopulmonary abnormality",
    "family history of breast cancer",
    "shortness of breath on exertion",
    "chest pain radiating to the left arm",
    "deep vein thrombosis anticoagulation",
    "nodule right upper lobe follow-up",
)


def of_notes(notes: Iterable[Note], encoder: Encoder, limit: int) -> Iterator[str]:
    """The words of every passage of ``notes``, of at most ``limit`` tokens."""
    for note in notes:
        yield from (p.text for p in passages(note.text, sections(note.text), encoder.count_tokens, limit))


def drawn(texts: Sequence[str], count: int) -> list[str]:
    """``count`` of ``texts``.

    Raises:
        AspectraError: there are fewer.
    """
    if len(texts) < count:
        raise AspectraError(f"There are {len(texts)} passages, and {count} are wanted.", "Give a larger file.")
    return random.Random(SEED).sample(texts, count)
