"""The synthetic web: a function of (seed, i), labelled before it is written, the same in memory and over loopback."""

from __future__ import annotations

import json
import re
import statistics
import subprocess
import sys
import threading
import time
import urllib.request
from collections import Counter, deque
from hashlib import blake2b
from pathlib import Path
from urllib.error import HTTPError
from urllib.parse import urljoin, urlsplit

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crawler.fetching.fetch import Fetched, Fetcher
from crawler.model import Failure, Response
from crawler.pages.parse import parse
from crawler.scoring.relevance import relevance
from crawler.scoring.statistics import Statistics
from crawler.text import Matcher, Vocabulary, Word
from crawler.url import canonical
from crawler.worlds import LiveWorld, SyntheticWorld, WorldError, open_world
from crawler.worlds.addresses import parse_resolve
from crawler.worlds.synthetic import PRESETS, serve
from crawler.worlds.synthetic.draw import Draw
from crawler.worlds.synthetic.templates import KINDS, templates

PLANTED = ("海绵城市", "列车效应", "堰塞湖", "雨岛效应", "龙舟水", "龙吸水车", "叫应机制", "内涝点地图")
HREF = re.compile(r'<a href="([^"]*)">')


def answer(world: SyntheticWorld | LiveWorld, url: str) -> Response:
    got = world.fetch(url)
    assert isinstance(got, Response), got
    return got


def text(response: Response) -> str:
    body = response.body.decode("latin-1")
    return response.body.decode("gbk" if 'charset="gb2312"' in body else "utf-8")


def hrefs(response: Response) -> list[str]:
    found = [canonical(urljoin(response.url, href)) for href in HREF.findall(text(response))]
    return [url for url in found if url is not None]


def digest(world: SyntheticWorld) -> str:
    state = blake2b()
    for index in range(len(world)):
        got = answer(world, world.url(index))
        state.update(repr((got.url, got.status, sorted(got.headers.items()), got.body)).encode())
    return state.hexdigest()


@pytest.fixture(scope="module")
def world() -> SyntheticWorld:
    return SyntheticWorld("planted", 600, 7)


@pytest.mark.slow
def test_the_same_seed_gives_the_same_bytes_in_another_process(world: SyntheticWorld) -> None:
    program = (
        "from tests.crawler.test_synthetic import SyntheticWorld, digest;"
        "print(digest(SyntheticWorld('planted', 200, 7)))"
    )
    root = Path(__file__).parents[2]
    command = [sys.executable, "-c", program]
    environment = {"PYTHONHASHSEED": "123", "PATH": "", "PYTHONPATH": str(root)}
    other = subprocess.run(command, capture_output=True, text=True, check=True, cwd=root, env=environment)
    assert other.stdout.strip() == digest(SyntheticWorld("planted", 200, 7))
    assert digest(SyntheticWorld("planted", 200, 7)) != digest(SyntheticWorld("planted", 200, 8))


def test_a_page_does_not_depend_on_the_order_of_fetching(world: SyntheticWorld) -> None:
    other = SyntheticWorld("planted", 600, 7)
    for index in (599, 3, 250, 3):
        assert other.fetch(other.url(index)) == world.fetch(world.url(index))


def test_roles_labels_and_titles_do_not_depend_on_the_number_of_pages(world: SyntheticWorld) -> None:
    larger = SyntheticWorld("planted", 5000, 7)
    assert [larger.plan(i) for i in range(600)] == [world.plan(i) for i in range(600)]
    assert [larger.url(i) for i in range(600)] == [world.url(i) for i in range(600)]


def test_a_million_pages_need_no_build() -> None:
    begun = time.process_time()
    huge = SyntheticWorld("planted", 1_000_000, 3)
    for index in (0, 999_999, 123_456):
        assert answer(huge, huge.url(index)).status in (200, 301, 404, 500)
    assert len(huge) == 1_000_000
    assert len(huge.hosts) == 20 * 500
    assert time.process_time() - begun < 5.0


