"""What a container of the image may do and answers, as lines of text. `python -m tools.image` runs this inside one.

It is read from stdin by the Python of the image, and uses the standard library alone. The container runs the explorer,
with its token in the file that is the argument.
"""

from __future__ import annotations

import os
import platform
import re
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

SERVER = "http://127.0.0.1:8080"


def rights() -> Iterator[str]:
    """Yield what the process may do: its user, capabilities, and where it can write."""
    status = dict(re.findall(r"^(\w+):\s*(.*)$", Path("/proc/self/status").read_text(), re.MULTILINE))
    yield f"Python {platform.python_version()} as user {os.getuid()}, group {os.getgid()}"
    yield f"capabilities: {status['CapPrm']}, at most {status['CapBnd']}; no new privileges: {status['NoNewPrivs']}"
    mounts = dict(line.split()[1:4:2] for line in Path("/proc/mounts").read_text().splitlines())  # the last one counts
    for folder, flags in (("/", ("ro", "rw")), ("/tmp", ("rw", "noexec", "nosuid", "nodev"))):  # noqa: S108 - a mount
        yield f"{folder} is mounted {','.join(flag for flag in flags if flag in mounts[folder].split(','))}"
    yield f"folders that can be written: {', '.join(sorted(writable())) or 'none'}"


def writable() -> Iterator[str]:
    """Yield the highest folders in which this user can make a file; those of the kernel (/proc, /sys) aside."""
    folders = [Path("/")]
    while folders:
        folder = folders.pop()
        try:
            with tempfile.TemporaryFile(dir=folder):
                yield str(folder)
                continue
        except OSError:  # not writable; what is in it may be
            entries = os.scandir(folder) if os.access(folder, os.R_OK) else ()
            below = (Path(entry) for entry in entries if entry.is_dir(follow_symlinks=False))
            folders += [path for path in below if str(path) not in ("/proc", "/sys")]


def answers(token: str) -> Iterator[str]:
    """Yield what the explorer answers, without the token and with it."""
    for path, given in (("/health", ""), ("/api/crawls", ""), ("/api/crawls", token), ("/", token)):
        headers = {"Authorization": f"Bearer {given}"} if given else {}
        try:
            with urlopen(Request(SERVER + path, headers=headers), timeout=60) as answer:  # noqa: S310
                status, body = answer.status, answer.read().decode()
        except HTTPError as refused:
            status, body = refused.code, refused.read().decode()
        shown = body if body.startswith("{") else f"{len(body):,} characters"
        yield f"GET {path} {'with' if given else 'without'} the token: {status} {shown}"


if __name__ == "__main__":
    for line in (*rights(), *answers(Path(sys.argv[1]).read_text(encoding="ascii").strip())):
        print(line)
