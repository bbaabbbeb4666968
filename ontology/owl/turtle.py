"""Turtle (W3C, RDF 1.1 Turtle, 2014) in one canonical form: one statement per line.

So an added or removed statement is one line in the difference of two versions.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ontology.owl import order
from ontology.owl.triples import Term, Text, Triples, is_blank, prefixes
from ontology.owl.vocabulary import OC, PREFIXES, TYPE, XSD, local_part, namespace_of

SAFE = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")
"""Local parts that every reader of Turtle and of functional syntax accepts after a prefix."""
_INTEGER = re.compile(r"-?[0-9]+")
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_ESCAPED = re.compile(r"[\\\"\n\r\t]")


def serialise(triples: Triples) -> str:
    """Return the triples as Turtle; the namespace of the root concept has the empty prefix."""
    return "".join(_Writer(triples).lines())


def quoted(text: str) -> str:
    """Return a string of Turtle or N-Triples."""
    return f'"{_ESCAPED.sub(lambda match: _ESCAPES[match.group()], text)}"'


def own_namespace(triples: Triples) -> str:
    """Return the namespace of the root concept, or "" if there is none or it has a prefix."""
    root = next((str(o) for s in triples.subjects() for o in triples.objects(s, OC.root)), "")
    space = namespace_of(root)
    return "" if space in PREFIXES.values() else space


class _Writer:
    def __init__(self, triples: Triples) -> None:
        self._triples = triples
        namespace = own_namespace(triples)
        declared = {prefix: space for prefix, space in prefixes(triples, of_build=True).items() if space != namespace}
        self._prefixes = {"": namespace} | declared if namespace else declared
        self._of_space = {space: prefix for prefix, space in self._prefixes.items()}
        counts = order.references(triples)
        self._inside = {b for b, n in counts.items() if n == 1 and not self._in_a_circle(b)}
        self._named = {b for b in counts if b not in self._inside}

    def lines(self) -> Iterator[str]:
        for prefix, space in self._prefixes.items():
            yield f"@prefix {prefix}: <{space}> .\n"
        for subject in order.subjects(self._triples):
            if subject in self._inside:
                continue
            statements = [f"{self._verb(p)} {self._term(o)}" for p, o in order.statements(self._triples, subject)]
            yield f"\n{self._subject(subject)} " + " ;\n    ".join(statements)
            yield " ;\n    .\n" if len(statements) > 1 else " .\n"

    def _in_a_circle(self, blank: str) -> bool:
        """Return whether a blank node is somewhere below itself; such a one cannot be written inside another."""
        seen: set[str] = set()
        waiting = [blank]
        while waiting:
            node = waiting.pop()
            for predicate in self._triples.predicates(node):
                for value in self._triples.objects(node, predicate):
                    if value == blank:
                        return True
                    if is_blank(value) and value not in seen:
                        seen.add(str(value))
                        waiting.append(str(value))
        return False

    def _subject(self, node: str) -> str:
        if is_blank(node):
            return node if node in self._named else "[]"
        return self._iri(node)

    def _verb(self, predicate: str) -> str:
        return "a" if predicate == TYPE else self._iri(predicate)

    def _term(self, term: Term) -> str:
        if isinstance(term, Text):
            if term.datatype == XSD.integer and _INTEGER.fullmatch(term.value):
                return term.value
            mark = f"@{term.language}" if term.language else f"^^{self._iri(term.datatype)}" if term.datatype else ""
            return quoted(term.value) + mark
        if term in self._inside:
            inner = (f"{self._verb(p)} {self._term(o)}" for p, o in order.statements(self._triples, term))
            return f"[ {' ; '.join(inner)} ]"
        return term if is_blank(term) else self._iri(term)

    def _iri(self, iri: str) -> str:
        prefix = self._of_space.get(namespace_of(iri))
        local = local_part(iri)
        return f"{prefix}:{local}" if prefix is not None and SAFE.fullmatch(local) else f"<{iri}>"
