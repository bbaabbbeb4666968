from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crawler.frontier.link_graph import LinkGraph
from crawler.journal.snapshot import pack, unpack
from crawler.model import Floats, Ids
from crawler.scoring.feature_key import FeatureKey
from crawler.scoring.features import FeatureError, LinkFeatures, _PooledCounts, expand
from crawler.scoring.relevance import RELEVANCE
from crawler.scoring.statistics import Statistics
from crawler.text import Matcher, Vocabulary, Word
from kg.ranking.pagerank import pagerank


def vocabulary(name: str, **words: float) -> Vocabulary:
    return Vocabulary(name, tuple(Word(form, w, (("en", form),)) for form, w in words.items()))


VOCABULARIES = {
    "TK": vocabulary("TK", rain=0.8, flood=0.5, warning=0.3),
    "LTK_1": vocabulary("LTK_1", radar=0.6, warning=0.4),
    "LTK_2": vocabulary("LTK_2", landslide=0.7),
}
ALL = (
    "anchor:*",
    "context:TK",
    "parents:TK",
    "parents_sum:TK",
    "target:*",
    "pagerank",
    "pagerank_raw",
    "pagerank_plain",
    "pagerank_crawled",
)


def ids(*values: int) -> Ids:
    return np.array(values, dtype=np.int64)


class Web:
    """Features, graph and statistics fed as the loop feeds them."""

    def __init__(self, names: Sequence[str] = ALL, **options: Any) -> None:
        self.graph = LinkGraph()
        self.statistics = Statistics(VOCABULARIES)
        self.matcher = Matcher(list(VOCABULARIES.values()))
        columns = expand(names, list(VOCABULARIES))
        self.features = LinkFeatures(
            columns, VOCABULARIES, RELEVANCE["paper_000"], self.statistics, self.graph, **options
        )

    def page(self, page: int, R: float, links: Sequence[int], anchors: Sequence[str]) -> None:
        self.statistics.add(self.matcher.count(" ".join(anchors)))
        self.graph.grow(max([page, *links]) + 1)
        self.graph.add(page, links)
        counts = self.matcher.count_many(anchors)
        self.features.add_page(page, dict.fromkeys(VOCABULARIES, R))
        self.features.add_links(ids(*links), counts, counts, page)

    def column(self, name: str, *links: int) -> list[float]:
        return self.features.compute(ids(*links))[name].tolist()


def test_anchors_are_pooled_over_all_parents() -> None:
    web = Web()
    web.page(0, 0.9, [2, 3], ["rain", "about us"])
    web.page(1, 0.5, [3, 2], ["flood", "flood warnings"])
    F = np.array([[1, 1, 1], [0, 1, 0]])
    expected = RELEVANCE["paper_000"].anchors(F, VOCABULARIES["TK"].weights, web.statistics, "TK")
    assert web.column("anchor:TK", 2, 3) == expected.tolist()
    assert web.column("context:TK", 2, 3) == expected.tolist()
    assert web.column("anchor:LTK_1", 2, 3) == pytest.approx([0.4 / np.hypot(0.6, 0.4), 0.0])


def test_parents_have_a_mean_and_a_sum() -> None:
    """Trap T2."""
    web = Web()
    web.page(0, 0.9, [2, 3], ["", ""])
    web.page(1, 0.5, [3], [""])
    assert web.column("parents:TK", 2, 3, 0) == pytest.approx([0.9, 0.7, 0.0])
    assert web.column("parents_sum:TK", 2, 3, 0) == pytest.approx([0.9, 1.4, 0.0])


def test_a_target_is_predicted_from_anchor_and_parents() -> None:
    """Trap T4."""
    web = Web()
    web.page(0, 0.6, [1, 2], ["rain", "x"])
    assert web.column("target:TK", 1, 2) == pytest.approx([0.5 * 0.8 / np.sqrt(0.98) + 0.3, 0.3])
    assert web.column("target:LTK_2", 1, 2) == pytest.approx([0.3, 0.3])


