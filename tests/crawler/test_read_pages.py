"""No page counts twice: canonical URLs, near-duplicates and noindex pages in crawls with their journals."""

import gzip
import json
import random
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from crawler.crawl import Crawl
from crawler.journal import Journal, graph_rows
from crawler.journal.ledger import fates, ledger
from crawler.model import Failure, Response
from crawler.read_pages import REPEATS, probe_of
from tests.crawler import webs

DATA = Path(__file__).parent / "data"
HOST = "http://r.example"
TRACE = "SELECT link, failure, relevance, relevant FROM page ORDER BY seq"
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
    return {
        k: v
        for k, v in found.items()
        if k in ("near_duplicate_of", "counts_as", "canonical_refused", "asks", "probes", "noindex")
    }


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
    assert found[second] == ("duplicate_canonical" if first == "/a.html" else "fetched")
    assert "/not-used.html" not in found
    assert about(crawl, first) == {}
    if second == "/a.html":  # it is fetched, never assumed
        assert about(crawl, second) == {"near_duplicate_of": crawl.state.urls.id(f"{HOST}{first}")}
    assert crawl.state.harvest.relevant == sum(bool(row.relevant) for row in graph_rows.outcomes(crawl.journal)) <= 2
    crawl.journal.close()


def test_a_canonical_url_in_a_header_counts_too(tmp_path: Path) -> None:
    web = Web(
        {"/": page(article(0), "/a", "/b"), "/a": page(article(1)), "/b": page(article(1))},
        {"/b": {"link": '</a>; rel="canonical"'}},
    )
    crawl = crawled(web, tmp_path)
    assert fates_of(crawl)["/b"] == "duplicate_canonical"
    crawl.journal.close()


def test_a_canonical_url_that_was_not_read_is_fetched_though_nothing_links_to_it(tmp_path: Path) -> None:
    full, full_url = article(7), "https://www.r.example/news/1"
    web = Web({
        "/": page(article(0), "/amp/1", "/amp/1?s=2"), "/amp/1": page("暴雨短讯", head=canonical(full_url)),
        "/amp/1?s=2": page(full, head=canonical(full_url)),
        full_url: page(full, "http://r.example/deep", head=canonical(full_url)), "/deep": page(article(2)),
    })  # fmt: skip
    crawl = crawled(web, tmp_path)
    assert fates_of(crawl) == {
        "/": "fetched", "/amp/1": "fetched", "/amp/1?s=2": "fetched", full_url: "fetched", "/deep": "fetched",
    }  # fmt: skip
    assert about(crawl, "/amp/1") == {"asks": full_url}
    assert about(crawl, "/amp/1?s=2") == {}  # it is queued
    row = next(row for row in graph_rows.outcomes(crawl.journal) if row.url == full_url)
    assert row.near_duplicate_of == f"{HOST}/amp/1?s=2"
    counted = ledger(crawl.journal)
    assert (counted.fetched, counted.known) == (5, 5)
    crawl.journal.close()


def test_canonical_urls_that_name_each_other_take_no_page_away(tmp_path: Path) -> None:
    web = Web({
        "/": page(article(0), "/a", "/b"), "/a": page(article(1), "/from-a", head=canonical("/b")),
        "/b": page(article(2), "/from-b", head=canonical("/a")),
        "/from-a": page(article(3)), "/from-b": page(article(4)),
    })  # fmt: skip
    crawl = crawled(web, tmp_path)
    assert set(fates_of(crawl).values()) == {"fetched"}
    assert (about(crawl, "/a"), about(crawl, "/b")) == ({}, {"canonical_refused": "other_text"})
    crawl.journal.close()


def test_the_second_page_of_a_list_does_not_stand_for_the_first(tmp_path: Path) -> None:
    pages = {f"/list?page={n}": page(article(n), f"/item{n}", head=canonical("/list?page=1")) for n in (1, 2, 3)}
    items = {f"/item{n}": page(article(n + 10)) for n in (1, 2, 3)}
    web = Web({"/": page(article(0), "/list?page=2", "/list?page=3"), **pages, **items})
    crawl = crawled(web, tmp_path)
    assert len(fates_of(crawl)) == 7
    assert set(fates_of(crawl).values()) == {"fetched"}
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
    assert {about(crawl, link).get("canonical_refused") for link in links} <= {None, "other_text"}
    crawl.journal.close()


