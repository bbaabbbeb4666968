"""Which classes of a file are deprecated, and the hierarchy without them.

A class is deprecated by ``owl:deprecated true``, by the type owl:DeprecatedClass (W3C, OWL 2 Structural Specification,
section 5.5), or, in older OBO ontologies, as a subclass of oboInOwl:ObsoleteClass.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from ontology.owl.triples import Text, Triples, is_iri
from ontology.owl.vocabulary import OBO_IN_OWL, OWL, RDFS, XSD

OBSOLETE = OBO_IN_OWL.ObsoleteClass
"""The class above all deprecated ones of an older OBO ontology; no class of the domain."""
TRUE = Text("true", "", XSD.boolean)
BRIDGED = "over a deprecated class"
"""Evidence of an edge that stands for a way over deprecated classes."""
_YES = frozenset({"true", "1"})


def deprecated(triples: Triples) -> set[str]:
    """Return the IRIs of everything that is deprecated."""
    flagged = {s for s, o in triples.pairs(OWL.deprecated) if isinstance(o, Text) and o.value.strip().lower() in _YES}
    filed = {s for s, o in triples.pairs(RDFS.subClassOf) if o == OBSOLETE}
    return {iri for iri in (*flagged, *filed, *triples.of_type(OWL.DeprecatedClass)) if is_iri(iri)}


def bridges(pairs: Iterable[tuple[str, str]], dead: Collection[str]) -> list[tuple[str, str]]:
    """Return the live classes whose superclass is deprecated, each with the nearest live classes above that.

    Args:
        pairs: (class, direct superclass).
        dead: the deprecated classes.

    >>> bridges([("flood", "old"), ("old", "older"), ("older", "hazard"), ("storm", "hazard")], {"old", "older"})
    [('flood', 'hazard')]
    """
    above: dict[str, list[str]] = {}
    for source, target in pairs:
        above.setdefault(source, []).append(target)
    found: set[tuple[str, str]] = set()
    for source in above.keys() - set(dead):
        waiting = [target for target in above[source] if target in dead]
        seen = set(waiting)
        while waiting:
            for target in above.get(waiting.pop(), ()):
                if target not in dead:
                    found.add((source, target))
                elif target not in seen:
                    seen.add(target)
                    waiting.append(target)
    return sorted(pair for pair in found if pair[0] != pair[1])
