"""Searches over the synthetic notes, beside a plain count over their texts."""

from __future__ import annotations

import json
import re
import socket
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from ingest.labelling import Labeller
from ingest.ledger import Ledger, StoredNote
from ingest.prepare import LabelledPassage, prepare
from search_stack.answer import SCOPES, Answer, Scope
from search_stack.client import EngineUnavailable
from search_stack.criteria import parse
from search_stack.errors import AspectraError
from search_stack.inference.models import Encoder
from search_stack.lexicon.concepts import Lexicon
from search_stack.lexicon.load import load_lexicon
from search_stack.schema import ASSERTIONS, Hit, Passage
from search_stack.searcher import Searcher
from search_stack.settings import Settings

pytestmark = pytest.mark.engine
WORDS = ("daughter", "yesterday", "kitchen", "radiologist", "stairs", "no")
"""No lexicon knows them."""
FINDINGS = ("pneumothorax", "pleural effusion", "scoliosis", "cough", "deep vein thrombosis")


@dataclass(frozen=True)
class Text:
    """A passage as the ledger has it."""

    stored: StoredNote
    labelled: LabelledPassage
    lexicon: Lexicon

    @property
    def passage(self) -> Passage:
        return self.labelled.passage

    def says(self, name: str, *assertions: str) -> bool:
        """A finding of that name, or a kind of it, with one of the assertions; with any where none is given."""
        concept = self.lexicon.find(name)
        assert concept is not None, name
        kinds = {concept.id, *self.lexicon.descendants(concept.id)}
        return any(f.concept in kinds and f.assertion in (assertions or ASSERTIONS) for f in self.labelled.findings)

    def holds(self, word: str) -> bool:
        """The word as it stands, in the text, the heading or the title."""
        pattern = re.compile(rf"(?<!\w){word}(?:['’]?s)?(?!\w)", re.IGNORECASE)
        return any(map(pattern.search, (self.passage.text, self.passage.section, self.stored.note.title)))


Texts = list[Text]


@pytest.fixture(scope="module")
def searcher(stack: Settings) -> Searcher:
    return Searcher.from_settings(stack, Ledger.from_settings(stack))


@pytest.fixture(scope="module")
def texts(stack: Settings, encoder: Encoder) -> Texts:
    """Every passage of the ledger's notes, cut anew."""
    stored = Ledger.from_settings(stack).after(0, 100_000)
    labeller = Labeller(load_lexicon(stack.lexicon_folder))
    parts = [(s, p) for s in stored for p in prepare(s, labeller, encoder, stack.passage_tokens)]
    return [Text(s, p, labeller.lexicon) for s, p in parts]


def counted(answer: Answer) -> tuple[int, int, int]:
    return answer.counts.passages, answer.counts.notes, answer.counts.patients


def by_hand(texts: Texts, keep: Callable[[Text], bool]) -> tuple[int, int, int]:
    kept = [t for t in texts if keep(t)]
    return len(kept), len({t.stored.key for t in kept}), len({t.stored.note.patient_id for t in kept})


def hits(answer: Answer) -> list[Hit]:
    return [h for group in answer.groups for h in group.hits]


@pytest.mark.parametrize("word", WORDS)
def test_counts_are_those_of_a_plain_count(word: str, searcher: Searcher, texts: Texts) -> None:
    expected = by_hand(texts, lambda t: t.holds(word))
    assert expected[0] > 0
    assert counted(searcher.search(parse(word))) == expected


def test_every_word_must_be_there_to_count(searcher: Searcher, texts: Texts) -> None:
    expected = by_hand(
        texts, lambda t: bool(re.search(r"\bleft\b.*\blung\b|\blung\b.*\bleft\b", t.passage.text, re.I | re.S))
    )
    answer = searcher.search(parse("left lung"))
    assert 0 < expected[0] <= answer.counts.passages < searcher.search(parse("left")).counts.passages


