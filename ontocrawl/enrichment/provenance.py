"""Where the axioms that persons decided come from: ``TOPIC-provenance.ttl``, in the terms of PROV-O (W3C 2013).

* Each decided axiom, as an owl:Axiom node: prov:wasGeneratedBy the decision, prov:wasDerivedFrom the pages.
* A decision, a prov:Activity: what it says, when it was made (prov:endedAtTime), by whom (prov:wasAssociatedWith), why.
* A page as a crawl fetched it, a prov:Entity: its URL (dcterms:source), when it was fetched (prov:generatedAtTime), by
  which crawl, the sentences, and the score of the proposal.

Times and names of persons are in this file and in the records of decisions only, so that the same decisions make the
same ontology files.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from urllib.parse import quote

from ontocrawl.topics.reviewed import Reviewed
from ontocrawl.versions.releases import Left, Release
from ontology.decisions import Decision
from ontology.decisions.decision import CLASS, NAMES
from ontology.enrichment import PageSentence
from ontology.model import RelationKind
from ontology.owl.contents import date_type, is_date
from ontology.owl.formats import BY_NAME, TURTLE
from ontology.owl.triples import Term, Text, Triples, checked_iri, checked_text
from ontology.owl.vocabulary import (
    AXIOM_ENDS,
    DCTERMS,
    NAMED,
    OC,
    OWL,
    PROV,
    RDFS,
    RESTRICTED,
    SKOS,
    TYPE,
    XSD,
    OwlError,
)
from ontology.printable import printable
from ontology.terms.wordforms import has_han

_AGENT = "person"


def turtle(release: Release, left: Left, verdicts: Sequence[Reviewed]) -> str:
    """Return the origin of the decided axioms of a version, as Turtle.

    Args:
        release: the version.
        left: the decisions, with the IRIs of the classes that they name.
        verdicts: the verdicts that count, each with its proposal.
    """
    made = _Origins(release, left, verdicts)
    for decision in release.decided.decisions:
        made.add(decision)
    return BY_NAME[TURTLE].write(made.triples)


class _Origins:
    """The triples of the file, while they are made."""

    def __init__(self, release: Release, left: Left, verdicts: Sequence[Reviewed]) -> None:
        self.triples = Triples()
        self._base = release.ontologies[0].version_iri
        self._release = release
        self._resolve = left.resolve
        self._verdict: Mapping[str, Reviewed] = {id_: v for v in verdicts for id_ in v.decisions}
        self._idle = {r.decision.id for r in release.decided.idle}
        self._people: dict[str, str] = {}
        self._pages: dict[tuple[str, str, str], str] = {}
        for ontology in release.ontologies:
            self.triples.add(ontology.version_iri, TYPE, PROV.Entity)
            was = release.before.get(ontology.iri)
            if was is not None:
                self.triples.add(ontology.version_iri, PROV.wasRevisionOf, was.ontology.version_iri)

    def add(self, decision: Decision) -> None:
        """Add a decision with its axioms and pages."""
        activity = self._activity(decision)
        verdict = self._verdict.get(decision.id.rpartition("/")[2])
        pages = [] if verdict is None else [self._page(s, verdict) for s in verdict.proposal.sentences]
        for page in dict.fromkeys(pages):
            self.triples.add(activity, PROV.used, page)
        for number, axiom in enumerate(self._axioms(decision)):
            node = f"{activity}/axiom{number or ''}"
            self.triples.add(node, TYPE, OWL.Axiom)
            for end, value in zip(AXIOM_ENDS, axiom, strict=True):
                self.triples.add(node, end, value)
            self.triples.add(node, PROV.wasGeneratedBy, activity)
            for page in dict.fromkeys(pages):
                self.triples.add(node, PROV.wasDerivedFrom, page)

    def _activity(self, d: Decision) -> str:
        node = f"{self._base}/decision/{quote(d.id, safe='/')}"
        words = " ".join(filter(None, (d.action, d.term, d.relation, d.value, d.language)))
        self.triples.add(node, TYPE, PROV.Activity)
        self.triples.add(node, RDFS.label, _text(words))
        self.triples.add(node, DCTERMS.identifier, _text(d.id))
        if is_date(d.when):
            self.triples.add(node, PROV.endedAtTime, _time(d.when))
        if d.who:
            self.triples.add(node, PROV.wasAssociatedWith, self._person(d.who))
        if d.why:
            self.triples.add(node, RDFS.comment, _text(d.why))
        return node

    def _person(self, name: str) -> str:
        if name not in self._people:
            self._people[name] = node = f"{self._base}/{_AGENT}/{quote(name, safe='')}"
            self.triples.add(node, TYPE, PROV.Person)
            self.triples.add(node, RDFS.label, _text(name))
        return self._people[name]

    def _page(self, sentence: PageSentence, verdict: Reviewed) -> str:
        """Return the node of a page as one crawl fetched it, for one proposal."""
        key = verdict.id, sentence.url, sentence.run
        if key not in self._pages:
            self._pages[key] = node = f"{self._base}/page/{len(self._pages) + 1}"
            self.triples.add(node, TYPE, PROV.Entity)
            self.triples.add(node, DCTERMS.source, _url(sentence.url))
            self.triples.add(node, DCTERMS.relation, _text(verdict.id))
            self.triples.add(node, OC.score, Text(repr(float(verdict.proposal.score)), "", XSD.double))
            if is_date(sentence.fetched):
                self.triples.add(node, PROV.generatedAtTime, _time(sentence.fetched))
            if sentence.run:
                self.triples.add(node, DCTERMS.isPartOf, _text(sentence.run))
        self.triples.add(self._pages[key], OC.sentence, _text(sentence.text))
        return self._pages[key]

    def _axioms(self, d: Decision) -> Iterator[tuple[str, str, Term]]:
        """Yield source, property and target of the axioms that a decision put into the ontologies."""
        if d.action not in ("accept", "move", "rename", "translate", "define") or d.id in self._idle or not d.term:
            return
        term = self._resolve(d.term)
        concept = self._release.ontologies[0].by_iri.get(term)
        if concept is None:
            return
        if d.is_edge:
            yield from self._edge(term, d.relation, self._resolve(d.value))  # type: ignore[arg-type]
        elif d.relation == CLASS:
            yield term, TYPE, OWL.Class
        elif d.relation in NAMES:
            language = d.language or ("zh" if has_han(d.value) else "en")
            yield term, SKOS.altLabel, Text(d.value, language)
        elif d.action == "define" and d.value:
            yield term, SKOS.definition, Text(d.value, d.language)
        elif d.action in ("rename", "translate") and not d.relation:
            yield term, RDFS.label, Text(d.value, d.language)

    def _edge(self, source: str, kind: RelationKind, target: str) -> Iterator[tuple[str, str, Term]]:
        """Yield the axiom of an edge that is there; its target may be another than was decided, after a merge."""
        if kind in NAMED:
            ends = {(r.source, r.target) for o in self._release.ontologies for r in o.edges(kind)}
            if (source, target) in ends or (target, source) in ends:
                yield source, NAMED[kind], target
            return
        if any((r.source, r.target) == (source, target) for o in self._release.ontologies for r in o.edges(kind)):
            yield source, RESTRICTED[kind], target


def _time(text: str) -> Text:
    return Text(text, "", XSD.iri + date_type(text, "time"))


def _text(value: str) -> Text:
    """Return a literal of a text of the Web or of a person, without characters that XML does not allow."""
    return checked_text("".join(c for c in printable(value) if c not in "\ufffe\uffff"))


def _url(url: str) -> Term:
    try:
        return checked_iri(url)
    except OwlError:
        return _text(url)
