"""Each format by itself: what is written is read back, nasty values too; what it cannot hold is named.

GraphML and GEXF, which no import reads, are read back by drawings.py.

No engine: graphs stand in temporary files. The round trip through the engines is in test_export.py.
"""

from __future__ import annotations

import math
import tracemalloc
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import networkx as nx
import pytest
import rdflib
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kg import schema
from kg.export import FORMATS, READABLE, InterchangeError, format_of, read_elements
from kg.interchange import admin_csv, cypher_script, gexf, graphml, rdf, rdf_terms
from kg.interchange.elements import LABELS, OWNER, TYPES, Edge, Node, ends
from kg.interchange.filling import edge_statement, node_statement
from kg.interchange.spool import Spool
from tests.kg import drawings

Element = Node | Edge
NASTY = (
    'it\'s "quoted" `so` \\ and \\u0041 \\\' \\"',
    "a\nb\r\nc\rd\te\n\n",
    "\x00\x01\x08\x0b\x0c\x1b\x1e\x7f\x85\u2028\u2029\ufeff\ufffe\uffff",
    "_x000A_ _x_ __x0041_x",
    "暴雨，“洪水” 😀👩‍👩‍👧 𠀀 é",
    "</data><node id='x'>&amp;&#10;]]>",
    "'}) DETACH DELETE n //",
    '","x\n1,2,"',
    "  leading and trailing  ",
    '"@en^^<x> .',
)
CONCEPT, CHILD = "https://w3id.org/ontocrawl/rain#Root", "https://w3id.org/ontocrawl/rain#Flood"
ONTOLOGY = "https://w3id.org/ontocrawl/rain"
PAGES = (
    "http://a.cn/1",
    "http://a.cn/2?q=a|b^c{d}",
    "http://a.cn/2?q=a%7Cb%5Ec%7Bd%7D",
    CONCEPT,  # a crawl may fetch the page of a concept
    "https://w3id.org/ontocrawl/graph/Page/http%3A%2F%2Fa.cn%2F1",
    "not a URL at all, 😀 \n",
)
FULL: tuple[Element, ...] = (
    Node("Ontology", ONTOLOGY, {"kind": "global", "title_zh": "暴雨", "version": ""}),
    Node("Concept", CONCEPT, {"label_zh": "暴雨灾害", "label_en": "rainstorm disaster", "definition": NASTY[0]}),
    Node("Concept", CHILD, {"label_zh": "洪水", "备注": "看过", "größe_2": [1, 2]}),
    *(Node("Term", text, {}) for text in NASTY),
    Node("Crawl", "run-1", {"seeds": ["http://a.cn/1", "http://a.cn/2,3;4"], "started": "2024-05-02T00:00:00Z"}),
    Node("Crawl", "run/2 %41", {"seeds": []}),
    *(Node("Page", url, {}) for url in PAGES),
    Edge("IN_ONTOLOGY", CHILD, ONTOLOGY, {"alt_zh": ["洪涝", NASTY[0]], "alt_en": [], "depth": 2}),
    Edge("SUBCLASS_OF", CHILD, CONCEPT, {"ontology": ONTOLOGY, "support": 3, "confidence": 0.5}),
    Edge("SUBCLASS_OF", CHILD, CONCEPT, {"ontology": ONTOLOGY + "/local", "evidence": NASTY[1]}),
    Edge("DENOTES", NASTY[0], CHILD, {"来源": NASTY[0]}),
    *(Edge("FETCHED", "run-1", url, {"step": i, "title": NASTY[i]}) for i, url in enumerate(PAGES)),
    Edge("FETCHED", "run/2 %41", PAGES[0], {"relevance": 0.1 + 0.2, "relevant": True, "label": False, "title": ""}),
    Edge("LINKS_TO", PAGES[0], PAGES[1], {"crawl": "run-1", "anchor": NASTY[4], "relevance": 1e-300}),
    Edge("LINKS_TO", PAGES[0], PAGES[1], {"crawl": "run/2 %41", "anchor": "", "relevance": -0.0}),
    Edge("LINKS_TO", PAGES[0], PAGES[3], {"crawl": "run-1", "relevance": math.inf}),
)
WRITERS: dict[str, Callable[[Spool, Path], None]] = {}


def _to_file(write: Callable[[Spool, Any], None]) -> Callable[[Spool, Path], None]:
    def written(graph: Spool, path: Path) -> None:
        with path.open("wb") as stream:
            write(graph, stream)

    return written


