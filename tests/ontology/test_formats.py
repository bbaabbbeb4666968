from __future__ import annotations

import gzip
import lzma
from pathlib import Path
from types import ModuleType

import concepts
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ontology import formats
from ontology.context import ContextError, FormalContext
from ontology.formats import BY_SUFFIX, dat, read, table, write
from ontology.formats.concepts_package import from_package, to_package
from tests.ontology.contexts import contexts, data, table1

NAMES = st.text(st.characters(codec="utf-8", exclude_characters="\r\n"), min_size=1, max_size=8)


@st.composite
def oddly_named(draw: st.DrawFn) -> FormalContext:
    context = draw(contexts(5, 5))
    n, m = len(context.objects), len(context.attributes)
    objects = draw(st.lists(NAMES, min_size=n, max_size=n, unique=True))
    attributes = draw(st.lists(NAMES, min_size=m, max_size=m, unique=True))
    return FormalContext(tuple(objects), tuple(attributes), context.rows)


@pytest.mark.parametrize("suffix", [".cxt", ".csv", ".json"])
@given(context=oddly_named())
@settings(max_examples=60, deadline=None)
def test_round_trip_of_any_names(suffix: str, context: FormalContext) -> None:
    form = BY_SUFFIX[suffix]
    assert form.parse(form.render(context), "memory") == context


@given(contexts())
@settings(deadline=None)
def test_round_trip_of_numbered_contexts_in_fimi(context: FormalContext) -> None:
    numbered = dat.numbered(context)
    assert dat.parse(dat.render(numbered), "memory") == numbered


@given(contexts())
@settings(max_examples=30, deadline=None)
def test_round_trip_through_the_package_concepts(context: FormalContext) -> None:
    assert from_package(to_package(context)) == context


@pytest.mark.parametrize("suffix", [".cxt", ".csv", ".json"])
def test_files_and_the_package_concepts_read_each_other(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"table1{suffix}"
    write(table1(), path)
    assert read(path) == table1()
    if suffix == ".json":
        theirs = concepts.Context.fromjson(str(path), ignore_lattice=True)
        theirs.tojson(str(path))
    else:
        theirs = concepts.Context.fromfile(str(path), frmat=suffix[1:], encoding="utf-8")
        theirs.tofile(str(path), frmat=suffix[1:], encoding="utf-8")
    assert from_package(theirs) == table1()
    assert read(path) == table1()


def test_the_package_concepts_wants_different_names() -> None:
    with pytest.raises(ContextError, match="both: 'a'"):
        to_package(FormalContext(("a",), ("a",), (1,)))


BAD = [
    ("x.cxt", "C\n\n1\n1\n\ng\nm\nX\n", "x.cxt, line 1: expected 'B'"),
    ("x.cxt", "B\n\nn\n1\n", "x.cxt, line 3: expected the number of objects"),
    ("x.cxt", "B\n\n1\n-1\n\n", "x.cxt, line 4: expected the number of attributes"),
    ("x.cxt", "B\n\n2\n1\n\ng\nh\nm\nX", "x.cxt, line 9: the file ends early"),
    ("x.cxt", "B\n\n1\n2\n\ng\nm\nk\nX\n", "x.cxt, line 9: expected 2 cells"),
    ("x.cxt", "B\n\n1\n1\n\ng\nm\n?\n", "x.cxt, line 8: expected cells 'X' or '.', found '\\?'"),
    ("x.cxt", "B\n\n1\n1\n\ng\nm\nX\nmore\n", "x.cxt, line 9: expected the end"),
    ("x.cxt", "B\n\n1\n1\n\ng\nm\n.\n", "x.cxt, line 6: .*no incidence"),
    ("x.cxt", "", "x.cxt, line 1"),
    ("x.csv", ",a,b\ng,X\n", "x.csv, line 2: expected 2 cells"),
    ("x.csv", ",a\ng,X\nh,maybe\n", "x.csv, line 3: attribute 'a': expected X or an empty cell, found 'maybe'"),
    ("x.csv", ',a\n"g,X\n', "x.csv, line 2: not a table: a quotation mark"),
    ("x.csv", "", "x.csv, line 1: .*needs objects"),
    ("x.csv", '""\ng\n', "x.csv, line 1: .*needs attributes"),
    ("x.csv", ",a,b\n,X,\nh,,\nh,X,\n", "x.csv, line 4: .*found doubled: 'h'"),
    ("x.csv", ",a,a\ng,X,\n", "x.csv, line 1: .*found doubled: 'a'"),
    ("x.csv", ",a\ng,\0\n", "x.csv, line 2: "),
    ("x.cxt", "B\n\n3\n1\n\ng\nh\ng\nm\nX\nX\nX\n", "x.cxt, line 8: .*found doubled: 'g'"),
    ("x.cxt", "B\n\n1\n2\n\ng\nm\nm\nXX\n", "x.cxt, line 8: .*found doubled: 'm'"),
    ("x.cxt", "B\n\n2\n0\n\ng\nh\n\n\n", "x.cxt, line 6: .*needs attributes"),
    ("x.cxt", "B\n\n0\n0\n\n", "x.cxt, line 6: .*needs objects"),
    ("x.cxt", "B\n\n" + "9" * 5000 + "\n1\n\n", "x.cxt, line 3: expected the number of objects"),
    ("x.cxt", "B\n\n999999999999\n1\n\ng\n", "the file ends early: expected 999999999999 object names"),
    ("x.json", '{"objects": ["g",\n"h",\n"g"], "properties": ["g"], "context": [[0],[],[]]}', "x.json, line 3: .*'g'"),
    (
        "x.json",
        '{"objects": ["a"],\n"properties": ["a",\n"\u66b4", "\\u66b4"], "context": [[0]]}',
        "x.json, line 3: .*'暴'",
    ),
    ("x.json", '{"objects": ["g"], "properties": [], "context": [[]]}', "x.json, line 1: .*needs attributes"),
    ("x.json", "[" * 100_000, "x.json, line 1: not JSON"),
    ("x.json", "1" * 5000, "x.json, line 1: not JSON"),
    ("x.dat", "1 2\n" + "9" * 5000 + "\n", "x.dat, line 2: expected item numbers"),
    ("x.json", '{"objects": ["g"],\n "properties": [', "x.json, line 2: not JSON"),
    ("x.json", "[]", "expected an object with objects"),
    (
        "x.json",
        '{"objects": ["g"], "properties": ["m"], "context": [[1]]}',
        r"context\[0\]: expected attribute numbers",
    ),
    ("x.json", '{"objects": ["g"], "context": [[0]]}', "list of names under 'properties'"),
    ("x.json", '{"objects": ["g"], "properties": ["m"]}', "expected a list under 'context'"),
    ("x.dat", "1 2\n3 x\n", "x.dat, line 2: expected item numbers"),
    ("x.dat", "\n\n", "x.dat, line 1: .*needs attributes"),
    ("x.txt", "", "expected a context file ending in .cxt, .csv, .json, .dat, .ctx, .tsv, .tab, .cex, found '.txt'"),
]


@pytest.mark.parametrize(("name", "text", "message"), BAD)
def test_malformed_files_name_file_and_line(tmp_path: Path, name: str, text: str, message: str) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(ContextError, match=message):
        read(tmp_path / name)


def test_a_file_in_another_encoding_is_named_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "gbk.csv").write_bytes(",a\n暴雨,X\n".encode("gbk"))
    with pytest.raises(ContextError, match=r"gbk\.csv, line 2: expected UTF-8"):
        read(tmp_path / "gbk.csv")


