"""`crawl run --rounds --spark`: the pages of one process, several executors of which some are killed, clear errors.

`make test-spark` runs this.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from ontocrawl.base import workspace
from ontocrawl.runs import runs
from tests.ontocrawl.test_crawl_rounds_killed import LONG, crawl_with_kills

pytest.importorskip("pyspark", reason="the extra spark is not installed: `make test-spark` installs it")
pytestmark = pytest.mark.slow
MASTER = "local-cluster[2,1,1024]"


@pytest.mark.timeout(3000)
def test_no_host_is_in_two_tasks_and_killed_executors_and_drivers_cost_a_partition_each(tmp_path: Path) -> None:
    crawl_with_kills(tmp_path, ("--spark", MASTER), "CoarseGrainedExecutorBackend")


@pytest.mark.timeout(900)
def test_spark_crawls_as_tasks_in_one_process_do(tmp_path: Path) -> None:
    space = workspace.init(tmp_path / "ws")
    command = [
        sys.executable, "-m", "ontocrawl", "crawl", "run", "--rounds", "--round-size", "15",
        "--strategy", "evidence_sum", "--world", "synthetic:planted?pages=300&seed=0", "--limit-pages", "30",
        "--no-graph", "--reproducible", "--workspace", str(space.root),
    ]  # fmt: skip
    traces = []
    for name, where in (("on-spark", ["--spark", MASTER]), ("in-process", []), ("by-processes", ["--jobs", "2"])):
        subprocess.run([*command, "--run", name, *where], check=True, capture_output=True, timeout=LONG)
        with runs.open_journal(space, name) as journal:
            query = "SELECT seq, link, final_url, failure, relevance, counts, text FROM page ORDER BY seq"
            traces.append([row[1:] for row in journal.query(query)])
    assert traces[0] == traces[1] == traces[2] and len(traces[0]) >= 30


def test_an_executor_without_the_package_is_named(tmp_path: Path) -> None:
    bare = tmp_path / "bare"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(bare)], check=True)
    space = workspace.init(tmp_path / "ws")
    code = (
        "import sys; from pathlib import Path; from ontocrawl.cli.main import invoke; "
        "import os; os.environ.pop('PYTHONPATH', None); sys.exit(invoke(sys.argv[1:]))"
    )
    found = subprocess.run(
        [
            sys.executable, "-c", code, "crawl", "run", "--rounds", "--strategy", "best_first", "--no-graph",
            "--world", "synthetic:planted?pages=300&seed=0", "--limit-pages", "5", "--spark", "local[1]",
            "--run", "bare-executor", "--workspace", str(space.root),
        ],
        env={**os.environ, "PYSPARK_PYTHON": str(bare / "bin" / "python")},
        capture_output=True, text=True, check=False, timeout=LONG,
    )  # fmt: skip
    said = found.stderr.rstrip().splitlines()[-1]  # what is above it was logged by Spark
    assert found.returncode == 5 and "was not fetched" in said and "an executor has no package" in said, found.stderr