def test_or_and_exclusion_count_exactly(searcher: Searcher, texts: Texts) -> None:
    either = by_hand(texts, lambda t: t.holds("daughter") or t.holds("radiologist"))
    assert counted(searcher.search(parse("daughter OR radiologist"))) == either
    without = by_hand(texts, lambda t: t.holds("daughter") and not t.holds("lives"))
    assert counted(searcher.search(parse("daughter -lives"))) == without
    answer = searcher.search(parse("daughter NOT lives"), size=50)
    assert counted(answer) == without
    assert not [h for h in hits(answer) if re.search(r"\blives\b", h.text.lower())]


@pytest.mark.parametrize("assertion", ASSERTIONS)
@pytest.mark.parametrize("name", FINDINGS)
def test_findings_count_exactly_by_assertion(name: str, assertion: str, searcher: Searcher, texts: Texts) -> None:
    expected = by_hand(texts, lambda t: t.says(name, assertion))
    answer = searcher.search(parse(f'finding:"{name}" {assertion}'), size=50)
    assert counted(answer) == expected
    assert all(any(f.assertion == assertion for f in h.findings) for h in hits(answer))


@pytest.mark.parametrize("name", FINDINGS)
def test_a_name_alone_counts_where_it_is_present_and_never_where_it_is_denied(
    name: str, searcher: Searcher, texts: Texts
) -> None:
    expected = by_hand(texts, lambda t: t.says(name, "present"))
    assert expected[0] > 0
    assert by_hand(texts, lambda t: t.says(name, "absent")) != (0, 0, 0)
    answer = searcher.search(parse(name), size=100)
    assert counted(answer) == expected
    kinds = searcher.named(searcher.understand(parse(name)))
    for hit in hits(answer):
        said = {f.assertion for f in hit.findings if f.concept in kinds}
        assert not said or said & {"present", "historical", "possible"}
        assert (hit.tier == 0) == ("present" in said)
    assert [h.tier for h in hits(answer)] == sorted(h.tier for h in hits(answer))
    # The labels decide, then the words; no model reads again.
    assert answer.reranked == 0
    denied = {
        h.passage_id: any(f.assertion == "absent" and f.concept in kinds for f in h.findings) for h in hits(answer)
    }
    plain_ones = [h.scores.bm25 or 0.0 for h in hits(answer) if h.tier == 0 and not denied[h.passage_id]]
    assert plain_ones == sorted(plain_ones, reverse=True)


@pytest.mark.parametrize("name", FINDINGS)
def test_no_before_a_name_asks_for_its_absence(name: str, searcher: Searcher, texts: Texts) -> None:
    assert counted(searcher.search(parse(f"no {name}"))) == by_hand(texts, lambda t: t.says(name, "absent"))


def test_an_excluded_finding_leaves_passages_that_deny_it(searcher: Searcher, texts: Texts) -> None:
    expected = by_hand(texts, lambda t: t.says("cough", "present") and not t.says("fever", "present"))
    answer = searcher.search(parse("cough -fever"))
    assert counted(answer) == expected == counted(searcher.search(parse("cough without fever")))
    both = by_hand(texts, lambda t: t.says("cough", "present") and t.says("fever", "absent"))
    assert 0 < both[0] < expected[0]


@pytest.mark.parametrize("scope", ["note", "patient"])
def test_criteria_are_joined_over_the_note_or_the_patient(scope: Scope, searcher: Searcher, texts: Texts) -> None:
    def key(t: Text) -> object:
        return t.stored.key if scope == "note" else t.stored.note.patient_id

    cough, fever = ({key(t) for t in texts if t.says(name, "present")} for name in ("cough", "fever"))
    for line, wanted in (("cough and fever", cough & fever), ("cough without fever", cough - fever)):
        answer = searcher.search(parse(line), scope, size=100)
        assert len(wanted) > 0
        assert (answer.counts.notes if scope == "note" else answer.counts.patients) == len(wanted)
        assert {group.key for group in answer.groups} == set(map(str, wanted))


def test_the_assertion_facet_counts_each_assertion(searcher: Searcher, texts: Texts) -> None:
    found = {v.value: v.passages for v in searcher.search(parse("pneumothorax")).facets["assertion"]}
    counts = {a: by_hand(texts, lambda t, a=a: t.says("pneumothorax", a))[0] for a in ASSERTIONS}  # type: ignore[misc]
    assert found == {a: n for a, n in counts.items() if n}


