"""`ontocrawl ontology`: build and show here; each other command has its own file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, TypeVar, get_args

import typer

from ontocrawl import learning, topics
from ontocrawl.cli import (
    ontology_check,
    ontology_compare,
    ontology_convert,
    ontology_draw,
    ontology_lattice,
    ontology_lint,
    ontology_merge,
    ontology_terms,
)
from ontocrawl.cli.output import Folder, Json, note, print_json, progress, stdout, table, workspace
from ontocrawl.errors import UsageError
from ontology import owl
from ontology.hierarchy import Reading, Unplaced, skeleton
from ontology.model import Ontology

Choice = TypeVar("Choice", bound=str)
READINGS: tuple[Reading, ...] = get_args(Reading)
UNPLACED: tuple[Unplaced, ...] = get_args(Unplaced)

app = typer.Typer(help="Learn an ontology from papers, look at it, look at a lattice.", no_args_is_help=True)


@app.command()
def build(
    corpus: Annotated[list[Path], typer.Option(help="Files or folders of exported records. May repeat.")],
    out: Annotated[Path, typer.Option(help="Folder for the Turtle and RDF/XML files and the pictures.")],
    topic: Annotated[
        str, typer.Option(help="Topic: its label is the root, its local topics give the local ontologies.")
    ] = "rainstorm",
    min_documents: Annotated[int, typer.Option(min=1, help="A term must occur in so many documents.")] = 3,
    max_terms: Annotated[int, typer.Option(min=1, help="At most so many terms, best first.")] = 300,
    reading: Annotated[
        str, typer.Option(metavar="|".join(READINGS), help="How the hierarchy is read from the documents.")
    ] = "evidence",
    unplaced: Annotated[
        str, typer.Option(metavar="drop|root", help="What becomes of terms that nothing says a broader one of.")
    ] = "drop",
    lexicon: Annotated[
        Path | None, typer.Option(help="A lexicon of your own (TSV) in place of the bundled one.")
    ] = None,
    folder: Folder = None,
    as_json: Json = False,
) -> None:
    """Abstracts to terms, formal context, lattice, term hierarchy and OWL: one global and the local ontologies."""
    space = workspace(folder)
    chosen = topics.load(topic, space)
    top = skeleton(topics.ontologies(chosen, space))
    with progress("learning", None) as (bar, task):
        learned = learning.learn_files(
            corpus,
            chosen,
            base=space.settings.iri_base,
            register=out / learning.REGISTER,
            min_documents=min_documents,
            max_terms=max_terms,
            on_stage=lambda s: bar.update(task, description=s),
            top=top,
            reading=_choice("--reading", reading, READINGS),
            unplaced=_choice("--unplaced", unplaced, UNPLACED),
            lexicon=lexicon,
        )
        written = learning.write(learned, out)
    result = learning.summary(learned) | {"files": [str(path) for path in written]}
    for problem in learned.problems[:10]:
        note(f"{problem.file}, line {problem.line}: {problem.reason}")
    if as_json:
        print_json(result)
        return
    shown = {k: v for k, v in result.items() if isinstance(v, int | float)}
    table(f"Ontology of {chosen.label.zh}", ("", ""), shown.items())
    stdout.print(learning.outline(learned.global_ontology, depth=3), markup=False)
    for said in learned.learned.notes:
        note(said)
    note(f"{len(learned.without_english)} classes have no English label; they are listed in {out / 'summary.json'}")
    if learned.learned.unplaced:
        note(
            f"{len(learned.learned.unplaced)} terms have no broader term and are no classes; summary.json lists them,"
            " and --unplaced root puts them under the root"
            if unplaced == "drop"
            else f"{len(learned.learned.unplaced)} terms have no broader term and stand under the root"
        )
    for path in written:
        note(f"written: {path}")


@app.command()
def show(
    file: Annotated[str, typer.Argument(metavar="FILE|TOPIC", help="An ontology file, or a topic.")],
    depth: Annotated[int, typer.Option(min=1, help="Levels to show.")] = 3,
    folder: Folder = None,
    as_json: Json = False,
) -> None:
    """The hierarchy of an ontology as an outline; a class with several parents stands under each."""
    path = Path(file)
    space = workspace(folder)
    if path.suffix.lower() in owl.SUFFIXES:
        loaded = owl.load(path)
        found = [loaded.ontology]
        ontology_convert.tell(loaded, loaded.report.skipped)
    else:
        found = topics.ontologies(topics.load(file, space), space)
    if as_json:
        print_json({"ontologies": [_as_json(ontology) for ontology in found]})
        return
    for ontology in found:
        stdout.print(learning.outline(ontology, depth=depth), markup=False)


for command in (
    ontology_terms.terms, ontology_lattice.lattice, ontology_merge.merge, ontology_check.check,
    ontology_draw.draw, ontology_draw.document, ontology_convert.convert, ontology_convert.reason,
    ontology_compare.diff, ontology_compare.stats, ontology_compare.similarity,
):  # fmt: skip
    app.command()(command)
app.command("lint")(ontology_lint.lint_command)


def _choice(option: str, given: str, choices: tuple[Choice, ...]) -> Choice:
    """One of the choices. Raises UsageError naming them."""
    for choice in choices:
        if given == choice:
            return choice
    raise UsageError(f"{option} {given!r} is none of {', '.join(choices)}")


def _as_json(ontology: Ontology) -> dict[str, Any]:
    return {
        "iri": ontology.iri,
        "kind": ontology.kind,
        "root": ontology.root,
        "concepts": [
            {"iri": c.iri, "zh": c.label_zh, "en": c.label_en, "parents": ontology.parents[c.iri]}
            for c in ontology.concepts
        ],
    }
