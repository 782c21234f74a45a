"""What words say so plainly that no arbiter weighs it: each of `OVERRULINGS` may give another answer, in this order."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from search_stack.language.arbiter import Judged
from search_stack.language.arbiter.features import Overview
from search_stack.language.arbiter.model import NONE
from search_stack.language.assertion import Sentence
from search_stack.language.assertion.scopes import DONE_OR_TAKEN
from search_stack.language.assertion.table import slot
from search_stack.language.lexicon.chronic import habits, is_chronic
from search_stack.language.lexicon.concepts import CONDITIONS
from search_stack.language.lexicon.initials import MARK

_CHILD = re.compile(
    r"\W*(?:(?:the|this|a|our|an?)\s+)?(?:[\w-]+\s+){0,2}?(?:child|baby|infant|newborn|neonate|toddler|boy|girl)\b",
    re.IGNORECASE,
)
_AGAIN = re.compile(
    r"(?<!\bher )(?<!\bhis )(?<!\bour )(?<!\btheir )\b"
    r"(?:(?:pt|patient|baby|infant|child) (?:had|has|with) |found (?:him|her) "
    r"(?:unresponsive|unconscious|collapsed|down|lying|on|in|at|after|with) )[^.;,\n]*\Z",
    re.IGNORECASE,
)
"""The patient becomes the subject, whoever was named before: "per mom, pt had"."""
_KIN = re.compile(rf"\b(?:{'|'.join(slot('relative'))}|twin|family|her|his|their|another|other)\b", re.IGNORECASE)
_RELATIVE = re.compile(rf"\b(?:{'|'.join(slot('relative'))}|twin|family|another|other)\b", re.IGNORECASE)
_BLANK_LINE = re.compile(r"\n[ \t]*\n")
FAMILY_HISTORY = "family history"
"""The aspect of a section."""
_DEATH = re.compile(r"\W*(?:(?:he|she|(?:the )?(?:pt|patient)) )?(?:died|passed away)\b", re.IGNORECASE)
"""How a sentence begins that tells of the patient's death, unless it is a relative's who stands before it."""
KIN_BEFORE = 120
"""Characters before such a sentence in which a relative may be named: "Mother had a stroke. She died of pneumonia"."""
_HABIT = re.compile(r"(?:smokes|vapes|drinks|chews|dips)\b", re.IGNORECASE)
"""What somebody does now, by its tense."""
_LETTERS = re.compile(rf"\w(?:{MARK}\w)+")
"""What names things by their first letters, which can mean nothing else: "n/v"."""
_BEFORE_ITEM = re.compile(r"[,;:]\s*\Z")
_BEHIND_ITEM = re.compile(r"\s*[,;]")
_ORDER = re.compile(r"(?:transfuse|intubate|extubate|cardiovert|dialy[sz]e)\Z", re.IGNORECASE)
"""Acts by the form of their verb in which they are ordered; behind other words it is that of a purpose too."""
_OPENS = re.compile(r"(?:\A|[,;:•>–-]\s?|\b(?:please|and|or|will|would) )\Z", re.IGNORECASE)
"""What an order stands behind."""
_HELD = frozenset(("advance-directive", "lasting-power-of-attorney"))
"""What others hold for the patient, or carry out."""
_LIVES_WITH = "lives-with-"
_BEREAVED = re.compile(r"\b(?:husband|wife|spouse|partner)\b", re.IGNORECASE)
"""In the name of what the patient is since another's death."""
SEEN = ("findings", "impression")
"""Aspects of sections of a report of imaging that tell what is seen, long after an operation or soon."""
_SINCE = re.compile(r"(?: (?:a cigarette|at all|anything|tobacco)|[ -]free)? since\b", re.IGNORECASE)
_BUT_POSSIBLE = re.compile(
    r"(?: is| was)?(?: (?:less |un)likely)?,? but (?:(?:can ?not|can't|could not|not) (?:be )?"
    r"(?:entirely |completely |fully |definitively )?(?:excluded|ruled out)"
    r"|(?:is |it )?(?:remains|still|is still) (?:possible|a possibility|on the differential))\b",
    re.IGNORECASE,
)
_NOT_TREATED = re.compile(r"\bnever (?:been )?treated for (?:his|her|their|the|this) \Z", re.IGNORECASE)
_TREATED_NEVER = re.compile(r",? never (?:been )?treated\b", re.IGNORECASE)
_CHANGED_TO = re.compile(
    r"\b(?:chang|switch|swap|convert|transition|mov)\w* (?:(?:over|him|her|pt|patient) )?from [\w/ -]{3,40}?"
    r" (?:over )?to \Z",
    re.IGNORECASE,
)
_DECLINED_BEHIND = re.compile(
    r"[ \t\d.]{0,8}(?:mg|mcg|g|units?)?[ \t]*\??[ \t]*(?:->|→|–|-)[ \t]*(?:pt |patient |he |she )?"
    r"(?:declined|refused|declines|refuses)\b",
    re.IGNORECASE,
)
_DISCUSSED = re.compile(
    r" (?:was |were |has been )?(?:briefly |also )?discussed\b"
    r"(?! (?:and|then) (?:done|performed|agreed|consented|booked))",
    re.IGNORECASE,
)
_DECLINES = re.compile(
    r"\b(?:declin|refus)(?:es?|ed|ing)(?: (?:the|an?|any|to (?:have|take|start|undergo)))* \Z", re.IGNORECASE
)
_SIZE = re.compile(
    r"\b(?:small|tiny|trace|moderate|large|massive)(?:[- ]sized)?"
    r"(?: (?:r|l|right|left|bilateral|b/l))?(?:[- ]sided)? \Z",
    re.IGNORECASE,
)
_REPORT = re.compile(
    r"[^\n]{0,40}\n\s*(?:indications?|history|clinical|technique|findings|procedure|sedation|prep|exam)\b",
    re.IGNORECASE,
)
_GONE = re.compile(r"\babsent\b", re.IGNORECASE)
"""In the name of an operation it says that the organ is out."""
_SHOWN_ON = re.compile(
    r"\b(?:seen|identified|found|noted|detected|demonstrated|visible|visuali[sz]ed|evident|apparent|excluded|ruled out)"
    r" (?:(?:on|by|in) (?:[\w&-]+ (?:or|and|nor) )?|\()\Z",
    re.IGNORECASE,
)
_VALUE = re.compile(r"[ \t]{0,2}[:=]?[ \t]{0,2}\d")
_ANSWERED = re.compile(r":\s*(?:denies|denied|no|none|nil|never|neg|negative|absent)\W*\Z", re.IGNORECASE)
"""A row of a form whose answer denies."""


