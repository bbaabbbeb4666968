"""The program `ontocrawl`: its command groups, and how errors become one sentence and an exit code."""

from __future__ import annotations

import logging
import os
import sys
import warnings
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Final, cast

import typer
from typer.core import TyperGroup

from kg.store import STATEMENTS
from ontocrawl import __version__
from ontocrawl.cli import commands
from ontocrawl.errors import DEPENDENCY, FAILURE, INTERRUPTED, RESUMABLE, USAGE, CommandError

_options = typer.Typer(
    name="ontocrawl",
    help="Learn a domain ontology from papers, keep it in a graph, crawl the web by it, and feed back what was found.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)

# typer carries a click of its own or uses the package, by version: the base of its errors is found through one of them
_CLICK: Any = next(kind for kind in typer.BadParameter.__mro__ if kind.__name__ == "ClickException")

EXIT: Final[Mapping[str, int]] = {
    "kg.store.StoreUnavailable": DEPENDENCY,
    "ontology.extras.MissingExtra": DEPENDENCY,
    "crawler.journal.journal.DamagedJournalError": FAILURE,
    "crawler.journal.journal.JournalError": RESUMABLE,
    "ontology.lattice.concept_lattice.LatticeTooLarge": FAILURE,
    "ontology.lattice.implications.BasisTooLarge": FAILURE,
    "ontology.lattice.concept_stability.StabilityNeedsSampling": FAILURE,
    "crawler.journal.snapshot.SnapshotError": FAILURE,
    "kg.store.StoreError": FAILURE,
}
"""Errors with an exit code of their own, by name, so that an error of one package does not import the others.

A subclass goes before its base, and has its code where it is not named. Any other error that our packages define is
about what was asked for.
"""
_OURS = frozenset({"ontology", "kg", "crawler", "queries", "ontocrawl"})


@_options.callback(invoke_without_command=True)
def main(
    version: Annotated[bool, typer.Option("--version", help="Print the version and end.")] = False,
    trace: Annotated[bool, typer.Option("--trace", help="Show every statement that goes to the graph.")] = False,
) -> None:
    """Options that stand before the command."""
    _show_statements(trace)
    if version:
        typer.echo(__version__)
        raise typer.Exit


def _show_statements(shown: bool) -> None:
    """Whether every statement that goes to the graph is shown on stderr, from now on."""
    statements = logging.getLogger(STATEMENTS)
    statements.handlers = [logging.StreamHandler()] if shown else []
    statements.setLevel(logging.DEBUG if shown else logging.NOTSET)


def _program() -> TyperGroup:
    """The program: the options above, those of the shell's completion, and all commands."""
    made = cast(TyperGroup, typer.main.get_command(_options))
    commands.add_to(made)
    return made


app = _program()


def code_of(error: Exception) -> int | None:
    """Exit code of an error that a user can do something about; None for a defect of ours."""
    if isinstance(error, CommandError):
        return error.code
    if isinstance(error, OSError):
        return FAILURE
    kinds = (f"{kind.__module__}.{kind.__qualname__}" for kind in type(error).__mro__)
    known = next((EXIT[kind] for kind in kinds if kind in EXIT), None)
    ours = type(error).__module__.partition(".")[0] in _OURS
    return USAGE if known is None and ours else known


def sentence(error: Exception) -> str:
    """What to tell the user of an error."""
    if isinstance(error, OSError) and error.filename is not None:
        return f"{error.filename}: {error.strerror}"
    return str(error)


def invoke(arguments: Sequence[str] | None = None) -> int:
    """Run one command; answers its exit code. Errors of ours become one sentence on stderr, without a traceback."""
    given = sys.argv[1:] if arguments is None else list(arguments)
    if given == ["--version"]:  # at once: typer imports a library of its own to parse an option's value
        typer.echo(__version__)
        return 0
    try:
        answer = app(args=given, standalone_mode=False)
    except (KeyboardInterrupt, typer.Abort):
        answer = INTERRUPTED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as error:
        if isinstance(error, _CLICK):
            error.show()
            return USAGE
        code = code_of(error)
        if code is None:
            raise
        from ontocrawl.cli.output import stderr

        stderr.print(f"ontocrawl: {sentence(error)}", markup=False, soft_wrap=True)
        return code
    if answer == INTERRUPTED:  # typer itself turns Ctrl-C into this code
        from ontocrawl.cli.output import note

        note("interrupted; a crawl's journal is kept: ontocrawl crawl status, ontocrawl crawl resume RUN")
    return answer if isinstance(answer, int) else 0


def run() -> None:
    """The console script."""
    warnings.filterwarnings("ignore", module="jieba")
    sys.exit(invoke())
