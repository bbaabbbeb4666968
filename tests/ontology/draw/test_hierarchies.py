"""Trees and graphs of classes: each class once, further parents shown, cuts counted, cycles no hindrance."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path

import pytest

from ontology import owl
from ontology.draw import hierarchy_dag, hierarchy_svg, hierarchy_tree
from ontology.draw.family import family
from ontology.model import Concept, Relation
from tests.ontology.draw.pictures import (
    NASTY,
    SVG,
    lines,
    nasty,
    ontology,
    overlapping,
    plain,
    points,
    size,
    star,
    tangled,
    texts,
)

ROOT = Path(__file__).resolve().parents[3]
BOTH = pytest.mark.parametrize("draw", [hierarchy_tree, hierarchy_dag], ids=["tree", "dag"])
Draw = Callable[..., str]


@BOTH
def test_every_class_stands_once_and_apart(draw: Draw) -> None:
    svg = draw(star(150))
    assert "暴雨灾害rainstorm disaster" in texts(svg)
    where = points(svg)
    assert len(where) == len({p[:2] for p in where.values()}) == 151
    assert not overlapping(svg)
    wide, high = size(svg)
    assert 0.3 < wide / high < 4
    assert ("c001", "c099") in lines(svg) and ("c002", "c050") in lines(svg), "further parents"
    assert len(lines(svg)) == 152


def test_the_tree_names_further_parents() -> None:
    assert next(t for t in texts(hierarchy_tree(star(150))) if t.startswith("概念99")) == "概念99↗ 概念1"


def test_the_graph_stands_from_left_to_right_with_further_parents_dashed() -> None:
    svg = hierarchy_dag(star(150))
    where = points(svg)
    assert all(where[u][0] < where[v][0] for u, v in lines(svg))
    paths = [p.attrib for p in ET.fromstring(svg).iter(f"{SVG}path")]
    dashed = {(p["data-u"], p["data-v"]) for p in paths if "stroke-dasharray" in p}
    assert dashed == {("c001", "c099"), ("c002", "c050")}


@BOTH
def test_cycles_and_loose_classes_are_drawn(draw: Draw) -> None:
    svg = draw(tangled())
    assert set("rabzy") == set(points(svg))
    assert {("a", "b"), ("b", "a"), ("r", "z")} == set(lines(svg))
    assert "stroke-dasharray" in svg


def test_an_edge_against_the_order_is_red() -> None:
    red = [p for p in ET.fromstring(hierarchy_dag(tangled())).iter(f"{SVG}path") if p.get("stroke") == "#b3261e"]
    assert len(red) == 1


@BOTH
def test_depth_is_cut_and_counted(draw: Draw) -> None:
    svg = draw(star(150), depth=1)
    assert len(points(svg)) == 11
    assert "11 classes are drawn" in plain(svg)
    hidden = family(star(150), depth=1).hidden
    assert sum(hidden.values()) == 140
    assert (hidden["c001"], hidden["c002"], hidden["c000"], hidden["r"]) == (60, 10, 0, 0)
    with pytest.raises(ValueError, match="depth"):
        draw(star(5), depth=0)


def test_minimal_support_cuts_branches_but_nothing_made_by_hand() -> None:
    concepts = [Concept(i, f"类{i}") for i in "rabcd"]
    relations = [
        Relation("a", "subclass_of", "r", 1, 0.1), Relation("b", "subclass_of", "a", 9, 0.9),
        Relation("c", "subclass_of", "r"), Relation("d", "subclass_of", "a", 9), Relation("d", "subclass_of", "c", 3),
    ]  # fmt: skip
    drawn = family(ontology(concepts, relations, "r"), min_support=2)
    assert set(drawn.classes) == {"r", "c", "d"}, "b hangs only from a, which is left out"
    assert drawn.first["d"].target == "c"
    assert set(family(ontology(concepts, relations, "r"), min_support=1).classes) == set("rabcd")
    assert set(family(ontology(concepts, relations, "r"), min_support=99).classes) == {"r", "c"}
    assert set(family(tangled(), min_support=5).classes) == set("rabzy"), "made by hand"
    with pytest.raises(ValueError, match="min_support"):
        family(star(5), min_support=-1)


@BOTH
@pytest.mark.parametrize(
    ("language", "seen", "unseen"), [("zh", "暴雨灾害", "rainstorm"), ("en", "rainstorm disaster", "暴雨灾害")]
)
def test_languages(draw: Draw, language: str, seen: str, unseen: str) -> None:
    said = texts(draw(star(12), language=language))
    assert seen in said[1:] or seen in said
    assert not any(unseen in t for t in said[1:])
    assert any("概念1" in t for t in said), "a class without an English label is called by its Chinese one"
    with pytest.raises(ValueError, match="language 'fr'"):
        draw(star(5), language="fr")


@BOTH
def test_nasty_labels_are_text(draw: Draw) -> None:
    svg = draw(nasty())
    assert "<script" not in svg and "\x00" not in svg
    assert any(NASTY[2] in t for t in texts(svg))
    assert len(points(svg)) == len(NASTY) + 1
    assert not overlapping(svg)


@BOTH
@pytest.mark.parametrize("name", ["rainstorm", "typhoon", "rainstorm-monitoring"])
def test_shipped_ontologies(draw: Draw, name: str) -> None:
    shipped = owl.read(ROOT / "ontologies" / f"{name}.ttl")
    svg = draw(shipped)
    assert len(points(svg)) == len(shipped.concepts)
    assert not overlapping(svg)
    wide, high = size(svg)
    assert wide < 2200 and high < 1600
    assert svg == draw(shipped)


def test_one_class_and_the_width() -> None:
    alone = ontology([Concept("r", "", "rainstorm")], [], "r")
    for svg in (hierarchy_tree(alone), hierarchy_dag(alone), hierarchy_svg(alone)):
        assert "rainstorm" in texts(svg)
    root = ET.fromstring(hierarchy_tree(star(30), width=900))
    assert root.get("width") == "900" and not root.get("viewBox", "").startswith("0 0 900 ")