@dataclass(frozen=True, slots=True)
class Case:
    """A mention in its note, and what the rules say of it."""

    text: str
    one: Judged
    note: Overview
    rule: str
    is_operation: bool = False

    @property
    def heard(self) -> frozenset[str]:
        """What the triggers in reach say."""
        return frozenset(s.says for s in self.one.judgement.said)


Overruling = Callable[[Case, str], str]
"""The answer in the end, from that of the arbiter."""


def _letters_mean_it(case: Case, answer: str) -> str:
    found = case.one.finding
    return case.rule if answer == NONE and _LETTERS.fullmatch(case.text, found.begin, found.end) else answer


def _of_the_patient(case: Case, answer: str) -> str:
    if answer != "family" or case.rule == "family":
        return answer
    own = "own" in case.heard or _is_childs(case.text, case.one) or _is_patients(case.text, case.one)
    own = own or _is_of_new_paragraph(case.text, case.one)
    return case.rule if own else answer


def _of_the_patient_by_another(case: Case, answer: str) -> str:
    """ "Daughter is her health care proxy", "husband died of pneumonia": it is the patient's, whoever is named; who
    lost her husband in 2005 is a widow; "lives with husband, who" tells with whom the patient lives."""
    found = case.one.finding
    if answer == "family" and case.rule != "family" and found.concept.startswith(_LIVES_WITH):
        return case.rule
    if found.concept == "widowed" and _BEREAVED.search(case.text, found.begin, found.end):
        return "present" if answer in ("family", "historical") else answer
    if answer != "family" or found.concept not in _HELD:
        return answer
    return "present" if case.rule == "family" else case.rule


