"""Pictures of lattices and hierarchies."""

from ontology.draw.diagrams import hierarchy_svg, lattice_svg

__all__ = ["hierarchy_svg", "lattice_svg"]
