"""A program for test_graph_full_disk: fills a small disk with the graph of a workspace, frees space, and goes on.

Run as ``python -m tests.ontocrawl.full_disk DISK ENGINE`` where DISK is a small tmpfs of its own mount namespace, with
a workspace in DISK/ws. Prints one JSON document: the errors of the commands, and the graph at the end.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from tests.kg import neo4j_server

COMMANDS = (["graph", "load", "rainstorm"], ["graph", "rebuild"])
LEFT = 300 * 2**10
"""Bytes that are left free when a command begins."""


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


def main(disk: Path, engine: str) -> int:
    space = disk / "ws"
    server = None
    if engine == "neo4j":
        server = neo4j_server.start(disk / "neo4j")
        os.environ |= {"NEO4J_URI": server.uri, "NEO4J_USERNAME": server.auth[0], "NEO4J_PASSWORD": server.auth[1]}
    ended: list[dict[str, object]] = []
    for words in COMMANDS:
        assert run(space, "graph", "status").returncode == 0
        ballast = fill(disk, LEFT)
        ended.append(_told(words, run(space, *words)))
        ballast.unlink()
        if server is not None:  # a server whose disk was full is started again
            server.stop()
            server = neo4j_server.start(disk / "neo4j")
        ended.append(_told(words, run(space, *words)))
    checked = run(space, "graph", "check", "--json")
    run(space, "graph", "export", "--out", str(disk / "graph.nt"))
    run(space, "graph", "stop")
    if server is not None:
        server.stop()
    graph = (disk / "graph.nt").read_text(encoding="utf-8")
    json.dump({"commands": ended, "check": json.loads(checked.stdout), "graph": graph}, sys.stdout)
    return 0


def _told(words: list[str], done: subprocess.CompletedProcess[str]) -> dict[str, object]:
    return {"command": " ".join(words), "code": done.returncode, "err": done.stderr}


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2]))
