"""The engine's plugin that keeps neighbours out: built from the checkout's sources, and given a new password."""

from __future__ import annotations

import hashlib
import os
import secrets
import subprocess
import zipfile
from pathlib import Path
from string import Template

from search_stack.core.errors import AspectraError
from search_stack.core.files import write_whole
from search_stack.core.local_engine import password_file
from search_stack.core.settings import Settings

NAME = "aspectra-guard"
JAVA = "21"
"""The Java that the distribution is made for."""


def build_guard(sources: Path, compiler: Path, home: Path, version: str, java_home: Path) -> None:
    """Compile ``sources`` with ``compiler`` (ECJ, which needs no JDK), beside it, and put the plugin into the engine
    at ``home``.

    Raises:
        AspectraError: they do not compile; the message has the first error.
    """
    folder, classes = home / "plugins" / NAME, compiler.with_name("classes")
    libraries = os.pathsep.join(str(jar) for jar in sorted((home / "lib").glob("*.jar")))
    command = [str(java_home / "bin" / "java"), "-jar", str(compiler), f"-{JAVA}", "-proc:none", "-nowarn"]
    command += ["-d", str(classes), "-cp", libraries, *(str(path) for path in sorted(sources.glob("*.java")))]
    answer = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    if answer.returncode:
        said = [line for line in (answer.stdout + answer.stderr).splitlines() if "ERROR" in line]
        raise AspectraError(
            f"The engine's guard does not compile: {said[0] if said else f'exit status {answer.returncode}'}",
            f"Java used: {java_home}. Sources: {sources}.",
        )
    folder.mkdir()
    with zipfile.ZipFile(folder / f"{NAME}.jar", "w", zipfile.ZIP_DEFLATED) as jar:
        for path in sorted(classes.rglob("*.class")):
            jar.write(path, path.relative_to(classes))
    descriptor = Template((sources / "plugin-descriptor.properties").read_text(encoding="utf-8"))
    text = descriptor.substitute(java_version=JAVA, opensearch_version=version)
    (folder / "plugin-descriptor.properties").write_text(text, encoding="utf-8")


def new_password(settings: Settings) -> str:
    """Write a new password of 256 random bits for the clients; returns its SHA-256, all that the engine is told."""
    password = secrets.token_hex(32).encode()
    write_whole(password_file(settings), password, private=True)
    return hashlib.sha256(password).hexdigest()
