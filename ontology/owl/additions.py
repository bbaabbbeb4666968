"""What a person added to a file of ours beyond what the model has, kept for the next version; and the digest.

A class may get a comment, a picture, a disjoint class or an owl:Restriction in an editor. Those statements have no
place in `ontology.model`; they are taken from the file as triples and written back with the next version. Annotations
of axioms that are no longer there are left out.

The digest of a file (oc:digest in its header) is over all its statements but the digest itself, in any order and
syntax, with blank nodes named by what is said of them. So a file that was saved anew has the digest that it was
written with, and one that was edited has another.
"""

from __future__ import annotations

from collections.abc import Iterable, Set
from contextlib import suppress
from datetime import datetime
from hashlib import blake2b

from ontology.owl.triples import Term, Text, Triple, Triples, canonical_names, is_blank, is_legible, renamed
from ontology.owl.vocabulary import AXIOM_ENDS, OC, OWL, RDFS, SKOS, TYPE, XSD

NO_ADDITIONS = Triples()
_NUMBERS = (XSD.double, XSD.decimal, XSD.integer)


def additions(triples: Triples, unused: Iterable[Triple], *, only_stated: bool = True) -> Triples:
    """Return what a file says beyond the model, to be written into its next version.

    Args:
        triples: content of the file.
        unused: the triples that the reader of the model had no use for.
        only_stated: whether the model has the other axioms as the file does; annotations of axioms that are not there
            are left out.

    Returns:
        The triples, with blank nodes named by their content.
    """
    kept = Triples()
    unused = set(unused)
    axioms = set(triples.of_type(OWL.Axiom))
    for subject, predicate, value in triples:
        if (subject, predicate, value) not in unused:
            continue
        if subject in axioms:
            if not _is_there(triples, subject, unused, only_stated):
                continue
            for end in (TYPE, *AXIOM_ENDS):
                for node in triples.objects(subject, end):
                    kept.add(subject, end, node)
        kept.add(subject, predicate, value)
    for ontology, imported in triples.pairs(OWL.imports):
        kept.add(ontology, OWL.imports, imported)
    return renamed(kept, canonical_names(kept))


def _is_there(triples: Triples, axiom: str, unused: Set[Triple], only_stated: bool) -> bool:
    """Return whether the axiom that a node annotates is kept, or is one of the model."""
    source, predicate = (triples.node(axiom, end) for end in AXIOM_ENDS[:2])
    target = next(iter(triples.objects(axiom, AXIOM_ENDS[2])), None)
    if source is None or predicate is None or target is None or target not in triples.objects(source, predicate):
        return not only_stated
    if (source, predicate, target) in unused:
        return True
    return only_stated and not is_blank(source) and not is_blank(target)


def legible_only(triples: Triples) -> Triples:
    """Return the triples whose texts all formats can hold; XML has no control characters."""
    return renamed((t for t in triples if not isinstance(t[2], Text) or is_legible(t[2].value)), {})


def _with_named_blanks(triples: Triples) -> Triples:
    """Return triples with each blank node named by a digest of what is said of it, as digests of files need it."""
    names: dict[str, str] = {}

    def name(node: Term, above: tuple[str, ...] = ()) -> Term:
        if not isinstance(node, str) or not is_blank(node):
            return node
        if node in above:  # a circle of blank nodes
            return f"_:circle{above.index(node)}"
        if node not in names or above:
            said = sorted(
                repr((p, name(o, (*above, node)))) for p in triples.predicates(node) for o in triples.objects(node, p)
            )
            named = "_:n" + blake2b("\n".join(said).encode(), digest_size=8).hexdigest()
            if above:
                return named
            names[node] = named
        return names[node]

    result = Triples()
    for subject, predicate, value in triples:
        result.add(str(name(subject)), predicate, name(value))
    return result


def merged(triples: Triples, more: Triples) -> Triples:
    """Return the triples of both."""
    result = Triples()
    for source in (triples, more):
        for triple in source:
            result.add(*triple)
    return result


def digest(triples: Triples) -> str:
    """Return the digest of a file's statements, 16 hexadecimal digits; the digest that it states is left out.

    >>> one, other = Triples(), Triples()
    >>> for blank, triples in (("_:a", one), ("_:b", other)):
    ...     triples.add("https://example.org/o", "https://example.org/p", blank)
    ...     triples.add(blank, "https://example.org/q", Text("flood", "en"))
    >>> digest(one) == digest(other), digest(one) == digest(NO_ADDITIONS)
    (True, False)
    """
    plain = Triples()
    for subject, predicate, value in triples:
        if predicate != OC.digest:
            plain.add(subject, predicate, _in_one_form(value))
    lines = sorted(map(repr, _with_named_blanks(plain)))
    return blake2b("\n".join(lines).encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def _in_one_form(value: Term) -> Term:
    """Return a number or a time as all programs save it: 0.5 is 5E-01, and some save seven digits only."""
    if isinstance(value, Text):
        with suppress(ValueError):
            if value.datatype in _NUMBERS:
                return Text(f"{float(value.value):.6g}", "", XSD.double)
            if value.datatype == XSD.dateTime:
                return Text(datetime.fromisoformat(value.value).isoformat(), "", XSD.dateTime)
    return value


def stated_digest(triples: Triples) -> str:
    """Return the digest that a file was written with; empty for a file without one."""
    return next((o.value for _, o in triples.pairs(OC.digest) if isinstance(o, Text)), "")


def seal(triples: Triples) -> None:
    """Add the digest of the statements to the header of an ontology."""
    header = next(subject for subject, _ in triples.pairs(OC.kind))
    triples.add(OC.digest, TYPE, OWL.AnnotationProperty)
    triples.add(OC.digest, RDFS.label, Text("内容摘要值", "zh"))
    triples.add(OC.digest, RDFS.label, Text("digest of the content", "en"))
    triples.add(header, OC.digest, Text(digest(triples)))


def readable(triples: Triples, built: Triples) -> Triples:
    """Return an edited file so that the model can hold it.

    A class that got a second label in a language has the new one as its label, and the one before as another name; what
    has a superclass, or is one, is a class.

    Args:
        triples: content of the edited file.
        built: content of the file as it was built.
    """
    result = merged(triples, NO_ADDITIONS)
    for source, target in triples.pairs(RDFS.subClassOf):
        for node in (source, target):
            if isinstance(node, str) and not is_blank(node) and not triples.objects(node, TYPE):
                result.add(node, TYPE, OWL.Class)
    second = {}
    for iri in triples.of_type(OWL.Class):
        for language in ("zh", "en"):
            labels = [o for o in triples.objects(iri, RDFS.label) if isinstance(o, Text) and _in(o, language)]
            before = built.objects(iri, RDFS.label)
            if len(labels) > 1:
                new = next((label for label in reversed(labels) if label not in before), labels[-1])
                second.update({(iri, label): new for label in labels if label != new})
    return _with_one_label(result, second) if second else result


def _in(text: Text, language: str) -> bool:
    return text.language.lower() == language


def _with_one_label(triples: Triples, second: dict[tuple[str, Text], Text]) -> Triples:
    result = Triples()
    for subject, predicate, value in triples:
        further = predicate == RDFS.label and (subject, value) in second
        result.add(subject, SKOS.altLabel if further else predicate, value)
    return result
