"""`ontocrawl ontology`: diff, stats, similarity."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ontocrawl.cli import ontology_arguments
from ontocrawl.cli.arguments import OntologySource
from ontocrawl.cli.output import Answer, Folder, Line, named, note, tabled, workspace
from ontocrawl.errors import UsageError
from ontology.errors import Message, joined, recognised
from ontology.model import Concept, Ontology, RelationKind

if TYPE_CHECKING:
    from ontocrawl.cli.output import Part
    from ontology.similarity import Measure, Similarities

_SHOWN = 5
_FACTORS = ("distance", "density", "depth", "coincidence", "relation")


def diff(
    old: Annotated[
        str,
        typer.Argument(
            metavar="OLD",
            help="An ontology file; a topic or the folder of a build, for its global ontology; either with @VERSION; "
                 "or the ZIP file of a version.",
        ),
    ],
    new: Annotated[str, typer.Argument(metavar="NEW", help="A newer one.")],
    as_markdown: Annotated[bool, typer.Option("--markdown", help="Print Markdown instead of a table.")] = False,
    folder: Folder = None,
) -> Answer:  # fmt: skip
    """Compare two ontologies, or two versions of one.

    Shows concepts that were added, removed, renamed or moved or got another IRI; relations, evidence, header; and all
    other statements that one of the two lacks. The exit code is 0, equal or not; the JSON has the key `equal`.
    """
    from ontocrawl.versions import histories
    from ontology import compare

    space = workspace(folder)
    difference = compare.diff_files(histories.loaded(old, space), histories.loaded(new, space))
    rows = [(named("change", row.kind), row.what, row.before, row.after) for row in compare.rows(difference)]
    shown: Part = tabled(f"{old} → {new}", ("difference", "what", "before", "after"), rows)
    if as_markdown:
        shown = Line(compare.markdown(difference).rstrip("\n"), wrap=False)
    elif difference.equal:
        shown = Message("ontology.no_difference")
    counts = joined([
        Message("versions.came", kind=named("change", name.replace("_", " ")), n=number)
        for name, number in difference.counts().items() if number
    ])  # fmt: skip
    document = {"old_source": old, "new_source": new} | compare.plain(difference)
    return Answer(document, [shown], [counts] if counts else [])


def stats(source: OntologySource, folder: Folder = None) -> Answer:
    """Show statistics of an ontology with their definitions: size, shape, labels, relations, evidence."""
    from ontology import compare

    statistics = [
        (ontology, compare.statistics(ontology))
        for ontology in ontology_arguments.ontologies(source, workspace(folder))
    ]
    header = ("iri", "kind", "topic", "version", "title_zh", "title_en")
    rows = [{name: getattr(o, name) for name in header} | asdict(figures) for o, figures in statistics]
    tables = [
        tabled(
            ontology.title_zh or ontology.title_en or ontology.iri,
            ("figure", "value", "definition"),
            [
                (name, _figure(value, ontology), recognised(compare.DEFINITIONS[name], "ontology.figure_"))
                for name, value in asdict(figures).items()
            ],
        )
        for ontology, figures in statistics
    ]
    return Answer({"ontologies": rows, "definitions": dict(compare.DEFINITIONS)}, tables)


def _figure(value: Any, ontology: Ontology) -> str:
    """Format a figure; long lists are cut, with their length."""
    if isinstance(value, dict):
        return "\n".join(f"{name or '(none)'}: {number}" for name, number in value.items())
    if isinstance(value, float):
        return f"{value:.3f}"
    if not isinstance(value, tuple):
        return str(value)
    if value and isinstance(value[0], int):
        return ", ".join(str(number) for number in value)
    names = [" → ".join(ontology.by_iri[iri].label for iri in ([v] if isinstance(v, str) else v)) for v in value]
    more = [f".. and {len(names) - _SHOWN} more"] if len(names) > _SHOWN else []
    return "\n".join([str(len(names)), *names[:_SHOWN], *more])


def similarity(
    source: Annotated[str | None, typer.Argument(metavar="[FILE|TOPIC]", help="An ontology file, or a topic.")] = None,
    a: Annotated[str | None, typer.Argument(metavar="A", help="A concept, by label, synonym or IRI.")] = None,
    b: Annotated[
        str | None,
        typer.Argument(metavar="B", help="Another concept; without it, the nearest concepts to A are shown."),
    ] = None,
    measure: Annotated[str, typer.Option(help="Similarity measure; --measures lists them.")] = "sem",
    measures: Annotated[bool, typer.Option("--measures", help="List the measures and exit.")] = False,
    to_root: Annotated[bool, typer.Option("--to-root", help="Compare A with the root concept.")] = False,
    nearest: Annotated[int | None, typer.Option(min=1, help="Number of nearest concepts to A; by default 10.")] = None,
    counts: Annotated[
        Path | None,
        typer.Option(
            help="Corpus counts (NAME<tab>COUNT lines or a JSON object); by default intrinsic information content."
        ),
    ] = None,
    cumulative: Annotated[
        bool, typer.Option("--cumulative", help="The counts include narrower concepts, as document support does.")
    ] = False,
    is_a_only: Annotated[bool, typer.Option("--is-a-only", help="Ignore part-of edges.")] = False,
    local: Annotated[str, typer.Option(help="Local ontology of a topic, by the end of its IRI.")] = "",
    folder: Folder = None,
) -> Answer:
    """Compute the similarity of two concepts, of one to its nearest, or of all to the root; Sem with its factors."""
    from ontology.concept_graph import HIERARCHY
    from ontology.similarity import concept_named
    from ontology.similarity.measures import find

    if measures:
        return _list_measures()
    if source is None:
        raise UsageError("cli.similarity_needs_ontology_file")
    if b is not None and (to_root or nearest is not None):
        raise UsageError("cli.both_b_nothing_search")
    if nearest is not None and (a is None or to_root):
        raise UsageError("cli.nearest_n_needs_concept")
    chosen = find(measure)
    ontology = _one(ontology_arguments.ontologies(source, workspace(folder)), local)
    prepared = _prepared(ontology, counts, cumulative, ("subclass_of",) if is_a_only else HIERARCHY)
    head = {"ontology": ontology.iri, "measure": chosen.name, "content": prepared.ground.content.kind}
    if a is None:
        return _of_root(ontology, prepared, chosen, head)
    if b is not None or to_root:
        ends = (concept_named(ontology, a), concept_named(ontology, b) if b else ontology.by_iri[ontology.root])
        return _of_pair(ontology, prepared, chosen, ends, head)
    return _nearest(ontology, prepared, chosen, concept_named(ontology, a), nearest or 10, head)


def _list_measures() -> Answer:
    from ontology.similarity import MEASURES

    names = ("name", "title", "formula", "interval", "symmetric", "needs_content", "source")
    rows = [(m.name, m.formula, m.interval, m.symmetric, m.needs_content) for m in MEASURES.values()]
    return Answer(
        {"measures": [{name: getattr(m, name) for name in names} for m in MEASURES.values()]},
        [tabled("Measures", ("name", "formula", "range", "symmetric", "content"), rows)],
        [Message("ontology.measures_content")],
    )


def _of_pair(
    ontology: Ontology, prepared: Similarities, chosen: Measure, ends: tuple[Concept, Concept], head: dict[str, Any]
) -> Answer:
    from ontology.similarity import MEASURES

    one, other = ends
    values = {name: prepared.pair(one.iri, other.iri, name) for name in MEASURES}
    factors = _factors(prepared, one, chosen).get(other.iri, {})
    path = prepared.path(one.iri, other.iri)
    pair: dict[str, Any] = {"a": _concept(one), "b": _concept(other), "similarity": values[chosen.name]}
    columns = ("measure", "similarity", "range")
    others = [(m.name, values[m.name], m.interval) for m in MEASURES.values() if m.name != chosen.name]
    return Answer(
        head | pair | ({"factors": factors} if factors else {}) | {"path": path, "measures": values},
        [
            tabled(f"{one.label} – {other.label}", columns, [(chosen.title, values[chosen.name], chosen.interval)]),
            *([tabled("Factors", tuple(factors), [tuple(factors.values())])] if factors else []),
            " – ".join(ontology.by_iri[iri].label for iri in path) or Message("ontology.not_connected"),
            tabled("By the other measures", columns, others),
        ],
    )


def _nearest(
    ontology: Ontology, prepared: Similarities, chosen: Measure, one: Concept, n: int, head: dict[str, Any]
) -> Answer:
    nearest = [(ontology.by_iri[iri], value) for iri, value in prepared.nearest(one.iri, chosen, n=n)]
    rows = [(concept.label, concept.label_en or "", value) for concept, value in nearest]
    return Answer(
        head | {"a": _concept(one), "nearest": [_concept(near) | {"similarity": value} for near, value in nearest]},
        [
            tabled(
                Message("ontology.nearest_to", label=one.label, measure=chosen.title),
                ("concept", "English", "similarity"),
                rows,
            )
        ],
    )


def _of_root(ontology: Ontology, prepared: Similarities, chosen: Measure, head: dict[str, Any]) -> Answer:
    """Return the similarity of the root to every concept, best first; for Sem with the factors."""
    root = ontology.by_iri[ontology.root]
    values = dict(zip(prepared.iris, prepared.row(root.iri, chosen).tolist(), strict=True))
    order = sorted(prepared.iris, key=lambda iri: (-values[iri], iri))
    factors = _factors(prepared, root, chosen)
    rows = [_concept(ontology.by_iri[iri]) | {"similarity": values[iri]} for iri in order]
    for row in rows if factors else ():
        row["factors"] = factors[row["iri"]]
    shown = [(ontology.by_iri[i].label, values[i], *factors.get(i, {}).values()) for i in order]
    columns = ("concept", "similarity", *(_FACTORS if factors else ()))
    return Answer(
        head | {"root": _concept(root), "similarities": rows},
        [tabled(Message("ontology.similarity_to", label=root.label, measure=chosen.title), columns, shown)],
    )


def _factors(prepared: Similarities, one: Concept, chosen: Measure) -> dict[str, dict[str, float]]:
    """Return IRI -> factors of the similarity of one concept to it; empty for a measure without factors."""
    from ontology.similarity import SEM

    if chosen.name not in SEM:
        return {}
    factors = prepared.factors(one.iri, SEM[chosen.name])
    return {iri: asdict(five) for iri, five in zip(prepared.iris, factors, strict=True)}


def _concept(concept: Concept) -> dict[str, Any]:
    return {"iri": concept.iri, "zh": concept.label_zh, "en": concept.label_en}


def _one(ontologies: Sequence[Ontology], local: str) -> Ontology:
    """Return the first ontology, or the one whose IRI ends with ``local``."""
    if not local:
        return ontologies[0]
    fitting = [ontology for ontology in ontologies if ontology.iri.endswith(local)]
    if len(fitting) != 1:
        raise UsageError(
            "cli.local_ontologies_end_so",
            local=local,
            n_fitting=len(fitting),
            ontologies=", ".join(o.iri for o in ontologies),
        )
    return fitting[0]


def _prepared(ontology: Ontology, counts: Path | None, cumulative: bool, kinds: Sequence[RelationKind]) -> Similarities:
    from ontology.similarity import Similarities, read_counts

    if counts is None:
        if cumulative:
            raise UsageError("cli.cumulative_needs_counts_file")
        return Similarities.of(ontology, kinds=kinds)
    read = read_counts(counts, ontology, cumulative=cumulative)
    if read.skipped:
        shown = read.skipped[:_SHOWN]
        first = [Message("cli.in_line", line=p.line, reason=p.reason) if p.line else p.reason for p in shown]
        note(Message("cli.names_left_out", file=counts, names=len(read.skipped), first=first))
    return Similarities.of(ontology, counts=read.by_iri, cumulative=cumulative, kinds=kinds)
