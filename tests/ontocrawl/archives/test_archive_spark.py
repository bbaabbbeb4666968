"""`archive score --spark`: the same bytes as from processes, whatever is killed. `make test-spark` runs this."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from threading import Event, Thread

import pytest

from ontocrawl.archives.java import SparkError, check_java
from tests.ontocrawl.archives import small_archive, synthetic_archive
from tests.ontocrawl.archives.small_archive import files, run
from tests.ontocrawl.conftest import Command

pyspark = pytest.importorskip("pyspark", reason="the extra spark is not installed: `make test-spark` installs it")


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_archive.make(tmp_path_factory.mktemp("archive") / "warc", pages=20)


@pytest.fixture(scope="module")
def by_processes(archive: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    out = tmp_path_factory.mktemp("out") / "tables"
    run(archive, out, part_bytes=4000)
    return files(out)


@pytest.fixture(scope="module")
def _java() -> None:
    try:
        check_java()
    except SparkError as error:
        pytest.skip(str(error))


def _workers() -> Iterator[int]:
    """The Python workers of the Spark application of this process."""
    listed = subprocess.run(["ps", "-eo", "pid,ppid,args"], capture_output=True, text=True, check=True).stdout
    rows = [line.split(maxsplit=2) for line in listed.splitlines()[1:]]
    below, size = {os.getpid()}, 0
    while len(below) > size:
        size = len(below)
        below |= {int(pid) for pid, parent, *_ in rows if int(parent) in below}
    daemons = {int(pid) for pid, _, args in rows if int(pid) in below and "pyspark.daemon" in args}
    return (int(pid) for pid, parent, *_ in rows if int(parent) in daemons)


def _kill_one(killed: list[int], ended: Event) -> None:
    """Kill a worker as soon as there is one."""
    while not killed and not ended.is_set():
        for worker in _workers():
            os.kill(worker, signal.SIGKILL)
            killed.append(worker)
            return
        time.sleep(0.02)


@pytest.mark.usefixtures("_java")
def test_spark_writes_the_same_bytes_while_a_worker_is_killed(
    archive: Path, by_processes: dict[str, bytes], tmp_path: Path
) -> None:
    killed, ended = list[int](), Event()
    killer = Thread(target=_kill_one, args=(killed, ended))
    killer.start()
    try:
        done = run(archive, tmp_path / "tables", spark="local[2]", part_bytes=4000)
    finally:
        ended.set()
        killer.join()
    assert killed and files(tmp_path / "tables") == by_processes
    assert done.spark_application is not None and done.spark_application.startswith("local-")
    assert not (tmp_path / "tables.unfinished").exists()


@pytest.mark.usefixtures("_java")
def test_spark_finds_the_same_terms_while_a_worker_is_killed(tmp_path: Path) -> None:
    tables = synthetic_archive.scored(tmp_path)
    synthetic_archive.run(tables, tmp_path / "terms")
    killed, ended = list[int](), Event()
    killer = Thread(target=_kill_one, args=(killed, ended))
    killer.start()
    try:
        done = synthetic_archive.run(tables, tmp_path / "by-spark", spark="local[2]")
    finally:
        ended.set()
        killer.join()
    assert killed and synthetic_archive.files(tmp_path / "by-spark") == synthetic_archive.files(tmp_path / "terms")
    assert done.spark_application is not None and done.spark_application.startswith("local-")


@pytest.mark.slow
@pytest.mark.usefixtures("_java")
def test_a_driver_that_is_killed_leaves_finished_parts_and_no_result(
    archive: Path, by_processes: dict[str, bytes], tmp_path: Path
) -> None:
    out, work = tmp_path / "tables", tmp_path / "tables.unfinished"
    program = (
        "import sys; from pathlib import Path; from tests.ontocrawl.archives.small_archive import run;"
        "run(Path(sys.argv[1]), Path(sys.argv[2]), spark='local[1]', part_bytes=4000)"
    )
    driver = subprocess.Popen([sys.executable, "-c", program, str(archive), str(out)], stderr=subprocess.DEVNULL)
    until = time.monotonic() + 240
    while len(list(work.glob("done/part-*"))) < 1 and time.monotonic() < until:
        time.sleep(0.02)
    driver.kill()
    driver.wait()
    assert not out.exists() and list(work.glob("done/part-*"))
    run(archive, out, part_bytes=4000)  # by processes: what one engine began another one completes
    assert files(out) == by_processes


@pytest.mark.slow
@pytest.mark.usefixtures("_java")
def test_an_executor_without_the_package_is_named(
    archive: Path, command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bare = tmp_path / "bare"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(bare)], check=True)
    monkeypatch.setenv("PYSPARK_PYTHON", str(bare / "bin" / "python"))
    monkeypatch.delenv("PYTHONPATH", raising=False)
    result = command(
        "archive", "score", archive, "--topic", "rainstorm", "--out", tmp_path / "t", "--spark", "local[1]"
    )
    assert result.code == 4 and "an executor has no package" in result.err


def test_a_master_that_is_none_and_a_java_that_is_missing_are_errors(
    archive: Path, command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    arguments = ("archive", "score", archive, "--topic", "rainstorm", "--out", tmp_path / "t", "--spark")
    result = command(*arguments, "hadoop")
    assert result.code == 2 and "no master of Spark" in result.err
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    result = command(*arguments, "local[1]")
    assert result.code == 4 and "install Java 17" in result.err
