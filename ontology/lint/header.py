"""Rules about what an ontology says of itself: header, root, title, version, licence, imports."""

from __future__ import annotations

from collections.abc import Iterator

from ontology.lint.facts import Facts
from ontology.lint.registry import Limits, Spot, rule

Found = Iterator[Spot]


@rule(
    "OC050", "header", "error", title="no header, or several",
    why="The owl:Ontology header names the ontology; without one nothing can refer to it or tell its version, and of "
    "several nobody knows which is meant.",
    example="a file of classes without `<…> a owl:Ontology`",
    mend="keep exactly one owl:Ontology header",
)  # fmt: skip
def header(facts: Facts, _limits: Limits) -> Found:
    if len(facts.headers) > 1:
        yield Spot(facts.iri, f"{len(facts.headers)} headers: {', '.join(facts.headers)}")
    elif not facts.headers:
        yield Spot(facts.iri, "no owl:Ontology header")


@rule(
    "OC051", "root", "error", title="a root that is none",
    why="Depth, weights and pictures start at the declared root (oc:root). It must be a class, and nothing above it.",
    example="oc:root :Disaster, where :Disaster is not declared, or is a subclass of :Event",
    mend="name the topmost class as root, or remove the edge above it",
)  # fmt: skip
def root(facts: Facts, _limits: Limits) -> Found:
    if facts.root is None:
        return
    if facts.root not in facts.by_iri:
        yield Spot(facts.root, "declared as root, and not a class")
    elif above := [e for e in facts.hanging if e.source == facts.root]:
        yield Spot(facts.root, f"the root, and yet {above[0].kind} {', '.join(facts.label(e.target) for e in above)}")


@rule(
    "OC052", "header-incomplete", "info", title="a header that says too little",
    why="Who finds the file needs its title, its version and the licence under which it may be used.",
    example="an owl:Ontology without dcterms:license",
    mend="add dcterms:title, owl:versionInfo and dcterms:license",
)  # fmt: skip
def header_incomplete(facts: Facts, _limits: Limits) -> Found:
    if facts.missing:
        yield Spot(facts.iri, f"the header has no {', '.join(facts.missing)}")


@rule(
    "OC053", "imports", "info", title="imports that were not read",
    why="What an import declares is unknown here: nothing is fetched unless someone asks. Findings about undeclared "
    "classes may vanish once the files are joined.",
    example="owl:imports <http://sweetontology.net/phen>",
    mend="lint the joined ontology too, or leave imports that nothing uses out",
)  # fmt: skip
def imports(facts: Facts, _limits: Limits) -> Found:
    if facts.imports:
        yield Spot(facts.iri, f"{len(facts.imports)} imports were not read: {', '.join(facts.imports[:6])}")


@rule(
    "OC054", "no-class", "error", title="no class at all",
    why="There is nothing to check: the file is no ontology, or its classes have other types than owl:Class, "
    "rdfs:Class and skos:Concept.",
    example="a file with properties only",
    mend="declare the classes, or check that it is the right file",
)  # fmt: skip
def no_class(facts: Facts, _limits: Limits) -> Found:
    if not facts.classes:
        yield Spot(facts.iri, "no owl:Class, rdfs:Class or skos:Concept with an IRI")
