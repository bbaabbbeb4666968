"""`crawl explain`: each kind of link, from real runs over the synthetic web and a corpus, and wrong input."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from itertools import islice, pairwise
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len

import ontocrawl
from crawler.journal import Journal
from crawler.journal.ledger import fates
from crawler.pages import ways
from crawler.scoring.link_evidence import TERMS
from crawler.scoring.priority import comprehensive_priority
from crawler.strategies.cpem import CpemParameters
from ontocrawl.base.workspace import JOURNAL, Workspace
from ontocrawl.cli import crawl_explain
from ontocrawl.cli.main import invoke
from ontocrawl.cli.output import named
from ontocrawl.errors import UsageError
from ontocrawl.runs import crawl_setup, explaining, runs
from ontology.errors import said
from tests.ontocrawl.conftest import Command
from tests.ontocrawl.test_journal_of_version_1 import dump, old  # noqa: F401 - a fixture

WORLD = "synthetic:planted?pages=600&seed=0"
ETA = 0.2


@pytest.fixture(scope="module")
def run(space: Workspace) -> str:
    """A run with links of every fate: 300 of 600 pages, links of low priority rejected."""
    arguments = [
        "crawl",
        "run",
        "--world",
        WORLD,
        "--strategy",
        "fcsa",
        "--param",
        f"eta={ETA}",
        "--limit-pages",
        "300",
    ]
    assert invoke([*arguments, "--run", "why", "--no-graph", "--workspace", str(space.root), "--json"]) == 0
    return "why"


@pytest.fixture(scope="module")
def by_fate(space: Workspace, run: str) -> dict[str, list[str]]:
    with runs.open_journal(space, run) as journal:
        found: dict[str, list[str]] = {}
        for _, url, fate in fates(journal):
            found.setdefault(fate, []).append(url)
    return found


@pytest.mark.slow
def test_the_fate_of_one_link_is_that_among_all(space: Workspace, run: str) -> None:
    with runs.open_journal(space, run) as journal:
        everything = list(fates(journal))
        assert [next(fates(journal, url)) for _, url, _ in everything] == everything
        assert not list(fates(journal, "http://nowhere.example/"))


def test_links_are_found_by_an_index_when_the_crawl_has_ended(space: Workspace, run: str) -> None:
    with closing(sqlite3.connect(space.existing_run(run) / JOURNAL)) as db:
        for statement in ("SELECT seq FROM link WHERE target = 1", "SELECT id FROM url WHERE url = ''"):
            ((*_, plan),) = db.execute(f"EXPLAIN QUERY PLAN {statement}")
            assert plan.startswith("SEARCH"), plan


def explained(space: Workspace, run: str, url: str, *, replays: bool = True) -> dict[str, Any]:
    return explaining.explain_url(space, run, url, replays=replays).as_json()


@pytest.mark.slow
def test_the_document_has_the_keys_that_scripts_rely_on(
    command: Command, space: Workspace, run: str, by_fate: dict[str, list[str]]
) -> None:
    for urls in by_fate.values():
        found = command("crawl", "explain", run, urls[-1], "--json", "--no-replay", "--workspace", space.root)
        assert found.code == 0
        assert {"run", "url", "fetched", "path", "score", "reason"} <= found.json.keys()
        assert "\\u" not in found.out
    assert found.json["run"] == run and found.json["url"] == by_fate[list(by_fate)[-1]][-1]


def test_fetched_pages_have_a_path_from_a_seed_over_links_that_exist(
    space: Workspace, run: str, by_fate: dict[str, list[str]]
) -> None:
    seeds = runs.config_of(space, run).seeds
    with runs.open_journal(space, run) as journal:
        query = "SELECT u.url, l.url, l.anchor FROM link l JOIN url u ON u.id = l.page"
        links = set(journal.query(query))
        R = {o[0]: o[1] for o in journal.query("SELECT final_url, relevance FROM page WHERE failure IS NULL")}
    for url in by_fate["fetched"][::20]:
        answer = explained(space, run, url, replays=False)
        assert (answer["fetched"], answer["reason"]) == (True, None)
        path = answer["path"]
        assert path[0]["url"] in seeds and path[0]["how"] == "seed" and path[-1]["url"] == url
        for page, link in pairwise(path):
            assert link["how"] == "redirect" or (page["url"], link["url"], link["anchor"]) in links
        assert path[-1]["relevance"] == answer["score"]["page"]["judge"]["R"]
        assert answer["score"]["page"]["judge"]["R"] == R[answer["tries"][-1]["final_url"]]


def test_every_part_of_the_score_of_a_fetched_page(space: Workspace, run: str, by_fate: dict[str, list[str]]) -> None:
    url = by_fate["fetched"][-1]
    score = explained(space, run, url)["score"]
    judge, link, chosen = score["page"]["judge"], score["link"], score["chosen"]
    words = {word.label: word.weight for word in runs.config_of(space, run).vocabularies["TK"].words}
    assert judge["words"] and all(word["weight"] == words[word["word"]] for word in judge["words"])
    assert all(word["count"] == sum(word["slots"].values()) for word in judge["words"])
    assert sum(word["contribution"] for word in judge["words"]) == pytest.approx(judge["R"])
    assert score["page"]["decision"] == {
        "R": judge["R"], "sigma": 0.7, "strict": True, "relevant": judge["R"] > 0.7
    }  # fmt: skip
    assert [guide["vocabulary"] for guide in score["page"]["guides"]] == ["TK"]
    assert set(chosen["move"]) >= {"temperature", "proposals", "accepted"}
    parts = [link["features"][name] for name in ("anchor:TK", "parents:TK", "pagerank", "target:TK")]
    p = CpemParameters()
    P = comprehensive_priority(*parts, (p.alpha, p.beta, p.gamma, p.theta))
    assert pytest.approx(link["priority"], abs=1e-12) == P
    assert link["parents"] == len(score["parents"]) >= 1
    mean = sum(score["parents_relevance"][p["url"]]["TK@paper_000"] for p in score["parents"]) / link["parents"]
    assert mean == pytest.approx(link["features"]["parents:TK"])
    assert 1 <= link["rank"] <= link["queue"] and 1 <= link["pagerank_rank"] <= link["known"]
    assert link["host"] in url and link["directory"].startswith(link["host"])


STRATEGIES = ("best_first", "hits", "wang_landau", "gafc", "mixture")


@pytest.mark.slow
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_the_replay_gives_the_journalled_priority_of_each_choice(
    space: Workspace, strategy: str, tmp_path: Path
) -> None:
    name = f"exact-{strategy}"
    arguments = ["crawl", "run", "--world", "synthetic:planted?pages=200&seed=3", "--strategy", strategy]
    limits = ["--limit-pages", "40", "--run", name, "--no-graph", "--workspace", str(space.root), "--json"]
    assert invoke([*arguments, *limits]) == 0
    with runs.open_journal(space, name) as journal:
        picks = list(journal.picks())
        for pick in [*picks[::20], picks[-1]]:
            (url,) = journal.urls_of([pick.link])
            link = explained(space, name, url)["score"]["link"]
            assert link["priority"] == pick.priority
            assert link["rank"] is not None


def test_a_queued_link_says_why_the_run_stopped_and_where_it_stands(
    space: Workspace, run: str, by_fate: dict[str, list[str]]
) -> None:
    answers = [explained(space, run, url) for url in by_fate["queued"][::60]]
    assert len(answers) > 2
    for answer in answers:
        assert (answer["fetched"], answer["reason"]) == (False, "queued")
        assert "page limit" in answer["happened"] and "resume" in answer["advice"]
        link = answer["score"]["link"]
        assert link["queue"] == len(by_fate["queued"]) and 1 <= link["rank"] <= link["queue"]
        assert answer["score"]["page"] is None and answer["score"]["chosen"] is None and answer["tries"] == ()
    ranked = sorted(answers, key=lambda a: a["score"]["link"]["rank"])
    priorities = [a["score"]["link"]["priority"] for a in ranked]
    assert priorities == sorted(priorities, reverse=True)


@pytest.mark.slow
def test_a_rejected_link_has_a_priority_under_the_threshold(
    space: Workspace, run: str, by_fate: dict[str, list[str]]
) -> None:
    for url in by_fate["rejected_by_strategy"][::15]:
        answer = explained(space, run, url)
        assert (answer["fetched"], answer["reason"]) == (False, "rejected_by_strategy")
        assert answer["score"]["link"]["priority"] <= ETA
        assert answer["score"]["link"]["rank"] is None
        assert answer["score"]["parents"][-1]["reason"] == "rejected_by_strategy"
        assert answer["path"][-1]["url"] == url and answer["path"][0]["how"] == "seed"


def test_a_link_that_robots_txt_closes(space: Workspace, run: str, by_fate: dict[str, list[str]]) -> None:
    answer = explained(space, run, by_fate["robots_denied"][0])
    assert (answer["fetched"], answer["reason"]) == (False, "robots_denied")
    assert "robots.txt" in answer["happened"] and "robots.txt" in answer["tries"][0]["detail"]
    assert answer["score"]["link"]["priority"] == answer["tries"][0]["priority"]


def test_redirects_name_the_link_through_which_the_page_was_read(
    space: Workspace, run: str, by_fate: dict[str, list[str]]
) -> None:
    for fate in ("duplicate_redirect", "read_by_redirect"):
        for url in by_fate[fate][:2]:
            answer = explained(space, run, url, replays=False)
            assert (answer["fetched"], answer["reason"]) == (False, fate)
            through = explained(space, run, answer["read_through"], replays=False)
            assert through["fetched"] and through["score"]["page"] == answer["score"]["page"]
            if fate == "read_by_redirect":
                assert through["tries"][-1]["final_url"] == url
            else:
                assert through["tries"][-1]["final_url"] == answer["tries"][-1]["final_url"]


def test_failures_keep_their_detail(space: Workspace, run: str, by_fate: dict[str, list[str]]) -> None:
    answer = explained(space, run, by_fate["http_404"][0], replays=False)
    assert (answer["reason"], answer["tries"][0]["status"]) == ("http_404", 404)
    loop = explained(space, run, by_fate["redirect_loop"][0], replays=False)
    assert loop["tries"][0]["failure"] == "redirect_loop" and "redirects back" in loop["tries"][0]["detail"]


def test_an_unknown_url_has_the_nearest_known_ones(command: Command, space: Workspace, run: str) -> None:
    known = explaining.explain_url(space, run, "http://qixiang.example/")
    assert known.reason is None
    answer = explained(space, run, "https://www.qixiang.example/index.html")
    assert (answer["fetched"], answer["reason"], answer["path"], answer["score"]) == (False, "unknown", (), None)
    assert answer["nearest"][0] == {"url": "http://qixiang.example/", "how": "scheme, www, index page"}
    other = explained(space, run, "https://www.another-world.org/1.html")
    assert other["nearest"] == () and WORLD in other["notes"][0] and "qixiang.example" in other["notes"][0]
    found = command("crawl", "explain", run, "https://www.another-world.org/a.mp4", "--workspace", space.root)
    assert found.code == 0 and "unknown" in found.out and "out of scope: media_suffix" in found.err


@pytest.mark.slow
def test_tables_fit_80_columns(
    command: Command, space: Workspace, run: str, by_fate: dict[str, list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    for fate in ("fetched", "queued", "rejected_by_strategy", "duplicate_redirect"):
        urls = by_fate[fate]
        found = command("crawl", "explain", run, urls[-1], "--workspace", space.root)
        assert found.code == 0
        lines = [line for line in found.out.splitlines() if "http" not in line]
        assert max(map(cell_len, lines)) <= 80
        assert found.out.startswith(urls[-1])
    assert "\\u" not in found.out


def test_without_a_replay_only_the_features_are_missing(
    command: Command, space: Workspace, run: str, by_fate: dict[str, list[str]]
) -> None:
    url = by_fate["fetched"][-1]
    whole = command("crawl", "explain", run, url, "--json", "--workspace", space.root).json
    quick = command("crawl", "explain", run, url, "--json", "--no-replay", "--workspace", space.root).json
    assert quick["score"].pop("link") is None and whole["score"].pop("link") is not None
    assert quick == whole


# ---- a corpus: links out of scope, links that are not followed ----------------------------------------------------


@pytest.fixture(scope="module")
def corpus_run(space: Workspace, tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("corpus")
    start = (
        "<html><title>暴雨</title><p>暴雨预警 <a href='b'>暴雨</a> <a href='map.jpg'>地图</a>"
        "<a rel=nofollow href='secret'>登录</a> <a href='#top'>top</a></p></html>"
    )
    pages = [{"name": "a", "html": start}, {"name": "b", "html": "<p>暴雨灾害</p>"}]
    (folder / "pages.jsonl").write_text("".join(json.dumps(page) + "\n" for page in pages), encoding="utf-8")
    arguments = ["crawl", "run", "--world", f"corpus:{folder}", "--seeds", "a", "--strategy", "breadth_first"]
    assert invoke([*arguments, "--run", "small", "--no-graph", "--workspace", str(space.root), "--json"]) == 0
    return "small"


def test_a_link_out_of_scope_names_its_rule(space: Workspace, corpus_run: str) -> None:
    answer = explained(space, corpus_run, "http://corpus/map.jpg")
    assert (answer["fetched"], answer["reason"]) == (False, "media_suffix")
    assert [step["how"] for step in answer["path"]] == ["seed", "link"]
    (parent,) = answer["score"]["parents"]
    assert (parent["anchor"], parent["reason"]) == ("地图", "media_suffix")
    assert answer["score"]["link"] is None and answer["score"]["chosen"] is None


def test_a_hyperlink_that_was_not_followed_is_found_on_its_page(
    command: Command, space: Workspace, corpus_run: str
) -> None:
    answer = explained(space, corpus_run, "secret")
    assert (answer["reason"], answer["skipped_on"]) == ("nofollow", "http://corpus/a")
    assert answer["path"] == () and answer["score"] is None
    shown = command("crawl", "explain", corpus_run, "secret", "--workspace", space.root).out
    assert "nofollow" in shown and "http://corpus/a" in shown


def test_pages_of_a_corpus_by_name(space: Workspace, corpus_run: str) -> None:
    assert explained(space, corpus_run, "b")["fetched"]
    assert explained(space, corpus_run, "c")["reason"] == "unknown"


def test_canonical_urls_name_the_page_that_counts(command: Command, space: Workspace, tmp_path: Path) -> None:
    def html(text: str, canonical: str = "", links: str = "") -> str:
        declared = f"<link rel=canonical href='{canonical}'>" if canonical else ""
        hrefs = "".join(f"<a href='{name}'>第{name}页</a>" for name in links)
        return f"<html><head>{declared}<title>{text}</title></head><p>{text}</p>{hrefs}</html>"

    texts = {"b": "暴雨红色预警", "d": "城市内涝的防治"}
    pages = {
        "a": html("目录", links="bcd"), "b": html(texts["b"]), "c": html(texts["b"], "b"), "d": html(texts["d"], "e"),
        "e": html(texts["d"]),
    }  # fmt: skip
    lines = [json.dumps({"name": name, "html": page}) + "\n" for name, page in pages.items()]
    (tmp_path / "pages.jsonl").write_text("".join(lines), encoding="utf-8")
    arguments = ["crawl", "run", "--world", f"corpus:{tmp_path}", "--seeds", "a", "--strategy", "breadth_first"]
    assert invoke([*arguments, "--run", "canonical", "--no-graph", "--workspace", str(space.root), "--json"]) == 0
    copy = explained(space, "canonical", "c")
    assert (copy["reason"], copy["read_through"]) == ("duplicate_canonical", "http://corpus/b")
    assert copy["score"]["page"] == explained(space, "canonical", "b")["score"]["page"]
    declaring = explained(space, "canonical", "d")
    assert declaring["fetched"] and declaring["tries"][0]["canonical"] == "http://corpus/e"
    declared = explained(space, "canonical", "e")  # it is fetched, though no page but the declaring one names it
    assert declared["fetched"] and declared["tries"][0]["near_duplicate_of"] == "http://corpus/d"
    assert [step["how"] for step in declared["path"]] == ["seed", "link", "canonical"]
    shown = command("crawl", "explain", "canonical", "e", "--workspace", space.root).out
    assert "nearly that of a page that was read before: http://corpus/d" in " ".join(shown.split())


# ---- runs that go on, were interrupted, or are old ----------------------------------------------------------------


@pytest.mark.slow
def test_a_run_that_goes_on_is_read_and_not_changed(space: Workspace, run: str, by_fate: dict[str, list[str]]) -> None:
    """Half of a run, crawled in this process with its journal open, and explained over a connection of its own."""
    config = runs.config_of(space, run).model_copy(update={"run": "going"})
    folder = space.run("going")
    folder.mkdir(parents=True)
    with closing(crawl_setup.world_of(config)) as world, closing(Journal(folder / JOURNAL)) as journal:
        crawl = crawl_setup.crawl_of(config, world, journal)
        crawl.begin(config.model_dump(mode="json"))
        steps = crawl.steps()
        urls = [step.url for step in islice(steps, 40) if step.record.failure is None]
        before = _state_of(folder)
        answers = [explained(space, "going", url) for url in (*urls[:3], urls[-2])]
        later = (explained(space, "going", url) for url in by_fate["queued"])
        waiting = next(answer for answer in later if answer["reason"] == "queued")
        assert _state_of(folder) == before
        assert all(answer["fetched"] and answer["score"]["link"] for answer in answers)
        assert "has not ended" in waiting["happened"]
        assert waiting["advice"].startswith("It may be chosen as the run goes on")
        in_flight = explained(space, "going", urls[-1])  # its outcome is in no transaction that ended
        assert (in_flight["fetched"], in_flight["reason"]) == (False, "in_flight")
        assert in_flight["score"]["chosen"]["outcome"] is None
        assert next(steps).url not in urls
        steps.close()
    assert explained(space, "going", urls[-1])["fetched"]


def _state_of(folder: Path) -> Any:
    with closing(sqlite3.connect(folder / JOURNAL)) as db:
        files = sorted((path.name, path.read_bytes()) for path in folder.glob("*.snapshots/*"))
        return list(db.iterdump()), files


def test_a_journal_of_version_1_is_explained_and_left_as_it_is(old: Workspace) -> None:  # noqa: F811
    before = dump(old)
    with runs.open_journal(old, "old") as journal:
        everything = list(fates(journal))
        picks = {pick.link: pick.priority for pick in journal.picks()}
        assert [next(fates(journal, url)) for _, url, _ in everything] == everything
    for link, url, fate in everything[::5]:
        answer = explained(old, "old", url)
        assert answer["reason"] == (None if fate == "fetched" else fate) and not answer["notes"]
        if link in picks:
            told = answer["score"]["link"]["priority"], answer["score"]["chosen"]["priority"]
            # the journal was written by another processor, whose vector instructions may round otherwise
            assert told == pytest.approx((picks[link], picks[link]), rel=1e-12)
    assert dump(old) == before


def test_a_strategy_that_has_changed_leaves_out_the_features(space: Workspace, tmp_path: Path) -> None:
    file = tmp_path / "own.py"
    file.write_text(
        "from crawler.strategies.best_first import BestFirst\n\nclass Own(BestFirst):\n    name = 'own'\n",
        encoding="utf-8",
    )
    arguments = ["crawl", "run", "--world", WORLD, "--strategy", f"{file}:Own", "--limit-pages", "5", "--no-graph"]
    assert invoke([*arguments, "--run", "changed", "--workspace", str(space.root), "--json"]) == 0
    with runs.open_journal(space, "changed") as journal:
        url = journal.urls_of([list(journal.picks())[-1].link])[0]
    assert explained(space, "changed", url)["score"]["link"] is not None
    file.write_text(file.read_text(encoding="utf-8") + "\n# changed\n", encoding="utf-8")
    answer = explained(space, "changed", url)
    assert answer["fetched"] and answer["score"]["page"]["judge"]["words"] and answer["score"]["link"] is None
    assert "cannot be replayed" in answer["notes"][0] and "own.py" in answer["notes"][0]


# ---- wrong input --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("url", "part"),
    [
        ("ftp://a.cn/x", "is not an http or https URL"),
        ("a.cn/x", "write it with http://"),
        ("http://", "is not"),
        ("", ""),
    ],
)
def test_a_malformed_url_is_a_usage_error(command: Command, space: Workspace, run: str, url: str, part: str) -> None:
    found = command("crawl", "explain", run, url, "--workspace", space.root)
    assert found.code == 2 and part in found.err and found.out == ""


def test_an_unknown_run_is_a_usage_error(command: Command, space: Workspace, run: str) -> None:
    found = command("crawl", "explain", "whi", "http://qixiang.example/", "--workspace", space.root)
    assert found.code == 2 and "did you mean why" in found.err


def test_an_empty_journal_is_a_failure_with_advice(command: Command, space: Workspace) -> None:
    folder = space.run("empty")
    folder.mkdir(parents=True)
    try:
        Journal(folder / JOURNAL).close()
        found = command("crawl", "explain", "empty", "http://a.cn/", "--workspace", space.root)
        assert found.code == 1 and "holds no run: delete the folder" in found.err
    finally:
        for path in sorted(folder.glob("*")):
            path.unlink()
        folder.rmdir()


# ---- Python -------------------------------------------------------------------------------------------------------


def test_a_run_explains_itself_in_python(space: Workspace, run: str, by_fate: dict[str, list[str]]) -> None:
    found = ontocrawl.Run(run, workspace=space.root).explain(by_fate["fetched"][0])
    assert found.fetched and found.path and found.score is not None and found.reason is None
    with pytest.raises(UsageError, match="not an http or https URL"):
        ontocrawl.Run(run, workspace=space.root).explain("nothing")
    with pytest.raises(TypeError, match="url: expected text"):
        ontocrawl.Run(run, workspace=space.root).explain(7)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", TERMS)
def test_each_term_of_a_priority_has_a_name_in_both_languages(name: str) -> None:
    shown = crawl_explain._terms(
        [{"name": name, "part": 1.0, "prior": 0.0, "value": 1.0, "mean": 0.0, "deviation": 1.0, "words": []}],
        with_prior=False,
    )
    assert shown.rows[0][0] == name and not said(shown.rows[0][0], "zh").isascii()


def test_each_kind_of_link_has_a_name_in_both_languages() -> None:
    for kind in ways.KINDS:
        name = named("way", kind)
        assert name == kind and said(name, "zh") != kind, kind
