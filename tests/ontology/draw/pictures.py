"""What several tests of pictures use: reading SVG back, ontologies of odd shapes, nasty labels."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

from ontology.draw.svg import text_width
from ontology.model import Concept, Ontology, Relation

SVG = "{http://www.w3.org/2000/svg}"
NASTY = (
    "</script><script>alert(1)</script>",
    "<!--",
    "a\"b'c&d",
    "暴\x00雨\u2028",
    "]]>",
    "𠀀𠮷😀",
    "{{x}}\\u003c",
    "x" * 300,
)
Box = tuple[float, float, float, float]


def texts(svg: str) -> list[str]:
    """The text of each text element."""
    return ["".join(t.itertext()) for t in ET.fromstring(svg).iter(f"{SVG}text")]


def points(svg: str) -> dict[str, tuple[float, float, float]]:
    """Point -> centre and radius of its circle."""
    found = {}
    for group in ET.fromstring(svg).iter(f"{SVG}g"):
        circle = group.find(f"{SVG}circle")
        if "data-i" in group.attrib and circle is not None:
            found[group.attrib["data-i"]] = tuple(float(circle.get(a, "0")) for a in ("cx", "cy", "r"))
    return found  # type: ignore[return-value]


def lines(svg: str) -> list[tuple[str, str]]:
    """Upper and lower end of each line."""
    return [
        (p.attrib["data-u"], p.attrib["data-v"]) for p in ET.fromstring(svg).iter(f"{SVG}path") if "data-u" in p.attrib
    ]


def size(svg: str) -> tuple[float, float]:
    root = ET.fromstring(svg)
    return float(root.get("width", 0)), float(root.get("height", 0))


def boxes(svg: str) -> list[tuple[str, Box]]:
    """Every line of text with the box that it fills: left, top, right, bottom."""
    found = []
    for text in ET.fromstring(svg).iter(f"{SVG}text"):
        height = float(text.get("font-size", 12))
        spans = [s for s in text.iter(f"{SVG}tspan") if "x" in s.attrib]
        for piece in spans or [text]:
            said = "".join(piece.itertext())
            x, y, wide = float(piece.attrib["x"]), float(piece.attrib["y"]), text_width(said, height)
            left = x - wide / 2 if text.get("text-anchor") == "middle" else x
            found.append((said, (left, y - height * 0.85, left + wide, y + height * 0.15)))
    return found


def overlapping(svg: str) -> list[tuple[str, str]]:
    """Pairs of texts whose boxes overlap."""
    found, kept = boxes(svg), []
    for i, (one, a) in enumerate(found):
        for other, b in found[i + 1 :]:
            if a[0] < b[2] - 0.5 and b[0] < a[2] - 0.5 and a[1] < b[3] - 0.5 and b[1] < a[3] - 0.5:
                kept.append((one, other))
    return kept


def ontology(concepts: list[Concept], relations: list[Relation], root: str, **more: str) -> Ontology:
    return Ontology("http://x/o", "global", "t", "1", root, tuple(concepts), tuple(relations), **more)


def star(size: int) -> Ontology:
    """A root with ten families, two further parents."""
    concepts = [Concept("r", "暴雨灾害", "rainstorm disaster"), *(Concept(f"c{i:03}", f"概念{i}") for i in range(size))]
    relations = [Relation(f"c{i:03}", "subclass_of", "r" if i < 10 else f"c{i // 10:03}", 5, 1.0) for i in range(size)]
    if size > 99:
        relations += [Relation("c099", "subclass_of", "c001", 1, 1.0), Relation("c050", "part_of", "c002")]
    return ontology(concepts, relations, "r")


def tangled() -> Ontology:
    """A cycle that the root doesn't reach, a part, a class alone."""
    concepts = [Concept(i, f"类{i}") for i in "rabzy"]
    relations = [Relation("a", "subclass_of", "b"), Relation("b", "subclass_of", "a"), Relation("z", "part_of", "r")]
    return ontology(concepts, relations, "r")


def nasty() -> Ontology:
    """Labels, definitions, IRIs and evidence that try to break out of markup."""
    concepts = [
        Concept(f"http://x/#{i}", text, text, (text + "别名",), (text,), definition=text, definition_en=text)
        for i, text in enumerate(NASTY)
    ]
    concepts.append(Concept("javascript:alert(1)//#0", "脚本"))
    relations = [
        Relation(c.iri, "subclass_of", "http://x/#0", 3, 0.5, evidence=NASTY[0], documents=(NASTY[0], "d2"),
                 sentence=NASTY[0]) for c in concepts[1:]
    ]  # fmt: skip
    return ontology(
        concepts, relations, "http://x/#0", title_zh=NASTY[0], comment=NASTY[0], licence="javascript:alert(1)"
    )


def plain(svg: str) -> str:
    return re.sub(r"\s+", " ", " ".join(texts(svg)))
