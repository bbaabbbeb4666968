"""Embed SVG pictures in a page: they are parsed and serialised again; scripts and external resources are errors."""

from __future__ import annotations

import re
from xml.etree import ElementTree

from ontocrawl.report.data import ReportError

_SVG = "http://www.w3.org/2000/svg"
_HREF = ("href", "{http://www.w3.org/1999/xlink}href")
_REFUSED = frozenset({"script", "foreignObject", "iframe", "image", "animate", "set", "handler"})
_REFERENCE = re.compile(r"url\(\s*['\"]?#([^)'\"]+)['\"]?\s*\)")
_LOADS = re.compile(r"url\(\s*['\"]?(?!#)|@import|javascript:", re.IGNORECASE)


def inline(svg: str, prefix: str) -> str:
    """Convert an SVG document to an element of an HTML page.

    Args:
        svg: the document.
        prefix: prefix for its ids, which makes them unique in the page.

    Returns:
        The SVG element.

    Raises:
        ReportError: the text is no SVG document, or has scripts or external resources.
    """
    if "<!DOCTYPE" in svg or "<!ENTITY" in svg:
        raise ReportError(f"picture {prefix}: expected an SVG without a document type declaration; remove it")
    try:
        root = ElementTree.fromstring(svg)  # noqa: S314 - no entities: refused above
    except ElementTree.ParseError as error:
        raise ReportError(
            f"picture {prefix}: expected an SVG document, found text that is not XML ({error})"
        ) from error
    if root.tag != f"{{{_SVG}}}svg":
        raise ReportError(f"picture {prefix}: expected the root element svg of {_SVG}, found {root.tag}")
    for element in root.iter():
        _sanitize(element, prefix)
    root.set("class", f"{root.get('class', '')} picture".strip())
    ElementTree.register_namespace("", _SVG)
    return ElementTree.tostring(root, encoding="unicode")


def _sanitize(element: ElementTree.Element, prefix: str) -> None:
    namespace, _, name = element.tag.rpartition("}")
    if namespace != f"{{{_SVG}" or name in _REFUSED:
        raise ReportError(f"picture {prefix}: <{name}> is not allowed in a report; draw it with SVG shapes and text")
    if name == "style" and _LOADS.search(element.text or ""):
        raise ReportError(f"picture {prefix}: its style sheet loads a resource; a report must not make requests")
    for key, value in list(element.attrib.items()):
        if key.lower().startswith("on") or _LOADS.search(value) or (key in _HREF and not value.startswith("#")):
            raise ReportError(
                f"picture {prefix}: the attribute {key}={value[:60]!r} is not allowed in a report; remove it"
            )
        element.set(key, _prefixed(key, value, prefix))
    if name == "style" and element.text:
        element.text = _REFERENCE.sub(rf"url(#{prefix}-\1)", element.text)


def _prefixed(key: str, value: str, prefix: str) -> str:
    if key == "id":
        return f"{prefix}-{value}"
    if key in _HREF:
        return f"#{prefix}-{value[1:]}"
    if key in {"aria-labelledby", "aria-describedby"}:
        return " ".join(f"{prefix}-{part}" for part in value.split())
    return _REFERENCE.sub(rf"url(#{prefix}-\1)", value)
