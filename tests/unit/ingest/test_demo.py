"""The synthetic notes: how many, of what kind, coherent, and showing what is hard to read."""

from __future__ import annotations

import hashlib
import re
from collections import defaultdict
from datetime import date
from importlib.resources import files
from itertools import groupby, pairwise

import pytest

from ingest.demo import demo_items, demo_notes
from ingest.demo.files import Source, cases, phrases, stories, styles
from ingest.demo.generator import check
from ingest.demo.layout import lay_out
from ingest.demo.prose import Chooser, render
from ingest.demo.schema import CaseFile, Story
from ingest.demo.slots import age_on, elapsed
from search_stack.core.errors import AspectraError
from search_stack.core.schema import Note, StructuredFact
from search_stack.language.sections.aspects import aspect_table, key

NOTES = tuple(demo_notes())
GENERATED = NOTES[: len(NOTES) - len(cases())]
TYPES = {
    "radiology report",
    "discharge summary",
    "clinic letter",
    "progress note",
    "operative note",
    "emergency department note",
}
PHENOMENA = {
    "negation": r"No pneumothorax or pleural effusion",
    "negation by denial": r"denies chest pain",
    "hedge: cannot exclude": r"cannot (?:be excluded|exclude)|cannot be ruled out",
    "hedge: possible": r"\bpossible\b",
    "hedge: suspicious for": r"suspicious for",
    "hedge: may represent": r"may represent",
    "history of": r"\b[Hh]istory of\b",
    "status post": r"[Ss]tatus post",
    "resolved": r"\bresolved\b",
    "return if": r"Return if",
    "rule out": r"[Rr]ule out",
    "family": r"Mother had breast cancer",
    "no change in": r"no change in the small effusion",
    "not only": r"[Nn]ot only",
    "double negation": r"not without|cannot be said that there is no",
    "list": r"(?m)^1[.)] .+\n(?:.+\n)*2[.)] ",
    "bullets": r"(?m)^[-•] ",
    "SOB": r"\bSOB\b",
    "CHF": r"\bCHF\b",
    "COPD": r"\bCOPD\b",
    "DVT": r"\bDVT\b",
    "PE": r"\bPE\b",
    "letter": r"^Dear Dr\. ",
    "heading inline": r"(?m)^IMPRESSION: \S",
    "heading on its own line": r"(?m)^(?:Findings|FINDINGS):?$",
    "HPI": r"(?m)^HPI:",
    "A/P": r"(?m)^A/P:",
    "marks of removed words": r"XXXX",
    "hard line breaks": r"[a-z]\n[a-z]",
}


def by_patient() -> dict[str, list[Note]]:
    notes: dict[str, list[Note]] = defaultdict(list)
    for note in NOTES:
        notes[note.patient_id].append(note)
    return notes


def test_sex_and_birth_date_fit_what_the_notes_say() -> None:
    people = defaultdict(set)
    told = 0
    for note in GENERATED:
        people[note.patient_id].add(note.person)
        assert note.person.birth_date
        assert note.date
        for age, who in re.findall(r"(\d+)-year-old (man|woman|boy|girl)", note.text):
            told += 1
            assert int(age) == age_on(note.person.birth_date, note.date)
            assert note.person.sex == ("male" if who in ("man", "boy") else "female")
    assert told > 50
    assert all(len(persons) == 1 for persons in people.values())


def test_two_runs_are_equal() -> None:
    assert tuple(demo_notes()) == NOTES


def test_enough_notes_and_patients() -> None:
    assert len(NOTES) >= 370
    assert len(stories()) >= 13
    assert len({case.phenomenon for case in cases()}) == len(cases()) >= 24


def test_every_patient_has_a_note_for_each_event_of_the_path() -> None:
    cast = [(story, profile) for _, story in stories() for profile in story.patients]
    events = sum(event.gap(profile.path) is not None for story, profile in cast for event in story.notes)
    assert len(GENERATED) == events
    assert len({note.patient_id for note in GENERATED}) == len(cast) >= 53


def test_every_option_of_every_template_resolves() -> None:
    for source, story in stories():
        check(source, story)


def test_every_style_named_is_there() -> None:
    assert {style for named in styles().of_type.values() for style in named} == styles().styles.keys()
    assert styles().of_type.keys() == TYPES


