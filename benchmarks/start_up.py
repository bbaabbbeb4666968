"""Processor time of the help of every command, each in a process of its own: the cost of importing before work begins.

    python -m benchmarks.start_up [--json FILE] [--repeat N]

User and system time, the least of N processes. Exit code 1 where one takes longer than promised.
"""

from __future__ import annotations

import resource
import subprocess
import sys
from collections.abc import Sequence
from typing import Any

from benchmarks import report
from ontocrawl.cli.commands import COMMANDS, GROUPS

PROMISED = 0.4
"""Seconds of processor time that the help of a command takes at most."""


def processor_seconds(arguments: Sequence[str]) -> float:
    """User and system time of one process of `ontocrawl ARGUMENTS --help`, in seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-m", "ontocrawl", *arguments, "--help"]
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def measure(repeat: int) -> dict[str, Any]:
    """Seconds by command, the program itself and the groups first."""
    typed = ("", *GROUPS, *COMMANDS)
    seconds = {name: round(min(processor_seconds(name.split()) for _ in range(repeat)), 2) for name in typed}
    return report.head("start_up", promised=PROMISED, repeat=repeat) | {"seconds": seconds}


def table(result: report.Result) -> str:
    """The page: the slowest first."""
    rows = sorted(result["seconds"].items(), key=lambda row: -row[1])
    lines = [f"{report.machine(result)}; at most {result['promised']} s are promised.", ""]
    lines += report.grid(("command", "processor seconds"), ((f"`ontocrawl {name} --help`", s) for name, s in rows))
    return report.page("The help of every command", "python -m benchmarks.start_up", lines)


def main() -> int:
    """The command."""
    parser = report.arguments(__doc__)
    parser.add_argument("--repeat", type=int, default=3, metavar="N", help="processes a command")
    chosen = parser.parse_args()
    result = measure(chosen.repeat)
    report.publish(result, chosen.json, table)
    return int(max(result["seconds"].values()) > PROMISED)


if __name__ == "__main__":
    sys.exit(main())
