"""The calibrated webs: the same for any number of pages, labelled before they are written, moved by each parameter."""

from __future__ import annotations

import subprocess
import sys
import time
from collections import Counter
from hashlib import blake2b
from pathlib import Path
from urllib.parse import urlsplit

import numpy as np
import pytest

from crawler.model import Failure, Response
from crawler.pages.parse import parse
from crawler.url import canonical
from crawler.worlds import LiveWorld, SyntheticWorld, WorldError, open_world
from crawler.worlds.synthetic import CALIBRATED, CalibratedWorld, serve
from crawler.worlds.synthetic.calibrated import hashing
from crawler.worlds.synthetic.calibrated.district import FULL, HIDDEN, PAGES, SILENT, _community_sizes
from crawler.worlds.synthetic.calibrated.parameters import NAMES, Parameters
from crawler.worlds.synthetic.calibrated.text import hosts, topic
from crawler.worlds.synthetic.calibrated.world import _EMPTY, _GENERIC, _MISLEADING, _NAMING

NAMES_OF_PRESETS = sorted(CALIBRATED)


def web(preset: str = "rainstorm", pages: int = PAGES, seed: int = 1, **parameters: float) -> CalibratedWorld:
    return CalibratedWorld(preset, pages, seed, parameters)


def body(world: CalibratedWorld, index: int) -> Response:
    got = world.fetch(world.url(index))
    assert isinstance(got, Response) and got.status == 200
    return got


def text(response: Response) -> str:
    return response.body.decode(response.headers["content-type"].rpartition("=")[2])


def digest(world: CalibratedWorld, indices: range) -> str:
    state = blake2b()
    for index in indices:
        got = body(world, index)
        state.update(repr((got.url, sorted(got.headers.items()), got.body)).encode())
    return state.hexdigest()


@pytest.mark.slow
def test_the_same_seed_gives_the_same_bytes_in_another_process() -> None:
    program = "from tests.crawler.test_calibrated import digest, web;print(digest(web(seed=7), range(0, 9000, 90)))"
    root = Path(__file__).parents[2]
    environment = {"PYTHONHASHSEED": "123", "PATH": "", "PYTHONPATH": str(root)}
    other = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=root, env=environment
    )
    assert other.stdout.strip() == digest(web(seed=7), range(0, 9000, 90))
    assert digest(web(seed=8), range(0, 900, 90)) != digest(web(seed=7), range(0, 900, 90))


@pytest.mark.parametrize("preset", NAMES_OF_PRESETS)
def test_a_page_is_the_same_in_any_order_and_for_any_number_of_pages(preset: str) -> None:
    small, large = web(preset, 2 * PAGES), web(preset, 50 * PAGES)
    for index in (19_999, 3, 12_345, 3, 10_000):
        assert small.plan(index) == large.plan(index) and small.url(index) == large.url(index)
        assert set(small.targets(index)) <= set(large.targets(index)) | set(small.targets(index))
    alike = [index for index in range(0, 2 * PAGES, 97) if small.targets(index) == large.targets(index)]
    assert len(alike) > 0.5 * len(range(0, 2 * PAGES, 97))  # the others have a link to a page past the end of one
    assert all(body(small, index) == body(large, index) for index in alike[:20])
    assert any(body(small, index) == body(large, index) for index in alike)


@pytest.mark.slow
def test_a_million_pages_need_no_build_and_labels_no_text() -> None:
    begun = time.process_time()
    huge = web(pages=1_000_000)
    for index in (0, 999_999, 123_456):
        body(huge, index)
    assert time.process_time() - begun < 2.0
    relevant = huge.relevant_urls()
    assert len(relevant) == 21_000 and huge.area.cache_info().currsize <= 128
    assert time.process_time() - begun < 10.0