WRITERS["turtle"] = _to_file(lambda graph, stream: rdf.write(graph, stream, turtle=True))
WRITERS["nt"] = _to_file(lambda graph, stream: rdf.write(graph, stream, turtle=False))
WRITERS["n10s"] = _to_file(rdf.write_n10s)
WRITERS["graphml"] = _to_file(graphml.write)
WRITERS["gexf"] = _to_file(gexf.write)
WRITERS["cypher"] = _to_file(cypher_script.write)
WRITERS["csv"] = admin_csv.write
DRAWINGS = ("graphml", "gexf")
READ = tuple(name for name in WRITERS if name not in DRAWINGS)


def spool(elements: Sequence[Element]) -> Spool:
    graph = Spool()
    for label in LABELS:
        graph.put_nodes(label, [e for e in elements if isinstance(e, Node) and e.label == label])
    for edge_type in TYPES:
        graph.put_edges(edge_type, [e for e in elements if isinstance(e, Edge) and e.type == edge_type])
    return graph


def write(name: str, elements: Sequence[Element], folder: Path) -> Path:
    folder.mkdir(exist_ok=True)
    path = folder / ("graph" + (".ttl" if name == "n10s" else FORMATS[name]))
    with spool(elements) as graph:
        WRITERS[name](graph, path)
    return path


def there_and_back(name: str, elements: Sequence[Element], folder: Path) -> list[Element]:
    return list(read_back(write(name, elements, folder), name))


def read_back(path: Path, name: str) -> Iterator[Element]:
    if name in DRAWINGS:
        return drawings.read(path, name)
    return read_elements(path, "turtle" if name == "n10s" else name)


def plain(elements: Sequence[Element]) -> list[str]:
    """As text, in which -0.0 and NaN differ from 0.0, and 1 from 1.0 and True."""
    return [repr((type(e).__name__, *_head(e), sorted(e.props.items()))) for e in elements]


def _head(element: Element) -> tuple[str, ...]:
    if isinstance(element, Node):
        return element.label, element.key
    return element.type, element.source, element.target


@pytest.mark.parametrize("name", WRITERS)
def test_what_is_written_is_read_back(name: str, tmp_path: Path) -> None:
    assert plain(there_and_back(name, FULL, tmp_path)) == plain(FULL)


@pytest.mark.parametrize("name", WRITERS)
def test_writing_twice_gives_the_same_bytes(name: str, tmp_path: Path) -> None:
    def content(folder: Path) -> list[bytes]:
        folder.mkdir()
        path = write(name, FULL, folder)
        return [p.read_bytes() for p in sorted(path.iterdir())] if path.is_dir() else [path.read_bytes()]

    assert content(tmp_path / "one") == content(tmp_path / "two")


_TEXTS = st.one_of(
    st.text(max_size=12), st.text(alphabet="_x04AF\\u'\"\n\r\x00;,:{}", max_size=12), st.sampled_from(NASTY)
)
_KEYS = _TEXTS.filter(bool)
_VALUES = {
    "title": _TEXTS,
    "step": st.integers(-(2**63), 2**63 - 1),
    "relevance": st.floats(allow_nan=True),
    "relevant": st.booleans(),
    "texts": st.lists(_TEXTS.filter(lambda text: "\x1f" not in text), max_size=3).filter(lambda found: found != [""]),
    "steps": st.lists(st.integers(-(2**63), 2**63 - 1), max_size=3),
    "numbers": st.lists(st.floats(allow_nan=False), max_size=3),
    "flags": st.lists(st.booleans(), max_size=3),
}
_PROPS = st.fixed_dictionaries({}, optional=_VALUES).map(lambda props: dict(sorted(props.items())))