def test_the_six_types_and_no_other() -> None:
    assert {note.type for note in NOTES} == TYPES


def test_ids_are_unique_and_well_formed() -> None:
    assert len({note.note_id for note in NOTES}) == len(NOTES)
    assert all(re.fullmatch(r"demo-\d{4}", note.note_id) for note in NOTES)
    assert all(re.fullmatch(r"P-\d{5}", note.patient_id) for note in NOTES)
    assert {note.collection for note in NOTES} == {"demo"}
    assert all(note.title for note in NOTES)


def test_hand_written_patients_are_not_those_of_storylines() -> None:
    assert {case.patient_id for case in cases()}.isdisjoint(note.patient_id for note in GENERATED)


def test_dates_cover_every_year_and_run_in_order() -> None:
    assert {note.date.year for note in NOTES if note.date} == set(range(2017, 2026))
    for notes in by_patient().values():
        assert all(a.date <= b.date for a, b in pairwise(notes) if a.date and b.date)


def test_no_two_notes_have_the_same_text() -> None:
    assert len({" ".join(note.text.split()) for note in NOTES}) == len(NOTES)


@pytest.mark.parametrize("phenomenon", PHENOMENA)
def test_phenomenon_occurs(phenomenon: str) -> None:
    assert any(re.search(PHENOMENA[phenomenon], note.text) for note in NOTES)


def test_some_note_has_no_line_break() -> None:
    assert any("\n" not in note.text and len(note.text) > 400 for note in NOTES)


def test_some_note_has_letters_beyond_ascii() -> None:
    assert any(re.search(r"[À-ž]{1}\w+", note.text) for note in NOTES)


@pytest.mark.parametrize(
    ("note_type", "least", "most"),
    [("radiology report", 40, 200), ("discharge summary", 200, 520), ("clinic letter", 90, 400)],
)
def test_lengths_in_words_are_realistic(note_type: str, least: int, most: int) -> None:
    lengths = [len(note.text.split()) for note in NOTES if note.type == note_type]
    assert least <= min(lengths)
    assert max(lengths) <= most


def test_nothing_of_the_templates_is_left() -> None:
    for note in GENERATED:
        assert not re.search(r"[\[\]{}|@#]|//|  | [.,;]|\.\.", note.text), note.note_id
        assert note.text == note.text.strip()


def test_no_banner_stands_in_the_text() -> None:
    assert not any(re.search(r"synthetic|fictional|invented|not a real", note.text, re.I) for note in NOTES)


def test_age_in_the_text_grows_with_the_dates() -> None:
    for notes in by_patient().values():
        ages = [
            (int(found[1]), note.date)
            for note in notes
            if note.date and (found := re.search(r"(\d+)-year-old (?:man|woman|boy|girl)", note.text))
        ]
        for (before, first), (after, second) in pairwise(ages):
            assert abs((after - before) - (second - first).days / 365.25) <= 1


def test_pronouns_agree_with_the_patient() -> None:
    for notes in by_patient().values():
        if notes[0] not in GENERATED:
            continue
        text = " ".join(note.text for note in notes)
        subjects = {word.lower() for word in re.findall(r"\b(?:She|He|she|he)\b", text)}
        assert len(subjects) <= 1, notes[0].patient_id


def test_sentences_vary() -> None:
    """Among notes written from one template, long sentences are mostly not shared."""
    long: dict[str, int] = defaultdict(int)
    for note in GENERATED:
        for sentence in set(re.split(r"(?<=[.!?])\s+", " ".join(note.text.split()))):
            if len(sentence.split()) >= 8:
                long[sentence] += 1
    assert sum(1 for count in long.values() if count == 1) / len(long) > 0.75


def test_a_choice_deals_every_option_before_one_returns() -> None:
    chooser = Chooser(1)
    assert {render("[a|b|c]", str, chooser) for _ in range(3)} == {"a", "b", "c"}


def test_tagged_choices_take_the_same_place() -> None:
    chooser = Chooser(1)
    assert {render("[@t:a|b|c][@t:a|b|c]", str, chooser) for _ in range(9)} < {"aa", "bb", "cc"}
    chooser.next_patient()
    assert render("[@t:a|b|c][@t:a|b|c]", str, chooser) in {"aa", "bb", "cc"}