@pytest.mark.parametrize("mode", ["cached", "oracle"])
def test_a_target_that_is_known_is_not_predicted(mode: str) -> None:
    web = Web(["target:*"], target=mode, known_target=lambda link, V: 0.77 if (link, V) == (1, "TK") else None)
    web.page(0, 0.6, [1, 2], ["rain", "x"])
    assert web.column("target:TK", 1, 2) == pytest.approx([0.77, 0.3])
    assert web.column("target:LTK_1", 1) == pytest.approx([0.3])


def test_pagerank_is_that_of_the_repaired_equation_8() -> None:
    web = Web(["anchor:TK", "pagerank", "pagerank_raw"])
    web.page(0, 0.9, [1, 2, 3], ["rain", "", "flood"])
    web.page(1, 0.9, [2, 0], ["rain warning", ""])
    assert web.column("pagerank_raw", 3)[0] > 0.15
    web.features.refresh_pagerank()
    R: list[float] = []
    for F, links in (([[1, 0, 0], [0, 0, 0], [0, 1, 0]], 1), ([[1, 0, 1], [0, 0, 0]], 2)):
        known = Statistics(VOCABULARIES)
        known.restore({"N": links, "containing": {"TK": N_I[links], "LTK_1": [0, links - 1], "LTK_2": [0]}})
        R += RELEVANCE["paper_000"].anchors(np.array(F), VOCABULARIES["TK"].weights, known, "TK").tolist()
    PR = pagerank(4, web.graph.source, web.graph.target, anchor_relevance=R).values
    assert web.column("pagerank_raw", 0, 1, 2, 3) == pytest.approx(PR.tolist(), abs=1e-5)
    assert web.column("pagerank", 0, 1, 2, 3) == pytest.approx((PR / PR.max()).tolist(), abs=1e-5)


N_I = {1: [1, 1, 0], 2: [2, 1, 1]}


def random_pages(count: int, seed: int) -> Iterator[tuple[int, list[int], list[str]]]:
    """(page, links, anchors) as a crawl finds them: any known page, with links to popular pages and to new ones."""
    rng = np.random.default_rng(seed)
    waiting, known = [0], 1
    for _ in range(count):
        page = waiting.pop(int(rng.integers(len(waiting))))
        new = list(range(known, known + int(rng.integers(1, 4))))
        old = (known * rng.random(rng.integers(0, 6)) ** 3).astype(int).tolist()
        known += len(new)
        waiting += new
        links = [link for link in dict.fromkeys([*new, *old]) if link != page]
        yield page, links, [ANCHORS[i] for i in rng.integers(len(ANCHORS), size=len(links)).tolist()]


ANCHORS = ("rain", "flood warning", "rain flood", "about us", "")


@pytest.mark.slow
def test_pagerank_equals_batch_within_the_tolerance_after_each_of_1000_random_pages() -> None:
    """As a crawl runs it: solved over the whole graph every 25 pages, following page by page in between."""
    web = Web(["pagerank", "pagerank_raw"])
    R: list[float] = []
    expected = np.empty(0)
    worst = 0.0
    for number, (page, links, anchors) in enumerate(random_pages(1_000, seed=4), 1):
        web.page(page, 0.5, links, anchors)
        F = web.matcher.count_many(anchors)["TK"]
        R += RELEVANCE["paper_000"].anchors(F, VOCABULARIES["TK"].weights, web.statistics, "TK").tolist()
        n = web.graph.n
        start = np.concatenate((expected, np.ones(n - len(expected))))
        expected = pagerank(
            n, web.graph.source, web.graph.target, anchor_relevance=R, start=start, tolerance=1e-9, max_iterations=999
        ).values
        within = 1e-3
        if number % 25 == 0:
            web.features.refresh_pagerank()
            within = 2e-6
        found = web.features.compute(np.arange(n))
        off = float(np.abs(found["pagerank_raw"] / expected - 1).max())
        assert off <= within, f"after page {number}"
        assert found["pagerank"].max() == 1
        worst = max(worst, off)
    assert worst > 1e-5  # a value that was solved for after every page would show nothing
    assert web.graph.n > 1_900


