"""Searches over the synthetic notes, beside a plain count over their texts."""

from __future__ import annotations

import csv
import io
import json
import random
import re
import socket
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from aspectra.commands.search import COLUMNS
from ingest.ledger import Ledger, StoredNote
from search_stack.core import schema
from search_stack.core.client import EngineUnavailable, connect
from search_stack.core.errors import AspectraError
from search_stack.core.schema import ASSERTIONS, Hit, Passage
from search_stack.core.settings import Settings
from search_stack.index.documents import LabelledPassage, prepare
from search_stack.index.mapping import alias
from search_stack.inference.models import Encoder
from search_stack.language.labeller import load_labeller
from search_stack.language.lexicon.concepts import Lexicon
from search_stack.language.lexicon.names import common_form
from search_stack.query.nodes import ANY, FieldIs, Finding
from search_stack.query.tree import all_of, is_timed, leaves
from search_stack.retrieval import findings as beside
from search_stack.retrieval.answer import SCOPES, Answer, Scope
from search_stack.retrieval.ranker import Ranker, Ranking
from search_stack.retrieval.searcher import Searcher
from search_stack.retrieval.stages import BRIEF
from tests.trees.collection import collection
from tests.trees.indexed import indexed
from ui.refine import findings

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
        """A finding of that name, or a kind of it, with one of the assertions; with any where none is given. Who lacks
        a kind of it does not lack it."""
        concept = self.lexicon.find(name)
        assert concept is not None, name
        kinds = {concept.id, *(self.lexicon.descendants(concept.id) if assertions != ("absent",) else ())}
        return any(
            f.concept in kinds and not {*f.counts_as}.isdisjoint(assertions or ASSERTIONS)
            for f in self.labelled.findings
        )

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
    labeller = load_labeller(stack.lexicon_folder)
    parts = [(s, p) for s in stored for p in prepare(s, labeller, encoder, stack.passage_tokens)]
    return [Text(s, p, labeller.lexicon) for s, p in parts]


def counted(answer: Answer) -> tuple[int, int, int]:
    return answer.counts.passages, answer.counts.notes, answer.counts.patients


def by_hand(texts: Texts, keep: Callable[[Text], bool]) -> tuple[int, int, int]:
    kept = [t for t in texts if keep(t)]
    return len(kept), len({t.stored.key for t in kept}), len({t.stored.note.patient_id for t in kept})


def hits(answer: Answer) -> list[Hit]:
    return [h for group in answer.groups for h in group.hits]


def counted_hits(answer: Answer) -> list[Hit]:
    """Of the first page of passages those that are counted; what comes close stands behind them."""
    return hits(answer)[: answer.counts.passages - answer.folded]


@pytest.mark.parametrize("word", WORDS)
def test_counts_are_those_of_a_plain_count(word: str, searcher: Searcher, texts: Texts) -> None:
    expected = by_hand(texts, lambda t: t.holds(word))
    assert expected[0] > 0
    assert counted(searcher.ask(f"words:{word}")) == expected


def test_every_word_must_be_there_to_count(searcher: Searcher, texts: Texts) -> None:
    expected = by_hand(
        texts, lambda t: bool(re.search(r"\bleft\b.*\blung\b|\blung\b.*\bleft\b", t.passage.text, re.I | re.S))
    )
    answer = searcher.ask("left lung")
    assert 0 < expected[0] <= answer.counts.passages < searcher.ask("left").counts.passages


def test_or_and_exclusion_count_exactly(searcher: Searcher, texts: Texts) -> None:
    either = by_hand(texts, lambda t: t.holds("daughter") or t.holds("radiologist"))
    assert counted(searcher.ask("daughter OR radiologist")) == either
    without = by_hand(texts, lambda t: t.holds("daughter") and not t.holds("lives"))
    assert counted(searcher.ask("daughter -lives")) == without
    answer = searcher.ask("daughter NOT lives", size=50)
    assert counted(answer) == without
    assert not [h for h in hits(answer) if re.search(r"\blives\b", h.text.lower())]


@pytest.mark.parametrize("assertion", ASSERTIONS)
@pytest.mark.parametrize("name", FINDINGS)
def test_findings_count_exactly_by_assertion(name: str, assertion: str, searcher: Searcher, texts: Texts) -> None:
    expected = by_hand(texts, lambda t: t.says(name, assertion))
    answer = searcher.ask(f'finding:"{name}" {assertion}', size=50)
    assert counted(answer) == expected
    assert all(any(assertion in f.counts_as for f in h.findings) for h in counted_hits(answer))


