"""Seeds by a query of the graph: a query of the library or a file of Cypher whose column ``url`` they are."""

from __future__ import annotations

from pathlib import Path

import pytest

import ontocrawl
from kg.bolt import BoltStore
from kg.engine import embedded
from ontocrawl.base import workspace
from ontocrawl.base.workspace import Workspace
from ontocrawl.graph import graph_store, kept_queries, query_parameters
from tests.ontocrawl.conftest import Command

WORLD = "synthetic:planted?pages=600&seed=0"
BEST = "MATCH (:Crawl {id: $run})-[f:FETCHED]->(p:Page) WHERE f.relevant\nRETURN p.url AS url ORDER BY f.step"


def listed(command: Command, space: Workspace, *seeds: str, world: str = WORLD) -> tuple[int, list[str], str]:
    answer = command("crawl", "seeds", *seeds, "--world", world, "--workspace", space.root)
    return answer.code, answer.out.splitlines(), answer.err


def test_a_query_of_the_library_lists_its_column_url(command: Command, space: Workspace, crawled: str) -> None:
    with graph_store.store(space) as graph:
        rows = graph_store.ask(graph, "links/authorities", crawl=crawled, limit=7)
    urls = [row[rows.columns.index("url")] for row in rows.rows]
    code, out, err = listed(command, space, f"query:links/authorities#crawl={crawled}&limit=7")
    assert (code, out) == (0, urls) and len(urls) == 7
    assert f"query:links/authorities#crawl={crawled}&limit=7: 7 taken, 0 left" in err
    assert "rows cut at 7 of" in err and "#limit=N takes N" in err


def test_a_query_that_the_workspace_keeps_lists_its_column_url(
    command: Command, space: Workspace, crawled: str
) -> None:
    kept_queries.save(space, "best", BEST.replace("ORDER BY", "ORDER BY f.relevance DESC,"), {"run": "none"})
    kept_queries.save(space, "hosts", "MATCH (h:Host) RETURN h.name AS host", {})
    try:
        code, out, _ = listed(command, space, f"query:own/best#run={crawled}")
        with graph_store.store(space) as graph:
            rows = query_parameters.ask(space, graph, "own/best", {"run": crawled})[0].rows
        assert (code, out) == (0, [row[0] for row in rows]) and out
        for name, said in (("hosts", "no column url, which the seeds are, but host"), ("beste", "own/beste")):
            code, _, err = listed(command, space, f"query:own/{name}")
            assert code == 2 and said in err
    finally:
        for name in ("best", "hosts"):
            kept_queries.delete(space, f"own/{name}")


def test_a_crawl_begins_at_the_rows_of_a_file(command: Command, space: Workspace, crawled: str, tmp_path: Path) -> None:
    file = tmp_path / "相关.cypher"
    file.write_text(f"// 相关页面\n{BEST};\n", encoding="utf-8")
    code, out, err = listed(command, space, f"query:{file}#run={crawled}&limit=5")
    assert (code, len(out)) == (0, 5) and "over_limit" in err
    arguments = ("--world", WORLD, "--limit-pages", "8", "--strategy", "breadth_first", "--no-graph", "--json")
    ran = command(
        "crawl", "run", "--seeds", f"query:{file}#run={crawled}&limit=5", *arguments, "--run", "second",
        "--workspace", space.root,
    )  # fmt: skip
    assert ran.code == 0, ran.err
    fetched = ontocrawl.Run("second", space.root).pages()
    at = fetched.columns.index("url")
    assert [row[at] for row in fetched.rows][:5] == out


def test_python_and_files_of_seeds_take_queries(space: Workspace, crawled: str, tmp_path: Path) -> None:
    form = f"query:pages/most_relevant#crawl={crawled}&limit=3"
    (tmp_path / "seeds.txt").write_text(f"{form}\n", encoding="utf-8")
    for number, seeds in enumerate((form, tmp_path / "seeds.txt")):
        run = ontocrawl.crawl(
            "rainstorm", seeds=[seeds], world=WORLD, pages=3, strategy="breadth_first", graph=False,
            run=f"by-query-{number}", workspace=space.root,
        )  # fmt: skip
        assert run.result.end.relevant == 3