def test_between_two_refreshes_a_page_passes_its_rank_on() -> None:
    web = Web(["pagerank_raw"])
    web.page(0, 0.5, [1, 2], ["", ""])
    assert web.column("pagerank_raw", 0, 1, 2) == pytest.approx([0.15, 0.15 + 0.85 * 0.15 / 2, 0.15 + 0.85 * 0.15 / 2])


def test_plain_pagerank_is_not_biased_by_anchors() -> None:
    """Eq. (6) of paper 002 beside the repaired Eq. (8) of paper 000."""
    web = Web(["anchor:TK", "pagerank_raw", "pagerank_plain"])
    web.page(0, 0.9, [1, 2, 3], ["rain", "", "flood"])
    web.page(1, 0.9, [2, 0], ["rain warning", ""])
    web.features.refresh_pagerank()
    PR = pagerank(4, web.graph.source, web.graph.target).values
    assert web.column("pagerank_plain", 0, 1, 2, 3) == pytest.approx(PR.tolist(), abs=1e-5)
    assert web.column("pagerank_raw", 0, 1, 2, 3) != pytest.approx(PR.tolist(), abs=1e-2)
    alone = Web(["pagerank_plain"])
    alone.page(0, 0.9, [1, 2, 3], ["rain", "", "flood"])
    assert list(alone.features.state()["PR"]) == ["plain"]


def test_pagerank_over_the_crawled_pages_is_that_of_their_web_alone() -> None:
    """Paper 000, section 4.2: all crawled pages are the entire web; no rank leaks to pages that are not crawled."""
    web = Web(["pagerank_plain", "pagerank_crawled"])
    rng = np.random.default_rng(3)
    for page in range(60):
        links = rng.choice(400, size=12, replace=False)
        links = links[links != page]
        web.page(page, 0.5, links.tolist(), [""] * len(links))
    web.features.refresh_pagerank()
    source, target = web.graph.source, web.graph.target
    inside = target < 60
    expected = pagerank(60, source[inside], target[inside]).values
    assert web.column("pagerank_crawled", *range(60)) == pytest.approx(expected.tolist(), abs=1e-5)
    assert np.mean(expected) > 2 * np.mean(web.column("pagerank_plain", *range(60)))
    C = np.bincount(source[inside], minlength=60)
    for link in (60, 61, 399):
        parents = source[target == link]
        PR = 0.15 + 0.85 * sum(expected[i] / (C[i] + 1) for i in parents)  # as if it were the next page
        assert web.column("pagerank_crawled", link) == pytest.approx([PR], abs=1e-5)


def test_a_page_without_links_is_one_of_the_crawled_pages() -> None:
    web = Web(["pagerank_crawled"])
    web.page(0, 0.5, [1], [""])
    web.page(1, 0.5, [], [])
    assert web.column("pagerank_crawled", 0, 1) == pytest.approx([0.15, 0.15 + 0.85 * 0.15])


def test_a_restored_state_goes_on_as_if_nothing_had_happened() -> None:
    one, other = Web(), Web()
    pages: list[tuple[int, float, list[int], list[str]]] = [
        (0, 0.9, [1, 2, 3], ["rain", "flood radar", ""]),
        (1, 0.3, [2, 0, 70], ["landslide", "", "warning warning"]),
        (2, 0.1, [70, 1], ["radar", "rain flood"]),
    ]
    one.page(*pages[0])
    one.features.refresh_pagerank()
    one.page(*pages[1])
    other.statistics.restore(one.statistics.state())
    other.graph.grow(one.graph.n)
    for page, _, links, _ in pages[:2]:
        other.graph.add(page, links)
    other.features.restore(one.features.state())
    for web in (one, other):
        web.page(*pages[2])
        web.features.refresh_pagerank()
    everything = np.arange(one.graph.n)
    mine, its = one.features.compute(everything), other.features.compute(everything)
    assert list(mine) == list(its) == list(one.features.names)
    assert all(np.array_equal(mine[name], its[name]) for name in mine)


