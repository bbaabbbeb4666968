"""A workspace whose texts attack a browser: titles, addresses, labels, names of topics and runs, sentences."""

from __future__ import annotations

import json
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kg import enrich
from ontocrawl.base import workspace
from ontocrawl.base.workspace import Workspace
from ontocrawl.cli.main import invoke
from ontocrawl.graph import graph_store
from ontology import owl
from ontology.enrichment import PageSentence, Proposal
from ontology.model import Concept, Ontology, Relation

SCRIPT = "<img src=x onerror='window.attacked=1'><script>window.attacked=1</script>"
BREAKOUT = "\"'></title></script></style></textarea></select><svg onload=window.attacked=1>{{7*7}}${7*7}"
HIDDEN = "暴雨\u202egnp.exe\u2066\u200b\x00\x1b[31m\x9b\u2028\ufeff z" + "\u0336" * 40
ENTITIES = "&lt;script&gt;window.attacked=1&lt;/script&gt; &amp;amp; &#x202e;"
LARGE = "暴" * 700_000
"""2 MB without a blank."""
RIGHT_TO_LEFT = "מבול פתאומי 123 العاصفة"
LONG_URL = "http://hostile.example/" + "a" * 8_000
TITLES = {
    "http://hostile.example/script": SCRIPT,
    "http://hostile.example/breakout": BREAKOUT,
    "http://hostile.example/hidden": HIDDEN,
    "http://hostile.example/entities": ENTITIES,
    "http://hostile.example/large": LARGE,
    "http://hostile.example/direction": RIGHT_TO_LEFT,
    LONG_URL: "暴雨",
}
RUN, TOPIC = "attacks-in-a-browser", "hostile"
TOPIC_BY_FILE = "x<img src=x onerror='window.attacked=1'>\u202e"
"""A topic has the name of its file."""
RUN_BY_FOLDER = "y<img src=x onerror='window.attacked=1'>\u202e"
BASE = "https://example.org/hostile"
UNSEEN = "\u202e\u2066\u200b\u2028\ufeff\x00\x1b\x9b"
"""Characters of these texts that hide or reorder what a person reads."""


@dataclass(frozen=True)
class Hostile:
    """The workspace, and the ids of its proposals."""

    space: Workspace
    proposals: tuple[str, ...]


def made(folder: Path, engine: Workspace) -> Hostile:
    """Make the workspace, which shares the graph of another one."""
    space = workspace.init(folder / "ws")
    engine.graph.mkdir(exist_ok=True)
    space.graph.symlink_to(engine.graph.resolve(), target_is_directory=True)
    _write_topics(space)
    _write_pages(folder / "pages")
    asked = ("--topic", TOPIC, "--strategy", "breadth_first", "--run", RUN, "--workspace", str(space.root), "--json")
    seeds = [word for url in TITLES for word in ("--seeds", url)]
    assert invoke(["crawl", "run", "--world", f"corpus:{folder / 'pages'}", *seeds, *asked]) == 0
    shutil.copytree(space.run(RUN), space.runs / RUN_BY_FOLDER)
    return Hostile(space, _propose(space))


def _write_pages(folder: Path) -> None:
    folder.mkdir()
    records: list[dict[str, Any]] = [
        {"url": url, "title": title, "text": f"{title[:200]} 暴雨。"} for url, title in TITLES.items()
    ]
    (folder / "pages.jsonl").write_text("\n".join(map(json.dumps, records)), encoding="utf-8")


def _iri(name: str) -> str:
    return f"{BASE}#{name}"


def _write_topics(space: Workspace) -> None:
    labels = {"root": BREAKOUT, "script": SCRIPT, "hidden": HIDDEN.replace("\x00", ""), "large": "灾" * 50_000,
              "entities": ENTITIES, "direction": RIGHT_TO_LEFT, "quote": "a'b\"c`d"}  # fmt: skip
    labels = {name: "".join(c for c in text if c >= " ") for name, text in labels.items()}  # XML has no others
    concepts = tuple(Concept(_iri(name), text, f"{name} {text}", definition=text) for name, text in labels.items())
    relations = tuple(
        Relation(_iri(name), "subclass_of", _iri("root"), support=1, confidence=1.0, evidence=SCRIPT,
                 documents=("p1",), sentence=f"{SCRIPT} {RIGHT_TO_LEFT}")
        for name in labels if name != "root"
    )  # fmt: skip
    ontology = Ontology(BASE, "global", TOPIC, "0.1.0+abc", _iri("root"), concepts, relations)
    owl.write(ontology, space.ontologies / "hostile.ttl")
    for name in (TOPIC, TOPIC_BY_FILE):
        text = (
            f"name = {json.dumps(TOPIC)}\nsource = {json.dumps(SCRIPT)}\nontologies = ['hostile.ttl']\n"
            f"[label]\nzh = {json.dumps(BREAKOUT)}\nen = {json.dumps(SCRIPT)}\n[[words]]\nweight = 1.0\nzh = ['暴雨']\n"
        )
        (space.ontologies / "topics" / f"{name}.toml").write_text(text, encoding="utf-8")


def _propose(space: Workspace) -> tuple[str, ...]:
    """Write proposals into the graph whose terms, reasons and sentences are the titles."""
    texts = {url: title[:20_000].replace("\x00", "") for url, title in TITLES.items()}
    found = [
        Proposal("concept", text[:2_000], "subclass_of", None, None, 1.0, 2,
                 (PageSentence(f"{text} {SCRIPT}", url, 0, 1, "2026-01-01T00:00:00+00:00", RUN),), rule=None,
                 reason=text[:500])
        for url, text in texts.items()
    ]  # fmt: skip
    with graph_store.store(space) as graph:
        enrich.save_proposals(graph, TOPIC, found, RUN)
    return tuple(f"{TOPIC}/{one.key}" for one in found)
