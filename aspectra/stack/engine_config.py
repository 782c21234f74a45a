"""The local node's configuration folder, written anew at every start."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from string import Template

from aspectra.stack.distribution import RECIPE
from aspectra.stack.folders import Account, give_to, make_folder
from search_stack.core.errors import AspectraError
from search_stack.core.settings import Settings

# Options of the distribution that we replace: its heap, its log files inside the program folder,
# which the engine may not write, and heap dumps, which would hold patients' text.
_REPLACED = re.compile(
    r"^[\d-]*:?-(Xm[sx]|Xlog|Xloggc|XX:[+-]?(HeapDump|ErrorFile|PrintGC|PrintTenuring|UseGCLog|NumberOfGCLog|GCLog))"
)
_VECTOR_MODULE = "jdk.incubator.vector"


def data_folder(settings: Settings) -> Path:
    return settings.data_dir / "engine"


def repository_folder(settings: Settings) -> Path:
    """The engine's ``path.repo``: where it may write snapshots."""
    return settings.data_dir / "engine-snapshots"


def own_log_folder(settings: Settings) -> Path:
    return settings.data_dir / "logs" / "engine"


def config_folder(settings: Settings) -> Path:
    return settings.data_dir / "engine-config"


def temporary_folder(settings: Settings) -> Path:
    return settings.data_dir / "engine-tmp"


def node_settings(settings: Settings, template: str, password_sha256: str) -> str:
    """The text of opensearch.yml. Values are written as JSON strings, which YAML reads as they are."""
    return Template(template).substitute(
        cluster_name=json.dumps(settings.engine_cluster_name),
        data=json.dumps(str(data_folder(settings))),
        logs=json.dumps(str(own_log_folder(settings))),
        repository=json.dumps(str(repository_folder(settings))),
        http_port=settings.engine_port,
        password_sha256=json.dumps(password_sha256),
    )


def jvm_options(distributed: str, heap: str, logs: Path) -> str:
    """The distribution's jvm.options with our heap and log folder, no heap or core dumps, and the vector module."""
    kept = [line for line in distributed.splitlines() if line.strip() and line[0] != "#" and not _REPLACED.match(line)]
    ours = [f"-Xms{heap}", f"-Xmx{heap}", f"-XX:ErrorFile={logs}/crash-%p.log", "-XX:-CreateCoredumpOnCrash"]
    if not any(_VECTOR_MODULE in line for line in kept):
        ours.append(f"20-:--add-modules={_VECTOR_MODULE}")
    return "\n".join([*kept, *ours, ""])


def write_config(settings: Settings, home: Path, account: Account | None, password_sha256: str) -> Path:
    """Make the engine's folders, its own alone, and return the configuration folder.

    Raises:
        AspectraError: a path has a space, or a folder cannot be made.
    """
    for path, variable in ((settings.data_dir, "ASPECTRA_DATA_DIR"), (home, "ASPECTRA_CACHE_DIR")):
        if re.search(r"\s", str(path.resolve())):
            raise AspectraError(
                f"The engine's launcher cannot read a path with a space: {path}.", f"Set {variable} to one without."
            )
    for folder in (data_folder(settings), own_log_folder(settings), repository_folder(settings)):
        give_to(account, make_folder(folder, 0o700))
    # Made anew, never written into: as another user's folder it could hold that user's links.
    for folder in (config_folder(settings), temporary_folder(settings)):
        shutil.rmtree(folder, ignore_errors=True)
        make_folder(folder, 0o700)
    config = config_folder(settings)
    template = (RECIPE / "opensearch.yml").read_text()
    (config / "opensearch.yml").write_text(node_settings(settings, template, password_sha256))
    distributed = (home / "config" / "jvm.options").read_text()
    (config / "jvm.options").write_text(jvm_options(distributed, settings.engine_heap, own_log_folder(settings)))
    shutil.copyfile(RECIPE / "log4j2.properties", config / "log4j2.properties")
    (config / "jvm.options.d").mkdir()
    for folder in (config, temporary_folder(settings)):
        give_to(account, folder)
    return config
