"""OBO flat files to triples (OBO Flat File Format 1.4, with what 1.2 has besides), by their mapping to OWL 2.

* id A:1: http://purl.obolibrary.org/obo/A_1, or what the header's ``idspace`` says; a relation without a prefix is the
  one that the xref of its [Typedef] names
* name, def, synonym, xref, replaced_by, is_obsolete: rdfs:label, IAO_0000115, oboInOwl, IAO_0100001, owl:deprecated
* qualifiers ({source="A:1"}) and the sources of definitions and synonyms: annotations of the statement
* is_a: rdfs:subClassOf; relationship: subclass of some values; intersection_of: a defining intersection
* all other tags: properties of oboInOwl, so that readers can report them

Errors name the line. What only hints at a mistake (unknown tags and stanzas, missing declarations) is no error.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from urllib.parse import quote

from ontology.owl.deprecation import TRUE
from ontology.owl.obo_mapping import SPACES, Annotation, Builder, iri_of
from ontology.owl.triples import Text, Triples
from ontology.owl.vocabulary import (
    OBO,
    OBO_IN_OWL,
    OWL,
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
_END = re.compile(r"(?<!\\)(?:\s+!.*|\s+(\{[^{}]*=[^{}]*\})\s*(?:!.*)?)$")
_QUALIFIER = re.compile(r'([^\s,{}="]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,{}"]+))')
_ESCAPE = re.compile(r"\\(.)")
_ESCAPES = {"n": "\n", "t": "\t", "W": " "}
_LINE = re.compile(r"([A-Za-z][\w-]*)\s*:\s*(.*)", re.DOTALL)
_LIST = re.compile(r'\s*((?:[^,"\\\s]|\\.)(?:[^,"\\]|\\.)*)("(?:[^"\\]|\\.)*")?\s*,?')
_TYPES = {"Term": OWL.Class, "Typedef": OWL.ObjectProperty, "Instance": OWL.NamedIndividual}
_METADATA = "is_metadata_tag"
"""Tag of a [Typedef] that is an annotation property."""
_SCOPES = {
    scope: OBO_IN_OWL.iri + f"has{scope.capitalize()}Synonym" for scope in ("EXACT", "BROAD", "NARROW", "RELATED")
}
_SYNONYM_TYPE = OBO_IN_OWL.hasSynonymType
_TO_OTHERS = {
    "is_a": RDFS.subClassOf, "equivalent_to": OWL.equivalentClass, "disjoint_from": OWL.disjointWith,
    "replaced_by": REPLACED_BY[0], "consider": OBO_IN_OWL.consider, "instance_of": TYPE,
}  # fmt: skip
_TEXTS = {"comment": RDFS.comment, "namespace": OBO_IN_OWL.hasOBONamespace}
_SYNTAX = ("format-version", "ontology", "idspace", "data-version")
"""Tags of the header that say how the file is to be read, or have a place of their own."""
_HEADER = {
    "data-version": OWL.versionInfo, "remark": RDFS.comment, "default-namespace": OBO_IN_OWL.hasOBONamespace,
}  # fmt: skip


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


class _Reading(Builder):
    def __init__(self, name: str) -> None:
        super().__init__()
        self._name = name
        self._spaces = dict(SPACES)
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
        return OwlError("owl.line_not_obo_read", name=self._name, line=line, reason=reason)

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
            for tag, value, line in header.tags:
                if tag not in _SYNTAX:
                    self._leave(f"header: {tag}, in a file without a name (ontology:)", value, line)
            return
        self.triples.add(subject, TYPE, OWL.Ontology)
        version = quote(_plain(header.first("data-version")), safe="+/")
        if version:
            end = f"/{self._ontology}.owl" if ":" not in self._ontology else ""
            self.triples.add(subject, OWL.versionIRI, f"{subject.removesuffix('.owl').rstrip('/#')}/{version}{end}")
        for tag, value, line in header.tags:
            if tag in _HEADER:
                self.triples.add(subject, _HEADER[tag], Text(_plain(value)))
            elif tag == "import":
                self.triples.add(subject, OWL.imports, _plain(value))
            elif tag == "property_value":
                self._property_value(subject, value, line)
            elif tag not in _SYNTAX:
                self.triples.add(subject, OBO_IN_OWL.iri + tag, Text(_plain(value)))

    def _stanza(self, stanza: _Stanza) -> None:
        identifiers = [(_plain(value), line) for tag, value, line in stanza.tags if tag == "id"]
        if len(identifiers) != 1 or not identifiers[0][0]:
            line = identifiers[-1][1] if len(identifiers) > 1 else stanza.line
            raise self._broken(line, f"expected one id in [{stanza.kind}], found {len(identifiers)}")
        subject = self._iri(identifiers[0][0])
        is_metadata = stanza.kind == "Typedef" and _plain(stanza.first(_METADATA)) == "true"
        type_ = OWL.AnnotationProperty if is_metadata else _TYPES.get(stanza.kind, OBO_IN_OWL.iri + stanza.kind)
        self.triples.add(subject, TYPE, type_)
        parts: dict[str, list[str]] = {}
        for tag, value, line in stanza.tags:
            if not value:
                raise self._broken(line, f"{tag} has no value")
            if tag in ("intersection_of", "union_of"):
                words = self._words(value, line, 1, 2)
                for mark in self._marks(value, line):
                    self._leave(f"qualifier of {tag}", f"{mark[0]}={mark[1]}", line)
                part = self._iri(words[0]) if len(words) == 1 else self.some(self._iri(words[0]), self._iri(words[1]))
                parts.setdefault(tag, []).append(part)
            elif tag not in ("id", "name", _METADATA):
                self._statement(subject, stanza.kind, tag, value, line)
        for tag, nodes in parts.items():
            self.combined(subject, nodes, OWL.unionOf if tag == "union_of" else OWL.intersectionOf)
        for name in (value for tag, value, _ in stanza.tags if tag == "name"):
            self.named(subject, _plain(name), self._qualified(name))

    def _statement(self, subject: str, kind: str, tag: str, value: str, line: int) -> None:
        if tag in _TEXTS:
            self.stated(subject, _TEXTS[tag], Text(_plain(value)), self._qualified(value))
        elif tag == "is_obsolete":
            if _plain(value) not in ("true", "false"):
                raise self._broken(line, f"is_obsolete is true or false, found {value!r}")
            if _plain(value) == "true":
                self.stated(subject, OWL.deprecated, TRUE, self._qualified(value))
        elif tag in _TO_OTHERS:
            property_ = RDFS.subPropertyOf if (kind, tag) == ("Typedef", "is_a") else _TO_OTHERS[tag]
            self.stated(subject, property_, self._iri(self._words(value, line, 1, 1)[0]), self._marks(value, line))
        elif tag == "relationship":
            property_, target, *_ = self._words(value, line, 2, 2)
            node = self.some(self._iri(property_), self._iri(target))
            self.stated(subject, RDFS.subClassOf, node, self._marks(value, line))
        elif tag == "def" or tag.endswith("synonym"):
            self._quoted(subject, tag, value, line)
        elif tag == "xref" or tag.startswith("xref_"):
            said = [text for kind, text in self._tokens(value, line) if kind == "quoted"]
            marks: list[Annotation] = [(RDFS.label, Text(_unescaped(text))) for text in said if text]
            words = " ".join(self._words(value, line, 1))
            self.stated(subject, XREF, Text(words), [*marks, *self._marks(value, line)])
        elif tag == "property_value":
            self._property_value(subject, value, line)
        else:
            self.stated(subject, OBO_IN_OWL.iri + tag, Text(_plain(value)), self._qualified(value))

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
        for found in _LIST.finditer(listed):
            if found.group(2):
                self._leave(f"text of a source of {tag}", found.group().strip(" ,"), line)
        annotations: list[Annotation] = [(XREF, Text(source)) for source in sources if source]
        annotations += [
            (_SYNONYM_TYPE, Text(_unescaped(word))) for word in words if tag != "def" and word not in _SCOPES
        ]
        annotations += self._marks(value, line)
        self.stated(subject, property_, Text(_unescaped(tokens[0][1])), annotations, is_slot=True)

    def _property_value(self, subject: str, value: str, line: int) -> None:
        tokens = self._tokens(value, line)
        if len(tokens) < 2 or tokens[0][0] != "word":
            raise self._broken(line, f"property_value is a property and a value, found {value[:40]!r}")
        named = _unescaped(tokens[0][1])
        space = next((prefix for prefix in SPACES if named.startswith(f"{prefix}-")), "")
        property_ = self._iri(f"{space}:{named[len(space) + 1 :]}" if space else named)
        kind, text = tokens[1]
        listed = (found.group(1) for k, t in tokens[2:] if k == "xrefs" for found in _LIST.finditer(t))
        marks: list[Annotation] = [(XREF, Text(_unescaped(source.strip()))) for source in listed]
        marks += self._marks(value, line)
        if kind == "word":
            self.stated(subject, property_, self._iri(_unescaped(text)), marks)
            return
        typed = self._iri(tokens[2][1]) if len(tokens) > 2 and tokens[2][0] == "word" else XSD.string
        self.stated(subject, property_, Text(_unescaped(text), "", "" if typed == XSD.string else typed), marks)

    def _marks(self, value: str, line: int) -> list[Annotation]:
        """Return what the qualifiers of a value say."""
        rows = [text for kind, text in self._tokens(value, line) if kind == "modifiers"]
        return [row for text in rows for row in self._qualifiers(text)]

    def _qualified(self, value: str) -> list[Annotation]:
        """Return what the qualifiers behind an unquoted value say."""
        end = _END.search(value)
        return self._qualifiers(end.group(1) or "") if end else []

    def _qualifiers(self, text: str) -> list[Annotation]:
        found = (
            (_unescaped(m.group(1)), _unescaped(m.group(2) or m.group(3) or "")) for m in _QUALIFIER.finditer(text)
        )
        return [(self._iri(key) if ":" in key else OBO_IN_OWL.iri + key, Text(said)) for key, said in found]

    def _words(self, value: str, line: int, least: int, most: int = 0) -> list[str]:
        """Return the words before the comment; too few are an error, too many are counted."""
        words = [_unescaped(text) for kind, text in self._tokens(value, line) if kind == "word"]
        if len(words) < least:
            raise self._broken(line, f"expected {least} identifiers, found {value[:40]!r}")
        for word in words[most:] if most else ():
            self._leave("word behind an identifier", word, line)
        return words[: most or None]

    def _leave(self, reason: str, text: str, line: int) -> None:
        """Count something that has no place in OWL."""
        self.triples.left.setdefault(reason, []).append(f"line {line}: {text[:60]}")

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
