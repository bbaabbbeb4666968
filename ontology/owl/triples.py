"""RDF triples as plain Python values, for the few patterns that ontologies need.

A node is a string: an IRI, or a blank node ``_:name`` (no IRI begins so). A literal is a `Text`. Parsers and writers of
all formats meet here; rdflib's and pyoxigraph's own terms stay within `reader` and `shapes`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import quote

from ontology.owl.vocabulary import AXIOM_ENDS, OWL, PREFIXES, TYPE, XSD, OwlError

_IN_IRI = (
    r"A-Za-z0-9._~:/?@!$&'()*+,;=\u00a0-\ud7ff\uf900-\ufdcf\ufdf0-\uffef\U00010000-\U0001fffd\U00020000-\U0002fffd"
    r"\U00030000-\U0003fffd-"
)
_IRI = re.compile(
    rf"([A-Za-z][A-Za-z0-9+.-]*):(?:[{_IN_IRI}]|%[0-9A-Fa-f]{{2}})+(?:#(?:[{_IN_IRI}]|%[0-9A-Fa-f]{{2}})*)?"
)
_ILLEGAL_IN_IRI = re.compile(rf"%(?![0-9A-Fa-f]{{2}})|[^{_IN_IRI}%]")
"""RFC 3987, section 2.2: the characters of an IRI, without the brackets of an IPv6 host and private ones."""
_ILLEGAL_TEXT = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_PLAIN = frozenset(
    {
        XSD.string,
        "http://www.w3.org/1999/02/22-rdf-syntax-ns#langString",
        "http://www.w3.org/1999/02/22-rdf-syntax-ns#PlainLiteral",
        "http://www.w3.org/2000/01/rdf-schema#Literal",
    }
)


class Text(NamedTuple):
    """A literal: its value, and a language tag or the IRI of a datatype (neither: a plain string)."""

    value: str
    language: str = ""
    datatype: str = ""


Term = str | Text
Triple = tuple[str, str, Term]


class Triples:
    """A set of triples, indexed by subject and predicate, in the order in which they came."""

    def __init__(self, *, as_written: bool = False) -> None:
        self._as_written = as_written
        self._index: dict[str, dict[str, dict[Term, None]]] = {}
        self.mended: dict[str, str] = {}
        """IRIs that were not as RFC 3987 wants them, and what stands for them here."""

    def iri(self, iri: str) -> str:
        """The IRI, percent-encoded where it must be unless it is kept as written; a change is kept in ``mended``."""
        if self._as_written or _is_iri(iri):
            return iri
        return self.mended.setdefault(iri, mended(iri))

    def add(self, subject: str, predicate: str, value: Term) -> None:
        """Add a triple; one that is there already changes nothing."""
        self._index.setdefault(subject, {}).setdefault(predicate, {})[value] = None

    def objects(self, subject: str, predicate: str) -> tuple[Term, ...]:
        """All objects of a subject and predicate."""
        return tuple(self._index.get(subject, {}).get(predicate, ()))

    def node(self, subject: str, predicate: str) -> str | None:
        """The first object that is no literal, or None."""
        return next((o for o in self.objects(subject, predicate) if isinstance(o, str)), None)

    def pairs(self, predicate: str) -> Iterator[tuple[str, Term]]:
        """Subject and object of every triple with this predicate."""
        return ((subject, value) for subject, found in self._index.items() for value in found.get(predicate, ()))

    def predicates(self, subject: str) -> tuple[str, ...]:
        """All predicates of a subject."""
        return tuple(self._index.get(subject, ()))

    def subjects(self) -> tuple[str, ...]:
        """All subjects."""
        return tuple(self._index)

    def of_type(self, *classes: str) -> list[str]:
        """Subjects with one of these as rdf:type, sorted."""
        wanted = set(classes)
        return sorted(s for s, found in self._index.items() if not wanted.isdisjoint(found.get(TYPE, ())))

    def __contains__(self, subject: str) -> bool:
        return subject in self._index

    def __iter__(self) -> Iterator[Triple]:
        for subject, found in self._index.items():
            for predicate, objects in found.items():
                for value in objects:
                    yield subject, predicate, value

    def __len__(self) -> int:
        return sum(len(objects) for found in self._index.values() for objects in found.values())

    def members(self, head: str | None) -> list[str]:
        """The nodes of an rdf:List; a list that runs in a circle ends where it began."""
        found, seen = [], set()
        rdf = PREFIXES["rdf"]
        while head is not None and head not in seen and head != rdf + "nil":
            seen.add(head)
            first = self.node(head, rdf + "first")
            if first is not None:
                found.append(first)
            head = self.node(head, rdf + "rest")
        return found

    def annotated(self) -> dict[tuple[str | None, ...], list[str]]:
        """Source, property and target of annotated axioms -> the owl:Axiom nodes that annotate them."""
        found: dict[tuple[str | None, ...], list[str]] = {}
        for axiom in self.of_type(OWL.Axiom):
            found.setdefault(tuple(self.node(axiom, end) for end in AXIOM_ENDS), []).append(axiom)
        return found


def is_blank(term: Term) -> bool:
    """Whether a term is a blank node."""
    return isinstance(term, str) and term.startswith("_:")


def is_iri(term: Term) -> bool:
    """Whether a term is an IRI."""
    return isinstance(term, str) and not term.startswith("_:")


def lexical(term: Term) -> str:
    """The text of a literal, or the name of a node."""
    return term.value if isinstance(term, Text) else term


def literal(value: str, language: str | None, datatype: str | None) -> Text:
    """A literal as parsers give it: the datatypes of plain text are left out."""
    if language or datatype is None or datatype in _PLAIN:
        return Text(value, language or "")
    return Text(value, "", datatype)


@lru_cache(maxsize=1 << 16)
def _is_iri(iri: str) -> bool:
    return _IRI.fullmatch(iri) is not None


def mended(iri: str) -> str:
    """An IRI of somebody's file with what no IRI may hold percent-encoded."""
    before, mark, fragment = iri.partition("#")
    return _ILLEGAL_IN_IRI.sub(_encoded, before) + mark + _ILLEGAL_IN_IRI.sub(_encoded, fragment.replace("#", "%23"))


def _encoded(found: re.Match[str]) -> str:
    return quote(found.group().encode("utf-8", "replace"), safe="")


def checked_iri(text: str) -> str:
    """The IRI, if it can stand in all formats; OwlError."""
    found = _IRI.fullmatch(text)
    if not found or found.group(1) in PREFIXES:
        raise OwlError(f"{text!r} is not an IRI; mint IRIs by ontology.iris")
    return text


def checked_text(value: str, language: str = "", datatype: str = "") -> Text:
    """The literal, if it can stand in all formats; OwlError for what XML does not allow."""
    if _ILLEGAL_TEXT.search(value):
        raise OwlError(f"text {value!r} has a control character, which XML does not allow; take it out")
    return Text(value, language, datatype)


def legible(value: str) -> str:
    """Somebody's text with the characters that XML does not allow taken out, and runs of white space made one blank."""
    return " ".join(_ILLEGAL_TEXT.sub(" ", value).split())
