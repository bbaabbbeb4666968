"""Types of the columns that queries return: by name here, or after the name in a header's ``returns`` line.

A name has one type in the whole library, that of the property of the graph or of the figure that it stands for. Where a
query means something else by it, its header says so: ``returns: host, fetched, relevant integer``.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

COLUMN_TYPES = ("text", "integer", "number", "flag", "date", "list")
"""A date is ISO-8601 text, of a day or with a time in UTC."""
_NAMES: Mapping[str, str] = MappingProxyType(
    {
        "text": """
            anchor best_page branch broader cause change concept content_hash context crawl definition document effect
            entrance evidence example failure final_url formal_concept host id iri justification kind label_en label_zh
            local match match_string missing month name narrower near_duplicate_of ontology own_iri page predicate
            reason relation seed sentence series snippet source stop_reason strategy target term text title title_en
            status title_zh topic under url version waits word world before after
        """,
        "integer": """
            both broader_pages community component concepts copies count crawls depth distance documents farthest
            fetched fetched_by_both fetches first_step found_at_revisit from_step hop hosts irrelevant known leads_to
            length linked_from
            links links_in links_out links_to_fetched mentions mentions_also named narrower_pages occurrences
            page_number pages papers part relations relevant_by_label relevant_only_here relevant_pages shared step
            steps support targets terms texts start end to_relevant to_step unfetched wasted failed year size
            weak_component
        """,
        "number": """
            accuracy anchor_relevance authority best_priority best_score coincidence confidence density difference
            disagreement global_weight highest highest_relevance hub likeness local_weight lowest lowest_relevance
            mean_relevance modularity pagerank priority relevance score share stability weight
        """,
        "flag": "in_ontology known_to_other label page_is_relevant relevant",
        "date": "changed first_seen gone last_seen published started",
        "list": """
            above anchors bare below chain characteristic examples heaviest mentioned names iris ontologies
            other_names own own_documents own_terms parents parts path through urls
        """,
    }
)
_BY_NAME: Mapping[str, str] = MappingProxyType({name: kind for kind, names in _NAMES.items() for name in names.split()})


def type_of(column: str) -> str | None:
    """Return the type of a column by its name, one of COLUMN_TYPES; None for a name without one.

    >>> type_of("relevance"), type_of("published"), type_of("x")
    ('number', 'date', None)
    """
    return _BY_NAME.get(column)


def declared(column: str) -> tuple[str, str | None]:
    """Return name and type of a column as a header declares it: ``name``, or ``name type``.

    Raises:
        ValueError: more than two words, or an unknown type.

    >>> declared("relevant integer"), declared("url")
    (('relevant', 'integer'), ('url', 'text'))
    """
    name, *kind = column.split()
    if len(kind) > 1 or (kind and kind[0] not in COLUMN_TYPES):
        raise ValueError(f"expected a column as `name` or `name type`, the type one of {', '.join(COLUMN_TYPES)}")
    return name, kind[0] if kind else type_of(name)
