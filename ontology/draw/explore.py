"""Interactive pages: a lattice or a hierarchy to zoom, pan and search; a click on a point shows its details."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from ontology.context import bits_of
from ontology.draw.family import Language
from ontology.draw.hierarchy_dag import hierarchy_dag
from ontology.draw.hierarchy_tree import hierarchy_tree
from ontology.draw.line_diagram import line_diagram
from ontology.draw.page import asset, page
from ontology.lattice import Lattice
from ontology.model import Concept, Ontology, Relation

Shape = Literal["tree", "dag"]
MOST_DOCUMENTS = 500
"""Maximum documents listed at one point; further ones are counted."""


def lattice_page(
    lattice: Lattice,
    *,
    titles: Mapping[str, str] | None = None,
    title: str = "",
    max_concepts: int | None = None,
    language: Language = "both",
    embed_font: bool = False,
    of_documents: bool = True,
) -> str:
    """Return an interactive page of a lattice: a click on a point shows its extent, intent and neighbours.

    The picture has an iceberg; the page holds the formal context and computes every other concept when it is asked for.

    Args:
        lattice: the lattice; a large one is cut to its iceberg, as in `line_diagram`.
        titles: object name -> title, for documents that are named by numbers.
        title: title of the page.
        max_concepts: maximum number of points; None for 30 to 60 where possible.
        language: initial language of the page; a button changes it.
        embed_font: whether the page contains a font for its characters; needs the extra ``pictures``.
        of_documents: whether the objects are documents.

    Raises:
        ValueError: ``max_concepts`` is not positive.
    """
    drawn = line_diagram(lattice, max_concepts=max_concepts, language=language, of_documents=of_documents)
    context = lattice.context
    data = {
        "kind": "lattice",
        "attributes": context.attributes,
        "objects": context.objects,
        "rows": [list(bits_of(row)) for row in context.rows],
        "points": [list(bits_of(concept.intent)) for concept in drawn.shown.concepts],
        "titles": {name: t for name, t in (titles or {}).items() if t},
        "unit": "documents" if of_documents else "objects",
        "most": MOST_DOCUMENTS,
        "language": "en" if language == "en" else "zh",
    }
    return page(
        title or "概念格 concept lattice", "explore.html", style=asset("explore.css"),
        program=asset("formal_concepts.js") + asset("explore.js"), data=data, language=language, embed_font=embed_font,
        svg=drawn.svg, caption=drawn.caption,
    )  # fmt: skip


def ontology_page(
    ontology: Ontology,
    *,
    shape: Shape = "tree",
    depth: int | None = None,
    min_support: int = 0,
    titles: Mapping[str, str] | None = None,
    language: Language = "both",
    embed_font: bool = False,
) -> str:
    """Return an interactive page of a hierarchy: a click on a class shows names, definition, neighbours and evidence.

    Args:
        ontology: the ontology.
        shape: "tree" or "dag".
        depth: levels below the root; None for all.
        min_support: edges with fewer documents are left out.
        titles: id of a document -> title.
        language: initial language of the page; a button changes it.
        embed_font: whether the page contains a font for its characters; needs the extra ``pictures``.

    Raises:
        ValueError: as in `hierarchy_tree`.
    """
    draw = hierarchy_dag if shape == "dag" else hierarchy_tree
    svg = draw(ontology, depth=depth, min_support=min_support, language=language)
    relations = [r for r in ontology.relations if r.source in ontology.by_iri and r.target in ontology.by_iri]
    named = {d for r in relations for d in r.documents}
    data = {
        "kind": "hierarchy",
        "root": ontology.root,
        "concepts": {c.iri: _concept(c) for c in ontology.concepts},
        "relations": [_relation(r) for r in relations],
        "titles": {name: t for name, t in (titles or {}).items() if name in named and t},
        "language": "en" if language == "en" else "zh",
    }
    title = ontology.title_zh or ontology.title_en or ontology.by_iri[ontology.root].label
    return page(
        title, "explore.html", style=asset("explore.css"), program=asset("explore.js"), data=data, language=language,
        embed_font=embed_font, svg=svg, caption="",
    )  # fmt: skip


def _concept(c: Concept) -> dict[str, Any]:
    return {
        "zh": c.label_zh, "en": c.label_en or "", "altZh": c.alt_zh, "altEn": c.alt_en,
        "definitionZh": c.definition, "definitionEn": c.definition_en, "label": c.label,
    }  # fmt: skip


def _relation(r: Relation) -> dict[str, Any]:
    return {
        "source": r.source, "kind": r.kind, "target": r.target, "support": r.support, "confidence": r.confidence,
        "evidence": r.evidence, "documents": r.documents[:MOST_DOCUMENTS], "sentence": r.sentence,
    }  # fmt: skip
