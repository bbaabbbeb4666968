"""Ontology linter: findings with code, place, reason and advice.

`lint` checks an `Ontology`, `lint_graph` an RDF graph and `lint_file` a file; the latter two also work if the content
is no valid `Ontology` (cycles, several roots, undeclared ends). docs/lint.md lists the rules.
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
_STANDARD = Limits()


def lint(
    ontology: Ontology, *, limits: Limits = _STANDARD, select: Iterable[str] = (), ignore: Iterable[str] = ()
) -> tuple[Finding, ...]:
    """Check an ontology.

    Args:
        ontology: the ontology; it need not be acyclic.
        limits: thresholds of the rules, and the languages of required labels.
        select: run only these rules: codes, prefixes of codes, or names; empty for all.
        ignore: do not run these rules.

    Returns:
        The findings, the most severe first, then by code and place.

    Raises:
        LintError: ``select`` or ``ignore`` has an unknown rule.
    """
    return lint_facts(facts_of(ontology), limits=limits, select=select, ignore=ignore)


def lint_graph(
    graph: Graph, name: str, *, limits: Limits = _STANDARD, select: Iterable[str] = (), ignore: Iterable[str] = ()
) -> tuple[Finding, ...]:
    """Check the triples of an rdflib graph; other arguments, result and errors as in `lint`.

    Args:
        graph: the triples.
        name: name of an ontology without a header.
        limits: thresholds of the rules.
        select: run only these rules.
        ignore: do not run these rules.
    """
    triples = reader.from_rdflib(graph, as_written=True)
    return lint_facts(facts_of_triples(triples, name), limits=limits, select=select, ignore=ignore)


def lint_file(
    path: str | Path, *, limits: Limits = _STANDARD, select: Iterable[str] = (), ignore: Iterable[str] = ()
) -> tuple[Finding, ...]:
    """Check the triples of a file; other arguments and result as in `lint`.

    Args:
        path: a file in any format of `ontology.owl`, or .xml or .n3; imports are not fetched.
        limits: thresholds of the rules.
        select: run only these rules.
        ignore: do not run these rules.

    Raises:
        OwlError: the file cannot be read; with the line if it is known.
        MissingExtra: as in `owl.load`.
    """
    triples = reader.parse(Path(path), forgiving=True)
    return lint_facts(facts_of_triples(triples, str(path)), limits=limits, select=select, ignore=ignore)


def lint_facts(
    facts: Facts, *, limits: Limits = _STANDARD, select: Iterable[str] = (), ignore: Iterable[str] = ()
) -> tuple[Finding, ...]:
    """Check facts from any source; other arguments, result and errors as in `lint`.

    Args:
        facts: the facts.
        limits: thresholds of the rules.
        select: run only these rules.
        ignore: do not run these rules.
    """
    findings = [f for r in chosen(select, ignore) for f in r.findings(facts, limits)]
    return tuple(sorted(dict.fromkeys(findings), key=lambda f: (rank(f.severity), f.code, f.place)))
