from __future__ import annotations

from aspectra.stack.engine import reason


def test_the_nodes_own_summary_is_the_reason() -> None:
    lines = [
        "uncaught exception in thread [main]",
        "OpenSearchException[failed to bind service]; nested: FileSystemException[nodes/0]",
        "Likely root cause: java.nio.file.FileSystemException: nodes/0: Not a directory",
        "\tat java.base/java.nio.file.Files.createDirectory(Files.java:647)",
        "For complete error details, refer to the log",
    ]
    assert reason(lines) == "java.nio.file.FileSystemException: nodes/0: Not a directory"


def test_what_java_says_of_its_options_is_the_reason() -> None:
    lines = [
        'Exception in thread "main" java.lang.RuntimeException: starting java failed with [1]',
        "Error occurred during initialization of VM",
        "Too small maximum heap",
        "error:",
        "\tat org.opensearch.tools.launchers.JvmOptionsParser.main(JvmOptionsParser.java:108)",
    ]
    assert reason(lines) == "Too small maximum heap"


def test_the_last_exception_is_the_reason_where_there_is_no_summary() -> None:
    lines = ["WARNING: x", "java.lang.OutOfMemoryError: Java heap space", "\tat java.util.X", "V  [libjvm.so]"]
    assert reason(lines) == "java.lang.OutOfMemoryError: Java heap space"


def test_the_last_line_is_the_reason_where_nothing_was_raised() -> None:
    assert reason(["warning: one", "could not find java"]) == "could not find java"
    assert reason([]) == ""
