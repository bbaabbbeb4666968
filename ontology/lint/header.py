"""Rules about what an ontology says of itself: header, root, title, version, licence, imports."""

from __future__ import annotations

from collections.abc import Iterator

from ontology.lint.facts import Facts
from ontology.lint.registry import Limits, Spot, rule

Found = Iterator[Spot]


@rule("OC050", "header", "error")
def header(facts: Facts, _limits: Limits) -> Found:
    """No header, or several.

    The owl:Ontology header names the ontology; without one nothing can refer to it or tell its version, and of
    several nobody knows which is meant.

    Example: a file of classes without `<…> a owl:Ontology`
    Mend: keep exactly one owl:Ontology header
    """
    if len(facts.headers) > 1:
        yield Spot(facts.iri, f"{len(facts.headers)} headers: {', '.join(facts.headers)}")
    elif not facts.headers:
        yield Spot(facts.iri, "no owl:Ontology header")


@rule("OC051", "root", "error")
def root(facts: Facts, _limits: Limits) -> Found:
    """A root that is none.

    Depth, weights and pictures start at the declared root (oc:root). It must be a class, and nothing above it.

    Example: oc:root :Disaster, where :Disaster is not declared, or is a subclass of :Event
    Mend: name the topmost class as root, or remove the edge above it
    """
    if facts.root is None:
        return
    if facts.root not in facts.by_iri:
        yield Spot(facts.root, "declared as root, and not a class")
    elif above := [e for e in facts.hanging if e.source == facts.root]:
        yield Spot(facts.root, f"the root, and yet {above[0].kind} {', '.join(facts.label(e.target) for e in above)}")


@rule("OC052", "header-incomplete", "info")
def header_incomplete(facts: Facts, _limits: Limits) -> Found:
    """A header that says too little.

    Who finds the file needs its title, its version and the licence under which it may be used.

    Example: an owl:Ontology without dcterms:license
    Mend: add dcterms:title, owl:versionInfo and dcterms:license
    """
    if facts.missing:
        yield Spot(facts.iri, f"the header has no {', '.join(facts.missing)}")


@rule("OC053", "imports", "info")
def imports(facts: Facts, _limits: Limits) -> Found:
    """Imports that were not read.

    What an import declares is unknown here: nothing is fetched unless someone asks. Findings about undeclared
    classes may vanish once the files are joined.

    Example: owl:imports <http://sweetontology.net/phen>
    Mend: lint the joined ontology too, or leave imports that nothing uses out
    """
    if facts.imports:
        yield Spot(facts.iri, f"{len(facts.imports)} imports were not read: {', '.join(facts.imports[:6])}")


@rule("OC054", "no-class", "error")
def no_class(facts: Facts, _limits: Limits) -> Found:
    """No class at all.

    There is nothing to check: the file is no ontology, or its classes have other types than owl:Class,
    rdfs:Class and skos:Concept.

    Example: a file with properties only
    Mend: declare the classes, or check that it is the right file
    """
    if not facts.classes:
        yield Spot(facts.iri, "no owl:Class, rdfs:Class or skos:Concept with an IRI")