def test_a_canonical_url_with_another_text_is_not_believed(tmp_path: Path) -> None:
    web = Web({
        "/": page(article(0), "/one", "/two"), "/one": page(article(1)),
        "/two": page(article(2), head=canonical("/one")),
    })  # fmt: skip
    crawl = crawled(web, tmp_path)
    assert set(fates_of(crawl).values()) == {"fetched"}
    assert about(crawl, "/two") == {"canonical_refused": "other_text"}
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


@pytest.mark.parametrize("same", [True, False])
def test_a_canonical_url_in_flight_is_compared_when_it_arrives(same: bool, tmp_path: Path) -> None:
    text = article(1 if same else 2)
    web = Web({"/": page(article(0), "/a?x", "/a"), "/a?x": page(article(1), head=canonical("/a")), "/a": page(text)})
    crawl = crawled(web, tmp_path, in_flight=4, reproducible=True)
    assert fates_of(crawl)["/a"] == "fetched"
    assert ("near_duplicate_of" in about(crawl, "/a")) is same
    crawl.journal.close()


def test_a_redirect_to_a_canonical_url_is_the_page_of_it(tmp_path: Path) -> None:
    web = Web(
        {"/": page(article(0), "/a?x", "/r"), "/a?x": page(article(1), head=canonical("/a")), "/a": page(article(1))},
        redirects={"/r": "/a"},
    )
    crawl = crawled(web, tmp_path)
    found = fates_of(crawl)
    assert (found["/r"], found["/a"]) == ("fetched", "read_by_redirect")
    crawl.journal.close()


# ---- near-duplicates --------------------------------------------------------------------------------------------


def copies() -> Web:
    text, other = article(1, 900), "http://other.example/copy"
    return Web({
        "/": page(article(0), "/dir/", "/dir/index.html", other, "/short1", "/short2", "/short3"),
        "/dir/": page(text, "/deep"), "/dir/index.html": page(text, "/deeper"),
        other: page(f"来源：转载网{text}"), "/deep": page(article(2)), "/deeper": page(article(3)),
        "/short1": page("暴雨"), "/short2": page("暴雨"),
        "/short3": page("台风"),
    })  # fmt: skip


def test_a_near_duplicate_is_a_page_with_links_but_not_relevant(tmp_path: Path) -> None:
    crawl = crawled(copies(), tmp_path)
    first = crawl.state.urls.id(f"{HOST}/dir/")
    assert set(fates_of(crawl).values()) == {"fetched"}
    assert about(crawl, "/dir/index.html") == {"near_duplicate_of": first}
    rows = {row.url.removeprefix(HOST): row for row in graph_rows.outcomes(crawl.journal)}
    firsts = {"/dir/index.html": "/dir/", "http://other.example/copy": "/dir/", "/short2": "/short1"}
    for copy, first_url in firsts.items():
        assert (rows[copy].near_duplicate_of, rows[copy].relevant, rows[copy].failure) == (HOST + first_url, None, None)
        assert (rows[copy].relevance or 0.0) > 0.0
    assert rows["/dir/"].relevant is True
    assert {row.near_duplicate_of for url, row in rows.items() if url in ("/", "/short1", "/short3", "/deeper")} == {
        None
    }
    assert crawl.state.harvest.relevant == sum(bool(row.relevant) for row in rows.values())
    texts = [text.url for text in graph_rows.pages(crawl.journal)]
    assert f"{HOST}/dir/" in texts
    assert f"{HOST}/dir/index.html" not in texts
    assert len([*graph_rows.pages(crawl.journal, copies=True)]) == len(rows) == crawl.scheduler.fetched
    crawl.journal.close()


# ---- pages that hosts show for what does not exist ----------------------------------------------------------------


