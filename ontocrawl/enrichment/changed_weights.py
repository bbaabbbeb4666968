"""The words of a topic's vectors whose weight another version of its ontologies changed."""

from __future__ import annotations

from typing import Any

from ontocrawl.topics.topic_graph import TopicVectors


def changed_weights(before: TopicVectors, after: TopicVectors) -> tuple[dict[str, Any], ...]:
    """Return the words whose weight changed, by vector; None stands for a word that is not there.

    Args:
        before: the vectors of the version before.
        after: the vectors of the version.
    """
    changed = []
    for vector in dict.fromkeys((*before.terms, *after.terms)):
        old, new = ({t.iri: t for t in some.terms.get(vector, ())} for some in (before, after))
        for iri in dict.fromkeys((*new, *old)):
            weights = [round(side[iri].weight, 12) if iri in side else None for side in (old, new)]
            if weights[0] != weights[1]:
                word = (new.get(iri) or old[iri]).word
                changed.append({"vector": vector, "word": word, "iri": iri, "old": weights[0], "new": weights[1]})
    return tuple(changed)
