"""A corpus in traditional characters gives the hierarchy of its simplified conversion; names are shown as written."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from unicodedata import normalize

import numpy as np
import pytest

from ontology.build import TopicSpec, learn
from ontology.corpus import read
from ontology.enrichment.extraction import propose
from ontology.evidence import skeleton
from ontology.iris import IriRegister, namespace
from ontology.learn_options import LearnOptions
from ontology.model import Document, Ontology
from ontology.terms import contrast_terms
from ontology.terms.form_matcher import AsWritten, in_simplified
from ontology.terms.lexicon import Entry, Lexicon, bundled
from ontology.terms.occurrences import term_counts
from ontology.terms.wordforms import has_han, simplified
from tests.ontology.enrichment.small_web import ontology, web
from tests.traditional import traditional

TOPIC = TopicSpec("storms", "暴雨灾害", "rainstorm disaster")
SAMPLE = Path(__file__).parents[3] / "ontocrawl" / "sample" / "abstracts.txt"
OPTIONS = LearnOptions(bundled("earth"), upper_classes=skeleton(field="earth"), min_documents=2)


def corpus() -> list[Document]:
    """Return the abstracts of the package, with ids in Chinese."""
    return [replace(d, id=f"文献{n}") for n, d in enumerate(read(SAMPLE).documents)]


def written(document: Document, taiwan: bool) -> Document:
    """Return a document in traditional characters."""
    return replace(
        document,
        title=traditional(document.title, taiwan=taiwan),
        abstract=traditional(document.abstract, taiwan=taiwan),
        keywords=tuple(traditional(k, taiwan=taiwan) for k in document.keywords),
    )


def edges(ontology: Ontology) -> set[tuple[str, str, str]]:
    return {
        (simplified(ontology.by_iri[r.source].label), r.kind, simplified(ontology.by_iri[r.target].label))
        for r in ontology.relations
    }


@pytest.mark.slow
@pytest.mark.parametrize("taiwan", [False, True])
def test_a_traditional_corpus_gives_the_same_hierarchy(taiwan: bool) -> None:
    plain = learn(corpus(), TOPIC, OPTIONS)
    documents = [written(d, taiwan) for d in corpus()]
    other = learn(documents, TOPIC, OPTIONS)
    assert edges(other.global_ontology) == edges(plain.global_ontology) != set()
    assert [c.iri for c in other.global_ontology.concepts] == [c.iri for c in plain.global_ontology.concepts]
    labels = {c.label for c in other.global_ontology.concepts}
    assert {"颱風", "強降水" if taiwan else "洪澇"} <= labels
    assert TOPIC.label_zh in labels  # as the user writes it
    text = "".join("\n".join((*(d.title for d in documents), *(d.abstract for d in documents))).split())
    sentences = [r.sentence for r in other.global_ontology.relations if has_han(r.sentence)]
    assert sentences and all("".join(s.split()) in normalize("NFKC", text) for s in sentences)
    assert {d for r in other.global_ontology.relations for d in r.documents} <= {d.id for d in documents}
    assert other.global_ontology.version != plain.global_ontology.version
    assert other.context.objects == plain.context.objects
    assert [simplified(a) for a in other.context.attributes] == [*plain.context.attributes]
    assert len(other.placed) == len(plain.placed)


def test_a_lexicon_and_lists_in_the_other_script_are_used() -> None:
    lexicon = Lexicon((Entry("颱風", "typhoon (a storm)", ("熱帶風暴",)),))
    options = LearnOptions(lexicon, upper_classes=OPTIONS.upper_classes, min_documents=2, required_terms=("城市內澇",))
    learned = learn(corpus(), TOPIC, options)
    typhoon = next(c for c in learned.global_ontology.concepts if c.label_en == "typhoon (a storm)")
    assert (typhoon.label_zh, typhoon.alt_zh) == ("台风", ("熱帶風暴",))
    assert any(t.text == "城市内涝" for t in learned.terms)


def test_terms_are_counted_in_both_scripts() -> None:
    documents = [Document("a", "颱風與台风", keywords=("熱帶氣旋",)), Document("b", "暴雨")]
    lexicon = Lexicon((Entry("台风", "typhoon", ("热带气旋",)),))
    assert term_counts(documents, ["颱風", "暴雨"], lexicon) == ({"颱風": 3}, {"暴雨": 1})


def test_pages_in_traditional_characters_make_the_same_proposals() -> None:
    sentences = [
        "专家说，强对流云团造成冰雹灾害{n}起。", "强对流云团移动很快，暴雨持续{n}小时。",
        "这次暴雨由强对流云团引发，{n}人转移。",
        "气象台监测强对流云团，发布预警信号{n}次。", "今天，强对流云团带来洪水，{n}村被淹。",
    ]  # fmt: skip
    plain = propose(web(sentences), [ontology()])
    pages = [replace(p, text=traditional(p.text, taiwan=True)) for p in web(sentences)]
    other = propose(pages, [ontology()])
    assert [p.key for p in other] == [p.key for p in plain] != []
    assert [(p.kind, p.target, p.target_label, p.pages) for p in other] == [
        (p.kind, p.target, p.target_label, p.pages) for p in plain
    ]
    for before, after in zip(plain, other, strict=True):
        assert [(s.start, s.end) for s in after.sentences] == [(s.start, s.end) for s in before.sentences]
        assert [s.text for s in after.sentences] == [traditional(s.text, taiwan=True) for s in before.sentences]
    assert {p.term for p in other if p.kind == "concept"} == {
        traditional(p.term, taiwan=True) for p in plain if p.kind == "concept"
    }


def test_pages_in_both_scripts_make_one_proposal_as_most_write_it() -> None:
    sentences = [
        "强对流云团造成冰雹灾害{n}起。",
        "強對流雲團移動很快，暴雨持續{n}小時。",
        "暴雨由強對流雲團引發，{n}人轉移。",
    ]
    found = {p.key: p for p in propose(web(sentences), [ontology()])}
    one = found["强对流云团"]
    assert (one.term, one.pages) == ("強對流雲團", 6)
    assert {s.text[s.start : s.end] for s in one.sentences} == {"強對流雲團", "强对流云团"}


def test_a_proposal_has_the_capitals_of_the_pages() -> None:
    sentences = ["暴雨使河水的pH值降低{n}次。", "洪水过后测得pH值为{n}，pH值偏低。", "pH值在暴雨之后变化{n}次。"]
    terms = [p.term for p in propose(web(sentences), [ontology()])]
    assert "pH值" in terms and "ph值" not in terms


def test_contrast_is_shown_as_written() -> None:
    documents = [Document(f"{n}", "", "颱風災害的預警。") for n in range(4)]
    documents += [Document(f"x{n}", "", "股票市場上漲。") for n in range(9)]
    terms = [t.text for t in contrast_terms(documents, np.array([True] * 4 + [False] * 9))]
    assert "颱風" in "".join(terms) and all(simplified(t) != t for t in terms if "风" in simplified(t))


def test_a_label_has_one_iri_in_both_scripts() -> None:
    register = IriRegister(namespace("storms"), {"颱風": "https://w3id.org/ontocrawl/storms#Typhoon"})
    assert register.iri("台风") == register.iri("颱風") == "https://w3id.org/ontocrawl/storms#Typhoon"
    assert register.entries == {"颱風": "https://w3id.org/ontocrawl/storms#Typhoon"}


def test_what_is_written_in_simplified_characters_stays_the_same_object() -> None:
    documents = tuple(corpus())
    assert in_simplified(documents) is documents
    value = {"a": (1, "台风")}
    assert AsWritten(["台风过后"]).restored(value) is value


def test_addresses_and_ids_are_no_words() -> None:
    value = ("http://a.cn/颱風", "颱風")
    assert in_simplified(value) == ("http://a.cn/颱風", "台风")
    assert AsWritten(["颱風"], kept=["台风"]).restored(("http://a.cn/台风", "台风", "风")) == (
        "http://a.cn/台风", "台风", "風",
    )  # fmt: skip