@pytest.mark.parametrize(
    ("seed", "words"),
    [
        ("query:links/authority", "did you mean"),
        ("query:", "no query ''"),
        ("query:project/pages", "is a statement of kg.project"),
        ("query:hosts/that_pay", "no column url, which the seeds are, but host, fetched, relevant"),
        ("query:links/authorities#limit=many", "limit=many is no whole number"),
        ("query:links/authorities#least=many", "least"),
        ("query:links/authorities#lest=1", "lest"),
        ("query:links/authorities#limit", "'limit' is no value of a parameter"),
        (
            "query:links/authorities#crawl=sample&least=999",
            "has no rows, so there are no seeds: least=999 leaves out all rows",
        ),
        ("query:links/authorities#crawl=nowhere", "the graph has no such run"),
        ("query:gone.cypher", "there is no file gone.cypher"),
    ],
)
@pytest.mark.usefixtures("crawled")
def test_wrong_queries_say_what_to_do(command: Command, space: Workspace, seed: str, words: str) -> None:
    code, out, err = listed(command, space, seed)
    assert (code, out) == (2, []) and words in err, err


@pytest.mark.parametrize(
    ("statement", "values", "words"),
    [
        ("MATCH (p:Page) RETURN p.url AS page LIMIT 2", "", "no column url, which the seeds are, but page"),
        ("MATCH (p:Page {url: 'x'}) RETURN p.url AS url", "", "has no rows"),
        (BEST, "", "needs a value for $run: add #run=VALUE"),
        (BEST, "#run=sample&rum=1", "has no parameter $rum"),
        ("MATCH (p:Page) SET p.x = 1 RETURN p.url AS url", "", "must only read the graph, and it contains SET"),
        ("MATCH (p:Page) RETURN p.url AS url LIMIT $limit", "#limit=0", "limit=0 is no whole number"),
        ("MATCH (p:Page RETURN p.url AS url", "", "(p:Page"),
        ("", "", "is no Cypher statement: it is empty"),
    ],
)
@pytest.mark.usefixtures("crawled")
def test_wrong_files_say_what_to_do(
    command: Command, space: Workspace, tmp_path: Path, statement: str, values: str, words: str
) -> None:
    (tmp_path / "q.cypher").write_text(statement, encoding="utf-8")
    code, out, err = listed(command, space, f"query:{tmp_path / 'q.cypher'}{values}")
    assert (code, out) == (2, []) and words in err, err


def test_cells_without_a_url_and_repeated_ones_are_counted(
    command: Command, space: Workspace, crawled: str, tmp_path: Path
) -> None:
    assert crawled
    urls = "['http://a.cn/', null, '', 'ftp://x/', 5, 'http://a.cn/', 'http://b.cn/1']"
    (tmp_path / "q.cypher").write_text(f"UNWIND {urls} AS url RETURN url", encoding="utf-8")
    code, out, err = listed(command, space, f"query:{tmp_path / 'q.cypher'}")
    assert (code, out) == (0, ["http://a.cn/", "http://b.cn/1"])
    assert "2 taken, 5 left (2 malformed_url, 2 no_url, 1 duplicate)" in err


@pytest.mark.slow
def test_a_graph_without_crawls_says_so(command: Command, tmp_path: Path) -> None:
    space = workspace.init(tmp_path / "ws")
    try:
        code, _, err = listed(command, space, "query:links/authorities")
        assert code == 2 and "the graph has no crawl: `ontocrawl crawl run` writes one" in err
    finally:
        embedded.stop(space.graph)


@pytest.mark.slow
def test_a_neo4j_server_is_asked_too(
    command: Command, neo4j_engine: BoltStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name, password = neo4j_engine._auth
    for key, value in (("URI", neo4j_engine.uri), ("USERNAME", name), ("PASSWORD", password)):
        monkeypatch.setenv(f"NEO4J_{key}", value)
    neo4j_engine.write("MATCH (n) DETACH DELETE n")
    neo4j_engine.write("UNWIND ['http://a.cn/1', 'http://a.cn/2'] AS url CREATE (:Page {url: url})")
    (tmp_path / "q.cypher").write_text("MATCH (p:Page) RETURN p.url AS url ORDER BY url LIMIT $n", encoding="utf-8")
    code, out, err = listed(command, workspace.init(tmp_path / "ws"), f"query:{tmp_path / 'q.cypher'}#n=1")
    assert (code, out) == (0, ["http://a.cn/1"]), err
