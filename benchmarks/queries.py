"""Every query of the library on a generated graph of N pages and M links, on each engine at hand.

    python -m benchmarks.queries [--pages N] [--links M] [--neo4j] [--json docs/benchmarks/queries.json]

The graph is made from a seed: two crawls of one web, the newer with nine tenths of the links, an ontology of up to
1,000 concepts in two versions, papers, terms, a lattice and proposals. It is loaded into the embedded engine and, with
--neo4j, into a real Neo4j, which is started as the tests do it (Java and Maven). Ranks, communities and the figures of
links are then computed as at the end of a crawl, and the Cypher that counted such figures is timed as well. The figure
of a query is the best of three runs, of fewer where they take long. Then the command `query run` is timed as a whole,
cold (it starts the embedded engine) and warm. Exit code 1 where a query is over 2 s whose header does not say so under
`cost:` ("slow: .."), where one has no rows, and where a command takes longer than promised; headers that say slow of a
query that was not are listed. With --json FILE a table is written beside it (FILE with the suffix .md).
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

# Run as a script, this file stands first on the path under the name of the package that it measures.
import queries
from benchmarks import commands, engines, report
from benchmarks.full_scans import FULL_SCANS
from kg import schema, walks
from kg.bolt import BoltStore
from kg.engine import embedded
from kg.ranking.crawl_ranks import rank_crawl

LIMIT_SECONDS = 2.0
FULL_SIZE = 100_000
"""Pages; on a smaller graph nothing is slow, and that says nothing."""
REPEATS = 3
ENOUGH_SECONDS = 20.0
LINKS_PER_PAGE = 10
BASE = "https://example.org/bench#"
ONE, OTHER = "https://example.org/bench/1", "https://example.org/bench/2"
NEW, OLD = "bench-new", "bench-old"
Batch = tuple[str, list[dict[str, Any]]]
"""A writing statement and its rows."""


def url(number: int, hosts: int) -> str:
    """Page number -> URL; the first hosts are the largest."""
    return f"http://h{int(hosts * (number * 0.6180339887 % 1) ** 2)}.example/{number}"


def host(address: str) -> str:
    """Return the host of an address."""
    return address.split("/")[2]


def graph(pages: int, links: int | None = None, seed: int = 0) -> Iterator[Batch]:
    """Yield the statements that create the graph, with their rows: nodes, then relationships.

    ``links`` is the number of links that are drawn, ten a page by default; repeated ones are left out.
    """
    total = LINKS_PER_PAGE * pages if links is None else links
    draw = np.random.default_rng(seed)
    hosts = max(5, pages // 200)
    urls = [url(number, hosts) for number in range(pages)]
    fetched = {NEW: pages * 8 // 10, OLD: pages // 10}
    concepts = min(1_000, pages)
    yield from _ontologies(concepts, draw)
    yield from _papers(concepts, draw)
    yield _nodes("Host", "name", [{"name": name} for name in sorted({host(u) for u in urls})])
    yield _nodes("Page", "url", [{"url": u} for u in urls])
    yield _nodes("Crawl", "id", [_crawl(NEW, "2024-02-01", urls), _crawl(OLD, "2024-01-01", urls)])
    yield _edges("Page", "url", "ON_HOST", "Host", "name", [(u, host(u), {}) for u in urls])
    for crawl, share in ((OLD, 1), (NEW, 9)):
        yield from _crawled(crawl, urls, (fetched[crawl], total * share // 10, concepts), draw)
    yield from _proposals(urls, draw)


def _nodes(label: str, key: str, rows: list[dict[str, Any]]) -> Batch:
    return f"UNWIND $rows AS row MERGE (n:{label} {{{key}: row.{key}}}) SET n += row RETURN count(*) AS n", rows


def _edges(
    label: str, key: str, kind: str, other: str, other_key: str, ends: Sequence[tuple[Any, str, Mapping[str, Any]]]
) -> Batch:
    """Relationships between nodes that are there; CREATE, for the graph is new."""
    text = (
        f"UNWIND $rows AS row MATCH (a:{label} {{{key}: row.a}}) MATCH (b:{other} {{{other_key}: row.b}}) "
        f"CREATE (a)-[r:{kind}]->(b) SET r += row.props RETURN count(*) AS n"
    )
    return text, [{"a": a, "b": b, "props": dict(props)} for a, b, props in ends]


def _crawl(name: str, day: str, urls: Sequence[str]) -> dict[str, Any]:
    return {"id": name, "strategy": "fcosa_lg", "topic": "bench", "world": "generated", "started": f"{day}T00:00:00Z",
            "stop_reason": "limit_pages", "seeds": list(urls[:5])}  # fmt: skip


def _iri(number: int) -> str:
    return f"{BASE}C{number}"


def _ontologies(count: int, draw: np.random.Generator) -> Iterator[Batch]:
    """A DAG of concepts, two parents for every tenth; the second version lacks the last fifty."""
    concepts = [
        {"iri": _iri(i), "label_zh": f"概念{i}", "label_en": f"concept {i}", "definition": "", "definition_en": ""}
        for i in range(count)
    ]
    yield _nodes("Concept", "iri", concepts)
    heads = [
        {"iri": iri, "series": iri, "kind": kind, "topic": "bench", "version": iri[-1], "root": _iri(0)}
        for iri, kind in ((ONE, "global"), (OTHER, "local"))
    ]
    yield _nodes("Ontology", "iri", heads)
    yield _nodes("Topic", "name", [{"name": "bench"}])
    for iri, size in ((ONE, count), (OTHER, count - 50)):
        labels = [(c["iri"], iri, _labels(c)) for c in concepts[:size]]
        yield _edges("Concept", "iri", "IN_ONTOLOGY", "Ontology", "iri", labels)
        above = [(i, int(draw.integers(0, i))) for i in range(1, size) for _ in range(1 + (i % 10 == 0))]
        props = {"ontology": iri, "support": 2, "confidence": 0.5, "evidence": ""}
        ends = [(_iri(i), _iri(j), props) for i, j in dict.fromkeys(above)]
        yield _edges("Concept", "iri", "SUBCLASS_OF", "Concept", "iri", ends)
        causes = [(_iri(i), _iri(i + 1), props) for i in range(1, 60)]
        yield _edges("Concept", "iri", "CAUSES", "Concept", "iri", causes)
        weights = [
            ("bench", _iri(i), {"ontology": iri, "weight": 1 / (1 + i % 7 + (iri == OTHER)), "distance": 0.5,
             "density": 0.5, "depth": 0.5, "coincidence": 0.5, "relation": 0.5, "path": [f"概念{i}"]})
            for i in range(size)
        ]  # fmt: skip
        yield _edges("Topic", "name", "WEIGHTS", "Concept", "iri", weights)


def _labels(concept: Mapping[str, Any]) -> dict[str, Any]:
    """Every hundredth concept has a name that others have too."""
    also = ["同名"] if concept["iri"].endswith("99") else []
    return {"label_zh": concept["label_zh"], "label_en": concept["label_en"], "alt_zh": also, "alt_en": []}


def _papers(concepts: int, draw: np.random.Generator) -> Iterator[Batch]:
    papers, count = 2 * concepts, concepts * 3 // 2
    documents = [{"id": f"d{i}", "title": f"第{i}篇论文", "year": 2000 + i % 25, "source": "bench", "doi": ""}
                 for i in range(papers)]  # fmt: skip
    terms = [f"概念{i}" if i < concepts else f"术语{i}" for i in range(count)]
    of = {"lattice": "bench", "context": "documents", "ontology": ONE}
    formal = [{"id": f"bench/{i}", **of, "support": max(1, 2000 >> i % 11)} for i in range(count)]
    yield _nodes("Document", "id", documents)
    yield _nodes("Term", "text", [{"text": text} for text in terms])
    yield _nodes("FormalConcept", "id", formal)
    has = {(f"d{i}", terms[int(t)]) for i in range(papers) for t in draw.integers(0, count, 8)}
    has |= {(f"d{i}", terms[t]) for i in range(0, papers, 50) for t in (7, 30)}
    tf = [(d, t, {"ontology": ONE, "tf": 1 + len(t) % 3}) for d, t in sorted(has)]
    yield _edges("Document", "id", "HAS_TERM", "Term", "text", tf)
    words = [
        ("bench", term, {"weight": 1 / (1 + i % 7), "position": i, "p": 0.01, "g": 0.001, "o": 0.002, "texts": 3,
         "source": "corpus", "listed": 1.0, "zh": [term], "en": []})
        for i, term in enumerate(terms)
    ]  # fmt: skip
    yield _edges("Topic", "name", "HAS_WORD", "Term", "text", words)
    title_of = {str(d["id"]): str(d["title"]) for d in documents}
    yield _nodes("Sentence", "id", [{"id": title, "text": title} for title in title_of.values()])
    titles = [(t, d, {"field": "title", "start": 0, "end": len(t)}) for d, t in title_of.items()]
    yield _edges("Sentence", "id", "IN_DOCUMENT", "Document", "id", titles)
    yield _edges("Ontology", "iri", "LEARNED_FROM", "Document", "id", [(ONE, f"d{i}", {}) for i in range(papers)])
    denotes = [(terms[i], _iri(i), {}) for i in range(concepts * 9 // 10)]
    yield _edges("Term", "text", "DENOTES", "Concept", "iri", denotes)
    covers = [(f"bench/{(i - 1) // 3}", f"bench/{i}", {}) for i in range(1, count)]
    yield _edges("FormalConcept", "id", "COVERS", "FormalConcept", "id", covers)
    own = [(f"bench/{i}", terms[i], {}) for i in range(count)]
    yield _edges("FormalConcept", "id", "OWN_TERM", "Term", "text", own)
    own_documents = [(f"bench/{i % count}", f"d{i}", {}) for i in range(papers)]
    yield _edges("FormalConcept", "id", "OWN_DOCUMENT", "Document", "id", own_documents)
    own_classes = [(f"bench/{i}", _iri(i), {}) for i in range(0, concepts, 3)]
    yield _edges("FormalConcept", "id", "OWN_CLASS", "Concept", "iri", own_classes)


def _crawled(
    crawl: str, urls: Sequence[str], counts: tuple[int, int, int], draw: np.random.Generator
) -> Iterator[Batch]:
    """One crawl: page i is its step i + 1, each page was shown by an earlier one, what was not fetched is known.

    ``counts`` are the numbers of fetched pages, links and concepts.
    """
    fetched, links, concepts = counts
    size = len(urls) if crawl == NEW else min(len(urls), 2 * fetched)
    relevance = np.round(draw.beta(1, 2, size), 4)
    rank = np.round(draw.lognormal(0, 1, size), 6)
    rows = [(crawl, urls[i], _fetched(i, urls[i], float(relevance[i]), float(rank[i]))) for i in range(fetched)]
    # CREATE starts at the page, the end with few relationships
    text = (
        "UNWIND $rows AS row MATCH (p:Page {url: row.b}) MATCH (c:Crawl {id: row.a}) "
        "CREATE (p)<-[r:%s]-(c) SET r += row.props RETURN count(*) AS n"
    )
    yield text % "FETCHED", [{"a": c, "b": u, "props": props} for c, u, props in rows]
    known = [{"a": crawl, "b": urls[i], "props": {"priority": float(relevance[i]), "reason": "queued" if i % 3 else
             "rejected_by_strategy", **_ranks(float(rank[i]))}} for i in range(fetched, size)]  # fmt: skip
    yield text % "KNOWS", known
    shown_by = [0, *(int(draw.integers(0, min(i, fetched))) for i in range(1, size))]
    tree = {(shown_by[i], i): None for i in range(5, size)}
    random = zip(draw.integers(0, fetched, links), (size * draw.random(links) ** 2).astype(int), strict=True)
    pairs = dict.fromkeys([*tree, *((int(s), int(t)) for s, t in random if s != t)])
    ends = [
        (urls[s], urls[t], {"crawl": crawl, "anchor": f"锚文本{(s * 7 + t) % 2000}", "relevance": (s + t) % 10 / 10})
        for s, t in list(pairs)[:links]
    ]
    yield _edges("Page", "url", "LINKS_TO", "Page", "url", ends)
    yield _edges("Page", "url", "LED_TO", "Page", "url", [(urls[s], urls[t], {"crawl": crawl}) for s, t in tree])
    named = [
        (i, int(c))
        for i in range(fetched)
        for c in np.unique([7 if i < 100 else 0, *(0.95 * concepts * draw.random(2) ** 2).astype(int)])
    ]
    mentions = [
        (urls[i], _iri(c), {"crawl": crawl, "count": 1 + i % 4, "weight": 0.5, "sentence": _sentence(i, c), "start": 0})
        for i, c in named
    ]
    yield _edges("Page", "url", "MENTIONS", "Concept", "iri", mentions)
    yield from _sentences(crawl, urls, named)


def _sentence(page: int, concept: int) -> str:
    return f"概念{concept}在第{page}处：{'暴雨引发城市内涝' if page % 500 == 0 else '河水上涨'}。"


def _sentences(crawl: str, urls: Sequence[str], named: Sequence[tuple[int, int]]) -> Iterator[Batch]:
    """A sentence for each concept of each page, and one more that names none; pages of both crawls have the same."""
    extra = [(i, f"第{i}处的其他内容，与主题无关。") for i in dict.fromkeys(i for i, _ in named)]
    of_page = [*((i, _sentence(i, c)) for i, c in named), *extra]
    yield _nodes("Sentence", "id", [{"id": text, "text": text} for text in dict.fromkeys(text for _, text in of_page)])
    places = [(text, urls[i], {"crawl": crawl, "start": 0, "end": len(text), "title": False}) for i, text in of_page]
    yield _edges("Sentence", "id", "ON_PAGE", "Page", "url", places)
    if crawl == NEW:
        names = [(_sentence(i, c), _iri(c), {"start": 0, "end": len(f"概念{c}")}) for i, c in named]
        yield _edges("Sentence", "id", "NAMES", "Concept", "iri", names)


def _ranks(rank: float) -> dict[str, float]:
    return {"pagerank": rank, "authority": rank, "hub": 1 / (1 + rank)}


def _fetched(i: int, address: str, relevance: float, rank: float) -> dict[str, Any]:
    failed = i % 50 == 49
    props: dict[str, Any] = {"step": i + 1, "status": 404 if failed else 200, "final_url": address, "title": f"第{i}页"}
    props |= {"snippet": "暴雨引发城市内涝，概念1和术语1200。", "evidence": '{"move": "best"}', "priority": relevance}
    if failed:
        return props | {"failure": "http_404"}
    moved = {"final_url": f"{address}#moved"} if i % 40 == 7 else {}
    date = f"{2014 + i % 10}-{1 + i % 12:02d}-{1 + i % 28:02d}"
    found = {"relevance": relevance, "relevant": relevance > 0.5, "label": (relevance > 0.5) != (i % 9 == 0)}
    day = f"2026-11-{1 + i % 28:02d}T06:00:00+00:00"
    seen: dict[int, dict[str, Any]] = {3: {"changed": day}, 4: {"gone": day}, 5: {"found_at_revisit": 1}}
    visits = {"first_seen": day, "last_seen": day, **seen[i % 30]} if i % 30 in seen else {}
    return (
        props | found | moved | visits | {"published": date, "content_hash": f"x{i - (i % 60 == 59)}", **_ranks(rank)}
    )


def _proposals(urls: Sequence[str], draw: np.random.Generator) -> Iterator[Batch]:
    rows = [
        {"id": f"rainstorm/新词{i}", "term": f"新词{i}", "kind": "concept", "score": 1 / (i + 1), "pages": 6,
         "topic": "rainstorm", "status": "proposed", "ontology": ONE}
        for i in range(50)
    ]  # fmt: skip
    yield _nodes("Proposal", "id", rows)
    under = [(row["id"], _iri(1 + n % 40), {}) for n, row in enumerate(rows)]
    for kind in ("UNDER", "ABOUT"):
        yield _edges("Proposal", "id", kind, "Concept", "iri", under)
    said = {"pages": 3, "shown": 1, "kind": "concept"}
    crawls = [(crawl, str(row["id"]), said | {"score": row["score"], "rank": n}) for n, row in enumerate(rows, 1)
              for crawl in (NEW, OLD)]  # fmt: skip
    yield _edges("Crawl", "id", "PROPOSES", "Proposal", "id", crawls)
    found = [(row["id"], urls[int(draw.integers(0, 60))],
              {"sentence": "新词在此。", "crawl": crawl, "rank": 1, "start": 0, "end": 2})
             for row in rows for crawl in (NEW, OLD)]  # fmt: skip
    yield _edges("Proposal", "id", "FOUND_IN", "Page", "url", found)


def load(store: BoltStore, pages: int, links: int | None, tell: Callable[[str], None]) -> float:
    """Write the graph; seconds."""
    schema.apply(store)
    started = time.perf_counter()
    for text, rows in graph(pages, links):
        store.write(text, rows)
        tell(f"{time.perf_counter() - started:8.1f} s  {len(rows):8,} rows  {text[16:90]}")
    return time.perf_counter() - started


def rank(store: BoltStore, tell: Callable[[str], None]) -> float:
    """Compute what is stored of the links of both crawls, as at the end of a crawl; seconds of the larger one."""
    seconds = 0.0
    for crawl in (OLD, NEW):
        started = time.perf_counter()
        found = rank_crawl(store, crawl)
        seconds = time.perf_counter() - started
        tell(f"{seconds:8.1f} s  {found}")
    return seconds


def scan(store: BoltStore, pages: int, tell: Callable[[str], None]) -> dict[str, float]:
    """Seconds of the statements that count what is stored of links, each run once, by query."""
    seconds = {}
    for name, text in FULL_SCANS.items():
        started = time.perf_counter()
        store.read(text, **values(queries.get(name), pages))
        seconds[name] = round(time.perf_counter() - started, 3)
        tell(f"{seconds[name]:8.3f} s  {name}, counted")
    return seconds


def given(pages: int) -> dict[str, Any]:
    """A value of the generated graph for each parameter that some query requires, by name."""
    urls = [url(number, max(5, pages // 200)) for number in range(pages)]
    return {
        "url": urls[pages // 20], "source": urls[0], "target": urls[pages // 20], "host": host(urls[1]),
        "concept": _iri(7), "also": _iri(0), "narrower": _iri(30), "broader": _iri(7), "one": NEW, "other": OLD,
        "term": "概念30", "older": ONE, "newer": OTHER, "proposal": "新词30", "label": "概念7", "text": "暴雨 城市内涝",
    }  # fmt: skip


def values(query: queries.Query, pages: int) -> dict[str, Any]:
    """The parameters of a query: the required ones from ``given``, the others as they are by default."""
    known = given(pages)
    return query.bind({p.name: known[p.name] for p in query.parameters if p.required})


def measure(store: BoltStore, pages: int, tell: Callable[[str], None]) -> list[dict[str, Any]]:
    """Seconds (best of three, of fewer where they take long) and number of rows of every query for users."""
    found = []
    for query in queries.all_queries():
        bound = values(query, pages)
        seconds: list[float] = []
        rows = 0
        while len(seconds) < REPEATS and sum(seconds) < ENOUGH_SECONDS:
            started = time.perf_counter()
            rows = len(walks.rows(store, query, bound))
            seconds.append(time.perf_counter() - started)
        tell(f"{min(seconds):8.3f} s  {rows:6,} rows  {query.name}")
        found.append({"query": query.name, "seconds": round(min(seconds), 3), "first": round(seconds[0], 3),
                      "rows": rows, "cost": query.cost})  # fmt: skip
    return found


def over(measured: Sequence[Mapping[str, Any]]) -> list[str]:
    """Queries over the limit whose header does not say so, and those without an answer."""
    late = [m for m in measured if m["seconds"] > LIMIT_SECONDS and not called_slow(m)]
    return [f"{m['query']} took {m['seconds']} s, and its header does not call it slow" for m in late] + [
        f"{m['query']} has no rows" for m in measured if not m["rows"]
    ]


def called_slow(measured: Mapping[str, Any]) -> bool:
    """Whether the header of a query says that it may take more than the limit."""
    return bool(measured["cost"].startswith("slow"))


def needlessly_slow(of: Sequence[Mapping[str, Any]]) -> list[str]:
    """Queries that their header calls slow and that no engine needed half the limit for."""
    most: dict[str, float] = {}
    for measured in (m for engine in of for m in engine["queries"] if called_slow(m)):
        most[measured["query"]] = max(most.get(measured["query"], 0.0), measured["seconds"])
    return [
        f"{name} took {seconds} s at most, and its header calls it slow"
        for name, seconds in most.items()
        if seconds < LIMIT_SECONDS / 2
    ]


def table(result: Mapping[str, Any]) -> str:
    """The result as Markdown."""
    of = result["engines"]
    head = ["query", *(f"{e['engine']}, s" for e in of), "rows", "cost, as its header says"]
    by_query = {m["query"]: m for m in of[0]["queries"]}
    seconds = [{m["query"]: m["seconds"] for m in e["queries"]} for e in of]
    lines = [
        _method(result),
        "",
        f"| {' | '.join(head)} |",
        f"|---|{'---:|' * (len(of) + 1)}---|",
        *(
            f"| {name} | {' | '.join(f'{s[name]:.3f}' for s in seconds)} | {m['rows']:,} | {m['cost']} |"
            for name, m in by_query.items()
        ),
        "",
        *counted(of),
        *(f"{e['engine']}: loaded in {e['load_seconds']:,} s." for e in of if e["load_seconds"]),
        *(
            f"The command `query run` on {e['engine']}: {seconds:.2f} s {when}."
            for e in of
            for when, seconds in e["command"].items()
        ),
        "",
        *(f"* Header or promise and measurement disagree: {line}" for line in result["disagree"]),
        "",
        f"{report.machine(result)}.",
    ]
    command = "python -m benchmarks.queries --neo4j --json docs/benchmarks/queries.json"
    return report.page("Queries on a large graph", command, lines)


def counted(of: Sequence[Mapping[str, Any]]) -> list[str]:
    """What queries that read stored figures of links took when they counted them, and the time to store these."""
    if not any(e.get("full_scans") for e in of):
        return []
    head = ["query", *(f"{e['engine']}, {what}, s" for e in of for what in ("counting", "now"))]
    now = [{m["query"]: m["seconds"] for m in e["queries"]} for e in of]
    lines = [
        "These queries read figures of links that are stored at the end of a crawl, and counted them before:",
        "",
        f"| {' | '.join(head)} |",
        f"|---|{'---:|' * (2 * len(of))}",
    ]
    for name in of[0]["full_scans"]:
        both = (f"{e['full_scans'][name]:.3f} | {n[name]:.3f}" for e, n in zip(of, now, strict=True))
        lines.append(f"| {name} | {' | '.join(both)} |")
    stored = (f"{e['engine']}: ranks, communities and these figures of the larger crawl took {e['rank_seconds']} s."
              for e in of)  # fmt: skip
    return [*lines, "", *stored]


def _method(result: Mapping[str, Any]) -> str:
    before, after = result["load_average"]
    return (
        f"A generated graph of {result['pages']:,} pages and {result['links']:,} links in two crawls; best of {REPEATS}"
        f" runs, of fewer where they take long. The limit is {LIMIT_SECONDS:g} s unless the header says that the query"
        f" is slow. The load average of the machine was {before} before and {after} after."
    )


def load_and_measure(
    store: BoltStore, pages: int, tell: Callable[[str], None], links: int | None = None
) -> dict[str, Any]:
    """Fill an empty graph and measure every query on it."""
    seconds = load(store, pages, links, tell)
    ranked = rank(store, tell)
    found = store.read("MATCH (:Page)-[r:LINKS_TO]->(:Page) RETURN count(r) AS n")[0]["n"]
    measured = {"load_seconds": round(seconds), "rank_seconds": round(ranked, 1), "links": found}
    return {**measured, "queries": measure(store, pages, tell), "full_scans": scan(store, pages, tell)}


def run_engine(name: str, size: tuple[int, int | None], folder: Path, tell: Callable[[str], None]) -> dict[str, Any]:
    """Everything on one engine; at the end the command `query run`, on the embedded engine cold too."""
    pages, links = size
    data = folder / name
    with engines.engine(name, data) as store:
        found = load_and_measure(store, pages, tell, links)
        address, server = given(pages)["url"], {} if name == "embedded" else commands.server_of(store)
        command = commands.query_run(commands.space(folder / "workspace"), address, server) if server else {}
    if not command:
        try:
            command = commands.query_run(commands.space(folder / "workspace", data), address, {})
        finally:
            embedded.stop(data)
    return {"engine": name, **found, "command": command}


def main() -> int:
    """Run the benchmark and write its report."""
    parser = report.arguments(__doc__)
    parser.add_argument("--pages", type=int, default=100_000)
    parser.add_argument("--links", type=int, help=f"links of both crawls, {LINKS_PER_PAGE} a page by default")
    parser.add_argument("--neo4j", action="store_true", help="measure a real Neo4j too")
    chosen = parser.parse_args()
    if chosen.pages < 100:
        parser.error("--pages: expected 100 or more")
    if chosen.links is not None and chosen.links < chosen.pages:
        parser.error("--links: expected as many as pages, or more")

    def tell(line: str) -> None:
        print(line, file=sys.stderr, flush=True)

    before = report.load()
    measured = []
    for name in engines.NAMES[: 2 if chosen.neo4j else 1]:
        with tempfile.TemporaryDirectory(prefix="ontocrawl-queries-") as folder:
            measured.append(run_engine(name, (chosen.pages, chosen.links), Path(folder), tell))
    wrong = [f"{e['engine']}: {line}" for e in measured for line in (*over(e["queries"]), *commands.late(e["command"]))]
    result = report.head(
        "queries",
        pages=chosen.pages,
        links=measured[0]["links"],
        cores=os.cpu_count(),
        load_average=[before, report.load()],
        limit_seconds=LIMIT_SECONDS,
        engines=measured,
        disagree=[*wrong, *(needlessly_slow(measured) if chosen.pages >= FULL_SIZE else [])],
    )
    report.publish(result, chosen.json, table)
    for line in result["disagree"]:
        tell(line)
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
