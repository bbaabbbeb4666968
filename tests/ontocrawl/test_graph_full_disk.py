"""A disk that is full while the graph is written: the message says what to do, and a second run leaves a whole graph.

The disk is a small tmpfs in a mount namespace of its own, which needs `unshare` and a user who may mount.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from kg.engine import embedded
from ontocrawl.base import workspace
from ontocrawl.base.workspace import Workspace
from ontocrawl.cli.main import invoke
from tests.conftest import ENGINES
from tests.kg import neo4j_server
from tests.ontocrawl.conftest import Command

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]
ROOT = Path(__file__).resolve().parents[2]
SIZES = {"embedded": "200m", "neo4j": "1500m"}
SMALL_DISK = 'mount -t tmpfs -o size="$1" tmpfs "$0" && cp -r "$2" "$0/ws" && shift 2 && exec "$@"'


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[Workspace, bytes]:
    """A workspace with a run and no graph, and what its graph should hold."""
    space = workspace.init(tmp_path_factory.mktemp("whole") / "ws")
    where = ["--workspace", str(space.root)]
    web = ["--world", "synthetic:planted?pages=400&seed=0", "--limit-pages", "150", "--strategy", "breadth_first"]
    out = space.root.parent / "graph.nt"
    assert invoke(["crawl", "run", *web, "--run", "one", *where]) == 0
    _remove_graph(space)  # with the weights of the crawl, which only `weights` writes
    for words in (["graph", "load", "rainstorm"], ["graph", "rebuild"], ["graph", "export", "--out", str(out)]):
        assert invoke([*words, *where]) == 0
    _remove_graph(space)
    return space, out.read_bytes()


def _remove_graph(space: Workspace) -> None:
    embedded.stop(space.graph)
    shutil.rmtree(space.graph)


@pytest.mark.parametrize("engine", ENGINES)
def test_a_full_disk(command: Command, whole: tuple[Workspace, bytes], tmp_path: Path, engine: str) -> None:
    space, expected = whole
    if engine == "neo4j":
        neo4j_server.jars()
    mount = ["unshare", "--mount", "sh", "-c", SMALL_DISK, str(tmp_path), SIZES[engine], str(space.root)]
    if shutil.which("unshare") is None or subprocess.run([*mount, "true"], capture_output=True).returncode:
        pytest.skip("this user may not mount a small disk (unshare --mount, mount -t tmpfs)")
    program = [sys.executable, "-m", "tests.ontocrawl.full_disk", str(tmp_path), engine]
    done = subprocess.run([*mount, *program], capture_output=True, text=True, timeout=800, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    full, again = told["commands"][::2], told["commands"][1::2]
    assert not any("Traceback" in one["err"] for one in full), full
    assert all(one["code"] == 0 for one in again), again
    if engine == "embedded":
        assert all(one["code"] != 0 and "free some space" in one["err"] for one in full), full
    else:  # the server may keep in memory what it cannot write, and waits with a key until there is space
        assert any(one["code"] != 0 or one["waited"] for one in full), full
    assert told["check"]["ok"], told["check"]["problems"]
    assert told["graph"].encode() == expected
