"""Conversion to and from the package `concepts` (Sebastian Bank, MIT), for interchange and as a cross-check."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ontology.context import ContextError, FormalContext

if TYPE_CHECKING:
    import concepts


def to_package(context: FormalContext) -> concepts.Context:
    """Convert a context to a `concepts.Context`.

    Raises:
        ContextError: a name is both an object and an attribute, which the package does not allow.
    """
    import concepts

    both = set(context.objects) & set(context.attributes)
    if both:
        raise ContextError("formats.package_concepts_needs_different", both=min(both))
    rows = [tuple(row) for row in context.bools().tolist()]
    return concepts.Context(context.objects, context.attributes, rows)


def from_package(package_context: concepts.Context) -> FormalContext:
    """Convert a `concepts.Context` to a formal context. Raises ContextError if it has no incidence."""
    source: Any = package_context
    return FormalContext.from_bools(source.objects, source.properties, [list(row) for row in source.bools])
