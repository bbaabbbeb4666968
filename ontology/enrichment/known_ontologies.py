"""The ontologies that ship with ontocrawl, as other ontologies that may have a term."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import as_file, files

from ontology import owl
from ontology.model import Ontology


def known_besides(ontologies: Sequence[Ontology]) -> tuple[Ontology, ...]:
    """Return the ontologies of the package that are of another topic than some ontologies.

    Args:
        ontologies: the ontologies to be enriched.
    """
    topics = {ontology.topic for ontology in ontologies}
    given = {ontology.iri for ontology in ontologies}
    return tuple(o for o in _packaged() if o.topic not in topics and o.iri not in given)


@lru_cache(maxsize=1)
def _packaged() -> tuple[Ontology, ...]:
    found = []
    for source in sorted(files("ontologies").iterdir(), key=lambda entry: entry.name):
        if source.name.endswith(".ttl"):
            with as_file(source) as path:
                found.append(owl.read(path))
    return tuple(found)
