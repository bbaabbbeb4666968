"""A few upper classes, and documents of plain texts."""

from __future__ import annotations

from collections.abc import Sequence

from ontology.evidence import Skeleton
from ontology.evidence.skeleton import parse_classes
from ontology.model import Document

CLASSES = """zh\ten\tparents\tmembers\tendings\taccepts
现象\tphenomenon\t\t天气
降水\tprecipitation\t现象\t暴雨
灾害\tdisaster\t\t\t灾害\t现象
气象灾害\tmeteorological disaster\t灾害
方法\tmethod
模型\tmodel\t方法\tSWAT模型\t模型|模式|!发展模式
量\tquantity\t\t气温|降水量
"""
TOP = Skeleton(parse_classes(CLASSES, "test"))


def corpus(texts: Sequence[str]) -> list[Document]:
    return [Document(f"d{i}", "", text) for i, text in enumerate(texts)]
