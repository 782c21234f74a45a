"""What was done to what somebody has, by a participle behind it: "thymoma resected", "AAA repaired"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from search_stack.language.lexicon.concepts import CONDITIONS
from search_stack.language.lexicon.mention import Mention
from search_stack.query.items import Part
from search_stack.query.nodes import Finding, Node, Words
from search_stack.query.plain.denied import is_denied
from search_stack.query.plain.stretch import Stretch
from search_stack.query.shadow import Shadow
from search_stack.query.tree import any_of

_NOUNS = {
    "ablated": ("ablation",),
    "clipped": ("clipping",),
    "coiled": ("coiling",),
    "debrided": ("debridement",),
    "decompressed": ("decompression",),
    "drained": ("drainage",),
    "evacuated": ("evacuation",),
    "excised": ("excision", "resection"),
    "fixed": ("fixation", "repair"),
    "ligated": ("ligation",),
    "repaired": ("repair",),
    "resected": ("resection", "excision"),
}
"""By the participle, what the operation is called."""
_DONE = re.compile(
    r"(?<=\w)\s+(?:(?:was|were|is|been|has|have|had|being|surgically|successfully|fully|completely)\s+)*"
    rf"(?P<how>{'|'.join(_NOUNS)})"
    r"(?=\s*(?:$|[,;.?)]|(?:and|with|in|on|for|who|by|at|under|then|now|but|after|before|since)\s|(?:19|20)\d\d(?!\d)))",
    re.IGNORECASE,
)


def operated(s: Stretch, shadow: Shadow) -> Shadow:
    """``shadow`` without such participles: the operation that they name is asked for as done now or before."""
    for found in reversed(list(_DONE.finditer(shadow.text))):
        text = shadow.text
        heads = s.known.ending(text, found.start(), *CONDITIONS)
        head = min(heads, key=lambda m: m.begin, default=None)
        if head is None or is_denied(text, head.begin) or _is_named(s, text, head.begin, found.end()):
            continue
        name = next(_operations(s, text.lower(), head, found["how"].lower()), "")
        if name:
            done: list[Node] = [Finding(name, says) for says in ("present", "historical")]
            if not s.known.named(found["how"]):
                done.append(Words(found["how"].lower()))
            s.reading.ways.append(node := any_of(done))
            s.parts.append(Part(node, *shadow.span(found.start() + 1, found.end())))
            shadow = shadow.blank(found.start() + 1, found.end())
    return shadow


def _is_named(s: Stretch, text: str, begin: int, end: int) -> bool:
    """Whether both are one name as they stand: "hernia repaired"."""
    return any(m.begin <= begin and m.end == end and len(m.parts) == 1 for m in s.known.named(text, 0, end))


def _operations(s: Stretch, text: str, head: Mention, how: str) -> Iterator[str]:
    """Names of it, that of the disorder's own operation first: "aneurysm repair"."""
    end = text.index(how, head.end) + len(how)
    whole = (m for m in s.known.ending(text, end, "procedure") if m.begin < head.end)
    yield from (s.known.name_of(m.concept) for m in whole)  # "lung nodule resected"
    for noun in _NOUNS[how]:
        called = (text[head.begin : head.end], s.known.name_of(head.concept), text[: head.end].split()[-1])
        for name in (
            *(f"{one} {noun}" for one in called),
            s.known.name_of(head.concept).split()[-1] + f" {noun}",
            noun,
        ):
            concept = s.known.lexicon.find(name)
            if concept is not None and concept.kind == "procedure":
                yield concept.name
