from __future__ import annotations

from pathlib import Path

import pytest

from aspectra.stack.java import find_java, major_version
from search_stack.core.errors import AspectraError


def make_java(home: Path, version: str) -> Path:
    """A folder that looks like a Java home: a program and a release file."""
    (home / "bin").mkdir(parents=True)
    java = home / "bin" / "java"
    java.write_text("#!/bin/sh\nexit 1\n")
    java.chmod(0o755)
    (home / "release").write_text(f'IMPLEMENTOR="x"\nJAVA_VERSION="{version}"\n')
    return home


@pytest.mark.parametrize(
    ("text", "major"),
    [
        ('JAVA_VERSION="1.8.0_392"', 8),
        ('JAVA_VERSION="21.0.4"', 21),
        ('openjdk version "25.0.1" 2025-10-21 LTS', 25),
        ('openjdk version "25" 2025-09-16', 25),
    ],
)
def test_major_version(text: str, major: int) -> None:
    assert major_version(text) == major


def test_variables_win_over_path_and_folder(tmp_path: Path) -> None:
    first, second, third = (make_java(tmp_path / name, "21.0.1") for name in ("a", "b", "c"))
    environ = {"OPENSEARCH_JAVA_HOME": str(first), "JAVA_HOME": str(second), "PATH": str(third / "bin")}
    assert find_java(environ, tmp_path / "none") == first
    del environ["OPENSEARCH_JAVA_HOME"]
    assert find_java(environ, tmp_path / "none") == second
    del environ["JAVA_HOME"]
    assert find_java(environ, tmp_path / "none") == third


def test_too_old_ones_are_passed_over_and_the_newest_in_the_folder_is_taken(tmp_path: Path) -> None:
    old = make_java(tmp_path / "path" / "java-17", "17.0.15")
    make_java(tmp_path / "jvm" / "java-21", "21.0.4")
    newest = make_java(tmp_path / "jvm" / "java-25", "25.0.1")
    (tmp_path / "jvm" / "sources").mkdir()
    environ = {"JAVA_HOME": str(old), "PATH": str(old / "bin")}
    assert find_java(environ, tmp_path / "jvm") == newest


def test_java_on_the_path_is_followed_through_its_links(tmp_path: Path) -> None:
    home = make_java(tmp_path / "java-21", "21.0.4")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "java").symlink_to(home / "bin" / "java")
    assert find_java({"PATH": str(tmp_path / "bin")}, tmp_path / "none") == home


def test_error_names_the_old_ones_and_how_to_install(tmp_path: Path) -> None:
    old = make_java(tmp_path / "java-17", "17.0.15")
    with pytest.raises(AspectraError, match="apt-get install openjdk-21") as caught:
        find_java({"JAVA_HOME": str(old)}, tmp_path / "none")
    assert f"{old} (Java 17)" in caught.value.message
