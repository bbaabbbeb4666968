"""Labels and IRIs of the classes of a learned ontology, found classes included."""

from __future__ import annotations

from ontology.class_labels import ClassLabels
from ontology.evidence import TermCorpus
from ontology.iris import IriRegister, namespace
from ontology.model import Document
from ontology.terms.lexicon import Entry, Lexicon

LEXICON = Lexicon((Entry("梗死", "infarction", ("梗塞",)),))
PAPER = Document(
    "p1", "", keywords=("急性心肌梗死", "心肌梗死"), keywords_en=("Acute Infarction", "Myocardial Infarction")
)


def labels(found: tuple[str, ...], *terms: str) -> ClassLabels:
    corpus = TermCorpus((PAPER,), terms, LEXICON)
    return ClassLabels.of(corpus, {"医学": "medicine"}, IriRegister(namespace("medicine")), found)


def test_found_classes_get_english_labels_from_keywords_and_the_lexicon() -> None:
    of_class = labels(("心肌梗死", "梗死"), "急性心肌梗死")
    by_keyword, by_lexicon = of_class.concept(("心肌梗死",)), of_class.concept(("梗死",))
    assert (by_keyword.label_zh, by_keyword.label_en) == ("心肌梗死", "myocardial infarction")
    assert by_keyword.iri.endswith("#MyocardialInfarction")
    assert (by_lexicon.label_en, by_lexicon.alt_zh) == ("infarction", ("梗塞",))


def test_an_english_found_class_has_an_english_label_only() -> None:
    concept = labels(("kidney injury",), "acute kidney injury").concept(("kidney injury",))
    assert (concept.label_zh, concept.label_en) == ("", "kidney injury")
    assert concept.iri.endswith("#KidneyInjury")


def test_no_two_classes_have_one_english_label() -> None:
    of_class = labels(("myocardial infarction", "心肌梗死"), "急性心肌梗死")
    assert of_class.concept(("心肌梗死",)).label_en is None
    assert of_class.concept(("myocardial infarction",)).label_en == "myocardial infarction"


def test_found_classes_get_an_iri_when_they_are_used() -> None:
    of_class = labels(("心肌梗死", "梗死"), "急性心肌梗死")
    assert set(of_class.register.entries) == {"医学", "急性心肌梗死"}
    of_class.concept(("心肌梗死",))
    assert set(of_class.register.entries) == {"医学", "急性心肌梗死", "心肌梗死"}
