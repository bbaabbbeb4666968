"""`ontocrawl ontology convert|reason`: files of ontologies in other formats, and whether they are consistent."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from ontocrawl.cli import ontology_arguments
from ontocrawl.cli.output import Json, note, print_json, progress, stdout
from ontocrawl.errors import DEPENDENCY, FINDINGS, CommandError, UsageError
from ontology.files import write_atomically

_SUFFIXES = ".ttl, .rdf, .owl, .nt, .jsonld, .ofn, .owx"
_FORMATS = "turtle, rdfxml, ntriples, jsonld, functional, owlxml"


class NoReasoner(CommandError):  # noqa: N818 - says what is missing
    """A reasoner that this machine cannot run."""

    code = DEPENDENCY


def convert(
    file: Annotated[Path, typer.Argument(metavar="IN", help=f"An ontology: {_SUFFIXES}.")],
    out: Annotated[Path, typer.Argument(metavar="OUT", help="The file to write; - is stdout and needs --to.")],
    to: Annotated[str, typer.Option(help=f"Format, where OUT's suffix tells none: {_FORMATS}.")] = "",
    as_skos: Annotated[bool, typer.Option("--skos", help="Write the SKOS view instead of OWL.")] = False,
    as_json: Json = False,
) -> None:
    """Write an ontology in another format. Foreign ontologies become ours; what is left out is told."""
    from ontology import owl
    from ontology.owl import formats, skos

    to_stdout = str(out) == "-"
    if to_stdout and (as_json or not to):
        raise UsageError("OUT is - (stdout): name a format with --to, and leave --json out")
    chosen = formats.of_path(out, to)
    with progress("converting", None):
        found = owl.load(file)
        text = owl.text(found.ontology, chosen.name, found.header, as_skos=as_skos)
        if not to_stdout:
            write_atomically(out, text.encode())
    skipped = dict(found.report.skipped) | (skos.left_out(found.ontology) if as_skos else {})
    if to_stdout:
        sys.stdout.write(text)
    elif as_json:
        print_json(
            {
                "file": str(file),
                "out": str(out),
                "format": chosen.name,
                "skos": as_skos,
                "own": found.own,
                "iri": found.ontology.iri,
                "classes": len(found.ontology.concepts),
                "relations": len(found.ontology.relations),
                "skipped": skipped,
                "examples": found.report.examples,
                "imports": found.report.imports,
                "notes": found.report.notes,
            }
        )
    else:
        kind = "SKOS, " if as_skos else ""
        stdout.print(
            f"{out}: {kind}{chosen.title}, {len(found.ontology.concepts)} classes, "
            f"{len(found.ontology.relations)} relations",
            markup=False, soft_wrap=True,
        )  # fmt: skip
    ontology_arguments.tell(str(file), found.report, skipped)


def reason(
    file: Annotated[Path, typer.Argument(help=f"An ontology: {_SUFFIXES}.")],
    reasoner: Annotated[str, typer.Option(help="rl (OWL 2 RL, quick) or hermit (OWL 2 DL, complete, needs Java).")] = (
        "rl"
    ),
    timeout: Annotated[float, typer.Option(min=0.1, help="Stop after so many seconds.")] = 60.0,
    as_json: Json = False,
) -> None:
    """Is the ontology consistent, and which classes can have no member? Exit code 3 where something is wrong."""
    from ontology.owl.reasoning import REASONERS, ReasonerMissing
    from ontology.owl.reasoning import reason as reasoned

    chosen = next((name for name in REASONERS if name == reasoner), None)
    if chosen is None:
        raise UsageError(f"there is no reasoner {reasoner!r}; choose one of {', '.join(REASONERS)}")
    with progress(f"reasoning ({chosen})", None):
        try:
            found = reasoned(file, chosen, timeout)
        except ReasonerMissing as error:
            raise NoReasoner(str(error)) from error
    if found.imports:
        note(f"{len(found.imports)} imports were cut, nothing was fetched: {', '.join(found.imports)}")
    if as_json:
        print_json(
            {
                "file": str(file),
                "reasoner": found.reasoner,
                "consistent": found.consistent,
                "unsatisfiable": found.unsatisfiable,
                "reasons": found.reasons,
                "imports": found.imports,
                "seconds": round(found.seconds, 3),
            }
        )
    else:
        verdict = "consistent" if found.consistent else "inconsistent"
        stdout.print(f"{file}: {verdict} ({found.reasoner})", markup=False, soft_wrap=True)
        for told in found.reasons:
            stdout.print(f"  {told}", markup=False, soft_wrap=True)
        for iri in found.unsatisfiable:
            stdout.print(f"  can have no member: {iri}", markup=False, soft_wrap=True)
    if not found.consistent or found.unsatisfiable:
        raise typer.Exit(FINDINGS)