def test_hashes_of_arrays_are_those_of_numbers() -> None:
    index, slot = np.array([0, 5, 10**9]), np.array([3, 0, 77])
    assert hashing.words(11, index, slot).tolist() == [
        hashing.word(11, i, s) for i, s in zip(index.tolist(), slot.tolist(), strict=True)
    ]
    assert hashing.word(1, 2, 3) == GOLDEN
    assert 0.45 < hashing.units(hashing.words(1, np.arange(10_000))).mean() < 0.55


GOLDEN = 13592992832856903821


@pytest.mark.slow
@pytest.mark.parametrize("preset", NAMES_OF_PRESETS)
def test_every_page_parses_and_every_link_leads_to_a_page(preset: str) -> None:
    world, encodings = web(preset, 2 * PAGES), Counter[str]()
    for index in range(0, 2 * PAGES, 157):
        plan, got = world.plan(index), body(world, index)
        page = parse(got)
        assert not isinstance(page, Failure), (got.url, page)
        assert page.title.startswith(world.writer.title(plan, world.host(plan)))
        assert {link.url for link in page.links} == {world.url(i) for i in world.targets(index)}
        assert canonical(got.url) == got.url and urlsplit(got.url).netloc in world.hosts
        encodings[world.host(plan).encoding] += 1
        if plan.role == "page" and world.host(plan).dates != "text":
            year, month, day = world.writer.date(plan)
            assert page.published is not None and page.published.startswith(f"{year}-{month:02}-{day:02}")
    assert encodings["gbk"] > 2


@pytest.mark.parametrize("preset", NAMES_OF_PRESETS)
def test_labels_are_those_of_the_plan(preset: str) -> None:
    world = web(preset)
    labels = world.labels()
    assert len(labels) == PAGES and sum(labels.values()) == round(world.parameters.base_rate * PAGES)
    assert [url for url, label in labels.items() if label] == list(world.relevant_urls())
    assert sum(plan.relevant for plan in world.plans()) == len(world.relevant_urls())
    assert all(url in labels for url in world.seeds) and len(set(world.seeds)) == 4
    assert sum(labels[url] for url in world.seeds) == 1


@pytest.mark.slow
@pytest.mark.parametrize("preset", NAMES_OF_PRESETS)
def test_planted_terms_stand_on_relevant_pages_only(preset: str) -> None:
    world = web(preset)
    pages: dict[str, list[str]] = {term: [] for term in world.planted_terms}
    for index in world.relevant_pages():
        plan = world.plan(index)
        for term in world.writer.terms(plan, world.host(plan).lang):
            pages[term].append(world.url(index))
    assert all(len(urls) >= 5 for urls in pages.values())
    for term, urls in pages.items():
        for url in urls[:5]:
            got = world.fetch(url)
            assert isinstance(got, Response) and term in text(got)
    for index in range(0, PAGES, 53):
        if not world.plan(index).relevant:
            assert not any(term in text(body(world, index)) for term in pages)


