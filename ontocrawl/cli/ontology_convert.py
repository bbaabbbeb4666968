"""`ontocrawl ontology`: convert, reason."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from ontocrawl.cli import ontology_arguments
from ontocrawl.cli.output import Answer, Form, Json, Line, progress, show
from ontocrawl.errors import DEPENDENCY, FINDINGS, CommandError, UsageError
from ontology.errors import Message
from ontology.files import write_atomically

_SUFFIXES = ".ttl, .rdf, .owl, .nt, .jsonld, .ofn, .owx, .obo, .json (OBO graphs)"
_FORMATS = "turtle, rdfxml, ntriples, jsonld, functional, owlxml, obo, obographs, robot"


class NoReasoner(CommandError):  # noqa: N818 - names what is missing
    """A missing reasoner."""

    code = DEPENDENCY


def convert(
    file: Annotated[Path, typer.Argument(metavar="IN", help=f"An ontology file: {_SUFFIXES}.")],
    out: Annotated[Path, typer.Argument(metavar="OUT", help="Output file, or - for stdout, which needs --to.")],
    to: Annotated[str, typer.Option(help=f"Format, by default from the suffix of OUT: {_FORMATS}.")] = "",
    as_skos: Annotated[bool, typer.Option("--skos", help="Write SKOS instead of OWL.")] = False,
    as_json: Json = False,
) -> None:
    """Convert an ontology to another format, with all that the format can hold. Notes list what is left out."""
    from ontology import owl
    from ontology.owl import formats

    to_stdout = str(out) == "-"
    if to_stdout and (as_json or not to):
        raise UsageError("cli.out_stdout_name_format")
    chosen = formats.of_path(out, to)
    with progress(Message("cli.doing_convert"), None):
        loaded = owl.load(file)
        converted = owl.convert(loaded, chosen.name, as_skos=as_skos)
        if not to_stdout:
            write_atomically(out, converted.text.encode())
    classes, relations = len(loaded.ontology.concepts), len(loaded.ontology.relations)
    form = f"{'SKOS, ' * as_skos}{chosen.title}"
    said = Message("cli.converted", path=out, form=form, classes=classes, relations=relations)
    if to_stdout:
        sys.stdout.write(converted.text)
    carried = Message("cli.converted_carried", statements=sum(converted.carried.values()))
    ontology_arguments.note_report(str(file), loaded.report, converted.left_out, converted.examples)
    answer = Answer(
        {
            "file": str(file),
            "out": str(out),
            "format": chosen.name,
            "skos": as_skos,
            "own": loaded.own,
            "iri": loaded.ontology.iri,
            "classes": classes,
            "relations": relations,
            "carried": converted.carried,
            "skipped": converted.left_out,
            "examples": converted.examples,
            "imports": loaded.report.imports,
            "notes": loaded.report.notes,
        },
        [] if to_stdout else [Line(said, wrap=False)],
        [Message("files.about", about=file, error=carried)] if converted.carried else [],
    )
    show(answer, Form.JSON if as_json else Form.TABLE)


def reason(
    file: Annotated[Path, typer.Argument(help=f"An ontology file: {_SUFFIXES}.")],
    reasoner: Annotated[
        str, typer.Option(help="Reasoner: rl (OWL 2 RL, fast) or hermit (OWL 2 DL, complete, needs Java).")
    ] = ("rl"),
    timeout: Annotated[float, typer.Option(min=0.1, help="Maximum time in seconds.")] = 60.0,
) -> Answer:
    """Check by a reasoner whether an ontology is consistent, and which classes are unsatisfiable.

    The exit code is 3 if it is inconsistent or a class is unsatisfiable.
    """
    from ontology.owl.reasoning import REASONERS, ReasonerMissing
    from ontology.owl.reasoning import reason as reasoned

    chosen = next((name for name in REASONERS if name == reasoner), None)
    if chosen is None:
        raise UsageError("cli.no_reasoner_choose", reasoner=reasoner, reasoners=", ".join(REASONERS))
    with progress(Message("cli.doing_reason", reasoner=chosen), None):
        try:
            result = reasoned(file, chosen, timeout)
        except ReasonerMissing as error:
            raise NoReasoner(str(error)) from error
    found = (
        Message("cli.consistent" if result.consistent else "cli.inconsistent", file=file, reasoner=result.reasoner),
        *(f"  {line}" for line in result.reasons),
        *(Message("cli.unsatisfiable", iri=iri) for iri in result.unsatisfiable),
    )
    ignored = Message("cli.imports", n=len(result.imports), imports=", ".join(result.imports))
    return Answer(
        {
            "file": str(file),
            "reasoner": result.reasoner,
            "consistent": result.consistent,
            "unsatisfiable": result.unsatisfiable,
            "reasons": result.reasons,
            "imports": result.imports,
            "seconds": round(result.seconds, 3),
        },
        [Line("\n".join(found), wrap=False)],
        [ignored] if result.imports else [],
        code=0 if result.consistent and not result.unsatisfiable else FINDINGS,
    )