@pytest.mark.parametrize(
    ("line", "name", "status"),
    [
        ("stopped antibiotics", "antibiotic", "stopped"),
        ("allergic to codeine", "codeine", "allergy"),
        ("methotrexate held", "methotrexate", "held"),
        ("finding:biopsy planned", "biopsy", "planned"),
    ],
)
def test_statuses_count_exactly(line: str, name: str, status: str, searcher: Searcher, texts: Texts) -> None:
    expected = by_hand(texts, lambda t: t.says(name, status))
    assert expected[0] > 0
    answer = searcher.ask(line, size=50)
    assert counted(answer) == expected
    assert all(any(status in f.counts_as for f in h.findings) for h in counted_hits(answer))
    if status != "planned":
        choices = {v.value: v.count for v in answer.facets["assertion"]}
        assert choices[status] == expected[0]


def test_who_is_allergic_to_a_drug_does_not_take_it(searcher: Searcher, texts: Texts) -> None:
    allergic = by_hand(texts, lambda t: t.says("codeine", "allergy"))
    listed = by_hand(texts, lambda t: t.passage.aspect == "allergies" and "codeine" in t.passage.text.lower())
    assert allergic == listed != (0, 0, 0)
    assert counted(searcher.ask("finding:codeine present section:allergies")) == (0, 0, 0)
    assert counted(searcher.ask("codeine", size=50)) == by_hand(texts, lambda t: t.says("codeine", "present"))


@pytest.mark.parametrize("name", FINDINGS)
def test_a_name_alone_counts_where_it_is_present_and_never_where_it_is_denied(
    name: str, searcher: Searcher, texts: Texts
) -> None:
    expected = by_hand(texts, lambda t: t.says(name, "present"))
    assert expected[0] > 0
    # Of scoliosis the demo denies only the family's.
    assert (by_hand(texts, lambda t: t.says(name, "absent")) == (0, 0, 0)) == (name == "scoliosis")
    answer = searcher.ask(name, size=100)
    assert counted(answer) == expected
    kinds = searcher.plan(searcher.understand(name).query).named
    for hit in hits(answer):
        said = {f.assertion for f in hit.findings if f in kinds}
        assert not said or said & {"present", "historical", "possible"}
        assert (hit.tier == 0) == ("present" in said)
    assert [h.tier for h in hits(answer)] == sorted(h.tier for h in hits(answer))
    # The labels decide, then the words; no model reads again.
    assert answer.reranked == 0
    denied = {h.passage_id: any(f.assertion == "absent" and f in kinds for f in h.findings) for h in hits(answer)}
    plain_ones = [h.scores.bm25 or 0.0 for h in hits(answer) if h.tier == 0 and not denied[h.passage_id]]
    assert plain_ones == sorted(plain_ones, reverse=True)


@pytest.mark.parametrize("name", FINDINGS)
def test_no_before_a_name_asks_for_its_absence(name: str, searcher: Searcher, texts: Texts) -> None:
    assert counted(searcher.ask(f"no {name}")) == by_hand(texts, lambda t: t.says(name, "absent"))


def test_an_excluded_finding_leaves_passages_that_deny_it(searcher: Searcher, texts: Texts) -> None:
    expected = by_hand(texts, lambda t: t.says("cough", "present") and not t.says("fever", "present"))
    answer = searcher.ask("cough -fever")
    assert counted(answer) == expected == counted(searcher.ask("cough without fever"))
    both = by_hand(texts, lambda t: t.says("cough", "present") and t.says("fever", "absent"))
    assert 0 < both[0] < expected[0]


@pytest.mark.parametrize("scope", ["note", "patient"])
def test_criteria_are_joined_over_the_note_or_the_patient(scope: Scope, searcher: Searcher, texts: Texts) -> None:
    def key(t: Text) -> object:
        return t.stored.key if scope == "note" else t.stored.note.patient_id

    cough, fever = ({key(t) for t in texts if t.says(name, "present")} for name in ("cough", "fever"))
    for line, wanted in (("cough and fever", cough & fever), ("cough without fever", cough - fever)):
        answer = searcher.ask(line, scope, size=100)
        assert len(wanted) > 0
        assert (answer.counts.notes if scope == "note" else answer.counts.patients) == len(wanted)
        assert {group.key for group in answer.groups} == set(map(str, wanted))


