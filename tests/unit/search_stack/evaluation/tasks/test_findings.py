from __future__ import annotations

from pathlib import Path

import pytest

from search_stack.core.errors import AspectraError
from search_stack.evaluation.datasets.coded_reports import QUERIES, load, qrels
from search_stack.query.nodes import Finding
from tests.queries.judge import shipped

HEADER = "uid,Problems,findings,impression\n"


def write(folder: Path, rows: str, header: str = HEADER) -> Path:
    file = folder / "reports.csv"
    file.write_text(header + rows, encoding="utf-8")
    return file


def test_a_report_is_its_findings_and_impression(tmp_path: Path) -> None:
    file = write(tmp_path, '1,"Opacity;Fractures, Bone",Faint opacity.,Healing fracture.\n2,normal,,Clear.\n')
    one, two = load(file)
    assert one.text == "FINDINGS:\nFaint opacity.\n\nIMPRESSION:\nHealing fracture."
    assert one.codes == {"Opacity", "Fractures, Bone"}
    assert two.text == "IMPRESSION:\nClear."
    assert qrels([one, two]) == {"Opacity": {"1": 1}, "Fractures, Bone": {"1": 1}}
    assert len(load(file, limit=1)) == 1


def test_every_code_has_a_query_that_names_one_finding() -> None:
    understanding = shipped()
    assert len(QUERIES) == 24
    for line in QUERIES.values():
        assert understanding.understand(line).query == Finding(line)


@pytest.mark.parametrize(
    ("rows", "header", "message"),
    [
        ("1,a,b\n", "uid,findings,impression\n", ":1: there is no column Problems"),
        ("1,a,b,c\n1,a,b,c\n", HEADER, ":3: uid: stands there twice"),
        ("", HEADER, "holds no report"),
    ],
)
def test_a_file_that_cannot_be_used_says_where(tmp_path: Path, rows: str, header: str, message: str) -> None:
    with pytest.raises(AspectraError, match=message):
        load(write(tmp_path, rows, header))


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(AspectraError, match="cannot be read"):
        load(tmp_path / "nowhere.csv")
