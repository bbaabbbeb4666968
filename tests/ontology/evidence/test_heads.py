"""Heads of compound names: which end of a name is the class that it is a kind of."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from ontology.evidence import Claim, EvidenceSource, TermCorpus, collect
from ontology.evidence.compounds import Compounds
from ontology.evidence.head_nouns import HEAD_NOUNS
from ontology.evidence.heads import Heads
from ontology.model import Document
from ontology.terms.lexicon import Entry, Lexicon
from tests.ontology.upper_classes import TOP


def head_of(term: str, others: Sequence[str]) -> str | None:
    terms = [term, *others]
    return Heads(Compounds(dict.fromkeys(terms, 2)), terms).head_of(term)


@pytest.mark.parametrize(
    ("term", "others", "head"),
    [
        ("山洪灾害", ["灾害"], "灾害"),
        ("短时强降水", ["降水", "强降水"], "强降水"),
        ("自然灾害", ["灾害", "自然资源", "资源"], "灾害"),  # one word of the segmenter's dictionary
        ("大暴雨", ["暴雨"], "暴雨"),
        ("防洪", ["洪"], None),
        ("风险", ["风"], None),
        ("土壤含水量", ["水量"], None),
        ("降水量", ["水量"], None),
        ("反气旋", ["气旋"], None),
        ("特大暴雨", ["大暴雨"], None),
        ("半干旱区", ["干旱区"], None),
        ("中亚低涡", ["低涡"], "低涡"),
        ("干旱半干旱区", ["半干旱区"], None),
        ("心理台风眼效应", ["台风"], None),
        ("WRF模式", ["模式"], "模式"),
        ("GIS", ["IS"], None),
        ("高血压", ["血压"], None),  # a disease
        ("改革开放", ["开放"], None),  # both
        ("意识形态", ["形态"], None),  # an ideology, not a form
        ("自行车", ["行车"], None),
        ("社会主义", ["主义"], None),
        ("机器人", ["人"], None),
        ("大学生", ["学生"], "学生"),
        ("不同植被", ["植被"], None),
        ("受气候变化", ["气候变化"], None),
        ("水土流失影响", ["影响"], None),
        ("区域经济社会", ["经济社会"], None),  # two fields side by side
        ("cleaning agent", ["agent", "agents"], None),
        ("adverse event", ["event", "major event"], None),
        ("语音识别", ["识别"], "识别"),
        ("图像识别", ["识别"], None),  # 图像 modifies nothing else here
        ("图像识别", ["识别", "图像处理"], "识别"),
    ],
)
def test_the_head_of_a_compound(term: str, others: list[str], head: str | None) -> None:
    assert head_of(term, others) == head


@pytest.mark.parametrize(
    ("term", "others", "head"),
    [
        ("heart failure", ["failure"], "failure"),
        ("heart failure trial", ["trial"], "trial"),
        ("acute heart failure", ["failure", "heart failure"], "heart failure"),
        ("terrain", ["rain"], None),
        ("non linear filter", ["linear filter", "filter"], "filter"),
        ("failure of heart", ["heart"], None),
        ("regression method", ["method"], None),
        ("semi desert", ["desert"], None),
    ],
)
def test_the_head_of_an_english_compound(term: str, others: list[str], head: str | None) -> None:
    assert head_of(term, others) == head


def test_a_head_that_is_no_term_has_two_modifiers_and_occurs_alone() -> None:
    names = dict.fromkeys(("急性心肌梗死", "陈旧性心肌梗死", "心肌梗死", "肺梗死", "脑梗死"), 1)
    heads = Heads(Compounds(names), ["急性心肌梗死"])
    assert heads.head_of("急性心肌梗死") == "心肌梗死"
    del names["陈旧性心肌梗死"]
    assert Heads(Compounds(names), ["急性心肌梗死"]).head_of("急性心肌梗死") is None


def test_one_name_makes_a_chain_of_claims() -> None:
    names = [
        "急性心肌梗死",
        "陈旧性心肌梗死",
        "前壁心肌梗死",
        "心肌梗死",
        "梗死",
        "肺梗死",
        "脾梗死",
        "肾梗死",
        "肠梗死",
    ]
    corpus = TermCorpus((), ["急性心肌梗死"], names=dict.fromkeys(names, 1))
    claims = [(c.narrower, c.broader, c.rule) for c in HEAD_NOUNS.claims(corpus, ())]
    assert claims == [("急性心肌梗死", "心肌梗死", "head noun"), ("心肌梗死", "梗死", "head noun")]


def test_a_word_of_the_dictionary_needs_a_head_that_many_words_modify() -> None:
    names = ["大肠杆菌", "杆菌", "芽孢杆菌", "乳酸杆菌"]
    assert head_of("大肠杆菌", names[:3]) is None  # 大肠 modifies nothing else
    assert head_of("大肠杆菌", [*names, "结核杆菌", "伤寒杆菌", "炭疽杆菌"]) == "杆菌"


def test_a_verb_and_its_object_have_no_head() -> None:
    text = "为了改善环境，本文研究如何改善了环境，改善其环境。"
    corpus = TermCorpus([Document("d", "", text)], ["改善环境", "工作环境", "环境"])
    assert {c.narrower for c in HEAD_NOUNS.claims(corpus, ())} == {"工作环境"}


def test_names_that_texts_coordinate_have_no_head() -> None:
    text = "预报和预警。加强预报与预警，完善预报、预警业务。预报预警"
    corpus = TermCorpus([Document("d", "", text)], ["预报预警", "暴雨预警", "预警", "预报"])
    assert {c.narrower for c in HEAD_NOUNS.claims(corpus, ())} == {"暴雨预警"}


def test_a_row_of_the_lexicon_is_a_head_in_both_languages() -> None:
    lexicon = Lexicon((Entry("试验", "trial"),))
    corpus = TermCorpus((), ["heart failure trial", "临床试验"], lexicon)
    claims = {(c.narrower, c.broader) for c in HEAD_NOUNS.claims(corpus, ())}
    assert claims == {("heart failure trial", "试验"), ("临床试验", "试验")}


def test_two_names_of_one_concept_are_no_classes_of_each_other() -> None:
    lexicon = Lexicon((Entry("台风", "typhoon", ("热带台风",)),))
    assert not HEAD_NOUNS.claims(TermCorpus((), ["热带台风", "台风"], lexicon), ())


def test_each_possible_head_that_is_none_has_a_reason() -> None:
    heads = Heads(Compounds(dict.fromkeys(("培养方法", "高血压", "血压"), 1)), ["培养方法", "高血压", "血压"])
    assert heads.refusals("培养方法") == ("head 方法: says nothing of what a thing is",)
    assert heads.refusals("高血压") == ("head 血压: 高 makes the rest a quality",)
    assert heads.refusals("血压") == ()


def test_beside_curated_classes_one_name_makes_no_class() -> None:
    names = dict.fromkeys(("地震反应", "化学反应", "结构反应", "反应"), 1)
    alone = TermCorpus((), ["地震反应"], names=names)
    assert [c.broader for c in HEAD_NOUNS.claims(alone, ())] == ["反应"]
    assert not HEAD_NOUNS.claims(TermCorpus((), ["地震反应"], upper_classes=TOP, names=names), ())
    two = TermCorpus((), ["地震反应", "化学反应"], upper_classes=TOP, names=names)
    assert [c.broader for c in HEAD_NOUNS.claims(two, ())] == ["反应", "反应"]


def test_a_name_of_the_black_list_is_no_head_and_no_class() -> None:
    names = dict.fromkeys(("山洪灾害", "暴雪灾害", "灾害"), 1)
    assert Heads(Compounds(names)).head_of("山洪灾害") == "灾害"
    assert Heads(Compounds(names), black={"灾害"}).head_of("山洪灾害") is None
    stated = EvidenceSource("an example", lambda *_: [Claim("山洪灾害", "事件", "pattern", "pattern X等Y")])
    assert collect(TermCorpus((), ["山洪灾害"], names=names), [stated])
    assert not collect(TermCorpus((), ["山洪灾害"], names=names, black=frozenset({"事件"})), [stated])


@pytest.mark.parametrize(
    ("name", "elsewhere", "head"),
    [
        ("膳食纤维", {"纤维": 4}, "纤维"),
        ("膳食纤维", {"纤维": 3}, None),
        ("膳食纤维", {}, None),
        ("反气旋", {"气旋": 40}, None),  # its modifier does not restrict it
        ("风险管理影响", {"影响": 40}, None),  # says nothing of what a thing is
    ],
)
def test_four_names_of_other_fields_make_a_head_a_class(name: str, elsewhere: dict[str, int], head: str | None) -> None:
    assert Heads(Compounds({name: 2}), [name], elsewhere=elsewhere).head_of(name) == head


def test_a_corpus_hands_on_the_heads_of_other_fields() -> None:
    document = Document("d1", "膳食纤维", "", ("膳食纤维",))
    found = [
        collect(TermCorpus([document], ["膳食纤维"], heads_elsewhere=elsewhere), [HEAD_NOUNS])
        for elsewhere in ({}, {"纤维": 4})
    ]
    assert [[(c.narrower, c.broader) for c in claims] for claims in found] == [[], [("膳食纤维", "纤维")]]
