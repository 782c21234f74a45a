"""What is labelled as one sentence, and what holds for it from outside: its heading, what opens its list, an answer."""

from __future__ import annotations

import re
from collections.abc import Sequence

from search_stack.core.schema import Section
from search_stack.language.assertion.answered import Answer, answer_to
from search_stack.language.lexicon.matcher import Matcher
from search_stack.language.sentences import is_item, sentences

_PARAGRAPH = re.compile(r"\n[^\S\n]*\n")
SHORT = 3
"""Words, at most, of a sentence that answers the heading before it."""
_HOLDS_BELOW = re.compile(
    r"\W*(?:\d{1,2}\W+)?"
    r"(?:(?:the )?patient )?(?:not found|not present|ruled out|excluded|denies|denied|pertinent negatives?"
    r"|differential(?: diagnos[ei]s| dx)?|ddx|(?:working|provisional) (?:diagnos[ei]s|dx)"
    r"|(?:resolved|inactive|past) (?:hospital )?(?:problems|issues)|return precautions|call (?:for|if)|rule out|r/o"
    r"|warning signs|risks|contraindications|seek (?:medical )?(?:help|attention) (?:for|if)|risk factors for)\b",
    re.IGNORECASE,
)
_LABELLED = re.compile(r"[A-Z][a-z]{2,20}(?: [a-z]{2,20}){0,2}:\s")


def stretches_of(text: str, section: Section, matcher: Matcher) -> list[tuple[int, int]]:
    """What is labelled as one sentence: the heading, then the sentences of the body.

    A short answer is one with the heading: "DRAINS: None."
    """
    heading = sentences(text, section.heading_begin, section.heading_end)
    body = sentences(text, section.heading_end, section.end)
    if heading and body and _answers(text, heading[-1], body[0], matcher):
        return [*heading[:-1], (heading[-1][0], body[0][1]), *body[1:]]
    return [*heading, *body]


def _answers(text: str, heading: tuple[int, int], said: tuple[int, int], matcher: Matcher) -> bool:
    """Whether ``said`` is short and names nothing by itself, or names something with the heading alone:
    "ANESTHESIA: General, by mask"; not where it answers a label of its own: "TRAUMA", below it "LOC: denies"."""
    words = text[slice(*said)].split()
    if any(word.endswith(":") for word in words):
        return False
    if len(words) <= SHORT and not matcher.mentions(text, *said):
        return True
    if text[slice(*heading)].strip(" :").lower() not in matcher.headings:
        return False
    return any(m.begin < said[0] < m.end for m in matcher.mentions(text, heading[0], said[1]))


def headed_by(section: Section) -> str:
    """The aspect that decides where nothing else does: a guess from the text must not."""
    return section.aspect if section.heading else ""


def leads(text: str, section: Section, stretches: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """For each stretch the words before it that hold for it too, (0, 0) for none.

    They are a heading that begins with a denial, a doubt or a condition, or the sentence with a colon before a list of
    items.
    """
    heading = (section.heading_begin, section.heading_begin + len(section.heading.rstrip(": ")))
    over_all = heading if _HOLDS_BELOW.match(text[slice(*heading)]) else (0, 0)
    out: list[tuple[int, int]] = []
    opened = over_all
    for n, (begin, end) in enumerate(stretches):
        inside = begin >= section.heading_end
        before = stretches[n - 1][1] if n else begin
        apart = _PARAGRAPH.search(text[before:begin]) and text[before - 1] != ":"
        item = n > 0 and is_item(text, begin) and not apart
        own = n > 1 and _LABELLED.match(text, begin, end)  # "Resolved problems: thrush. Ongoing: constipation".
        out.append((opened if item else over_all) if inside and not own else (0, 0))
        if inside and text[end - 1] == ":":
            opened = (begin, end - 1)
        elif not item:
            opened = over_all
    return out


def answer_behind(text: str, stretches: Sequence[tuple[int, int]], n: int) -> Answer | None:
    """What the stretch behind the ``n``-th answers to it."""
    return answer_to(text, stretches[n], stretches[n + 1]) if n + 1 < len(stretches) else None
