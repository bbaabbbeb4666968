"""Broken, hostile and foreign files: a sentence with file and line, nothing expanded, nothing half-written."""

from __future__ import annotations

import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from ontology.extras import MissingExtra
from ontology.model import Relation
from ontology.owl import Header, OwlError, load, read, reader, write
from tests.ontology.owl.samples import BASE, FORMATS, ontology

RDF = 'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"'
OWL = "<http://www.w3.org/2002/07/owl#Ontology>"


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("a.ttl", "@prefix : <x#> .\n:a :b ;; .\n:c", r"a\.ttl, line 2: not Turtle"),
        ("a.rdf", "<rdf:RDF>\n<x>", r"a\.rdf, line 2, column 4: not well-formed XML: no element found"),
        ("a.rdf", f"<rdf:RDF {RDF}>\n<x></y>", r"a\.rdf, line 2, column \d+: not well-formed XML: mismatched tag"),
        ("a.owl", "", r"a\.owl, line 1, column 1: not well-formed XML: no element found"),
        ("a.nt", "<http://a> <http://b> .\n", r"a\.nt, line 1: not N-Triples"),
        ("a.jsonld", '{"@id": "http://x",\n"a": ', r"a\.jsonld, line 2: not JSON"),
        ("a.jsonld", "[" * 100_000, r"a\.jsonld: JSON that is nested too deep"),
        ("a.ofn", "Ontology(<http://x>\nDeclaration(Class(<http://x#A>)\n", r"a\.ofn, line 2: not OWL functional"),
        ("a.owx", '<Ontology xmlns="http://www.w3.org/2002/07/owl#">\n<Declaration>', r"a\.owx, line 2, column"),
        ("a.owx", "<other/>", r"a\.owx, line 1: not OWL/XML"),
        ("a.ttl", "", "expected one owl:Ontology header"),
        ("a.ttl", f"<http://x> a {OWL} .", "oc:kind"),
        ("a.txt", "{}", r"suffix.*\.ttl"),
    ],
)
def test_broken_file_is_named(tmp_path: Path, name: str, text: str, says: str) -> None:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    with pytest.raises(OwlError, match=says):
        read(path)