def test_an_open_bracket_is_an_error() -> None:
    with pytest.raises(ValueError, match="bracket left open"):
        render("[a|b", str, Chooser(1))


@pytest.mark.parametrize(
    ("style", "expected"),
    [
        ("classic", "FINDINGS:\nClear lungs.\n\nPLAN:\n1. Home\n2. Rest"),
        ("inline", "FINDINGS: Clear lungs.\n\nPLAN:\n1. Home\n2. Rest"),
        ("title", "Findings\nClear lungs.\n\nPlan\n• Home\n• Rest"),
        ("flat", "FINDINGS: Clear lungs. PLAN: 1. Home 2. Rest"),
    ],
)
def test_layout(style: str, expected: str) -> None:
    assert lay_out("## Findings\nclear\nlungs .\n## Plan\n- home\n\n- rest", styles().styles[style]) == expected


def test_age_and_elapsed_time() -> None:
    assert age_on(date(1950, 6, 2), date(2020, 6, 1)) == 69
    assert age_on(date(1950, 6, 2), date(2020, 6, 2)) == 70
    assert elapsed(date(2020, 1, 1), date(2020, 1, 2)) == "one day"
    assert elapsed(date(2020, 1, 1), date(2020, 1, 22)) == "three weeks"
    assert elapsed(date(2020, 1, 1), date(2021, 7, 1)) == "18 months"
    assert elapsed(date(2020, 1, 1), date(2022, 1, 1)) == "two years"


STORY = """
[[patients]]
sex = "F"
age = 70
side = "left"

[[notes]]
key = "ed"
type = "progress note"
title = "Visit"
after = [0, 0]
text = '''
Pain of the {side} knee,
[mild|severe].
'''
"""


def read(text: str) -> None:
    source = Source("x.toml", text)
    check(source, source.parse(Story))


def test_a_story_of_one_note_is_well_formed() -> None:
    read(STORY)


@pytest.mark.parametrize(
    ("right", "wrong", "message"),
    [
        ("= 70", "= old", r"x\.toml is no TOML: .*line 4"),
        ("= 70", '= "old"', r"x\.toml, line 4: patients\.0\.age"),
        ("age = 70\n", "", r"x\.toml, line 2: patients\.0\.age: Field required"),
        ("progress note", "progress", r"x\.toml, line 9: notes\.0\.type"),
        ("key", "name", r"x\.toml, line 7: notes\.0\.key: Field required"),
        ("[0, 0]", "[0]", r"x\.toml, line 11: notes\.0\.after"),
        ("[0, 0]", "[2, 1]", r"x\.toml, line 11: .*the least number of days comes first"),
        ("{side}", "{site}", r"x\.toml, line 13: \{site\} stands for nothing \(patient 1, note ed\)"),
        ("{side}", "{d:op}", r"x\.toml, line 13: \{d:op\} stands for nothing"),
        ('"left"', '"{side}"', r"x\.toml, line 5: \{side\} stands for itself"),
        ("severe]", "severe", r"x\.toml, line 14: bracket left open"),
        ("[mild", "mild", r"x\.toml, line 13: \| without a bracket"),
        ("[0, 0]", "{ toe = [0, 0] }", r"x\.toml, line 11: no patient is 'toe'"),
    ],
)
def test_a_mistake_is_told_with_file_and_line(right: str, wrong: str, message: str) -> None:
    with pytest.raises(AspectraError, match=message):
        read(STORY.replace(right, wrong, 1))


def test_a_mistake_in_a_case_is_told_with_its_line() -> None:
    with pytest.raises(AspectraError, match=r"c\.toml, line 1: cases\.0\.phenomenon: Field required"):
        Source("c.toml", "[[cases]]\ntitle = 'x'\n").parse(CaseFile)


def test_the_closer_to_the_patient_the_stronger_a_fact() -> None:
    groups = '[usual]\npmh = "a"\nbug = "a"\nside = "a"\n[when.side.left]\nbug = "b"\nside = "b"\n'
    story = Source("x.toml", groups + STORY).parse(Story)
    assert story.facts(story.patients[0]) == {"path": "", "pmh": "a", "bug": "b", "side": "left"}


