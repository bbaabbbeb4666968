"""A pseudo-terminal in which tests press keys and read the screen."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_CURSOR = re.compile(r"\x1b\[\?25[hl]")
_ESCAPE = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]")


class Terminal:
    """A pseudo-terminal of 80 by 24 cells, with the command in it."""

    def __init__(self, process: subprocess.Popen[bytes], master: int) -> None:
        self.process, self.master, self.output = process, master, ""

    def press(self, keys: str, until: str, seconds: float = 60) -> list[str]:
        """Press keys, and return the lines of the screen once it has a text."""
        os.write(self.master, keys.encode())
        return self.wait(until, seconds)

    def wait(self, until: str, seconds: float = 60) -> list[str]:
        """Return the lines of the screen once it has a text."""
        end = time.monotonic() + seconds
        while until not in "\n".join(self.screen()) or not self._is_whole():
            ready, _, _ = select.select([self.master], [], [], 0.2)
            if ready:
                try:
                    self.output += os.read(self.master, 65536).decode("utf-8", "replace")
                except OSError:
                    break
            assert time.monotonic() < end, f"{until!r} is not on the screen: {self.screen()}"
        return self.screen()

    def _is_whole(self) -> bool:
        """Whether all of a screen came that has begun to come: it ends by showing or hiding the cursor."""
        _, begun, drawn = self.output.rpartition("\x1b[H")
        return not begun or _CURSOR.search(drawn.rpartition("\x1b[J")[2]) is not None

    def screen(self) -> list[str]:
        """The lines that were drawn last."""
        return _ESCAPE.sub("", self.output.rpartition("\x1b[H")[2]).replace("\r", "").split("\n")


def _controlled() -> None:
    """Take the terminal; heed Ctrl-C also where the tests run in the background, which ignores it."""
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    signal.signal(signal.SIGINT, signal.default_int_handler)


@contextmanager
def terminal(*arguments: str | Path, **environment: str) -> Iterator[Terminal]:
    """Run ontocrawl in a pseudo-terminal."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    settings = {"TERM": "xterm-256color", "COLUMNS": "80", "LINES": "24", "LC_ALL": "C.UTF-8", **environment}
    process = subprocess.Popen(
        [sys.executable, "-m", "ontocrawl", *map(str, arguments)], stdin=slave, stdout=slave, stderr=slave,
        start_new_session=True, env={**os.environ, **settings}, close_fds=True,
        preexec_fn=_controlled,
    )  # fmt: skip
    os.close(slave)
    try:
        yield Terminal(process, master)
    finally:
        if process.poll() is None:
            process.kill()
        process.wait()
        os.close(master)
