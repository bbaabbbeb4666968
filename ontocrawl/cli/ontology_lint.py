"""`ontocrawl ontology lint`."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from ontocrawl.cli import ontology_arguments
from ontocrawl.cli.output import Answer, Folder, Form, Json, Line, show, spoken, workspace
from ontocrawl.errors import FINDINGS, UsageError
from ontocrawl.version import __version__
from ontology.errors import Message

if TYPE_CHECKING:
    from ontocrawl.base.workspace import Workspace
    from ontology.lint import Finding, Limits
    from ontology.lint.report import Linted


class FindingsFormat(StrEnum):
    """Format of printed findings."""

    TEXT = "text"
    JSON = "json"
    SARIF = "sarif"


class Level(StrEnum):
    """Severity of a finding."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


def lint_command(
    files: Annotated[list[str], typer.Argument(metavar="FILE|TOPIC..", help="Ontology files, or topics.")],
    form: Annotated[
        FindingsFormat, typer.Option("--format", help="Format: text, json, or sarif for code hosts.")
    ] = FindingsFormat.TEXT,
    select: Annotated[
        str, typer.Option(help="Only these rules: comma-separated codes, prefixes of codes, or names.")
    ] = "",
    ignore: Annotated[str, typer.Option(help="Ignore these rules, given as for --select.")] = "",
    severity: Annotated[
        Level, typer.Option(help="Minimum severity of findings that are printed and set exit code 3.")
    ] = Level.WARNING,
    labels: Annotated[str, typer.Option(help="Comma-separated languages in which each class needs a label.")] = "zh,en",
    siblings: Annotated[int, typer.Option(min=1, help="Maximum number of direct subclasses of a class.")] = 30,
    each: Annotated[
        bool, typer.Option("--all", help="A line for each finding; else one for more than three of a rule in a file.")
    ] = False,
    folder: Folder = None,
    as_json_: Json = False,
) -> None:
    """Find problems in ontologies; each finding has code, place, reason and fix.

    The exit code is 3 if there are findings.

    Files that cannot be loaded (cycles, several roots, undeclared classes) are checked triple by triple.
    """
    from ontology.lint import Limits, at_least
    from ontology.lint.report import Linted, as_json, as_sarif, as_text

    space = workspace(folder)
    limits = Limits(languages=_list(labels), siblings=siblings)
    linted: list[Linted] = []
    everything: list[Finding] = []
    for name in files:
        for one in _checked(name, space, limits, _list(select), _list(ignore)):
            everything += one.findings
            shown = at_least(one.findings, severity.value)
            linted.append(Linted(one.name, shown, one.file, one.lines))
    if form is FindingsFormat.SARIF and not as_json_:
        document = as_sarif(linted, __version__)
    else:
        document = as_json(linted, everything)
    text = as_text(linted, each=each, say=spoken)
    code = FINDINGS if any(one.findings for one in linted) else 0
    answer = Answer(document, [Line(text, wrap=False)] if text else [], [_summary(linted, everything)], code=code)
    show(answer, Form.TABLE if form is FindingsFormat.TEXT and not as_json_ else Form.JSON)


def _checked(
    name: str, space: Workspace, limits: Limits, select: tuple[str, ...], ignore: tuple[str, ...]
) -> list[Linted]:
    """Return the findings of a file, or of each ontology of a topic."""
    from ontology.lint import LintError, lint, lint_file
    from ontology.lint.report import Linted, lines_of

    try:
        if not ontology_arguments.is_topic(name):
            path = ontology_arguments.file(name)
            findings = lint_file(path, limits=limits, select=select, ignore=ignore)
            return [Linted(name, findings, name, lines_of(path, {f.place for f in findings}))]
        ontologies = ontology_arguments.ontologies(name, space)
        return [Linted(o.iri, lint(o, limits=limits, select=select, ignore=ignore)) for o in ontologies]
    except LintError as error:
        raise UsageError(str(error)) from error


def _list(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",") if part.strip())


def _summary(linted: list[Linted], everything: list[Finding]) -> str:
    from ontology.lint import counts, rules

    number = counts(everything)
    hidden = len(everything) - sum(len(one.findings) for one in linted)
    more = Message("lint.hidden", n=hidden) if hidden else ""
    return Message("lint.summary", ontologies=len(linted), rules=len(rules()), more=more, **number)
