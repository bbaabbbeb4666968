"""Topics and rules, the sources that are off by default: their claims, and what becomes of them in an ontology."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Sequence

import numpy as np
import pytest

from ontology.build import Learned, LearnError, LearnOptions, TopicSpec, learn
from ontology.context import FormalContext
from ontology.evidence import EMPTY_SKELETON, Claim, Skeleton, TermCorpus, collect, sources_of
from ontology.evidence.apriori import rule_claims
from ontology.evidence.lda import Topics, topic_claims, topic_concepts
from ontology.evidence.skeleton import parse_classes
from ontology.hierarchy import term_hierarchy
from ontology.hierarchy.topic_ontology import to_ontology
from ontology.model import Concept, Document, Header, Ontology, Relation
from ontology.terms import study_terms

TOP = Skeleton(
    parse_classes(
        "zh\ten\tparents\tmembers\tendings\taccepts\n现象\tphenomenon\t\t降水\n降水\train\t现象\t暴雨\n", "test"
    )
)
TOPIC = TopicSpec("hail", "冰雹灾害", "hail disaster")


def context_of(*documents: str) -> FormalContext:
    """Documents as terms between blanks, each five times."""
    pairs = [(f"d{i}-{copy}", t) for i, d in enumerate(documents) for copy in range(5) for t in d.split()]
    return FormalContext.from_pairs(pairs)


def edges(context: FormalContext, claims: Sequence[Claim], **options: object) -> dict[tuple[str, str], str]:
    found = term_hierarchy(context, reading="evidence", claims=claims, upper_classes=TOP, **options)  # type: ignore[arg-type]
    return {(found.nodes[e.child].label, found.nodes[e.parent].label): e.evidence for e in found.edges}


def test_a_rule_speaks_for_the_narrower_term_and_says_its_measures() -> None:
    claims = rule_claims(context_of("降雹 冰雹", "冰雹 雷达", "雷达", "干旱"))
    assert [(c.narrower, c.broader) for c in claims] == [("降雹", "冰雹")]
    assert claims[0].evidence == "apriori, support 0.250, confidence 1.00, lift 2.0"


def test_spelling_chance_and_equals_make_no_claim() -> None:
    assert not rule_claims(context_of("山洪灾害 灾害", "灾害", "干旱"))  # nested: a tautology
    assert not rule_claims(context_of("甲木 乙水", "甲木 乙水", "乙水 甲木"))  # as confident one way as the other
    assert not rule_claims(context_of("甲木 乙水", "乙水"))  # lift 1: 乙水 is everywhere
    few = FormalContext.from_pairs([("a", "甲木"), ("a", "乙水"), ("b", "乙水")])
    assert rule_claims(few) == ()


def test_a_mined_claim_places_what_nothing_else_places_and_agrees_otherwise() -> None:
    context = context_of("暴雨 降水 雷达", "降水 雷达", "降雹 降水", "降水 雷达 干旱", "雷达", "干旱")
    by_class = Claim("暴雨", "降水", "top class", "top class")
    agrees = Claim("暴雨", "降水", "apriori", "apriori A", confidence=1.0)
    against = Claim("暴雨", "雷达", "apriori", "apriori B", confidence=1.0)
    strong = Claim("降雹", "降水", "apriori", "apriori C", confidence=0.9)
    weak = Claim("降雹", "雷达", "apriori", "apriori D", confidence=0.8)
    place = Claim("雷达", "现象", "top class", "top class")
    ground = Claim("降水", "现象", "top class", "top class")
    found = edges(context, [weak, against, strong, agrees, by_class, place, ground])
    assert found["暴雨", "降水"] == "top class; apriori A"
    assert found["降雹", "降水"] == "apriori C"
    assert ("暴雨", "雷达") not in found
    assert ("降雹", "雷达") not in found
    assert not {"干旱"} & {label for edge in found for label in edge}


def test_an_ending_is_trusted_before_a_rule() -> None:
    context = context_of("降雹 降水", "降水")
    rule = Claim("降雹", "降水", "apriori", "apriori", confidence=1.0)
    ending = Claim("降雹", "现象", "ending", "ending of 现象")
    ground = Claim("降水", "现象", "top class", "top class")
    assert ("降雹", "降水") not in edges(context, [rule, ending, ground])


def test_the_head_of_a_topic_stays_and_its_root_edge_says_why() -> None:
    context = context_of("雷达 降水", "雷达", "干旱")
    claims = [Claim("降水", "现象", "top class", "top class")]
    concepts = {"雷达": "lda, heads topic 1"}
    found = term_hierarchy(context, reading="evidence", claims=claims, upper_classes=TOP, topic_concepts=concepts)
    assert [r.child for r in found.unplaced if r.reason.startswith("dropped")] == ["干旱"]
    header = Header("x:o", "global", "t", "1")
    made = to_ontology(
        found, header=header, root_label="题", concept_of=lambda terms: Concept(f"x:{terms[0]}", terms[0])
    )
    assert relation(made, "雷达", "题").evidence == "topic root; lda, heads topic 1"
    assert relation(made, "现象", "题").evidence == "topic root"


def relation(ontology: Ontology, narrower: str, broader: str) -> Relation:
    label = {c.iri: c.label for c in ontology.concepts}
    return next(r for r in ontology.relations if (label[r.source], label[r.target]) == (narrower, broader))


def topics_of(terms: Sequence[str], phi: Sequence[Sequence[float]], weight: Sequence[float]) -> Topics:
    return Topics(tuple(terms), np.array(phi), np.array(weight))


def test_a_topic_speaks_for_the_pairs_that_others_claim() -> None:
    terms = ["降水", "暴雨", "雷达", "回波", "灾害", "风险", "损失", "流域"]
    phi = [[0.4, 0.2, 0.2, 0.1, 1e-3, 1e-3, 1e-3, 0.097], [1e-3, 1e-3, 1e-3, 1e-3, 0.4, 0.3, 0.196, 0.1]]
    topics = topics_of(terms, phi, [0.5, 0.5])
    assert topic_concepts(topics)["降水"] == "lda, heads topic 1, phi 0.400"
    assert set(topic_concepts(topics)) == {"降水", "暴雨", "雷达", "灾害", "风险", "损失"}
    pairs = [("暴雨", "降水"), ("暴雨", "灾害"), ("流域", "灾害"), ("不在", "灾害"), ("暴雨", "降水")]
    claims = topic_claims([Claim(u, t, "pattern", "X等Y") for u, t in pairs], topics)
    assert [(c.narrower, c.broader, c.rule) for c in claims] == [("暴雨", "降水", "lda"), ("流域", "灾害", "lda")]
    assert claims[0].evidence == "lda, both of topic 1, similarity 1.00"
    assert claims[1].confidence == pytest.approx(0.72, abs=0.02)


def test_a_topic_makes_no_edge() -> None:
    context = context_of("暴雨 降水", "降水", "降雹 降水")
    topic = [Claim(u, "降水", "lda", "lda T", confidence=1.0) for u in ("暴雨", "降雹")]
    said = [Claim("暴雨", "降水", "top class", "top class"), Claim("降水", "现象", "top class", "top class")]
    assert edges(context, [*topic, *said]) == {("暴雨", "降水"): "top class; lda T", ("降水", "现象"): "top class"}


def test_only_what_is_asked_for_speaks() -> None:
    study = study_terms(papers(), min_documents=3)
    corpus = TermCorpus(papers(), ["绒球", "绒线", "绒机", "陶坯", "陶窑"], upper_classes=EMPTY_SKELETON)
    assert not collect(corpus, sources_of(("fca",), study))
    rules = collect(corpus, sources_of(("fca", "apriori"), study))
    assert ("绒球", "绒线") in {(c.narrower, c.broader) for c in rules}
    assert {c.rule for c in rules} == {"apriori"}
    both = collect(corpus, sources_of(("fca", "lda", "apriori"), study))
    assert {c.rule for c in both} == {"apriori", "lda"}
    assert not collect(corpus, sources_of(("fca", "lda"), study))  # topics confirm what others claim
    assert [source.name for source in sources_of(("lda", "fca"), study)][-1] == "topics"


@pytest.mark.slow
def test_sources_that_are_not_asked_for_are_not_imported() -> None:
    code = (
        "import sys; from ontology.build import TopicSpec, learn; from ontology.model import Document\n"
        "documents = [Document(f'd{i}', '暴雨与洪水', keywords=('暴雨', '洪水')) for i in range(3)]\n"
        "learn(documents, TopicSpec('t', '题', 't'))\n"
        "print(sorted(name for name in sys.modules if name.startswith('ontology.evidence.')))"
    )
    ran = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert "ontology.evidence.patterns" in ran.stdout
    assert not {"lda", "apriori"} & set(re.findall(r"\w+", ran.stdout))


def papers() -> list[Document]:
    """Two themes; nothing that is bundled knows the words."""
    hail = [Document(f"h{i}", f"绒球与绒线之{i}", "绒线由绒机织成。", ("绒球", "绒线", "绒机")) for i in range(12)]
    yarn = [Document(f"y{i}", f"绒线与绒机之{i}", "绒机很多。", ("绒线", "绒机")) for i in range(6)]
    rest = [Document(f"r{i}", f"陶坯与陶窑之{i}", "陶窑烧陶坯。", ("陶坯", "陶窑")) for i in range(12)]
    return [*hail, *yarn, *rest]


def learned(*evidence: str, **options: object) -> Learned:
    return learn(papers(), TOPIC, LearnOptions(evidence=evidence or ("fca",), **options))  # type: ignore[arg-type]


def test_rules_and_topics_bring_in_what_fca_leaves() -> None:
    plain, more = learned(), learned("fca", "lda", "apriori")
    labels = {c.label for c in more.global_ontology.concepts}
    assert "绒球" not in {c.label for c in plain.global_ontology.concepts}
    assert "绒球" in labels
    assert any(r.evidence.startswith("topic root; lda, heads topic") for r in more.global_ontology.relations)
    assert sum(note.startswith("lda, topic") for note in more.notes) == 3
    assert not any(note.startswith("lda") for note in plain.notes)
    assert "topics (LDA), association rules (Apriori)" in more.global_ontology.comment
    assert plain.global_ontology.comment.startswith("Learned by formal concept analysis from ")


def test_heads_of_topics_are_terms_whatever_their_rank() -> None:
    plain, more = learned(max_terms=1), learned("fca", "lda", max_terms=1)
    fresh = {t.text for t in more.terms} - {t.text for t in plain.terms}
    assert len(plain.terms) == 1
    assert fresh
    assert not fresh & {term for term, _ in more.dropped}
    assert fresh <= {term for term, _ in plain.dropped}


@pytest.mark.parametrize(
    ("evidence", "reading", "named"),
    [
        (("fca", "foo"), "evidence", "expected fca, and lda or apriori beside it, found fca, foo"),
        (("lda",), "evidence", "fca is always needed"),
        ((), "evidence", "found none"),
        (("fca", "apriori"), "published", "reading 'published'"),
    ],
)
def test_evidence_that_does_not_fit(evidence: tuple[str, ...], reading: str, named: str) -> None:
    with pytest.raises(LearnError, match=named):
        LearnOptions(evidence=evidence, reading=reading)  # type: ignore[arg-type]
