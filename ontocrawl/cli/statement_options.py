"""The option --timeout of the commands that query the graph, and Ctrl-C during their statements."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated

import typer

from ontocrawl.errors import StatementCancelled

Timeout = Annotated[
    float | None,
    typer.Option("--timeout", min=0.001, metavar="SECONDS", help="End the statement on the server after so long."),
]


@contextmanager
def ending(timeout: float | None) -> Iterator[None]:
    """Let Ctrl-C and a time limit end the statements of the block on the server.

    Args:
        timeout: value of --timeout.

    Raises:
        StatementCancelled: Ctrl-C.
    """
    from kg.interruption import StatementInterrupted, interruptible

    try:
        with interruptible(timeout):
            yield
    except StatementInterrupted as interrupted:
        raise StatementCancelled("cli.interrupted", interrupted=interrupted) from interrupted