def _habit_of_now(case: Case, answer: str) -> str:
    return case.rule if answer == "historical" and _HABIT.match(case.text, case.one.finding.begin) else answer


def _past_of_another(case: Case, answer: str) -> str:
    """What does not go away, as a bare item of a list, is past by its own words alone: "GERD, depression, DVT 2016"."""
    found, sentence = case.one.finding, case.one.sentence
    if answer != "historical" or case.rule != "present" or "historical" in case.heard or found.kind not in CONDITIONS:
        return answer
    lasts = is_chronic(found.concept, case.text, found.begin, found.end)
    return case.rule if lasts and _listed_alone(case.text, sentence, found.begin, found.end) else answer


def _not_excluded(case: Case, answer: str) -> str:
    """A denial that is taken back: "less likely lymphoma, but cannot be excluded"."""
    found = case.one.finding
    kept = answer == "absent" and _BUT_POSSIBLE.match(case.text, found.end, case.one.sentence.end)
    return "possible" if kept else answer


def _never_treated(case: Case, answer: str) -> str:
    """Who was never treated for it has it: "never been treated for her hepatitis C", "hepatitis C, never treated"."""
    found, begin = case.one.finding, case.one.sentence.begin
    if answer != "absent" or case.rule != "present" or found.kind != "disorder":
        return answer
    told = _NOT_TREATED.search(case.text, begin, found.begin) or _TREATED_NEVER.match(case.text, found.end)
    return case.rule if told else answer


def _taken_instead(case: Case, answer: str) -> str:
    """The drug of now, beside that of before: "changed from lisinopril to losartan due to cough"."""
    found, begin = case.one.finding, case.one.sentence.begin
    now = answer == "historical" and case.rule == "present" and found.kind == "drug"
    return case.rule if now and _CHANGED_TO.search(case.text, begin, found.begin) else answer


def _declined(case: Case, answer: str) -> str:
    """What is declined is not to come, whatever is recommended: "recommended - pt declines apixaban", "add
    empagliflozin 10? -> declined"."""
    found, begin = case.one.finding, case.one.sentence.begin
    if answer not in ("hypothetical", "present", "possible") or found.kind not in DONE_OR_TAKEN:
        return answer
    declines = "absent" in case.heard and answer == "hypothetical" and _DECLINES.search(case.text, begin, found.begin)
    return "absent" if declines or _DECLINED_BEHIND.match(case.text, found.end) else answer


def _only_discussed(case: Case, answer: str) -> str:
    """An operation that is spoken of is none yet: "surgery was discussed with the family"."""
    spoken = answer == "present" and case.is_operation and _DISCUSSED.match(case.text, case.one.finding.end)
    return "hypothetical" if spoken else answer


def _given_up(case: Case, answer: str) -> str:
    """Who has not smoked since something did before: "no cigarettes since the surgery", "smoke-free since May"."""
    found = case.one.finding
    since = answer == "absent" and found.concept in habits() and _SINCE.match(case.text, found.end)
    return "historical" if since else answer


def _sized(case: Case, answer: str) -> str:
    """What has a size is there: "small R effusion"."""
    found = case.one.finding
    there = answer == NONE and found.kind == "finding" and _SIZE.search(case.text, case.one.sentence.begin, found.begin)
    return case.rule if there else answer


def _report_of_it(case: Case, answer: str) -> str:
    """The title of a report tells what was done: "COLONOSCOPY", below it its indication and findings."""
    found, text = case.one.finding, case.text
    told = found.kind == "procedure" and answer in ("hypothetical", "historical") and not text[: found.begin].strip()
    return "present" if told and _REPORT.match(text, found.end) else answer


def _done_already(case: Case, answer: str) -> str:
    """ "Scheduled MRI showed a tear"."""
    return case.rule if answer == "hypothetical" and "done" in case.heard else answer


def _answer_of_its_own_row(case: Case, answer: str) -> str:
    """A form's answer is of its own row: "LOC: denies. Tdap updated"."""
    one = case.one
    other = one.finding.kind in DONE_OR_TAKEN and _ANSWERED.search(case.text, *one.before)
    return case.rule if answer == "absent" and other else answer


