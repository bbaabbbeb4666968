"""SSSOM files: what is written is read again, and what people and other programs write is understood or refused."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ontology.mapping import BROAD, CLOSE, EXACT, MappingError, MappingSet, TermMapping, load, write
from ontology.mapping.mappings import CURATED, LABEL, SYNONYM, idle, joined_pairs, turned
from ontology.mapping.sssom import text

ROW = TermMapping(
    "https://w3id.org/ontocrawl/typhoon#Flooding", "洪涝", EXACT, "https://w3id.org/ontocrawl/rainstorm#Flooding",
    "洪涝", confidence=0.958, match_string="洪涝", subject_field=LABEL, object_field=SYNONYM, comment="equal labels",
)  # fmt: skip
SET = MappingSet(
    (ROW, replace(ROW, object="https://example.org/a/b (c)", predicate=CLOSE, confidence=None, negated=True)),
    "https://w3id.org/ontocrawl/typhoon/1.0.1/mappings/rainstorm",
    "https://creativecommons.org/licenses/by/4.0/",
    "https://w3id.org/ontocrawl/typhoon",
    "https://w3id.org/ontocrawl/rainstorm",
    "2026-01-31",
    "0.2.0",
)
BY_HAND = """\
# curie_map:
#   HP: "http://purl.obolibrary.org/obo/HP_"
#   mine: https://example.org/t#
# mapping_set_id: 'https://example.org/it''s'
# license: https://creativecommons.org/publicdomain/zero/1.0/
# creator_id:
# - orcid:0000-0001
# - orcid:0000-0002
# comment: "two: parts"
subject_id\tpredicate_id\tobject_id\tmapping_justification\tauthor_id