@pytest.mark.parametrize("suffix", FORMATS)
def test_a_truncated_file_is_told_with_its_line(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"a{suffix}"
    write(ontology(), path)
    whole = path.read_bytes()
    at = whole.rindex("概念Storm".encode() if "概念Storm".encode() in whole else b"Storm", 0, len(whole) - 40)
    path.write_bytes(whole[: at + 3])
    with pytest.raises(OwlError, match=rf"a\{suffix}, line \d+"):
        load(path)


def test_half_a_character_is_told_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "a.ttl"
    path.write_bytes("# 一\n# 二\n# 暴雨".encode()[:-1])
    with pytest.raises(OwlError, match=r"a\.ttl, line 3: not utf-8"):
        read(path)


def test_absent_file_and_folder(tmp_path: Path) -> None:
    with pytest.raises(OwlError, match="could not be read"):
        read(tmp_path / "none.ttl")
    (tmp_path / "a.ttl").mkdir()
    with pytest.raises(OwlError, match="could not be read"):
        load(tmp_path / "a.ttl")


BOMBS = {
    "laughs": '<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;">',
    "quoted reference": '<!ENTITY a "aaaa"><!ENTITY c "x&#38;a;">',
    "file": '<!ENTITY c SYSTEM "file:///etc/passwd">',
    "address": '<!ENTITY c PUBLIC "x" "http://nowhere.invalid/x">',
    "parameter": '<!ENTITY % p "x"><!ENTITY c "y">',
    "parameter file": '<!ENTITY % p SYSTEM "http://nowhere.invalid/x.dtd"> %p;',
    "quadratic": f'<!ENTITY c "{"c" * 100_000}">',
}


@pytest.mark.parametrize("kind", BOMBS)
@pytest.mark.parametrize("suffix", [".rdf", ".owl", ".owx"])
def test_entity_bombs_are_refused_not_expanded(tmp_path: Path, kind: str, suffix: str) -> None:
    body = "&c;" * (2000 if kind == "quadratic" else 1)
    inside = f'<rdf:RDF {RDF}><rdf:Description rdf:about="http://x" xmlns:e="http://e#"><e:p>{body}</e:p>'
    text = f"<?xml version='1.0'?>\n<!DOCTYPE rdf:RDF [\n{BOMBS[kind]}\n]>\n{inside}</rdf:Description></rdf:RDF>"
    path = tmp_path / f"a{suffix}"
    path.write_text(text, encoding="utf-8")
    started = time.process_time()
    with pytest.raises(OwlError, match=r"a\.\w+, line [34]: .*refused, nothing was expanded or fetched"):
        load(path)
    assert time.process_time() - started < 5


@pytest.mark.parametrize("suffix", [".rdf", ".owl", ".owx"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "gb18030"])
def test_harmless_entities_and_other_encodings_are_read(tmp_path: Path, suffix: str, encoding: str) -> None:
    path = tmp_path / f"a{suffix}"
    write(ontology(), path)
    text = path.read_text(encoding="utf-8").split("?>", 1)[1].replace(f'"{BASE}', '"&here;').replace("\n", "\r\n")
    assert text.count("&here;") > 10
    name = encoding.removesuffix("-sig")
    declared = f'<?xml version="1.0" encoding="{name}"?>\r\n'
    doctype = f"<!DOCTYPE x [\r\n<!ENTITY here '{BASE}'>\r\n<!ENTITY unused \"&#65;\">\r\n]>"
    path.write_bytes((declared + doctype + text).encode(encoding))
    read_back = read(path)
    write(ontology(), path)
    assert read_back == read(path)


def test_an_unknown_encoding_is_told(tmp_path: Path) -> None:
    path = tmp_path / "a.rdf"
    path.write_bytes(b'<?xml version="1.0" encoding="klingon"?><a/>')
    with pytest.raises(OwlError, match="encoding 'klingon' is unknown here"):
        load(path)


def test_two_labels_of_one_language_are_an_error_of_ours(tmp_path: Path) -> None:
    path = tmp_path / "a.ttl"
    write(ontology(), path)
    path.write_text(path.read_text(encoding="utf-8") + ':Flood rdfs:label "另名"@zh .\n', encoding="utf-8")
    with pytest.raises(OwlError, match=r"Flood> must have at most one label @zh, found 2: '另名', '概念Flood'"):
        read(path)


def test_an_edge_to_something_that_is_no_class(tmp_path: Path) -> None:
    path = tmp_path / "a.ttl"
    write(ontology(), path)
    path.write_text(path.read_text(encoding="utf-8") + ":Flood rdfs:subClassOf :Nowhere .\n", encoding="utf-8")
    with pytest.raises(OwlError, match=r"a\.ttl: .*Nowhere, which is not a concept"):
        read(path)


def test_figures_that_are_no_numbers(tmp_path: Path) -> None:
    path = tmp_path / "a.ttl"
    write(ontology(), path)
    path.write_text(path.read_text(encoding="utf-8").replace("oc:support 12 ;", 'oc:support "many" ;'), "utf-8")
    with pytest.raises(OwlError, match=r"oc:support of <.*Flood>: no number: 'many'"):
        read(path)


def test_a_foreign_file_is_refused_by_read_with_the_way_out(tmp_path: Path) -> None:
    path = tmp_path / "a.ttl"
    path.write_text("<http://x#A> a <http://www.w3.org/2002/07/owl#Class> .", encoding="utf-8")
    with pytest.raises(OwlError, match="ontocrawl ontology convert"):
        read(path)


@pytest.mark.parametrize(
    ("broken", "says"),
    [
        (replace(ontology(), comment="\x0b"), "control character"),
        (replace(ontology(), title_en="half \ud83d"), "control character"),
        (replace(ontology(), licence="http://a b"), "not an IRI"),
        (replace(ontology(), iri="owl:Thing"), "not an IRI"),
        (
            replace(
                ontology(), relations=(Relation(BASE + "Flood", "causes", BASE + "Root", confidence=float("nan")),)
            ),
            "confidence must be finite",
        ),
    ],
    ids=["control", "surrogate", "licence", "prefix", "nan"],
)
@pytest.mark.parametrize("suffix", FORMATS)
def test_what_cannot_be_written_leaves_the_old_file(tmp_path: Path, broken: object, says: str, suffix: str) -> None:
    path = tmp_path / f"a{suffix}"
    write(ontology(), path)
    before = path.read_bytes()
    with pytest.raises(OwlError, match=says):
        write(broken, path)  # type: ignore[arg-type]
    with pytest.raises(OwlError, match="created must be a date"):
        write(ontology(), path, Header(created="yesterday"))
    assert path.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir()] == [f"a{suffix}"]


@pytest.mark.parametrize("suffix", [".ofn", ".owx"])
def test_a_missing_extra_is_named(tmp_path: Path, suffix: str, monkeypatch: pytest.MonkeyPatch) -> None:
    write(ontology(), tmp_path / f"a{suffix}")
    monkeypatch.setitem(sys.modules, "pyhornedowl", None)
    for act in (lambda: read(tmp_path / f"a{suffix}"), lambda: write(ontology(), tmp_path / f"b{suffix}")):
        with pytest.raises(MissingExtra, match=r"pip install 'ontocrawl\[owl\]'"):
            act()
    assert not (tmp_path / f"b{suffix}").exists()


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("a.ttl", "@prefix : <x#> .\n:a :b ;; .\n:c", r"a\.ttl, line \d+: not Turtle"),
        ("a.nt", "<http://a> <http://b> .\n", r"a\.nt: not N-Triples"),
        ("a.rdf", "<a/>", "expected one owl:Ontology header"),
    ],
)
def test_the_other_parser_names_them_too(
    tmp_path: Path, name: str, text: str, says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reader, "find_spec", lambda library: None)
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    with pytest.raises(OwlError, match=says):
        read(path)
