"""Command lines in messages: each is one that the program takes, whatever stands in its places."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from itertools import takewhile
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from ontocrawl.cli.commands import COMMANDS, Deferred
from tests import sources
from tests.sources import LAYERS, ROOT

PLACE = "PLACE"
"""Stands for what a message fills in."""
_LINE = re.compile(r"(?<![\w/.])ontocrawl ((?:[a-z]+ )?[a-z]+)\b([^`\n<]*)(`?)")
_ARGUMENT = re.compile(r"--[\w-]+|[A-Z_]{2,}|.*(?:PLACE|[=|]|\.\.).*")
"""What is an argument where no backtick ends the command: an option, a place, or NAME=VALUE; other words are prose."""


class Printed(NamedTuple):
    """A command line of a message."""

    file: str
    line: int
    typed: str
    arguments: tuple[str, ...]


def _texts(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the strings of a file, with `PLACE` for each value of an f-string; of other files than Python the lines."""
    if path.suffix != ".py":
        lines = path.read_text(encoding="utf-8").splitlines()
        yield from ((number, re.sub(r"\{\{?.*?\}\}?|\$\{.*?\}", PLACE, line)) for number, line in enumerate(lines, 1))
        return
    parts = set[int]()
    for node in sources.nodes(path):
        if isinstance(node, ast.JoinedStr):
            parts |= {id(one) for one in node.values}
            yield (
                node.lineno,
                "".join(str(one.value) if isinstance(one, ast.Constant) else PLACE for one in node.values),
            )
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in parts:
            yield node.lineno, node.value


def _quoted(path: Path) -> Iterator[tuple[int, list[str]]]:
    """Yield the words of commands that `quoted("ontocrawl", ..)` makes, up to values of which nothing is known."""
    for node in sources.nodes(path) if path.suffix == ".py" else ():
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "quoted":
            known = list(takewhile(lambda one: not isinstance(one, ast.Starred), node.args))
            words = [str(one.value) if isinstance(one, ast.Constant) else PLACE for one in known]
            if words[:1] == ["ontocrawl"]:
                yield node.lineno, words[1:]


def _printed() -> Iterator[Printed]:
    for path in sorted(one for package in LAYERS for one in (ROOT / package).rglob("*")):
        if path.suffix not in (".py", ".toml", ".html") or "static" in path.parts:
            continue
        file = path.relative_to(ROOT).as_posix()
        for number, words in _quoted(path):
            name = next(one for one in (" ".join(words[:2]), words[0]) if one in COMMANDS)
            yield Printed(file, number, name, tuple(words[len(name.split()) :]))
        for number, text in _texts(path):
            for typed, rest, ended in _LINE.findall(text):
                name = next((one for one in (typed, typed.split()[0]) if one in COMMANDS), None)
                if name is None:
                    continue
                words = [*typed.split()[len(name.split()) :], *rest.split()]
                yield Printed(file, number, name, tuple(_arguments(words, ended == "`")))


def _arguments(words: list[str], whole: bool) -> Iterator[str]:
    before = ""
    for word in words:
        bare = word if word == ".." else word.rstrip(".,:;)'\"")
        if not whole and not before.startswith("--") and not _ARGUMENT.fullmatch(bare or "-"):
            return
        yield (before := bare)
        if not whole and word != bare:
            return


@cache
def _command(typed: str) -> Any:
    return Deferred(typed, *COMMANDS[typed]).command()


def _fault(one: Printed) -> str:
    """Return what the program does not take of a command line; an empty text if nothing."""
    command = _command(one.typed)
    context = command.context_class(command, info_name=one.typed)
    try:
        values, left, _ = command.make_parser(context).parse_args(list(one.arguments))
    except Exception as error:  # click's, or that of typer's copy of it
        return str(error)
    required = [param.name for param in command.params if param.param_type_name == "argument" and param.required]
    lacking = [name for name in required if not isinstance(values.get(name), str | tuple | list)]
    if left:
        return f"it does not take {left}"
    return f"it needs {lacking}" if one.arguments and lacking else ""


def test_printed_commands_are_ones_that_the_program_takes() -> None:
    printed = tuple(dict.fromkeys(_printed()))
    assert len({one.typed for one in printed}) > 40 and sum(bool(one.arguments) for one in printed) > 40
    faults = [f"{one.file}:{one.line} {one.typed}: {fault}" for one in printed if (fault := _fault(one))]
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [(("--no-such",), "No such option"), (("a", "b", "c"), "it does not take"), (("a",), "it needs"), ((), "")],
)
def test_a_command_that_the_program_does_not_take_is_found(arguments: tuple[str, ...], fault: str) -> None:
    assert fault in _fault(Printed("a.py", 1, "enrich rollback", arguments))
    assert fault or not _fault(Printed("a.py", 1, "enrich rollback", arguments))
