"""Cut a note at its headings."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from search_stack.core.schema import Section
from search_stack.language.layout import plain
from search_stack.language.sections.aspects import AspectTable, aspect_of, aspect_table
from search_stack.language.sections.forms import Forms, Reading, shipped_forms
from search_stack.language.sections.headings import Candidate, Form, candidates
from search_stack.language.sections.text_model import predict_aspect

# Of a heading that the table does not list: shorter capitals are mostly measurements (BP, WBC, T1).
_MIN_LETTERS = 4
_MIN_RUNNING_LETTERS = 7
_HABIT = 2
"""Aspects whose headings a note writes in one form, from which other listed ones count in it too."""
_HABIT_WITHOUT_SIGN = {True: 3, False: 4}
"""The same of headings before mere words; with a capital, without."""
_UNSIGNED: tuple[Form, ...] = ("bare", "unsigned")
_OPEN: tuple[Form, ...] = ("colon", "capitals", "alone")
_IN_PARAGRAPH = frozenset(("allergies",))
"""What is told behind such a heading on its line ends with the paragraph: drugs of a list further down are taken."""
_CONVERSATION = 3
"""Times that a listed label of a person comes back, from which it says who speaks."""
_LABELLED_LINE = re.compile(r"\n[^\S\n]*+[A-Z][\w /&-]{1,30}:")
_PARAGRAPH = re.compile(r"\n[^\S\n]*+\n\s*+")
_OPENS_BELOW = re.compile(r"[^\S\n]*+\n[^\S\n]*+(?:[-*•·] |[A-Z0-9])")
"""The next line begins a statement or a list."""
_SENTENCE = re.compile(r"[.;]\s++")
_FURTHER_LINE = re.compile(r"\n\s*+(?P<words>[^\r\n]++)")
_OPENING = 20
"""Characters, at least, of what a sentence of the patient begins with."""
_WRAPPED = 55
"""Characters from which a line without a full stop may go on in the next one."""
_STOP = re.compile(r"[.;](?=\s)")
_WORDS = re.compile(r"[^\W\d_]{1,24}")
_LINE_END = re.compile(r"[\r\n]|\Z")
_FIRST_WORD = re.compile(r"[\s:.-]{0,8}([^\W_]{1,24})")
_ANSWER = re.compile(r"[ \t]*+(?P<words>[^\W\d_]{1,10}+)(?=[ \t]{2}|[ \t]*[\r\n|]|[ \t]*\Z)")


@dataclass(frozen=True, slots=True)
class Heading:
    """``text[begin:end]`` and the aspect that it stands for."""

    begin: int
    end: int
    aspect: str
    key: str = ""
    unsigned: bool = False


def sections(text: str, guess: Callable[[str], str] = predict_aspect) -> list[Section]:
    """The note's sections: in order, side by side, from the first character to the last.

    Text before the first heading is a section without one: ``heading`` is empty and
    ``heading_begin == heading_end == begin``. An empty text has no sections.

    Args:
        guess: the aspect of a section without a heading, by its text.
    """
    found: list[Section] = []
    heading = Heading(0, 0, "")
    begin = 0
    for following in headings(plain(text), aspect_table(), shipped_forms()):
        if text[begin : following.begin].strip():
            found.append(_section(text, begin, following.begin, heading, guess))
            begin = following.begin
        heading = following
    if text:
        found.append(_section(text, begin, len(text), heading, guess))
    return found


def _section(text: str, begin: int, end: int, heading: Heading, guess: Callable[[str], str]) -> Section:
    words = text[heading.begin : heading.end]
    aspect = heading.aspect if words else guess(text[begin:end])
    return Section(begin, end, heading.begin, heading.end, words, aspect)


def headings(text: str, table: AspectTable, forms: Forms) -> Iterator[Heading]:
    """The headings of a note, in order; one without words ends what the first words of a paragraph headed."""
    found = list(candidates(text, table, forms))
    short = {table.aspects[c.key] for c in found if c.form == "bare" and c.unmistakable}
    note = _Note(
        text,
        table,
        forms,
        _habits(found, table, forms),
        _company(found, table, forms),
        _people(found, table, forms),
        len(short),
        len({table.aspects[c.key] for c in found if c.form == "alone" and c.after_blank and c.key in forms.usual}),
        frozenset(table.aspects[c.key] for c in found if c.form in _OPEN and c.key in forms.usual),
    )
    heading, line = Heading(0, 0, ""), -1
    over = len(text)
    for candidate in found:
        if candidate.begin >= over:
            # What ends what is said of the family may be a heading there only.
            kin = candidate.begin == over and heading.aspect in forms.ends_kin.inside
            if not (kin and note.is_heading(candidate, heading, False)):
                heading, line = Heading(over, over, ""), -1
                yield heading
            over = len(text)
        if candidate.begin >= heading.end and note.is_heading(candidate, heading, line == candidate.line):
            aspect = note.aspect(candidate)
            if aspect:
                unsigned = candidate.form in _UNSIGNED
                heading, line = Heading(candidate.begin, candidate.end, aspect, candidate.key, unsigned), candidate.line
                yield heading
                ends = candidate.form == "lead" or (aspect in _IN_PARAGRAPH and _rest_of_line(text, candidate.end))
                over = _end_of_paragraph(text, candidate.end) if ends else len(text)
                if ends and text[candidate.line : candidate.begin].strip():
                    over = min(over, _next_label(text, candidate.end))
                if aspect in forms.ends_kin.inside:
                    over = min(over, _end_of_kin(text, candidate.end, forms))
    if over < len(text):
        yield Heading(over, over, "")


def _rest_of_line(text: str, at: int) -> str:
    """Without blanks around it."""
    stop = _LINE_END.search(text, at)
    return text[at : stop.start() if stop else len(text)].strip()


def _end_of_paragraph(text: str, at: int) -> int:
    blank = _PARAGRAPH.search(text, at)
    return blank.end() if blank else len(text)


def _next_label(text: str, at: int) -> int:
    """Where the next line begins that has a label of its own: a heading in the midst of a line hardly heads that."""
    found = _LABELLED_LINE.search(text, at)
    return found.start() + 1 if found else len(text)


def _end_of_kin(text: str, at: int, forms: Forms) -> int:
    """Where a line begins that is the patient's again, behind what a heading's own line says of the family."""
    said = _rest_of_line(text, at).lower()
    words = _WORDS.findall(said)
    if forms.kin.isdisjoint(words) and not (words and words[0] in forms.kin_answers):
        return len(text)
    over = _LINE_END.search(text, at)
    for stop in _SENTENCE.finditer(text, at, over.start() if over else len(text)):
        if text[stop.end() : stop.end() + _OPENING].lower().startswith(forms.own):
            return stop.end()
    for line in _FURTHER_LINE.finditer(text, at):
        before, own = said, line["words"].lower()
        said, words = own, _WORDS.findall(own)
        wraps = len(before) >= _WRAPPED and before[-1] not in ".;:!?"
        goes_on = before[-1] in ",&+/" or not line["words"][0].isupper()
        if not (wraps or goes_on) and words and forms.kin.isdisjoint(words) and words[0] not in forms.kin_answers:
            return line.start("words")
    return len(text)


def _habits(found: Sequence[Candidate], table: AspectTable, forms: Forms) -> Mapping[Form, int]:
    """By form, how many aspects are headed in it by usual headings."""
    seen: dict[Form, set[str]] = defaultdict(set)
    for c in found:
        if c.key in forms.usual:
            seen[c.form].add(table.aspects[c.key])
    return {form: len(aspects) for form, aspects in seen.items()}


def _company(found: Sequence[Candidate], table: AspectTable, forms: Forms) -> Mapping[int, int]:
    """By line, how many aspects are headed in it by unmistakable headings, with a sign or without."""
    seen: dict[int, set[str]] = defaultdict(set)
    for c in found:
        if c.unmistakable if c.form in _UNSIGNED else c.key in forms.unmistakable:
            seen[c.line].add(table.aspects[c.key])
    return {line: len(aspects) for line, aspects in seen.items()}


def _people(found: Sequence[Candidate], table: AspectTable, forms: Forms) -> frozenset[str]:
    """Labels that say who speaks."""
    times = Counter(
        c.key for c in found if c.form in ("colon", "capitals") and forms.speakers.issuperset(c.key.split())
    )
    usual = {k for k, n in times.items() if k not in table.aspects or n >= _CONVERSATION}
    return frozenset(usual | {"a"} if "q" in usual else usual)  # "Q: Any cough? A: No", where A is no assessment.


@dataclass(frozen=True, slots=True)
class _Note:
    """What the candidates of a note are judged by."""

    text: str
    table: AspectTable
    forms: Forms
    habits: Mapping[Form, int]
    company: Mapping[int, int]
    people: frozenset[str]
    short: int
    """How many aspects are headed at the beginning of a line by unmistakable headings without a sign."""
    alone: int
    """How many by usual headings alone on a line after a blank one."""
    headed: frozenset[str]
    """Aspects that it heads by usual headings with a sign, or alone on a line."""

    def is_heading(self, c: Candidate, last: Heading, in_line: bool) -> bool:
        """Whether it begins a section, after the one headed by ``last``; ``in_line``: on the same line."""
        inside = last.aspect in self.table.holders
        listed = c.key in self.table.aspects
        if inside and c.key in self.table.parts and not (listed and c.after_blank and c.form == "alone"):
            return False
        if c.key in self.people or (c.key not in self.forms.usual and self._is_answered(c)):
            return False
        if c.form in ("statement", "inside", "unsigned", "lead") and self._goes_on(c, last):
            return False
        if in_line and c.form == "statement" and self.forms.letters.issuperset((c.key, last.key)):
            return True
        if listed:
            return self._is_listed_heading(c, last, in_line)
        return self._is_other_heading(c, inside) or self._is_styled(c, last) or self._ends_kin(c, last)

    def _is_listed_heading(self, c: Candidate, last: Heading, in_line: bool) -> bool:
        usual = c.key in self.forms.usual
        known = c.unmistakable
        upper = c.capitals or c.title_case
        company = self.company.get(c.line, 0)
        match c.form:
            case "colon" | "capitals" | "lead":
                return True
            case "alone":
                return len(c.key) > 1 and (c.capitals or c.after_blank or (usual and (upper or self._is_habit(c.form))))
            case "sign" | "gap":
                return usual or self._is_habit(c.form) or (c.capitals and c.after_blank and c.form == "sign")
            case "bare":
                habit = (usual or c.capitals) and self.habits.get("bare", 0) >= _HABIT_WITHOUT_SIGN[upper]
                beside = usual or c.key in self.forms.beside
                return known or habit or (beside and (company > 0 or (upper and self.short >= _HABIT)))
            case "item":
                return usual and self._is_habit(c.form)
            case "statement":
                cell = in_line and upper and (c.columns or c.key in self.forms.beside)
                return cell or (usual and (upper or in_line))
            case "inside":
                short = c.key in self.forms.unmistakable or c.key in self.forms.beside
                return in_line and (short or (upper and usual))
            case "unsigned":
                opened = c.opens and last.key in self.forms.unmistakable
                run = in_line and (last.unsigned or company > 1 or opened)
                return (known and (c.opens or company > 1)) or (run and (known or upper or c.opens))

    def _goes_on(self, c: Candidate, last: Heading) -> bool:
        """Whether it is a part of what is headed already: "PE: alert. Eye exam: normal", "RECOMMENDATIONS - DIET:"."""
        if c.form == "lead":
            return last.aspect in self.forms.outside or self.table.aspects[c.key] == last.aspect
        part = last.aspect in self.table.holders and self.table.aspects.get(c.key) == last.aspect
        return part or not self.text[last.end : c.begin].strip(" \t-–—")

    def _is_habit(self, form: Form) -> bool:
        return self.habits.get(form, 0) >= _HABIT

    def _is_other_heading(self, c: Candidate, inside: bool) -> bool:
        letters = sum(map(str.isalpha, c.key))
        if c.form == "capitals":
            return not inside and " " in c.key and letters >= _MIN_RUNNING_LETTERS
        if letters < _MIN_LETTERS:
            return False
        colon = c.form == "colon"
        if not c.after_blank and (inside or c.numbered or not colon):
            return False
        if c.capitals:
            return not c.columns
        return colon and c.title_case and c.key.rpartition(" ")[2] in self.table.endings

    def _is_styled(self, c: Candidate, last: Heading) -> bool:
        """Whether it is written as the note's headings are, and ends a section of which much would be said wrongly."""
        style = self.forms.styled
        words = c.key.split()
        return (
            c.form == "alone"
            and c.after_blank
            and last.aspect in style.inside
            and self.alone >= style.habit
            and 1 < len(words) <= style.words
            and style.but.isdisjoint(words)
            and not any(map(str.isdigit, c.key))
            and bool(self.text[last.end : c.begin].strip())
            and _OPENS_BELOW.match(self.text, c.end) is not None
        )

    def _ends_kin(self, c: Candidate, last: Heading) -> bool:
        """Whether it is a label of the patient behind what is said of the family."""
        rule = self.forms.ends_kin
        if c.form != "colon" or last.aspect not in rule.inside:
            return False
        in_line = bool(self.text[self.text.rfind("\n", 0, last.begin) + 1 : last.begin].strip())
        # A heading in the midst of a line seldom heads the labels of the next ones.
        if not (in_line or c.key in rule.words or c.key in self.table.parts):
            return False
        line = _rest_of_line(self.text, c.end)
        but, said = (rule.but - self.forms.answers, _STOP.split(line)[0]) if in_line else (rule.but, line)
        return but.isdisjoint(_WORDS.findall(said.lower())) and bool(line)

    def _is_answered(self, c: Candidate) -> bool:
        """Whether nothing but yes or no stands behind it, as in a form."""
        if c.form not in ("colon", "statement", "inside", "capitals"):
            return False
        answer = _ANSWER.match(self.text, c.end)
        return answer is not None and answer["words"].lower() in self.forms.answers

    def aspect(self, c: Candidate) -> str:
        """What it stands for; empty where the words behind it show that it is no heading."""
        for reading in self.forms.readings:
            if c.key in reading.keys and self._is_read(reading, c):
                return reading.aspect
        return aspect_of(self.text[c.begin : c.end])

    def _is_read(self, reading: Reading, c: Candidate) -> bool:
        word = _FIRST_WORD.match(self.text, c.end)
        return (
            (not reading.words or (word is not None and word[1].lower() in reading.words))
            and (not reading.beside or not reading.beside.isdisjoint(self.headed))
            and reading.but.isdisjoint(self.headed)
        )