def test_there_are_twenty_hosts_and_three_pages_in_four_are_chinese(world: SyntheticWorld) -> None:
    assert len(world.hosts) == 20
    assert all(host.endswith(".example") for host in world.hosts)
    pages = [plan for plan in world.plans() if plan.role in ("page", "hidden", "gate")]
    chinese = sum(world.host(plan).lang == "zh" for plan in pages) / len(pages)
    assert 0.68 < chinese < 0.84


def test_every_url_is_canonical_and_unlike_any_other(world: SyntheticWorld) -> None:
    urls = [world.url(i) for i in range(len(world))]
    assert len(set(urls)) == len(urls) == 600
    assert all(canonical(url) == url for url in urls)
    assert {urlsplit(url).netloc for url in urls} == set(world.hosts)


@pytest.mark.parametrize("preset", sorted(PRESETS))
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_the_base_rate_is_that_of_a_topic(preset: str, seed: int) -> None:
    labels = SyntheticWorld(preset, 1200, seed).labels()
    assert 0.15 < sum(labels.values()) / len(labels) < 0.22


def test_all_roles_answer_as_they_should(world: SyntheticWorld) -> None:
    expected = {"redirect": 301, "missing": 404, "broken": 500}
    for plan in world.plans():
        got = answer(world, world.url(plan.index))
        assert got.status == expected.get(plan.role, 200)
    roles = Counter(plan.role for plan in world.plans())
    assert set(roles) >= {
        "page",
        "hidden",
        "gate",
        "hub",
        "home",
        "duplicate",
        "redirect",
        "missing",
        "broken",
        "private",
    }


def test_redirects_end_at_pages_some_in_chains_and_two_in_a_loop(world: SyntheticWorld) -> None:
    fetcher, reasons, chains = Fetcher(world, user_agent="tester"), Counter[str](), 0
    for plan in world.plans():
        if plan.role == "redirect":
            got = fetcher.get(world.url(plan.index))
            chains += isinstance(got, Fetched) and len(got.hops) == 2
            reasons[got.reason if isinstance(got, Failure) else "page"] += 1
            if isinstance(got, Fetched):
                assert world.labels()[world.url(plan.index)] == world.labels()[got.final_url]
    assert reasons == {"page": 22, "redirect_loop": 2}
    assert chains > 3


def test_duplicates_have_the_bytes_of_another_page_of_the_host(world: SyntheticWorld) -> None:
    duplicates = [plan for plan in world.plans() if plan.role == "duplicate"]
    assert len(duplicates) == 12
    for plan in duplicates:
        assert answer(world, world.url(plan.index)).body == answer(world, world.url(plan.partner)).body
        assert world.labels()[world.url(plan.index)] == world.labels()[world.url(plan.partner)]


def test_closed_pages_are_linked_and_robots_closes_them(world: SyntheticWorld) -> None:
    fetcher = Fetcher(world, user_agent="tester")
    closed = [world.url(p.index) for p in world.plans() if p.role == "private"]
    linked = {url for i in range(0, 600, 3) for url in hrefs(answer(world, world.url(i)))}
    denied = [url for url in closed if isinstance(got := fetcher.get(url), Failure) and got.reason == "robots_denied"]
    assert set(denied) & linked
    assert len(denied) > len(closed) / 2  # two hosts have no robots.txt
    assert not any(world.labels()[url] for url in closed)


@pytest.mark.slow
def test_hidden_pages_are_reached_through_gates_only(world: SyntheticWorld) -> None:
    hidden = {world.url(p.index) for p in world.plans() if p.role == "hidden"}
    sources = {p.role for p in world.plans() for url in hrefs(answer(world, world.url(p.index))) if url in hidden}
    assert hidden
    assert sources == {"gate", "hidden"}