def test_the_assertion_facet_counts_each_assertion(searcher: Searcher, texts: Texts) -> None:
    counts = {a: by_hand(texts, lambda t, a=a: t.says("pneumothorax", a)) for a in ASSERTIONS}  # type: ignore[misc]
    counts["any"] = by_hand(texts, lambda t: t.says("pneumothorax"))
    for n, scope in enumerate(SCOPES):
        found = {v.value: v.count for v in searcher.ask("pneumothorax", scope).facets["assertion"]}
        assert found == {a: numbers[n] for a, numbers in counts.items() if numbers[n]}


BESIDE = (
    "pneumothorax",
    "pneumonia without pleural effusion after:2018",
    "chest pain or dyspnea section:assessment",
    "pneumothorax within 30 days after pacemaker",
    "women over 60",
)


@pytest.mark.parametrize("scope", SCOPES)
@pytest.mark.parametrize("line", BESIDE)
def test_a_finding_beside_has_what_asking_for_it_too_gives(line: str, scope: Scope, searcher: Searcher) -> None:
    asked = searcher.looked_for(line)
    answer = searcher.search(asked.query, scope, words=asked.words, findings=True)
    cells = [(row.name, cell) for row in findings(asked, answer.findings) for cell in row.cells]
    assert len(answer.findings) > 1
    assert {cell.assertion for _, cell in cells} >= {"present", "absent"}
    ranks = [(one.present, one.most) for one in answer.findings]
    assert ranks == sorted(ranks, reverse=True)
    held = {leaf.name for leaf in leaves(asked.query) if isinstance(leaf, Finding)}
    assert held.isdisjoint(name for name, _ in cells)
    for name, cell in cells[:10]:
        clicked = searcher.ask(searcher.plainly(cell.line), scope, size=1)
        assert clicked.counts.of(scope) == cell.count, (name, cell)