def test_the_examples_for_authors_are_well_formed() -> None:
    readme = (files("ingest.demo") / "README.md").read_text(encoding="utf-8")
    story, codes, case = re.findall(r"```toml\n(.*?)```", readme, re.DOTALL)
    read(codes + story)
    assert Source("c.toml", case).parse(CaseFile).cases


ITEMS = tuple(demo_items())
FACTS = tuple(item for item in ITEMS if isinstance(item, StructuredFact))
TEXTS = "fec2fdd2b9eb2a99a8d337abc988e6484912b3038a51c677a0e22fc769f99dc5"
"""SHA-256 of all texts of notes. It changes where a story does, and not where only codes do."""
OPENING = "P-04919"
"""The patient of the question that the README opens with."""
FORMS = {
    "ICD-10": r"[A-Z]\d\d(\.\d)?",
    "ATC": r"[A-Z]\d\d[A-Z]{2}\d\d",
    "LOINC": r"\d{3,5}-\d",
}


def test_facts_stand_behind_the_notes_of_their_patient_and_change_none() -> None:
    assert tuple(item for item in ITEMS if isinstance(item, Note)) == NOTES
    told = "\0".join(note.text for note in NOTES)
    assert hashlib.sha256(told.encode()).hexdigest() == TEXTS
    runs = [who for who, _ in groupby(ITEMS, key=lambda item: item.patient_id)]
    assert len(runs) == len(set(runs))
    for notes in by_patient().values():
        days = [fact.day for fact in FACTS if fact.patient_id == notes[0].patient_id and fact.day]
        assert days == sorted(days)


def test_every_patient_of_a_story_has_codes_and_every_code_its_form() -> None:
    assert {fact.patient_id for fact in FACTS} == {note.patient_id for note in GENERATED}
    assert {fact.collection for fact in FACTS} == {"demo"}
    assert len(set(FACTS)) == len(FACTS)
    for fact in FACTS:
        assert re.fullmatch(FORMS[fact.system], fact.code), fact
        assert (fact.value is not None) == (fact.system == "LOINC"), fact
        assert fact.name
        assert fact.day
    names = defaultdict(set)
    for fact in FACTS:
        names[fact.system, fact.code].add(fact.name)
    assert all(len(said) == 1 for said in names.values())


def test_measured_values_are_those_of_the_note_of_the_day() -> None:
    measured = [fact for fact in FACTS if fact.system == "LOINC"]
    assert len(measured) > 90
    texts = defaultdict(str)
    for note in NOTES:
        texts[note.patient_id, note.date] += note.text
    for fact in measured:
        assert fact.value is not None
        assert re.search(rf"(?<![\d.]){re.escape(f'{fact.value:g}')}(?:\.0)?\b", texts[fact.patient_id, fact.day]), fact


def test_drugs_and_diagnoses_do_not_contradict_the_notes() -> None:
    """A drug of a patient is named in a note of its day; who has a kind of code has notes that speak of it."""
    texts = defaultdict(str)
    for note in NOTES:
        texts[note.patient_id, note.date] += " ".join(note.text.lower().split())
    drugs = [fact for fact in FACTS if fact.system == "ATC"]
    for fact in drugs:
        assert all(word in texts[fact.patient_id, fact.day] for word in fact.name.split(" and ")), fact
    spoken = {"I48": "fibrillation", "I50": "heart failure|CHF", "C50": "breast cancer|carcinoma", "J44": "COPD"}
    for code, words in spoken.items():
        for patient_id in {fact.patient_id for fact in FACTS if fact.code.startswith(code)}:
            assert any(re.search(words, note.text) for note in by_patient()[patient_id]), (code, patient_id)


