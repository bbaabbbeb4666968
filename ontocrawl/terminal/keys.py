"""Keys of a terminal: characters of any script, named keys, pasted text; and the screen that they are pressed at."""

from __future__ import annotations

import codecs
import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from shutil import get_terminal_size
from typing import Any, Protocol

from ontology.printable import one_line

try:
    import select
    import termios
    import tty
except ImportError:  # Windows: commands are read line by line there
    termios = None  # type: ignore[assignment]

_CONTROL = {
    "\r": "enter", "\n": "enter", "\t": "tab", "\x7f": "backspace", "\x08": "backspace", "\x04": "end_of_input",
    "\x01": "home", "\x05": "end", "\x02": "left", "\x06": "right", "\x15": "kill", "\x17": "kill_word",
}  # fmt: skip
_SEQUENCES = {
    "[A": "up", "[B": "down", "[C": "right", "[D": "left", "[H": "home", "[F": "end", "[3~": "delete", "[1~": "home",
    "[4~": "end", "OA": "up", "OB": "down", "OC": "right", "OD": "left", "OH": "home", "OF": "end",
}  # fmt: skip
_SEQUENCE = re.compile(r"\x1b(\[[0-?]*[ -/]*[@-~]|O[@-~])")
_PASTE, _PASTE_END = "\x1b[200~", "\x1b[201~"
_ENTER_SCREEN, _LEAVE_SCREEN = "\x1b[?1049h\x1b[?2004h", "\x1b[?2004l\x1b[?25h\x1b[?1049l"
_WAIT = 0.05
"""Seconds within which the rest of an escape sequence follows; the key Esc has none."""
_LOOK = 0.5
"""Seconds after which the size of the terminal is looked at."""


class Key(str):
    """A key: its character, or the name of a key without one, or a pasted text.

    Attributes:
        is_text: whether it is a character or a pasted text.
        is_pasted: whether it was pasted, so that it is no command.
    """

    is_text: bool
    is_pasted: bool

    def __new__(cls, value: str, *, is_text: bool = False, is_pasted: bool = False) -> Key:
        """Return a key."""
        key = super().__new__(cls, value)
        key.is_text, key.is_pasted = is_text, is_pasted
        return key

    def is_named(self, name: str) -> bool:
        """Return whether it is a key without a character, by its name."""
        return self == name and not self.is_text


class Keys:
    """The keys pressed at a terminal, one after the other, however they arrive in bytes.

    Args:
        descriptor: file descriptor of the terminal.
        encoding: its encoding.
    """

    def __init__(self, descriptor: int, encoding: str = "utf-8") -> None:
        self._descriptor = descriptor
        self._decoder = codecs.getincrementaldecoder(encoding)("replace")
        self._text = ""
        self._ended = False
        self._size = get_terminal_size()

    def next(self) -> Key:
        """Return the next key; "resize" where the size of the terminal changed, "end_of_input" at its end."""
        while not self._text and not self._ended:
            if not self._read(_LOOK) and get_terminal_size() != self._size:
                self._size = get_terminal_size()
                return Key("resize")
        if not self._text:
            return Key("end_of_input")
        if self._text[0] == "\x1b":
            return self._escape()
        character, self._text = self._text[0], self._text[1:]
        if character in _CONTROL:
            return Key(_CONTROL[character])
        return Key(character, is_text=character.isprintable())

    def _escape(self) -> Key:
        """Return the key or the pasted text that an escape sequence stands for; unknown ones are "unknown"."""
        while not _SEQUENCE.match(self._text) and self._text in ("\x1b", "\x1b[", "\x1bO") and self._read(_WAIT):
            continue
        while re.fullmatch(r"\x1b\[[0-?]*[ -/]*", self._text) and self._read(_WAIT):
            continue
        if self._text.startswith(_PASTE):
            return self._pasted()
        found = _SEQUENCE.match(self._text)
        if found is None:
            known = self._text == "\x1b" or self._text[1] == "\x1b"
            self._text = self._text[1 if known else 2 :]
            return Key("escape" if known else "unknown")
        self._text = self._text[found.end() :]
        return Key(_SEQUENCES.get(found[1], "unknown"))

    def _pasted(self) -> Key:
        while _PASTE_END not in self._text and not self._ended:
            self._read(_LOOK)
        text, _, self._text = self._text.removeprefix(_PASTE).partition(_PASTE_END)
        return Key(text, is_text=True, is_pasted=True)

    def _read(self, seconds: float) -> bool:
        """Wait for bytes; return whether some came, not so at the end of the input."""
        ready, _, _ = select.select([self._descriptor], [], [], seconds)
        if not ready:
            return False
        try:
            data = os.read(self._descriptor, 4096)
        except OSError:  # the other end of a pseudo-terminal was closed
            data = b""
        self._ended = not data
        self._text += self._decoder.decode(data, final=self._ended)
        return not self._ended


