"""What is wrong with an ontology: findings with code, place, reason and mend.

`lint` takes an `Ontology`, `lint_graph` an RDF graph and `lint_file` a file; the latter two also work where no
`Ontology` can be made of it (cycles, several roots, undeclared ends). docs/lint.md lists the rules.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from ontology.lint import (
    axioms,
    header,
    hierarchy_shape,  # their rules register themselves
    labels,
    naming,
)
from ontology.lint.facts import Facts, facts_of
from ontology.lint.finding import SEVERITIES, Finding, LintError, Severity, at_least, counts, rank
from ontology.lint.registry import Limits, Rule, chosen, rules
from ontology.lint.triples import facts_of_triples
from ontology.model import Ontology
from ontology.owl import reader

if TYPE_CHECKING:
    from rdflib import Graph

__all__ = [
    "SEVERITIES", "Finding", "Limits", "LintError", "Rule", "Severity", "at_least", "counts", "lint", "lint_facts",
    "lint_file", "lint_graph", "rules",
]  # fmt: skip

RULE_MODULES = (axioms, header, labels, naming, hierarchy_shape)
STANDARD = Limits()


def lint(
    ontology: Ontology, *, limits: Limits = STANDARD, select: Iterable[str] = (), ignore: Iterable[str] = ()
) -> tuple[Finding, ...]:
    """What is wrong with an ontology, the gravest first, then by code and place.

    Args:
        ontology: the ontology; it need not be acyclic.
        limits: what counts as too wide, too long, too weak, and the languages that labels need.
        select: only these rules: codes, starts of codes, or names; empty for all.
        ignore: not these rules.

    Raises:
        LintError: ``select`` or ``ignore`` names no rule.
    """
    return lint_facts(facts_of(ontology), limits=limits, select=select, ignore=ignore)


def lint_graph(
    graph: Graph, name: str, *, limits: Limits = STANDARD, select: Iterable[str] = (), ignore: Iterable[str] = ()
) -> tuple[Finding, ...]:
    """As `lint`, for the triples of an rdflib graph; ``name`` stands for an ontology without a header."""
    triples = reader.from_rdflib(graph, as_written=True)
    return lint_facts(facts_of_triples(triples, name), limits=limits, select=select, ignore=ignore)


def lint_file(
    path: str | Path, *, limits: Limits = STANDARD, select: Iterable[str] = (), ignore: Iterable[str] = ()
) -> tuple[Finding, ...]:
    """As `lint`, for the triples of a file in any format of `ontology.owl`, .xml and .n3 besides; nothing is fetched.

    Raises OwlError, with the line where it is known, for a file that cannot be read, and MissingExtra as `owl.load`.
    """
    triples = reader.parse(Path(path), forgiving=True)
    return lint_facts(facts_of_triples(triples, str(path)), limits=limits, select=select, ignore=ignore)


def lint_facts(
    facts: Facts, *, limits: Limits = STANDARD, select: Iterable[str] = (), ignore: Iterable[str] = ()
) -> tuple[Finding, ...]:
    """As `lint`, for facts from anywhere."""
    found = [f for r in chosen(select, ignore) for f in r.findings(facts, limits)]
    return tuple(sorted(dict.fromkeys(found), key=lambda f: (rank(f.severity), f.code, f.place)))
