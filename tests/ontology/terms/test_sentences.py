"""Sentences and clauses of Chinese and English texts."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ontology.terms import clauses, sentence_spans, sentences


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("暴雨来了。快走！\n避险", ["暴雨来了。", "快走！", "避险"]),
        ("他说：“暴雨成灾！”河水上涨；城市内涝。", ["他说：“暴雨成灾！”", "河水上涨；城市内涝。"]),
        ("研究了降雨量．结果表明(图1)。", ["研究了降雨量．", "结果表明(图1)。"]),
        ("台风“利奇马”造成损失……救援开始。", ["台风“利奇马”造成损失……救援开始。"]),
        ("A storm came. It was 3.5 m high.", ["A storm came.", "It was 3.5 m high."]),
        ("A storm came. (see 雨情)", ["A storm came.", "(see 雨情)"]),
        ("Floods rose (e.g. in Fig. 3) by 2 m. They fell.", ["Floods rose (e.g. in Fig. 3) by 2 m.", "They fell."]),
        ("J. R. Smith of St. Louis et al. [4] agree. 2003 was wet.", ["J. R. Smith of St. Louis et al. [4] agree.",
                                                                      "2003 was wet."]),
        ("It rained. [2, 3] Rivers rose.", ["It rained. [2, 3]", "Rivers rose."]),
        ("“Why did it flood?” asked the mayor. Nobody knew!", ["“Why did it flood?” asked the mayor.", "Nobody knew!"]),
        ("Vitamin I. Then more", ["Vitamin I.", "Then more"]),
        ("WRF模式 is used. 结果较好。The end", ["WRF模式 is used.", "结果较好。", "The end"]),
        (" \n ", []),
        ("", []),
    ],
)  # fmt: skip
def test_sentences(text: str, expected: list[str]) -> None:
    assert sentences(text) == expected


def test_clauses_end_at_semicolons_and_have_no_end_marks() -> None:
    assert clauses("暴雨来了。快走！\n避险；A storm came; it was 3.5 m high.") == [
        "暴雨来了",
        "快走",
        "避险",
        "A storm came",
        "it was 3.5 m high",
    ]


@given(st.text(alphabet="ab A1.。!？；;”\"'）)[3] \n暴雨台风．", max_size=60))
def test_spans_are_ordered_and_leave_out_nothing_but_white_space(text: str) -> None:
    spans = sentence_spans(text)
    assert all(start < end for start, end in spans)
    assert all(before[1] <= after[0] for before, after in pairwise(spans))
    kept = "".join(text[start:end] for start, end in spans)
    assert "".join(kept.split()) == "".join(text.split())
    assert all(text[start:end] == text[start:end].strip() for start, end in spans)
