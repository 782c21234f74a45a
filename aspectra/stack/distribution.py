"""The engine's program files: fetched by Maven, unpacked once, never changed afterwards."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import zipfile
from collections.abc import Callable
from pathlib import Path

from aspectra.stack.folders import locked, make_folder
from aspectra.stack.guard import build_guard
from search_stack.core.errors import AspectraError
from search_stack.core.files import unreadable
from search_stack.core.settings import Settings

RECIPE = Path(__file__).parents[2] / "opensearch"
GUARD = RECIPE / "guard"
PLUGINS = ("opensearch-knn.zip", "neural-search.zip")


def engine_home(settings: Settings, recipe: Path = RECIPE) -> Path:
    """Where the engine that ``recipe`` describes is, or will be, unpacked.

    Raises:
        AspectraError: a file is missing, or states no version.
    """
    digest = hashlib.sha256()
    for path in (recipe / "pom.xml", *sorted((recipe / "guard").glob("*"))):
        digest.update(_content(path))
    return settings.cache_dir / f"engine-{engine_version(recipe)}-{digest.hexdigest()[:10]}"


def engine_version(recipe: Path = RECIPE) -> str:
    """
    Raises:
        AspectraError: the pom is missing or states no version.
    """
    pom = recipe / "pom.xml"
    version = re.search(rb"<opensearch\.version>([\w.-]+)<", _content(pom))
    if not version:
        raise AspectraError(f"{pom} states no opensearch.version.", "Restore the file.")
    return version[1].decode()


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as e:
        raise unreadable(path, e, "Install Aspectra again.") from e


def unpacked_engine(settings: Settings, java_home: Path, say: Callable[[str], None]) -> Path:
    """Folder of the engine, fetched and unpacked if it is not there.

    The folder appears under its name only when whole: all work is done beside it and ends
    in one rename.

    Raises:
        AspectraError: Maven is missing, or a step failed.
    """
    home = engine_home(settings)
    if home.is_dir():
        return home
    make_folder(settings.cache_dir, 0o755)
    with locked(
        settings.cache_dir / "engine.lock", lambda holder: say(f"Waiting for {holder}, which unpacks the engine.")
    ):
        if home.is_dir():
            return home
        work = settings.cache_dir / f"{home.name}.partial"
        shutil.rmtree(work, ignore_errors=True)
        try:
            say("Fetching the engine (180 MB, once).")
            fetch(work / "archives")
            say("Unpacking the engine.")
            tree = unpack(work / "archives" / "opensearch.zip", work)
            _install_plugins(tree, [work / "archives" / name for name in PLUGINS], java_home)
            build_guard(GUARD, work / "archives" / "ecj.jar", tree, engine_version(), java_home)
            _open_to_all(tree)
            tree.rename(home)
        finally:
            shutil.rmtree(work, ignore_errors=True)
    return home


def fetch(folder: Path) -> None:
    """Let Maven put the archives that the pom names into ``folder``.

    Raises:
        AspectraError: there is no Maven, or it failed; the message has its first error.
    """
    maven = shutil.which("mvn")
    if not maven:
        raise AspectraError("Maven (mvn) is not on the PATH; it fetches the engine.", "apt-get install maven")
    command = [maven, "-B", "-q", "-f", str(RECIPE / "pom.xml"), f"-Dengine.dir={folder}", "dependency:copy"]
    answer = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    if answer.returncode:
        said = [line for line in answer.stdout.splitlines() if line.startswith("[ERROR]")]
        raise AspectraError(
            f"Maven could not fetch the engine: {said[0] if said else f'exit status {answer.returncode}'}",
            "Check that this machine reaches a Maven repository; ~/.m2/settings.xml names a mirror or proxy.",
        )


def unpack(archive: Path, folder: Path) -> Path:
    """Unpack ``archive`` below ``folder`` and return its one top folder, programs executable."""
    with zipfile.ZipFile(archive) as contents:
        for member in contents.infolist():
            target = Path(contents.extract(member, folder))
            if member.external_attr >> 16 & 0o111 and not member.is_dir():
                target.chmod(0o755)
        top = contents.namelist()[0].split("/")[0]
    return folder / top


def _install_plugins(home: Path, archives: list[Path], java_home: Path) -> None:
    environment = {**os.environ, "OPENSEARCH_HOME": str(home), "OPENSEARCH_JAVA_HOME": str(java_home)}
    environment.pop("OPENSEARCH_PATH_CONF", None)
    command = [str(home / "bin" / "opensearch-plugin"), "install", "-b", *(archive.as_uri() for archive in archives)]
    answer = subprocess.run(
        command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )
    if answer.returncode:
        said = answer.stderr.strip().splitlines() or [f"exit status {answer.returncode}"]
        raise AspectraError(f"The engine's plugins could not be installed: {said[-1]}", f"Java used: {java_home}.")


def _open_to_all(tree: Path) -> None:
    """The engine may run as another user than the one who unpacks it."""
    for path in (tree, *tree.rglob("*")):
        path.chmod(0o755 if path.stat().st_mode & 0o100 else 0o644)
