"""ConExp's .cex: XML with the attributes and, for each object, the numbers of its attributes. It is read only.

Source: files that Concept Explorer 1.3 (Yevtushenko) writes, ``ConceptualSystem/Contexts/Context``. A file of
several contexts is refused; lattices and line diagrams in it are computed anew.
"""

from __future__ import annotations

from xml.etree import ElementTree

from ontology.context import ContextError, FormalContext


def parse(text: str, file: str) -> FormalContext:
    """Parse the text of a .cex file. Arguments and errors are those of every format (`ontology.formats`)."""
    if "<!DOCTYPE" in text or "<!ENTITY" in text:
        line = text[: max(text.find("<!DOCTYPE"), text.find("<!ENTITY"))].count("\n") + 1
        raise ContextError("formats.line_file_declares_document", file=file, line=line)
    try:
        root = ElementTree.fromstring(text)  # noqa: S314 - nothing can be expanded without a document type
    except ElementTree.ParseError as error:
        raise ContextError(
            "formats.line_not_well_formed", file=file, position=error.position[0], error=error
        ) from error
    contexts = list(root.iter("Context"))
    if len(contexts) != 1:
        found = f"{len(contexts)} of them; save each as a file of its own" if contexts else repr(root.tag)
        raise ContextError("formats.line_expected_element_context", file=file, found=found)
    context = contexts[0]
    attributes = {e.get("Identifier", ""): _name(e) for e in context.iterfind("Attributes/Attribute")}
    position = {identifier: j for j, identifier in enumerate(attributes)}
    objects, rows = [], []
    for element in context.iterfind("Objects/Object"):
        objects.append(_name(element))
        used = [e.get("AttributeIdentifier", "") for e in element.iterfind("Intent/HasAttribute")]
        unknown = next((identifier for identifier in used if identifier not in position), None)
        if unknown is not None:
            raise ContextError("formats.line_object_attribute_not", file=file, objects=objects[-1], unknown=unknown)
        rows.append(sum(1 << j for j in {position[identifier] for identifier in used}))
    try:
        return FormalContext(tuple(objects), tuple(attributes.values()), tuple(rows))
    except ContextError as error:
        raise ContextError("formats.seeds_line", file=file, error=error) from error


def _name(element: ElementTree.Element) -> str:
    return (element.findtext("Name") or "").strip()