@pytest.mark.slow
def test_nearly_every_page_can_be_reached_from_the_seeds(world: SyntheticWorld) -> None:
    seen, waiting = set(world.seeds), deque(world.seeds)
    while waiting:
        got = answer(world, waiting.popleft())
        targets = hrefs(got) if got.status == 200 else [got.headers.get("location", "")]
        for url in targets:
            if url and url not in seen:
                seen.add(url)
                waiting.append(url)
    labels = world.labels()
    assert seen <= set(labels)
    assert len(seen) > 0.9 * len(world)
    assert sum(labels[url] for url in seen) > 0.9 * len(world.relevant_urls())


@pytest.mark.slow
def test_relevant_pages_link_to_relevant_pages_and_others_rarely_do(world: SyntheticWorld) -> None:
    labels, share = world.labels(), {True: [0, 0], False: [0, 0]}
    for plan in world.plans():
        got = answer(world, world.url(plan.index))
        if plan.role in ("page", "gate", "hidden") and got.status == 200:
            for url in hrefs(got):
                share[plan.relevant][0] += labels[url]
                share[plan.relevant][1] += 1
    assert share[True][0] / share[True][1] > 3 * share[False][0] / share[False][1]


@pytest.mark.slow
@pytest.mark.parametrize("pages", [600, 1200])
def test_each_planted_term_stands_on_six_relevant_pages_and_on_no_other(pages: int) -> None:
    world = SyntheticWorld(pages=pages, seed=1)
    assert world.planted_terms == PLANTED
    found: dict[str, list[bool]] = {term: [] for term in PLANTED}
    for plan in world.plans():
        got = answer(world, world.url(plan.index))
        said = text(got) if got.status == 200 else ""
        for term in PLANTED:
            if term in said:
                found[term].append(plan.relevant)
    assert all(all(pages) and len(pages) >= 6 for pages in found.values())


def test_templates_are_as_many_as_promised() -> None:
    kinds = templates().kinds
    assert len(set(kinds["rainstorm", "zh"].sentences)) >= 40
    assert len(set(kinds["rainstorm", "en"].sentences)) >= 25
    assert all(len(set(kinds[kind, "zh"].sentences)) >= 25 for kind in KINDS)
    assert all(len(set(sentences)) >= 5 for sentences in templates().planted.values())
    assert all(term in s for term, sentences in templates().planted.items() for s in sentences)


@pytest.mark.slow
def test_pages_are_parsed_with_title_links_text_and_dates(world: SyntheticWorld) -> None:
    dated, encodings, kept = Counter[bool](), Counter[str](), []
    for plan in world.plans():
        if plan.role != "page":
            continue
        got = answer(world, world.url(plan.index))
        document = parse(got)
        assert not isinstance(document, Failure), (got.url, document)
        title = world.author.title(plan, world.host(plan))
        assert document.title.startswith(title)
        assert {link.url for link in document.links} == set(hrefs(got))
        written = [
            s for section in world.author.write(plan, world.host(plan)).sections for p in section.paragraphs for s in p
        ]
        kept.extend(sentence in document.text for sentence in written)
        dated[document.published is not None] += 1
        encodings[world.host(plan).encoding] += 1
    assert sum(kept) > 0.95 * len(kept)
    assert dated[True] > 0.9 * sum(dated.values())
    assert encodings["gbk"] >= 10