def _organ_gone(case: Case, answer: str) -> str:
    """An operation that is named by what is no longer there: "gallbladder: surgically absent"."""
    found = case.one.finding
    named = case.rule == "present" and answer != NONE and found.kind == "procedure"
    return "historical" if named and _GONE.search(case.text, found.begin, found.end) else answer


def _showed_nothing(case: Case, answer: str) -> str:
    """The test by which something was looked for was done: "not seen on CT"."""
    found, begin = case.one.finding, case.one.sentence.begin
    denied = answer == "absent" and found.kind == "procedure"
    return case.rule if denied and _SHOWN_ON.search(case.text, begin, found.begin) else answer


def _has_a_value(case: Case, answer: str) -> str:
    """A measurement with its value right behind it was made: "Hb 84. Plan: scope"."""
    found = case.one.finding
    measured = case.rule == "present" and found.kind == "procedure" and found.amounts
    return case.rule if measured and _VALUE.match(case.text, found.end) else answer


def _order(case: Case, answer: str) -> str:
    """Nobody has followed it yet: "Hgb 7.1, transfuse <7"."""
    found, begin = case.one.finding, case.one.sentence.begin
    act = answer == "present" and found.kind == "procedure" and _ORDER.match(case.text[found.begin : found.end])
    return "hypothetical" if act and _OPENS.search(case.text[begin : found.begin]) else answer


def _operation_seen(case: Case, answer: str) -> str:
    """ "Sternotomy. Lungs are clear": what is left of it is seen."""
    sees = case.note.sees and case.one.section.aspect in SEEN and case.is_operation
    return "historical" if answer == "present" and sees else answer


def _of_people_in_general(case: Case, answer: str) -> str:
    return "hypothetical" if case.note.is_general and answer != NONE else answer


OVERRULINGS: tuple[Overruling, ...] = (
    _letters_mean_it,
    _of_the_patient,
    _of_the_patient_by_another,
    _habit_of_now,
    _past_of_another,
    _not_excluded,
    _never_treated,
    _taken_instead,
    _declined,
    _only_discussed,
    _given_up,
    _sized,
    _report_of_it,
    _done_already,
    _answer_of_its_own_row,
    _organ_gone,
    _showed_nothing,
    _has_a_value,
    _order,
    _operation_seen,
    _of_people_in_general,
)


def overruled(case: Case, answer: str) -> str:
    for overruling in OVERRULINGS:
        answer = overruling(case, answer)
    return answer


def _listed_alone(text: str, sentence: Sentence, begin: int, end: int) -> bool:
    """Whether the mention is all that stands between two commas, or a colon and a comma."""
    return bool(_BEFORE_ITEM.search(text, sentence.begin, begin)) and bool(_BEHIND_ITEM.match(text, end, sentence.end))


def _is_childs(text: str, one: Judged) -> bool:
    """Whether the sentence speaks of a child and, up to the mention, of nobody's kin: the child is the patient, "Child
    with fever"."""
    sentence = text[one.sentence.begin : one.sentence.end]
    return bool(_CHILD.match(sentence)) and not _KIN.search(text[one.before[0] : one.finding.end])


def _is_of_new_paragraph(text: str, one: Judged) -> bool:
    """Whether a blank line stands behind whoever else was named, and the sentence names nobody: "a brother who drinks.
    (blank line) Biopsy confirms adenocarcinoma"."""
    begin = one.sentence.begin
    if one.section.aspect == FAMILY_HISTORY or _RELATIVE.search(text, begin, one.sentence.end):
        return False
    before = text[max(0, begin - KIN_BEFORE) : begin]
    last = max((k.end() for k in _RELATIVE.finditer(before)), default=0)
    return _BLANK_LINE.search(before, last) is not None


def _is_patients(text: str, one: Judged) -> bool:
    """Whether the last one whom its sentence names before the mention is the patient, or it tells of a death
    where nobody else is named: "Died of pneumonia"."""
    before = text[one.sentence.begin : one.finding.begin]
    if _DEATH.match(before):
        return not _RELATIVE.search(text[max(0, one.sentence.begin - KIN_BEFORE) : one.sentence.end])
    last = max((k.end() for k in _RELATIVE.finditer(before)), default=0)
    return _AGAIN.search(before, last) is not None