def test_variants_that_other_writers_make(tmp_path: Path) -> None:
    path = tmp_path / "x.cxt"
    for text in (
        "B\r\r1\r2\r\rg\rm\rk\rX.\r",
        "\ufeffB\r\n\r\n1\r\n2\r\n\r\ng\r\nm\r\nk\r\nX.\r\n",
        "B\n1\n2\n\ng\nm\nk\nx.",
        "B\n7\n1\n2\n\ng\nm\nk\nX.",
    ):
        path.write_bytes(text.encode())
        assert read(path) == FormalContext(("g",), ("m", "k"), (1,))


def test_empty_rows_and_columns_stay(tmp_path: Path) -> None:
    context = FormalContext(("1", "2", "3"), ("1", "2"), (0, 2, 0))
    for suffix in (".cxt", ".csv", ".json"):
        write(context, tmp_path / f"x{suffix}")
        assert read(tmp_path / f"x{suffix}") == context
    assert dat.parse("\n2\n\n", "memory") == FormalContext(("1", "2", "3"), ("2",), (0, 1, 0))


@pytest.mark.parametrize("module", [gzip, lzma])
def test_packed_files(tmp_path: Path, module: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / f"x.csv.{'gz' if module is gzip else 'xz'}"
    packed = module.compress(table.render(table1()).encode())
    path.write_bytes(packed)
    assert read(path) == table1()
    path.write_bytes(packed[: len(packed) // 2])
    with pytest.raises(ContextError, match=rf"{path.name}: expected a whole {path.suffix} archive"):
        read(path)
    path.write_bytes(b"no archive")
    with pytest.raises(ContextError, match="expected a whole"):
        read(path)
    path.write_bytes(packed)
    monkeypatch.setattr(formats, "MOST_BYTES", 20)
    with pytest.raises(ContextError, match="unpacks to more than 20 bytes"):
        read(path)
    with pytest.raises(FileNotFoundError):
        read(tmp_path / f"y.cxt{path.suffix}")
    with pytest.raises(ContextError, match="found ''"):
        read(tmp_path / f"y{path.suffix}")


def test_half_a_character_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ContextError, match=r"x\.csv: a name has half a character"):
        write(FormalContext(("\ud800",), ("m",), (1,)), tmp_path / "x.csv")
    assert list(tmp_path.iterdir()) == []


def test_what_a_format_cannot_hold_is_refused_and_nothing_is_written(tmp_path: Path) -> None:
    with pytest.raises(ContextError, match=r"numbers only|by line"):
        write(table1(), tmp_path / "x.dat")
    with pytest.raises(ContextError, match="line break"):
        write(FormalContext(("a\nb",), ("m",), (1,)), tmp_path / "x.cxt")
    with pytest.raises(ContextError, match="each with an object"):
        write(FormalContext(("1",), ("1", "2"), (1,)), tmp_path / "x.dat")
    assert list(tmp_path.iterdir()) == []


def test_every_listed_context_has_the_listed_size() -> None:
    manifest = data("fca_contexts/MANIFEST.tsv").read_text(encoding="utf-8").splitlines()[1:]
    seen = 0
    for line in manifest:
        name, _, *size = line.split("\t")
        if name.endswith((".cxt", ".dat")):
            context = read(data("fca_contexts") / name)
            assert [len(context.objects), len(context.attributes), context.incidences] == [int(s) for s in size[:3]]
            seen += 1
    assert seen > 20


def test_the_other_files_of_the_package_concepts() -> None:
    """Its tables and its JSON; liveinwater is there twice."""
    folder = data("fca_contexts/concepts")
    assert read(folder / "liveinwater.csv").rows == read(folder / "liveinwater.cxt").rows
    found = read(folder / "example.json")
    assert found == from_package(concepts.Context.fromjson(str(folder / "example.json")))
    for name in ("relations.csv", "vowels.csv"):
        assert read(folder / name) == from_package(concepts.Context.fromfile(str(folder / name), frmat="csv"))


def test_contexts_of_other_tables_and_programs(tmp_path: Path) -> None:
    wanted = FormalContext(("o1", "o2"), ("a", "2,4-D"), (1, 2))
    texts = {
        "semicolons.csv": "\ufeffobj;a;2,4-D\no1;1;0\no2;0;1\n",
        "tabs.tsv": "\ta\t2,4-D\t\no1\tX\t\t\no2\t\tX\t\n",
        "unquoted.csv": "obj,a,2,4-D\no1,1,0\no2,0,1\n",
        "no_corner.csv": 'a,"2,4-D"\no1,yes,no\no2,否,是\n',
        "pairs.csv": 'o1,a\no2,"2,4-D"\n',
        "named_pairs.txt": "object|attribute\no1|a\no2|2,4-D\n",
        "trailing.csv": 'obj,a,"2,4-D",\no1,1,0,\no2,0,1,,\n',
        "x.ctx": "B\n\n2\n2\n\no1\no2\na\n2,4-D\nX.\n.X\n",
        "x.json": '{"attributes": ["a", "2,4-D"], "adjacency-list": [{"object": "o1", "attributes": ["a"]}, '
        '{"object": "o2", "attributes": ["2,4-D"]}]}',
        "x.cex": '<ConceptualSystem><Contexts><Context><Attributes><Attribute Identifier="0"><Name>a</Name></Attribute>'
        '<Attribute Identifier="1"><Name>2,4-D</Name></Attribute></Attributes><Objects><Object><Name>o1</Name><Intent>'
        '<HasAttribute AttributeIdentifier="0"/></Intent></Object><Object><Name>o2</Name><Intent><HasAttribute '
        'AttributeIdentifier="1"/></Intent></Object></Objects></Context></Contexts></ConceptualSystem>',
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
        assert read(tmp_path / name) == wanted, name


def test_contexts_without_names_are_numbered_and_it_is_said(tmp_path: Path) -> None:
    said: list[str] = []
    for text, attributes in (("a,b\n1,0\n0,1\n1,1\n", ("a", "b")), ("1,0\n0,1\n1,1\n", ("1", "2"))):
        (tmp_path / "x.csv").write_text(text, encoding="utf-8")
        assert read(tmp_path / "x.csv", said.append) == FormalContext(("1", "2", "3"), attributes, (1, 2, 3))
    assert [line.rpartition("; ")[2] for line in said] == [
        "without names of objects, which are numbered", "without names of objects and attributes, which are numbered",
    ]  # fmt: skip


def test_a_cex_file_that_declares_a_document_type_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.cex").write_text('<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', encoding="utf-8")
    with pytest.raises(ContextError, match=r"x\.cex, line 1: the file declares a document type; refused"):
        read(tmp_path / "x.cex")


def test_a_cex_file_of_two_contexts_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.cex").write_text("<A><Contexts><Context/><Context/></Contexts></A>", encoding="utf-8")
    with pytest.raises(ContextError, match=r"expected one element Context within Contexts, found 2 of them; save each"):
        formats.read(tmp_path / "x.cex")