@pytest.mark.slow
def test_the_papers_judge_agrees_with_the_labels_mostly_but_not_always(world: SyntheticWorld) -> None:
    words = [("暴雨", 0.8, "rainstorm", "heavy rain"), ("气象", 0.1, "meteorology"), ("天气", 0.1, "weather")]
    words += [("灾害", 0.5, "disaster"), ("预防", 0.3, "prevention")]
    tk = [Word(zh, w, (("zh", zh), *(("en", form) for form in en))) for zh, w, *en in words]
    vocabulary, judge = Vocabulary("TK", tuple(tk)), relevance("paper_000")
    matcher = Matcher([vocabulary])
    verdicts = Counter[tuple[bool, bool]]()
    for plan in world.plans():
        got = answer(world, world.url(plan.index))
        if got.status == 200:
            document = parse(got)
            assert not isinstance(document, Failure)
            counts = matcher.count_segments(document.segments)["TK"]
            R = judge.page(counts, vocabulary.weights, Statistics({"TK": vocabulary}), "TK", 1000)
            verdicts[plan.relevant, R > 0.7] += 1
    found = verdicts[True, True] / (verdicts[True, True] + verdicts[True, False])
    false = verdicts[False, True] / (verdicts[False, True] + verdicts[False, False])
    assert 0.8 < found < 1.0
    assert 0.05 < false < 0.3


@pytest.mark.slow
def test_generic_anchors_are_there_in_both_languages(world: SyntheticWorld) -> None:
    said = "".join(text(answer(world, url)) for url in world.labels() if answer(world, url).status == 200)
    for word in ("更多", "详情", "read more"):
        assert f">{word}</a>" in said


def test_what_is_not_in_the_web_is_not_found(world: SyntheticWorld) -> None:
    page = world.url(300)
    for url in (f"{page}x", page.replace("300", "999999"), "http://qixiang.example/index.html", f"{page}?a=1"):
        assert answer(world, url).status == 404
    for url in (
        "http://nowhere.example/",
        "https://qixiang.example/",
        "http://qixiang-2.example/",
        "http://qixiang-01.example/",
    ):
        got = world.fetch(url)
        assert isinstance(got, Failure)
        assert got.reason == "dns"


@pytest.mark.slow
@pytest.mark.parametrize("pages", [50, 73, 600])
@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_in_memory_and_over_loopback_every_answer_is_the_same(preset: str, pages: int) -> None:
    world = SyntheticWorld(preset, pages, 5)
    with serve(world) as server:
        live = LiveWorld(resolve=parse_resolve(server.resolve))
        robots = [f"http://{host}/robots.txt" for host in world.hosts]
        odd = [f"http://{world.hosts[0]}/no-such-page"]
        for url in [*(world.url(i) for i in range(pages)), *robots, *odd]:
            mine, theirs = answer(world, url), answer(live, url)
            assert theirs == mine
        live.close()


def test_loopback_requests_take_no_time_and_close_hangs_up(world: SyntheticWorld) -> None:
    threads = threading.active_count()
    server = serve(world)
    live = LiveWorld(resolve=server.table)
    ended = [time.monotonic()]
    for index in range(100):
        live.fetch(world.url(index))
        ended.append(time.monotonic())
    assert statistics.median(np.diff(ended)) < 0.03  # s; a delayed acknowledgement takes .04
    server.close()
    server.close()
    assert isinstance(live.fetch(world.url(0)), Failure)
    live.close()
    for _ in range(100):
        if threading.active_count() <= threads:
            break
        time.sleep(0.02)
    assert threading.active_count() <= threads


def test_a_server_writes_its_table_and_labels_and_answers_head_and_strangers(
    world: SyntheticWorld, tmp_path: Path
) -> None:
    with serve(world) as server:
        assert server.url == f"http://127.0.0.1:{server.port}/"
        file = server.write_resolve(tmp_path / "resolve.txt")
        assert parse_resolve(Path(file).read_text("utf-8").splitlines()) == server.table
        name, _, key = server.write_labels(tmp_path / "labels.json").partition("#")
        assert json.loads(Path(name).read_text("utf-8"))[key] == list(world.relevant_urls())
        request = urllib.request.Request(server.url, method="HEAD", headers={"Host": "qixiang.example"})
        with urllib.request.urlopen(request, timeout=5) as head:
            assert (head.status, head.read()) == (200, b"")
        with pytest.raises(HTTPError, match="421") as stranger:
            urllib.request.urlopen(server.url, timeout=5)
        stranger.value.close()


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("synthetic:plantd", "no synthetic preset 'plantd'; choose one of: planted, tangled, clean"),
        ("synthetic:planted?page=5", "no parameter 'page'; it has: pages, seed"),
        ("synthetic:planted?pages=many", "pages must be an integer, not 'many'"),
        ("synthetic:planted?start=results", "say how many there are, as seeds=24"),
        (
            "synthetic:planted?seeds=4&start=random",
            "kind of seeds 'random'; choose one of: relevant, results, mixed",
        ),
        ("synthetic:planted?seeds=0", "at least one seed, not 0"),
        ("synthetic:planted?pages=10", "50 to 100000000 pages, not 10"),
        ("corpus:", "needs a folder"),
        ("archive:", "needs a folder of WARC files"),
        ("lives", r"no world 'lives'; choose one of: live \| synthetic"),
    ],
)
def test_a_bad_description_of_a_world_is_told(spec: str, message: str) -> None:
    with pytest.raises(WorldError, match=message):
        open_world(spec)


