"""The classes of a learned ontology: labels in two languages, and IRIs, for the terms of a hierarchy.

English labels come from the topic, the lexicon, a curated class, or the English keywords that authors list beside the
Chinese ones. No two classes get the same one.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from ontology.evidence import TermCorpus
from ontology.iris import IriRegister
from ontology.model import Concept, Document
from ontology.terms.lexicon import EMPTY, Lexicon
from ontology.terms.wordforms import has_han


@dataclass(frozen=True)
class ClassLabels:
    """Labels and IRIs of classes.

    Args:
        english: Chinese label -> English label.
        lexicon: its synonyms are further labels.
        register: assigns an IRI to every label.
    """

    english: Mapping[str, str]
    lexicon: Lexicon
    register: IriRegister

    @classmethod
    def of(
        cls, corpus: TermCorpus, roots: Mapping[str, str], register: IriRegister, found: Collection[str] = ()
    ) -> ClassLabels:
        """Label the terms of a corpus and the classes above them.

        Args:
            corpus: the documents with their terms.
            roots: Chinese label -> English label of the roots.
            register: assigns an IRI to every label, the roots first, then the terms in their order.
            found: the labels of found classes (`ontology.hierarchy.from_claims`); they get an IRI when they are used.

        Returns:
            The labels of the terms, of the upper classes and of the found ones.
        """
        labels = cls(_english_labels(corpus, roots, sorted(found)), corpus.lexicon, register)
        for label in (*roots, *corpus.terms):
            register.iri(label, labels.english.get(label))
        return labels

    def concept(self, terms: tuple[str, ...]) -> Concept:
        """Make the class of equivalent terms.

        Args:
            terms: the term that is the label, then the others. One without a Chinese character, of English papers, is
                an English label.

        Returns:
            The class, with the lexicon's synonyms as further labels.
        """
        chinese = [t for t in terms if has_han(t)]
        entries = [entry for t in terms if (entry := self.lexicon.entry(t))]
        zh = (*chinese, *(s for e in entries for s in e.synonyms_zh))
        english = (*(self.english.get(t) for t in chinese), *(t for t in terms if not has_han(t)))
        en = (*(w for w in english if w), *(s for e in entries for s in e.synonyms_en))
        label_zh = chinese[0] if chinese else ""
        label_en = self.english.get(label_zh) if chinese else terms[0]
        return Concept(
            iri=self.register.iri(terms[0], label_en),
            label_zh=label_zh,
            label_en=label_en,
            alt_zh=tuple(dict.fromkeys(w for w in zh if w != label_zh)),
            alt_en=tuple(dict.fromkeys(w for w in en if w != label_en)),
        )


def _english_labels(corpus: TermCorpus, roots: Mapping[str, str], found: Sequence[str]) -> dict[str, str]:
    paired = paired_keywords(corpus.documents, corpus.lexicon)
    curated = {c.label: c.label_en for c in corpus.upper_classes.classes}
    labels = dict(roots)
    used = {label.casefold() for label in roots.values()}
    names = (*corpus.labels, *found)
    used |= {name.casefold() for name in names if not has_han(name)}
    for name in names:
        label = corpus.lexicon.english(name) or curated.get(name) or paired.get(name)
        if name not in labels and label and label.casefold() not in used:
            labels[name] = label
            used.add(label.casefold())
    return labels


def paired_keywords(documents: Sequence[Document], lexicon: Lexicon = EMPTY) -> dict[str, str]:
    """Pair Chinese keywords with English ones, from records with as many of each.

    Args:
        documents: the records.
        lexicon: maps synonyms to one form.

    Returns:
        Chinese keyword -> the English keyword most often at its position.

    >>> paired_keywords([Document("d1", "", keywords=("洪水", "干旱"), keywords_en=("Flood", "Drought"))])
    {'干旱': 'drought', '洪水': 'flood'}
    """
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for document in documents:
        if len(document.keywords) == len(document.keywords_en):
            for zh, en in zip(document.keywords, document.keywords_en, strict=True):
                counts[lexicon.canonical(zh)][_lower(en)] += 1
    return {zh: min(of_zh, key=lambda en: (-of_zh[en], en)) for zh, of_zh in sorted(counts.items())}


def _lower(label: str) -> str:
    """Return a label in lower case, except words with a capital after the first letter (GIS, pH) and single letters."""
    words = (w.lower() if len(w) > 1 and w[1:].islower() else w for w in label.split())
    return " ".join(words)
