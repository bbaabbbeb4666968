"""`ontocrawl ontology`: build, show, lattice."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated, Any

import typer

from ontocrawl import learning, topics
from ontocrawl.cli.output import Folder, Json, note, print_json, progress, stdout, table, workspace
from ontology import formats, owl
from ontology.lattice import lattice as all_concepts
from ontology.model import Ontology

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
    folder: Folder = None,
    as_json: Json = False,
) -> None:
    """Abstracts to terms, formal context, lattice, term hierarchy and OWL: one global and the local ontologies."""
    space = workspace(folder)
    chosen = topics.load(topic, space)
    with progress("learning", None) as (bar, task):
        learned = learning.learn_files(
            corpus,
            chosen,
            base=space.settings.iri_base,
            register=out / learning.REGISTER,
            min_documents=min_documents,
            max_terms=max_terms,
            on_stage=lambda s: bar.update(task, description=s),
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
    found = (
        [owl.read(path)]
        if path.suffix in {".ttl", ".rdf", ".owl"}
        else topics.ontologies(topics.load(file, space), space)
    )
    if as_json:
        print_json({"ontologies": [_as_json(ontology) for ontology in found]})
        return
    for ontology in found:
        stdout.print(learning.outline(ontology, depth=depth), markup=False)


@app.command()
def lattice(
    file: Annotated[Path, typer.Argument(help="A formal context: .cxt, .csv, .json, FIMI .dat.")],
    min_support: Annotated[int, typer.Option(min=0, help="Iceberg: only concepts with so many objects.")] = 0,
    svg: Annotated[Path | None, typer.Option(help="Write a line diagram there.")] = None,
    as_json: Json = False,
) -> None:
    """All formal concepts of a context and their covering relation."""
    context = formats.read(file)
    started = time.perf_counter()
    found = all_concepts(context)
    seconds = time.perf_counter() - started
    if min_support:
        found = found.iceberg(min_support)
    if svg is not None:
        learning.write_text(svg, learning.picture(found))
    result = {
        "objects": len(context.objects),
        "attributes": len(context.attributes),
        "concepts": len(found.concepts),
        "edges": len(found.covers),
        "seconds": round(seconds, 6),
    }
    if as_json:
        print_json(result)
    else:
        table(str(file), ("", ""), result.items())


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