def test_numbers_of_findings_do_not_hang_on_how_many_are_asked_at_once(
    searcher: Searcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    query = searcher.understand("pneumonia").query
    told = searcher.search(query, "patient", findings=True).findings
    monkeypatch.setattr(beside, "MOST_BUCKETS", 40)
    assert searcher.search(query, "patient", findings=True).findings == told
    monkeypatch.setattr(beside, "MOST_UNITS", 1)
    assert searcher.search(query, "patient", findings=True).findings == ()
    assert searcher.search(query, "patient").findings == ()


def test_an_entity_and_an_aspect_restrict_to_what_passages_are_about(searcher: Searcher, texts: Texts) -> None:
    answer = searcher.ask("entity:scoliosis aspect:impression", size=50)
    assert answer.counts.passages > 0
    assert {h.aspect for h in hits(answer)} == {"impression"}


def test_the_findings_of_a_note_are_those_of_its_passages(searcher: Searcher, texts: Texts) -> None:
    key = next(t.stored.key for t in texts if t.says("pneumothorax", "absent"))
    expected = [f for t in texts if t.stored.key == key for f in t.labelled.findings]
    assert list(searcher.note_findings(key)) == expected


LIT = (
    "pneumothorax after pacemaker",
    "pneumothorax without pleural effusion",
    "no pleural effusion",
    "possible pneumonia or heart failure",
    "chest pain and dyspnea since:2019",
    "the patient was seen on the ward",
    "words:effusion words:zyzzyva",
    '"pleural effusion"',
)


@pytest.mark.parametrize("line", LIT)
def test_what_is_lit_in_a_note_is_what_a_search_in_it_lists(line: str, searcher: Searcher, texts: Texts) -> None:
    asked = searcher.understand(line)
    plan = searcher.plan(asked.query, asked.words)
    found = hits(searcher.search(asked.query, size=12, words=asked.words))
    for hit in found:
        lit = {h.passage_id: h.highlights for h in searcher.lit(plan, hit.note_key)}
        assert lit.get(hit.passage_id, ()) == hit.highlights
    if is_timed(asked.query):  # in one note alone it is another question
        return
    notes = {t.stored.key: t.stored.note.note_id for t in texts[::90]} | {h.note_key: h.note_id for h in found}
    for key, note_id in notes.items():
        listed = hits(searcher.search(all_of([asked.query, FieldIs("note", note_id)]), size=100, rerank=False))
        found_here = searcher.lit(plan, key)
        assert {h.passage_id: h.highlights for h in found_here} == {
            h.passage_id: h.highlights for h in listed if h.highlights
        }
        assert [h.begin for h in found_here] == sorted(h.begin for h in found_here)


def test_how_near_the_passages_of_notes_are_is_the_cosine_of_their_vectors(
    searcher: Searcher, stack: Settings, encoder: Encoder
) -> None:
    line, notes = "pneumothorax after pacemaker", np.array([1, 5, 9], dtype=np.int64)
    asked = searcher.understand(line)
    body = {"size": 500, "_source": ["vector"], "query": {"terms": {"note_key": notes.tolist()}}}
    found = connect(stack).search(index=alias(stack), body=body)["hits"]["hits"]
    vectors = {one["_id"]: np.array(one["_source"]["vector"]) for one in found}
    (query,) = encoder.encode([line])
    near = searcher.nearness(searcher.plan(asked.query, asked.words), notes)
    assert [(one.note_key, one.begin) for one in near] == sorted((one.note_key, one.begin) for one in near)
    assert {one.passage_id for one in near} == set(vectors)
    for one in near:
        vector = vectors[one.passage_id]
        expected = vector @ query / np.linalg.norm(vector) / np.linalg.norm(query)
        assert one.cosine == pytest.approx(expected, abs=1e-4)
    # Without words there is nothing to be near to.
    assert searcher.nearness(searcher.plan(searcher.understand('type:"radiology report"').query), notes) == []
    assert searcher.nearness(searcher.plan(asked.query, asked.words), notes[:0]) == []


def test_a_phrase_is_exact_in_the_count_and_in_every_hit(searcher: Searcher, texts: Texts) -> None:
    phrase = "tube was"
    expected = by_hand(texts, lambda t: bool(re.search(r"\btube\W+was\b", t.passage.text, re.IGNORECASE)))
    answer = searcher.ask(f'"{phrase}"', size=50)
    assert counted(answer) == expected
    assert expected[0] > 0
    assert all(phrase in " ".join(h.text.lower().split()) for h in hits(answer))
    assert {h.matched for h in hits(answer)} == {"every word"}


def test_highlights_lie_on_the_words_and_hits_on_their_notes(searcher: Searcher, stack: Settings) -> None:
    found = hits(searcher.ask("pleural effusion", size=30))
    assert found
    whole = [h for h in found if h.matched == "every word"]
    assert whole
    for h in whole:
        assert h.highlights or any(f.begin < h.begin for f in h.findings)
    named = searcher.plan(searcher.understand("pleural effusion").query).named
    for h in found:
        mentions = [(f.begin - h.begin, f.end - h.begin) for f in h.findings if f in named]
        for begin, end in h.highlights:
            assert any(b <= begin < e or begin <= b < end for b, e in mentions)
    ledger = Ledger.from_settings(stack)
    for h in found:
        stored = ledger.note(h.note_key)
        assert stored
        assert stored.note.text[h.begin : h.end] == h.text
        assert (stored.note.note_id, stored.note.patient_id) == (h.note_id, h.patient_id)


def test_hits_carry_the_scores_of_every_stage(searcher: Searcher, stack: Settings) -> None:
    answer = searcher.ask("left lower lobe", size=100)
    assert 0 < answer.counts.passages == answer.ranked < answer.listed
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
    else:
        assert reranked == []
    # Those that are counted come first; of the rest what was reranked, once each, the brief ones behind.
    said = [(" ".join(h.text.casefold().split()), h.section.casefold()) for h in found]
    order = [
        (h.matched != "every word", *_standing(h, what in said[:n]))
        for n, (h, what) in enumerate(zip(found, said, strict=True))
    ]
    assert order == sorted(order)


def _standing(hit: Hit, again: bool) -> tuple[bool, bool, bool, float]:
    if hit.scores.rerank is None:
        return True, False, False, hit.scores.hybrid_rank or 0
    return False, again, hit.end - hit.begin < BRIEF, -hit.scores.rerank


@pytest.mark.parametrize(
    ("line", "keep"),
    [
        ("section:impression", lambda t: t.passage.aspect == "impression"),
        ("section:findings words:no", lambda t: t.passage.aspect == "findings" and t.holds("no")),
        ("SECTION:Impression", lambda t: t.passage.aspect == "impression"),
        (
            "section:impression OR section:findings",
            lambda t: t.passage.aspect in ("impression", "findings"),
        ),
        (
            "section:impression section:findings words:no",
            lambda t: t.passage.aspect in ("impression", "findings") and t.holds("no"),
        ),
        ("section:opinion", lambda t: t.passage.section.casefold() == "opinion"),
        ('type:"Radiology Report" words:no', lambda t: t.stored.note.type == "radiology report" and t.holds("no")),
        ("-section:impression words:no", lambda t: t.passage.aspect != "impression" and t.holds("no")),
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
    answer = searcher.ask(line, size=100)
    assert counted(answer) == by_hand(texts, keep)
    by_id = {f"{t.stored.key}.{t.passage.ordinal}": t for t in texts}
    assert all(keep(by_id[h.passage_id]) for h in counted_hits(answer))
    if "words" not in line and "warfarin" not in line:
        assert answer.close == 0


def test_type_patient_and_note_filters_restrict_every_stage(searcher: Searcher, texts: Texts) -> None:
    some = next(t for t in texts if t.says("warfarin", "present")).stored.note
    for field, ours, its in (
        ("type", "type", "note_type"),
        ("patient", "patient_id", "patient_id"),
        ("note", "note_id", "note_id"),
    ):
        value = getattr(some, ours)
        answer = searcher.ask(f'warfarin {field}:"{value}"', size=100)
        assert {getattr(h, its) for h in hits(answer)} == {value}
        among = [t for t in texts if getattr(t.stored.note, ours) == value]
        assert counted(answer) == by_hand(among, lambda t: t.says("warfarin", "present"))


@pytest.mark.parametrize("scope", SCOPES)
def test_facets_add_up_to_the_count(scope: Scope, searcher: Searcher) -> None:
    answer = searcher.ask("warfarin", scope)
    for name in ("type", "section", "year"):
        together = sum(v.count for v in answer.facets[name])
        # A note may have passages in several sections, a patient notes of several types and years.
        apart = scope == "passage" or (scope == "note" and name != "section")
        assert together == answer.counts.of(scope) if apart else together >= answer.counts.of(scope)


@pytest.mark.parametrize("scope", SCOPES)
def test_pages_hold_everything_once(scope: Scope, searcher: Searcher) -> None:
    first = searcher.ask("chest pain", scope, 1, 24)
    keys = [g.key for g in first.groups]
    for page in range(2, first.pages + 1):
        answer = searcher.ask("chest pain", scope, page, 24)
        assert (answer.ranked, answer.close, answer.pages) == (first.ranked, first.close, first.pages)
        keys += [g.key for g in answer.groups]
    assert len(keys) == len(set(keys)) == first.listed > 24
    assert searcher.ask("chest pain", scope, first.pages + 1, 24).groups == ()


@pytest.mark.parametrize("scope", SCOPES)
def test_every_one_that_is_counted_is_listed_then_those_that_come_close(
    scope: Scope, searcher: Searcher, texts: Texts
) -> None:
    def key(t: Text) -> str:
        ours = {"passage": f"{t.stored.key}.{t.passage.ordinal}", "note": t.stored.key}
        return str(ours.get(scope, t.stored.note.patient_id))

    expected = {key(t) for t in texts if t.holds("no")}
    first = searcher.ask("words:no", scope, 1, 100)
    groups = list(first.groups)
    for page in range(2, first.pages + 1):
        groups += searcher.ask("words:no", scope, page, 100).groups
    # What has the same words as another stands behind it: tests/engine/test_repeats.py.
    counted = len(expected) - first.folded
    assert {g.key for g in groups[:counted]} <= expected
    assert scope == "passage" or not first.folded
    assert len({g.key for g in groups}) == len(groups) == first.listed == counted + first.close
    # More are counted than are ranked, and each shows a passage that counts.
    assert first.ranked < counted or scope == "patient"
    assert {g.hits[0].matched for g in groups[:counted]} == {"every word"}
    assert "every word" not in {h.matched for g in groups[counted:] for h in g.hits}


@pytest.mark.parametrize("scope", ["note", "patient"])
def test_a_group_holds_the_hits_of_one_note_or_patient(scope: Scope, searcher: Searcher) -> None:
    answer = searcher.ask("pacemaker", scope, size=100)
    groups = list(answer.groups)
    for page in range(2, answer.pages + 1):
        groups += searcher.ask("pacemaker", scope, page, 100).groups
    for group in groups:
        assert {str(h.note_key) if scope == "note" else h.patient_id for h in group.hits} == {group.key}
        ranks = [(h.matched != "every word", h.scores.rerank_rank or h.scores.hybrid_rank) for h in group.hits]
        assert ranks == sorted(ranks)
        assert group.more >= 0
    # Who is counted shows what counts, and nothing else; together they have as many passages as are counted.
    counted = [g for g in groups if g.counted]
    assert {h.matched for g in counted for h in g.hits} == {"every word"}
    assert sum(len(g.hits) + g.more for g in counted) == answer.counts.passages
    assert groups[len(counted) :] == [g for g in groups if not g.counted]


@pytest.mark.parametrize("scope", ["note", "patient"])
def test_a_group_has_all_that_counts_though_fewer_were_ranked(
    scope: Scope, searcher: Searcher, stack: Settings
) -> None:
    shallow = Searcher.from_settings(
        stack.model_copy(update={"candidate_depth": 10, "rerank_depth": 10}), Ledger.from_settings(stack)
    )
    answer = shallow.ask("pneumothorax", scope, size=100)
    assert answer.ranked
    assert sum(len(g.hits) + g.more for g in answer.groups if g.counted) == answer.counts.passages > 20


def test_a_second_search_gives_the_same_answer(searcher: Searcher) -> None:
    one, two = (searcher.ask("shortness of breath", size=30) for _ in range(2))
    assert [h.passage_id for h in hits(one)] == [h.passage_id for h in hits(two)]


def test_an_unknown_section_or_type_asks_did_you_mean(searcher: Searcher) -> None:
    with pytest.raises(AspectraError, match='no section called "impresion"') as caught:
        searcher.ask("effusion section:impresion")
    assert 'Did you mean "impression"?' in caught.value.remedy
    with pytest.raises(AspectraError, match='no note type called "zzz"') as caught:
        searcher.ask("effusion type:zzz")
    assert "There are:" in caught.value.remedy


def test_and_says_so_where_the_rest_of_the_question_finds_something(searcher: Searcher) -> None:
    for line, meant in (
        ("effusion -section:impresion", "effusion -section:impression"),
        ("effusion OR (cough section:impresion)", "effusion OR (cough section:impression)"),
    ):
        answer = searcher.ask(line, "patient")
        assert answer.counts.patients
        assert [(n.typed, n.message) for n in answer.notices] == [
            ("impresion", 'There is no section called "impresion". Did you mean "impression"?')
        ]
        assert searcher.understand(answer.notices[0].line).query == searcher.understand(meant).query
    assert searcher.ask("effusion section:impression", "patient").notices == ()


@pytest.mark.parametrize(
    "line", ["deep vein thrombosis", "-deep vein thrombosis", "pneumothorax or deep vein thrombosis"]
)
def test_who_had_a_disorder_in_the_past_is_told(searcher: Searcher, line: str) -> None:
    (told,) = (n for n in searcher.ask(line, "patient").notices if n.typed == "deep vein thrombosis")
    wider = searcher.understand(told.line).query
    assert Finding("deep vein thrombosis", "historical") in set(leaves(wider))
    apart = len(searcher.cohort(wider, "patient")[0].units) - len(
        searcher.cohort(searcher.understand(line).query, "patient")[0].units
    )
    assert apart
    assert told.message == (
        f"{apart} more patient{'s' * (apart > 1)} had deep vein thrombosis in the past."
        if apart > 0
        else f"{-apart} of these patients had deep vein thrombosis in the past."
    )
    assert "deep vein thrombosis" not in [n.typed for n in searcher.search(wider, "patient").notices]


def test_who_had_a_procedure_before_counts(searcher: Searcher) -> None:
    answer, before = (searcher.ask(line, "patient") for line in ("appendectomy", "previous appendectomy"))
    assert answer.counts.patients == before.counts.patients > 0
    assert answer.notices == ()


@pytest.mark.parametrize("line", ["qwertzuiop", "fever qwertzuiop", "section:impression qwertzuiop"])
@pytest.mark.parametrize("scope", SCOPES)
def test_words_that_no_note_holds_give_an_honest_empty_page(line: str, scope: Scope, searcher: Searcher) -> None:
    answer = searcher.ask(line, scope)
    assert counted(answer) == (0, 0, 0)
    assert (answer.groups, answer.pages, answer.listed) == ((), 0, 0)
    assert answer.criteria[-1] == 0


def test_findings_that_do_not_meet_count_nothing_and_what_comes_close_is_listed(
    searcher: Searcher, texts: Texts
) -> None:
    assert by_hand(texts, lambda t: t.says("scoliosis", "present") and t.says("cough", "present")) == (0, 0, 0)
    answer = searcher.ask("scoliosis and cough", size=100)
    assert counted(answer) == (0, 0, 0)
    assert answer.ranked == 0 < answer.close == answer.listed
    assert {h.matched for h in hits(answer)} <= {"some words", "meaning"}
    assert min(answer.criteria) > 0


@pytest.mark.parametrize(
    "line", ['{"match_all": {}}', '"text:*" OR "_exists_:text"', "a" * 1999, "</script>", "%00 \\ /x/ ~ ^2"]
)
def test_text_that_looks_like_code_is_text(line: str, searcher: Searcher) -> None:
    assert searcher.ask(line).counts.passages < 50


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
    answer = searcher.ask("effusion after:2019")
    assert (*counted(answer), answer.counts.undated_notes) == (1, 1, 1, 1)
    assert searcher.ask("effusion").counts.undated_notes == 0


class Losing(Searcher):
    """Somebody deletes the passage ``lost`` when the search has found it and not yet looked at it."""

    lost = ""
    after = ""

    def __init__(self, client: Any, settings: Settings, encoder: Encoder, *rest: Any, **options: Any) -> None:
        super().__init__(client, settings, encoder, *rest, **options)
        self.ranker = LosingRanker(self._engine, settings, encoder, None)
        self.ranker.lose = self.lose

    def lose(self, stage: str) -> None:
        if self.lost and stage == self.after:
            self._engine.client.delete(index=self._engine.index, id=self.lost, refresh="true")


class LosingRanker(Ranker):
    """Tells ``lose`` after which stage it is."""

    lose: Callable[[str], None]

    def first_stage(self, *args: Any, **options: Any) -> Any:
        found = super().first_stage(*args, **options)
        self.lose("first stage")
        return found

    def rank(self, *args: Any, **options: Any) -> Ranking:
        ranking = super().rank(*args, **options)
        self.lose("rank")
        return ranking


@pytest.fixture
def losing(stack: Settings, encoder: Encoder) -> Iterator[Losing]:
    """Over a small collection of its own; only the best passage is looked at for the reranker."""
    settings = stack.model_copy(update={"rerank_depth": 1})
    with indexed(collection(random.Random(4), patients=8, notes=30), settings, encoder, Losing) as searcher:
        assert isinstance(searcher, Losing)
        yield searcher


@pytest.mark.parametrize("stage", ["first stage", "rank"])
@pytest.mark.parametrize("scope", SCOPES)
def test_a_passage_deleted_between_search_and_fetch_is_left_out(scope: Scope, stage: str, losing: Losing) -> None:
    before = losing.search(Finding("fever"), scope, size=100).groups
    losing.lost, losing.after = before[1].hits[0].passage_id, stage
    after = losing.search(Finding("fever"), scope, size=100).groups
    assert losing.lost not in {h.passage_id for g in after for h in g.hits}
    assert all(g.hits for g in after)
    # What it was in may have no other.
    theirs = before[1].key
    assert {g.key for g in after} - {theirs} == {g.key for g in before} - {theirs}
    assert scope != "passage" or theirs not in {g.key for g in after}


@pytest.mark.parametrize("scope", SCOPES)
def test_a_passage_deleted_while_all_are_written_is_left_out(scope: Scope, losing: Losing) -> None:
    before = [h.passage_id for g in losing.everything(Finding("fever"), scope) for h in g.hits]
    groups = losing.everything(Finding("fever"), scope, size=2)
    first = next(groups)
    losing.lost = before[-1]
    losing.lose("")
    assert [h.passage_id for g in (first, *groups) for h in g.hits] == before[:-1]


def test_an_engine_that_is_away_is_an_error_with_its_remedy(stack: Settings) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        away = stack.model_copy(update={"engine_port": probe.getsockname()[1]})
        with pytest.raises(EngineUnavailable, match=str(away.engine_port)) as caught:
            Searcher.from_settings(away, None).ask("effusion")
    assert "aspectra up" in caught.value.remedy


def test_no_index_is_an_error_with_its_remedy(stack: Settings) -> None:
    empty = stack.model_copy(update={"index_prefix": "absent"})
    with pytest.raises(AspectraError, match="no index yet") as caught:
        Searcher.from_settings(empty, None).ask("effusion")
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
    "a field of another engine": ["text:*"],
    "a bracket": ["(fever"],
    "an empty field": ["section:"],
    "no date": ["after:yesterday"],
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
    assert answer["counts"] == searcher.ask("warfarin").json()["counts"]
    assert len(answer["groups"]) == 3


def test_the_command_asks_did_you_mean(command: Any) -> None:
    status, _, errors = command.run("search", "effusion", "section:impresion")
    assert status == 1
    assert 'Did you mean "impression"?' in errors


def test_only_an_exclusion_counts_what_it_leaves(command: Any, texts: Texts) -> None:
    left = by_hand(texts, lambda t: not t.says("pleural effusion", "present"))
    status, said, errors = command.run("search", "--", "-effusion")
    assert status == 0, errors
    remain = "{:,} passages remain, without pleural effusion, in {:,} notes of {:,} patients."
    assert said.startswith(remain.format(*left))


def test_a_page_past_the_end_says_how_many_there_are(command: Any, searcher: Searcher) -> None:
    for line, size in (("warfarin", 10), ("section:opinion", 100)):
        pages = searcher.ask(line, size=size).pages
        status, said, errors = command.run("search", "--page", pages + 1, "--size", size, line)
        assert status == 0, errors
        assert said.splitlines()[-1] == ("There is only 1 page." if pages == 1 else f"There are only {pages} pages.")


@pytest.mark.parametrize("scope", SCOPES)
def test_all_that_are_counted_are_written_as_json_lines(scope: Scope, command: Any, searcher: Searcher) -> None:
    answer = searcher.ask("pacemaker", scope)
    status, said, errors = command.run("search", "--all", "--scope", scope, "pacemaker")
    assert status == 0, errors
    entries = [json.loads(row) for row in said.splitlines()]
    assert len({e[scope] for e in entries}) == len(entries) == answer.counts.of(scope) > 0
    passages = [p for e in entries for p in e["passages"]]
    assert len({p["passage_id"] for p in passages}) == len(passages) == answer.counts.passages
    assert {p["matched"] for p in passages} == {"every word"}


@pytest.mark.parametrize("scope", ["passage", "patient"])
def test_all_that_are_counted_are_written_as_a_table(
    scope: Scope, command: Any, searcher: Searcher, texts: Texts
) -> None:
    status, said, errors = command.run(
        "search", "--all", "--format", "csv", "--scope", scope, "pleural effusion", "words:left"
    )
    assert status == 0, errors
    rows = list(csv.DictReader(io.StringIO(said)))
    assert tuple(rows[0]) == COLUMNS
    found = {(r["note_id"], int(r["begin"]), int(r["end"]), r["text"]) for r in rows}
    answer = searcher.ask("pleural effusion words:left", scope)
    assert len(found) == answer.counts.passages > 0
    assert len({r["patient_id"] for r in rows}) == answer.counts.patients
    own = {(t.stored.note.note_id, t.passage.begin, t.passage.end, t.passage.text) for t in texts}
    assert found <= own
    assert {("pleural effusion", "present"), ("empyema", "present")} <= {(r["finding"], r["assertion"]) for r in rows}
    lexicon = texts[0].lexicon
    asked = searcher.plan(Finding("pleural effusion")).named
    assert {r["finding"] for r in rows} <= {"", *(lexicon.concepts[c].name for one in asked.each for c in one.concepts)}


@pytest.mark.parametrize("said", ["present", "absent", ANY])
@pytest.mark.parametrize(
    ("name", "off"), [("shortness of breath", ("dyspnea", "SOB")), ("pleural effusion", ("effusion",))]
)
def test_names_that_are_switched_off_do_not_count(
    name: str, off: tuple[str, ...], said: str, searcher: Searcher, texts: Texts
) -> None:
    """By what stands in the text: a mention counts that is worded otherwise, in one way at least."""
    forms = {common_form(n) for n in off}
    lexicon = texts[0].lexicon
    concept = lexicon.find(name)
    assert concept is not None
    own = concept.id

    def counts(f: schema.Finding, less: bool) -> bool:
        kinds = {own, *(lexicon.descendants(own) if said != "absent" else ())}
        named = f.concept != own or not less or not f.names or bool(set(f.names) - forms)
        return f.concept in kinds and said in (ANY, *f.counts_as) and named

    def of(less: bool) -> tuple[int, int, int]:
        return by_hand(texts, lambda t: any(counts(f, less) for f in t.labelled.findings))

    assert of(True) < of(False)
    for less in (True, False):
        assert counted(searcher.search(Finding(name, said, off if less else ()), size=100)) == of(less)


def test_nothing_that_is_counted_is_an_empty_table(command: Any) -> None:
    assert command.run("search", "--all", "--format", "csv", "qwertzuiop") == (0, ",".join(COLUMNS) + "\n", "")
    assert command.run("search", "--all", "qwertzuiop") == (0, "", "")
