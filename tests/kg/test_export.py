"""Export and import on the engines: the same graph comes back from every format that is read, on either engine."""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from kg import export, schema
from kg.bolt import BoltStore
from kg.enrich import save_proposals
from kg.export import FORMATS, READABLE, InterchangeError, browser_style, export_graph, import_graph
from kg.interchange import reading
from kg.interchange.admin_csv import ARGUMENTS
from kg.interchange.elements import LABELS, TYPES, checked
from kg.load import load_ontology
from kg.papers import load_documents, load_lattice
from kg.project import project_crawl
from kg.ranking.crawl_ranks import rank_crawl
from kg.store import GraphStore
from kg.weights import save_weights, topic_weights
from tests.conftest import empty
from tests.kg import neo4j_server
from tests.kg import small_crawl as web
from tests.kg.recording_store import RecordingStore
from tests.kg.test_export_formats import NASTY

READ = [*READABLE, "n10s"]
KINDS = [*FORMATS, "n10s"]


def small_web(store: GraphStore) -> None:
    """The small web with two crawls, papers, a lattice, weights, ranks and proposals."""
    load_ontology(store, web.ONTOLOGY)
    load_documents(store, web.DOCUMENTS, lambda d: web.TERMS[d.id])
    load_lattice(store, "small", web.LATTICE, web.COVERS)
    project_crawl(store, web.OLDER, web.OLDER_OUTCOMES, web.OLDER_LINKS, web.OLDER_KNOWN, seeds=[web.SEED])
    project_crawl(store, web.CRAWL, web.OUTCOMES, web.LINKS, web.KNOWN, seeds=[web.SEED])
    rank_crawl(store, web.CRAWL.id)
    save_weights(store, "rainstorm", topic_weights(store, web.ONTOLOGY.iri))
    save_proposals(store, "rainstorm", web.PROPOSALS, web.CRAWL.id, ontology=web.ONTOLOGY.iri)


def nasty_values(store: GraphStore) -> None:
    """Quotes, line ends, control characters, a megabyte, emoji: as keys, titles, anchors and in lists."""
    store.write("UNWIND $rows AS row MERGE (t:Term {text: row.text})", [{"text": text} for text in NASTY])
    titles = [*NASTY, "数" * 1_000_000, "'" * 1_000, ""]
    rows = [{"url": f"http://n.cn/{i}", "title": title, "x": i / 7} for i, title in enumerate(titles)]
    store.write("MERGE (c:Crawl {id: $id}) SET c.seeds = $seeds, c.started = '2020'", id="n'1", seeds=[*NASTY, ""])
    store.write("UNWIND $rows AS row MERGE (p:Page {url: row.url})", rows)
    store.write(
        "UNWIND $rows AS row MATCH (p:Page {url: row.url}) MATCH (c:Crawl {id: $id}) MERGE (p)<-[f:FETCHED]-(c) "
        "SET f.title = row.title, f.relevance = row.x, f.step = 9007199254740993, f.relevant = true, "
        "f.备注 = row.title",
        rows,
        id="n'1",
    )
    store.write(
        "UNWIND $rows AS row MATCH (a:Page {url: row.url}) MATCH (b:Page {url: 'http://n.cn/0'}) "
        "MERGE (a)-[l:LINKS_TO {crawl: $id}]->(b) SET l.anchor = row.title",
        rows,
        id="n'1",
    )


def written(store: GraphStore, kind: str, folder: Path) -> Path:
    """An export; n10s is turtle with that option."""
    file_format = "turtle" if kind == "n10s" else kind
    path = folder / f"{kind}{FORMATS[file_format]}"
    export_graph(store, file_format, path, n10s=kind == "n10s")
    return path


def digest(store: GraphStore, folder: Path) -> str:
    """Of all that an export carries, types of numbers included."""
    return hashlib.sha256(written(store, "nt", folder).read_bytes()).hexdigest()


