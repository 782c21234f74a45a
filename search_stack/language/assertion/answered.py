"""What a question says once it is answered, where a note is a talk: "Any chest pain?" and behind it "None, no"."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Literal

from search_stack.language.assertion.judgement import Judgement, Target

_SPEAKER = r"\s*(?:[-–—•]\s*)?(?:[A-Za-z][\w.]{0,11}(?: [A-Za-z][\w.]{0,11})?\s*:\s*|\[\w+\]\s*)?"
"""Who speaks: "Q:", "[doctor]"."""
_WHO = r"(?:you|he|she|they|the (?:patient|baby|child))"
_EVER = r"(?:(?:ever|still|also|currently|recently|now|just|really) )?"
_HAVE = r"(?:have|get|got|feel|notice|experience|suffer|take|use|smoke|drink|see|hear)"
_HAD = r"(?:had|been|noticed|felt|experienced|gotten|got|taken|tried|used|smoked|seen)"
_OPENS = re.compile(
    rf"{_SPEAKER}(?:(?:and|but|so|or|okay|ok|alright|all right|now|um|uh|then)\b[,.]?\s*)*"
    rf"(?:(?:any|(?:is|was|are|were) there|ever had|(?:how|what) about|had any|(?:are|is|was|were) {_WHO})\b"
    rf"|(?:do|did|does) {_WHO} {_EVER}{_HAVE}\b|(?:have|has|had) {_WHO} {_EVER}{_HAD}\b|no (?=\w))",
    re.IGNORECASE,
)
"""How a question begins whether something is there."""
_PART = re.compile(r"[,;.!?–—]")
_OF_MORE = re.compile(
    r"\b(?:why|when|which|who|where|whether|if|because|know|remember|recall|told|think|worse|better|help(?:s|ed|ing)?"
    r"|questions?|concern(?:s|ed)?|chang(?:es?|ed|ing)|worried|aware|about (?:the|your|his|her)|than|more|less|wake"
    r"|stop(?:s|ped)?|problems?|trouble|issues?|side effects?|relief|or (?:is|are|do))\b",
    re.IGNORECASE,
)
"""With these it asks for something else of what is there: "does anything help the pain?"."""
_SIGHS = r"(?:(?:oh|um+|uh+|hm+|well|so|er+|ah)\b[,.…]*\s*)*"
_LAST = r"(?=\s*(?:[,.;!…–—-]|\Z))"
_GOES_ON = (
    rf"(?:{_LAST}|(?=\s(?:i|it|he|she|we|they|not|nothing|none|never|sir|ma'am|doctor|thanks|thank|thankfully|actually"
    r"|that|of|at|so|today|since|really)\b))"
)
"""Behind a word that is all of the answer: "no, never", and not "no shortness of breath"."""
_NO = re.compile(
    rf"{_SPEAKER}{_SIGHS}(?P<said>(?:(?:yeah[,.]? )?(?:no|nope|nah)|none){_GOES_ON}|never(?:{_LAST}|(?= had\b))"
    r"|not (?:really|at all|that|lately|recently|anymore|any more|so far|since|yet)\b"
    rf"|nothing(?:{_LAST}| like that\b)|denies{_LAST}|i (?:do not|don['’]t) think so\b"
    rf"|(?:i|he|she) (?:do|does|have|has|did)(?:n['’]t| not){_LAST})",
    re.IGNORECASE,
)
_YES = re.compile(
    rf"{_SPEAKER}{_SIGHS}(?P<said>(?:yes|yeah|yep|yup)\b(?![,.]? (?:but )?no\b)"
    rf"|(?:i|he|she) (?:do|does|have|has|did)(?:{_LAST}|(?= (?:have|get|actually|yes)\b))"
    rf"|(?:absolutely|definitely|sometimes|occasionally|a little|a bit|unfortunately|sadly){_LAST})",
    re.IGNORECASE,
)
_UNDONE = {
    "absent": frozenset(("present", "possible", "hypothetical", "historical", "absent")),
    "present": frozenset(("possible", "hypothetical")),
}
"""By answer, what rules say of what is asked for that it undoes."""


@dataclass(frozen=True, slots=True)
class Answer:
    """At ``begin`` to ``end``, to what is asked from ``asked`` on."""

    says: Literal["absent", "present"]
    begin: int
    end: int
    asked: int


def answer_to(text: str, question: tuple[int, int], behind: tuple[int, int]) -> Answer | None:
    """What the stretch ``behind`` answers to the stretch ``question``; None where it is none, or asks for more than
    whether something is there.

    >>> answer_to("Any chest pain? -- No, none.", (0, 15), (19, 28))
    Answer(says='absent', begin=19, end=21, asked=0)
    """
    begin, end = question
    if text[end - 1] != "?":
        return None
    starts = [begin, *(m.end() for m in _PART.finditer(text, begin, end - 1))]
    asked = next((n for n in reversed(starts) if _OPENS.match(text, n, end)), None)
    if asked is None or _OF_MORE.search(text, asked, end):
        return None
    if found := _NO.match(text, *behind):
        return Answer("absent", *found.span("said"), asked)
    found = _YES.match(text, *behind)
    return Answer("present", *found.span("said"), asked) if found else None


def answered(judged: Judgement, target: Target, answer: Answer) -> Judgement:
    """``judged`` with what is answered."""
    if target.begin < answer.asked or target.denies:
        return judged
    denied = answer.says == "absent"
    if judged.assertion == "family":
        return replace(judged, denied=judged.denied or denied)
    if judged.assertion not in _UNDONE[answer.says]:
        return judged
    temporality = "recent" if judged.temporality == "hypothetical" else judged.temporality
    return Judgement(answer.says, answer.begin, answer.end, temporality, settled=True, denied=denied, said=judged.said)
