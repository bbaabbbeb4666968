"""The program `ontocrawl`: its commands, and the translation of errors to a message and an exit code."""

from __future__ import annotations

import errno
import io
import logging
import os
import re
import sys
import warnings
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Annotated, Any, cast

import typer
from typer.core import TyperGroup

from kg.store import STATEMENTS
from ontocrawl.base.exit_codes import code_of
from ontocrawl.cli import commands
from ontocrawl.errors import INTERRUPTED, USAGE
from ontocrawl.version import __version__
from ontology.errors import Language

_options = typer.Typer(
    name="ontocrawl",
    cls=commands.Group,
    help="Learn a domain ontology from papers, store it in a graph, crawl the web with it, and extend it by new terms.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)

# typer bundles click or imports it, depending on the version: the base class is looked up through an error of typer
_CLICK: Any = next(kind for kind in typer.BadParameter.__mro__ if kind.__name__ == "ClickException")


class LogFormat(StrEnum):
    """Forms of what is written to stderr."""

    TEXT = "text"
    JSON = "json"


class Lang(StrEnum):
    """Languages of messages."""

    EN = "en"
    ZH = "zh"


@_options.callback(invoke_without_command=True)
def main(
    version: Annotated[bool, typer.Option("--version", help="Print the version and exit.")] = False,
    trace: Annotated[bool, typer.Option("--trace", help="Log every statement sent to the graph.")] = False,
    log_format: Annotated[
        LogFormat, typer.Option("--log-format", help="Form of notes, errors and the log on stderr.")
    ] = LogFormat.TEXT,
    lang: Annotated[
        Lang | None,
        typer.Option("--lang", help="Language of help, errors and messages; by default that of the terminal (LANG)."),
    ] = None,
) -> None:
    """Handle the options before the command."""
    _speak(lang.value if lang else language_of(os.environ))
    _log_as_json(log_format is LogFormat.JSON)
    _show_statements(trace, as_text=log_format is LogFormat.TEXT)
    if version:
        typer.echo(__version__)
        raise typer.Exit


def language_of(environment: Mapping[str, str]) -> Language:
    """Return the language of messages that the variables of a terminal ask for (POSIX, 8.2); English for others.

    >>> language_of({"LANG": "zh_CN.UTF-8"}), language_of({"LC_ALL": "C.UTF-8", "LANG": "zh_CN.UTF-8"})
    ('zh', 'en')
    """
    asked = next(filter(None, map(environment.get, ("LC_ALL", "LC_MESSAGES", "LANG"))), "")
    return "zh" if asked.lower().startswith("zh") else "en"


def _speak(language: Language) -> None:
    """Let messages be in a language, or again in English."""
    if language == "en" and commands.OUTPUT not in sys.modules:
        return
    from ontocrawl.cli import output

    output.language = language


def _asked(arguments: Sequence[str]) -> Language:
    """Return the language of messages that the options before the command ask for, or the terminal.

    They are read before all arguments are, since `--help` and errors of usage do not wait for what follows them.
    """
    if any(one.startswith("--lang") for one in arguments):  # else typer's library is not needed
        lang = app.make_context("ontocrawl", list(arguments), resilient_parsing=True).params.get("lang")
        if lang is not None:
            return Lang(lang).value
    return language_of(os.environ)


def _log_as_json(wanted: bool) -> None:
    """Let notes, errors and Python's logging be lines of JSON, or no longer."""
    if not wanted and commands.OUTPUT not in sys.modules:  # `--help` imports nothing, nor has anything asked for JSON
        return
    from ontocrawl.cli import output

    output.stderr.log = output.install(output.stderr.log, wanted)


def _show_statements(shown: bool, *, as_text: bool) -> None:
    """Turn the log of statements sent to the graph, on stderr, on or off; lines of JSON have a handler already."""
    statements = logging.getLogger(STATEMENTS)
    statements.handlers = [logging.StreamHandler()] if shown and as_text else []
    statements.setLevel(logging.DEBUG if shown else logging.NOTSET)


def _program() -> TyperGroup:
    """Make the program with its options, shell completion and all commands."""
    program = cast(TyperGroup, typer.main.get_command(_options))
    commands.add_to(program)
    return program


app = _program()


_NO_ROOM = {getattr(errno, name, None) for name in ("ENOSPC", "EFBIG", "EDQUOT")} - {None}
"""Errors of writing to a full disk, or beyond a limit; they do not say of which file."""


def sentence(error: Exception) -> str:
    """Return the message of an error for the user."""
    import tempfile

    from ontocrawl.cli.output import spoken
    from ontology.errors import Message

    if isinstance(error, OSError) and error.filename is not None:
        return spoken(Message("files.about", about=error.filename, error=error.strerror))
    if isinstance(error, OSError) and error.errno in _NO_ROOM:
        return spoken(Message("cli.no_room", strerror=error.strerror, temporary=tempfile.gettempdir()))
    return spoken(str(error))


def _usage(error: Any) -> str:
    """Return the message of a wrong argument, with the usage of the command, and what was meant where that is known."""
    from ontocrawl.cli.output import spoken
    from ontology.errors import Message, recognised

    shown = io.StringIO()
    error.show(shown)
    text, option = shown.getvalue().rstrip("\n"), getattr(error, "option_name", "")
    lines = [spoken(recognised(text, "usage.")) if commands.is_chinese() else text]  # typer has English sentences only
    path = error.ctx.command_path.removeprefix(str(error.ctx.find_root().info_name)).strip() if error.ctx else ""
    query = re.search(r"'(\w+/\w+)'", error.message) if path == "query" else None
    if any(option in parameter.opts for parameter in app.params):
        lines.append(spoken(Message("cli.option_before_command", option=option, command=path)))
    if query is not None:
        lines.append(spoken(Message("cli.query_by_run", name=query[1])))
    return "\n".join(lines)


def invoke(arguments: Sequence[str] | None = None) -> int:
    """Run a command. Expected errors are printed as one sentence on stderr, without a traceback.

    Args:
        arguments: arguments of the program; by default those of the process.

    Returns:
        The exit code.
    """
    given = sys.argv[1:] if arguments is None else list(arguments)
    if given == ["--version"]:  # without typer, which imports a library to parse the value of an option
        typer.echo(__version__)
        return 0
    _speak(_asked(given))
    try:
        answer = app(args=given, standalone_mode=False)
    except (KeyboardInterrupt, typer.Abort):
        answer = INTERRUPTED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as error:
        code = USAGE if isinstance(error, _CLICK) else code_of(error)
        if code is None:
            raise
        from ontocrawl.cli.output import stderr

        text = _usage(error) if isinstance(error, _CLICK) else f"ontocrawl: {sentence(error)}"
        stderr.print(text, soft_wrap=True, level="error")
        return code
    if answer == INTERRUPTED:  # typer translates Ctrl-C to this code
        from ontocrawl.cli.output import note
        from ontology.errors import Message

        note(Message("cli.was_interrupted"))
    return answer if isinstance(answer, int) else 0


def run() -> None:
    """Run the program and exit the process."""
    warnings.filterwarnings("ignore", module="jieba")
    if isinstance(sys.stdout, io.TextIOWrapper):  # a character that its encoding lacks must not end the command
        sys.stdout.reconfigure(errors="backslashreplace")
    sys.exit(invoke())