@pytest.mark.slow
def test_every_format_that_is_read_brings_the_same_graph_back(store: BoltStore, tmp_path: Path) -> None:
    small_web(store)
    nasty_values(store)
    before = digest(store, tmp_path)
    files = {kind: written(store, kind, tmp_path) for kind in KINDS}
    again = tmp_path / "again"
    for kind in READ:
        empty(store)
        report = import_graph(store, files[kind])
        assert not report.skipped, kind
        assert digest(store, again) == before, kind
        assert _content(written(store, kind, again)) == _content(files[kind]), kind
    for kind in {*KINDS} - {*READ}:
        assert _content(written(store, kind, again)) == _content(files[kind]), kind


def _content(path: Path) -> dict[str, bytes]:
    files = sorted(path.iterdir()) if path.is_dir() else [path]
    return {file.name: file.read_bytes() for file in files}


@pytest.mark.slow
@pytest.mark.neo4j
def test_from_one_engine_to_the_other_and_back(
    embedded_engine: BoltStore, neo4j_engine: BoltStore, tmp_path: Path
) -> None:
    embedded, neo4j = empty(embedded_engine), empty(neo4j_engine)
    small_web(embedded)
    nasty_values(embedded)
    before = digest(embedded, tmp_path)
    import_graph(neo4j, written(embedded, "cypher", tmp_path))
    assert digest(neo4j, tmp_path) == before
    empty(embedded)
    import_graph(embedded, written(neo4j, "csv", tmp_path))
    assert digest(embedded, tmp_path) == before


