"""`ontocrawl ontology check`: SHACL shapes, and the competency questions of a topic."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ontocrawl.cli import ontology_arguments
from ontocrawl.cli.arguments import OntologySource
from ontocrawl.cli.output import Answer, Folder, Line, progress, tabled, workspace
from ontocrawl.errors import FINDINGS
from ontology.errors import Message, joined
from ontology.model import Ontology

if TYPE_CHECKING:
    from ontocrawl.graph.tables import Table
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
) -> Answer:
    """Validate header, classes and evidence by SHACL shapes, and run the competency questions.

    The exit code is 3 if there are findings, or questions that do not hold.
    """
    from ontocrawl.versions import competency_checks
    from ontology.competency import read

    space = workspace(folder)
    with progress(Message("cli.doing_check"), None):
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
    findings = [{"file": c.file, **asdict(f)} for c in checked for f in c.findings]
    no_questions = "no competency questions: give a topic that has some, or a file with --questions"
    return Answer(
        {
            "files": [c.file for c in checked],
            "findings": findings,
            "questions": [competency_checks.as_json(v) for v in verdicts],
        },
        _shown(checked, verdicts),
        [no_questions] if question_file is None else [],
        code=FINDINGS if findings or not all(v.holds for v in verdicts) else 0,
    )


def _checked(path: Path, name: str) -> Checked:
    from ontology import owl
    from ontology.owl.shacl import check as shaped

    return Checked(name, owl.load(path).ontology, tuple(shaped(path)))


def _shown(checked: Sequence[Checked], verdicts: Sequence[QuestionResult]) -> list[Table | Line]:
    shown: list[Table | Line] = []
    for c in checked:
        rows = [(f.severity, f.node, f.message, f.value) for f in c.findings]
        found = tabled(
            Message("ontology.of_findings", file=c.file, n=len(rows)), ("severity", "node", "message", "found"), rows
        )
        shown.append(found if rows else Line(Message("ontology.no_findings", file=c.file), wrap=False))
    if verdicts:
        held = sum(v.holds for v in verdicts)
        answers = [(v.question.id, v.question.title(), v.rows, v.holds, joined(v.reasons, "; ")) for v in verdicts]
        columns = ("id", "question", "rows", "holds", "why not")
        shown.append(tabled(Message("ontology.questions_hold", n=held, of=len(verdicts)), columns, answers))
    return shown