def test_an_entity_and_an_aspect_restrict_to_what_passages_are_about(searcher: Searcher, texts: Texts) -> None:
    answer = searcher.search(parse("entity:scoliosis aspect:impression"), size=50)
    assert answer.counts.passages > 0
    assert {h.aspect for h in hits(answer)} == {"impression"}


def test_the_findings_of_a_note_are_those_of_its_passages(searcher: Searcher, texts: Texts) -> None:
    key = next(t.stored.key for t in texts if t.says("pneumothorax", "absent"))
    expected = [f for t in texts if t.stored.key == key for f in t.labelled.findings]
    assert list(searcher.note_findings(key)) == expected


def test_a_phrase_is_exact_in_the_count_and_in_every_hit(searcher: Searcher, texts: Texts) -> None:
    phrase = "tube was"
    expected = by_hand(texts, lambda t: bool(re.search(r"\btube\W+was\b", t.passage.text, re.IGNORECASE)))
    answer = searcher.search(parse(f'"{phrase}"'), size=50)
    assert counted(answer) == expected
    assert expected[0] > 0
    assert all(phrase in " ".join(h.text.lower().split()) for h in hits(answer))
    assert {h.matched for h in hits(answer)} == {"every word"}


def test_highlights_lie_on_the_words_and_hits_on_their_notes(searcher: Searcher, stack: Settings) -> None:
    found = hits(searcher.search(parse("pleural effusion"), size=30))
    assert found
    whole = [h for h in found if h.matched == "every word"]
    assert whole
    for h in whole:
        assert h.highlights or any(f.begin < h.begin for f in h.findings)
    named = searcher.named(searcher.understand(parse("pleural effusion")))
    for h in found:
        mentions = [(f.begin - h.begin, f.end - h.begin) for f in h.findings if f.concept in named]
        for begin, end in h.highlights:
            assert any(b <= begin < e or begin <= b < end for b, e in mentions)
    ledger = Ledger.from_settings(stack)
    for h in found:
        stored = ledger.note(h.note_key)
        assert stored
        assert stored.note.text[h.begin : h.end] == h.text
        assert (stored.note.note_id, stored.note.patient_id) == (h.note_id, h.patient_id)


def test_hits_carry_the_scores_of_every_stage(searcher: Searcher, stack: Settings) -> None:
    answer = searcher.search(parse("collapsed lung after pacemaker"), size=100)
    found = hits(answer)
    assert [h.scores.bm25 for h in found if h.scores.bm25 is not None]
    assert [h.scores.knn for h in found if h.scores.knn is not None]
    for h in found:
        s = h.scores
        assert s.hybrid > 0
        assert s.hybrid_rank >= 1
        assert (s.bm25 is None) == (s.bm25_rank is None)
        assert (s.knn is None) == (s.knn_rank is None)
        assert s.bm25 is not None or s.knn is not None
        assert s.knn is None or -1 <= s.knn <= 1.000001
        assert h.matched == "every word" or h.matched == ("some words" if s.bm25 else "meaning")
    reranked = [h.scores.rerank for h in found if h.scores.rerank is not None]
    if stack.reranker_bundle:
        assert len(reranked) == answer.reranked == min(stack.rerank_depth, len(found))
        # Tiers come first, and in each the better score.
        order = [(h.tier, -h.scores.rerank) for h in found if h.scores.rerank is not None]
        assert order == sorted(order)
    else:
        assert reranked == []
        assert [h.scores.hybrid_rank for h in found] == list(range(1, len(found) + 1))


@pytest.mark.parametrize(
    ("line", "keep"),
    [
        ("section:impression", lambda t: t.passage.aspect == "impression"),
        ("section:findings no", lambda t: t.passage.aspect == "findings" and t.holds("no")),
        ("SECTION:Impression", lambda t: t.passage.aspect == "impression"),
        ("after:2020 before:2022", lambda t: date(2020, 1, 1) <= t.stored.note.date < date(2022, 1, 1)),
        (
            "after:2023-06-01 warfarin",
            lambda t: t.stored.note.date >= date(2023, 6, 1) and t.says("warfarin", "present"),
        ),
        ("collection:demo warfarin", lambda t: t.says("warfarin", "present")),
        ("collection:other warfarin", lambda t: False),
    ],
)
def test_filters_count_exactly(line: str, keep: Callable[[Text], bool], searcher: Searcher, texts: Texts) -> None:
    answer = searcher.search(parse(line), size=100)
    assert counted(answer) == by_hand(texts, keep)
    by_id = {f"{t.stored.key}.{t.passage.ordinal}": t for t in texts}
    if "warfarin" not in line and " no" not in line:
        assert all(keep(by_id[h.passage_id]) for h in hits(answer))


