"""`ontocrawl ontology`: build and show here; each other command has its own file."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ontocrawl.cli import ontology_arguments
from ontocrawl.cli.arguments import choice
from ontocrawl.cli.output import Folder, Json, note, print_json, progress, stdout, table, workspace
from ontocrawl.errors import UsageError
from ontology.choices import KINDS, READINGS, UNPLACED, Kind, Reading, Unplaced
from ontology.model import Ontology

if TYPE_CHECKING:
    from ontocrawl.building import BuildOptions, Built
    from ontocrawl.learning import LearnedFiles, Written

ReadingOption = Annotated[
    str, typer.Option(metavar="|".join(READINGS), help="How the hierarchy is read from the documents.")
]
UnplacedOption = Annotated[
    str | None,
    typer.Option(
        metavar="drop|root",
        help="What becomes of terms that nothing says a broader one of: dropped by the reading evidence, under the "
        "root by the others.",
    ),
]
EvidenceOption = Annotated[
    str,
    typer.Option(
        metavar=",".join(KINDS),
        help="What speaks for classes: fca, and topics of terms (lda) or association rules (apriori) beside it.",
    ),
]
Lexicons = Annotated[
    list[Path] | None,
    typer.Option(help="A lexicon of your own (TSV); its words go before those of the bundled one. May repeat."),
]
Classes = Annotated[
    Path | None, typer.Option(help="Upper classes of your own (TSV) to hang terms under, beside the bundled ones.")
]
Bundled = Annotated[
    bool,
    typer.Option(
        "--bundled/--no-bundled",
        help="Whether the bundled lexicon and upper classes, and the topic's curated ontologies, are used.",
    ),
]


def build(
    corpus: Annotated[list[Path], typer.Option(help="Files or folders of exported records. May repeat.")],
    out: Annotated[Path, typer.Option(help="Folder for the ontologies, their pictures, and the topic file.")],
    topic: Annotated[
        str, typer.Option(help="Topic: its label is the root, its local topics give the local ontologies.")
    ] = "rainstorm",
    label: Annotated[
        str | None,
        typer.Option(metavar="zh=..,en=..", help="Labels of a new topic; its words are taken from the corpus."),
    ] = None,
    min_documents: Annotated[int, typer.Option(min=1, help="A term must occur in so many documents.")] = 3,
    max_terms: Annotated[int, typer.Option(min=1, help="At most so many terms, best first.")] = 300,
    reading: ReadingOption = "evidence",
    unplaced: UnplacedOption = None,
    evidence: EvidenceOption = "fca",
    lexicon: Lexicons = None,
    classes: Classes = None,
    bundled: Bundled = True,
    licence: Annotated[str, typer.Option(help="Licence of the ontologies, an IRI or a text, for their headers.")] = "",
    folder: Folder = None,
    as_json: Json = False,
) -> None:
    """Abstracts to terms, formal context, lattice, term hierarchy and OWL: one global and the local ontologies.

    TOPIC.toml in the folder is the topic to crawl with by what was learned.
    """
    from ontocrawl import building
    from ontology.learn_options import LearnOptions

    space = workspace(folder)
    read_as = _reading(reading)
    options = building.BuildOptions(
        corpus=corpus,
        out=out,
        topic=topic,
        label=label,
        learning=LearnOptions(
            min_documents=min_documents,
            max_terms=max_terms,
            reading=read_as,
            unplaced=_unplaced_option(unplaced, read_as),
            evidence=_kinds(evidence, read_as),
            licence=licence,
        ),
        lexicons=lexicon or (),
        classes=classes,
        bundled=bundled,
    )
    with progress("learning", None) as (bar, task):
        built = building.build(space, options, lambda said: bar.update(task, description=said))
    _show_built(built, options, as_json=as_json)


def _show_built(built: Built, options: BuildOptions, *, as_json: bool) -> None:
    """The figures of what was learned, what is left for a person to do, and what was written."""
    from ontocrawl import learning

    files = [str(path) for path in built.written.files]
    result = learning.summary(built.learned) | {"topic_file": str(built.written.topic), "files": files}
    for problem in built.learned.problems[:10]:
        note(f"{problem.file}, line {problem.line}: {problem.reason}")
    if as_json:
        print_json(result)
    else:
        shown = {k: v for k, v in result.items() if isinstance(v, int | float)}
        table(f"Ontology of {built.topic.file.label.zh}", ("", ""), shown.items())
        _tell(built.learned, options, built.topic.name)
        for path in files:
            note(f"written: {path}")
    _tell_topic(built.written)


def _tell_topic(written: Written) -> None:
    """Which topic file to crawl with; where a changed one was left alone, how the two differ."""
    if written.edited is not None:
        note(
            f"{written.edited} was changed by hand and is left alone; the ontologies that it names in this folder "
            f"have new versions now. {written.topic} has what was learned:"
        )
        for line in written.difference:
            note(f"  {line}")
    note(f"Crawl by it: ontocrawl crawl run --topic {written.topic} --seeds URL")


def show(
    file: Annotated[str, typer.Argument(metavar="FILE|TOPIC", help="An ontology file, or a topic.")],
    depth: Annotated[int, typer.Option(min=1, help="Levels to show.")] = 3,
    name: Annotated[
        str | None, typer.Option("--class", metavar="LABEL", help="One class: its place, and what speaks for it.")
    ] = None,
    folder: Folder = None,
    as_json: Json = False,
) -> None:
    """The hierarchy of an ontology as an outline; a class with several parents stands under each."""
    from ontocrawl import outlines

    found = ontology_arguments.ontologies(file, workspace(folder))
    if name is not None:
        _show_class(found, name, as_json=as_json)
        return
    if as_json:
        print_json({"ontologies": [_as_json(ontology) for ontology in found]})
        return
    for ontology in found:
        stdout.print(outlines.outline(ontology, depth=depth), markup=False)


def _show_class(found: Sequence[Ontology], name: str, *, as_json: bool) -> None:
    """A class in every ontology that has it. Raises UsageError naming the nearest where none has."""
    from ontocrawl import outlines

    entries = [entry for ontology in found if (entry := outlines.class_entry(ontology, name)) is not None]
    if not entries:
        close = get_close_matches(name, {form for o in found for c in o.concepts for _, form in c.forms()})
        near = f"; near it are {', '.join(close)}" if close else "; without --class the outline shows all"
        raise UsageError(f"there is no class {name!r}{near}")
    if as_json:
        print_json({"classes": entries})
        return
    for entry in entries:
        stdout.print(outlines.class_text(entry), markup=False)


def _reading(given: str) -> Reading:
    """The reading of that name. Raises UsageError naming the choices."""
    return choice("--reading", given, READINGS)


def _kinds(given: str, reading: Reading) -> tuple[Kind, ...]:
    """The kinds of evidence. Raises UsageError naming the choices, and for what a reading cannot do."""
    names = dict.fromkeys(name.strip() for name in given.split(","))
    kinds = tuple(choice("--evidence", name, KINDS) for name in names)
    if "fca" not in kinds:
        raise UsageError(f"--evidence {given}: lda and apriori speak beside fca; write fca,{given}")
    if len(kinds) > 1 and reading != "evidence":
        raise UsageError(f"--evidence {given} is for --reading evidence; by {reading} documents alone make the edges")
    return kinds


def _unplaced_option(unplaced: str | None, reading: Reading) -> Unplaced:
    """What becomes of terms without a place. Raises UsageError for what a reading cannot do."""
    if unplaced is None:
        return "drop" if reading == "evidence" else "root"
    if unplaced == "drop" and reading != "evidence":
        raise UsageError(f"--unplaced drop is for --reading evidence; by {reading} all terms stand under the root")
    return choice("--unplaced", unplaced, UNPLACED)


def _tell(learned: LearnedFiles, options: BuildOptions, topic: str) -> None:
    """The upper levels of what was learned, and what is left for a person to do."""
    from ontocrawl import learning, outlines

    stdout.print(outlines.outline(learned.global_ontology, depth=3), markup=False)
    for said in learned.learned.notes:
        note(said)
    share = learned.about_topic / max(len(learned.documents), 1)
    if share < 0.2:
        note(f"only {share:.0%} of the records have a word of the topic {topic}: is --topic the right one?")
    untranslated = learned.learned.without_english
    if untranslated:
        todo = options.out / learning.UNTRANSLATED
        given = "".join(f" --lexicon {path}" for path in dict.fromkeys((*options.lexicons, todo)))
        note(f"{len(untranslated)} classes have no English label: fill in {todo}, then build with{given}")
    lost = len(learned.learned.unplaced)
    if lost and options.learning.unplaced == "drop":
        note(
            f"{lost} terms have no broader term and are no classes; summary.json lists them, and --unplaced root puts"
            " them under the root"
        )
    elif lost:
        note(f"{lost} terms have no broader term and stand under the root")


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
