from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from aspectra.stack.distribution import RECIPE
from aspectra.stack.engine_config import jvm_options, node_settings, write_config
from search_stack.core.errors import AspectraError
from search_stack.core.settings import Settings

DISTRIBUTED = """
# heap
-Xms1g
-Xmx1g
11-:-XX:+UseG1GC
-Djava.io.tmpdir=${OPENSEARCH_TMPDIR}
-XX:+HeapDumpOnOutOfMemoryError
-XX:HeapDumpPath=data
-XX:ErrorFile=logs/hs_err_pid%p.log
8:-Xloggc:logs/gc.log
9-:-Xlog:gc*,gc+age=trace,safepoint:file=logs/gc.log:utctime
20-:--add-modules=jdk.incubator.vector
21-:-javaagent:agent/opensearch-agent.jar
"""


def test_node_settings_are_those_of_the_settings(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path / "a#b: c", engine_cluster_name='odd "name"', engine_port=1234)
    written = yaml.safe_load(node_settings(settings, (RECIPE / "opensearch.yml").read_text(), "1" * 64))
    assert written["cluster.name"] == 'odd "name"'
    assert written["path.data"] == str(tmp_path / "a#b: c" / "engine")
    assert written["http.port"] == 1234
    assert written["transport.type"] == "none"
    assert written["aspectra.guard.sha256"] == "1" * 64
    assert written["network.host"] == "127.0.0.1"
    assert written["discovery.type"] == "single-node"


def test_jvm_options_replace_heap_dumps_and_log_files_and_keep_the_rest() -> None:
    assert jvm_options(DISTRIBUTED, "2g", Path("/logs")).splitlines() == [
        "11-:-XX:+UseG1GC",
        "-Djava.io.tmpdir=${OPENSEARCH_TMPDIR}",
        "20-:--add-modules=jdk.incubator.vector",
        "21-:-javaagent:agent/opensearch-agent.jar",
        "-Xms2g",
        "-Xmx2g",
        "-XX:ErrorFile=/logs/crash-%p.log",
        "-XX:-CreateCoredumpOnCrash",
    ]


def test_the_vector_module_is_added_where_the_distribution_leaves_it_out() -> None:
    assert "20-:--add-modules=jdk.incubator.vector" in jvm_options("-Xms1g\n", "1g", Path("/logs")).splitlines()


def test_a_folder_with_a_space_is_refused(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path / "my data")
    with pytest.raises(AspectraError, match="ASPECTRA_DATA_DIR"):
        write_config(settings, tmp_path, None, "1" * 64)
    assert not settings.data_dir.exists()
