"""docs/queries.md: every query of the library from its header, and some with their answers on the demo's crawl.

    python -m tools.query_catalogue [docs/queries.md] [--check]

Runs the demo in a temporary folder for the answers (half a minute). With --check nothing is written, and a page that
is out of date is an error (exit code 3).
"""

from __future__ import annotations

import re
import sys
import tempfile
from collections.abc import Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

import queries
from kg.engine import embedded
from kg.store import GraphStore
from ontocrawl import demo
from ontocrawl.base.config import Settings
from ontocrawl.base.workspace import Workspace
from ontocrawl.graph import graph_store
from ontocrawl.graph.graph_store import store
from ontocrawl.graph.tables import Table
from queries import Parameter, Query
from tools import generated_page

PAGE = Path("docs/queries.md")
DEMO_PAGES, DEMO_SEED = 300, 0
SHOWN: Mapping[str, Mapping[str, str]] = {
    "ontology/find": {"label": "flood", "limit": "5"},
    "evidence/of_concept": {"concept": "城市内涝", "limit": "6"},
    "evidence/search": {"text": "台风 暴雨", "limit": "4"},
    "pages/newest": {"concept": "typhoon", "since": "2015-01-01", "limit": "5"},
    "pages/most_relevant_under_concept": {"concept": "城市内涝", "limit": "5"},
    "hosts/that_pay": {"least": "5", "limit": "5"},
    "crawl/why_fetched": {"url": "http://flood-news.example/info/126.html"},
    "crawl/tunnels": {"limit": "4"},
    "crawl/compare": {"one": "demo-breadth_first", "other": "demo-learned"},
    "links/anchors_that_lead_to_relevant": {"least": "5", "limit": "5"},
    "links/communities": {"crawl": "demo-learned", "limit": "8"},
    "pages/relevance_against_pagerank": {"limit": "5"},
    "ontology/concepts_without_pages": {"ontology": "https://w3id.org/ontocrawl/rainstorm", "limit": "5"},
    "enrichment/terms_with_concept": {"concept": "城市内涝", "limit": "5"},
    "evidence/documents_for_subclass": {"narrower": "城市内涝", "broader": "内涝", "limit": "5"},
}
"""The queries that the page shows with their answers, and with which parameters."""
FOLDERS: Mapping[str, str] = {
    "ontology": "concepts and their hierarchy",
    "weights": "how the ontology steers a crawl",
    "pages": "what was found",
    "links": "how pages hang together",
    "hosts": "where it was found",
    "crawl": "how a crawl went",
    "evidence": "what speaks for the ontology",
    "enrichment": "how the ontology could grow",
    "quality": "what to distrust",
}
_BEGIN, _END = "<!-- answers -->", "<!-- end of answers -->"
_INTRODUCTION = """# Queries

Written by `python -m tools.query_catalogue` from the headers of `queries/*/*.cypher` and from the demo; not edited by
hand.

```text
ontocrawl query list [WORD]                               all queries, or those about something
ontocrawl query show pages/most_relevant                  the Cypher, to be pasted into Neo4j Browser
ontocrawl query run pages/most_relevant limit=5           a table; --format json or csv
ontocrawl query cypher 'MATCH (p:Page) RETURN count(p) AS pages'     your own; it changes the graph only with --write
```

From Python, with a DataFrame where pandas or polars is installed:

```python
from ontocrawl import Graph

with Graph("demo/workspace") as graph:
    frame = graph.ask("pages/most_relevant", limit=5).to_frame()
```

A query only reads. It gives the same rows in the same order on a Neo4j server and on the embedded engine. Where a key
is given (a URL, a concept, a host, a term) it is looked up in an index; only the nodes of crawls, ontologies and
topics, of which there are few, are ever searched one by one for it. A concept is named by its IRI, its Chinese label,
or its English label, in lower case or as it is written. An empty `crawl` is the newest one. Figures of links that some
queries need are stored at the end of each crawl; a crawl without them is refused. A query whose cost begins
with "slow" may take longer than two seconds on a crawl of 100,000 pages;
[benchmarks/queries.md](benchmarks/queries.md) has the figures, and [graph.md](graph.md#look-up-nodes) the graph.

## Know whether an answer is whole

An answer is complete, or says where it is cut. Below a table stands `complete`, or `rows cut at 20 of 134`. A `Table`
has `complete` and `cuts`; in JSON, of the command line, of
[MCP](explorer.md#use-a-workspace-from-an-assistant-mcp) and of the explorer, `complete` is true or
false, and with false there is `cut: [{part, at, total, relation}]`: what is cut, at how many, of how many. `relation`
is `eq` where `total` is the number, and `gte` where there are at least so many.

| answer | bound | how it is told |
|---|---|---|
| rows of a query of the library | `limit`; up to 1,000 are counted where that is cheap | `cut`, part `rows` |
| lists in columns | `names`: %s | `cut`, part: the column |
| chains of causes and of effects | 6 steps | `cut`, part `steps` |
| `links/path` | 8 links | the reason why there are no rows |
| `crawl/tunnels` | 4 irrelevant pages | the title |
| walks along the hierarchy | none | complete at any depth |
| your own Cypher and SPARQL | none but that of the statement | complete |
| an answer of an MCP tool | 100,000 characters | `cut`, part: the list or the text |
| the explorer's page Ask | 4,000,000 characters | above the rows |
| classes below a class in the explorer's tree | 500 at a time | a button that shows more |
| names, and classes above and below, on a class's page | 500 each | the last entry of the list |
| a search of classes in the explorer | 50 | the last entry of the list |
| the record of a class | 400,000 characters | below it |
| lists of a formal concept, a search and implications | 200 each | the list, or beside their number |
| a lattice of more attributes | 2,000 attributes, the frequent ones | above the drawing |
| the drawing of a lattice | 30 to 60 points, 500 where many have one support | the caption |

The statement of a walk along the hierarchy (`query show ontology/descendants`) has no bound either. Neo4j prunes such
a walk; ontocrawl makes it level by level, so that it ends on the embedded engine too.

## What an answer has

Values are texts, numbers, true, false, null, lists and maps. What else Cypher can return has one form, the same from
both engines, in tables, JSON, CSV, Python and the explorer:

| value of Cypher | in the answer |
|---|---|
| node | `{"labels": ["Page"], "properties": {"url": "http://a.example/"}}` |
| relationship | `{"type": "LINKS_TO", "properties": {"crawl": "run-1"}}` |
| path | `{"nodes": [..], "relationships": [..]}`, where relationships have `start` and `end`, places in `nodes` |
| point | the map from which `point()` makes it: `{"crs": "wgs-84", "longitude": 116.4, "latitude": 39.9}` |
| date, time, duration | ISO-8601 text |
| bytes | hexadecimal text; bytes in Python |
| NaN, infinity | null in JSON |

Numbers by which a server tells nodes apart are left out: they differ between engines. A date outside of the years 1 to
9999 is refused.

A statement that begins with `EXPLAIN` is not run, and one with `PROFILE` is run and measured: the rows are those of the
plan, with the columns `depth`, `operator` and `details`. Neo4j has a tree of operators; the embedded engine writes a
text, of which each line is an operator without details.

Dates can be given as text (`2024`, `2024-05`, `2024-05-31`), and in Python as dates and times of `datetime`, NumPy and
pandas; a time with a zone becomes UTC. The graph has dates as texts. In your own Cypher compare them by
`date(f.published) >= date($since)`, whatever `$since` is.

## Ask a workspace that you may only read

The embedded engine writes to its folder. Where that is read-only for you, each command copies the graph's database into
a temporary folder (`TMPDIR` names another place), asks the copy, removes it, and says so on stderr; a `Graph` in Python
and the explorer keep one copy while they are open. What would change the workspace is refused. While another program
uses the graph it cannot be copied. With a Neo4j server nothing is copied."""