@pytest.mark.slow
@pytest.mark.parametrize("preset", ["planted", "rainstorm", "sports"])
@pytest.mark.parametrize(("kind", "relevant"), [("relevant", [24, 24]), ("results", [18, 18]), ("mixed", [20, 22])])
def test_seeds_have_a_number_and_a_kind(preset: str, kind: str, relevant: list[int]) -> None:
    world = open_world(f"synthetic:{preset}?pages=40000&seed=2&seeds=24&start={kind}")
    assert isinstance(world, SyntheticWorld)
    seeds, labelled = world.seeds, set(world.relevant_urls())
    assert len(seeds) == len(set(seeds)) == 24 and seeds == world.seeds
    assert relevant[0] <= sum(url in labelled for url in seeds) <= relevant[1]
    assert all(isinstance(page := world.fetch(url), Response) and page.status == 200 for url in seeds)
    assert len({urlsplit(url).netloc for url in seeds}) > 8  # not from one corner of the web
    if kind == "mixed":
        assert set(seeds[:12]) <= labelled
    other = open_world(f"synthetic:{preset}?pages=40000&seed=3&seeds=24&start={kind}")
    assert isinstance(other, SyntheticWorld) and set(other.seeds) != set(seeds)


def test_a_web_with_too_few_pages_of_a_kind_is_told() -> None:
    world = open_world("synthetic:planted?pages=100&seeds=400")
    with pytest.raises(WorldError, match="pages of the kind relevant, not 400: change seeds="):
        world.seeds  # noqa: B018


def test_descriptions_of_worlds() -> None:
    small = open_world("synthetic:tangled?pages=70&seed=4")
    assert isinstance(small, SyntheticWorld)
    assert (small.preset.name, len(small), small.seed) == ("tangled", 70, 4)
    assert len(open_world("synthetic:planted")) == 1200  # type: ignore[arg-type]
    live = open_world("live", allow_loopback=True)
    assert isinstance(live, LiveWorld)
    live.close()


def test_draws_are_fixed_for_ever() -> None:
    draw = Draw(1, "test", 2)
    assert [draw.below(1000) for _ in range(5)] == GOLDEN
    assert Draw("a", 12).unit() != Draw("a1", 2).unit() != Draw("a", "12").unit()


GOLDEN = [685, 49, 872, 103, 983]


@settings(max_examples=50)
@given(st.integers(), st.integers(1, 50), st.integers(0, 60))
def test_draws_stay_in_their_ranges(seed: int, n: int, k: int) -> None:
    draw = Draw(seed)
    assert 0 <= draw.unit() < 1
    assert draw.below(n) in range(n)
    assert draw.between(3, 3 + n) in range(3, 4 + n)
    some = draw.sample(range(n), k)
    assert len(some) == len(set(some)) == min(n, k)
    assert set(some) <= set(range(n))
    assert 0 <= draw.weighted([0.5, 1.5, 1.5, 2.0]) < 4
