"""What decisions tell the learner before any rule is used, by the labels under which classes are terms of documents.

What a person called a class is a term whatever its rank, what was rejected is none, a merged one is a synonym. An
accepted edge is the first claim, so that no rule closes a cycle with it; a rejected one is no claim of any rule. What
no claim can say (labels, definitions, classes that no document has) is applied afterwards (applying.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from ontology.decisions.facts import Facts
from ontology.evidence.claims import Claim
from ontology.terms.lexicon import Entry, Lexicon
from ontology.terms.term_lists import TermLists
from ontology.terms.wordforms import fold, has_han


@dataclass(frozen=True)
class Guidance:
    """Decisions as the learner uses them, by label.

    Attributes:
        edges: narrower, broader and the id of the decision that accepts the edge.
        rejected: narrower and broader of rejected edges.
        terms: labels of classes.
        no_terms: labels of what is no class.
        names: another name, and the label of its class.
    """

    edges: tuple[tuple[str, str, str], ...] = ()
    rejected: frozenset[tuple[str, str]] = frozenset()
    terms: tuple[str, ...] = ()
    no_terms: tuple[str, ...] = ()
    names: tuple[tuple[str, str], ...] = ()

    @classmethod
    def of(cls, facts: Facts, label_of: Callable[[str], str]) -> Guidance:
        """Return the guidance of facts.

        Args:
            facts: what the decisions come to.
            label_of: returns the label under which an IRI is a term; the IRI itself if there is none.
        """
        up = {key[1:]: v for key, v in facts.edges.items() if key[0] == "subclass_of"}
        pairs = {(label_of(low), label_of(high)): v for (low, high), v in up.items()}
        none = {iri: v for iri, v in facts.classes.items() if not v.holds}
        return cls(
            edges=tuple((*pair, v.decision.id) for pair, v in pairs.items() if v.holds),
            rejected=frozenset(pair for pair, v in pairs.items() if not v.holds),
            terms=tuple(label for iri in facts.wanted() if (label := label_of(iri)) != iri),
            no_terms=tuple(label_of(iri) for iri, v in none.items() if v.decision.action != "merge"),
            names=tuple((label_of(i), label_of(v.instead[0])) for i, v in none.items() if v.decision.action == "merge"),
        )

    def lists(self, lists: TermLists) -> TermLists:
        """Add the accepted and rejected terms to a user's lists."""
        yes, no = set(map(fold, self.terms)), set(map(fold, self.no_terms))
        return replace(
            lists,
            white=(*(t for t in lists.white if fold(t) not in no), *self.terms),
            black=(*(t for t in lists.black if fold(t) not in yes), *self.no_terms),
        )

    def lexicon(self, lexicon: Lexicon) -> Lexicon:
        """Add the merged names to a lexicon, as synonyms of what they are names of."""
        for name, label in self.names:
            lexicon = _with_synonym(lexicon, name, label)
        return lexicon

    def claims(self, claims: Iterable[Claim]) -> tuple[Claim, ...]:
        """Return claims with the accepted edges, without the rejected ones."""
        kept = (c for c in claims if c.rule == "synonym" or (c.narrower, c.broader) not in self.rejected)
        decided = (Claim(low, high, "decision", f"decision {id_}") for low, high, id_ in self.edges)
        return (*decided, *kept)


NO_GUIDANCE = Guidance()


def _with_synonym(lexicon: Lexicon, name: str, label: str) -> Lexicon:
    """Return a lexicon in which a word is a synonym of another; an entry that it had of its own is gone."""
    own = lexicon.entry(name)
    others = Lexicon(tuple(e for e in lexicon.entries if e is not own)) if own and own.name == name else lexicon
    entry = others.entry(label) or (Entry(label, "") if has_han(label) else Entry("", label))
    if name in entry.words:
        return others
    if has_han(name):
        longer = replace(entry, synonyms_zh=(*entry.synonyms_zh, name))
    else:
        longer = replace(entry, synonyms_en=(*entry.synonyms_en, name))
    return others.with_words_of(Lexicon((longer,)))