def page(found: Mapping[str, Table]) -> str:
    """The whole page, with the answers to the queries of ``SHOWN``."""
    listed = sorted(queries.all_queries(), key=lambda q: (list(FOLDERS).index(_folder(q)), q.name))
    bounded = sorted({column for query in listed for column in query.lists})
    introduction = _INTRODUCTION.replace("%s", ", ".join(f"`{column}`" for column in bounded))
    parts = [introduction, _contents(listed), _BEGIN]
    parts.append("## Questions with their answers on the demo's crawl")
    parts += [_shown(queries.get(name), given, found[name]) for name, given in SHOWN.items()]
    parts.append(_END)
    for folder, group in groupby(listed, key=_folder):
        parts.append(f"## {folder}: {FOLDERS[folder]}")
        parts += [_entry(query) for query in group]
    return "\n\n".join(parts) + "\n"


def without_answers(text: str) -> str:
    """A page less its answers: what the headers alone determine."""
    return re.sub(f"{_BEGIN}.*?{_END}", "", text, flags=re.DOTALL)


def ask_all(graph: GraphStore) -> dict[str, Table]:
    """The answers that the page shows, from the graph of a demo."""
    return {name: graph_store.ask(graph, name, **given) for name, given in SHOWN.items()}


def command(name: str, given: Mapping[str, str]) -> str:
    """The command line that runs a query."""
    values = (f'{key}="{value}"' if " " in value else f"{key}={value}" for key, value in given.items())
    return " ".join(["ontocrawl query run", name, *values])