def test_a_chain_of_changes_is_the_state() -> None:
    one, chain = Web(), list[bytes]()
    for number, (page, links, anchors) in enumerate(random_pages(60, seed=5)):
        one.page(page, number / 60, links, anchors)
        if number % 20 == 10:
            one.features.refresh_pagerank()
            chain.append(pack(one.features.changes() if chain else one.features.state()))
            one.features.saved()
            one.graph.saved()
            other = Web()
            other.statistics.restore(one.statistics.state())
            other.graph.restore(one.graph.state())
            other.features.restore(unpack(*chain))
            assert pack(other.features.state()) == pack(one.features.state())
    assert len(chain) == 3


def test_many_links_are_scored_by_their_distinct_counts() -> None:
    """Bitwise as if each link were scored, in blocks: the way to the result does not change a crawl."""
    n = 2 * 16_384 + 7
    F = np.random.default_rng(0).integers(0, 3, (n, 3))
    web = Web(["anchor:TK"])
    web.statistics.restore({"N": 9, "containing": {"TK": [3, 2, 5], "LTK_1": [0, 1], "LTK_2": [4]}})
    web.graph.grow(n)
    web.features._anchors["TK"].add(np.arange(n), F)
    w, relevance = VOCABULARIES["TK"].weights, RELEVANCE["paper_000"]
    rows = np.flatnonzero(F.any(axis=1))
    expected = np.zeros(n)
    for first in range(0, len(rows), 16_384):
        block = rows[first : first + 16_384]
        expected[block] = relevance.anchors(F[block], w, web.statistics, "TK")
    assert web.features._anchors["TK"].vectors == 26
    assert np.array_equal(web.column("anchor:TK", *range(n)), expected)


def test_a_state_with_pagerank_of_an_older_form_is_refused() -> None:
    web = Web()
    for of_old in (np.full(1, 0.15), {"target": np.empty(0)}):
        with pytest.raises(ValueError, match="PageRank was saved by another version"):
            web.features.restore(web.features.state() | {"PR": of_old})


def test_only_declared_columns_are_kept() -> None:
    web = Web(["anchor:TK"])
    assert not web.features.needs_context
    web.page(0, 0.5, [1], ["rain radar"])
    web.features.refresh_pagerank()
    assert list(web.features.compute(ids(1))) == ["anchor:TK"]
    assert set(web.features.state()["anchors"]) == {"TK"}
    assert web.features.state()["PR"] == {}
    assert Web(["context:TK"]).features.needs_context
    assert Web([]).features.compute(ids(3)) == {}


def test_patterns_become_columns() -> None:
    names = ["TK", "GTK", "LTK_1", "LTK_2"]
    assert expand(["target:LTK_*", "pagerank", "anchor:TK", "target:LTK_1"], names) == (
        "target:LTK_1", "target:LTK_2", "pagerank", "anchor:TK",
    )  # fmt: skip
    assert expand([], names) == ()
    with pytest.raises(FeatureError, match="nearest is anchor:GTK"):
        expand(["anchr:GTK"], names)
    with pytest.raises(FeatureError, match=r"target:LTK_\*"):
        expand(["target:LTK_*"], ["TK"])
    assert expand(["target:LTK_*@a", "pagerank@b", "target:LTK_1"], names) == (
        "target:LTK_1@a", "target:LTK_2@a", "pagerank@b", "target:LTK_1",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("pagerank", FeatureKey("pagerank")),
        ("anchor:TK", FeatureKey("anchor", "TK")),
        ("anchor:TK@paper_002", FeatureKey("anchor", "TK", "paper_002")),
        ("pagerank_raw@paper_000", FeatureKey("pagerank_raw", guide="paper_000")),
        ("target:LTK_*@a", FeatureKey("target", "LTK_*", "a")),
    ],
)
def test_a_key_is_read_and_written(text: str, key: FeatureKey) -> None:
    assert FeatureKey.parse(text) == key
    assert str(key) == text
    assert key.under("") == FeatureKey.parse(key.column)