def test_type_patient_and_note_filters_restrict_every_stage(searcher: Searcher, texts: Texts) -> None:
    some = next(t for t in texts if t.says("warfarin", "present")).stored.note
    for field, ours, its in (
        ("type", "type", "note_type"),
        ("patient", "patient_id", "patient_id"),
        ("note", "note_id", "note_id"),
    ):
        value = getattr(some, ours)
        answer = searcher.search(parse(f'warfarin {field}:"{value}"'), size=100)
        assert {getattr(h, its) for h in hits(answer)} == {value}
        among = [t for t in texts if getattr(t.stored.note, ours) == value]
        assert counted(answer) == by_hand(among, lambda t: t.says("warfarin", "present"))


def test_facets_add_up_to_the_count(searcher: Searcher) -> None:
    answer = searcher.search(parse("warfarin"))
    for name in ("type", "section", "year"):
        assert sum(v.passages for v in answer.facets[name]) == answer.counts.passages


@pytest.mark.parametrize("scope", SCOPES)
def test_pages_hold_everything_once(scope: Scope, searcher: Searcher) -> None:
    first = searcher.search(parse("chest pain"), scope, 1, 24)
    keys = [g.key for g in first.groups]
    for page in range(2, first.pages + 1):
        answer = searcher.search(parse("chest pain"), scope, page, 24)
        assert (answer.ranked, answer.pages) == (first.ranked, first.pages)
        keys += [g.key for g in answer.groups]
    assert len(keys) == len(set(keys)) == first.ranked > 24
    assert searcher.search(parse("chest pain"), scope, first.pages + 1, 24).groups == ()


@pytest.mark.parametrize("scope", ["note", "patient"])
def test_a_group_holds_the_hits_of_one_note_or_patient(scope: Scope, searcher: Searcher) -> None:
    answer = searcher.search(parse("pacemaker"), scope, size=50)
    for group in answer.groups:
        assert {str(h.note_key) if scope == "note" else h.patient_id for h in group.hits} == {group.key}
        ranks = [h.scores.rerank_rank or h.scores.hybrid_rank for h in group.hits]
        assert ranks == sorted(ranks)
        assert group.more >= 0
    shown = sum(len(g.hits) + g.more for g in answer.groups)
    assert shown == searcher.search(parse("pacemaker")).ranked if answer.pages == 1 else shown > 50


def test_a_second_search_gives_the_same_answer(searcher: Searcher) -> None:
    one, two = (searcher.search(parse("shortness of breath"), size=30) for _ in range(2))
    assert [h.passage_id for h in hits(one)] == [h.passage_id for h in hits(two)]


def test_an_unknown_section_or_type_asks_did_you_mean(searcher: Searcher) -> None:
    with pytest.raises(AspectraError, match='no section called "impresion"') as caught:
        searcher.search(parse("effusion section:impresion"))
    assert 'Did you mean "impression"?' in caught.value.remedy
    with pytest.raises(AspectraError, match='no note type called "zzz"') as caught:
        searcher.search(parse("effusion type:zzz"))
    assert "There are:" in caught.value.remedy


def test_words_that_no_note_holds_count_nothing_and_still_rank_by_meaning(searcher: Searcher) -> None:
    answer = searcher.search(parse("qwertzuiop"))
    assert counted(answer) == (0, 0, 0)
    assert {h.matched for h in hits(answer)} == {"meaning"}


@pytest.mark.parametrize(
    "line", ['{"match_all": {}}', "text:* OR _exists_:text", "a" * 1999, "</script>", "%00 \\ /x/ ~ ^2"]
)
def test_text_that_looks_like_code_is_text(line: str, searcher: Searcher) -> None:
    assert searcher.search(parse(line)).counts.passages < 50