@pytest.mark.slow
@pytest.mark.parametrize("name", WRITERS)
@given(keys=st.lists(_KEYS, min_size=1, max_size=4, unique=True), props=st.lists(_PROPS, min_size=4, max_size=4))
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_values_survive(
    name: str, keys: list[str], props: list[dict[str, Any]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    nodes = [Node("Page", key, found) for key, found in zip(keys, props, strict=False)]
    edges = [
        Edge("LINKS_TO", source, target, {"crawl": "run-1", **found})
        for source, target, found in zip(keys, reversed(keys), props, strict=False)
    ]
    elements: list[Element] = [Node("Crawl", keys[0], {}), *nodes, *edges]
    found = there_and_back(name, elements, tmp_path_factory.mktemp("any"))
    assert plain(found) == plain(elements)


@pytest.mark.slow
@pytest.mark.parametrize("name", WRITERS)
def test_titles_of_a_megabyte(name: str, tmp_path: Path) -> None:
    titles = ("数" * 1_000_000, "line\n" * 200_000, '"' * 500_000, "\\" * 500_000, "\x01" * 50_000)
    pages = [Node("Page", f"http://a.cn/{i}", {}) for i in range(len(titles))]
    fetches = [Edge("FETCHED", "r", page.key, {"title": title}) for page, title in zip(pages, titles, strict=True)]
    elements = [Node("Crawl", "r", {}), *pages, *fetches]
    assert there_and_back(name, elements, tmp_path) == elements


@pytest.mark.slow
@pytest.mark.parametrize("name", WRITERS)
def test_memory_does_not_grow_with_the_graph(name: str, tmp_path: Path) -> None:
    """15 MB of pages and links; a list of all would be more than that."""
    many = 1_500

    def nodes() -> Iterator[Node]:
        return (Node("Page", f"http://a.cn/{i:06}", {"title": f"{i} " + "x" * 5_000}) for i in range(many))

    def edges() -> Iterator[Edge]:
        keys = (f"http://a.cn/{i:06}" for i in range(many))
        return (Edge("LINKS_TO", key, "http://a.cn/000000", {"crawl": "r", "anchor": "y" * 5_000}) for key in keys)

    path = tmp_path / ("graph" + (".ttl" if name == "n10s" else FORMATS[name]))
    tracemalloc.start()
    with Spool() as graph:
        graph.put_nodes("Page", nodes())
        graph.put_edges("LINKS_TO", edges())
        WRITERS[name](graph, path)
    read = sum(1 for _ in read_elements(path, "turtle" if name == "n10s" else name)) if name in READ else 2 * many
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert read == 2 * many
    assert peak < 5e6


@pytest.mark.parametrize("name", ["csv", "graphml", "gexf"])
def test_integers_among_numbers_become_numbers_and_other_mixtures_are_refused(name: str, tmp_path: Path) -> None:
    mixed = [Node("Crawl", "a", {"x": 1}), Node("Crawl", "b", {"x": 1.5})]
    assert [repr(e.props["x"]) for e in there_and_back(name, mixed, tmp_path)] == ["1.0", "1.5"]
    with pytest.raises(InterchangeError, match=r"Crawl\.x holds values of several kinds: integer, text; .* use turtle"):
        there_and_back(name, [mixed[0], Node("Crawl", "b", {"x": "1"})], tmp_path / "other")


@pytest.mark.parametrize("name", ["turtle", "nt", "n10s", "cypher"])
def test_formats_without_columns_keep_mixtures(name: str, tmp_path: Path) -> None:
    mixed = [Node("Crawl", key, {"x": x}) for key, x in (("a", 1), ("b", 1.5), ("c", "1"), ("d", [True]))]
    assert plain(there_and_back(name, mixed, tmp_path)) == plain(mixed)


def test_one_name_with_several_kinds_by_label(tmp_path: Path) -> None:
    """`label` is a boolean on FETCHED, and the type of an edge; a property of one name may differ between labels."""
    elements = [
        Node("Document", "d", {"year": 2020, "label": "x"}),
        Node("Crawl", "c", {"year": "2020", "label": 1.5}),
        Node("Page", "http://a.cn/", {"labels": "y", "key": 3}),
        Edge("FETCHED", "c", "http://a.cn/", {"label": True}),
        Edge("KNOWS", "c", "http://a.cn/", {"label": "z"}),
    ]
    for name in ("csv", "graphml", "gexf"):
        assert plain(there_and_back(name, elements, tmp_path / name if name == "csv" else tmp_path)) == plain(elements)


# ---- what other programs see ------------------------------------------------------------------------------------


def test_networkx_reads_the_graphml(tmp_path: Path) -> None:
    graph = nx.read_graphml(write("graphml", FULL, tmp_path), force_multigraph=True)
    assert (graph.number_of_nodes(), graph.number_of_edges()) == (21, 14)
    found = {(data["labels"], data["key"]): data for _, data in graph.nodes(data=True)}
    assert found[":Concept", CONCEPT]["label_zh"] == "暴雨灾害"
    fetched = [data for _, _, data in graph.edges(data=True) if data["label"] == "FETCHED"]
    assert {data["step"] for data in fetched if "step" in data} == set(range(6))
    assert [data["label (property)"] for data in fetched if "label (property)" in data] == [False]


def test_networkx_reads_the_gexf(tmp_path: Path) -> None:
    simple = [replace(e, props={k: v for k, v in e.props.items() if not isinstance(v, list)}) for e in FULL]
    graph = nx.read_gexf(write("gexf", simple, tmp_path), version="1.3")
    assert {data["label"] for _, data in graph.nodes(data=True)} >= {"暴雨灾害", "http://a.cn/1", "run-1"}
    assert {data["kind of node"] for _, data in graph.nodes(data=True)} == {
        "Ontology",
        "Concept",
        "Term",
        "Crawl",
        "Page",
    }


@pytest.mark.parametrize("name", ["turtle", "nt"])
def test_rdflib_reads_the_rdf_with_the_words_that_everybody_knows(name: str, tmp_path: Path) -> None:
    found = rdflib.Graph().parse(write(name, FULL, tmp_path), format=name)
    concept, child = rdflib.URIRef(CONCEPT), rdflib.URIRef(CHILD)
    assert (concept, rdflib.RDF.type, rdflib.OWL.Class) in found
    assert (child, rdflib.RDFS.subClassOf, concept) in found
    assert (concept, rdflib.RDFS.label, rdflib.Literal("暴雨灾害", lang="zh")) in found
    assert set(found.objects(child, rdflib.SKOS.altLabel)) == {
        rdflib.Literal("洪涝", lang="zh"),
        rdflib.Literal(NASTY[0], lang="zh"),
    }
    og = rdflib.Namespace(rdf_terms.VOCABULARY)
    assert {str(text) for text in found.objects(None, og.text)} == set(NASTY)
    assert len(set(found.subjects(rdflib.RDF.type, og.Page))) == len(PAGES)
    assert (rdflib.URIRef(PAGES[0]), og.LINKS_TO, None) in found


def test_n10s_names_are_those_of_the_graph(tmp_path: Path) -> None:
    text = write("n10s", FULL, tmp_path).read_text(encoding="utf-8")
    assert text.startswith("@prefix n4sch: <neo4j://graph.schema#> .")
    assert f"<{CONCEPT}> a n4sch:Concept ;" in text
    assert "owl:" not in text
    assert f"<< <{CHILD}> n4sch:SUBCLASS_OF <{CONCEPT}> >> n4sch:ontology" in text
    assert text.count("n4sch:parallel") == 2


def test_keys_that_are_no_plain_iris_get_ones_of_our_own() -> None:
    found = [rdf_terms.iri("Page", url, {CONCEPT}) for url in PAGES]
    assert found[0] == PAGES[0]
    assert found[2] == PAGES[2]
    assert len(set(found)) == len(PAGES)
    assert all(rdf_terms.key_of("Page", iri) == url for iri, url in zip(found, PAGES, strict=True))
    assert rdf_terms.iri("Term", "http://a.cn/1") == "https://w3id.org/ontocrawl/graph/Term/http%3A%2F%2Fa.cn%2F1"


def test_the_folder_for_neo4j_admin(tmp_path: Path) -> None:
    folder = write("csv", FULL, tmp_path)
    assert (folder / "Page.csv").read_text(encoding="utf-8").splitlines()[0] == "url:ID(Page)"
    head = (folder / "FETCHED.csv").read_text(encoding="utf-8").splitlines()[0]
    assert head == (
        ":START_ID(Crawl),:END_ID(Page),label:boolean,relevance:double,relevant:boolean,step:long,title:string"
    )
    options = (folder / "import.args").read_text(encoding="utf-8").splitlines()
    assert options[:3] == ["--multiline-fields=true", "--array-delimiter=U+001F", "--read-buffer-size=33554432"]
    assert "--nodes=Page=Page.csv" in options
    assert "--relationships=LINKS_TO=LINKS_TO.csv" in options
    assert len(options) == 3 + len(list(folder.glob("*.csv")))


def test_an_older_folder_is_replaced_whole_and_another_one_is_not_touched(tmp_path: Path) -> None:
    folder = write("csv", FULL, tmp_path)
    assert write("csv", FULL[:1], tmp_path) == folder
    assert sorted(path.name for path in folder.iterdir()) == ["Ontology.csv", "import.args"]
    (folder / "letter.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(InterchangeError, match=r"holds 'letter\.txt'"):
        write("csv", FULL, tmp_path)
    assert sorted(path.name for path in folder.iterdir()) == ["Ontology.csv", "import.args", "letter.txt"]


@pytest.mark.parametrize("items", [[""], ["a\x1fb"]])
def test_lists_that_csv_cannot_hold(items: list[str], tmp_path: Path) -> None:
    elements = [Node("Crawl", "a", {"seeds": items})]
    with pytest.raises(InterchangeError, match=r"Crawl\.seeds is a list with .* use turtle"):
        there_and_back("csv", elements, tmp_path)
    for name in ("turtle", "nt", "n10s", "graphml", "gexf", "cypher"):
        assert there_and_back(name, elements, tmp_path) == elements


# ---- foreign and damaged files ----------------------------------------------------------------------------------

FOREIGN = {
    "cypher": "MATCH (n) DETACH DELETE n;\n",
    "turtle": "<http://a> <http://b> .",
    "nt": "nonsense",
}


@pytest.mark.parametrize("name", FOREIGN)
def test_a_foreign_file_is_named_with_its_line(name: str, tmp_path: Path) -> None:
    path = tmp_path / f"x{FORMATS[name]}"
    path.write_text(FOREIGN[name], encoding="utf-8")
    with pytest.raises(InterchangeError, match=r"line \d"):
        list(read_elements(path, name))


@pytest.mark.parametrize("name", DRAWINGS)
def test_what_is_only_written_is_named_with_what_to_use(name: str, tmp_path: Path) -> None:
    path = write(name, FULL, tmp_path)
    with pytest.raises(InterchangeError, match=f"{name} is written for .*; export the graph as one of turtle, nt, csv"):
        list(read_elements(path, name))
    assert {*READABLE, *DRAWINGS} == set(FORMATS)


@pytest.mark.parametrize("name", READ)
def test_a_file_that_ends_early_is_told(name: str, tmp_path: Path) -> None:
    """Cut within the last line: some elements may come first, then the error."""
    path = write(name, FULL, tmp_path)
    file = path / "SUBCLASS_OF.csv" if path.is_dir() else path
    whole = file.read_bytes()
    file.write_bytes(whole[: whole.rstrip().rfind(b"\n") + 4])
    with pytest.raises(InterchangeError, match=str(path)):
        list(read_elements(path, "turtle" if name == "n10s" else name))


@pytest.mark.parametrize(
    ("name", "old", "new", "says"),
    [
        ("cypher", "MERGE (n:Term {text: row.key})", "MERGE (n:Term {text: row.key}) DETACH DELETE n", "not a line"),
        ("cypher", "{key: 'run-1'", "{key: 7", "not a row"),
        ("cypher", "props: {kind: 'global'", "props: {kind: n.secret", "not a row"),
        ("cypher", "kind: 'global'", "kind: ['a', ['b']]", "a list in a list"),
        ("cypher", "step: 3", "step: 9223372036854775808", "64 bits"),
        ("turtle", "a og:Crawl", "a og:Palace", "found Palace"),
        ("turtle", 'og:id "run-1"', 'og:name "run-1"', "a Crawl without its id"),
        ("turtle", '"3"^^xsd:integer', '"3"^^xsd:short', "datatype"),
        ("turtle", '"3"^^xsd:integer', '"x"^^xsd:integer', "'x' is no"),
        ("nt", "graph#DENOTES> .", "graph#CONNOTES> .", "'CONNOTES'"),
        ("n10s", "> n4sch:LINKS_TO <", "> n4sch:LOVES <", "'LOVES'"),
        ("n10s", "<< <http://a.cn/1> n4sch:LINKS_TO <", "<< <http://a.cn/2> n4sch:LINKS_TO <", "does not precede"),
    ],
)
def test_what_an_export_would_not_write(name: str, old: str, new: str, says: str, tmp_path: Path) -> None:
    path = write(name, FULL, tmp_path)
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(InterchangeError, match=says):
        list(read_elements(path, "turtle" if name == "n10s" else name))


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("step:long", "step:int", "'step:int' is none"),
        (":END_ID(Page)", ":END_ID(Host)", "none that graph export writes for FETCHED"),
        ('"run-1","http://a.cn/1",,,,0', '"run-1","http://a.cn/1",,,,null', "row 2: 'null' is no integer"),
        ('"run-1","http://a.cn/1",,,,0', '"run-1","http://a.cn/1",,,0', "row 2: expected 7 columns, found 6"),
        ('"run-1","http://a.cn/1"', '"run-1"x,"http://a.cn/1"', "not CSV"),
    ],
)
def test_csv_that_an_export_would_not_write(old: str, new: str, says: str, tmp_path: Path) -> None:
    file = write("csv", FULL, tmp_path) / "FETCHED.csv"
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8", newline="\n")
    with pytest.raises(InterchangeError, match=says):
        list(read_elements(file.parent, "csv"))
    (file.parent / "import.args").unlink()
    with pytest.raises(InterchangeError, match=r"no import\.args"):
        list(read_elements(file.parent, "csv"))


@pytest.mark.parametrize("left", [0, 60, 300])
def test_a_script_that_ends_before_its_rows_is_told(left: int, tmp_path: Path) -> None:
    path = write("cypher", FULL, tmp_path)
    path.write_bytes(path.read_bytes()[:left])
    with pytest.raises(InterchangeError, match="ends within a statement"):
        list(read_elements(path, "cypher"))


def test_a_script_with_the_line_ends_and_the_mark_of_windows(tmp_path: Path) -> None:
    path = write("cypher", FULL, tmp_path)
    before = plain(list(read_elements(path, "cypher")))
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n"))
    assert plain(list(read_elements(path, "cypher"))) == before


def test_a_folder_without_one_of_its_files_is_told(tmp_path: Path) -> None:
    folder = write("csv", FULL, tmp_path)
    (folder / "Page.csv").unlink()
    (folder / "LINKS_TO.csv").unlink()
    with pytest.raises(InterchangeError, match=r"lacks Page\.csv, LINKS_TO\.csv, which its import\.args names"):
        list(read_elements(folder, "csv"))


@pytest.mark.parametrize("name", sorted(set(READ) - {"csv", "n10s"}))
def test_bytes_that_are_no_text(name: str, tmp_path: Path) -> None:
    path = tmp_path / f"x{FORMATS[name]}"
    path.write_bytes(b"\xff\xfe\x00garbage\n")
    with pytest.raises(InterchangeError, match=str(path)):
        list(read_elements(path, name))


def test_formats_by_suffix(tmp_path: Path) -> None:
    assert [format_of(Path(f"x{suffix}")) for suffix in FORMATS.values() if suffix] == [
        n for n in FORMATS if FORMATS[n]
    ]
    assert format_of(tmp_path) == "csv"
    with pytest.raises(InterchangeError, match=r"\.docx: no format has this suffix"):
        format_of(Path("x.docx"))
    with pytest.raises(InterchangeError, match="no format 'docx'; known: turtle"):
        list(read_elements(Path("x"), "docx"))


# ---- Cypher literals, statements --------------------------------------------------------------------------------


@pytest.mark.slow
@given(st.recursive(_TEXTS | st.integers(-(2**63), 2**63 - 1) | st.floats() | st.booleans(), st.lists, max_leaves=5))
@settings(max_examples=200, deadline=None)
def test_literals_are_parsed_back(value: Any) -> None:
    text = cypher_script.literal(value)
    assert "\n" not in text
    assert repr(cypher_script.parse(text)) == repr(value)


@pytest.mark.parametrize("text", ["", "'a", "[1, 2", "{a 1}", "n.x", "1 2", "[1 2]", "{1: 2}", "'a' + 'b'", "null"])
def test_what_is_no_literal(text: str) -> None:
    with pytest.raises((ValueError, IndexError)):
        cypher_script.parse(text)


def test_statements_follow_the_schema() -> None:
    """Every label and type of the schema is carried; those whose identity has an owner have it in the pattern."""
    assert set(LABELS) == set(schema.KEYS) - {"GraphSchema"}
    assert set(TYPES) == set(schema.RELATIONSHIPS)
    assert set(OWNER) <= set(TYPES)
    assert node_statement("Page") == "UNWIND $rows AS row MERGE (n:Page {url: row.key}) SET n += row.props"
    assert "MERGE (a)-[r:LINKS_TO {crawl: row.props.crawl}]->(b)" in edge_statement("LINKS_TO")
    assert "MERGE (b)<-[r:FETCHED]-(a)" in edge_statement("FETCHED")
    assert "MERGE (b)<-[r:WEIGHTS {ontology: row.props.ontology}]-(a)" in edge_statement("WEIGHTS")
    assert all(label in schema.KEYS for edge_type in TYPES for label in ends(edge_type))