@pytest.mark.parametrize(
    ("name", "pattern", "matches"),
    [
        ("target:LTK_1", "target:LTK_*", True),
        ("target:LTK_1@a", "target:LTK_*@a", True),
        ("target:LTK_1@a", "target:LTK_*", False),
        ("target:LTK_1", "target:LTK_1@a", False),
        ("parents_sum:TK", "parents:TK", False),
        ("pagerank_raw", "pagerank*", True),
        ("anchor:TK", "*:TK", True),
    ],
)
def test_a_pattern_names_columns_of_its_own_guide(name: str, pattern: str, matches: bool) -> None:
    assert FeatureKey.parse(name).matches(FeatureKey.parse(pattern)) is matches


@pytest.mark.parametrize(
    ("mistake", "message"),
    [
        (lambda web: web.features.add_links(ids(1), {}, None, 0), "without add_page"),
        (lambda web: web.page(0, 0.1, [1, 1], ["", ""]), "distinct"),
        (lambda web: web.features.add_page(0, {"TK": 0.1}), "LTK_1"),
        (lambda web: (web.graph.grow(2), web.graph.add(0, [1]), web.features.refresh_pagerank()), "add_links got 0"),
    ],
)
def test_wrong_orders_are_refused(mistake: Callable[[Web], object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        mistake(Web())


def test_contexts_that_are_needed_must_be_given() -> None:
    web = Web()
    web.features.add_page(0, dict.fromkeys(VOCABULARIES, 0.5))
    with pytest.raises(ValueError, match="contexts"):
        web.features.add_links(ids(1), web.matcher.count_many(["x"]), None, 0)


@pytest.mark.parametrize(("target", "message"), [("peek", "peek"), ("cached", "known_target")])
def test_modes_of_the_target(target: str, message: str) -> None:
    with pytest.raises(FeatureError, match=message):
        Web(["target:TK"], target=target)


BATCH = st.lists(st.tuples(st.integers(0, 9), st.lists(st.integers(0, 3), min_size=3, max_size=3)), max_size=6)


@pytest.mark.slow
@settings(max_examples=60)
@given(st.lists(BATCH.map(dict), max_size=8))
def test_pooled_counts_equal_a_dense_table(batches: list[dict[int, list[int]]]) -> None:
    pool, dense = _PooledCounts(3), np.zeros((10, 3), dtype=np.int64)
    for batch in batches:
        links, counts = ids(*batch), np.array(list(batch.values()), dtype=np.int64).reshape(-1, 3)
        pool.add(links, counts)
        dense[links] += counts
        copy = _PooledCounts(3)
        copy.restore(pool.state())
        pool = copy
    everything = np.arange(10)
    assert np.array_equal(pool.get(everything), dense)
    assert np.array_equal(pool.has(everything), dense.any(axis=1))
    different = {tuple(row) for row in dense.tolist() if any(row)}
    assert {tuple(row) for row in pool.table(np.arange(pool.vectors)).tolist() if any(row)} == different
    assert np.array_equal(pool.get(everything[::-1]), dense[::-1])


def test_columns_have_the_shape_of_the_question() -> None:
    web = Web()
    web.page(0, 0.9, [1, 2], ["rain", "flood"])
    columns: dict[str, Floats] = web.features.compute(ids())
    assert {len(values) for values in columns.values()} == {0}
    repeated = web.features.compute(ids(2, 1, 2))
    assert all(values[0] == values[2] for values in repeated.values())