mine:Flood\tskos:exactMatch\tHP:0001\tsemapv:ManualMappingCuration\torcid:0000-0001
https://example.org/x\tskos:narrowMatch\tother:1\tsemapv:UnspecifiedMatching\t
"""


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "new" / "m.sssom.tsv"
    write(SET, path)
    again = load(path)
    assert again.mappings == SET.mappings
    assert (again.id, again.licence, again.date, again.tool_version) == (SET.id, SET.licence, "2026-01-31", "0.2.0")
    assert (again.subject_source, again.object_source) == (SET.subject_source, SET.object_source)
    assert again.others == (("mapping_tool", "ontocrawl"),)
    assert text(again) == path.read_text(encoding="utf-8")


def test_the_form_of_the_file() -> None:
    lines = text(SET).splitlines()
    assert "#  typhoon: https://w3id.org/ontocrawl/typhoon#" in lines
    assert "#mapping_set_id: https://w3id.org/ontocrawl/typhoon/1.0.1/mappings/rainstorm" in lines
    header, first, second = (line.split("\t") for line in lines if not line.startswith("#"))
    row = dict(zip(header, first, strict=True))
    assert (row["subject_id"], row["object_id"]) == ("typhoon:Flooding", "rainstorm:Flooding")
    assert (row["confidence"], row["match_string"], row["predicate_modifier"]) == ("0.958", "洪涝", "")
    assert second[header.index("predicate_modifier")] == "Not"
    assert second[header.index("object_id")] == "https://example.org/a/b (c)", "no CURIE can have this end"


def test_a_file_of_others(tmp_path: Path) -> None:
    path = tmp_path / "m.tsv"
    path.write_text(BY_HAND, encoding="utf-8")
    read = load(path)
    first, second = read.mappings
    assert (first.subject, first.object) == ("https://example.org/t#Flood", "http://purl.obolibrary.org/obo/HP_0001")
    assert (first.justification, first.others) == (CURATED, (("author_id", "orcid:0000-0001"),))
    path.write_text(BY_HAND.replace("mine:Flood\tskos", '"mine:Flood"\tskos'), encoding="utf-8")
    assert load(path).mappings == read.mappings, "as a spreadsheet saves it"
    assert second.object == "other:1", "a prefix that no curie_map has"
    assert read.id == "https://example.org/it's"
    assert dict(read.others) == {"creator_id": "orcid:0000-0001\norcid:0000-0002", "comment": "two: parts"}
    write(read, tmp_path / "again.tsv")
    assert load(tmp_path / "again.tsv").mappings == read.mappings
    assert dict(load(tmp_path / "again.tsv").others)["creator_id"] == "orcid:0000-0001\norcid:0000-0002"


def test_items_of_several_values_are_kept(tmp_path: Path) -> None:
    defined = "# extension_definitions:\n#   - slot_name: ext_a\n#     property: d:a\n"
    (tmp_path / "m.tsv").write_text(defined + BY_HAND, encoding="utf-8")
    assert dict(load(tmp_path / "m.tsv").others)["extension_definitions"] == "slot_name: ext_a, property: d:a"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("mapping_justification\t", "why\t"), "line 10: expected a header .* found none named mapping_justification"),
        (("mine:Flood\tskos", "\tskos"), "line 12: expected a value in the column subject_id"),
        (("\torcid:0000-0001\n", "\ta\tb\n"), "line 12: expected 5 cells .* found 6"),
        (("# license", "# - x y\n# license"), "line 5: expected metadata"),
    ],
)
def test_damaged_files_are_refused(tmp_path: Path, change: tuple[str, str], message: str) -> None:
    path = tmp_path / "m.tsv"
    path.write_text(BY_HAND.replace(*change), encoding="utf-8")
    with pytest.raises(MappingError, match=message):
        load(path)


@pytest.mark.parametrize(
    ("column", "cell"), [("confidence", "1.5"), ("confidence", "sure"), ("predicate_modifier", "No")]
)
def test_values_outside_the_standard_are_refused(tmp_path: Path, column: str, cell: str) -> None:
    path = tmp_path / "m.tsv"
    path.write_text(BY_HAND.replace("author_id", column).replace("orcid:0000-0001\n", f"{cell}\n"), encoding="utf-8")
    with pytest.raises(MappingError, match=f"line 12: {column}: expected"):
        load(path)


def test_no_such_file(tmp_path: Path) -> None:
    with pytest.raises(MappingError, match="no such file"):
        load(tmp_path / "m.tsv")
    (tmp_path / "empty.tsv").write_text("", encoding="utf-8")
    with pytest.raises(MappingError, match="expected a header"):
        load(tmp_path / "empty.tsv")


def test_a_person_may_deny_a_row() -> None:
    denied = replace(turned(ROW), negated=True, justification=CURATED)
    assert list(joined_pairs([ROW])) == [ROW]
    assert list(joined_pairs([ROW, denied])) == []
    assert list(joined_pairs([replace(ROW, predicate=BROAD), replace(ROW, predicate=CLOSE)])) == []
    assert turned(turned(ROW)) == ROW


cells = st.text(st.characters(codec="utf-8", exclude_categories=("Cs", "Cc", "Zl", "Zp", "Zs")), max_size=12)


@pytest.mark.slow
@given(cells, cells, st.sampled_from([None, 0.5, 0.001]))
def test_any_label_is_read_again(tmp_path_factory: pytest.TempPathFactory, label: str, why: str, sure: float) -> None:
    row = replace(ROW, subject_label=label, comment=why, confidence=sure)
    path = tmp_path_factory.mktemp("m") / "m.tsv"
    write(MappingSet((row,), id=f"x: {label}" if label else ""), path)
    again = load(path)
    assert again.mappings == (row,)
    assert again.id == (f"x: {label}" if label else "")


def test_a_row_that_maps_a_class_to_itself_joins_nothing_and_is_named() -> None:
    own, other = TermMapping("a:1", "", EXACT, "a:1", ""), TermMapping("a:1", "", EXACT, "b:1", "")
    places = {"a:1": "a:1", "b:1": "a:1"}
    assert list(idle([own, other], places)) == [(own, "it maps a class to itself")]
    assert list(idle([replace(own, negated=True)], places)) == []
