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

ROOT = Path(__file__).parents[2]
PACKAGES = ("ontology", "kg", "crawler", "queries", "ontocrawl")
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
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
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
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if path.suffix == ".py" else ():
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "quoted":
            known = list(takewhile(lambda one: not isinstance(one, ast.Starred), node.args))
            words = [str(one.value) if isinstance(one, ast.Constant) else PLACE for one in known]
            if words[:1] == ["ontocrawl"]:
                yield node.lineno, words[1:]


def _printed() -> Iterator[Printed]:
    for path in sorted(one for package in PACKAGES for one in (ROOT / package).rglob("*")):
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


ALL = tuple(dict.fromkeys(_printed()))


def test_messages_have_commands() -> None:
    assert len({one.typed for one in ALL}) > 40 and sum(bool(one.arguments) for one in ALL) > 40


@pytest.mark.parametrize("one", ALL, ids=lambda one: f"{one.file}:{one.line} {one.typed}")
def test_a_printed_command_is_one_that_the_program_takes(one: Printed) -> None:
    command = _command(one.typed)
    context = command.context_class(command, info_name=one.typed)
    _, left, _ = command.make_parser(context).parse_args(list(one.arguments))  # raises for an option that is none
    places = [param for param in command.params if param.param_type_name == "argument"]
    required, most = sum(param.required for param in places), sum(abs(param.nargs) for param in places)
    endless = any(param.nargs == -1 for param in places)
    given = [*left, *(value for value in context.args)]
    assert endless or len(given) <= most, f"{one.typed} takes {most} arguments, not {given}"
    assert not one.arguments or len(given) >= required or given == [], f"{one.typed} needs {required} arguments"
