"""Drawings of lattices and hierarchies: SVG, PNG (fonts.py), interactive pages, documentation."""

from __future__ import annotations

from ontology.draw.explore import lattice_page, ontology_page
from ontology.draw.fonts import Picture, PictureError, png
from ontology.draw.handbook import handbook as ontology_handbook
from ontology.draw.hierarchy_dag import hierarchy_dag
from ontology.draw.hierarchy_tree import hierarchy_tree
from ontology.draw.line_diagram import LineDiagram, line_diagram, readable_iceberg
from ontology.lattice import Lattice
from ontology.model import Ontology

__all__ = [
    "LineDiagram", "Picture", "PictureError", "hierarchy_dag", "hierarchy_svg", "hierarchy_tree",
    "lattice_page", "lattice_svg", "line_diagram", "ontology_handbook", "ontology_page", "png", "readable_iceberg",
]  # fmt: skip


def hierarchy_svg(ontology: Ontology, *, ratio: float = 1.4) -> str:
    """Draw an ontology's hierarchy as an indented tree in columns; `hierarchy_tree` has more options.

    Args:
        ontology: the ontology.
        ratio: preferred width by height.
    """
    return hierarchy_tree(ontology, ratio=ratio)


def lattice_svg(
    lattice: Lattice, *, max_concepts: int | None = None, max_names: int = 3, of_documents: bool = True
) -> str:  # fmt: skip
    """Draw a lattice as a line diagram; `line_diagram` has more options.

    Args:
        lattice: the lattice; a large one is cut to its iceberg, and a caption says so.
        max_concepts: maximum number of points; None for 30 to 60 where possible.
        max_names: maximum number of names at one point.
        of_documents: whether the objects are documents.
    """
    return line_diagram(lattice, max_concepts=max_concepts, max_names=max_names, of_documents=of_documents).svg
