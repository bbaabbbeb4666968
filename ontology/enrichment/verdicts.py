"""What a reviewer says about a proposal, as rows of the topic's decisions."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, get_args

from ontology.decisions import Action, Decision
from ontology.decisions.decision import CLASS, SYNONYM
from ontology.enrichment.proposal import Proposal
from ontology.terms.wordforms import has_han

VerdictAction = Literal["accept", "reject", "rename", "move", "merge"]
VERDICT_ACTIONS: tuple[VerdictAction, ...] = get_args(VerdictAction)


@dataclass(frozen=True, slots=True)
class Verdict:
    """A verdict.

    Attributes:
        action: "accept"; "reject"; "rename", accept under another name; "move", accept under another parent;
            "merge", the term is another name of a class.
        value: the name, or the label of the class; empty for "accept" and "reject".
        parent: of a "rename", the label of another parent too; empty to keep it.
    """

    action: VerdictAction
    value: str = ""
    parent: str = ""

    @property
    def name(self) -> str:
        """The name that it gives the term; empty if it keeps its own."""
        return self.value if self.action == "rename" else ""

    @property
    def named(self) -> str:
        """The class that it names, a parent or what the term is another name of; empty if none."""
        return self.value if self.action in ("move", "merge") else self.parent

    def naming(self, label: str) -> Verdict:
        """Return it with another label of the class that it names."""
        return replace(self, value=label) if self.action in ("move", "merge") else replace(self, parent=label)


def decisions_of(proposal: Proposal, verdict: Verdict) -> tuple[Decision, ...]:
    """Return the decisions that a verdict comes to, without id, name and date.

    A term that is renamed keeps the spelling of the pages as another name. A rejected relation or name is rejected as
    such; a rejected term is no class, in whatever crawl it comes again.

    >>> flood = Proposal("concept", "内涝", "subclass_of", "#Flood", "洪水", 1.0, 2, ())
    >>> [(d.action, d.term, d.relation, d.value) for d in decisions_of(flood, Verdict("accept"))]
    [('accept', '内涝', 'subclass_of', '洪水')]
    >>> [(d.action, d.term, d.relation, d.value) for d in decisions_of(flood, Verdict("merge", "城市内涝"))]
    [('accept', '城市内涝', 'synonym', '内涝')]
    >>> [(d.term, d.relation, d.value) for d in decisions_of(flood, Verdict("rename", "城市内涝", "水灾"))]
    [('城市内涝', 'subclass_of', '水灾'), ('城市内涝', 'synonym', '内涝')]
    """
    term, parent = proposal.term, proposal.target_label or ""
    if verdict.action == "merge":
        return (_name("accept", verdict.value, term),)
    if proposal.kind == "relation":
        return (Decision("reject" if verdict.action == "reject" else "accept", term, parent, proposal.relation),)
    if proposal.kind == "label" and verdict.action in ("accept", "reject"):
        return (_name(verdict.action, parent, term),)
    if verdict.action == "reject":
        return (Decision("reject", term, relation=CLASS),)
    name = verdict.name or term
    above = verdict.named or (parent if proposal.kind == "concept" else "")
    placed = Decision("accept", name, above) if above else Decision("accept", name, relation=CLASS)
    return (placed, _name("accept", name, term)) if name != term else (placed,)


def _name(action: Action, of: str, text: str) -> Decision:
    """Return the decision that a text is another name of a class, or is none, in the language of its script."""
    return Decision(action, of, text, SYNONYM, language="zh" if has_han(text) else "en")
