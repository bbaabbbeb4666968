"""The Java that Spark would start: whether it is there, and new enough."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

from ontocrawl.errors import DEPENDENCY, CommandError

_JAVA = 17
"""Lowest version of Java of Spark 4."""
_VERSION = re.compile(r'version "(\d+)')
_ADVICE = f"install Java {_JAVA} or 21, and set JAVA_HOME to its folder"


class SparkError(CommandError):
    """A Spark application that cannot be started, or whose tasks fail. Finished parts are kept."""

    code = DEPENDENCY


def check_java() -> None:
    """Check the Java of JAVA_HOME, else that of PATH.

    Raises:
        SparkError: there is none, it does not run, or it is too old.
    """
    home = os.environ.get("JAVA_HOME")
    java = str(Path(home) / "bin" / "java") if home else shutil.which("java")
    if java is None or not Path(java).exists():
        where = f"JAVA_HOME is {home}, which has no bin/java" if home else "there is no java in PATH"
        raise SparkError("archives.spark_needs_java_newer", java=_JAVA, where=where, advice=_ADVICE)
    try:
        told = subprocess.run([java, "-version"], capture_output=True, text=True, check=False, timeout=60)  # noqa: S603
    except (OSError, subprocess.TimeoutExpired) as error:
        raise SparkError("archives.does_not_run", java=java, error=error, advice=_ADVICE) from error
    text = told.stderr + told.stdout
    found = _VERSION.search(text)
    if found is None or int(found[1]) < _JAVA:
        what = f"version {found[1]}" if found else text.strip()[:200] or "no version"
        raise SparkError("archives.spark_needs_java_newer_says", needed=_JAVA, java=java, what=what, advice=_ADVICE)
