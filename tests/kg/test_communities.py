"""Communities and strongly connected components of arrays: planted ones, their numbers, and the modularity."""

from __future__ import annotations

import lzma
from collections import Counter
from pathlib import Path

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kg.ranking.crawl_ranks import _communities, _components
from kg.ranking.link_matrix import Ids, RankError

WIKISPEEDIA = Path(__file__).resolve().parents[3] / "shared" / "data" / "wikispeedia"
LINKS = st.integers(1, 12).flatmap(
    lambda n: st.tuples(st.just(n), st.lists(st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)), max_size=40))
)


def ends(links: list[tuple[int, int]]) -> tuple[list[int], list[int]]:
    return [s for s, _ in links], [t for _, t in links]


def planted(n: int, groups: int, inside: float, seed: int) -> tuple[Ids, Ids, Ids]:
    """Group of each node, and the ends of 20 n links, of which a share leads into the own group."""
    draw = np.random.default_rng(seed)
    group = draw.integers(0, groups, n)
    members = [np.flatnonzero(group == g) for g in range(groups)]
    source = draw.integers(0, n, 20 * n)
    own = np.array([draw.choice(members[group[s]]) for s in source])
    target = np.where(draw.random(20 * n) < inside, own, draw.integers(0, n, 20 * n))
    return group, source, target


def information(a: Ids, b: Ids) -> float:
    """Normalised mutual information of two partitions: 2 I / (H_a + H_b)."""

    def entropy(*labels: Ids) -> float:
        share = np.array(list(Counter(zip(*(x.tolist() for x in labels), strict=True)).values())) / len(labels[0])
        return float(-(share * np.log(share)).sum())

    return 2 * (entropy(a) + entropy(b) - entropy(a, b)) / (entropy(a) + entropy(b))


@pytest.mark.slow
@pytest.mark.parametrize(("inside", "least"), [(0.8, 0.99), (0.5, 0.95)])
def test_planted_communities_are_found(inside: float, least: float) -> None:
    group, source, target = planted(1_000, 8, inside, seed=1)
    found = _communities(1_000, source, target)
    assert information(found.number, group) > least
    assert information(np.random.default_rng(0).permutation(found.number), group) < 0.1
    assert _communities(1_000, source, target).number.tolist() == found.number.tolist()
    assert _communities(1_000, *planted(1_000, 8, 0.0, seed=1)[1:]).modularity < 0.2 < found.modularity


@pytest.mark.skipif(not WIKISPEEDIA.is_dir(), reason="shared/data/wikispeedia is not beside the project")
def test_communities_of_wikispeedia_agree_with_its_categories_and_shuffled_ones_do_not() -> None:
    """The first level of each page's first category, which the links do not name: History, Science, Geography .."""
    rows = _table((WIKISPEEDIA / "categories.tsv").read_text(encoding="utf-8"))
    category = dict(reversed([(name, path.split(".")[1]) for name, path in rows]))
    node = {name: number for number, name in enumerate(sorted(category))}
    links = _table(lzma.decompress((WIKISPEEDIA / "links.tsv.xz").read_bytes()).decode())
    pairs = [(node[s], node[t]) for s, t in links if s in node and t in node]
    found = _communities(len(node), *ends(pairs))
    truth = np.unique([category[name] for name in node], return_inverse=True)[1]
    shuffled = np.random.default_rng(0).permutation(found.number)
    assert len(pairs) > 100_000 and found.modularity > 0.35
    assert information(found.number, truth) > 0.2 > 0.05 > information(shuffled, truth)


def _table(text: str) -> list[tuple[str, str]]:
    lines = [line.split("\t") for line in text.splitlines() if line and not line.startswith("#")]
    return [(first, second) for first, second in lines]


def test_the_order_and_direction_of_links_do_not_matter() -> None:
    _, source, target = planted(300, 5, 0.7, seed=2)
    found = _communities(300, source, target)
    order = np.random.default_rng(3).permutation(len(source))
    turned = _communities(300, target[order], source[order])
    assert turned.number.tolist() == found.number.tolist()


@settings(max_examples=100)
@given(LINKS)
def test_communities_are_connected_numbered_by_size_and_of_the_told_modularity(
    web: tuple[int, list[tuple[int, int]]],
) -> None:
    n, links = web
    found = _communities(n, *ends(links))
    graph = nx.Graph()
    graph.add_nodes_from(range(n))
    for s, t in links:
        if s != t:
            graph.add_edge(s, t, weight=graph.get_edge_data(s, t, {"weight": 0})["weight"] + 1)
    groups = _groups(found.number)
    assert all(nx.is_connected(graph.subgraph(group)) for group in groups)
    expected = nx.community.modularity(graph, groups) if graph.edges else 0.0
    assert found.modularity == pytest.approx(expected)


@settings(max_examples=100)
@given(LINKS)
def test_components_are_those_of_networkx(web: tuple[int, list[tuple[int, int]]]) -> None:
    n, links = web
    graph = nx.DiGraph(links)
    graph.add_nodes_from(range(n))
    found = {frozenset(group) for group in _groups(_components(n, *ends(links)))}
    assert found == {frozenset(group) for group in nx.strongly_connected_components(graph)}


def _groups(number: Ids) -> list[list[int]]:
    """The nodes of each group, in order of its number; checks that larger groups, then those of smaller nodes, lead."""
    groups = [np.flatnonzero(number == g).tolist() for g in range(1, number.max() + 1)]
    assert groups == sorted(groups, key=lambda group: (-len(group), group[0]))
    return groups


def test_without_links_every_node_is_a_community() -> None:
    found = _communities(3, [1], [1])
    assert (found.number.tolist(), found.modularity) == ([1, 2, 3], 0.0)
    assert _communities(0, [], []).number.size == _components(0, [], []).size == 0


def test_ends_out_of_range() -> None:
    for compute in (_communities, _components):
        with pytest.raises(RankError, match="0 to 1"):
            compute(2, [0], [2])
