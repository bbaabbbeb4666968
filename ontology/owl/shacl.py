"""SHACL shapes (W3C, Shapes Constraint Language, 2017) for the header and the classes of our files.

The shapes are in ``ontology/data/shapes.ttl``. They require what every file of ours must have and OWL axioms cannot
express: a version, titles, a licence, one label per language, figures within their range.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from ontology.extras import require
from ontology.owl import formats, reader
from ontology.owl.triples import Text, Triples, is_blank
from ontology.owl.vocabulary import OWL, Namespace

_SH = Namespace("http://www.w3.org/ns/shacl#")
_SEVERITIES = {_SH.Violation: "error", _SH.Warning: "warning", _SH.Info: "note"}


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    """A violation of the shapes."""

    node: str
    """IRI of the header or class; of an edge, the IRI of its narrower class."""
    path: str
    """IRI of the property, empty for the node itself."""
    message: str
    severity: str
    """``error``, ``warning`` or ``note``."""
    value: str = ""


def check(path: str | Path) -> list[Finding]:
    """Return the violations in a file, sorted; raise MissingExtra without pyshacl, OwlError for a broken file."""
    pyshacl = require("pyshacl", "owl", "checking by SHACL shapes")
    triples = reader.parse(Path(path))
    shapes = files("ontology") / "data" / "shapes.ttl"
    stated = reader.parse_text(shapes.read_text(encoding="utf-8"), formats.TURTLE, Path("shapes.ttl"))
    with reader.literal_rdflib():
        data, asked = _as_rdflib(triples), _as_rdflib(stated)
        _, results, _ = pyshacl.validate(
            data, shacl_graph=asked, inference="none", do_owl_imports=False, advanced=False
        )
    return sorted(set(_findings(reader.from_rdflib(results), triples)))


def _as_rdflib(triples: Triples) -> Any:
    import rdflib

    def node(term: str) -> Any:
        return rdflib.BNode(term[2:]) if is_blank(term) else rdflib.URIRef(term)

    graph = rdflib.Graph(bind_namespaces="none")
    for subject, predicate, value in triples:
        if isinstance(value, str):
            object_ = node(value)
        else:
            type_ = rdflib.URIRef(value.datatype) if value.datatype else None
            object_ = rdflib.Literal(value.value, lang=value.language or None, datatype=type_)
        graph.add((node(subject), node(predicate), object_))
    return graph


def _findings(results: Triples, stated: Triples) -> Iterator[Finding]:
    for result in results.of_type(_SH.ValidationResult):
        node = results.node(result, _SH.focusNode) or ""
        values = results.objects(result, _SH.value)
        value = values[0] if values else ""
        severity = results.node(result, _SH.resultSeverity) or _SH.Violation
        yield Finding(
            (stated.node(node, OWL.annotatedSource) or node) if is_blank(node) else node,
            results.node(result, _SH.resultPath) or "",
            " ".join(sorted(o.value for o in results.objects(result, _SH.resultMessage) if isinstance(o, Text))),
            _SEVERITIES.get(severity, "error"),
            value.value if isinstance(value, Text) else "" if is_blank(value) else value,
        )