@dataclass
class Everywhere(Web):
    """A web that shows a page at every address."""

    missing: str = ""
    robots: str = ""

    def fetch(self, url: str) -> Response | Failure:
        if url == f"{HOST}/robots.txt":
            return Response(url, 200 if self.robots else 404, {"content-type": "text/plain"}, self.robots.encode())
        found = super().fetch(url)
        if isinstance(found, Response) and found.status == 404:
            headers = {"content-type": "text/html; charset=utf-8"}
            return Response(url, 200, headers, self.missing.replace("URL", url).encode())
        return found


def soft(missing: str, robots: str = "") -> Everywhere:
    """A site with two pages, and links to 30 that do not exist."""
    gone = [f"/gone/{n}.html" for n in range(30)]
    pages = {"/": page(article(0), *gone[:15], "/real"), "/real": page(article(1), *gone[15:])}
    return Everywhere(pages, missing=missing, robots=robots)


def test_pages_that_share_a_frame_with_the_message_are_pages(tmp_path: Path) -> None:
    frame = article(7) + article(8)
    gone = [f"/gone/{n}.html" for n in range(8)]
    real = {f"/real/{n}": page(article(n)[: len(frame) // 2] + frame) for n in range(3)}
    web = Everywhere({"/": page(article(9), *gone, *real), **real}, missing=page(f"没有这个网页。{frame}"))
    found = fates_of(crawled(web, tmp_path, pages=40))
    assert {found[url] for url in real} == {"fetched"}
    assert [found[url] for url in gone].count("soft_404") >= len(gone) - REPEATS - 1


@pytest.mark.parametrize(
    "missing",
    [
        page("暴雨网页不存在"),
        page(f"URL 暴雨网页不存在。{article(5)}", "a/1.html", "b/2.html"),
        page(f"{article(5)}您访问的网址 URL 不存在", "x.html"),
    ],
    ids=["short", "trap", "names the address"],
)
def test_pages_for_what_does_not_exist_are_told_and_do_not_count(missing: str, tmp_path: Path) -> None:
    crawl = crawled(soft(missing), tmp_path, pages=60)
    found, probe = fates_of(crawl), probe_of(f"{HOST}/").removeprefix(HOST)
    assert found["/"] == found["/real"] == "fetched"
    assert found[probe] == "soft_404"
    told = [url for url, fate in found.items() if fate == "soft_404" and url != probe]
    assert len(told) >= 30 - REPEATS - 1
    counted = ledger(crawl.journal)
    assert counted.reasons["soft_404"] == len(told) + 1
    assert crawl.scheduler.fetched <= 2 + REPEATS + 1  # the pages before the probe
    assert crawl.state.harvest.relevant <= 3
    assert counted.known == counted.fetched + sum(counted.reasons.values())
    crawl.journal.close()


def test_the_home_page_counts_though_its_host_shows_it_everywhere(tmp_path: Path) -> None:
    home = page(article(5), "/deep")
    gone = [f"/gone/{n}.html" for n in range(30)]
    pages = {"/start": page(article(0), *gone, "/"), "/": home, "/deep": page(article(1))}
    crawl = made(Everywhere(pages, missing=home), tmp_path, pages=60)
    object.__setattr__(crawl.state.setup, "seeds", (f"{HOST}/start",))
    crawl.begin({})
    for _ in crawl.steps():
        pass
    found = fates_of(crawl)
    assert (found["/start"], found["/"], found["/deep"]) == ("fetched",) * 3
    assert [*found.values()].count("soft_404") >= 30 - REPEATS - 1
    crawl.journal.close()


def test_a_host_that_says_not_found_is_probed_once(tmp_path: Path) -> None:
    copies = {f"/copy{n}": page(article(1)) for n in range(12)}
    web = Web({"/": page(article(0), *copies), **copies})
    crawl = crawled(web, tmp_path)
    found, probe = fates_of(crawl), probe_of(f"{HOST}/").removeprefix(HOST)
    assert found.pop(probe) == "http_404"
    assert set(found.values()) == {"fetched"}
    assert sum("probes" in about(crawl, url) for url in copies) == 1
    crawl.journal.close()


def test_copies_on_other_hosts_ask_for_no_probe(tmp_path: Path) -> None:
    copies = {f"http://h{n}.example/": page(article(1)) for n in range(12)}
    crawl = crawled(Web({"/": page(article(0), *copies), **copies}), tmp_path)
    assert set(fates_of(crawl).values()) == {"fetched"}
    crawl.journal.close()


def test_a_probe_obeys_robots_txt(tmp_path: Path) -> None:
    rules = f"User-agent: *\nDisallow: {probe_of(HOST + '/').removeprefix(HOST)}\n"
    crawl = crawled(soft(page("暴雨网页不存在"), rules), tmp_path, pages=60)
    found = fates_of(crawl)
    assert found[probe_of(f"{HOST}/").removeprefix(HOST)] == "robots_denied"
    assert [*found.values()].count("fetched") == 32
    crawl.journal.close()


def test_a_host_that_leads_to_its_home_page_has_no_text_for_what_does_not_exist(tmp_path: Path) -> None:
    copies = {f"/copy{n}": page(article(1)) for n in range(12)}
    home = f"{HOST}/home"
    redirects = {probe_of(f"{HOST}/").removeprefix(HOST): "/home"}
    web = Web({"/": page(article(0), *copies), "/home": page(article(1), home), **copies}, redirects=redirects)
    crawl = crawled(web, tmp_path)
    found = fates_of(crawl)
    assert [*found.values()].count("soft_404") == 1
    assert [*found.values()].count("fetched") == 13
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
@pytest.mark.parametrize("web", ["mixed", "soft"])
def test_a_killed_crawl_goes_on_as_one_that_was_not(web: str, stop: int, in_flight: int, tmp_path: Path) -> None:
    pages = mixed() if web == "mixed" else soft(page(f"URL 暴雨网页不存在。{article(5)}", "a/1.html"))
    options: dict[str, Any] = {"in_flight": in_flight, "reproducible": True, "pages": 45}
    (tmp_path / "whole").mkdir()
    whole = crawled(pages, tmp_path / "whole", **options)
    killed = made(pages, tmp_path, **options)
    killed.begin({})
    steps = killed.steps()
    for _ in range(stop):
        next(steps)
    killed.journal.close()
    resumed = made(pages, tmp_path, **options)
    resumed.resume()
    for _ in resumed.steps():
        pass
    assert [*resumed.journal.query(TRACE)] == [*whole.journal.query(TRACE)]
    assert [*fates(resumed.journal)] == [*fates(whole.journal)]
    assert resumed.state.harvest.relevant == whole.state.harvest.relevant
    reasons = {fate for _, _, fate in fates(whole.journal)}
    assert web == "soft" or {"duplicate_canonical", "noindex", "fetched"} <= reasons
    assert web == "mixed" or {"fetched", "soft_404"} <= reasons
    assert web == "soft" or any("asks" in json.loads(data) for (data,) in whole.journal.query("SELECT data FROM event"))
    resumed.journal.close()
    whole.journal.close()


def test_a_run_of_an_earlier_version_is_resumed_as_it_was_begun(tmp_path: Path) -> None:
    """In version 3 of journals a page counted as its canonical URL, which was not fetched; 1.0.1 was killed in it."""
    path = tmp_path / "j.sqlite"
    path.write_bytes(gzip.decompress((DATA / "journal_of_version_3.sqlite.gz").read_bytes()))
    with closing(Journal(path)) as journal:
        begun = [*journal.query(TRACE)]
        claimed = [url for _, url, fate in fates(journal) if fate == "read_by_canonical"]
    assert len(begun) == 20 and claimed
    resumed = made(mixed(), tmp_path, pages=45)
    resumed.resume()
    for _ in resumed.steps():
        pass
    assert [*resumed.journal.query(TRACE)][:20] == begun
    assert resumed.scheduler.fetched == 45
    assert resumed.state.harvest.relevant == sum(bool(row.relevant) for row in graph_rows.outcomes(resumed.journal))
    assert {url for _, url, fate in fates(resumed.journal) if fate == "read_by_canonical"} == {*claimed}
    resumed.journal.close()
