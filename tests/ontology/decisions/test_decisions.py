"""Decisions: the file of them, what they come to, and what they make of an ontology."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ontology.decisions import Decision, DecisionError, in_force, table
from ontology.decisions.applying import apply
from ontology.decisions.edits import edits, together
from ontology.decisions.facts import Facts
from ontology.decisions.guidance import Guidance
from ontology.evidence.claims import Claim
from ontology.model import Concept, Ontology, Relation, ScopedName
from ontology.terms.lexicon import Entry, Lexicon
from ontology.terms.term_lists import TermLists

LABELS = ("灾害", "洪水", "山洪", "暴雨", "内涝", "预警")
CONCEPTS = tuple(Concept(label, label) for label in LABELS)
EDGES = (("洪水", "灾害"), ("山洪", "洪水"), ("暴雨", "灾害"), ("内涝", "洪水"), ("预警", "灾害"))


def ontology(edges: tuple[tuple[str, str], ...] = EDGES, concepts: tuple[Concept, ...] = CONCEPTS) -> Ontology:
    relations = tuple(Relation(low, "subclass_of", high, 3, 0.5, "head noun") for low, high in edges)
    return Ontology("o", "global", "t", "1", "灾害", concepts, relations)


def decided(*decisions: Decision, base: Ontology | None = None, earlier: tuple[Ontology, ...] = ()) -> Ontology:
    return apply(base or ontology(), Facts.of(decisions, str), earlier=earlier).ontology


def pairs(value: Ontology) -> set[tuple[str, str]]:
    return {(r.source, r.target) for r in value.edges("subclass_of")}


def test_a_file_of_decisions_comes_back_and_grows_only(tmp_path: Path) -> None:
    path = tmp_path / table.FILE
    first = table.append(path, [Decision("accept", "山洪", "洪水", why='tab\tand "quotes"\nand a line')])
    second = table.append(
        path, [Decision("define", "山洪", "山区的洪水。", who="李四", when="2026-01-02T03:04:05+00:00")]
    )
    assert [d.id for d in (*first, *second)] == ["d1", "d2"]
    assert table.read(path) == (*first, *second)
    path.write_text(path.read_text(encoding="utf-8") + "\treject\t山洪\t\t灾害\n\n", encoding="utf-8")
    assert [d.id for d in table.append(path, [])] == []
    assert [(d.id, d.action, d.relation) for d in table.read(path)][-1] == ("d3", "reject", "subclass_of")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("\tadopt\t山洪\t\t洪水", "expected one of accept"),
        ("\taccept\t\t\t洪水", "needs a term"),
        ("\tmove\t山洪", "needs a value"),
        ("\taccept\t山洪\tsibling_of\t洪水", "expected as relation"),
        ("d1\taccept\t山洪\t\t洪水\nd1\treject\t山洪\t\t洪水", "the id d1 is on line 2 too"),
        ("\t".join("x" * 12), "expected 11 cells"),
    ],
)
def test_a_line_that_is_no_decision_is_named(tmp_path: Path, line: str, said: str) -> None:
    path = tmp_path / table.FILE
    path.write_text("\t".join(table.HEADER) + f"\n{line}\n", encoding="utf-8")
    with pytest.raises(DecisionError, match=said) as error:
        table.read(path)
    assert "line " in str(error.value)


def test_a_table_of_another_kind_is_refused(tmp_path: Path) -> None:
    path = tmp_path / table.FILE
    path.write_text("zh\ten\n", encoding="utf-8")
    with pytest.raises(DecisionError, match="line 1: expected the header id action"):
        table.read(path)


def test_a_withdrawn_decision_does_not_hold() -> None:
    reject = Decision("reject", "山洪", "洪水", id="d1")
    assert in_force([reject, Decision("withdraw", "", "d1", id="d2")]) == ()
    assert pairs(decided(reject, Decision("withdraw", "", "d1", id="d2"))) == pairs(ontology())


def test_the_last_decision_about_an_edge_prevails() -> None:
    reject, accept = Decision("reject", "山洪", "洪水"), Decision("accept", "山洪", "洪水")
    assert ("山洪", "洪水") not in pairs(decided(accept, reject))
    assert ("山洪", "洪水") in pairs(decided(reject, accept))


def test_what_lost_its_parent_is_under_the_root_and_a_move_is_both() -> None:
    assert pairs(decided(Decision("reject", "山洪", "洪水"))) - pairs(ontology()) == {("山洪", "灾害")}
    moved = decided(Decision("move", "山洪", "暴雨", old="洪水"))
    assert pairs(moved) ^ pairs(ontology()) == {("山洪", "暴雨"), ("山洪", "洪水")}


def test_an_accepted_edge_opens_a_cycle_at_the_weakest_edge_that_nobody_decided() -> None:
    result = decided(Decision("accept", "洪水", "山洪"), Decision("accept", "山洪", "暴雨"))
    assert ("洪水", "山洪") in pairs(result)
    assert ("山洪", "洪水") not in pairs(result)
    both = apply(
        ontology(), Facts.of([Decision("accept", "洪水", "山洪"), Decision("accept", "山洪", "洪水", id="d9")], str)
    )
    assert [(r.decision.id, r.reason) for r in both.conflicts] == [
        ("d9", "it would close a cycle with other decisions")
    ] or [r.reason for r in both.conflicts] == ["it would close a cycle with other decisions"]


def test_a_rejected_class_is_bridged() -> None:
    assert pairs(decided(Decision("reject", "洪水", relation="class"))) == {
        ("山洪", "灾害"), ("内涝", "灾害"), ("暴雨", "灾害"), ("预警", "灾害")
    }  # fmt: skip


def test_a_merged_class_becomes_a_name_and_stays_as_a_deprecated_one() -> None:
    result = decided(Decision("merge", "洪水", "暴雨"))
    assert result.by_iri["暴雨"].alt_zh == ("洪水",)
    assert {("山洪", "暴雨"), ("内涝", "暴雨")} <= pairs(result)
    assert [(c.iri, c.replaced_by) for c in result.deprecated] == [("洪水", ("暴雨",))]
    chain = decided(Decision("merge", "内涝", "洪水"), Decision("merge", "洪水", "暴雨"))
    assert set(chain.by_iri["暴雨"].alt_zh) == {"内涝", "洪水"}


def test_a_split_class_gives_its_parents_to_all_and_its_children_to_the_first() -> None:
    result = decided(Decision("split", "洪水", "河流洪水 | 海洋洪水"))
    assert {("河流洪水", "灾害"), ("海洋洪水", "灾害"), ("山洪", "河流洪水")} <= pairs(result)
    assert "洪水" not in result.by_iri


def test_a_class_of_an_earlier_version_is_taken_over_with_its_edges() -> None:
    now = ontology(EDGES[:1], CONCEPTS[:2])
    result = decided(Decision("define", "山洪", "山区的洪水。"), base=now, earlier=(ontology(),))
    assert result.by_iri["山洪"].definition == "山区的洪水。"
    assert ("山洪", "洪水") in pairs(result)
    again = decided(Decision("define", "山洪", "山区的洪水。"), base=now, earlier=(result,))
    assert list(again.relations) == list(result.relations)


def test_what_cannot_apply_is_said() -> None:
    gone = apply(
        ontology(),
        Facts.of([Decision("reject", "台风", "灾害", id="d1"), Decision("reject", "灾害", relation="class")], str),
    )
    assert [r.reason for r in gone.idle] == ["it is the root"]
    assert "台风" in gone.ontology.by_iri
    assert not apply(ontology(), Facts.of([Decision("reject", "台风")], str)).idle, "it is none, as was decided"


def test_a_decision_holds_against_other_documents_and_says_so() -> None:
    concepts = (replace(CONCEPTS[0]), replace(CONCEPTS[1], label_en="inundation"))
    facts = Facts.of([Decision("rename", "洪水", "flood", old="deluge", language="en")], str)
    found = apply(ontology(EDGES[:1], concepts), facts)
    assert found.ontology.by_iri["洪水"].label_en == "flood"
    assert [r.reason for r in found.conflicts] == ["the documents say 'inundation' now; the decision is kept"]


def test_a_local_ontology_gets_only_what_it_has_or_what_is_decided_of_it() -> None:
    local = replace(ontology(EDGES[:2], CONCEPTS[:3]), kind="local", iri="o/relief")
    everywhere = [Decision("accept", "风暴潮", "洪水"), Decision("translate", "洪水", "flood", language="en")]
    here = [*everywhere, Decision("accept", "冰凌", "洪水", ontology="relief")]
    result = apply(local, Facts.of(here, str, local="relief"), local="relief").ontology
    assert {c.iri for c in result.concepts} == {"灾害", "洪水", "山洪", "冰凌"}
    assert result.by_iri["洪水"].label_en == "flood"


def test_the_learner_is_told_by_labels() -> None:
    facts = Facts.of(
        [
            Decision("accept", "iri:a", "iri:b", id="d1"), Decision("reject", "iri:c", "iri:b"),
            Decision("reject", "iri:e", relation="class"), Decision("merge", "iri:d", "iri:a"),
        ],
        str,
    )  # fmt: skip
    told = Guidance.of(
        facts, {"iri:a": "山洪", "iri:b": "洪水", "iri:c": "防洪", "iri:d": "山区洪水", "iri:e": "影响"}.__getitem__
    )
    claims = [Claim("防洪", "洪水", "head noun", "head noun"), Claim("内涝", "洪水", "head noun", "head noun")]
    assert [(c.narrower, c.broader, c.rule) for c in told.claims(claims)] == [
        ("山洪", "洪水", "decision"), ("内涝", "洪水", "head noun")
    ]  # fmt: skip
    lists = told.lists(TermLists(white=("影响",), black=("山洪",)))
    assert (lists.black, "影响" in lists.white, "山洪" in lists.white) == (("影响",), False, True)
    known = Lexicon((Entry("山洪", "flash flood"), Entry("山区洪水", "mountain flood")))
    assert told.lexicon(known).canonical("山区洪水") == "山洪"


def test_two_files_that_contradict_each_other_are_named() -> None:
    changes, conflicts = together(
        [Decision("move", "山洪", "暴雨", old="洪水"), Decision("translate", "洪水", "flood", language="en")],
        [Decision("move", "山洪", "内涝", old="洪水"), Decision("translate", "洪水", "flood", language="en")],
    )
    assert len(changes) == 2
    assert conflicts == ("山洪: move 暴雨 instead of 洪水, or move 内涝 instead of 洪水",)


NEW = "new:"


@st.composite
def edited(draw: st.DrawFn) -> Ontology:
    """The ontology after a person edited it: labels, names, definitions, classes and edges."""
    kept = [c for c in CONCEPTS if c.iri == "灾害" or draw(st.integers(0, 5))]
    names = draw(st.sets(st.sampled_from(["风暴潮", "冰凌", "海啸"]), max_size=2))
    added = [Concept(f"{NEW}{name}", name) for name in sorted(names)]
    words = st.sampled_from(["", "甲", "乙", "flood"])
    concepts = [
        replace(
            c,
            label_en=draw(words) or None,
            definition=draw(words),
            definition_en=draw(words),
            alt_zh=tuple(draw(st.sets(st.sampled_from(["丙", "丁"]), max_size=2))),
            xrefs=tuple(draw(st.sets(st.sampled_from(["A:1", "B:2"]), max_size=1))),
        )
        for c in (*kept, *added)
    ]
    order = [c.iri for c in concepts]
    edges = {
        (low, draw(st.sampled_from(order[:n])))
        for n, low in enumerate(order)
        if n
        for _ in range(draw(st.integers(1, 2)))
    }
    kinds = {
        (a, k, b)
        for a in order
        for b in order
        if a < b
        for k in ("causes", "measured_by")
        if not draw(st.integers(0, 9))
    }
    relations = [Relation(low, "subclass_of", high, 3, 0.5, "head noun") for low, high in sorted(edges)]
    others = [Relation(a, k, b) for a, k, b in sorted(kinds)]  # type: ignore[arg-type]
    return replace(ontology(), concepts=tuple(concepts), relations=(*relations, *others), title_zh=draw(words))


@pytest.mark.slow
@settings(max_examples=200, deadline=None)
@given(edited())
def test_the_decisions_of_an_edit_make_the_edited_ontology(after: Ontology) -> None:
    before = ontology()
    found = edits(before, after, lambda concept: concept.label).decisions
    iris = {c.label_zh: c.iri for c in (*after.concepts, *before.concepts)}
    facts = Facts.of(found, iris.__getitem__)
    result = apply(before, facts, label_of=lambda iri: iri.removeprefix(NEW)).ontology
    names = {c.iri: replace(c, alt_zh=tuple(sorted(c.alt_zh)), label_en=c.label_en or None) for c in result.concepts}
    assert names == {c.iri: replace(c, alt_zh=tuple(sorted(c.alt_zh))) for c in after.concepts}
    assert {(r.kind, r.source, r.target) for r in result.relations} == {
        (r.kind, r.source, r.target) for r in after.relations
    }
    assert result.title_zh == after.title_zh
    assert not edits(result, after, lambda concept: concept.label).decisions


def test_a_deprecated_class_is_merged_split_or_rejected_by_what_replaces_it() -> None:
    def without(label: str, *instead: str) -> Ontology:
        gone = replace(next(c for c in CONCEPTS if c.label_zh == label), replaced_by=instead)
        edges = tuple(e for e in EDGES if label not in e)
        concepts = tuple(c for c in CONCEPTS if c.label_zh != label)
        return replace(ontology(edges, concepts), deprecated=(gone,))

    def said(after: Ontology) -> list[tuple[str, str, str]]:
        return [(d.action, d.term, d.value) for d in edits(ontology(), after, lambda c: c.label).decisions]

    assert said(without("内涝", "洪水")) == [("merge", "内涝", "洪水")]
    assert said(without("内涝", "洪水", "暴雨")) == [("split", "内涝", "洪水 | 暴雨")]
    assert said(without("内涝")) == [("reject", "内涝", "deprecated")]
    kept = decided(*edits(ontology(), without("内涝"), lambda c: c.label).decisions)
    assert [c.iri for c in kept.deprecated] == ["内涝"]


def test_another_iri_of_a_class_is_kept() -> None:
    after = replace(
        ontology(EDGES[1:], CONCEPTS),
        concepts=tuple(replace(c, iri="urn:flood") if c.iri == "洪水" else c for c in CONCEPTS),
        relations=tuple(
            replace(r, source="urn:flood" if r.source == "洪水" else r.source,
                    target="urn:flood" if r.target == "洪水" else r.target)
            for r in ontology().relations
        ),
    )  # fmt: skip
    found = edits(ontology(), after, lambda concept: concept.label).decisions
    assert [(d.action, d.relation, d.old, d.value) for d in found] == [("rename", "iri", "洪水", "urn:flood")]
    result = decided(*found)
    assert ("山洪", "urn:flood") in pairs(result)


def test_the_scope_of_another_name_is_kept() -> None:
    narrow = ScopedName("narrow", "zh", "溪洪")
    changed = tuple(replace(c, alt_zh=("溪洪",), scopes=(narrow,)) if c.iri == "山洪" else c for c in CONCEPTS)
    found = edits(ontology(), ontology(EDGES, changed), lambda concept: concept.label).decisions
    assert [(d.action, d.relation, d.value) for d in found] == [("accept", "narrow_synonym", "溪洪")]
    assert decided(*found).by_iri["山洪"].scopes == (narrow,)
    assert decided(*found, Decision("reject", "山洪", "溪洪", "synonym")).by_iri["山洪"].scopes == ()


def test_an_edge_whose_broader_class_was_merged_follows_it() -> None:
    result = decided(Decision("accept", "涝渍", "内涝", id="d1"), Decision("merge", "内涝", "洪水", id="d2"))
    assert ("涝渍", "洪水") in pairs(result)
    assert ("涝渍", "灾害") not in pairs(result)


def test_a_class_whose_broader_class_is_rejected_later_goes_to_what_is_above() -> None:
    rows = [Decision("accept", "涝渍", "内涝", id="d1"), Decision("reject", "内涝", relation="class", id="d2")]
    applied = apply(ontology(), Facts.of(rows, str))
    assert ("涝渍", "洪水") in pairs(applied.ontology)
    assert [(r.decision.id, "内涝 is no class since d2" in r.reason) for r in applied.idle] == [("d1", True)]


def test_a_class_that_is_placed_under_a_rejected_one_is_set_apart() -> None:
    rows = [
        Decision("reject", "内涝", relation="class", id="d1"),
        Decision("accept", "涝渍", "内涝", id="d2"),
        Decision("accept", "涝渍", "渍涝", "synonym", id="d3"),
    ]
    applied = apply(ontology(), Facts.of(rows, str))
    assert "涝渍" not in applied.ontology.by_iri
    assert {r.decision.id for r in applied.idle} == {"d2", "d3"}
    again = Facts.of([*rows, Decision("accept", "涝渍", "洪水", id="d4")], str)
    assert ("涝渍", "洪水") in pairs(apply(ontology(), again).ontology)


def test_decisions_that_close_cycles_are_named_with_the_edge_that_goes() -> None:
    applied = apply(ontology(), Facts.of([Decision("accept", "洪水", "山洪", id="d1")], str))
    ((cycle),) = applied.cycles
    assert cycle.decision.id == "d1"
    assert cycle.edge is not None
    assert (cycle.edge.source, cycle.edge.target) == ("山洪", "洪水")
    both = [Decision("accept", "预警", "暴雨", id="d1"), Decision("accept", "暴雨", "预警", id="d2")]
    (second,) = apply(ontology(), Facts.of(both, str)).cycles
    assert (second.decision.id, second.edge) == ("d2", None)


def test_an_edge_that_only_a_withdrawn_decision_made_is_not_taken_over() -> None:
    before = decided(Decision("accept", "涝渍", "内涝", id="d1"))
    now = decided(Decision("accept", "涝渍", "暴雨", id="d2"), earlier=(before,))
    assert {high for low, high in pairs(now) if low == "涝渍"} == {"暴雨"}
