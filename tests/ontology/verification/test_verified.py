"""Menus of terms that nothing places, vetoes against heads, and the claims and figures that come of the answers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from ontology.build import LearnError, LearnOptions, TopicSpec, learn
from ontology.evidence import Claim, TermCorpus
from ontology.evidence.claims import Rule
from ontology.hierarchy import TermHierarchy, term_hierarchy
from ontology.model import Document
from ontology.verification import Verification, Verifier, VerifyError, verified
from ontology.verification.verified import _Candidates, _largest_heads
from tests.ontology.verification.recorded_chat import RecordedChat

TEXTS = (
    "心肌梗死、脑卒中和哮喘",
    "急性心肌梗死与脑卒中",
    "哮喘、肺炎",
    "肺炎，哮喘。失业",
    "脑卒中 失业",
    "乳腺癌 食管癌 失业",
)
TERMS = ("心肌梗死", "急性心肌梗死", "脑卒中", "哮喘", "肺炎", "失业", "乳腺癌", "食管癌")
NAMES = dict.fromkeys((*TERMS, "疾病", "呼吸疾病", "心脏疾病", "心血管疾病", "职业病"), 1)
HEADS = [
    Claim("急性心肌梗死", "心肌梗死", "head noun", "head noun"),
    Claim("失业", "职业病", "suffix", "suffix 业"),
    Claim("乳腺癌", "癌", "suffix", "suffix 癌"),
    Claim("食管癌", "癌", "suffix", "suffix 癌"),
]


def corpus() -> TermCorpus:
    return TermCorpus([Document(f"d{i}", text) for i, text in enumerate(TEXTS)], TERMS, names=NAMES)


def hierarchy_of(papers: TermCorpus) -> Callable[[Sequence[Claim]], TermHierarchy]:
    return lambda claims: term_hierarchy(papers.context, reading="evidence", claims=claims)


def judged(answers: dict[str, str], claims: Sequence[Claim] = HEADS) -> tuple[Verification, RecordedChat]:
    papers, chat = corpus(), RecordedChat(lambda q: answers.get(q, "yes" if q.startswith("X = ") else "none"))
    return verified(papers, claims, hierarchy_of(papers), Verifier(chat), ("医学", "medicine")), chat


def test_heads_are_counted_over_all_names() -> None:
    classes = dict.fromkeys(NAMES, 0) | {"癌": 2}
    assert _largest_heads(NAMES, classes)[:3] == ("疾病", "癌", "心肌梗死")
    assert _largest_heads(NAMES, classes, 1) == ("疾病",)


def test_candidates_are_what_other_evidence_suggests() -> None:
    papers = corpus()
    claims = [*HEADS, Claim("脑卒中", "疾病", "head noun", "x"), Claim("肺炎", "呼吸疾病", "head noun", "x")]
    claims += [Claim("心肌梗死", "疾病", "head noun", "x"), Claim("失业", "呼吸疾病", "pattern", "x", ("d3",), 1)]
    candidates = _Candidates(papers, claims, hierarchy_of(papers)(claims))
    assert candidates.of("哮喘", {"疾病"}) == ("疾病",)  # listed with 心肌梗死, 脑卒中
    assert "呼吸疾病" in candidates.of("失业", NAMES)  # one sentence, which makes no edge
    assert candidates.of("急性心肌梗死", NAMES, 1) == ("心肌梗死",)
    assert candidates.of("胃癌", {"癌"}) == ("癌",)  # ends as 乳腺癌, 食管癌
    assert candidates.not_above("心肌梗死") == {"心肌梗死", "急性心肌梗死"}


def test_terms_are_placed_and_heads_vetoed() -> None:
    answers = {"脑卒中": "疾病", "哮喘": "疾病", "肺炎": "疾病", "X = 乳腺癌, Y = 癌": "no"}
    found, chat = judged(answers)
    assert found.vetoed == (("乳腺癌", "癌"),)
    assert dict(found.chosen) == {"脑卒中": "疾病", "哮喘": "疾病", "肺炎": "疾病"}
    by_model = {(c.narrower, c.broader, c.evidence) for c in found.claims if c.rule == "verified"}
    assert by_model == {(term, "疾病", "verified by recorded") for term in ("脑卒中", "哮喘", "肺炎")}
    assert Claim("乳腺癌", "癌", "suffix", "suffix 癌") not in found.claims
    papers = corpus()
    dag = hierarchy_of(papers)(found.claims)
    above = {(dag.nodes[e.child].label, dag.nodes[e.parent].label) for e in dag.edges}
    assert {("哮喘", "疾病"), ("急性心肌梗死", "心肌梗死")} <= above
    assert found.placed == 3
    assert "医学 / medicine" in chat.systems[0]


def test_a_veto_leaves_a_term_that_is_then_asked_for() -> None:
    found, chat = judged({"X = 乳腺癌, Y = 癌": "no", "X = 食管癌, Y = 癌": "no", "乳腺癌": "疾病"})
    asked = [question for batch in chat.asked for question in batch]
    assert {"乳腺癌", "食管癌"} <= set(asked) and asked.index("乳腺癌") > asked.index("X = 乳腺癌, Y = 癌")
    assert dict(found.chosen) == {"乳腺癌": "疾病"}


def test_a_veto_of_an_edge_through_a_removed_class_takes_its_first_claim() -> None:
    """重病 is no class, as only one other found class is below it: the edge from 梗死病 to 病 rests on two claims."""
    names = [("心肌梗死", "梗死病"), ("梗死病", "重病"), ("重病", "病"), ("脑卒中", "病"), ("哮喘", "病")]
    claims = [Claim(low, high, "head noun", "head noun") for low, high in names]
    found, chat = judged({"X = 梗死病, Y = 病": "no"}, claims)
    assert "X = 梗死病, Y = 病" in chat.asked[0]
    assert found.vetoed == (("梗死病", "病"),)
    assert [(c.narrower, c.broader) for c in found.claims] == [pair for pair in names if pair != ("梗死病", "重病")]


def test_an_answer_that_a_veto_excludes_is_refused() -> None:
    vetoed = ("X = 乳腺癌, Y = 癌", "X = 食管癌, Y = 癌")
    found, _ = judged({**dict.fromkeys(vetoed, "no"), "乳腺癌": "癌"})
    assert (found.chosen, found.counts.refused) == ((), 1)


def test_no_verdict_is_asked_about_what_a_person_or_a_sentence_states() -> None:
    stated = [Claim(c.narrower, c.broader, "top class", "by hand") for c in HEADS[:1]]
    _, chat = judged({}, [*HEADS, *stated])
    asked = [question for batch in chat.asked for question in batch]
    assert "X = 急性心肌梗死, Y = 心肌梗死" not in asked and "急性心肌梗死" not in asked


@pytest.mark.parametrize("rule", ["top class", "curated ontology", "head noun", "pattern"])
def test_a_verdict_outranks_no_other_rule(rule: Rule) -> None:
    papers = corpus()
    stated = Claim("哮喘", "肺炎", rule, "stated", ("d0", "d1"), 2)
    dag = hierarchy_of(papers)([*HEADS, Claim("哮喘", "脑卒中", "verified", "verified by m"), stated])
    assert [dag.nodes[e.parent].label for e in dag.edges if dag.nodes[e.child].label == "哮喘"] == ["肺炎"]


def test_the_digest_is_of_the_model_and_its_verdicts() -> None:
    one, _ = judged({"哮喘": "疾病"})
    same, _ = judged({"哮喘": "疾病"})
    other, _ = judged({"哮喘": "心肌梗死"})
    assert one.digest == same.digest != other.digest
    assert replace(one, model="other").digest != one.digest


def test_the_limit_of_tokens_stops_before_any_question() -> None:
    papers, chat = corpus(), RecordedChat()
    with pytest.raises(VerifyError):
        verified(papers, HEADS, hierarchy_of(papers), Verifier(chat, token_limit=10), ("医学", ""))
    assert chat.asked == []


MEDICINE = TopicSpec("medicine", "医学", "medicine")


def options(chat: RecordedChat | None) -> LearnOptions:
    return LearnOptions(min_documents=1, unplaced="root", verifier=None if chat is None else Verifier(chat))


def test_the_ontology_names_the_model_and_has_another_version() -> None:
    documents = [Document(f"d{i}", t, keywords=tuple(t.split())) for i, t in enumerate(
        ("哮喘 疾病 儿童哮喘", "哮喘 呼吸疾病", "脑卒中 心脏疾病", "脑卒中 疾病", "哮喘 脑卒中"))]  # fmt: skip
    plain = learn(documents, MEDICINE, options(None))
    assert plain.verification is None
    one = learn(documents, MEDICINE, options(RecordedChat(lambda q: "疾病" if q == "脑卒中" else "none")))
    assert one.verification is not None and one.verification.placed == 1
    assert "verified by recorded" in one.global_ontology.comment
    edges = {(r.source, r.target): r.evidence for r in one.global_ontology.relations}
    assert "verified by recorded" in edges.values()
    none = learn(documents, MEDICINE, options(RecordedChat(lambda q: "yes" if q[:3] == "X =" else "none")))
    versions = {o.global_ontology.version for o in (plain, one, none)}
    assert len(versions) == 3
    assert one.verification.note in one.notes


def test_readings_without_claims_take_no_verifier() -> None:
    with pytest.raises(LearnError, match='use "evidence"'):
        LearnOptions(reading="published", verifier=Verifier(RecordedChat()))
