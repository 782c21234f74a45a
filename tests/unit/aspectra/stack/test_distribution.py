from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from aspectra.stack.distribution import RECIPE, engine_home, unpack
from search_stack.core.errors import AspectraError
from search_stack.core.settings import Settings

POM = """<project xmlns="http://maven.apache.org/POM/4.0.0"><properties>
<opensearch.version>{}</opensearch.version></properties></project>"""


def test_the_folder_is_named_by_version_and_content_of_the_recipe(tmp_path: Path) -> None:
    settings = Settings(cache_dir=tmp_path)
    pom = tmp_path / "pom.xml"
    pom.write_text(POM.format("9.8.7"))
    first = engine_home(settings, tmp_path)
    assert first.parent == tmp_path
    assert first.name.startswith("engine-9.8.7-")
    pom.write_text(POM.format("9.8.7") + "<!-- another plugin -->")
    second = engine_home(settings, tmp_path)
    assert second != first
    guard = tmp_path / "guard" / "Guard.java"
    guard.parent.mkdir()
    guard.write_text("class Guard {}")
    assert engine_home(settings, tmp_path) not in (first, second)


def test_our_own_pom_states_a_version(tmp_path: Path) -> None:
    assert engine_home(Settings(cache_dir=tmp_path)).name.startswith("engine-3.")


def test_a_pom_without_a_version_is_named_in_the_error(tmp_path: Path) -> None:
    pom = tmp_path / "pom.xml"
    pom.write_text(POM.format(""))
    with pytest.raises(AspectraError, match=str(pom)):
        engine_home(Settings(cache_dir=tmp_path), tmp_path)


def test_unpacked_programs_are_executable_and_other_files_are_not(tmp_path: Path) -> None:
    archive = tmp_path / "some.zip"
    with zipfile.ZipFile(archive, "w") as contents:
        for name, mode in (("top-1/bin/run", 0o755), ("top-1/lib/data", 0o640)):
            member = zipfile.ZipInfo(name)
            member.external_attr = (0o100000 | mode) << 16
            contents.writestr(member, name)
    top = unpack(archive, tmp_path / "out")
    assert top == tmp_path / "out" / "top-1"
    assert (top / "bin" / "run").stat().st_mode & 0o111 == 0o111
    assert (top / "lib" / "data").stat().st_mode & 0o111 == 0
    assert (top / "lib" / "data").read_text() == "top-1/lib/data"


def test_all_files_of_the_recipe_are_there() -> None:
    for name in ("pom.xml", "opensearch.yml", "log4j2.properties"):
        assert (RECIPE / name).is_file()
