"""OBO flat files to triples (OBO Flat File Format 1.4, with what 1.2 has besides), by their mapping to OWL 2.

* id A:1: http://purl.obolibrary.org/obo/A_1, or what the header's ``idspace`` says; a relation without a prefix is the
  one that the xref of its [Typedef] names
* name, def, synonym, xref, replaced_by, is_obsolete: rdfs:label, IAO_0000115, oboInOwl, IAO_0100001, owl:deprecated
* is_a: rdfs:subClassOf; relationship: subclass of some values; intersection_of: a defining intersection
* all other tags: properties of oboInOwl, so that readers can report them

Errors name the line. What only hints at a mistake (unknown tags and stanzas, missing declarations) is no error.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from ontology.owl.deprecation import TRUE
from ontology.owl.triples import Term, Text, Triples
from ontology.owl.vocabulary import (
    AXIOM_ENDS,
    DC,
    DCTERMS,
    OBO,
    OBO_IN_OWL,
    OWL,
    RDF,
    RDFS,
    REPLACED_BY,
    TYPE,
    XREF,
    XSD,
    OwlError,
)  # fmt: skip

_TOKEN = re.compile(
    r'\s*(?:"(?P<quoted>(?:[^"\\]|\\.)*)"|\[(?P<xrefs>(?:[^\]"\\]|\\.|"(?:[^"\\]|\\.)*")*)\]'
    r'|(?P<modifiers>\{(?:[^}"]|"(?:[^"\\]|\\.)*")*\})|(?P<comment>!.*)|(?P<word>(?:[^\s"\\!\[{]|\\.)(?:[^\s\\]|\\.)*))'
)
_END = re.compile(r"(?<!\\)(?:\s+!.*|\s+\{[^{}]*=[^{}]*\}\s*(?:!.*)?)$")
_ESCAPE = re.compile(r"\\(.)")
_ESCAPES = {"n": "\n", "t": "\t", "W": " "}
_LINE = re.compile(r"([A-Za-z][\w-]*)\s*:\s*(.*)", re.DOTALL)
_LIST = re.compile(r'\s*((?:[^,"\\\s]|\\.)(?:[^,"\\]|\\.)*)(?:"(?:[^"\\]|\\.)*")?\s*,?')
_TYPES = {"Term": OWL.Class, "Typedef": OWL.ObjectProperty, "Instance": OWL.NamedIndividual}
_SCOPES = {
    scope: OBO_IN_OWL.iri + f"has{scope.capitalize()}Synonym" for scope in ("EXACT", "BROAD", "NARROW", "RELATED")
}
_TO_OTHERS = {
    "is_a": RDFS.subClassOf, "equivalent_to": OWL.equivalentClass, "disjoint_from": OWL.disjointWith,
    "replaced_by": REPLACED_BY[0], "consider": OBO_IN_OWL.consider, "instance_of": TYPE,
}  # fmt: skip
_TEXTS = {"name": RDFS.label, "comment": RDFS.comment, "namespace": OBO_IN_OWL.hasOBONamespace}
_HEADER = {
    "data-version": OWL.versionInfo, "remark": RDFS.comment, "default-namespace": OBO_IN_OWL.hasOBONamespace,
}  # fmt: skip
_SPACES = {
    "dc": DC.iri,
    "dcterms": DCTERMS.iri,
    "xsd": XSD.iri,
    "rdfs": RDFS.iri,
    "owl": OWL.iri,
    "oboInOwl": OBO_IN_OWL.iri,
}


@dataclass(slots=True)
class _Stanza:
    kind: str
    line: int
    tags: list[tuple[str, str, int]] = field(default_factory=list)

    def first(self, tag: str) -> str:
        return next((value for name, value, _ in self.tags if name == tag), "")


def triples(text: str, name: str) -> Triples:
    """Return the triples of an OBO file.

    Args:
        text: content of the file.
        name: the file, for messages.

    Raises:
        OwlError: the text is broken; with the line.
    """
    return _Reading(name).read(text)


def iri_of(identifier: str, spaces: dict[str, str], ontology: str = "") -> str:
    """Return the IRI of an OBO identifier.

    Args:
        identifier: A:1, an IRI, or a name without a prefix.
        spaces: prefix -> namespace, where it is not that of OBO.
        ontology: name of the ontology, for identifiers without a prefix.

    >>> iri_of("ENVO:01", {}), iri_of("near", {}, "demo")
    ('http://purl.obolibrary.org/obo/ENVO_01', 'http://purl.obolibrary.org/obo/demo#near')
    """
    prefix, colon, local = identifier.partition(":")
    if prefix in ("http", "https", "urn", "mailto"):
        return identifier
    if colon and prefix in spaces:
        return spaces[prefix] + local
    return f"{OBO.iri}{prefix}_{local}" if colon else f"{OBO.iri}{ontology or 'unnamed'}#{identifier}"


class Builder:
    """Triples while they are made of OBO's statements; blank nodes are numbered."""

    def __init__(self) -> None:
        self.triples = Triples()
        self._blanks = 0

    def blank(self) -> str:
        """Return a new blank node."""
        self._blanks += 1
        return f"_:o{self._blanks}"

    def some(self, property_: str, filler: str) -> str:
        """Return a new node for the things with some values of a property from a class.

        Args:
            property_: IRI of the property.
            filler: IRI of the class.
        """
        node = self.blank()
        self.triples.add(node, TYPE, OWL.Restriction)
        self.triples.add(node, OWL.onProperty, property_)
        self.triples.add(node, OWL.someValuesFrom, filler)
        return node

    def combined(self, subject: str, parts: list[str], by: str = OWL.intersectionOf) -> None:
        """Define a class as the intersection (or union) of parts.

        Args:
            subject: IRI of the class.
            parts: nodes.
            by: IRI of what combines them.
        """
        whole, links = self.blank(), [self.blank() for _ in parts]
        self.triples.add(subject, OWL.equivalentClass, whole)
        self.triples.add(whole, TYPE, OWL.Class)
        self.triples.add(whole, by, links[0])
        for link, part, after in zip(links, parts, [*links[1:], RDF.nil], strict=True):
            self.triples.add(link, RDF.first, part)
            self.triples.add(link, RDF.rest, after)

    def stated(self, subject: str, property_: str, value: Term, xrefs: list[str]) -> None:
        """Add a triple with its sources.

        Args:
            subject: IRI of a class.
            property_: IRI of a property.
            value: object of the triple.
            xrefs: names of sources.
        """
        self.triples.add(subject, property_, value)
        if xrefs:
            axiom = self.blank()
            self.triples.add(axiom, TYPE, OWL.Axiom)
            for end, node in zip(AXIOM_ENDS, (subject, property_, value), strict=True):
                self.triples.add(axiom, end, node)
            for xref in xrefs:
                self.triples.add(axiom, XREF, Text(xref))


