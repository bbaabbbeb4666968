"""`ontocrawl ontology check`: SHACL shapes, and the competency questions of a topic."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ontocrawl.cli import ontology_arguments
from ontocrawl.cli.arguments import OntologySource
from ontocrawl.cli.output import Folder, Json, note, print_json, progress, stdout, table, workspace
from ontocrawl.errors import FINDINGS
from ontology.model import Ontology

if TYPE_CHECKING:
    from ontology.competency import QuestionResult
    from ontology.owl.shacl import Finding


@dataclass(frozen=True)
class Checked:
    """An ontology file with its ontology and the violations of shapes."""

    file: str
    ontology: Ontology
    findings: tuple[Finding, ...]


def check(
    what: OntologySource,
    questions: Annotated[
        Path | None, typer.Option(help="TOML file of competency questions; by default those of the topic.")
    ] = None,
    folder: Folder = None,
    as_json: Json = False,
) -> None:
    """Validate header, classes and evidence by SHACL shapes, and run the competency questions.

    The exit code is 3 if there are findings, or questions that do not hold.
    """
    from ontocrawl.versions import competency_checks
    from ontology.competency import read

    space = workspace(folder)
    with progress("checking", None):
        checked = [_checked(path, name) for path, name in ontology_arguments.files(what, space)]
    ontologies = [c.ontology for c in checked]
    topic = ontologies[0].topic
    question_file = (
        read(questions)
        if questions
        else competency_checks.questions_of(topic, space)
        if ontology_arguments.is_topic(what)
        else None
    )
    verdicts = competency_checks.results(question_file.questions if question_file else (), ontologies, space)
    if as_json:
        findings = [{"file": c.file, **asdict(f)} for c in checked for f in c.findings]
        print_json(
            {
                "files": [c.file for c in checked],
                "findings": findings,
                "questions": [competency_checks.as_json(v) for v in verdicts],
            }
        )
    else:
        _show(checked, verdicts)
        if question_file is None:
            note("no competency questions: give a topic that has some, or a file with --questions")
    if any(c.findings for c in checked) or not all(v.holds for v in verdicts):
        raise typer.Exit(FINDINGS)


def _checked(path: Path, name: str) -> Checked:
    from ontology import owl
    from ontology.owl.shacl import check as shaped

    return Checked(name, owl.load(path).ontology, tuple(shaped(path)))


def _show(checked: Sequence[Checked], verdicts: Sequence[QuestionResult]) -> None:
    for c in checked:
        if c.findings:
            rows = [(f.severity, f.node, f.message, f.value) for f in c.findings]
            table(f"{c.file}: {len(c.findings)} findings", ("severity", "node", "message", "found"), rows)
        else:
            stdout.print(f"{c.file}: no findings", markup=False, soft_wrap=True)
    if verdicts:
        held = sum(v.holds for v in verdicts)
        answers = [(v.question.id, v.question.title(), v.rows, v.holds, "; ".join(v.reasons)) for v in verdicts]
        table(f"{held} of {len(verdicts)} questions hold", ("id", "question", "rows", "holds", "why not"), answers)
