"""Mentions of a spaCy pipeline on the disk, asserted and counted under the lexicon's concepts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import spacy
from click.testing import CliRunner

from aspectra.cli import main
from search_stack.core.errors import AspectraError
from search_stack.language.labeller import load_labeller, version_in_use
from search_stack.language.mentions import pipeline_of
from tests import language

NOTE = "No pneumothorax. Severe COPD. Wet pleura on the left. Mother had a stroke. Lungs are clear. Fever since Monday."
FLUID = """id,name,kind,parents,synonyms,abbreviations,exclusions,denials,codes
pleural-effusion,Pleural effusion,finding,,,,,,UMLS:C0032227
"""


@pytest.fixture(scope="module")
def pipeline(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Knows some names, one of them by its code alone, and nothing of fever."""
    folder = tmp_path_factory.mktemp("pipeline") / "notes"
    nlp = spacy.blank("en")
    ruler = nlp.add_pipe("entity_ruler")
    ruler.add_patterns(  # type: ignore[attr-defined]  # of a pipe by its name
        [
            {"label": "PROBLEM", "pattern": "pneumothorax"},
            {"label": "PROBLEM", "pattern": "Severe COPD"},
            {"label": "PROBLEM", "pattern": "Wet pleura", "id": "C0032227"},
            {"label": "PROBLEM", "pattern": "stroke"},
            {"label": "PROBLEM", "pattern": "Monday"},
        ]
    )
    nlp.to_disk(folder)
    return folder


def test_its_mentions_are_asserted_under_the_lexicons_concepts(pipeline: Path, tmp_path: Path) -> None:
    (tmp_path / "fluid.csv").write_text(FLUID, encoding="utf-8")
    labeller = load_labeller(tmp_path, f"spacy:{pipeline}")
    found = {(NOTE[f.begin : f.end], f.concept): f.assertion for f in labeller.label(NOTE).findings}
    assert found[("pneumothorax", "pneumothorax")] == "absent"
    assert found[("stroke", "stroke")] == "family"
    assert found[("Wet pleura", "pleural-effusion")] == "present"
    assert found[("COPD", "chronic-obstructive-pulmonary-disease")] == "present"
    # What denies by its own words is the lexicon's; what only the lexicon names is not looked for.
    assert found[("Lungs are clear", "infiltrate")] == "absent"
    assert not any(words in ("Fever", "Monday") for words, _ in found)


def test_labels_carry_the_pipeline(pipeline: Path) -> None:
    own, other = language.labeller(), load_labeller(None, f"spacy:{pipeline}")
    assert own.version != other.version == version_in_use(own.lexicon, None, f"spacy:{pipeline}")


def test_the_setting_reaches_the_command(pipeline: Path, tmp_path: Path) -> None:
    env = {"ASPECTRA_MENTIONS": f"spacy:{pipeline}", "ASPECTRA_LEXICON_DIR": str(tmp_path)}
    line = json.dumps({"id": 1, "text": NOTE})
    done = CliRunner().invoke(main, ["label"], input=line, env=env)
    assert done.exit_code == 0, done.output
    assert {f["name"] for f in json.loads(done.stdout)["findings"]} >= {"pneumothorax", "stroke"}
    assert "fever" not in done.stdout


@pytest.mark.parametrize(
    ("setting", "message"),
    [("medcat:x", "names no pipeline"), ("spacy:", "names no pipeline"), ("spacy:no_such_thing", "not installed")],
)
def test_what_names_no_pipeline_is_refused(setting: str, message: str) -> None:
    with pytest.raises(AspectraError, match=message):
        pipeline_of(setting)


def test_a_folder_that_holds_no_pipeline_is_refused(tmp_path: Path) -> None:
    (tmp_path / "meta.json").write_text("{}", encoding="utf-8")
    broken = load_labeller(None, f"spacy:{tmp_path}")
    with pytest.raises(AspectraError, match="cannot load the pipeline"):
        broken.label("Fever.")
