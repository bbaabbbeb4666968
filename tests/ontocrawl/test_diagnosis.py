"""The diagnosis of a crawl, on small webs: what is found, what is said on the way, and the command that comes next."""

from __future__ import annotations

import json
import shlex
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
import requests

import ontocrawl
from crawler import heartbeat
from crawler.journal.ledger import ledger
from crawler.metrics import FetchedPages
from ontocrawl.base import workspace
from ontocrawl.base.config import CrawlSettings
from ontocrawl.base.workspace import Workspace
from ontocrawl.explorer import rendering
from ontocrawl.runs import runs
from ontocrawl.runs.diagnosis import (
    Diagnosis,
    Figures,
    HostPages,
    _of_truth,
    again,
    diagnose,
    figures_of,
    remarks,
    so_far,
)
from ontocrawl.runs.run_config import RunConfig
from tests.ontocrawl.conftest import Command, CommandResult
from tests.ontocrawl.explorer.conftest import running

TOPIC = """
name = "storms"
label = {zh = "风暴", en = "storm"}
relevance = "density"
sigma = 0.2
words = [
  {weight = 1.0, en = ["storm"]}, {weight = 0.9, en = ["flood"]}, {weight = 0.8, en = ["surge"]},
  {weight = 0.7, en = ["gale"]}, {weight = 0.6, en = ["levee"]},
]
"""
FILLER = "Boil the rice in a large pot and serve it with beans and a spoon of butter. " * 6
SHELL = "<title>App</title><div id=app></div><script src=/a.js></script><script>go()</script>"
Web = Mapping[str, str | bytes]


def pages(text: Callable[[int], str], number: int = 24) -> dict[str, str]:
    """Return pages of which each links to the next four."""
    links = [[f"<a href=/{one}.html>more</a>" for one in range(at + 1, at + 5) if one < number] for at in range(number)]
    return {
        f"/{at}.html": f"<title>Page</title><p>{text(at)} Number {at}.</p>{''.join(links[at])}" for at in range(number)
    }


class _Server(ThreadingHTTPServer):
    def __init__(self, web: Web) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.web = web


class _Handler(BaseHTTPRequestHandler):
    server: _Server

    def do_GET(self) -> None:
        body = self.server.web.get(self.path)
        sent = body if isinstance(body, bytes) else (body or "").encode()
        self.send_response(404 if body is None else 200)
        self.send_header("content-type", "text/plain" if self.path == "/robots.txt" else "text/html; charset=utf-8")
        self.send_header("content-length", str(len(sent)))
        self.end_headers()
        self.wfile.write(sent)

    def log_message(self, *args: object) -> None:
        """Print nothing."""


@pytest.fixture
def mine(tmp_path: Path) -> Workspace:
    made = workspace.init(tmp_path / "ws")
    (made.ontologies / "topics" / "storms.toml").write_text(TOPIC, encoding="utf-8")
    return made


Crawl = Callable[..., tuple[CommandResult, dict[str, Any]]]


@pytest.fixture
def crawl(mine: Workspace, command: Command) -> Iterator[Crawl]:
    servers: list[_Server] = []

    def run(web: Web, *more: str, start: str = "/0.html") -> tuple[CommandResult, dict[str, Any]]:
        server = _Server(web)
        servers.append(server)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        seed = f"http://127.0.0.1:{server.server_address[1]}{start}"
        options = ("--allow-loopback", "--no-politeness", "--no-graph", "--strategy", "breadth_first", "--run", "mine")
        found = command("crawl", "run", "--topic", "storms", "--seeds", seed, *options, *more, "--workspace", mine.root)
        status = command("crawl", "status", "mine", "--json", "--workspace", mine.root).json
        assert json.loads((mine.run("mine") / "summary.json").read_text("utf-8"))["diagnosis"] == status["diagnosis"]
        return found, status["diagnosis"]

    yield run
    for server in servers:
        server.shutdown()
        server.server_close()


def codes(diagnosis: Mapping[str, Any]) -> list[str]:
    return [finding["code"] for finding in diagnosis["findings"]]


def assert_next_runs(command: Command, found: CommandResult) -> list[str]:
    """Run the command that is printed last, as it is, and return its words."""
    lines = [line for line in found.err.splitlines() if line.startswith("Next: ")]
    assert len(lines) == 1 and found.err.rstrip().endswith(lines[0])
    words = shlex.split(lines[0].removeprefix("Next: "))
    assert words[0] == "ontocrawl" and command(*words[1:]).code == 0, words
    return words[1:]


