"""The options of `ontology build` that name a language model to ask."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from ontocrawl.cli.output import note
from ontocrawl.errors import UsageError
from ontology.choices import Reading

if TYPE_CHECKING:
    from ontocrawl.versions.chat_endpoint import VerifyOptions

VerifyWith = Annotated[
    str | None,
    typer.Option(
        "--verify-with",
        metavar="BASE_URL",
        help="Ask a language model for a class of each term that nothing places, and whether every X is a Y where only "
        "a name says so. Base URL of any server with the chat interface of OpenAI, such as http://localhost:11434/v1.",
    ),
]
VerifyModel = Annotated[
    str | None, typer.Option("--verify-model", metavar="NAME", help="Name of the model at the server.")
]
VerifyTokens = Annotated[
    int,
    typer.Option("--verify-tokens", min=1, metavar="N", help="Largest number of tokens of all requests and answers."),
]
TOKENS = 200_000
"""Default of --verify-tokens."""


def verify_options(base_url: str | None, model: str | None, tokens: int, *, reading: Reading) -> VerifyOptions | None:
    """Return the options of the model to ask; None if none is to be asked.

    Args:
        base_url: value of --verify-with.
        model: value of --verify-model.
        tokens: value of --verify-tokens.
        reading: value of --reading.

    Raises:
        UsageError: one of URL and model without the other, or a reading that uses no verdicts.
    """
    if base_url is None and model is None:
        return None
    if base_url is None:
        raise UsageError("--verify-model is used with --verify-with: give the base URL of the server")
    if model is None:
        raise UsageError(f"--verify-with: give the model with --verify-model NAME; {base_url}/models lists the names")
    if reading != "evidence":
        raise UsageError(f"--verify-with is for --reading evidence; with {reading} all edges are from documents")
    from ontocrawl.versions.chat_endpoint import VerifyOptions

    return VerifyOptions(base_url, model, tokens, note)