def shares(world: CalibratedWorld) -> dict[str, float]:
    """Figures of 4,000 pages of a web by its plan and links."""
    here = world.area(0)
    found = [(i, world.targets(i)) for i in range(4_000)]
    links = [(i, j) for i, out in found for j in out if j < 4_000]
    label = here.relevant
    of = {True: [0, 0], False: [0, 0]}
    for i, out in found:
        of[bool(label[i])][0] += sum(bool(world.area(j // PAGES).relevant[j % PAGES]) for j in out)
        of[bool(label[i])][1] += len(out)
    back = set(links)
    kinds = Counter(kind for i in range(4_000) for kind in world.block(i // 500).of(i)[1])
    degree = np.array([len(out) for _, out in found])
    to = np.bincount([j for _, out in found for j in out if j < PAGES], minlength=PAGES)
    relevant, irrelevant = here.kind == 0, here.kind > 0
    near = irrelevant & (here.kind <= world.kinds.near)
    hosts_of = np.sort(np.bincount(here.host, minlength=40))[::-1]
    sizes = np.bincount(here.community[relevant & (here.role != HIDDEN)])
    worth = np.sort(np.bincount(here.host[relevant], minlength=40))[::-1]
    inside = [
        (here.community[i], here.community[j]) for i, out in found for j in out if j < PAGES and label[i] and label[j]
    ]
    return {
        "base_rate": float(relevant.mean()),
        "locality": of[True][0] / of[True][1],
        "locality_other": of[False][0] / of[False][1],
        "naming": kinds[_NAMING] / kinds.total(),
        "generic": kinds[_GENERIC] / kinds.total(),
        "misleading": kinds[_MISLEADING] / kinds.total(),
        "empty": kinds[_EMPTY] / kinds.total(),
        "out_degree": float(np.median(degree)),
        "out_spread": float(np.quantile(degree, 0.95)),
        "hubs": sum(world.plan(i).role == "hub" for i in range(2_000)) / 2_000,
        "popularity": float(np.sort(to)[-PAGES // 100 :].sum() / to.sum()),
        "reciprocity": sum((j, i) in back for i, j in back) / len(back),
        "dead_ends": float((degree == 0).mean()),
        "menu": float(len(world._menu_links(500))),
        "tunnels": float((here.role == 2).sum()),
        "tunnelled": float((here.role == HIDDEN).sum()),
        "communities": float(len(sizes)),
        "community_skew": sizes.max() / sizes.sum(),
        "bridging": sum(a != b for a, b in inside) / len(inside),
        "hosts": hosts_of[:4].sum() / PAGES,
        "host_worth": worth[:4].sum() / relevant.sum(),
        "near": near.sum() / irrelevant.sum(),
        "near_words": float((here.voice[near] == FULL).mean()),
        "mentions": float((here.voice[irrelevant & ~near] != SILENT).mean()),
        "weak": float((here.voice[relevant] != FULL).mean()),
        "drift": -float(np.mean([len(b.split("暴雨")) for b in said(world)])),
        "dated": sum(world.writer.date(world.plan(i))[0] == 2013 for i in world.relevant_pages()) / relevant.sum(),
    }


def said(world: CalibratedWorld) -> list[str]:
    """The texts of relevant Chinese pages."""
    plans = [world.plan(i) for i in world.relevant_pages()]
    chinese = [p for p in plans if world.host(p).lang == "zh" and p.voice == FULL]
    texts = [world.writer.write(p, world.host(p)) for p in chinese]
    return ["".join(s for part in text.sections for block in part.paragraphs for s in block) for text in texts]


CHANGES = {
    "base_rate": 0.06, "locality": 0.4, "locality_other": 0.04, "naming": 0.8, "generic": 0.3, "misleading": 0.25,
    "empty": 0.2, "out_degree": 40, "out_spread": 2.0, "hubs": 0.08, "popularity": 6.0, "reciprocity": 0.45,
    "dead_ends": 0.1, "menu": 12, "tunnels": 3, "tunnelled": 0.4, "communities": 12, "community_skew": 1.8,
    "bridging": 0.6, "hosts": 1.6, "host_worth": 2.5, "near": 0.5, "near_words": 0.7, "mentions": 0.3, "weak": 0.6,
    "drift": 0.7, "dated": 0.9,
}  # fmt: skip


@pytest.fixture(scope="module")
def plain() -> dict[str, float]:
    return shares(web())


def test_every_parameter_is_tried() -> None:
    assert set(CHANGES) == set(NAMES) and all(CHANGES[n] > getattr(Parameters(), n) for n in NAMES)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_a_larger_parameter_moves_its_figure_up(name: str, plain: dict[str, float]) -> None:
    others = {"locality": {"bridging": 0.15}}.get(name, {})
    moved = shares(web(**{name: CHANGES[name], **others}))[name]
    assert moved > (plain[name] if name == "drift" else 1.1 * plain[name] + 0.02 * (plain[name] == 0))


def test_hidden_clusters_are_reached_by_gates_of_the_chosen_number_only() -> None:
    for length in (1, 3):
        world = web(tunnels=length)
        here = world.area(0)
        hidden = set(np.flatnonzero(here.role == HIDDEN).tolist())
        assert hidden
        entrances = [i for i in range(PAGES) if i not in hidden and hidden & set(world.targets(i))]
        assert {world.plan(i).role for i in entrances} == {"gate"}
        assert (here.role == 2).sum() == length * len({int(here.community[i]) for i in hidden})
    assert not (web(tunnels=0).area(0).role == HIDDEN).any()


def test_sizes_of_communities_fall_and_sum_to_the_open_pages() -> None:
    sizes = _community_sizes(Parameters(tunnels=0), 210)
    assert sum(sizes) == 210 and len(sizes) == 6 and sizes[0] > 2 * sizes[2] > 0


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("synthetic:rainstorm?tunnel=2", "has no parameter 'tunnel'; it has: pages, seed, base_rate, locality"),
        ("synthetic:rainstorm?tunnels=9", "tunnels must be a whole number from 0 to 6, not 9"),
        ("synthetic:rainstorm?tunnels=1.5", "tunnels must be a whole number"),
        ("synthetic:typhoon?misleading=2", "misleading must be a number from 0 to 1, not 2"),
        ("synthetic:typhoon?weak=nan", "weak must be a number from 0 to 1"),
        ("synthetic:sports?weak=many", "weak must be a number, not 'many'"),
        ("synthetic:event?naming=0.9&generic=0.4", "must sum to at most 1"),
        ("synthetic:event?pages=10", "1000 to 100000000 pages, not 10"),
        ("synthetic:evnt", "choose one of: planted, tangled, clean, rainstorm, typhoon"),
    ],
)
def test_a_bad_description_is_told(spec: str, message: str) -> None:
    with pytest.raises(WorldError, match=message):
        open_world(spec)


def test_a_description_changes_parameters() -> None:
    world = open_world("synthetic:rainstorm?pages=50000&seed=3&tunnels=2&misleading=0.2")
    assert isinstance(world, CalibratedWorld) and isinstance(world, SyntheticWorld)
    assert (len(world), world.seed, world.parameters.tunnels, world.parameters.misleading) == (50_000, 3, 2, 0.2)


def test_a_part_of_a_district_is_a_web() -> None:
    world = web(pages=1_000)
    assert all(target < 1_000 for index in range(1_000) for target in world.targets(index))
    assert len(world.labels()) == 1_000 and 5 < len(world.relevant_urls()) < 50


def test_what_is_not_in_the_web_is_not_found() -> None:
    world = web()
    page = world.url(300)
    for url in (f"{page}x", page.replace("300", "999999"), f"{page}?a=1", "http://chenbao.example/?a=1"):
        got = world.fetch(url)
        assert isinstance(got, Response) and got.status == 404
    for url in (
        "http://nowhere.example/",
        "https://chenbao.example/",
        "http://chenbao-2.example/",
        "http://chenbao-01.example/",
    ):
        assert isinstance(world.fetch(url), Failure)


def test_in_memory_and_over_loopback_every_answer_is_the_same() -> None:
    world = web("event", 1_000)
    with serve(world) as server:
        live = LiveWorld(resolve=server.table)
        for url in [*(world.url(i) for i in range(0, 1_000, 25)), f"http://{world.hosts[0]}/robots.txt"]:
            assert live.fetch(url) == world.fetch(url)
        live.close()


@pytest.mark.parametrize("preset", NAMES_OF_PRESETS)
def test_templates_are_whole(preset: str) -> None:
    texts = topic(preset)
    assert len(hosts()) == 40 and len(texts.kinds) == len(texts.near) + len(texts.others)
    assert all(term in sentence for term, sentences in texts.terms.items() for sentence in sentences)
    for templates in (*texts.subtopics, *texts.kinds):
        assert len(templates["zh"].sentences) >= 12 and len(templates["en"].sentences) >= 9
