"""A program for test_graph_full_disk: fills a small disk with the graph of a workspace, frees space, and goes on.

Run as ``python -m tests.ontocrawl.full_disk DISK ENGINE`` where DISK is a small tmpfs of its own mount namespace, with
a workspace in DISK/ws. Prints one JSON document: the errors of the commands, and the graph at the end.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

from tests.kg import neo4j_server

COMMANDS = (["graph", "load", "rainstorm"], ["graph", "rebuild"])
LEFT = 300 * 2**10
"""Bytes that are left free when a command begins."""
PATIENCE = 60
"""Seconds after which a command waits for space: a Neo4j server that creates a key does until there is some."""


def run(space: Path, *words: str) -> subprocess.CompletedProcess[str]:
    program = [sys.executable, "-m", "ontocrawl", *words, "--workspace", str(space)]
    return subprocess.run(program, capture_output=True, text=True, check=False, timeout=300)


def fill(disk: Path, left: int) -> Path:
    """Write a file that leaves so many bytes free."""
    ballast = disk / "ballast"
    free = os.statvfs(disk)
    with ballast.open("wb") as file:
        for _ in range(max(0, free.f_bavail * free.f_frsize - left) // 2**16):
            file.write(b"x" * 2**16)
    return ballast


def run_on_full_disk(disk: Path, *words: str) -> dict[str, object]:
    """Run a command on a full disk; where it waits for space, free it and let the command go on."""
    ballast = fill(disk, LEFT)
    program = [sys.executable, "-m", "ontocrawl", *words, "--workspace", str(disk / "ws")]
    running = subprocess.Popen(program, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    waited = False
    try:
        out, err = running.communicate(timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        waited = True
        ballast.unlink()
        out, err = running.communicate(timeout=300)
    ballast.unlink(missing_ok=True)
    done = subprocess.CompletedProcess(program, running.returncode, out, err)
    return _told(list(words), done) | {"waited": waited}


def main(disk: Path, engine: str) -> int:
    space = disk / "ws"
    with ExitStack() as servers:

        def start() -> None:
            server = neo4j_server.start(disk / "neo4j", preallocate=True)  # else it ends where its log may not grow
            servers.callback(server.stop)
            user, password = server.auth
            os.environ |= {"NEO4J_URI": server.uri, "NEO4J_USERNAME": user, "NEO4J_PASSWORD": password}

        if engine == "neo4j":
            start()
        ended: list[dict[str, object]] = []
        for words in COMMANDS:
            assert run(space, "graph", "status").returncode == 0
            ended.append(run_on_full_disk(disk, *words))
            if engine == "neo4j":  # a server whose disk was full is started again
                servers.close()
                start()
            ended.append(_told(words, run(space, *words)))
        checked = run(space, "graph", "check", "--json")
        run(space, "graph", "export", "--out", str(disk / "graph.nt"))
        run(space, "graph", "stop")
    graph = (disk / "graph.nt").read_text(encoding="utf-8")
    json.dump({"commands": ended, "check": json.loads(checked.stdout), "graph": graph}, sys.stdout)
    return 0


def _told(words: list[str], done: subprocess.CompletedProcess[str]) -> dict[str, object]:
    return {"command": " ".join(words), "code": done.returncode, "err": done.stderr}


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2]))
