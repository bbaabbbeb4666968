"""Ontologies for tests: a small one with everything in it, and random ones with nasty names."""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from typing import Any, get_args

from hypothesis import strategies as st

from ontology.model import (
    Concept,
    DefinitionCandidate,
    NameScope,
    Ontology,
    OtherText,
    Relation,
    RelationKind,
    ScopedName,
)
from ontology.owl import Header

BASE = "https://w3id.org/ontocrawl/test#"
HEADER = Header(
    "2024-05-01", "2024-05-02T12:00:00Z", ("https://orcid.org/0000-0001", "张三"), ("CNKI 导出.txt (57 records)",),
    {"d1": "https://doi.org/10.1000/d1"},
)  # fmt: skip
FORMATS = (".ttl", ".rdf", ".nt", ".jsonld", ".ofn", ".owx")
RDF_FORMATS = FORMATS[:4]
OBO_FORMATS = (".obo", ".json")
"""They hold neither the origin of axioms nor candidates of definitions."""


def of_obo(value: Ontology) -> Ontology:
    """Return what an OBO format holds of an ontology."""
    concepts, deprecated = (
        tuple(replace(c, candidates=()) for c in part) for part in (value.concepts, value.deprecated)
    )
    return replace(value, concepts=concepts, deprecated=deprecated)


_OTHER_TEXTS = (
    OtherText("definition", "de", "Wasser, wo keins sein soll."), OtherText("label", "de", "Flut"),
    OtherText("label", "pt-BR", "enchente"), OtherText("synonym", "de", "Überschwemmung"),
)  # fmt: skip
_SCOPES = (
    ScopedName("broad", "zh", "水灾"), ScopedName("narrow", "en", "floods"),
    ScopedName("related", "de", "Überschwemmung"), ScopedName("related", "en", "floods"),
)  # fmt: skip


_CANDIDATES = (
    DefinitionCandidate("en", "A flood is an overflow of water that submerges land", "d1", "is a"),
    DefinitionCandidate("zh", "洪水是指河流水位“超过”堤岸的现象", "d1", "defined as"),
    DefinitionCandidate("zh", "洪水是指河流水位“超过”堤岸的现象", "d2", "defined as"),
)


def ontology() -> Ontology:
    names = ("Root", "Flood", "FlashFlood", "Rainstorm", "Deluge", "Storm")
    concepts = [Concept(BASE + n, f"概念{n}", n.lower()) for n in names]
    concepts[1] = replace(
        concepts[1], alt_zh=("水灾", "洪灾"), alt_en=("floods",), definition="水。", definition_en="Water."
    )
    concepts[1] = replace(concepts[1], texts=_OTHER_TEXTS, xrefs=("MESH:D055868", "https://example.org/a flood"))
    concepts[1] = replace(concepts[1], scopes=_SCOPES)
    concepts[1] = replace(concepts[1], candidates=_CANDIDATES)
    concepts[4] = replace(concepts[4], label_en=None)
    concepts[5] = replace(concepts[5], label_zh="")
    return Ontology(
        iri="https://w3id.org/ontocrawl/test",
        kind="global",
        topic="test",
        version="1.2.0",
        root=BASE + "Root",
        concepts=tuple(concepts),
        relations=(
            Relation(
                BASE + "Flood", "subclass_of", BASE + "Root", 12, 2 / 3, 'documents "a" & <b>\n第二行',
                ("d2", "d1"), "洪水是一种“灾害”。",
            ),
            Relation(BASE + "FlashFlood", "subclass_of", BASE + "Flood", 0, 0.0),
            Relation(BASE + "Rainstorm", "subclass_of", BASE + "Root"),
            Relation(BASE + "Storm", "subclass_of", BASE + "Root"),
            Relation(BASE + "FlashFlood", "part_of", BASE + "Rainstorm", evidence="curated"),
            Relation(BASE + "Rainstorm", "causes", BASE + "Flood", support=3),
            Relation(BASE + "Rainstorm", "causes", BASE + "FlashFlood"),
            Relation(BASE + "Flood", "measured_by", BASE + "Storm", 1, None, "cue 测量", ("d1",), "洪水由其测量。"),
            Relation(BASE + "Deluge", "equivalent_to", BASE + "Flood", confidence=1e-9),
        ),
        title_zh="测试本体",
        title_en="Test ontology",
        comment="A comment.",
        licence="https://www.apache.org/licenses/LICENSE-2.0",
        deprecated=(
            Concept(BASE + "Inundation", "淹没", "inundation", replaced_by=(BASE + "Flood", "TEST:7"), xrefs=("A:1",)),
            Concept(BASE + "Tide", "", "tide"),
        ),
    )  # fmt: skip


