"""The documentation of an ontology as one HTML page: a tree, and an entry for each class with its evidence.

The page is complete without JavaScript (search, language switch, folding of the tree), and can be printed.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping

from ontology.draw.family import Language, check_language, family
from ontology.draw.page import asset, page
from ontology.model import Ontology, Relation
from ontology.owl.vocabulary import COMMENTS, OC

MOST_DOCUMENTS = 12
"""Maximum documents listed at one relation; further ones are counted."""


def handbook(
    ontology: Ontology,
    *,
    titles: Mapping[str, str] | None = None,
    language: Language = "both",
    embed_font: bool = False,
) -> str:
    """Return the documentation page of an ontology.

    Args:
        ontology: the ontology; cycles and classes that the root does not reach are allowed.
        titles: id of a document -> title.
        language: initial language; a switch on the page changes it.
        embed_font: whether the page contains a font for its characters; needs the extra ``pictures``.

    Raises:
        ValueError: the language is none of zh, en, both.
    """
    check_language(language)
    title = " · ".join(dict.fromkeys(t for t in (ontology.title_zh, ontology.title_en) if t))
    return page(
        title or ontology.by_iri[ontology.root].label,
        "handbook.html",
        style=asset("page.css"),
        program=asset("page.js"),
        language=language,
        embed_font=embed_font,
        ontology=ontology,
        drawn=family(ontology),
        anchors=anchors(c.iri for c in ontology.concepts),
        groups=_grouped(ontology),
        titles=titles or {},
        most=MOST_DOCUMENTS,
        confidence=" ".join(COMMENTS[OC.confidence]),
    )


_GROUPS = (
    ("subclass_of", "source", "上位类", "Superclasses"),
    ("subclass_of", "target", "下位类", "Subclasses"),
    ("part_of", "source", "整体", "Part of"),
    ("part_of", "target", "部分", "Parts"),
    ("causes", "source", "可能导致", "May cause"),
    ("causes", "target", "可能起因", "May be caused by"),
    ("measured_by", "source", "测量方式", "Measured by"),
    ("measured_by", "target", "用于测量", "Measures"),
    ("equivalent_to", "source", "等价类", "Equivalent classes"),
    ("equivalent_to", "target", "等价类", "Equivalent classes"),
)


def _grouped(ontology: Ontology) -> Mapping[str, Mapping[tuple[str, str], list[tuple[Relation, str]]]]:
    """Return class -> heading in two languages -> relations of the class, with the class at the other end."""
    ends: dict[tuple[str, str, str], list[tuple[Relation, str]]] = defaultdict(list)
    for r in sorted(ontology.relations, key=lambda r: (-(r.support or 0), r.source, r.target)):
        ends[r.kind, "source", r.source].append((r, r.target))
        ends[r.kind, "target", r.target].append((r, r.source))
    groups: dict[str, dict[tuple[str, str], list[tuple[Relation, str]]]] = {c.iri: {} for c in ontology.concepts}
    for kind, end, zh, en in _GROUPS:
        for iri, headed in groups.items():
            if (kind, end, iri) in ends:
                headed.setdefault((zh, en), []).extend(ends[kind, end, iri])
    return groups


def anchors(iris: Iterable[str]) -> dict[str, str]:
    """Return an anchor of ASCII letters, digits, - and _ for each IRI: the end of it, numbered if that is taken.

    >>> anchors(["http://a.cn/o#Rain", "http://b.cn/o#Rain"])
    {'http://a.cn/o#Rain': 'Rain', 'http://b.cn/o#Rain': 'Rain-2'}
    """
    taken = {"about", "none", "search", "columns"}
    anchor_of: dict[str, str] = {}
    for iri in iris:
        stem = re.sub(r"[^A-Za-z0-9_-]+", "-", re.split(r"[#/]", iri.rstrip("#/"))[-1]).strip("-") or "class"
        name, number = stem, 1
        while name.lower() in taken:
            number += 1
            name = f"{stem}-{number}"
        taken.add(name.lower())
        anchor_of[iri] = name
    return anchor_of
