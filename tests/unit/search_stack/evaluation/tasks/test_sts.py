"""Correlation with what people say of two sentences."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from scipy.stats import pearsonr, rankdata, spearmanr

from aspectra.cli import main
from search_stack.evaluation.datasets.sentence_pairs import SentencePair
from search_stack.evaluation.tasks.sts import SHIPPED, bm25, overlap, pearson, ranks, report, spearman

RNG = np.random.default_rng(3)


def test_the_correlations_are_those_of_scipy() -> None:
    a, b = RNG.integers(0, 9, 50).astype(float), RNG.standard_normal(50)
    assert ranks(a).tolist() == rankdata(a).tolist()
    assert pearson(a, b) == pytest.approx(pearsonr(a, b).statistic)
    assert spearman(a, b) == pytest.approx(spearmanr(a, b).statistic)
    assert pearson(np.ones(5), RNG.standard_normal(5)) == 0


def test_overlap_and_bm25_know_which_pair_has_words_in_common() -> None:
    pairs = [
        SentencePair("No fever.", "no FEVER", 5),
        SentencePair("Dry cough since May.", "The cough is dry.", 3),
        SentencePair("Gout.", "A broken rib.", 0),
    ]
    assert overlap(pairs).tolist() == [1, pytest.approx(2 / 6), 0]
    told = bm25(pairs)
    assert told[0] > 0
    assert told[1] > 0 == told[2]


def test_a_system_is_above_the_baseline_where_no_draw_says_otherwise() -> None:
    gold = RNG.standard_normal(80)
    pairs = [SentencePair("a", "b", float(g)) for g in gold]
    found = report(pairs, {"bm25": RNG.standard_normal(80), "good": gold * 2 + 1, "same": gold})
    assert found.systems["good"]["pearson"].value == pytest.approx(1)
    assert found.intervals["good"]["spearman"].significant
    assert "bm25" not in found.intervals
    few = report(pairs[:5], {"bm25": -gold[:5], "good": gold[:5]})
    assert not few.intervals["good"]["pearson"].significant


def test_the_command_writes_what_it_says(tmp_path: Path) -> None:
    file, figures = tmp_path / "pairs.tsv", tmp_path / "sts.json"
    rows = [
        ("No fever.", "There is no fever.", 5),
        ("Dry cough.", "A cough without phlegm.", 4),
        ("Gout.", "A rib.", 0),
    ]
    file.write_text("".join(f"{a}\t{b}\t{s}\n" for a, b, s in rows), encoding="utf-8")
    done = CliRunner().invoke(main, ["evaluate", "sts", "--data", str(file), "--json", str(figures)])
    assert done.exit_code == 0, done.output
    found = json.loads(figures.read_text(encoding="utf-8"))
    assert (found["pairs"], found["form"], found["baseline"]) == (3, "two sentences and a score", "bm25")
    assert found["systems"]["encoder"]["spearman"]["value"] == 1
    assert [*found["systems"]][-3:] == [*SHIPPED, "mean"]
    assert found["model"] == "mean"
    assert found["pearson"] == found["systems"]["mean"]["pearson"]["value"]
    assert found["spearman"] == found["systems"]["mean"]["spearman"]["value"] == 1
    cross = CliRunner().invoke(main, ["evaluate", "sts", "--data", str(file), "--model", "minilm-cross-int8"])
    assert "minilm-cross-int8 minus bm25" in cross.output.replace("\n", " ")