@pytest.mark.slow
def test_a_crawl_that_finds_nothing(command: Command, crawl: Crawl, mine: Workspace) -> None:
    found, diagnosis = crawl(pages(lambda at: FILLER))
    assert found.code == 0
    assert codes(diagnosis)[:3] == ["found_nothing", "no_words", "one_host"] and "queue_empty" in codes(diagnosis)
    assert diagnosis["findings"][1]["text"] == "no topic word is on 24 of 24 pages"
    assert "- none of the 24 pages is relevant" in found.out and "enrich propose" not in found.err
    said = " ".join(found.err.split())
    assert "after 10 pages of mine: none of the 10 pages is relevant" in said
    assert "`ontocrawl topic check storms` shows what the topic finds; --strategy evidence_sum --like URL" in said
    assert assert_next_runs(command, found)[:3] == ["topic", "check", "storms"]
    run = ontocrawl.Run("mine", workspace=mine.root)
    assert str(run.diagnosis).splitlines()[-1] == "Next: ontocrawl topic check storms"
    shown = command("crawl", "status", "mine", "--workspace", mine.root)
    assert "- no topic word is on 24 of 24 pages" in shown.out and "Next: ontocrawl topic check storms" in shown.err


def test_the_explorer_shows_the_diagnosis_in_chinese(crawl: Crawl, mine: Workspace) -> None:
    crawl(pages(lambda at: FILLER, 3))
    with running(mine) as server, requests.Session() as session:
        session.get(server.address.opening, timeout=60)
        shown = session.get(f"{server.address.url.rstrip('/')}/crawls/mine?lang=zh", timeout=60).text
    assert "3 个网页都不相关" in shown and "<code>ontocrawl topic check storms</code>" in shown
    assert "请查看相关度最高的网页" in shown  # what to change


def test_a_crawl_that_finds_everything(command: Command, crawl: Crawl) -> None:
    found, diagnosis = crawl(pages(lambda at: "Storm surge and flood. " * (30 - at)), "--limit-pages", "20")
    assert codes(diagnosis)[:2] == ["found_everything", "words_everywhere"]
    assert diagnosis["findings"][1]["figures"]["words"] == ["storm", "flood", "surge"]
    assert "after 10 pages of mine: 10 of 10 pages are relevant" in " ".join(found.err.split())
    words = assert_next_runs(command, found)
    assert words[:2] == ["crawl", "score"] and words[3:5] == ["--run", "mine"]


def test_a_crawl_that_finds_some(command: Command, crawl: Crawl) -> None:
    found, diagnosis = crawl(pages(lambda at: FILLER if at % 3 else "Storm and flood. " * 9), "--limit-pages", "12")
    assert codes(diagnosis) == ["found_some", "no_words", "one_host"]
    assert "after 10 pages" not in found.err
    assert assert_next_runs(command, found)[:5] == ["crawl", "resume", "mine", "--limit-pages", "24"]


def test_pages_near_the_threshold_are_shown(command: Command, crawl: Crawl) -> None:
    found, diagnosis = crawl(pages(lambda at: FILLER * 9 + "A storm." * (at == 7)))
    assert codes(diagnosis)[0] == "found_nothing"
    words = assert_next_runs(command, found)
    assert words[:2] == ["crawl", "score"] and words[2].endswith("/7.html")


def test_what_holds_a_crawl_back(command: Command, crawl: Crawl) -> None:
    web = pages(lambda at: FILLER, 3) | {"/robots.txt": "User-agent: *\nDisallow: /closed/\n"}
    links = "".join(f"<a href=/{place}>x</a>" for place in ("closed/1", "gone1", "gone2", "a.zip", "b.zip"))
    found, diagnosis = crawl({**web, "/0.html": web["/0.html"] + links})
    assert codes(diagnosis) == ["found_nothing", "no_words", "rejected", "robots", "failures", "queue_empty"]
    texts = {finding["code"]: finding["text"] for finding in diagnosis["findings"]}
    assert texts["rejected"] == "2 of 8 known links were not followed: media_suffix 2"
    assert texts["robots"].startswith("robots.txt closes 1 link to the crawl: 127.0.0.1:")
    assert texts["failures"] == "2 of 5 requests brought no page: http_404 2"
    assert found.code == 0


