"""Which Java runs the engine."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path

from search_stack.core.errors import AspectraError

NEEDED = 21
INSTALL = "apt-get install openjdk-21-jdk-headless, or set OPENSEARCH_JAVA_HOME to a Java 21 or newer."
JVM_FOLDER = Path("/usr/lib/jvm")


def find_java(environ: Mapping[str, str] = os.environ, jvm_folder: Path = JVM_FOLDER) -> Path:
    """The home of the first Java that is new enough: OPENSEARCH_JAVA_HOME, JAVA_HOME, ``java``
    on the PATH, then the newest under ``jvm_folder``.

    Raises:
        AspectraError: there is none; the message lists the ones that are too old.
    """
    seen: dict[Path, int] = {}
    for home in _candidates(environ, jvm_folder):
        if home in seen:
            continue
        seen[home] = java_version(home)
        if seen[home] >= NEEDED:
            return home
    old = ", ".join(f"{home} (Java {version})" for home, version in seen.items() if version)
    found = f"found only {old}" if old else "found none"
    raise AspectraError(f"The engine needs Java {NEEDED} or newer; {found}.", INSTALL)


def java_version(home: Path) -> int:
    """Major version of the Java at ``home``, 0 where there is none that runs."""
    java = home / "bin" / "java"
    if not os.access(java, os.X_OK):
        return 0
    try:
        return major_version((home / "release").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        pass
    try:
        answer = subprocess.run([java, "-version"], capture_output=True, text=True, timeout=30, check=False)
        return major_version(answer.stderr)
    except (OSError, ValueError, subprocess.SubprocessError):
        return 0


def major_version(text: str) -> int:
    """Major version that a ``release`` file or ``java -version`` states: 8 for "1.8.0", 21 for "21.0.4".

    Raises:
        ValueError: the text states none.
    """
    stated = re.search(r'(?:JAVA_VERSION=|version )"(?:1\.)?(\d+)', text)
    if not stated:
        raise ValueError("no Java version")
    return int(stated[1])


def _candidates(environ: Mapping[str, str], jvm_folder: Path) -> Iterator[Path]:
    for variable in ("OPENSEARCH_JAVA_HOME", "JAVA_HOME"):
        if home := environ.get(variable):
            yield Path(home).resolve()
    if java := shutil.which("java", path=environ.get("PATH", "")):
        yield Path(java).resolve().parents[1]
    if jvm_folder.is_dir():
        yield from sorted({home.resolve() for home in jvm_folder.iterdir()}, key=java_version, reverse=True)