def test_the_patient_of_the_opening_question_has_all_that_it_asks_for() -> None:
    notes = {note.note_id: note for note in by_patient()[OPENING]}
    person = next(iter(notes.values())).person
    assert (person.sex, person.birth_date) == ("female", date(1941, 3, 3))
    op, film = notes["demo-0344"], notes["demo-0345"]
    assert op.date == film.date == date(2019, 4, 30)
    assert "permanent pacemaker" in op.text
    assert "Large left pneumothorax after pacemaker implantation" in film.text
    failing = [note_id for note_id, note in notes.items() if "congestive heart failure" in " ".join(note.text.split())]
    assert failing == ["demo-0344", "demo-0346", "demo-0348", "demo-0349"]
    effusions = [line for note in notes.values() for line in re.findall(r"[^.;]*effusion[^.;]*", note.text)]
    assert len(effusions) == 7
    assert all(re.search(r"\bno\b|may represent|possible", line, re.IGNORECASE) for line in effusions)
    assert "No family history of pulmonary disease" in notes["demo-0348"].text
    assert not any(re.search("cancer|carcinoma|malignan", note.text, re.IGNORECASE) for note in notes.values())
    fibrillation = [fact for fact in FACTS if fact.patient_id == OPENING and fact.code.startswith("I48")]
    assert [(fact.system, fact.code, fact.day) for fact in fibrillation] == [("ICD-10", "I48.0", date(2015, 5, 1))]


CODES = """codes = [
  { system = "ICD-10", code = "M25.5", name = "joint pain", at = "ed" },
  { system = "LOINC", code = "8867-4", name = "heart rate", at = "ed", number = "rate", unit = "/min" },
]
"""
CODED = CODES + STORY.replace("Pain", "Rate {n:60-84=rate}. Pain").replace(
    '"left"\n', '"left"\ncodes = [\n  { system = "ICD-10", code = "I10", name = "hypertension", days = -30 },\n]\n'
)


def test_codes_of_a_story_and_of_a_patient() -> None:
    read(CODED)
    story = Source("x.toml", CODED).parse(Story)
    assert [code.code for code in story.codes_of(story.patients[0])] == ["M25.5", "8867-4", "I10"]


@pytest.mark.parametrize(
    ("right", "wrong", "message"),
    [
        ('system = "LOINC", ', "", r"x\.toml, line 3: codes\.1\.system: Field required"),
        ('"I10", name', '"I10", nome', r"x\.toml, line 11: patients\.0\.codes\.0\.name: Field required"),
        ("days = -30", 'days = "x"', r"x\.toml, line 11: patients\.0\.codes\.0\.days"),
        ('at = "ed"', 'at = "op"', r"x\.toml, line 2: no note is 'op'"),
        ("days = -30", 'at = "op"', r"x\.toml, line 11: no note is 'op'"),
        ('number = "rate"', 'number = "pulse"', r"x\.toml, line 3: no number is 'pulse'"),
        ('at = "ed"', 'path = "toe"', r"x\.toml, line 2: no patient is 'toe'"),
    ],
)
def test_a_mistake_in_a_code_is_told_with_its_line(right: str, wrong: str, message: str) -> None:
    with pytest.raises(AspectraError, match=message):
        read(CODED.replace(right, wrong, 1))


def test_a_code_of_a_note_or_path_is_of_the_patients_who_have_it() -> None:
    two = STORY.replace("[[notes]]", '[[patients]]\nsex = "M"\nage = 50\nside = "right"\npath = "op"\n\n[[notes]]', 1)
    events = two + two[two.index("[[notes]]") :].replace('"ed"', '"op"').replace("[0, 0]", "{ op = [1, 2] }")
    rows = (
        '{ system = "ATC", code = "N02BE01", name = "acetaminophen", at = "op" }',
        '{ system = "ICD-10", code = "M25.5", name = "joint pain", path = "op" }',
        '{ system = "ICD-10", code = "I10", name = "hypertension" }',
    )
    story = Source("x.toml", "codes = [\n" + ",\n".join(rows) + "\n]\n" + events).parse(Story)
    assert [[code.code for code in story.codes_of(who)] for who in story.patients] == [
        ["I10"],
        ["N02BE01", "M25.5", "I10"],
    ]


def test_each_heading_is_one_that_the_table_of_aspects_lists() -> None:
    """Else what stands under it belongs to the section before: a stay's pneumothorax was a relative's once."""
    written = [h for name, words in phrases().phrases.items() if name.startswith("h_") for h in words[1:-1].split("|")]
    assert len(written) > 50
    assert [h for h in written if key(h) not in aspect_table().aspects] == []