def test_notes_that_only_lack_a_date_are_counted(empty_stack: Any, tmp_path: Path) -> None:
    rows = [
        {"note_id": "dated", "patient_id": "p1", "date": "2020-05-01", "text": "Small effusion."},
        {"note_id": "early", "patient_id": "p2", "date": "2010-05-01", "text": "Small effusion."},
        {"note_id": "undated", "patient_id": "p3", "text": "FINDINGS: Effusion.\n\nIMPRESSION: Effusion."},
        {"note_id": "other", "patient_id": "p3", "text": "Clear lungs."},
    ]
    file = tmp_path / "notes.jsonl"
    file.write_text("\n".join(map(json.dumps, rows)))
    assert empty_stack.run("ingest", file)[0] == 0
    searcher = Searcher.from_settings(empty_stack.settings, empty_stack.ledger)
    answer = searcher.search(parse("effusion after:2019"))
    assert (*counted(answer), answer.counts.undated_notes) == (1, 1, 1, 1)
    assert searcher.search(parse("effusion")).counts.undated_notes == 0


def test_an_engine_that_is_away_is_an_error_with_its_remedy(stack: Settings) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        away = stack.model_copy(update={"engine_port": probe.getsockname()[1]})
        with pytest.raises(EngineUnavailable, match=str(away.engine_port)) as caught:
            Searcher.from_settings(away, None).search(parse("effusion"))
    assert "aspectra up" in caught.value.remedy


def test_no_index_is_an_error_with_its_remedy(stack: Settings) -> None:
    empty = stack.model_copy(update={"index_prefix": "absent"})
    with pytest.raises(AspectraError, match="no index yet") as caught:
        Searcher.from_settings(empty, None).search(parse("effusion"))
    assert "aspectra ingest" in caught.value.remedy


# The command line


@pytest.fixture(scope="module")
def command(stack: Settings, encoder: Encoder, make_place: Callable[..., Any]) -> Any:
    return make_place(stack, encoder)


UNREADABLE = {
    "nothing": [],
    "empty": [""],
    "blanks": ["   "],
    "an open quote": ['"chest pain'],
    "100 kB": ["x" * 100_000],
    "many words": ["effusion " * 5000],
    "control characters": ["\x07\x1b\x01"],
    "minus": ["-"],
    "AND": ["AND"],
    "OR": ["effusion", "OR"],
    "NOT": ["NOT"],
    "only an exclusion": ["--", "-effusion"],
    "an empty field": ["section:"],
    "no date": ["after:yesterday"],
    "no day left": ["after:2021 before:2020"],
}


@pytest.mark.parametrize("words", UNREADABLE.values(), ids=UNREADABLE)
def test_a_query_that_cannot_be_read_is_an_error_for_people(words: list[str], command: Any) -> None:
    status, said, errors = command.run("search", *words)
    assert status == 1, errors
    assert said == ""
    assert errors.startswith("Error: ")
    assert len(errors) < 400
    assert "Traceback" not in errors
    assert not re.search(r"multi_match|bool|\{", errors)


def test_control_characters_between_words_are_blanks(command: Any) -> None:
    status, said, errors = command.run("search", "--no-rerank", "pleural\x07\x1beffusion")
    assert status == 0, errors
    assert re.match(r"[\d,]+ passages say that pleural effusion is present, in [\d,]+ notes of [\d,]+ patients\.", said)
    assert "\x07" not in said + errors


def test_the_command_prints_the_answer_as_json(command: Any, searcher: Searcher) -> None:
    status, said, errors = command.run("search", "--json", "--scope", "patient", "--size", "3", "warfarin")
    assert status == 0, errors
    answer = json.loads(said)
    assert answer["counts"] == searcher.search(parse("warfarin")).json()["counts"]
    assert len(answer["groups"]) == 3


def test_the_command_asks_did_you_mean(command: Any) -> None:
    status, _, errors = command.run("search", "effusion", "section:impresion")
    assert status == 1
    assert 'Did you mean "impression"?' in errors
