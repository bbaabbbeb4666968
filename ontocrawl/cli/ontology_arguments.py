"""Resolve FILE|TOPIC arguments, print notes on foreign ontology files, and the options that name a language model.

A name without a suffix and the path of a topic file (.toml) mean a topic; every other name is an ontology file.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ontocrawl.cli.output import note
from ontocrawl.errors import UsageError
from ontology.choices import Reading
from ontology.errors import Message
from ontology.model import Ontology

if TYPE_CHECKING:
    from ontocrawl.base.workspace import Workspace
    from ontocrawl.topics import topics
    from ontocrawl.versions.chat_endpoint import VerifyOptions
    from ontology import owl

_SHOWN = 20
"""Maximum number of reasons printed for content of a file that was left out."""


def is_topic(given: str) -> bool:
    """Return whether a FILE|TOPIC argument means a topic.

    >>> is_topic("rainstorm"), is_topic("my/storms.toml"), is_topic("storms.ttl")
    (True, True, False)
    """
    return Path(given).suffix.lower() in ("", ".toml")


def file(given: str, expected: str = "an ontology file, or a topic by its name") -> Path:
    """Return the path of an argument that means a file.

    Args:
        given: the argument.
        expected: what the argument can be, for the error message.

    Returns:
        The path of an existing file.

    Raises:
        UsageError: there is no such file.
    """
    path = Path(given)
    if not path.is_file():
        raise UsageError("cli.no_such_file_give", given=given, expected=expected)
    return path


def ontologies(given: str, space: Workspace) -> Sequence[Ontology]:
    """Load the ontology of a file, or those of a topic.

    Notes are printed on content of a foreign file that is left out.

    Args:
        given: the FILE|TOPIC argument.
        space: the workspace.

    Returns:
        At least one ontology, the global one of a topic first.

    Raises:
        UsageError: a missing file, an unknown topic, or a topic without ontologies.
        OwlError: the file cannot be read.
    """
    from ontology import owl

    if is_topic(given):
        return topic(given, space).ontologies
    loaded = owl.load(file(given))
    note_report(given, loaded.report)
    return [loaded.ontology]


def files(given: str, space: Workspace) -> Iterator[tuple[Path, str]]:
    """Iterate over the files of the ontologies of a FILE|TOPIC argument.

    Args:
        given: the FILE|TOPIC argument.
        space: the workspace.

    Yields:
        Path and display name; a path is valid until the next iteration.
    """
    if not is_topic(given):
        yield file(given), given
        return
    yield from topic(given, space).ontology_files()


def note_report(
    name: str, report: owl.Report, skipped: Mapping[str, int] | None = None,
    examples: Mapping[str, tuple[str, ...]] | None = None,
) -> None:  # fmt: skip
    """Print notes on a file that was read: changes, imports, and content that was left out.

    Args:
        name: name of the file.
        report: the report of reading it.
        skipped: reason -> number of statements left out; by default that of the report.
        examples: reason -> some of what it concerns; by default that of the report.
    """
    for line in report.notes:
        note(Message("files.about", about=name, error=line))
    if report.imports:
        imports = ", ".join(report.imports)
        note(Message("cli.imports_ignored", name=name, n=len(report.imports), imports=imports))
    reasons = report.skipped if skipped is None else skipped
    for reason, count in list(reasons.items())[:_SHOWN]:
        shown = (report.examples if examples is None else examples).get(reason, ())
        such = f" ({', '.join(shown)})" if shown else ""
        note(Message("cli.statements_left_out", name=name, count=count, reason=reason, such=such))
    if len(reasons) > _SHOWN:
        more = list(reasons.values())[_SHOWN:]
        note(Message("cli.statements_left_out_more", name=name, more=sum(more), reasons=len(more)))


def topic(given: str, space: Workspace) -> topics.Topic:
    """Load a topic that has ontologies. Raises UsageError for an unknown topic, or one without ontologies."""
    from ontocrawl.topics import topics

    loaded = topics.load(given, space)
    if not loaded.file.ontologies:
        raise UsageError("versions.topic_no_ontology_file", given=given)
    return loaded


# ---- the options of `ontology build` that name a language model to ask


VerifyWith = Annotated[
    str | None,
    typer.Option(
        "--verify-with",
        metavar="BASE_URL",
        help="Ask a language model for a class of each term that nothing places, and whether every X is a Y where only "
        "a name says so. Base URL of any server with the chat interface of OpenAI, such as http://localhost:11434/v1.",
        rich_help_panel="Language model",
    ),
]
VerifyModel = Annotated[
    str | None,
    typer.Option(
        "--verify-model", metavar="NAME", help="Name of the model at the server.", rich_help_panel="Language model"
    ),
]
VerifyTokens = Annotated[
    int,
    typer.Option(
        "--verify-tokens",
        min=1,
        metavar="N",
        help="Largest number of tokens of all requests and answers.",
        rich_help_panel="Language model",
    ),
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
        raise UsageError("cli.verify_model_used_verify")
    if model is None:
        raise UsageError("cli.verify_give_model_verify", base_url=base_url)
    if reading != "evidence":
        raise UsageError("cli.verify_reading_evidence_all", reading=reading)
    from ontocrawl.versions.chat_endpoint import VerifyOptions

    return VerifyOptions(base_url, model, tokens, note)
