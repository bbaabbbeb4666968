"""No page counts twice: canonical URLs, near-duplicates and noindex pages in crawls with their journals."""

import json
import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from crawler.crawl import Crawl
from crawler.journal import graph_rows
from crawler.journal.ledger import fates, ledger
from crawler.model import Failure, Response
from crawler.read_pages import ReadPages
from tests.crawler import webs

HOST = "http://r.example"
WORDS = "暴雨洪水台风内涝预警风险评估降水流域灾害城市排水监测地震滑坡"


def article(number: int, length: int = 400) -> str:
    """A text that is a topic's: the same for the same number."""
    draw = random.Random(number)
    return "".join("".join(draw.choices(WORDS, k=9)) + "，" for _ in range(length // 10))


def page(text: str, *links: str, head: str = "") -> str:
    anchors = "".join(f'<li><a href="{link}">暴雨</a>' for link in links)
    return f"<html><head><title>t</title>{head}</head><body><p>{text}。</p><ul>{anchors}</ul></body></html>"


def canonical(url: str) -> str:
    return f'<link rel="canonical" href="{url}">'


@dataclass
class Web:
    """A web of given pages; ``*.example`` hosts are one."""

    pages: Mapping[str, str]
    headers: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    redirects: Mapping[str, str] = field(default_factory=dict)
    name: str = "web"

    def fetch(self, url: str) -> Response | Failure:
        key = url.removeprefix(HOST)
        if key in self.redirects:
            return Response(url, 302, {"location": self.redirects[key]}, b"")
        if key not in self.pages:
            return Response(url, 404, {}, b"")
        headers = {"content-type": "text/html; charset=utf-8", **self.headers.get(key, {})}
        return Response(url, 200, headers, self.pages[key].encode())

    def close(self) -> None: ...


def made(web: Web, path: Path, **options: Any) -> Crawl:
    crawl = webs.make("breadth_first", path / "j.sqlite", world=web, **{"snapshot_every": 2, **options})
    object.__setattr__(crawl.state.setup, "seeds", (f"{HOST}/",))
    return crawl


def crawled(web: Web, path: Path, **options: Any) -> Crawl:
    crawl = made(web, path, **options)
    crawl.begin({})
    for _ in crawl.steps():
        pass
    return crawl


def fates_of(crawl: Crawl) -> dict[str, str]:
    return {url.removeprefix(HOST): fate for _, url, fate in fates(crawl.journal)}


def about(crawl: Crawl, url: str) -> dict[str, Any]:
    """What the event of a page says of it."""
    query = "SELECT e.data FROM event e JOIN url u ON u.id = e.link WHERE e.kind = 'outcome' AND u.url = ?"
    ((data,),) = crawl.journal.query(query, (HOST + url,))
    found: dict[str, Any] = json.loads(data)
    return {k: v for k, v in found.items() if k in ("near_duplicate_of", "counts_as", "canonical_refused", "noindex")}


# ---- canonical URLs ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", [article(1), "暴雨"], ids=["long", "short"])
@pytest.mark.parametrize("first", ["/a.html", "/a.html?print=1"])
def test_a_page_and_its_canonical_url_count_once(text: str, first: str, tmp_path: Path) -> None:
    second = {"/a.html": "/a.html?print=1", "/a.html?print=1": "/a.html"}[first]
    declared = canonical("/a.html")
    links = ["/not-used.html"] if first == "/a.html" and len(text) > 100 else []
    web = Web({
        "/": page(article(0), first, second), "/a.html": page(text, head=declared),
        "/a.html?print=1": page(text, *links, head=declared),
    })  # fmt: skip
    crawl = crawled(web, tmp_path)
    found = fates_of(crawl)
    assert found[first] == "fetched"
    assert found[second] == ("duplicate_canonical" if first == "/a.html" else "read_by_canonical")
    assert "/not-used.html" not in found
    assert crawl.scheduler.fetched == 2
    assert about(crawl, first) == ({} if first == "/a.html" else {"counts_as": f"{HOST}/a.html"})
    crawl.journal.close()


def test_a_canonical_url_in_a_header_counts_too(tmp_path: Path) -> None:
    web = Web(
        {"/": page(article(0), "/a", "/b"), "/a": page(article(1)), "/b": page(article(1))},
        {"/b": {"link": '</a>; rel="canonical"'}},
    )
    crawl = crawled(web, tmp_path)
    assert fates_of(crawl)["/b"] == "duplicate_canonical"
    crawl.journal.close()


def test_a_canonical_url_that_is_found_later_is_not_fetched(tmp_path: Path) -> None:
    text = article(1)
    web = Web({
        "/": page(article(0), "/a?s=1", "/b"), "/a?s=1": page(text, head=canonical("https://www.r.example/a")),
        "/b": page(article(2), "https://www.r.example/a", "/a?s=2"),
        "/a?s=2": page(text, head=canonical("https://www.r.example/a")),
    })  # fmt: skip
    crawl = crawled(web, tmp_path)
    assert fates_of(crawl) == {
        "/": "fetched", "/a?s=1": "fetched", "/b": "fetched", "https://www.r.example/a": "read_by_canonical",
        "/a?s=2": "duplicate_canonical",
    }  # fmt: skip
    counted = ledger(crawl.journal)
    assert (counted.fetched, counted.known) == (3, 5)
    assert counted.reasons == {"duplicate_canonical": 1, "read_by_canonical": 1}
    crawl.journal.close()


@pytest.mark.parametrize("target", ["/", "/index.html", "/list/", "/list/index.htm", "/list"])
def test_pages_that_all_name_the_home_page_or_their_folder_count_each(target: str, tmp_path: Path) -> None:
    links = [f"/list/{n}.html" for n in range(4)]
    pages = {link: page(article(n + 1), head=canonical(target)) for n, link in enumerate(links)}
    web = Web({target: page(article(9), "/more"), "/": page(article(0), *links, target), **pages})
    crawl = crawled(web, tmp_path)
    assert [fate for url, fate in fates_of(crawl).items() if url in (*links, target)] == ["fetched"] * len(
        {*links, target}
    )
    refused = {about(crawl, link)["canonical_refused"] for link in links}
    assert refused <= {"contains_page", "other_text", "doubted_host"}
    crawl.journal.close()


def test_a_canonical_url_with_another_text_is_not_believed_nor_is_its_host_again(tmp_path: Path) -> None:
    web = Web({
        "/": page(article(0), "/one", "/two", "/three"), "/one": page(article(1)),
        "/two": page(article(2), "/four", head=canonical("/one")),
        "/three": page(article(3), head=canonical("/four")),
        "/four": page(article(4)),
    })  # fmt: skip
    crawl = crawled(web, tmp_path)
    assert set(fates_of(crawl).values()) == {"fetched"}
    assert about(crawl, "/two") == {"canonical_refused": "other_text"}
    assert about(crawl, "/three") == {"canonical_refused": "doubted_host"}
    crawl.journal.close()


def test_a_canonical_url_of_another_host_is_not_believed(tmp_path: Path) -> None:
    there = "http://victim.example/a"
    web = Web(
        {"/": page(article(0), "/a", there), "/a": page(article(1), head=canonical(there)), there: page(article(2))}
    )
    crawl = crawled(web, tmp_path)
    assert fates_of(crawl) == {"/": "fetched", "/a": "fetched", there: "fetched"}
    assert about(crawl, "/a") == {"canonical_refused": "other_host"}
    crawl.journal.close()


@pytest.mark.parametrize(("text", "fate"), [(article(1), "duplicate_canonical"), (article(2), "fetched")])
def test_a_canonical_url_in_flight_is_compared_when_it_arrives(text: str, fate: str, tmp_path: Path) -> None:
    web = Web({"/": page(article(0), "/a?x", "/a"), "/a?x": page(article(1), head=canonical("/a")), "/a": page(text)})
    crawl = crawled(web, tmp_path, in_flight=4, reproducible=True)
    assert fates_of(crawl)["/a"] == fate
    crawl.journal.close()


def test_a_redirect_to_a_canonical_url_counts_as_it(tmp_path: Path) -> None:
    web = Web(
        {"/": page(article(0), "/a?x", "/r"), "/a?x": page(article(1), head=canonical("/a")), "/a": page(article(1))},
        redirects={"/r": "/a"},
    )
    crawl = crawled(web, tmp_path)
    found = fates_of(crawl)
    assert (found["/r"], found["/a"]) == ("duplicate_canonical", "read_by_canonical")
    crawl.journal.close()


# ---- near-duplicates --------------------------------------------------------------------------------------------


def copies() -> Web:
    text, other = article(1, 900), "http://other.example/copy"
    return Web({
        "/": page(article(0), "/dir/", "/dir/index.html", other, "/short1", "/short2"),
        "/dir/": page(text, "/deep"), "/dir/index.html": page(text, "/deeper"),
        other: page(f"来源：转载网{text}"), "/deep": page(article(2)), "/deeper": page(article(3)),
        "/short1": page("暴雨"), "/short2": page("暴雨"),
    })  # fmt: skip


def test_a_near_duplicate_is_a_page_with_links_but_not_relevant(tmp_path: Path) -> None:
    crawl = crawled(copies(), tmp_path)
    first = crawl.state.urls.id(f"{HOST}/dir/")
    assert set(fates_of(crawl).values()) == {"fetched"}
    assert about(crawl, "/dir/index.html") == {"near_duplicate_of": first}
    rows = {row.url.removeprefix(HOST): row for row in graph_rows.outcomes(crawl.journal)}
    for copy in ("/dir/index.html", "http://other.example/copy"):
        assert (rows[copy].near_duplicate_of, rows[copy].relevant, rows[copy].failure) == (f"{HOST}/dir/", None, None)
        assert (rows[copy].relevance or 0.0) > 0.0
    assert rows["/dir/"].relevant is True
    assert {row.near_duplicate_of for url, row in rows.items() if url in ("/", "/short1", "/short2", "/deeper")} == {
        None
    }
    assert crawl.state.harvest.relevant == sum(bool(row.relevant) for row in rows.values())
    texts = [text.url for text in graph_rows.pages(crawl.journal)]
    assert f"{HOST}/dir/" in texts
    assert f"{HOST}/dir/index.html" not in texts
    assert len([*graph_rows.pages(crawl.journal, copies=True)]) == len(rows) == crawl.scheduler.fetched
    crawl.journal.close()


# ---- noindex ----------------------------------------------------------------------------------------------------


def test_a_noindex_page_is_not_counted_and_its_links_are_used(tmp_path: Path) -> None:
    hidden = page(article(1), "/behind", head="<meta name=robots content=noindex>")
    web = Web({"/": page(article(0), "/hidden"), "/hidden": hidden, "/behind": page(article(1))})
    crawl = crawled(web, tmp_path)
    assert fates_of(crawl) == {"/": "fetched", "/hidden": "noindex", "/behind": "fetched"}
    assert ledger(crawl.journal).reasons == {"noindex": 1}
    assert about(crawl, "/behind") == {}  # nothing is a copy of a page that is not used
    row = next(row for row in graph_rows.outcomes(crawl.journal) if row.url == f"{HOST}/hidden")
    assert (row.failure, row.relevance, row.relevant, row.title, row.snippet, row.mentions) == (
        "noindex", None, None, "", "", (),
    )  # fmt: skip
    assert len([*graph_rows.pages(crawl.journal, copies=True)]) == 2
    assert crawl.scheduler.fetched == 3  # the page limit counts what was fetched
    assert crawl.state.harvest.relevant == sum(bool(row.relevant) for row in graph_rows.outcomes(crawl.journal))
    assert [link.source for link in graph_rows.links(crawl.journal)] == [f"{HOST}/", f"{HOST}/hidden"]
    crawl.journal.close()


# ---- replay -----------------------------------------------------------------------------------------------------


def mixed() -> Web:
    """Pages of all kinds, several of each."""
    draw, pages = random.Random(5), dict[str, str]()
    for n in range(40):
        kind, text = n % 5, article(draw.randrange(12), 800)
        links = [f"/p{draw.randrange(40)}{draw.choice(['', '?x=1', '/'])}" for _ in range(6)]
        other = canonical(f"/p{(n + 7) % 40}") if n == 20 else ""
        hidden, elsewhere = "<meta name=robots content=noindex>", canonical("http://elsewhere.example/")
        head = [other, canonical(f"/p{n}"), canonical(f"/p{n}"), hidden, elsewhere][kind]
        for variant in ("", "?x=1", "/"):
            pages[f"/p{n}{variant}"] = page(text, *links, head=head)
    return Web({"/": page(article(99), *(f"/p{n}" for n in range(0, 40, 4))), **pages})


@pytest.mark.slow
@pytest.mark.parametrize("in_flight", [1, 4])
@pytest.mark.parametrize("stop", [3, 9, 16, 30])
def test_a_killed_crawl_goes_on_as_one_that_was_not(stop: int, in_flight: int, tmp_path: Path) -> None:
    options: dict[str, Any] = {"in_flight": in_flight, "reproducible": True, "pages": 45}
    (tmp_path / "whole").mkdir()
    whole = crawled(mixed(), tmp_path / "whole", **options)
    killed = made(mixed(), tmp_path, **options)
    killed.begin({})
    steps = killed.steps()
    for _ in range(stop):
        next(steps)
    killed.journal.close()
    resumed = made(mixed(), tmp_path, **options)
    resumed.resume()
    for _ in resumed.steps():
        pass
    query = "SELECT link, failure, relevance, relevant FROM page ORDER BY seq"
    assert [*resumed.journal.query(query)] == [*whole.journal.query(query)]
    assert [*fates(resumed.journal)] == [*fates(whole.journal)]
    assert resumed.state.harvest.relevant == whole.state.harvest.relevant
    reasons = {fate for _, _, fate in fates(whole.journal)}
    assert {"duplicate_canonical", "read_by_canonical", "noindex", "fetched"} <= reasons
    resumed.journal.close()
    whole.journal.close()


def test_a_run_of_a_version_without_fingerprints_is_resumed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr("crawler.pages.page.simhash", lambda text: None)
        patch.setattr(ReadPages, "state", lambda self: {"read": self._read.packed()})
        begun = made(copies(), tmp_path)
        begun.begin({})
        steps = begun.steps()
        for _ in range(3):  # the home page, /dir/ and its copy
            next(steps)
        begun._save()
        begun.journal.close()
    resumed = made(copies(), tmp_path, snapshot_every=1)
    resumed.resume()
    for _ in resumed.steps():
        resumed._save()
    rows = {row.url.removeprefix(HOST): row for row in graph_rows.outcomes(resumed.journal)}
    assert len(rows) == 8
    copied = {url: row.near_duplicate_of for url, row in rows.items() if row.near_duplicate_of}
    assert copied == {}  # the third copy is the first one with a fingerprint
    resumed.journal.close()
    again = made(copies(), tmp_path)
    again.resume()
    assert again.state.read_pages.state().keys() == resumed.state.read_pages.state().keys()
    assert len(again.state.read_pages._texts) == len(resumed.state.read_pages._texts) == 5
    again.journal.close()
