"""The columns of a spreadsheet of proposals that are a ROBOT template (robot.obolibrary.org/template).

A row says what its proposal comes to once it is accepted: a class with label, other name and parent; another name of a
class; a relation of a class. A rejected one says nothing, so that ROBOT makes nothing of it.
"""

from __future__ import annotations

from collections.abc import Mapping

from ontocrawl.enrichment.decided_classes import DecidedClasses
from ontocrawl.enrichment.proposals import Suggestion
from ontology.enrichment import Verdict, decisions_of
from ontology.model import RelationKind
from ontology.owl.vocabulary import RESTRICTED
from ontology.terms.wordforms import has_han

_ID, _TYPE, _PARENT, _EQUIVALENT = "ID", "Type", "Parents", "Equivalent class"
_RELATIONS: Mapping[RelationKind, str] = {"part_of": "Part of", "causes": "May cause", "measured_by": "Measured by"}
TEMPLATE: Mapping[str, str] = {
    _ID: "ID",
    _TYPE: "TYPE",
    "Label (zh)": "AL rdfs:label@zh",
    "Label (en)": "AL rdfs:label@en",
    "Exact synonyms (zh)": "AL oboInOwl:hasExactSynonym@zh",
    "Exact synonyms (en)": "AL oboInOwl:hasExactSynonym@en",
    _PARENT: "SC %",
    **{name: f"SC ('{RESTRICTED[kind]}' some '%')" for kind, name in _RELATIONS.items()},
    _EQUIVALENT: "EC %",
}
"""Name of a column -> its template string."""


def cells(suggestion: Suggestion, verdict: Verdict, classes: DecidedClasses) -> dict[str, str]:
    """Return the cells of a proposal for ROBOT.

    Args:
        suggestion: the proposal.
        verdict: the verdict about it; "accept" for one that nobody decided about.
        classes: the classes as they are decided now.

    Returns:
        Name of a column -> text; nothing for a rejected proposal, or one whose class is none any more.
    """
    if verdict.action == "reject":
        return {}
    row: dict[str, str] = {}
    for decision in decisions_of(suggestion.proposal, verdict):
        found = classes.find(decision.term)
        if found is None and decision.relation == "synonym" and not row:
            return {}
        row |= {_ID: found.iri if found else classes.register.iri(decision.term), _TYPE: "owl:Class"}
        if decision.relation == "synonym":
            row[f"Exact synonyms ({_language(decision.value)})"] = decision.value
            continue
        if suggestion.kind != "relation":
            row[f"Label ({_language(decision.term)})"] = decision.term
        if decision.value:
            other = classes.find(decision.value)
            if other is None:
                return {}
            row[_column(decision.relation)] = other.iri
    return row


def _column(relation: str) -> str:
    columns = {"subclass_of": _PARENT, "equivalent_to": _EQUIVALENT, **{str(kind): c for kind, c in _RELATIONS.items()}}
    return columns[relation]


def _language(text: str) -> str:
    return "zh" if has_han(text) else "en"
