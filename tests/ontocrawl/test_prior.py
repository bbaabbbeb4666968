"""`crawl run --prior RUN`: what is read from the graph, what it changes, resuming and explaining with it."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from collections import Counter

import numpy as np
import pytest

import ontocrawl
from crawler import strategies
from crawler.frontier.link_graph import LinkGraph
from crawler.frontier.prior import PAGES, LinkPrior, Prior
from crawler.frontier.url_ids import UrlIds
from crawler.pages.tokens import token
from crawler.scoring.features import LinkFeatures
from crawler.scoring.relevance import relevance
from crawler.scoring.statistics import Statistics
from crawler.url import directory, host
from ontocrawl.base.workspace import Workspace
from ontocrawl.graph import graph_store
from ontocrawl.runs import plan, runs
from ontology.terms.segment import words_of_text
from tests.ontocrawl.conftest import Command

WORLD = ("--world", "synthetic:planted?pages=600&seed=0", "--no-graph")


def crawl(command: Command, space: Workspace, run: str, *more: str, pages: int = 60) -> list[str]:
    """Crawl, and return the URLs in the order in which they were fetched."""
    limit = ("--limit-pages", str(pages), "--run", run, "--workspace", str(space.root))
    answer = command("crawl", "run", *WORLD, *more, *limit)
    assert answer.code == 0, answer.err
    return trace(space, run)


def trace(space: Workspace, run: str) -> list[str]:
    pages = ontocrawl.Run(run, space.root).pages()
    at = pages.columns.index("url")
    return [row[at] for row in pages.rows]


@pytest.mark.slow
def test_what_is_read_is_what_the_graph_has(command: Command, space: Workspace, crawled: str) -> None:
    run = crawl(command, space, "counted", "--strategy", "fcsa_host", "--prior", crawled)
    assert run
    prior = runs.config_of(space, "counted").prior
    with graph_store.store(space) as graph:
        fetched = graph_store.cypher(
            graph,
            "MATCH (:Crawl {id: $run})-[f:FETCHED]->(p:Page) WHERE f.relevance IS NOT NULL "
            "RETURN p.url AS url, coalesce(f.relevant, false) AS relevant",
            {"run": crawled},
        ).rows
        ranks = graph_store.ask(graph, "pages/top_by_pagerank", crawl=crawled, limit=3).rows
    scale = PAGES / len(fetched)
    pages = Counter(host(url) for url, _ in fetched)
    relevant = Counter(host(url) for url, is_relevant in fetched if is_relevant)
    assert prior.hosts == {one: pytest.approx((relevant[one] * scale, n * scale), abs=1e-5) for one, n in pages.items()}
    assert all(prior.ranks[url] == pytest.approx(rank, abs=1e-6) for url, rank, *_ in ranks)
    assert (prior.runs, prior.words, prior.urls) == ((crawled,), {}, {})
    assert prior.read == pytest.approx((sum(relevant.values()) * scale, PAGES), abs=1e-4)


def test_words_are_counted_once_for_a_page(command: Command, space: Workspace, crawled: str) -> None:
    crawl(command, space, "words", "--strategy", "evidence_sum", "--prior", crawled, pages=5)
    prior = runs.config_of(space, "words").prior
    with graph_store.store(space) as graph:
        rows = graph_store.cypher(
            graph,
            "MATCH (:Crawl {id: $run})-[f:FETCHED]->(p:Page) WHERE f.relevance IS NOT NULL "
            "OPTIONAL MATCH (p)<-[l:LINKS_TO]-() WHERE l.crawl = $run "
            "RETURN p.url AS url, coalesce(f.relevant, false) AS relevant, collect(l.anchor) AS anchors",
            {"run": crawled},
        ).rows
    scale = PAGES / len(rows)
    led = [is_relevant for _, is_relevant, anchors in rows if any("暴雨" in words_of_text(one)[0] for one in anchors)]
    assert 3 < len(led) < len(rows)
    assert prior.words[token("暴雨")] == pytest.approx((sum(led) * scale, len(led) * scale), abs=1e-4)
    place = Counter(directory(url) for url, *_ in rows).most_common(1)[0]
    assert prior.urls[token(place[0])][1] == pytest.approx(place[1] * scale, abs=1e-4)
    assert prior.led[1] <= prior.read[1] and not prior.hosts and not prior.ranks


@pytest.mark.slow
@pytest.mark.parametrize("strategy", ["evidence_sum", "fcsa_host"])
def test_a_prior_changes_the_trace_and_an_interrupted_run_keeps_it(
    command: Command, space: Workspace, crawled: str, strategy: str
) -> None:
    how = ("--strategy", strategy)
    fresh = crawl(command, space, f"{strategy}-fresh", *how)
    whole = crawl(command, space, f"{strategy}-prior", *how, "--prior", crawled)
    assert fresh != whole and len(whole) >= 60
    crawl(command, space, f"{strategy}-part", *how, "--prior", crawled, pages=23)
    extended = ("--limit-pages", "60", "--workspace", space.root, "--no-graph")
    assert command("crawl", "resume", f"{strategy}-part", *extended).code == 0
    assert trace(space, f"{strategy}-part") == whole


KILLED = """
import os, signal, sys
from crawler.journal.journal import Journal
from ontocrawl.cli import main
choice = Journal.choice
def until_the_sixtieth(self, seq, *rest):
    if seq > 60:
        os.kill(os.getpid(), signal.SIGKILL)
    choice(self, seq, *rest)
