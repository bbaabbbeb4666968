"""RDF triples as plain Python values, for the few patterns that ontologies need.

A node is a string: an IRI, or a blank node ``_:name`` (no IRI begins so). A literal is a `Text`. Parsers and writers of
all formats exchange these values; terms of rdflib and pyoxigraph are used only in `reader` and `shapes`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from hashlib import blake2b
from typing import NamedTuple
from urllib.parse import quote

from ontology.model import language_tag
from ontology.owl.vocabulary import AXIOM_ENDS, EXTRA_PREFIXES, OWL, PREFIXES, PROV, TYPE, XSD, OwlError, namespace_of

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
Axioms = dict[tuple[Term | None, ...], list[str]]
"""Source, property and target of an axiom -> the owl:Axiom nodes that annotate it."""


class Triples:
    """A set of triples, indexed by subject and predicate, in insertion order."""

    def __init__(self, *, as_written: bool = False) -> None:
        self._as_written = as_written
        self._index: dict[str, dict[str, dict[Term, None]]] = {}
        self.mended: dict[str, str] = {}
        """IRIs that were not as RFC 3987 wants them, and what stands for them here."""
        self.left: dict[str, list[str]] = {}
        """What a reader found that is no triple: reason -> each place or text."""

    def iri(self, iri: str) -> str:
        """Return an IRI, percent-encoded if necessary unless IRIs are kept as written; ``_mended`` records changes."""
        if self._as_written or _is_iri(iri):
            return iri
        return self.mended.setdefault(iri, _mended(iri))

    def add(self, subject: str, predicate: str, value: Term) -> None:
        """Add a triple, unless it exists.

        Args:
            subject: a node.
            predicate: IRI of a property.
            value: a node or literal.
        """
        self._index.setdefault(subject, {}).setdefault(predicate, {})[value] = None

    def objects(self, subject: str, predicate: str) -> tuple[Term, ...]:
        """Return all objects of a subject and predicate.

        Args:
            subject: a node.
            predicate: IRI of a property.
        """
        said = self._index.get(subject)
        return tuple(said[predicate]) if said is not None and predicate in said else ()

    def node(self, subject: str, predicate: str) -> str | None:
        """Return the first object that is no literal, or None.

        Args:
            subject: a node.
            predicate: IRI of a property.
        """
        return next((o for o in self.objects(subject, predicate) if isinstance(o, str)), None)

    def pairs(self, predicate: str) -> Iterator[tuple[str, Term]]:
        """Yield subject and object of every triple with a predicate."""
        return (
            (subject, value) for subject, properties in self._index.items() for value in properties.get(predicate, ())
        )

    def predicates(self, subject: str) -> tuple[str, ...]:
        """Return all predicates of a subject."""
        return tuple(self._index.get(subject, ()))

    def statements(self, subject: str) -> Iterator[tuple[str, Term]]:
        """Yield predicate and object of every triple of a subject."""
        return ((p, value) for p, objects in self._index.get(subject, {}).items() for value in objects)

    def subjects(self) -> tuple[str, ...]:
        """Return all subjects."""
        return tuple(self._index)

    def of_type(self, *classes: str) -> list[str]:
        """Return the subjects with one of these classes as rdf:type, sorted."""
        requested = set(classes)
        return sorted(s for s, properties in self._index.items() if not requested.isdisjoint(properties.get(TYPE, ())))

    def __contains__(self, subject: str) -> bool:
        return subject in self._index

    def __iter__(self) -> Iterator[Triple]:
        for subject, properties in self._index.items():
            for predicate, objects in properties.items():
                for value in objects:
                    yield subject, predicate, value

    def __len__(self) -> int:
        return sum(len(objects) for properties in self._index.values() for objects in properties.values())

    def members(self, head: str | None) -> list[str]:
        """Return the nodes of an rdf:List; a circular list ends where it began."""
        nodes, seen = [], set()
        rdf = PREFIXES["rdf"]
        while head is not None and head not in seen and head != rdf + "nil":
            seen.add(head)
            first = self.node(head, rdf + "first")
            if first is not None:
                nodes.append(first)
            head = self.node(head, rdf + "rest")
        return nodes

    def annotated(self) -> Axioms:
        """Return source, property and target of annotated axioms -> the owl:Axiom nodes that annotate them."""
        axioms: Axioms = {}
        for axiom in self.of_type(OWL.Axiom):
            ends = tuple(next(iter(self.objects(axiom, end)), None) for end in AXIOM_ENDS)
            axioms.setdefault(ends, []).append(axiom)
        return axioms


def blank_order(triples: Triples) -> tuple[list[str], set[str]]:
    """Return the blank nodes, each behind those that it names; and those that a circle of blank nodes is below.

    Args:
        triples: the triples.

    Returns:
        The nodes in order, and the nodes in or above a circle, which have none and are not among them.
    """
    below: dict[str, set[str]] = {s: set() for s in triples.subjects() if is_blank(s)}
    above: dict[str, set[str]] = {}
    for subject, _, value in triples:
        if is_blank(value):
            below.setdefault(str(value), set())
            if is_blank(subject):
                below[subject].add(str(value))
                above.setdefault(str(value), set()).add(subject)
    waiting = {node: len(nodes) for node, nodes in below.items()}
    order = [node for node, count in waiting.items() if not count]
    for node in order:
        for other in above.get(node, ()):
            waiting[other] -= 1
            if not waiting[other]:
                order.append(other)
    return order, below.keys() - set(order)


def canonical_names(triples: Triples) -> dict[Term, str]:
    """Return blank node -> its name by what it says and by what names it.

    Files with the same statements have the same triples under these names, whatever their syntax and the order in it.
    Nodes of which the same is said stay apart; a circle of blank nodes may get other names in another order.

    Args:
        triples: the triples.

    >>> one, other = Triples(), Triples()
    >>> for blank, triples in (("_:a", one), ("_:b", other)):
    ...     triples.add("https://example.org/o", "https://example.org/p", blank)
    ...     triples.add(blank, "https://example.org/q", Text("flood", "en"))
    >>> same = set(renamed(one, canonical_names(one))) == set(renamed(other, canonical_names(other)))
    >>> set(one) == set(other), same
    (False, True)
    """
    order, circles = blank_order(triples)
    said: dict[Term, str] = {}
    for node in (*order, *circles, *circles):  # twice: nodes of a circle by what is said one step on
        lines = (repr((p, said.get(o, "") if is_blank(o) else o)) for p, o in triples.statements(node))
        said[node] = _hash(*sorted(lines))
    above: dict[Term, list[tuple[str, str]]] = {}
    for subject, predicate, value in triples if said else ():
        if is_blank(value):
            above.setdefault(value, []).append((subject, predicate))
    names: dict[Term, str] = {}
    taken: Counter[str] = Counter()
    for node in (*circles, *reversed(order)):
        places = sorted((names.get(s, said.get(s, s)), p) for s, p in above.get(node, ()))
        named = _hash(said[node], repr(places))
        taken[named] += 1
        names[node] = f"_:n{named}" + (f"x{taken[named]}" if taken[named] > 1 else "")
    return names


def renamed(triples: Iterable[Triple], names: Mapping[Term, str]) -> Triples:
    """Return triples with other names of nodes.

    Args:
        triples: the triples.
        names: node -> its new name; the others keep theirs.
    """
    result = Triples()
    for subject, predicate, value in triples:
        result.add(names.get(subject, subject), predicate, names.get(value, value))
    return result


def _hash(*parts: str) -> str:
    return blake2b("\n".join(parts).encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def prefixes(triples: Triples, *, of_build: bool = False) -> dict[str, str]:
    """Return prefix -> namespace for a file: those of all files, and those that its properties need besides.

    Args:
        triples: the triples of the file.
        of_build: whether the namespace of the build that made the axioms (provenance.py) has the prefix ``version``.
    """
    used = {namespace_of(predicate) for subject in triples.subjects() for predicate in triples.predicates(subject)}
    known = dict(PREFIXES) | {prefix: space for prefix, space in EXTRA_PREFIXES.items() if space in used}
    builds = triples.pairs(PROV.wasGeneratedBy) if of_build else ()
    version = next((namespace_of(str(build)) for _, build in builds), "")
    known |= {"version": version} if version else {}
    others = sorted(used - set(known.values()) - {""})
    return known | {f"ns{number}": space for number, space in enumerate(others, 1)}


def is_blank(term: Term) -> bool:
    """Return whether a term is a blank node."""
    return isinstance(term, str) and term.startswith("_:")


def is_iri(term: Term) -> bool:
    """Return whether a term is an IRI."""
    return isinstance(term, str) and not term.startswith("_:")


def lexical(term: Term) -> str:
    """Return the text of a literal, or the name of a node."""
    return term.value if isinstance(term, Text) else term


def literal(value: str, language: str | None, datatype: str | None) -> Text:
    """Return a literal of a parser without the datatypes of plain text.

    Args:
        value: its text.
        language: its language tag, or None.
        datatype: IRI of its datatype, or None.
    """
    if language or datatype is None or datatype in _PLAIN:
        return Text(value, language_tag(language) if language else "")
    return Text(value, "", datatype)


@lru_cache(maxsize=1 << 16)
def _is_iri(iri: str) -> bool:
    return _IRI.fullmatch(iri) is not None


def _mended(iri: str) -> str:
    """Return a foreign IRI with the illegal characters percent-encoded.

    >>> _mended("http://a.cn/heavy rain")
    'http://a.cn/heavy%20rain'
    """
    before, mark, fragment = iri.partition("#")
    return _ILLEGAL_IN_IRI.sub(_encoded, before) + mark + _ILLEGAL_IN_IRI.sub(_encoded, fragment.replace("#", "%23"))


def _encoded(match: re.Match[str]) -> str:
    return quote(match.group().encode("utf-8", "replace"), safe="")


def is_address(text: str) -> bool:
    """Return whether a text is an absolute IRI that all formats allow, of the web or a URN.

    >>> is_address("http://purl.obolibrary.org/obo/X_1"), is_address("X:1")
    (True, False)
    """
    return text.startswith(("http://", "https://", "urn:")) and _is_iri(text)


def checked_iri(text: str) -> str:
    """Return an IRI that all formats allow; raise OwlError for another."""
    match = _IRI.fullmatch(text)
    if not match or match.group(1) in PREFIXES:
        raise OwlError("owl.not_iri_mint_iris", text=text)
    return text


def checked_text(value: str, language: str = "") -> Text:
    """Return a literal that all formats allow.

    Args:
        value: its text.
        language: its language tag.

    Raises:
        OwlError: the text has a character that XML does not allow.
    """
    if _ILLEGAL_TEXT.search(value):
        raise OwlError("owl.text_control_character_xml", value=value)
    return Text(value, language)


def is_legible(value: str) -> bool:
    """Return whether a text has no character that XML does not allow."""
    return _ILLEGAL_TEXT.search(value) is None


def visible(value: str) -> str:
    """Return a foreign text with a blank for each character that XML does not allow."""
    return _ILLEGAL_TEXT.sub(" ", value)


def legible(value: str) -> str:
    r"""Return a foreign text without the characters that XML does not allow, runs of white space as one blank.

    >>> legible(" a\n\tb\x00")
    'a b'
    """
    return " ".join(visible(value).split())
