"""Arguments and options shared by several commands, and how NAME=VALUE and choices are parsed."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, TypeVar

import typer

from ontocrawl.cli.commands import HELP_ALL
from ontocrawl.errors import UsageError
from ontology.errors import LANGUAGES, Language

Choice = TypeVar("Choice", bound=str)

Exports = Annotated[list[Path], typer.Argument(metavar="PATH..", help="Files or folders of literature exports.")]
Corpus = Annotated[list[Path], typer.Option("--corpus", help="Files or folders of literature exports. May repeat.")]
OntologySource = Annotated[str, typer.Argument(metavar="FILE|TOPIC", help="An ontology file, or a topic.")]
TopicSource = Annotated[str, typer.Argument(metavar="TOPIC", help="Name of a topic, or path of a topic file.")]
RunName = Annotated[str, typer.Argument(metavar="RUN", help="Name of a run.")]
ScreenLanguage = Annotated[
    str, typer.Option("--lang", metavar="zh|en", help="Language of the screen; by default that of messages.")
]


def _show_all(context: typer.Context, asked: bool) -> None:
    if asked:
        context.meta[HELP_ALL] = True
        typer.echo(context.get_help())
        raise typer.Exit


HelpAll = Annotated[
    bool,
    typer.Option(
        "--help-all",
        is_eager=True,
        expose_value=False,
        callback=_show_all,
        help="Show all options in groups, and exit.",
    ),
]
Versions = Annotated[
    list[str] | None,
    typer.Option(
        "--version",
        metavar="VERSION",
        help="Take the topic's ontologies of this version, with its digest, from its files or the archives of its "
        "versions, in place of the present ones. May repeat, for a topic that joins several.",
    ),
]


def parameters(items: Iterable[str]) -> dict[str, str]:
    """Parse NAME=VALUE arguments. Raises UsageError for another form, or for a name given twice.

    >>> parameters(["limit=5", "concept=a=b"])
    {'limit': '5', 'concept': 'a=b'}
    """
    values: dict[str, str] = {}
    for item in items:
        name, sign, value = item.partition("=")
        if not sign or not name:
            raise UsageError("cli.expected_parameter_name_value", item=item)
        if name in values:
            raise UsageError("cli.parameter_given_twice", name=name, values=values[name], value=value)
        values[name] = value
    return values


def words(text: str) -> dict[str, float]:
    """Parse words between commas or semicolons, each with its weight behind an equals sign, or 1.

    >>> words("flood, dam=0.5；暴雨")
    {'flood': 1.0, 'dam': 0.5, '暴雨': 1.0}
    """
    from ontology.terms.wordforms import at_commas

    given = {}
    for part in (part for several in re.split("[;；]", text) for part in at_commas(several)):
        word, equals, weight = part.partition("=")
        if equals and not word.strip():
            raise UsageError("cli.words_weight_no_word", part=part.strip())
        if word.strip():
            given[word.strip()] = _weight(part, weight) if equals else 1.0
    return given


def _weight(part: str, text: str) -> float:
    try:
        weight = float(text)
    except ValueError:
        weight = 0.0
    if not 0 < weight <= 1:
        raise UsageError("cli.words_weight_number_above", part=part.strip())
    return weight


def choice(option: str, given: str, choices: tuple[Choice, ...]) -> Choice:
    """Validate the value of an option.

    Args:
        option: name of the option, for the error message.
        given: the value.
        choices: the allowed values.

    Returns:
        The value.

    Raises:
        UsageError: the value is not allowed; the message lists the choices.
    """
    for known in choices:
        if given == known:
            return known
    raise UsageError("cli.none", option=option, given=given, choices=", ".join(choices))


def screen_language(given: str) -> Language:
    """Return the language of a dialogue, by default that of messages. Raises UsageError for an unknown one."""
    from ontocrawl.cli import output

    return choice("--lang", given, LANGUAGES) if given else output.language


def seconds(text: str) -> float:
    """Return the seconds of a duration: a number with s, m, h or d, such as 6h.

    Raises:
        UsageError: another form, or no time at all.
    """
    found = re.fullmatch(r"(\d+(?:\.\d+)?)([smhd])", text.strip())
    value = 0.0 if found is None else float(found[1]) * {"s": 1, "m": 60, "h": 3600, "d": 86_400}[found[2]]
    if value <= 0.0:
        raise UsageError("cli.no_duration", text=text)
    return value