Journal.choice = until_the_sixtieth
main.run()
"""
"""The program, which kills itself at a choice in the middle of a crawl."""


@pytest.mark.slow
def test_a_killed_crawl_is_resumed_by_the_prior_of_its_beginning(
    command: Command, space: Workspace, crawled: str
) -> None:
    earlier = crawl(command, space, "to-remove", "--strategy", "breadth_first", pages=80)
    assert earlier and command("graph", "rebuild", "to-remove", "--workspace", space.root).code == 0
    how = ("--prior", "to-remove", "--prior", crawled)
    whole = crawl(command, space, "by-prior", *how, pages=150)
    options = ("crawl", "run", *WORLD, *how, "--limit-pages", "150", "--run", "killed", "--workspace", str(space.root))
    process = subprocess.run([sys.executable, "-c", KILLED, *options], capture_output=True, check=False)
    assert process.returncode == -signal.SIGKILL, process.stderr.decode()
    assert 0 < runs.result_of(space, "killed").end.fetched < 150
    assert command("crawl", "remove", "to-remove", "--workspace", space.root).code == 0  # the config has its figures
    assert command("crawl", "resume", "killed", "--workspace", space.root).code == 0
    assert trace(space, "killed") == whole and len(whole) >= 150


@pytest.mark.slow
def test_explain_says_what_came_of_the_prior(command: Command, space: Workspace, crawled: str) -> None:
    crawl(command, space, "hosts", "--strategy", "fcsa_host", "--prior", crawled)
    url = trace(space, "hosts")[-1]
    answer = command("crawl", "explain", "hosts", url, "--workspace", space.root, "--json")
    link = answer.json["score"]["link"]
    prior = link["prior"]
    assert prior["runs"] == [crawled] and prior["host_pages"] > 0.0 and prior["pagerank"] > 0.0
    shown = command("crawl", "explain", "hosts", url, "--workspace", space.root).out
    assert f"of the priority, by the prior of {crawled}" in shown and "its host in the prior counts as" in shown
    crawl(command, space, "sums", "--strategy", "evidence_sum", "--prior", crawled)
    waiting = ontocrawl.Run("sums", space.root).explain(trace(space, "sums")[-1]).score
    assert waiting is not None and waiting.link is not None and waiting.link.prior is not None
    terms = {term.name: term.prior for term in waiting.link.terms}
    assert waiting.link.prior.part == pytest.approx(sum(terms.values()), abs=1e-9)
    assert {name for name, part in terms.items() if part} <= {"URL outcome", "context outcome"} and any(terms.values())
    assert waiting.link.prior.host_pages is None
    plain = ontocrawl.Run(crawled, space.root).explain(url).score
    assert plain is None or plain.link is None or plain.link.prior is None


def test_what_is_read_and_what_is_left_out_is_said(
    command: Command, space: Workspace, crawled: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plan, "MOST_OF_PRIOR", 7)
    how = ("--strategy", "mixture", "--param", "members=evidence_sum,fcsa_host", "--prior", crawled)
    answer = command("crawl", "run", *WORLD, *how, "--limit-pages", "2", "--run", "cut", "--workspace", space.root)
    assert answer.code == 0
    said = answer.err
    assert re.search(
        rf"prior of {crawled}: 7 ranks, 7 hosts, 7 of \d+ words, 7 of \d+ words of URLs, from \d+ pages", said
    )
    assert f"prior of {crawled}, pages/top_by_pagerank: rows cut at 7 of" in said and "count as 30" in said
    prior = runs.config_of(space, "cut").prior
    assert [len(part) for part in (prior.ranks, prior.hosts, prior.words, prior.urls)] == [7] * 4


def test_python_takes_runs(space: Workspace, crawled: str) -> None:
    run = ontocrawl.crawl(
        "rainstorm", world="synthetic:planted?pages=600&seed=0", pages=5, graph=False, run="by-python",
        prior=ontocrawl.Run(crawled, space.root), workspace=space.root,
    )  # fmt: skip
    assert runs.config_of(space, run.name).prior.runs == (crawled,)


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (("--prior", "nowhere"), "--prior: crawl=nowhere: the graph has no such run"),
        (("--strategy", "breadth_first", "--prior", "sample"), "breadth_first reads neither ranks, hosts nor words"),
    ],
)
@pytest.mark.usefixtures("crawled")
def test_what_cannot_be_a_prior_is_refused(
    command: Command, space: Workspace, more: tuple[str, ...], words: str
) -> None:
    answer = command("crawl", "run", *WORLD, *more, "--run", "refused", "--workspace", space.root)
    assert answer.code == 2 and words in answer.err, answer.err
    assert not space.run("refused").exists()


def test_parts_of_a_prior_by_strategy() -> None:
    parts = {name: plan.prior_parts(strategies.get(name)()) for name in strategies.STRATEGIES}
    assert parts["evidence_sum"] == ("words",)
    assert parts["fcsa_host"] == parts["fcits_oh"] == ("ranks", "hosts")
    assert parts["wang_landau"] == () and parts["breadth_first"] == ()


def test_a_rank_is_the_larger_one_of_the_crawl_and_the_prior() -> None:
    graph, urls = LinkGraph(), UrlIds()
    urls.add([f"http://a.cn/{number}" for number in range(3)])
    graph.grow(3)
    values = {}
    for name, prior in {"none": Prior(), "one": Prior(("r",), {"http://a.cn/2": 3.0, "http://gone.cn/": 6.0})}.items():
        features = LinkFeatures(
            ("pagerank_plain", "pagerank"), _vocabularies(), relevance("paper_000"), Statistics(_vocabularies()),
            graph, prior=LinkPrior(prior, urls),
        )  # fmt: skip
        values[name] = features.compute(np.arange(3))
    assert values["none"]["pagerank_plain"].tolist() == pytest.approx([0.15] * 3)
    assert values["one"]["pagerank_plain"].tolist() == pytest.approx([0.15, 0.15, 3.0])
    assert values["one"]["pagerank"].tolist() == pytest.approx([0.025, 0.025, 0.5])


def _vocabularies():  # type: ignore[no-untyped-def]
    from crawler.text import Vocabulary, Word

    return {"TK": Vocabulary("TK", (Word("rain", 1.0, (("en", "rain"),)),))}
