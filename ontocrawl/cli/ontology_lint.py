"""`ontocrawl ontology lint`: what is wrong with an ontology; exit 3 where something is."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from ontocrawl import __version__
from ontocrawl.cli import ontology_arguments
from ontocrawl.cli.output import Folder, Json, note, print_json, stdout, workspace
from ontocrawl.errors import FINDINGS, UsageError

if TYPE_CHECKING:
    from ontocrawl.workspace import Workspace
    from ontology.lint import Finding, Limits
    from ontology.lint.report import Linted


class FindingsFormat(StrEnum):
    """How findings are printed."""

    TEXT = "text"
    JSON = "json"
    SARIF = "sarif"


class Level(StrEnum):
    """How bad a finding is."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


def lint_command(
    files: Annotated[list[str], typer.Argument(metavar="FILE|TOPIC..", help="Ontology files, or topics.")],
    form: Annotated[
        FindingsFormat, typer.Option("--format", help="text, json, or sarif for code hosts.")
    ] = FindingsFormat.TEXT,
    select: Annotated[str, typer.Option(help="Only these rules: codes, their starts, or names, by commas.")] = "",
    ignore: Annotated[str, typer.Option(help="Not these rules.")] = "",
    severity: Annotated[
        Level, typer.Option(help="Print findings that are at least so bad, and exit 3 for them.")
    ] = Level.WARNING,
    labels: Annotated[str, typer.Option(help="Languages in which each class needs a label.")] = "zh,en",
    siblings: Annotated[int, typer.Option(min=1, help="Most direct subclasses of one class.")] = 30,
    folder: Folder = None,
    as_json_: Json = False,
) -> None:
    """What is wrong with an ontology: code, place, reason and mend. Exit code 3 where something is found.

    Files that cannot be loaded (cycles, several roots, undeclared classes) are checked triple by triple.
    """
    from rich.text import Text

    from ontology.lint import Limits, at_least
    from ontology.lint.report import Linted, as_json, as_sarif, as_text

    space = workspace(folder)
    limits = Limits(languages=_list(labels), siblings=siblings)
    found: list[Linted] = []
    everything: list[Finding] = []
    for name in files:
        for one in _checked(name, space, limits, _list(select), _list(ignore)):
            everything += one.findings
            shown = at_least(one.findings, severity.value)
            found.append(Linted(one.name, shown, one.file, one.lines))
    if as_json_ or form is FindingsFormat.JSON:
        print_json(as_json(found, everything))
    elif form is FindingsFormat.SARIF:
        print_json(as_sarif(found, __version__))
    elif text := as_text(found):
        stdout.print(Text(text), soft_wrap=True)
    _say(found, everything)
    if any(one.findings for one in found):
        raise typer.Exit(FINDINGS)


def _checked(
    name: str, space: Workspace, limits: Limits, select: tuple[str, ...], ignore: tuple[str, ...]
) -> list[Linted]:
    """The findings of a file, or of each ontology of a topic."""
    from ontology.lint import LintError, lint, lint_file
    from ontology.lint.report import Linted, lines_of

    try:
        if not ontology_arguments.is_topic(name):
            path = ontology_arguments.file(name)
            findings = lint_file(path, limits=limits, select=select, ignore=ignore)
            return [Linted(name, findings, name, lines_of(path, {f.place for f in findings}))]
        found = ontology_arguments.ontologies(name, space)
        return [Linted(o.iri, lint(o, limits=limits, select=select, ignore=ignore)) for o in found]
    except LintError as error:
        raise UsageError(str(error)) from error


def _list(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",") if part.strip())


def _say(found: list[Linted], everything: list[Finding]) -> None:
    from ontology.lint import counts, rules

    number = counts(everything)
    told = ", ".join(f"{n} {severity}{'s' if n != 1 and severity != 'info' else ''}" for severity, n in number.items())
    hidden = len(everything) - sum(len(one.findings) for one in found)
    more = f"; {hidden} milder ones are not shown (--severity info)" if hidden else ""
    note(f"{len(found)} {'ontology' if len(found) == 1 else 'ontologies'}, {len(rules())} rules known: {told}{more}")