@pytest.mark.slow
def test_hosts_that_need_a_browser(command: Command, crawl: Crawl) -> None:
    found, diagnosis = crawl({"/": SHELL}, "--no-browser", start="/")
    assert "browser" in codes(diagnosis)
    assert "need a browser" in found.out
    assert_next_runs(command, found)


def test_a_host_that_asks_for_a_session() -> None:
    figures = Figures(
        "mine", "t", "breadth_first", 3, 1, 9, {}, (HostPages("a.cn", 3, 1), HostPages("b.cn", challenges=4))
    )
    texts = {finding.code: finding.text for finding in diagnose(figures).findings}
    assert texts["session"] == "hosts that ask for a session, by a check for a browser: b.cn 4"
    shells = replace(figures, hosts=(HostPages("a.cn", 3, 1), HostPages("b.cn", 1, 0, 1, shells=1)))
    texts = {finding.code: finding.text for finding in diagnose(shells).findings}
    assert texts["browser"] == "hosts that need a browser, because scripts make their pages: b.cn 1/1"


@pytest.mark.parametrize(("labelled", "says"), [((64, 60), True), ((64, 64), True), ((150, 140), False), (None, False)])
def test_a_judge_that_is_not_of_the_labels(labelled: tuple[int, int] | None, says: bool) -> None:
    figures = Figures("mine", "t", "breadth_first", 300, 215, 900, {}, labelled=labelled)
    texts = {finding.code: finding.text for finding in diagnose(figures).findings}
    assert ("labels" in texts) is says
    if labelled == (64, 60):
        assert texts["labels"].startswith("the judge calls 215 pages relevant and the labels 64, and both 60: ")


@pytest.mark.parametrize(
    ("relevant", "labelled", "cause"),
    [
        (61, (136, 46), "misses 90 pages with a label, so its threshold is high for these pages (threshold=R; 0.0312 "),
        (
            170,
            (59, 51),
            "119 pages of the judge have no label, so its threshold is low for these pages (threshold=R; 0.0312 ",
        ),
        (170, (159, 51), "the topic is not what the labels mean"),
    ],
)
def test_why_judge_and_labels_differ(relevant: int, labelled: tuple[int, int], cause: str) -> None:
    figures = Figures("mine", "t", "breadth_first", 400, relevant, 900, {}, labelled=labelled, agreeing=0.03123)
    (text,) = (finding.text for finding in diagnose(figures).findings if finding.code == "labels")
    assert cause in text


@pytest.mark.parametrize(
    ("R", "agreeing", "cause"),
    [
        ([0.1] * 20 + [0.02] * 40, 0.06, "so its threshold is high for these pages (threshold=R; 0.06 "),
        ([0.02] * 20 + [0.1] * 40, 0.0, "and both 0: the topic is not what the labels mean"),
    ],
)
def test_no_threshold_is_named_by_which_the_judge_is_still_wrong(R: list[float], agreeing: float, cause: str) -> None:
    addresses = [(f"http://a.cn/{n}",) for n in range(60)]
    labels = {url for (url,) in addresses[:20]}
    fields = _of_truth(FetchedPages(R, [False] * 60, addresses, labels))
    assert fields == {"labelled": (20, 0), "agreeing": pytest.approx(agreeing)}
    figures = replace(Figures("mine", "t", "breadth_first", 60, 0, 900, {}), **fields)
    (text,) = (finding.text for finding in diagnose(figures).findings if finding.code == "labels")
    assert cause in text


@pytest.mark.slow
def test_labels_of_a_web_are_compared_with_the_judge(command: Command, mine: Workspace) -> None:
    where = ("--workspace", str(mine.root), "--world", "synthetic:planted?pages=200", "--limit-pages", "60")
    assert command("crawl", "run", "--topic", "rainstorm", "--run", "web", "--no-graph", *where).code == 0
    with runs.open_journal(mine, "web") as journal:
        pages = runs.fetched_pages(journal)
        labelled = figures_of(journal, runs.read_config(journal), ledger(journal), pages).labelled
    assert pages.labelled is not None and labelled is not None
    assert labelled == (sum(pages.labelled), sum(map(all, zip(pages.labelled, pages.relevant, strict=True))))
    assert labelled[1] > 0