def is_screen() -> bool:
    """Return whether keys can be read one by one, and a screen be drawn: on a terminal that is not dumb."""
    return (
        termios is not None
        and os.environ.get("TERM", "dumb") not in ("", "dumb", "unknown")
        and sys.stdin.isatty()
        and sys.stdout.isatty()
    )


def has_colour() -> bool:
    """Return whether escape sequences for colours are wanted (no-color.org)."""
    return not os.environ.get("NO_COLOR")


@contextmanager
def screen() -> Iterator[Keys]:
    """Read single keys, and draw on a screen of its own; the terminal is as before at the end of the block.

    Ctrl-C raises KeyboardInterrupt as everywhere.
    """
    descriptor = sys.stdin.fileno()
    before: Any = termios.tcgetattr(descriptor)
    try:
        tty.setcbreak(descriptor, termios.TCSADRAIN)
        _write(_ENTER_SCREEN)
        yield Keys(descriptor, sys.stdin.encoding or "utf-8")
    finally:
        _write(_LEAVE_SCREEN)
        termios.tcsetattr(descriptor, termios.TCSADRAIN, before)


def draw(text: str, cursor: int | None = None) -> None:
    """Draw a screen over the one before.

    Args:
        text: its lines; none may be wider than the terminal.
        cursor: number of cells before the cursor in the last line; None to hide the cursor.
    """
    lines = "\x1b[K\r\n".join(text.split("\n"))
    shown = "\x1b[?25l" if cursor is None else f"\r\x1b[{cursor}C\x1b[?25h" if cursor else "\r\x1b[?25h"
    _write(f"\x1b[?25l\x1b[H{lines}\x1b[K\x1b[J{shown}")


def _write(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()


# ---- lines that a person types at a prompt, or that a pipe holds


class Prompting(Protocol):
    """A standard stream on which a prompt is printed."""

    is_stderr: bool

    def print(self, *objects: Any, soft_wrap: bool = False) -> None:
        """Print text."""


def read_line(prompt: str, out: Prompting) -> str | None:
    """Read a line; None at the end of the input.

    Args:
        prompt: text before it.
        out: the stream of the prompt. Where nobody types, the line is printed there too.
    """
    if sys.stdin.isatty() and not out.is_stderr:
        try:
            return input(prompt)
        except EOFError:
            return None
    line = sys.stdin.readline()
    out.print(prompt + line.rstrip("\r\n"), soft_wrap=True)
    return line or None


# ---- a line of text that is typed: characters, deletion, movement of the cursor. Widths are the business of the
# screen


@dataclass(frozen=True, slots=True)
class Typed:
    """A text with a cursor.

    Attributes:
        text: the text.
        cursor: number of characters before the cursor.
    """

    text: str = ""
    cursor: int = 0

    def inserted(self, characters: str) -> Typed:
        """Return the line with characters at the cursor; control characters and line ends are left out.

        >>> Typed("山滑坡", 1).inserted("体")
        Typed(text='山体滑坡', cursor=2)
        """
        clean = one_line(characters) if characters.strip() else " " * len(characters)
        return Typed(self.text[: self.cursor] + clean + self.text[self.cursor :], self.cursor + len(clean))

    def key(self, name: str) -> Typed:
        """Return the line after a key that is no character; one without a meaning changes nothing.

        Args:
            name: the name of the key, as `ontocrawl.terminal.keys` has it.

        >>> Typed("山体滑坡", 4).key("backspace").key("left")
        Typed(text='山体滑', cursor=2)
        """
        before, after = self.text[: self.cursor], self.text[self.cursor :]
        if name == "backspace":
            return Typed(before[:-1] + after, max(0, self.cursor - 1))
        if name == "delete":
            return Typed(before + after[1:], self.cursor)
        if name == "kill":
            return Typed(after, 0)
        if name == "kill_word":
            kept = before.rstrip().rpartition(" ")[0] + " " if " " in before.rstrip() else ""
            return Typed(kept + after, len(kept))
        places = {"left": max(0, self.cursor - 1), "right": min(len(self.text), self.cursor + 1), "home": 0}
        return Typed(self.text, {**places, "end": len(self.text)}.get(name, self.cursor))
