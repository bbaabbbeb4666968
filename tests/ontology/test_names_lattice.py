"""The formal context of names, its lattice, and the classes it suggests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ontology.build import context_lattice
from ontology.context import FormalContext
from ontology.evidence import Claim, TermCorpus, skeleton
from ontology.evidence.modifiers import SHARED_MODIFIERS, name_parts
from ontology.evidence.skeleton import Skeleton, parse_classes
from ontology.hierarchy import TermHierarchy, term_hierarchy
from ontology.names_lattice import Names, SuggestedClass, classes_table

CANCERS = [
    *((f"{stage}{site}癌", f"{site}癌") for stage in ("晚期", "早期") for site in ("胃", "肺", "乳腺", "肝")),
    *((f"{site}癌", "癌") for site in ("胃", "肺", "乳腺", "肝")),
]


def learned(terms: Sequence[str], pairs: Sequence[tuple[str, str]]) -> tuple[TermHierarchy, list[Claim]]:
    """The hierarchy of terms, each in one document of its own, by their heads."""
    claims = [Claim(*pair, "head noun", "head noun") for pair in pairs]
    claims += SHARED_MODIFIERS.claims(TermCorpus((), ()), claims)
    context = FormalContext.from_bools(
        [f"d{i}" for i in range(len(terms))], list(terms), np.eye(len(terms), dtype=bool)
    )
    return term_hierarchy(context, reading="evidence", claims=claims), claims


def suggested(
    terms: Sequence[str], pairs: Sequence[tuple[str, str]], names: Mapping[str, int] | None = None
) -> tuple[SuggestedClass, ...]:
    hierarchy, claims = learned(terms, pairs)
    lattice_of = Names(hierarchy, name_parts(claims), names or {})
    assert lattice_of.context is not None
    return lattice_of.suggested(context_lattice(lattice_of.context))


def test_attributes_are_the_classes_above_and_the_modifiers() -> None:
    pairs = [
        ("急性前壁心肌梗死", "前壁心肌梗死"),
        ("前壁心肌梗死", "心肌梗死"),
        ("急性心肌梗死", "心肌梗死"),
    ]
    hierarchy, claims = learned(["急性前壁心肌梗死", "前壁心肌梗死", "急性心肌梗死"], pairs)
    node = hierarchy.index("急性前壁心肌梗死")
    assert node is not None
    assert {hierarchy.nodes[i].label for i in hierarchy.parents[node]} == {"前壁心肌梗死", "急性心肌梗死"}
    context = Names(hierarchy, name_parts(claims), {}).context
    assert context is not None
    row = context.rows[context.objects.index("急性前壁心肌梗死")]
    assert set(context.attribute_names(row)) == {"心肌梗死", "前壁心肌梗死", "急性心肌梗死", "急性…", "前壁…"}
    assert set(context.attribute_names(context.rows[context.objects.index("心肌梗死")])) == {"心肌梗死"}


def test_a_head_and_a_modifier_that_no_name_has_are_suggested() -> None:
    terms = ["晚期胃癌", "晚期肺癌", "晚期乳腺癌", "早期胃癌", "早期肺癌", "胃癌", "肺癌", "乳腺癌"]
    (late,) = suggested(terms, CANCERS)
    assert (late.label, late.head, late.modifiers, late.documents) == ("晚期癌", "癌", ("晚期",), 3)
    assert late.members == ("晚期乳腺癌", "晚期肺癌", "晚期胃癌")


def test_a_name_for_it_is_no_suggestion() -> None:
    terms = ["晚期胃癌", "晚期肺癌", "晚期乳腺癌", "晚期癌", "胃癌", "肺癌", "乳腺癌"]
    pairs = [*CANCERS, ("晚期癌", "癌")]
    assert not suggested(terms, pairs)
    hierarchy, _ = learned(terms, pairs)
    late = hierarchy.index("晚期癌")
    assert late is not None
    assert sum(late in parents for parents in hierarchy.parents) == 3


def test_names_of_the_corpus_that_are_no_terms_count() -> None:
    terms = ["晚期胃癌", "晚期肺癌", "胃癌", "肺癌", "肝癌"]
    assert not suggested(terms, CANCERS)
    (late,) = suggested(terms, CANCERS, {"晚期肝癌": 7, "早期肝癌": 5, "没有头": 3})
    assert late.members == ("晚期肝癌", "晚期肺癌", "晚期胃癌")
    assert late.documents == 9
    assert not suggested(terms, CANCERS, {"晚期肝癌": 7, "晚期癌": 2})  # which needs no head to be a name


def test_names_without_heads_have_no_context() -> None:
    hierarchy, claims = learned(["哮喘", "基因"], [])
    assert Names(hierarchy, name_parts(claims), {"哮喘病": 3}).context is None


def test_english_suggestions_are_separate_words() -> None:
    kinds = ("kidney", "heart", "lung")
    pairs = [*((f"acute {k} failure", f"{k} failure") for k in kinds), *((f"{k} failure", "failure") for k in kinds)]
    (acute,) = suggested([name for name, _ in pairs], pairs)
    assert acute.label == "acute failure"


def test_the_table_is_a_table_of_classes() -> None:
    late = SuggestedClass("癌", ("晚期",), ("晚期胃癌", "晚期肺癌", "晚期肝癌"), 3)
    classes = Skeleton(parse_classes(classes_table([late], ()), "suggested.tsv"))
    assert classes.above("晚期癌") == {"晚期癌", "癌"}
    assert [c.label for c in classes.classes_of("晚期肺癌")] == ["晚期癌"]
    assert classes.accepts("癌", "晚期癌")
    of_storms = SuggestedClass("灾害", ("冬季",), ("冬季a", "冬季b", "冬季c"), 3)
    table = classes_table([of_storms, late], skeleton(field="earth").by_label)
    assert [line.split("\t")[0] for line in table.splitlines()] == ["zh", "癌", "冬季灾害", "晚期癌"]