def _folder(query: Query) -> str:
    return query.name.partition("/")[0]


def _contents(listed: Sequence[Query]) -> str:
    lines = [f"The library has {len(listed)} queries.", "", "| query | answers |", "|---|---|"]
    return "\n".join([*lines, *(f"| [{q.name}](#{_anchor(q.name)}) | {q.answers} |" for q in listed)])


def _anchor(name: str) -> str:
    return name.replace("/", "")


def _shown(query: Query, given: Mapping[str, str], answer: Table) -> str:
    lines = [f"### {query.answers}", "", "```text", command(query.name, given), "```", "", *_table(answer)]
    return "\n".join(lines)


def _table(answer: Table) -> list[str]:
    lines = [f"| {' | '.join(answer.columns)} |", f"|{'---|' * len(answer.columns)}"]
    return [*lines, *(f"| {' | '.join(_cell(value) for value in row)} |" for row in answer.rows)]


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.4f}"
    if isinstance(value, list):
        return ", ".join(_cell(item) for item in value)
    text = " ".join(str(value).split())
    return f"`{text}`" if text.startswith("{") else text.replace("|", "\\|").replace("<", "&lt;")


def _entry(query: Query) -> str:
    lines = [f"### {query.name}", "", f"{query.title}. {query.answers}", ""]
    if query.parameters:
        lines += ["| parameter | type | default | meaning |", "|---|---|---|---|"]
        lines += [f"| `{p.name}` | {p.expected} | {_default(p)} | {p.meaning} |" for p in query.parameters]
        lines.append("")
    lines += [
        f"* Columns: {', '.join(f'`{name}`' for name in query.returns)}",
        f"* Example: `{command(query.name, query.example_values())}`",
        f"* Cost: {query.cost}",
    ]
    lines += [f"* Reads stored {query.stored}, which `ontocrawl graph rank` computes too"] if query.stored else []
    return "\n".join([*lines, *([f"* Formerly: `{query.formerly}`"] if query.formerly else [])])


def _default(p: Parameter) -> str:
    if p.required:
        return "required"
    if isinstance(p.default, bool):
        return "yes" if p.default else "no"
    return str(p.default) if p.default != "" else '""'


def build() -> str:
    """The page, from a demo made for it."""
    with tempfile.TemporaryDirectory(prefix="ontocrawl-catalogue-") as folder:
        out = Path(folder) / "demo"
        demo.run(out, pages=DEMO_PAGES, seed=DEMO_SEED, on_stage=lambda stage: print(stage, file=sys.stderr))
        space = Workspace(out / "workspace", Settings())
        try:
            with store(space) as graph:
                return page(ask_all(graph))
        finally:
            embedded.stop(space.graph)


def main(arguments: Sequence[str] | None = None) -> int:
    """Write or check the page; 0, or 3 where it is out of date."""
    return generated_page.main(arguments, "tools.query_catalogue", __doc__, PAGE, lambda _: build())


if __name__ == "__main__":
    sys.exit(main())