_PIECES = (
    '"', "\\", "/", "%", "%41", "&", "&amp;", "<", ">", "'", "\n", "\r", "\t", " ", "@en", "^^", "#", ";;", "{", "}",
    "[", "]]>", "<!--", "😀", "Ａ％", "暴雨", "\u2028", "\u0085", "\x7f", "\u200b", "\ufeff", "e\u0301", "\U0002070e",
    '"""', "'''", "\\n", "\\u0041", '"@en .', "_:b", "a", "1", ".", "-", "null",
)  # fmt: skip
_LOCAL = (
    "a", "Z", "1", ".", "-", "_", "%41", "/", "&", "'", "(", ")", "中", "?", "=", ":", ";", "*", "é", "😀", "~", ",",
    "!", "$", "@", "+",
)  # fmt: skip
texts = st.one_of(
    st.lists(st.sampled_from(_PIECES), min_size=1, max_size=6).map("".join),
    st.text(st.characters(exclude_categories=["Cs", "Cc", "Cn"]), min_size=1, max_size=10),
)
_maybe = st.one_of(st.just(""), texts)
_locals = st.lists(st.sampled_from(_LOCAL), max_size=5).map("".join)
_spaces = st.sampled_from((BASE, "http://x/", "urn:x:y", "http://x/a.b/", "http://y#"))
_languages = st.sampled_from(("de", "fr", "pt-BR", "ja", "zh-Hans", "zh-Hant", "en-GB"))
_labels_of = st.dictionaries(st.tuples(st.sampled_from(("label", "definition")), _languages), texts, max_size=2)
_synonyms_of = st.lists(st.builds(OtherText, st.just("synonym"), _languages, texts), max_size=2)
_other_texts = st.builds(
    lambda first, more: (*(OtherText(*key, text) for key, text in first.items()), *more), _labels_of, _synonyms_of
)
_kinds: st.SearchStrategy[RelationKind] = st.sampled_from(get_args(RelationKind))
_scope: st.SearchStrategy[NameScope] = st.sampled_from(get_args(NameScope))


@st.composite
def _scoped(draw: st.DrawFn, concept: Concept) -> Concept:
    """The concept with scopes of some of its other names."""
    names = [("zh", name) for name in concept.alt_zh] + [("en", name) for name in concept.alt_en]
    names += [(text.language, text.text) for text in concept.texts if text.role == "synonym"]
    if not names:
        return concept
    rows = draw(st.lists(st.tuples(_scope, st.sampled_from(names)), max_size=3))
    return replace(concept, scopes=tuple(ScopedName(scope, *name) for scope, name in rows))


@st.composite
def ontologies(draw: st.DrawFn) -> Ontology:
    """Any ontology that the model allows: labels missing, edges doubled, cycles, loops."""
    iris = draw(st.lists(st.builds(str.__add__, _spaces, _locals), min_size=1, max_size=4, unique=True))
    names = st.lists(texts, max_size=2).map(tuple)
    english = st.one_of(st.none(), texts)
    candidate = st.builds(DefinitionCandidate, st.sampled_from(["zh", "en"]), texts, texts, texts)
    candidates = st.lists(candidate, max_size=2).map(tuple)
    further = (_other_texts, names, names)
    every = [
        draw(
            st.builds(
                Concept, st.just(i), _maybe, english, names, names, _maybe, _maybe, *further, candidates=candidates
            )
        )
        for i in iris
    ]
    every = [draw(_scoped(concept)) for concept in every]
    live = draw(st.integers(1, len(every)))
    concepts, iris = every[:live], iris[:live]
    support = st.one_of(st.none(), st.integers(0, 10**12))
    confidence = st.one_of(st.none(), st.floats(0, 1))
    end = st.sampled_from(iris)
    edge = st.builds(Relation, end, _kinds, end, support, confidence, _maybe, names, _maybe)
    return Ontology(
        BASE[:-1], draw(st.sampled_from(["global", "local"])), draw(_maybe), draw(_maybe), draw(end), tuple(concepts),
        tuple(draw(st.lists(edge, max_size=5))), tuple(every[live:]),
        title_zh=draw(_maybe), title_en=draw(_maybe), comment=draw(_maybe), licence=draw(_maybe),
    )  # fmt: skip


def without_returns(value: Any) -> Any:
    """A value of the model as OBO flat files hold it: they have no carriage returns."""
    if isinstance(value, str):
        return value.replace("\r", "\n")
    if isinstance(value, tuple):
        return tuple(map(without_returns, value))
    if is_dataclass(value) and not isinstance(value, type):
        changed = {f.name: without_returns(getattr(value, f.name)) for f in fields(value) if f.init}
        return replace(value, **changed)
    return value


headers = st.builds(
    Header,
    st.sampled_from(["", "2024-05-01"]),
    st.sampled_from(["", "2024-05-02T12:00:00+08:00", "2024-05-02T12:00:00Z"]),
    st.lists(texts, max_size=2, unique=True).map(lambda found: tuple(sorted(found))),
    st.lists(texts, max_size=2, unique=True).map(lambda found: tuple(sorted(found))),
)
