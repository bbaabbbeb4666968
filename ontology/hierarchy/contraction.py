"""Classes that say nothing are removed from a hierarchy, and so are edges that others imply.

A class between one narrower and one broader class orders nothing. Of the classes that are no terms,

* a *found* class (the head or suffix of names, no term itself) is removed if nothing is directly below, or only one
  found class; one that is below no curated class does not count those that are (量, where 降水量 is a curated kind of
  quantity)
* a *curated* class is removed if one class is directly below it and one directly above it

What was below a removed class is then below all that was above it. Removing a found class never gives another one more
children that count, so that the result does not depend on the order in which they are removed. One term is enough for a
class: 急性心肌梗死 is below 心肌梗死, which says what it is, whether or not something else is and 心肌梗死 is a term.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection

from ontology.evidence.claims import Claim
from ontology.reachable import reachable

Above = dict[str, dict[str, list[Claim]]]
"""Narrower -> broader -> the claims that made the edge. A class without a broader one may be a key, or not."""


def reach(label: str, above: Above) -> set[str]:
    """Return a class and all above it."""
    return reachable(label, lambda c: above.get(c, ()))


def reduced(above: Above) -> Above:
    """Remove the edges that others imply (transitive reduction).

    >>> edge = [Claim("flash flood", "disaster", "pattern", "pattern")]
    >>> reduced({"flash flood": {"flood": edge, "disaster": edge}, "flood": {"disaster": edge}})["flash flood"].keys()
    dict_keys(['flood'])
    """
    higher = {label: reach(label, above) - {label} for label in above}
    return {
        low: {high: c for high, c in highs.items() if not any(high in higher.get(o, ()) for o in highs if o != high)}
        for low, highs in above.items()
    }


def without_idle(above: Above, found: Collection[str], curated: Collection[str]) -> Above:
    """Remove the found classes with no class directly below that counts, or only another found class.

    Args:
        above: the edges; not changed.
        found: the labels of found classes.
        curated: the labels of curated classes.

    Returns:
        The other edges, and an edge from what was below a removed class to each class above it, with the claims of
        both. Edges that others imply stay.
    """
    above = {low: {high: list(claims) for high, claims in highs.items()} for low, highs in above.items()}
    labels = above.keys() | {high for highs in above.values() for high in highs}
    placed = {label for label in labels if not reach(label, above).isdisjoint(curated)}
    left = labels.intersection(found)
    while True:
        below = _below(reduced(above))
        counted = {c: [b for b in below[c] if c in placed or b not in placed] for c in sorted(left)}
        idle = [c for c, lows in counted.items() if not lows or (len(lows) == 1 and lows[0] in found)]
        left.difference_update(idle)
        for label in idle:
            _bypass(label, above)
        if not idle:
            return above


def contracted(above: Above, found: Collection[str], curated: Collection[str], staying: Collection[str]) -> Above:
    """Reduce edges, and remove found and curated classes that order nothing.

    Args:
        above: the edges; every class is a key.
        found: the labels of found classes.
        curated: the labels of curated classes.
        staying: the labels of classes that are not removed.

    Returns:
        The transitive reduction of what is left.
    """
    above = reduced(without_idle(above, found, curated))
    while True:
        below = _below(above)
        removable = (c for c in sorted(above) if c in curated and c not in staying)
        idle = next((c for c in removable if len(below[c]) == len(above[c]) == 1), None)
        if idle is None:
            return above
        (high,), (low,) = above.pop(idle), below[idle]
        claims = above[low].pop(idle)
        if not any(high in reach(other, above) for other in above[low]):
            above[low][high] = claims
        if found:
            above = reduced(without_idle(above, found, curated))


def _bypass(label: str, above: Above) -> None:
    """Remove a class, and link what is below it to what is above it."""
    highs = above.pop(label, {})
    for of_low in above.values():
        claims = of_low.pop(label, None)
        if claims is not None:
            for high, claims_up in highs.items():
                known = of_low.setdefault(high, [])
                known += [c for c in (*claims, *claims_up) if c not in known]


def _below(above: Above) -> defaultdict[str, list[str]]:
    """Return the classes directly below each class."""
    below: defaultdict[str, list[str]] = defaultdict(list)
    for low, highs in above.items():
        for high in highs:
            below[high].append(low)
    return below
