"""Topics and association rules as evidence for a hierarchy, beside that of formal concept analysis.

Source: OLMOACO (Liu, Dong, Liu et al. 2022) as papers 002 and 003 and a thesis's abstract tell of it: an FCA skeleton
from the literature, LDA finds topic concepts, Apriori mines relations of concepts, a person adjusts. All steps are a
reconstruction [R]:

* lda      topics are found over all candidate terms. The `HEADS` most probable terms of a topic are its concepts: they
           are taken as terms whatever their rank, and one that nothing places stays as a group under the root. Two
           terms of the same topic are alike, which speaks for an edge between them and makes none.
* apriori  a rule u => t of two terms, of enough documents and confidence, with lift above 1 and t the more frequent
           (so that u => t is more confident than t => u), is a claim that u is a t. Where one is spelled within the
           other the rule is a tautology (nested modifier, hierarchy/inclusion.py) and left out.

Both are co-occurrence, which is not hyponymy (trap T11b). So these claims are the least trusted: a rule places a term
that nothing else places, the most confident first; where rule or topic agrees with an edge it is named beside the other
evidence. The corpus stands for the web text of the papers; crawled pages can be given as records too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, get_args

import numpy as np
from scipy.sparse import csr_matrix

from ontology.context import FormalContext
from ontology.evidence.apriori import Rule, association_rules
from ontology.evidence.lda import Topics, find_topics
from ontology.hierarchy.claims import Claim
from ontology.hierarchy.inclusion import contains
from ontology.terms import Selection, TermStudy, term_counts

Kind = Literal["fca", "lda", "apriori"]
KINDS: tuple[Kind, ...] = get_args(Kind)
FCA_ONLY: tuple[Kind, ...] = ("fca",)
MIN_DOCUMENTS = 5
"""Documents with both terms of a rule."""
MIN_CONFIDENCE = 0.5
MAX_TOPICS = 10
DOCUMENTS_OF_TOPIC = 10
"""A topic for so many documents, up to `MAX_TOPICS`, and at least 2."""
HEADS = 3
"""Terms that are the concepts of a topic."""
MIN_SIMILARITY = 0.5
"""From here two terms with the same most probable topic are alike."""


@dataclass(frozen=True)
class Mined:
    """What topics and rules say: claims, and the terms that head a topic with what says so."""

    claims: tuple[Claim, ...] = ()
    groups: tuple[tuple[str, str], ...] = ()


def corpus_topics(study: TermStudy) -> Topics:
    """Topics over all candidates that pass the rules for terms. Raises TopicError, MissingExtra."""
    candidates = [term.text for term in study.ranked[0]]
    found = term_counts(study.documents, candidates, study.lexicon)
    present = {name for row in found for name in row}
    names = [name for name in candidates if name in present]
    column = {name: j for j, name in enumerate(names)}
    entries = [(i, column[name], n) for i, row in enumerate(found) for name, n in row.items()]
    at = np.array(entries, dtype=np.int64).reshape(len(entries), 3)
    counts = csr_matrix((at[:, 2], (at[:, 0], at[:, 1])), shape=(len(found), len(names)))
    return find_topics(names, counts, min(MAX_TOPICS, max(2, len(found) // DOCUMENTS_OF_TOPIC)))


def heads(topics: Topics) -> dict[str, str]:
    """Term that heads a topic -> what says so; where it heads several, the largest."""
    found: dict[str, str] = {}
    for k in range(len(topics.weight)):
        for term, phi in topics.top(k, HEADS):
            found.setdefault(term, f"lda, heads topic {k + 1}, phi {phi:.3f}")
    return found


def admitted(selection: Selection, study: TermStudy, topics: Topics) -> Selection:
    """The selection with the heads of topics that it left out for their rank."""
    head, known = heads(topics), {term.text for term in selection.terms}
    more = [term for term in study.ranked[0] if term.text in head and term.text not in known]
    fresh = {term.text for term in more}
    why = {term.text: (*study.why(term.text), head[term.text]) for term in more}
    return replace(
        selection,
        terms=tuple(sorted((*selection.terms, *more), key=lambda t: (-t.score, t.text))),
        dropped=tuple(pair for pair in selection.dropped if pair[0] not in fresh),
        why={**selection.why, **why},
    )


def mined(context: FormalContext, kinds: Sequence[Kind], topics: Topics | None, claims: Sequence[Claim] = ()) -> Mined:
    """What the chosen kinds of evidence say about the terms of a context, and of the pairs that ``claims`` are about.

    ``topics`` are needed for "lda" only.
    """
    rules = rule_claims(context) if "apriori" in kinds else ()
    if topics is None or "lda" not in kinds:
        return Mined(rules)
    groups = tuple((term, said) for term, said in heads(topics).items() if term in context.attributes)
    return Mined((*rules, *topic_claims((*claims, *rules), topics)), groups)


def rule_claims(
    context: FormalContext, *, min_documents: int = MIN_DOCUMENTS, min_confidence: float = MIN_CONFIDENCE
) -> tuple[Claim, ...]:
    """A claim for each rule between two terms that speaks for the narrower; none in a corpus of fewer documents."""
    n = len(context.objects)
    if n < min_documents:
        return ()
    rules = association_rules(context, min_support=min_documents / n, min_confidence=min_confidence)
    back = {(rule.body, rule.head): rule.confidence for rule in rules}
    return tuple(
        Claim(rule.body[0], rule.head[0], "apriori", _told(rule), confidence=rule.confidence)
        for rule in rules
        if rule.lift > 1 and rule.confidence > back.get((rule.head, rule.body), 0.0) and not _nested(rule)
    )


def _nested(rule: Rule) -> bool:
    (u,), (t,) = rule.body, rule.head
    return contains(u, t) or contains(t, u)


def _told(rule: Rule) -> str:
    return f"apriori, support {rule.support:.3f}, confidence {rule.confidence:.2f}, lift {rule.lift:.1f}"


def topic_claims(claims: Sequence[Claim], topics: Topics) -> tuple[Claim, ...]:
    """A claim for each pair of other claims whose terms are of one topic."""
    known, made = set(topics.terms), []
    for narrower, broader in dict.fromkeys((c.narrower, c.broader) for c in claims if c.rule != "synonym"):
        if narrower not in known or broader not in known:
            continue
        k, alike = topics.topic_of(narrower)[0], topics.similarity(narrower, broader)
        if k == topics.topic_of(broader)[0] and alike >= MIN_SIMILARITY:
            said = f"lda, both of topic {k + 1}, similarity {alike:.2f}"
            made.append(Claim(narrower, broader, "lda", said, confidence=alike))
    return tuple(made)


def outline(topics: Topics, terms: int = 5) -> list[str]:
    """A line for each topic: its share of the corpus and its most probable terms, for a person to look at."""
    return [
        f"lda, topic {k + 1} ({weight:.0%} of the corpus): "
        + ", ".join(f"{term} {phi:.2f}" for term, phi in topics.top(k, terms))
        for k, weight in enumerate(topics.weight.tolist())
    ]