def admin_import(folder: Path, beside: Path) -> Path:
    """Import a csv folder by neo4j-admin, and return the home of the server with the graph, in another folder."""
    home, conf = beside / "home", beside / "conf"
    home.mkdir()
    conf.mkdir()
    settings = f"server.directories.data={home / 'data'}\ndb.tx_log.preallocate=false\n"
    (conf / "neo4j.conf").write_text(settings, encoding="utf-8")
    opens = (f"--add-opens=java.base/{name}=ALL-UNNAMED" for name in ("java.nio", "java.io", "sun.nio.ch"))
    command = ["java", "-Xmx1g", *opens, "-cp", f"{neo4j_server.jars()}/*", "org.neo4j.cli.AdminTool"]
    done = subprocess.run(
        [*command, "database", "import", "full", "neo4j", f"@{ARGUMENTS}"],
        cwd=folder, env={**os.environ, "NEO4J_HOME": str(home), "NEO4J_CONF": str(conf)},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    return home


@pytest.mark.slow
@pytest.mark.neo4j
def test_neo4j_admin_imports_the_folder(embedded_store: BoltStore, tmp_path: Path) -> None:
    """All comes over but empty lists: neo4j-admin has no word for them."""

    def with_values(graph: BoltStore, folder: Path) -> list[str]:
        lines = written(graph, "nt", folder).read_text(encoding="utf-8").split("\n")
        return [line for line in lines if '"[]"^^' not in line]

    small_web(embedded_store)
    nasty_values(embedded_store)
    embedded_store.write("MATCH (c:Crawl {id: $id}) SET c.empty = [], c.some = [1.5], c.title = ''", id="n'1")
    before = with_values(embedded_store, tmp_path)
    server = neo4j_server.start(admin_import(written(embedded_store, "csv", tmp_path), tmp_path))
    try:
        with BoltStore(server.uri, server.auth) as neo4j:
            assert with_values(neo4j, tmp_path) == before
    finally:
        server.stop()


@pytest.mark.slow
def test_the_script_is_cypher_that_the_engine_runs(store: BoltStore, tmp_path: Path) -> None:
    """As cypher-shell runs it: statement by statement, without our reader."""
    small_web(store)
    nasty_values(store)
    before = digest(store, tmp_path)
    script = written(store, "cypher", tmp_path).read_text(encoding="utf-8").partition("\n")[2]
    empty(store)
    for statement in script.removesuffix(";\n").split(";\n"):
        (store.schema if statement.startswith("CREATE") else store.write)(statement)
    assert digest(store, tmp_path) == before


@pytest.mark.slow
def test_reports_count_what_was_written(embedded_store: BoltStore, tmp_path: Path) -> None:
    small_web(embedded_store)
    told: dict[str, int] = {}
    report = export_graph(embedded_store, "cypher", tmp_path / "x.cypher", progress=told.__setitem__)
    assert report.counts == told
    assert (report.counts["Page"], report.counts["LINKS_TO"], report.counts["FETCHED"]) == (10, 13, 10)
    assert report.nodes == sum(n for name, n in report.counts.items() if name in LABELS)
    assert report.left_out == {}
    empty(embedded_store)
    told.clear()
    back = import_graph(embedded_store, tmp_path / "x.cypher", progress=told.__setitem__)
    assert (back.counts, back.nodes, back.relationships) == (report.counts, report.nodes, report.relationships)
    assert told == report.counts


@pytest.mark.slow
def test_the_order_does_not_depend_on_how_much_is_read_at_a_time(
    embedded_store: BoltStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small_web(embedded_store)
    before = digest(embedded_store, tmp_path)
    for name in ("KEYS_PER_SCAN", "NODES_PER_READ", "ANCHORS_PER_READ"):
        monkeypatch.setattr(reading, name, 2)
    assert digest(embedded_store, tmp_path) == before


@pytest.mark.slow
def test_importing_twice_is_importing_once_and_what_is_there_stays(embedded_store: BoltStore, tmp_path: Path) -> None:
    small_web(embedded_store)
    path = written(embedded_store, "turtle", tmp_path)
    before = digest(embedded_store, tmp_path)
    import_graph(embedded_store, path)
    assert digest(embedded_store, tmp_path) == before
    embedded_store.write("MERGE (h:Host {name: 'z.cn'}) SET h.note = 'mine'")
    embedded_store.write("MATCH (c:Crawl {id: 'run-b'}) SET c.note = 'mine', c.strategy = 'other'")
    import_graph(embedded_store, path)
    kept = embedded_store.read("MATCH (h:Host {name: 'z.cn'}) RETURN h.note AS note")
    crawl = embedded_store.read("MATCH (c:Crawl {id: 'run-b'}) RETURN c.note AS note, c.strategy AS strategy")
    assert kept == [{"note": "mine"}]
    assert crawl == [{"note": "mine", "strategy": "fcosa_lg"}]


@pytest.mark.slow
def test_a_page_is_fetched_or_known_after_an_import_never_both(store: BoltStore, tmp_path: Path) -> None:
    small_web(store)
    path = written(store, "cypher", tmp_path)
    kinds = "MATCH (:Crawl {id: 'run-b'})-[r:FETCHED|KNOWS]->(p:Page {url: $url}) RETURN type(r) AS kind"
    swap = (
        "MATCH (c:Crawl {{id: 'run-b'}})-[r:{old}]->(p:Page {{url: $url}}) DELETE r "
        "MERGE (p)<-[:{new}]-(c) RETURN count(*) AS n"
    )
    store.write(swap.format(old="FETCHED", new="KNOWS"), url="http://a.cn/1")
    store.write(swap.format(old="KNOWS", new="FETCHED"), url="http://c.cn/9")
    report = import_graph(store, path)
    assert report.skipped == {"KNOWS": 1}
    assert store.read(kinds, url="http://a.cn/1") == [{"kind": "FETCHED"}]
    assert store.read(kinds, url="http://c.cn/9") == [{"kind": "FETCHED"}]


@pytest.mark.slow
def test_relationships_without_their_ends_are_counted(embedded_store: BoltStore, tmp_path: Path) -> None:
    small_web(embedded_store)
    folder = written(embedded_store, "csv", tmp_path)
    empty(embedded_store)
    hosts = folder / "Host.csv"
    hosts.write_text(hosts.read_text(encoding="utf-8").splitlines()[0] + "\n", encoding="utf-8")
    report = import_graph(embedded_store, folder)
    assert report.skipped == {"ON_HOST": 10, "LINKS_TO_HOST": 3}
    assert {"ON_HOST", "LINKS_TO_HOST"}.isdisjoint(name for name, count in report.counts.items() if count)


def test_what_is_not_ours_is_left_out_and_named(embedded_store: BoltStore, tmp_path: Path) -> None:
    embedded_store.write("CREATE (:Palace {name: 'x'})-[:NEAR]->(:Term {text: 'y'})")
    report = export_graph(embedded_store, "turtle", tmp_path / "x.ttl")
    assert report.left_out == {"Palace": 1, "NEAR": 1}
    assert report.counts == {"Term": 1}
    embedded_store.write("MATCH (n:Palace) DETACH DELETE n")


@pytest.mark.parametrize("kind", KINDS)
def test_what_an_import_could_not_read_is_left_out_and_counted(
    kind: str, embedded_store: BoltStore, tmp_path: Path
) -> None:
    for pattern in (
        "(:Page:Favourite {url: 'http://a.cn/'})-[:LINKS_TO {crawl: 'one'}]->(:Page {url: 'http://b.cn/'})",
        "(:Term {text: 2024}), (:Term {text: ''}), (:Term {text: ['x']}), (:Page {title: 'x'})",
    ):
        embedded_store.write(f"CREATE {pattern}")
    for owner in ("", "{crawl: 7}", "{crawl: ''}"):
        embedded_store.write(
            f"MATCH (a:Page {{url: 'http://a.cn/'}}) MATCH (b:Page {{url: 'http://b.cn/'}}) "
            f"CREATE (a)-[:LINKS_TO {owner}]->(b) CREATE (a)-[:ON_HOST]->(b)"
        )
    path = tmp_path / f"graph{FORMATS['turtle' if kind == 'n10s' else kind]}"
    report = export_graph(embedded_store, "turtle" if kind == "n10s" else kind, path, n10s=kind == "n10s")
    assert report.counts == {"Page": 2, "LINKS_TO": 1}
    assert report.left_out == {"Favourite": 1, "Term": 3, "Page": 1, "LINKS_TO": 3, "ON_HOST": 3}
    if kind in READ:
        assert import_graph(embedded_store, path).nodes == 2
    embedded_store.write("MATCH (n:Page) DETACH DELETE n")
    embedded_store.write("MATCH (n:Term) DETACH DELETE n")


def test_an_empty_graph_is_an_empty_export(embedded_store: BoltStore, tmp_path: Path) -> None:
    for kind in ("csv", "cypher"):
        report = import_graph(embedded_store, written(embedded_store, kind, tmp_path))
        assert (report.nodes, report.relationships) == (0, 0)
    for kind in ("turtle", "nt"):
        with pytest.raises(InterchangeError, match="holds no triples"):
            import_graph(embedded_store, written(embedded_store, kind, tmp_path))


# ---- without an engine ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "says"),
    [
        (b"x", "a bytes"),
        ([[1]], "a list in a list"),
        ([1, "a"], "several kinds: integer, text"),
        ({"a": 1}, "a dict"),
        (2**63, "64 bits"),
        ("half \ud83d", "surrogate"),
    ],
)
def test_values_that_no_format_holds_are_named_and_the_old_file_stays(value: Any, says: str, tmp_path: Path) -> None:
    path = tmp_path / "graph.ttl"
    path.write_text("old", encoding="utf-8")
    store = RecordingStore(
        {
            "MATCH (n:Crawl) WHERE": [{"key": "run"}],
            "MATCH (n:Crawl {id: key})": [{"key": "run", "props": {"id": "run", "x": value}}],
        }
    )
    with pytest.raises(InterchangeError, match=f"Crawl 'run': property 'x' holds .*{says}"):
        export_graph(store, "turtle", path)
    assert path.read_text(encoding="utf-8") == "old"
    assert [file.name for file in tmp_path.iterdir()] == ["graph.ttl"]


@pytest.mark.parametrize("name", ["my note", "a:b", "1a", "备注、", "½"])
def test_names_that_not_every_format_has_room_for_are_refused(name: str) -> None:
    with pytest.raises(InterchangeError, match="is not made of letters, digits and _"):
        checked({name: 1}, "Crawl 'run'")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("xlsx", "x.xlsx"), "no format 'xlsx'; known: turtle"),
        (("turtle", "folder"), r"is a folder; turtle is one file, as in .*graph\.ttl"),
        (("csv", "file"), "is a file; csv writes a folder"),
        (("nt", "x.nt", True), "n10s goes with turtle"),
    ],
)
def test_what_cannot_be_exported(arguments: tuple[Any, ...], says: str, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_text("x", encoding="utf-8")
    file_format, name, *n10s = arguments
    with pytest.raises(InterchangeError, match=says):
        export_graph(RecordingStore(), file_format, tmp_path / name, n10s=bool(n10s))


def test_an_empty_key_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.cypher"
    closing = "] AS row MERGE (n:Host {name: row.key}) SET n += row.props;"
    path.write_text(f"UNWIND [\n  {{key: '', props: {{}}}}\n{closing}\n", encoding="utf-8")
    with pytest.raises(InterchangeError, match="a Host without a key"):
        import_graph(RecordingStore(), path)


def test_a_link_without_its_crawl_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.nt"
    og, rdf = "https://w3id.org/ontocrawl/graph#", "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
    path.write_text(
        f"_:r <{rdf}type> <{og}LINKS_TO> .\n_:r <{rdf}subject> <http://a/> .\n_:r <{rdf}object> <http://b/> .\n",
        encoding="utf-8",
    )
    with pytest.raises(InterchangeError, match="expected both ends and the property 'crawl'"):
        import_graph(RecordingStore(), path)


@pytest.mark.slow
def test_big_values_make_small_batches(tmp_path: Path) -> None:
    """Ten titles of a megabyte do not go into one statement."""
    store = RecordingStore({"RETURN count(*) AS written": lambda params: [{"written": len(params["rows"])}]})
    path = tmp_path / "x.cypher"
    rows = ",\n".join(f"  {{key: 'p{i}', props: {{x: '{'y' * 1_000_000}'}}}}" for i in range(10))
    closing = "] AS row MERGE (n:Page {url: row.key}) SET n += row.props;"
    path.write_text(f"UNWIND [\n{rows}\n{closing}\n", encoding="utf-8")
    assert import_graph(store, path).counts == {"Page": 10}
    assert [len(call.rows or ()) for call in store.calls] == [5, 5]


def test_the_style_names_every_label_and_type_and_captions_that_exist() -> None:
    rules = dict(re.findall(r"^(\S+) \{\n(.*?)^\}", browser_style(), re.MULTILINE | re.DOTALL))
    assert set(rules) == {
        "node", "relationship", *(f"node.{label}" for label in schema.KEYS), *(f"relationship.{t}" for t in TYPES)
    }  # fmt: skip
    model = (Path(__file__).parents[2] / "docs" / "graph.md").read_text(encoding="utf-8")
    for name, body in rules.items():
        assert re.search(r"color: #[0-9A-F]{6};", body), name
        for caption in re.findall(r'caption: "\{(\w+)\}"', body):
            label = name.partition(".")[2]
            line = next((x for x in model.splitlines() if f"| `{label}` |" in x), "GraphSchema version")
            assert caption in line, (name, caption)


def test_the_public_names_are_there() -> None:
    assert all(hasattr(export, name) for name in export.__all__)
