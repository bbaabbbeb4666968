"""The file formats of ontologies: suffixes, names and writers; `reader` reads them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from ontology.owl import horned, obo_graphs, obo_text, plain_formats, robot_template, turtle
from ontology.owl.triples import Triples
from ontology.owl.vocabulary import OwlError


def _nothing(_: Triples) -> dict[str, int]:
    return {}


@dataclass(frozen=True, slots=True)
class OntologyFormat:
    """One file format; ``name`` is its name on the command line."""

    name: str
    title: str
    suffixes: tuple[str, ...]
    write: Callable[[Triples], str]
    left_out: Callable[[Triples], dict[str, int]] = _nothing
    """Counts what the format cannot hold, by reason."""
    is_read: bool = True


TURTLE, RDF_XML, NTRIPLES, JSON_LD, N3 = "turtle", "rdfxml", "ntriples", "jsonld", "n3"
OBO, OBO_GRAPHS, ROBOT = "obo", "obographs", "robot"
FORMATS: tuple[OntologyFormat, ...] = (
    OntologyFormat(TURTLE, "Turtle", (".ttl",), turtle.serialise),
    OntologyFormat(RDF_XML, "RDF/XML", (".rdf", ".owl"), plain_formats.rdf_xml),
    OntologyFormat(NTRIPLES, "N-Triples", (".nt",), plain_formats.ntriples),
    OntologyFormat(JSON_LD, "JSON-LD", (".jsonld",), plain_formats.json_ld),
    OntologyFormat(
        horned.FUNCTIONAL, "OWL functional syntax", (".ofn",), lambda t: horned.serialise(t, horned.FUNCTIONAL)
    ),
    OntologyFormat(horned.OWL_XML, "OWL/XML", (".owx",), lambda t: horned.serialise(t, horned.OWL_XML)),
    OntologyFormat(OBO, "OBO", (".obo",), obo_text.serialise, obo_text.left_out),
    OntologyFormat(OBO_GRAPHS, "OBO graphs", (".json",), obo_graphs.serialise, obo_text.left_out_of_records),
    OntologyFormat(
        ROBOT, "ROBOT template", (".robot.tsv",), robot_template.serialise, robot_template.left_out, is_read=False
    ),
)
BY_NAME: Mapping[str, OntologyFormat] = {format_.name: format_ for format_ in FORMATS}
BY_SUFFIX: Mapping[str, OntologyFormat] = {suffix: format_ for format_ in FORMATS for suffix in format_.suffixes}
SUFFIXES = tuple(suffix for suffix, format_ in BY_SUFFIX.items() if format_.is_read)
"""Suffixes of the files that are read as well as written."""
RDF = (TURTLE, RDF_XML, NTRIPLES, JSON_LD)
"""Names of the formats that hold any triples; the others hold OWL axioms only."""
TITLES: Mapping[str, str] = {N3: "N3"} | {format_.name: format_.title for format_ in FORMATS}


def of_path(path: Path, name: str = "") -> OntologyFormat:
    """Return the format of a name, or else of the file's suffix.

    Args:
        path: the file.
        name: name of a format, or "".

    Raises:
        OwlError: there is no such format; the message lists the choices.
    """
    if name:
        if name not in BY_NAME:
            raise OwlError("owl.no_format_choose", name=name, by_name=", ".join(BY_NAME))
        return BY_NAME[name]
    by_suffix = next((f for suffix, f in BY_SUFFIX.items() if path.name.lower().endswith(suffix)), None)
    if not by_suffix:
        raise OwlError("owl.no_format_suffix_use", path=path, by_suffix=", ".join(BY_SUFFIX))
    return by_suffix