class _Reading(Builder):
    def __init__(self, name: str) -> None:
        super().__init__()
        self._name = name
        self._spaces: dict[str, str] = dict(_SPACES)
        self._ontology = ""
        self._short: dict[str, str] = {}

    def read(self, text: str) -> Triples:
        header, *stanzas = self._stanzas(text)
        self._ontology = header.first("ontology")
        for _, value, _ in (row for row in header.tags if row[0] == "idspace"):
            prefix, *rest = value.split()
            if rest:
                self._spaces[prefix] = rest[0]
        for stanza in stanzas:
            xref = stanza.first("xref").split()
            if stanza.kind == "Typedef" and ":" not in stanza.first("id") and xref and ":" in xref[0]:
                self._short[stanza.first("id")] = xref[0]
        self._header(header)
        for stanza in stanzas:
            self._stanza(stanza)
        return self.triples

    def _broken(self, line: int, reason: str) -> OwlError:
        return OwlError(f"{self._name}, line {line}: not OBO that can be read: {reason}")

    def _stanzas(self, text: str) -> Iterator[_Stanza]:
        """Yield the header, then each stanza with its lines; a line that ends with a backslash goes on in the next."""
        stanza, pending, began = _Stanza("", 1), "", 0
        for number, raw in enumerate(re.split(r"\r\n|\n|\r", text), 1):
            line = pending + raw.strip()
            began = began if pending else number
            if line.endswith("\\") and (len(line) - len(line.rstrip("\\"))) % 2:
                pending = line[:-1]
                continue
            pending = ""
            if not line or line.startswith("!"):
                continue
            if line.startswith("["):
                kind = re.fullmatch(r"\[(\w+)\]\s*(?:!.*)?", line)
                if not kind:
                    raise self._broken(began, f"expected a stanza such as [Term], found {line[:40]!r}")
                yield stanza
                stanza = _Stanza(kind.group(1), began)
                continue
            tag = _LINE.fullmatch(line)
            if not tag:
                raise self._broken(began, f"expected a tag, a colon and a value, found {line[:40]!r}")
            stanza.tags.append((tag.group(1), tag.group(2), began))
        if pending:
            raise self._broken(began, "the file ends within a line that goes on")
        yield stanza

    def _iri(self, identifier: str) -> str:
        known = self._short.get(identifier, identifier)
        return self.triples.iri(iri_of(known, self._spaces, self._ontology))

    def _header(self, header: _Stanza) -> None:
        subject = self.triples.iri(f"{OBO.iri}{self._ontology}.owl") if ":" not in self._ontology else self._ontology
        if not self._ontology:
            return
        self.triples.add(subject, TYPE, OWL.Ontology)
        for tag, value, line in header.tags:
            if tag in _HEADER:
                self.triples.add(subject, _HEADER[tag], Text(_plain(value)))
            elif tag == "import":
                self.triples.add(subject, OWL.imports, _plain(value))
            elif tag == "property_value":
                self._property_value(subject, value, line)

    def _stanza(self, stanza: _Stanza) -> None:
        identifiers = [(_plain(value), line) for tag, value, line in stanza.tags if tag == "id"]
        if len(identifiers) != 1 or not identifiers[0][0]:
            line = identifiers[-1][1] if len(identifiers) > 1 else stanza.line
            raise self._broken(line, f"expected one id in [{stanza.kind}], found {len(identifiers)}")
        subject = self._iri(identifiers[0][0])
        self.triples.add(subject, TYPE, _TYPES.get(stanza.kind, OBO_IN_OWL.iri + stanza.kind))
        parts: dict[str, list[str]] = {}
        for tag, value, line in stanza.tags:
            if not value:
                raise self._broken(line, f"{tag} has no value")
            if tag in ("intersection_of", "union_of"):
                words = self._words(value, line, 1)
                part = self._iri(words[0]) if len(words) == 1 else self.some(self._iri(words[0]), self._iri(words[1]))
                parts.setdefault(tag, []).append(part)
            elif tag != "id":
                self._statement(subject, stanza.kind, tag, value, line)
        for tag, nodes in parts.items():
            self.combined(subject, nodes, OWL.unionOf if tag == "union_of" else OWL.intersectionOf)

    def _statement(self, subject: str, kind: str, tag: str, value: str, line: int) -> None:
        if tag in _TEXTS:
            self.triples.add(subject, _TEXTS[tag], Text(_plain(value)))
        elif tag == "is_obsolete":
            if _plain(value) not in ("true", "false"):
                raise self._broken(line, f"is_obsolete is true or false, found {value!r}")
            if _plain(value) == "true":
                self.triples.add(subject, OWL.deprecated, TRUE)
        elif tag in _TO_OTHERS:
            property_ = RDFS.subPropertyOf if (kind, tag) == ("Typedef", "is_a") else _TO_OTHERS[tag]
            self.triples.add(subject, property_, self._iri(self._words(value, line, 1)[0]))
        elif tag == "relationship":
            property_, target, *_ = self._words(value, line, 2)
            self.triples.add(subject, RDFS.subClassOf, self.some(self._iri(property_), self._iri(target)))
        elif tag == "def" or tag.endswith("synonym"):
            self._quoted(subject, tag, value, line)
        elif tag == "xref" or tag.startswith("xref_"):
            self.triples.add(subject, XREF, Text(" ".join(self._words(value, line, 1))))
        elif tag == "property_value":
            self._property_value(subject, value, line)
        else:
            self.triples.add(subject, OBO_IN_OWL.iri + tag, Text(_plain(value)))

    def _quoted(self, subject: str, tag: str, value: str, line: int) -> None:
        """Add a definition or a synonym: a quoted text, its kind, and its sources in brackets."""
        tokens = self._tokens(value, line)
        if not tokens or tokens[0][0] != "quoted":
            raise self._broken(line, f"{tag} begins with a text in quotation marks, found {value[:40]!r}")
        words = [text for kind, text in tokens[1:] if kind == "word"]
        scope = words[0] if words and tag == "synonym" else tag.removesuffix("_synonym").upper()
        property_ = OBO.IAO_0000115 if tag == "def" else _SCOPES.get(scope, _SCOPES["RELATED"])
        listed = next((text for kind, text in tokens if kind == "xrefs"), "")
        sources = [_unescaped(found.group(1).strip()) for found in _LIST.finditer(listed)]
        self.stated(subject, property_, Text(_unescaped(tokens[0][1])), [source for source in sources if source])

    def _property_value(self, subject: str, value: str, line: int) -> None:
        tokens = self._tokens(value, line)
        if len(tokens) < 2 or tokens[0][0] != "word":
            raise self._broken(line, f"property_value is a property and a value, found {value[:40]!r}")
        named = _unescaped(tokens[0][1])
        space = next((prefix for prefix in _SPACES if named.startswith(f"{prefix}-")), "")
        property_ = self._iri(f"{space}:{named[len(space) + 1 :]}" if space else named)
        kind, text = tokens[1]
        if kind == "word":
            self.triples.add(subject, property_, self._iri(_unescaped(text)))
            return
        typed = self._iri(tokens[2][1]) if len(tokens) > 2 and tokens[2][0] == "word" else XSD.string
        self.triples.add(subject, property_, Text(_unescaped(text), "", "" if typed == XSD.string else typed))

    def _words(self, value: str, line: int, least: int) -> list[str]:
        """Return the words before the comment; too few are an error."""
        words = [_unescaped(text) for kind, text in self._tokens(value, line) if kind == "word"]
        if len(words) < least:
            raise self._broken(line, f"expected {least} identifiers, found {value[:40]!r}")
        return words

    def _tokens(self, value: str, line: int) -> list[tuple[str, str]]:
        tokens, at = [], 0
        while value[at:].strip():
            found = _TOKEN.match(value, at)
            if not found:
                opened = value[at:].lstrip()[:30]
                closing = {'"': "closing quotation mark", "[": "closing ]", "{": "closing }"}.get(opened[:1], "value")
                raise self._broken(line, f"expected a {closing}, found the end of the line after {opened!r}")
            if found.lastgroup == "comment":
                break
            tokens.append((str(found.lastgroup), found.group(str(found.lastgroup))))
            at = found.end()
        return tokens


def _plain(value: str) -> str:
    """Return an unquoted value without a comment or modifiers behind it."""
    return _unescaped(_END.sub("", value).strip())


def _unescaped(text: str) -> str:
    return _ESCAPE.sub(lambda match: _ESCAPES.get(match.group(1), match.group(1)), text) if "\\" in text else text
