"""Relations beside is-a: every cue in both languages, with sentences that state the relation and others that do not."""

from __future__ import annotations

import pytest

from ontology.evidence.relations import find_relations
from ontology.model import Concept, Document, Relation

CLASSES = """暴雨 台风 洪水 滑坡 泥石流 气象灾害 经济损失 地下水 地面沉降 土壤侵蚀 灌区 渠道 水库 闸门
地下水位 水位计 植被指数 干旱 生物多样性 鸟类 环境 训练 机制"""
ENGLISH = """virus, bacterium, disease, flood, drought, habitat loss, lead, anaemia, telescope, lens, mirror, car,
engine, temperature, thermometer, heart, blood, circulatory system, retina, eye, cell"""
STATED = [
    ("暴雨导致洪水", "暴雨 causes 洪水"),
    ("持续的暴雨可能会引发严重的洪水", "暴雨 causes 洪水"),
    ("结果表明，特大暴雨造成了洪水的发生", "暴雨 causes 洪水"),
    ("防范暴雨诱发的洪水和泥石流", "暴雨 causes 洪水; 暴雨 causes 泥石流"),
    ("暴雨、台风等因素触发滑坡", "台风 causes 滑坡; 暴雨 causes 滑坡"),
    ("该地的滑坡主要由暴雨引起", "暴雨 causes 滑坡"),
    ("由暴雨引起的滑坡", "暴雨 causes 滑坡"),
    ("暴雨是导致滑坡的主要原因", "暴雨 causes 滑坡"),
    ("造成滑坡的主要原因是暴雨", "暴雨 causes 滑坡"),
    ("滑坡的主要诱因是暴雨", "暴雨 causes 滑坡"),
    ("暴雨是滑坡的重要诱因之一", "暴雨 causes 滑坡"),
    ("暴雨常在山区诱发滑坡和泥石流并形成灾害链", "暴雨 causes 滑坡; 暴雨 causes 泥石流"),
    ("暴雨引起的洪水受到关注", "暴雨 causes 洪水"),
    ("灌区由渠道、水库和闸门等组成", "渠道 part_of 灌区; 水库 part_of 灌区; 闸门 part_of 灌区"),
    ("由渠道和闸门构成的灌区", "渠道 part_of 灌区; 闸门 part_of 灌区"),
    ("鸟类是生物多样性的重要组成部分", "鸟类 part_of 生物多样性"),
    ("灌区包括渠道、水库和闸门三个部分", "渠道 part_of 灌区; 水库 part_of 灌区; 闸门 part_of 灌区"),
    ("采用水位计测量地下水位", "地下水位 measured_by 水位计"),
    ("地下水位由水位计测定", "地下水位 measured_by 水位计"),
    ("利用水位计对地下水位进行了测量", "地下水位 measured_by 水位计"),
    ("以植被指数衡量干旱", "干旱 measured_by 植被指数"),
    ("植被指数是衡量干旱的常用指标", "干旱 measured_by 植被指数"),
    ("The virus causes a severe disease.", "virus causes disease"),
    ("Floods can lead to habitat loss.", "flood causes habitat loss"),
    ("Droughts result in habitat loss and anaemia.", "drought causes habitat loss; drought causes anaemia"),
    ("A disease is often caused by viruses or bacteria.", "virus causes disease; bacterium causes disease"),
    ("Cholera is a disease caused by a bacterium.", "bacterium causes disease"),
    ("Drought, which induces anaemia, is rare.", "drought causes anaemia"),
    ("A virus triggers the disease.", "virus causes disease"),
    ("A telescope consists of a lens and a mirror.", "lens part_of telescope; mirror part_of telescope"),
    ("The circulatory system is composed of the heart and blood.",
     "heart part_of circulatory system; blood part_of circulatory system"),
    ("A telescope comprises a mirror.", "mirror part_of telescope"),
    ("The engine is an important part of the car.", "engine part_of car"),
    ("Retinas are parts of the eye.", "retina part_of eye"),
    ("Temperature is measured with a thermometer.", "temperature measured_by thermometer"),
    ("A thermometer is used to measure temperature.", "temperature measured_by thermometer"),
    ("A thermometer is an instrument for measuring temperature.", "temperature measured_by thermometer"),
]  # fmt: skip
NOT_STATED = [
    "暴雨未导致洪水",
    "暴雨没有引发洪水",
    "研究暴雨是否会引发洪水",
    "暴雨导致洪水减少",
    "开采地下水导致地面沉降",
    "暴雨导致土壤侵蚀和环境的恶化",
    "对自然环境造成经济损失",
    "训练引起高血压的机制",
    "暴雨是导致洪水变化的气象灾害",
    "反台风导致滑坡",
    "暴雨，导致洪水",
    "小型灌区渠道是水库的组成部分",
    "灌区包括渠道、水库",
    "灌区由渠道管理处组成",
    "植被指数监测干旱",
    "未用水位计，测量地下水位",
    "A virus does not cause disease.",
    "It is unknown whether the virus causes disease.",
    "Exposure to lead causes anaemia.",
    "The effect of the virus causes anaemia.",
    "A disease caused by eating lead is rare.",
    "The virus causes cells to divide.",
    "The virus causes loss of blood.",
    "Washing the car led to the eye's loss.",
    "This car consists mostly of an unknown engine part.",
    "Its engine is part of the deal.",
    "Temperature was measured in the car.",
    "The thermometer measured once.",
]


def concepts() -> list[Concept]:
    english = " ".join(ENGLISH.split()).split(", ")
    return [*(Concept(name, name) for name in CLASSES.split()), *(Concept(name, "", name) for name in english)]


def claims(*texts: str) -> tuple[Relation, ...]:
    return find_relations([Document(f"d{i}", "", abstract=text) for i, text in enumerate(texts)], concepts())


@pytest.mark.parametrize(("sentence", "expected"), STATED)
def test_a_cue_states_a_relation(sentence: str, expected: str) -> None:
    found = {f"{c.source} {c.kind} {c.target}" for c in claims(sentence)}
    assert found == set(expected.split("; "))


@pytest.mark.parametrize("sentence", NOT_STATED)
def test_what_states_none(sentence: str) -> None:
    assert claims(sentence) == ()


def test_documents_and_the_first_sentence_are_kept() -> None:
    found = claims("暴雨导致洪水。台风多发。", "洪水由暴雨引起；暴雨造成洪水。", "洪水")
    assert found == (Relation("暴雨", "causes", "洪水", 2, None, "cue 导致", ("d0", "d1"), "暴雨导致洪水"),)


def test_other_labels_of_a_class_count_and_a_class_is_no_cause_of_itself() -> None:
    rain = Concept("rain", "暴雨", "rainstorm", alt_zh=("强降雨",), alt_en=("heavy rain",))
    document = Document("d", "强降雨引发暴雨", "强降雨导致洪水", abstract_en="Heavy rain causes floods.")
    found = find_relations([document], [rain, Concept("flood", "洪水", "flood")])
    assert [(c.source, c.target, c.evidence) for c in found] == [("rain", "flood", "cue 导致")]