def test_pages_in_an_encoding_that_is_guessed(crawl: Crawl) -> None:
    guessed = replace(Figures("mine", "t", "breadth_first", 3, 1, 9, {}), guessed={"cp1252": 2, "gb18030": 1})
    texts = {finding.code: finding.text for finding in diagnose(guessed).findings}
    said = "the encoding of 3 pages is declared nowhere and may be guessed wrong: cp1252 2, gb18030 1"
    assert texts["encodings"] == said
    latvian = "Stipras lietusgāzes un plūdi pilsētā, iedzīvotāji evakuēti. Sinoptiķi brīdina par turpmākiem nokrišņiem."
    _, diagnosis = crawl({"/0.html": f"<p>{latvian}</p>".encode("cp1257")})
    assert "encodings" in codes(diagnosis)


def test_nothing_in_scope(command: Command, crawl: Crawl) -> None:
    links = "".join(f"<a href=http://other{number}.example/>x</a>" for number in range(6))
    _, diagnosis = crawl({"/0.html": f"<p>{FILLER}</p>{links}"}, "--stay", "host")
    assert "out_of_scope" in codes(diagnosis)
    assert diagnosis["findings"][codes(diagnosis).index("out_of_scope")]["figures"]["reasons"] == {"other_host": 6}


def test_a_crawl_without_a_page(command: Command, crawl: Crawl) -> None:
    found, diagnosis = crawl({})
    assert found.code == 1
    assert codes(diagnosis) == ["no_page", "failures", "queue_empty"]
    words = shlex.split(diagnosis["next"])
    assert words[1:4] == ["crawl", "explain", "mine"]


@pytest.mark.slow
def test_proposals_come_next_after_enough_relevant_pages(command: Command, space: Workspace, crawled: str) -> None:
    document = command("crawl", "status", crawled, "--json", "--workspace", space.root).json
    assert document["relevant"] >= 20
    assert document["diagnosis"]["next"] == f"ontocrawl enrich propose {crawled}"


@pytest.mark.slow
def test_proposals_of_few_relevant_pages_are_warned_of(command: Command, space: Workspace) -> None:
    options = ("--world", "synthetic:planted?pages=200&seed=2", "--limit-pages", "5", "--run", "few")
    assert command("crawl", "run", *options, "--workspace", space.root).code == 0
    proposed = command("enrich", "propose", "few", "--workspace", space.root)
    assert "with fewer than 20 most proposals are left to chance" in " ".join(proposed.err.split())


# ---- figures to findings -----------------------------------------------------------------------------------------


def figures(**given: Any) -> Figures:
    base: dict[str, Any] = {
        "run": "r", "topic": "storms", "strategy": "fcosa_g", "fetched": 5, "relevant": 0, "known": 88,
        "reasons": {"rejected_by_strategy": 83}, "hosts": (HostPages("a.cn", 5),), "stop_reason": "frontier_empty",
        "limit_pages": 300, "again": ("--topic", "storms", "--seeds", "http://a.cn/"),
    }  # fmt: skip
    return Figures(**{**base, **given})


def next_of(**given: Any) -> str:
    return diagnose(figures(**given)).next.removeprefix("ontocrawl ")


def test_a_crawl_like_one_with_labels_has_them() -> None:
    config = RunConfig.model_construct(
        world="corpus:web", topic="storms", seeds=("http://a.cn/",), labels="labels.json#storms", crawl=CrawlSettings()
    )
    words = ["--seeds", "http://a.cn/", "--labels", "labels.json#storms", "--limit-pages"]
    assert list(again(config))[4:9] == words


def test_a_filter_that_empties_the_queue() -> None:
    found = diagnose(figures())
    assert [one.code for one in found.findings] == ["found_nothing", "rejected", "filter", "queue_empty"]
    assert "83 links are behind the filter of fcosa_g" in str(found)
    assert next_of() == "crawl run --topic storms --seeds http://a.cn/ --strategy evidence_sum"
    assert next_of(again=()) == next_of(strategy="evidence_sum") == "topic check storms"


