"""Decisions of a person about an ontology: one row each, kept for good, and replayed by every build.

========= ==================== ========================= ==========================================================
action    relation             value                     meaning
========= ==================== ========================= ==========================================================
accept    subclass_of (empty)  a class                   every ``term`` is a ``value``; so for the other relations
accept    class                empty                     ``term`` is a class
accept    synonym, xref        a text                    ``value`` is another name of ``term``, or a reference of it
accept    narrow_synonym ..    a text                    ``value`` is a name of something narrower, broader, related
reject    as for accept        as for accept             it is not so, whatever the evidence
move      subclass_of (empty)  a class                   ``term`` is a ``value``, and no ``old``
rename    empty                a text                    ``value`` is the label; ``old`` stays another name
rename    iri                  an IRI                    ``value`` is the IRI of the class in place of ``old``
translate empty                a text                    ``value`` is the label in a language that had none
define    empty                a text                    ``value`` is the definition
define    title, comment ..    a text                    the same of the ontology as a whole; ``term`` is empty
merge     empty                a class                   ``term`` is no class of its own, but a name of ``value``
split     empty                classes, with `` | ``     ``term`` is no class; these are, in its place
withdraw  empty                id of a decision          the decision no longer holds
========= ==================== ========================= ==========================================================

Classes are named by label or by IRI. Later decisions prevail over earlier ones about the same thing.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import get_args

from ontology.choices import ACTIONS, Action
from ontology.errors import OntocrawlError
from ontology.model import NameScope, RelationKind
from ontology.terms.wordforms import has_han

KINDS: tuple[RelationKind, ...] = get_args(RelationKind)
CLASS, SYNONYM, XREF, IRI = "class", "synonym", "xref", "iri"
SCOPED: dict[str, NameScope] = {f"{scope}_{SYNONYM}": scope for scope in get_args(NameScope)}
"""Relation of another name that does not mean quite the same -> its scope."""
NAMES = (SYNONYM, *SCOPED)
HEADER_FIELDS = ("title_zh", "title_en", "comment", "licence")
"""Fields of `ontology.model.Ontology` that a person may write; ``define`` has them as its relation."""
PARTS = " | "
"""Between the classes of ``split``."""
_RELATIONS = {
    "accept": (*KINDS, CLASS, *NAMES, XREF),
    "reject": (*KINDS, CLASS, *NAMES, XREF),
    "move": ("subclass_of",),
    "rename": ("", IRI),
    "define": ("", *HEADER_FIELDS),
}


class DecisionError(OntocrawlError, ValueError):
    """A decision that says nothing that can be done; the message says what was expected."""


@dataclass(frozen=True, slots=True)
class Decision:
    """One decision; see the table of this module.

    Attributes:
        id: ``d1``, ``d2`` ..; assigned by `ontology.decisions.table.append`.
        action: one of `ACTIONS`.
        term: label or IRI of the class that it is about.
        relation: what is accepted or rejected; ``subclass_of`` where an edge is meant.
        value: label or IRI of a class, or a text.
        old: what was there before; empty if nothing was.
        language: tag of the language of a text; of a label or definition without one, ``zh`` or ``en`` by its script.
        ontology: name of the local ontology that it holds for; empty for all.
        who: name of the person.
        when: date and time, ISO 8601.
        why: the reason.

    Raises:
        DecisionError: an unknown action or relation, or a missing term or value.

    >>> Decision("accept", "山洪", "洪水").relation
    'subclass_of'
    """

    action: Action
    term: str
    value: str = ""
    relation: str = ""
    old: str = ""
    language: str = ""
    ontology: str = ""
    who: str = ""
    when: str = ""
    why: str = ""
    id: str = ""

    def __post_init__(self) -> None:
        if self.action not in ACTIONS:
            raise DecisionError("decisions.decision_action", actions=", ".join(ACTIONS), action=self.action)
        if self.action in ("accept", "reject") and not self.relation and not self.value:
            object.__setattr__(self, "relation", CLASS)
        allowed = _RELATIONS.get(self.action, ("",))
        if not self.relation and "" not in allowed:
            object.__setattr__(self, "relation", "subclass_of")
        if self.relation not in allowed:
            raise DecisionError(
                "decisions.decision_relation",
                action=self.action,
                allowed=", ".join(a or "nothing" for a in allowed),
                relation=self.relation,
            )
        if not self.term and self.action != "withdraw" and self.relation not in HEADER_FIELDS:
            raise DecisionError("decisions.decision_term", action=self.action)
        if not self.value and self.relation != CLASS and self.action != "define":
            raise DecisionError("decisions.decision_value", action=self.action, term=self.term)
        if self.action in ("rename", "translate", "define") and not self.language and not self.relation:
            object.__setattr__(self, "language", "zh" if has_han(self.value) or not self.value else "en")

    @property
    def statement(self) -> tuple[str, str, str, str]:
        """What it says: action, term, relation, value."""
        return self.action, self.term, self.relation, self.value

    @property
    def is_edge(self) -> bool:
        """Whether it is about an edge between two classes."""
        return self.relation in KINDS

    @property
    def parts(self) -> tuple[str, ...]:
        """The classes in place of the one that is split."""
        return tuple(part.strip() for part in self.value.split(PARTS.strip()) if part.strip())


def in_force(decisions: Iterable[Decision]) -> tuple[Decision, ...]:
    """Return the decisions that were not withdrawn, in their order; a withdrawal can be withdrawn itself.

    >>> first = Decision("accept", "山洪", "洪水", id="d1")
    >>> in_force([first, Decision("withdraw", "", "d1", id="d2")])
    ()
    """
    decisions = tuple(decisions)
    gone = withdrawals(decisions)
    return tuple(d for d in decisions if d.action != "withdraw" and d.id not in gone)


def withdrawals(decisions: Iterable[Decision]) -> dict[str, str]:
    """Return the id of each decision that does not hold -> the id of the decision that withdrew it."""
    gone: dict[str, str] = {}
    for decision in reversed(tuple(decisions)):
        if decision.action == "withdraw" and decision.id not in gone:
            gone.setdefault(decision.value, decision.id)
    return gone
