"""The program `ontocrawl`: its command groups, and how errors become one sentence and an exit code."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Sequence
from typing import Annotated, Any

import typer

from crawler.journal import DamagedJournalError, JournalError
from crawler.snapshot import SnapshotError
from kg.store import StoreError, StoreUnavailable
from ontocrawl import __version__
from ontocrawl.cli import corpus, crawl, enrich, general, graph, ontology, query, topic, weights, world
from ontocrawl.cli.output import note, show_statements, stderr
from ontocrawl.errors import DEPENDENCY, FAILURE, INTERRUPTED, RESUMABLE, USAGE, CommandError
from ontology.extras import MissingExtra
from ontology.lattice import BasisTooLarge, LatticeTooLarge, StabilityNeedsSampling

app = typer.Typer(
    name="ontocrawl",
    help="Learn a domain ontology from papers, keep it in a graph, crawl the web by it, and feed back what was found.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
for name, group in (
    ("corpus", corpus.app), ("topic", topic.app), ("ontology", ontology.app), ("graph", graph.app),
    ("crawl", crawl.app), ("world", world.app), ("query", query.app), ("enrich", enrich.app),
):  # fmt: skip
    app.add_typer(group, name=name)
app.command()(general.init)
app.command()(general.demo)
app.command()(general.doctor)
app.command()(weights.weights)

# typer carries a click of its own or uses the package, by version: the base of its errors is found through one of them
_CLICK: Any = next(kind for kind in typer.BadParameter.__mro__ if kind.__name__ == "ClickException")
_EXIT: tuple[tuple[type[Exception], int], ...] = (
    (StoreUnavailable, DEPENDENCY),
    (MissingExtra, DEPENDENCY),
    (DamagedJournalError, FAILURE),
    (JournalError, RESUMABLE),
    (LatticeTooLarge, FAILURE),
    (BasisTooLarge, FAILURE),
    (StabilityNeedsSampling, FAILURE),
    (SnapshotError, FAILURE),
    (StoreError, FAILURE),
)
"""Errors with an exit code of their own; any other error that our packages define is about what was asked for."""
_OURS = frozenset({"ontology", "kg", "crawler", "queries", "ontocrawl"})


@app.callback(invoke_without_command=True)
def main(
    version: Annotated[bool, typer.Option("--version", help="Print the version and end.")] = False,
    trace: Annotated[bool, typer.Option("--trace", help="Show every statement that goes to the graph.")] = False,
) -> None:
    """Options that stand before the command."""
    show_statements(trace)
    if version:
        typer.echo(__version__)
        raise typer.Exit


def code_of(error: Exception) -> int | None:
    """Exit code of an error that a user can do something about; None for a defect of ours."""
    if isinstance(error, CommandError):
        return error.code
    if isinstance(error, OSError):
        return FAILURE
    known = next((code for kind, code in _EXIT if isinstance(error, kind)), None)
    ours = type(error).__module__.partition(".")[0] in _OURS
    return USAGE if known is None and ours else known


def sentence(error: Exception) -> str:
    """What to tell the user of an error."""
    if isinstance(error, OSError) and error.filename is not None:
        return f"{error.filename}: {error.strerror}"
    return str(error)


def invoke(arguments: Sequence[str] | None = None) -> int:
    """Run one command; answers its exit code. Errors of ours become one sentence on stderr, without a traceback."""
    try:
        answer = app(args=arguments, standalone_mode=False)
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
        stderr.print(f"ontocrawl: {sentence(error)}", markup=False, soft_wrap=True)
        return code
    if answer == INTERRUPTED:  # typer itself turns Ctrl-C into this code
        note("interrupted; a crawl's journal is kept: ontocrawl crawl status, ontocrawl crawl resume RUN")
    return answer if isinstance(answer, int) else 0


def run() -> None:
    """The console script."""
    warnings.filterwarnings("ignore", module="jieba")
    sys.exit(invoke())