def test_the_next_command() -> None:
    assert next_of(stop_reason="interrupted") == next_of(stop_reason="repeated_failure") == "crawl resume r"
    assert next_of(reasons={"host_down": 3}) == "crawl resume r"
    few = {"fetched": 100, "relevant": 7, "reasons": {}}
    assert next_of(**few, stop_reason="limit_time", limit_time=60.0) == "crawl resume r --limit-time 120"
    assert next_of(**few) == "crawl pages r --relevant"
    enough = {"fetched": 100, "relevant": 20, "proposes": True}
    assert next_of(**enough) == "enrich propose r"
    assert next_of(**enough, in_graph=False) == "graph rebuild r"
    assert "enrich" not in next_of(**{**enough, "relevant": 19})


def test_a_crawl_that_goes_on_has_a_diagnosis_after_a_few_pages() -> None:
    assert so_far(figures(fetched=9, stop_reason=None)) == Diagnosis()
    nothing = so_far(figures(fetched=12, stop_reason=None, nearest="http://a.cn/7"))
    assert [one.code for one in nothing.findings] == ["found_nothing", "one_host", "rejected", "filter"]
    assert nothing.next == "ontocrawl crawl score http://a.cn/7 --run r"
    assert so_far(figures(fetched=50, relevant=9, stop_reason=None)).next == ""
    failing = so_far(figures(fetched=0, hosts=(), reasons={"http_404": 10}, stop_reason=None, seed="http://a.cn/"))
    assert failing.next == "ontocrawl crawl explain r http://a.cn/" and failing.findings[0].code == "no_page"


def test_what_is_said_on_the_way() -> None:
    fine = figures(fetched=50, relevant=9, hosts=(HostPages("a.cn", 40, 9), HostPages("b.cn", 10)))
    assert remarks(fine, learns=True) == ()
    one_host = figures(fetched=50, relevant=9, hosts=(HostPages("a.cn", 50, 9),))
    said = remarks(one_host, learns=True)
    assert said[0] == "after 50 pages of r: all 50 pages are on one host: a.cn"
    assert "`ontocrawl crawl teach r --like URL --unlike URL` shows it examples" in said[-1]
    assert remarks(figures(fetched=10, relevant=3, hosts=(HostPages("a.cn", 10, 3),)), learns=True) == ()
    missing = figures(fetched=10, words=dict.fromkeys("abcd", 0) | {"e": 10}, hosts=(HostPages("a.cn", 10),))
    assert [line.partition(": ")[2] for line in remarks(missing, learns=False)[1:3]] == [
        "4 of the 5 topic words with the largest weights are on no page: a, b, c, .. (+1)",
        "topic words that are on nearly every page tell none apart: e",
    ]


def test_each_finding_has_a_chinese_text() -> None:
    hosts = (HostPages("a.cn", 20, 0, 20, 2),)
    failing = {"rejected_by_strategy": 3, "http_404": 90, "host_down": 2, "robots_denied": 2, "other_host": 60}
    many = figures(
        fetched=20, hosts=hosts, reasons=failing, known=90, without_words=20, words={"a": 0, "b": 0, "c": 0, "d": 20}
    )
    found: list[Diagnosis] = [
        diagnose(many),
        diagnose(figures(relevant=2)),
        diagnose(figures(fetched=20, relevant=20)),
        diagnose(figures(fetched=0, hosts=())),
    ]
    texts = {finding.code: finding.text for one in found for finding in one.findings}
    assert len(texts) == 16
    assert not [text for text in texts.values() if rendering.said(text, "zh") == text]


def test_a_remark_is_in_the_file_for_other_processes(tmp_path: Path) -> None:
    beat = json.loads(_BEAT) | {"remarks": ["after 10 pages"]}
    (tmp_path / heartbeat.FILE).write_text(json.dumps(beat), encoding="utf-8")
    read = heartbeat.read(tmp_path)
    assert read is not None and read.remarks == ("after 10 pages",)
    (tmp_path / heartbeat.FILE).write_text(_BEAT, encoding="utf-8")  # of an earlier version
    read = heartbeat.read(tmp_path)
    assert read is not None and read.remarks == ()


_BEAT = json.dumps(
    {"pid": 1, "computer": "x", "started": 0.0, "written": 1.0, "seconds": 1.0, "fetched": 10, "relevant": 0,
     "expected_gain": None, "per_minute": None, "failures": {}, "queued": 1, "in_flight": 1, "requests": 1,
     "draining": False, "limit_pages": 0, "limit_time": 0.0, "memory": None, "hosts": [], "pages": []}
)  # fmt: skip
