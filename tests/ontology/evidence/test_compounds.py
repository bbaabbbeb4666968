"""Where names may be cut, and how texts use their words."""

from __future__ import annotations

import pytest

from ontology.evidence.compounds import Compounds


@pytest.mark.parametrize(
    ("name", "heads"),
    [
        ("山洪灾害", ["灾害"]),
        ("体育教学改革", ["教学改革", "改革"]),
        ("自然灾害", ["灾害"]),
        ("heart failure trial", ["failure trial", "trial"]),
        ("WRF模式", ["模式"]),
        ("灾害", []),
    ],
)
def test_cuts_fall_between_words(name: str, heads: list[str]) -> None:
    cuts = Compounds({}).cuts(name)
    assert [cut.head for cut in cuts] == heads
    assert all(cut.clear for cut in cuts)


@pytest.mark.parametrize(("name", "head"), [("自行车", "行车"), ("社会主义", "主义"), ("高血压", "血压")])
def test_a_word_that_is_commoner_than_its_end_is_doubtful(name: str, head: str) -> None:
    assert [(cut.head, cut.clear) for cut in Compounds({}).cuts(name)] in ([(head, False)], [])


@pytest.mark.parametrize("name", ["病理学", "线性关系"])
def test_a_cut_does_not_part_a_commoner_word(name: str) -> None:
    assert not [cut.head for cut in Compounds({}).cuts(name) if cut.head in ("理学", "性关系")]


def test_texts_say_which_words_are_free_and_which_modify_them() -> None:
    texts = ["提高产业的水平。旅游产业，对产业发展", "产业的规模"]
    use = Compounds({"体育产业": 1}, chinese=texts).use
    assert use.free["产业"] == 3
    assert use.modifiers["产业"] == {"旅游"}


def test_english_words_are_free_after_function_words() -> None:
    use = Compounds({"heart failure": 1}, english=["The failures of a heart, and heart failure."]).use
    assert use.free["failure"] == use.free["heart"] == 1
    assert use.modifiers["failure"] == {"heart"}


def test_texts_say_what_is_coordinated() -> None:
    compounds = Compounds({"预报": 1, "预警": 1, "预报预警": 1}, chinese=["预报和预警、预报、预警。预报预警"])
    assert compounds.coordinated["预报", "预警"] == 2
    assert compounds.often_coordinated("预报预警", compounds.cuts("预报预警")[0])
    assert not compounds.often_coordinated("暴雨预警", compounds.cuts("暴雨预警")[0])


def test_two_nouns_must_be_coordinated_more_often_than_two_verbs() -> None:
    texts = ["预报和预警。土壤和环境。土壤环境与预报预警，" + "土壤环境，预报预警。" * 4]
    compounds = Compounds(dict.fromkeys(("土壤", "环境", "预报", "预警"), 1), chinese=texts)
    assert compounds.often_coordinated("预报预警", compounds.cuts("预报预警")[0])
    assert not compounds.often_coordinated("土壤环境", compounds.cuts("土壤环境")[0])


def test_author_keywords_are_names_too() -> None:
    compounds = Compounds({"体育教学": 3}, ["教学过程", "体育教学"])
    assert compounds.names == {"教学过程": 1, "体育教学": 3}


def test_the_name_of_one_thing_has_a_capital_and_no_plural() -> None:
    texts = ["On the Arizona Railway. House Sparrows and a House Sparrow, the House Sparrow. Parkinson's disease"]
    compounds = Compounds({}, english=texts)
    assert compounds.is_proper_name("arizona railway", "railway")
    assert not compounds.is_proper_name("house sparrow", "sparrow")
    assert not compounds.is_proper_name("parkinson's disease", "disease")
    assert not compounds.is_proper_name("flash flood", "flood")
