from __future__ import annotations

import xml.etree.ElementTree as ET

import numpy as np
import pytest
from hypothesis import given, settings

from ontology.context import FormalContext
from ontology.draw.diagrams import hierarchy_svg, lattice_svg, text_width
from ontology.draw.layout import layers, places
from ontology.lattice import lattice
from ontology.model import Concept, Ontology, Relation
from tests.ontology.contexts import contexts, named, table1

SVG = "{http://www.w3.org/2000/svg}"


def texts(svg: str) -> list[str]:
    return ["".join(t.itertext()) for t in ET.fromstring(svg).iter(f"{SVG}text")]


def test_table_1_as_a_line_diagram() -> None:
    svg = lattice_svg(lattice(table1()))
    root = ET.fromstring(svg)
    assert len(list(root.iter(f"{SVG}circle"))) == 12
    assert len(list(root.iter(f"{SVG}line"))) == 19
    assert {f"T{i}" for i in range(1, 9)} | {f"D{i}" for i in range(1, 6)} <= set(texts(svg))
    assert "Noto Sans SC" in str(root.get("font-family"))
    assert all(float(line.get("y1", 0)) < float(line.get("y2", 0)) for line in root.iter(f"{SVG}line"))


def test_a_large_lattice_is_cut_to_an_iceberg_and_says_so() -> None:
    whole = lattice(named(np.random.default_rng(0).random((60, 20)) < 0.3))
    svg = lattice_svg(whole, max_concepts=40)
    points = len(list(ET.fromstring(svg).iter(f"{SVG}circle")))
    assert 20 < points <= 40
    assert any(f"iceberg: {points} of {len(whole)} concepts" in t for t in texts(svg))
    assert not any("iceberg" in t for t in texts(lattice_svg(whole, max_concepts=len(whole))))
    with pytest.raises(ValueError, match="max_concepts"):
        lattice_svg(whole, max_concepts=0)


def test_names_are_escaped_and_shortened() -> None:
    attributes = ["<b>&\"'", "暴雨\x00", "c", "d", "e"]
    svg = lattice_svg(lattice(FormalContext(("g",), tuple(attributes), (31,))))
    assert "<b>" not in svg
    assert "<b>&\"'，暴雨\ufffd，c +2" in texts(svg)


@given(contexts())
@settings(deadline=None, max_examples=40)
def test_points_of_a_layer_do_not_overlap(context: FormalContext) -> None:
    found = lattice(context)
    layer = layers(len(found), found.covers)
    assert all(layer[u] < layer[v] for u, v in found.covers.tolist())
    widths = np.linspace(10, 60, len(found))
    x = places(layer, found.covers, widths, 5.0)
    for level in range(layer.max() + 1):
        row = np.flatnonzero(layer == level)
        row = row[np.argsort(x[row])]
        assert (np.diff(x[row]) >= (widths[row][1:] + widths[row][:-1]) / 2 + 5 - 1e-6).all()
    assert lattice_svg(found) == lattice_svg(lattice(context))


def star(size: int) -> Ontology:
    concepts = [Concept("r", "暴雨灾害", "rainstorm disaster"), *(Concept(f"c{i:03}", f"概念{i}") for i in range(size))]
    relations = [Relation(f"c{i:03}", "subclass_of", "r" if i < 10 else f"c{i // 10:03}", 5, 1.0) for i in range(size)]
    relations += [Relation("c099", "subclass_of", "c001", 1, 1.0), Relation("c050", "part_of", "c002")]
    return Ontology("o", "global", "t", "1", "r", tuple(concepts), tuple(relations))


def test_every_class_of_a_hierarchy_stands_once_and_apart() -> None:
    svg = hierarchy_svg(star(150))
    assert {"暴雨灾害rainstorm disaster", "概念0", "概念149"} <= set(texts(svg))
    root = ET.fromstring(svg)
    points = [(float(c.get("cx", 0)), float(c.get("cy", 0))) for c in root.iter(f"{SVG}circle")]
    assert len(points) == len(set(points)) == 151
    assert len([p for p in root.iter(f"{SVG}path") if "C" in p.get("d", "")]) == 2
    assert 0.4 < float(root.get("width", 0)) / float(root.get("height", 0)) < 4


def test_hierarchy_with_cycles_and_loose_classes_still_shows_all() -> None:
    concepts = tuple(Concept(i, f"类{i}") for i in "rabz")
    relations = (Relation("a", "subclass_of", "b"), Relation("b", "subclass_of", "a"), Relation("z", "part_of", "r"))
    svg = hierarchy_svg(Ontology("o", "global", "t", "1", "r", concepts, relations))
    assert {"类r", "类a", "类b", "类z"} <= set(texts(svg))
    assert "stroke-dasharray" in svg


def test_chinese_is_twice_as_wide() -> None:
    assert text_width("暴雨") == 24
    assert text_width("ab") < 14
