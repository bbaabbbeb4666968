"""References of a lab, the table [compare], and the lab of our own strategy."""

from __future__ import annotations

import csv
import tomllib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy import sparse

from crawler.scoring.link_evidence import TERMS
from crawler.strategies import STRATEGIES
from crawler.strategies.evidence_sum import EvidenceParameters
from ontocrawl.errors import UsageError
from ontocrawl.lab import definition, loading, own_comparison, references, results, statistics
from ontocrawl.lab.lab_ontologies import name_and_settings
from ontocrawl.lab.oracle import by_label, oracle
from ontocrawl.lab.running import Outcome, oracle_cells
from ontocrawl.lab.summaries import summary
from ontocrawl.lab.trace import Trace
from ontocrawl.lab.web import Web
from tests.ontocrawl.conftest import Command
from tests.ontocrawl.lab.test_web import of_links
from tools import own_lab

LAB = """
title = "Own"
fetches = 40
at = [20]
seeds = 2
unguided = ["breadth_first"]

[compare]
own = "shark"
each = true

[[worlds]]
name = "one"
world = "synthetic:planted?pages=300"
oracles = ["label", "distance", "judge"]

[[worlds]]
name = "two"
world = "synthetic:tangled?pages=300"
oracles = ["label", "distance", "judge"]

[axes]
strategy = ["breadth_first", "best_first", "shark"]
guide = ["published", "density"]
ontology = ["none"]
"""
LOOK_AHEAD = references.look_ahead("density")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    written = tmp_path / "own.toml"
    written.write_text(LAB, encoding="utf-8")
    return written


def test_the_label_oracle_follows_labels_but_not_distances() -> None:
    # 0 leads to the relevant 1 and to 2, 3; behind 3 lies the relevant 4, behind 2 nothing
    web = of_links(6, [(0, 2), (0, 3), (0, 1), (1, 5), (3, 4)], {1, 4})
    assert by_label(web) == (0, 1, 2, 3, 4, 5)
    assert oracle(web).order == (0, 1, 3, 4)


def test_the_label_oracle_needs_labels() -> None:
    with pytest.raises(ValueError, match="needs labels"):
        by_label(replace(of_links(2, [(0, 1)], set()), relevant=None))


@pytest.mark.slow
def test_a_lab_has_a_row_for_each_reference_and_the_table_of_its_own_strategy(
    command: Command, path: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    summary = command("lab", "run", path, "--out", out, "--jobs", "1", "--seeds", "1", "--json").json
    assert summary["failed"] == []
    assert summary["cells"] == 2 * (1 + 2 * 2) + 2 * (2 + 2)  # breadth_first once; a look-ahead by guide
    with (out / "results.csv").open(encoding="utf-8", newline="") as stream:
        rows = [row for row in csv.DictReader(stream) if row["at"] == "40"]
    found: dict[str, float] = {}
    for row in rows:
        if row["metric"] == "relevant_by_label":
            name = f"{row['strategy']}, {row['guide']}"
            found[name] = found.get(name, 0.0) + float(row["value"])
    ahead = {row["metric"]: float(row["value"]) for row in rows if row["strategy"] == LOOK_AHEAD}
    assert ahead["requests"] == ahead["dp"] == 40  # the pages that were looked at ahead do not count
    assert found[f"{references.ORACLE}, "] >= found["shark, density"] > 0
    assert found[f"{references.LABEL_ORACLE}, "] >= found["breadth_first, published"]
    assert found[f"{LOOK_AHEAD}, "] > found["best_first, density"] > found["breadth_first, published"]
    report = (out / "report.md").read_text(encoding="utf-8")
    assert "## shark against the best of the others" in report
    assert "judge look-ahead, density" in report
    assert "| density, 40 |" in report
    table = report.split("shark against each other strategy with the guide density.")[1].split("\n## ")[0]
    rows_of = [line.split(" | ") for line in table.splitlines() if line.startswith("| ")]
    assert [row[0] for row in rows_of] == ["| strategy", "| breadth_first", "| best_first"]
    assert "shark against each other strategy with the guide published." in report


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (('own = "shark"', 'own = "hits"'), "'hits' is not in the axis strategy"),
        (('unguided = ["breadth_first"]', 'unguided = ["bfs"]'), "'bfs' is not in the axis strategy"),
        (('["label", "distance", "judge"]', '["labels"]'), "oracles"),
    ],
)
def test_a_wrong_reference_is_an_error(path: Path, change: tuple[str, str], said: str) -> None:
    path.write_text(LAB.replace(*change), encoding="utf-8")
    with pytest.raises(UsageError, match=said):
        loading.load(str(path))


def trace_of(labelled: list[int], reached: int | None = None) -> Trace:
    """A crawl of as many pages, of which some are labelled; of an oracle if it is known how many can be reached."""
    n = len(labelled)
    facts = {"targets": 10, "requests": n, "stop": "", "seconds": 0.0, "choice_us": 0.0, "counts": "fetched"}
    return Trace(
        np.arange(1, n + 1), np.zeros(n), np.zeros(n, dtype=np.bool_), np.array(labelled, dtype=np.bool_),
        np.full(n, -1), np.arange(n, dtype=np.uint64), facts if reached is None else {**facts, "reached": reached},
    )  # fmt: skip


FOUND = {"breadth_first": 1, "best_first": 2, "shark": 4, references.LABEL_ORACLE: 6, LOOK_AHEAD: 6}
"""Labelled pages of 8 that a crawler finds within 10 requests, from the first start; from the second one more."""


Made = tuple[definition.Lab, list[results.Comparison], dict[own_comparison.Block, int]]


@pytest.fixture
def made(path: Path) -> Made:
    """`FOUND` at guide density, where eight labelled pages of the world `one` and 16 of `two` can be reached."""
    lab = definition.smaller(loading.load(str(path))[0], 10, None)
    cells = [cell for cell in lab.cells() if cell.guide == "density" or cell.strategy == "breadth_first"]
    outcomes = []
    for cell in [*cells, *oracle_cells(lab)]:
        if cell.strategy in FOUND:
            n = FOUND[cell.strategy] + cell.seed - (cell.world == "one")
            reached = {"one": 8, "two": 16}[cell.world] if cell.strategy == references.LABEL_ORACLE else None
            trace = trace_of([1] * n + [0] * (10 - n), reached)
            outcomes.append(Outcome(cell, summary(trace, lab.milestones_of(cell.world))))
    at = [results.compare(lab, results.measured(outcomes), own_comparison.METRIC, 10)]
    return lab, at, own_comparison.targets(outcomes)


def test_own_is_set_against_each_other_strategy(made: Made) -> None:
    lab, at, most = made
    found = {name: one for name, (one,) in own_comparison._differences(lab, "shark", at, "density", most)}
    assert list(found) == ["breadth_first", "best_first"]
    assert found["breadth_first"].difference.tolist() == pytest.approx([37.5, 37.5, 18.75, 18.75])
    assert found["best_first"].by_web() == {"one": 25.0, "two": 12.5}
    assert list(own_comparison._differences(lab, "shark", at, "published", most)) == []


def test_own_is_set_against_the_best_of_the_same_guide(made: Made) -> None:
    lab, at, most = made
    (one,) = own_comparison._against(lab, "shark", at, "density", most, any_guide=False)
    assert one.best == "best_first, density"
    assert one.own.tolist() == [100 * 3 / 8, 100 * 4 / 8, 100 * 4 / 16, 100 * 5 / 16]
    assert one.by_web() == {"one": 25.0, "two": 12.5}
    assert one.behind(references.LABEL_ORACLE) == pytest.approx((25 + 12.5) / 2)
    assert one.behind(references.ORACLE) is None
    assert one.closed() == pytest.approx(0.5)


def test_an_interval_over_webs_is_wider_than_one_over_crawls() -> None:
    values = [1.0, 1.0, 1.0, 5.0, 5.0, 5.0, 2.0, 2.0, 2.0, 8.0, 8.0, 8.0]
    webs = [web for web in "abcd" for _ in range(3)]
    low, high = statistics.cluster_interval(values, webs)
    assert low < 4.0 < high
    assert (low, high) == statistics.mean_interval([1.0, 5.0, 2.0, 8.0])
    narrow = statistics.mean_interval(values)
    assert high - low > narrow[1] - narrow[0]
    with pytest.raises(statistics.StatisticsError, match="at least two"):
        statistics.cluster_interval([1.0, 2.0], ["a", "a"])
    with pytest.raises(statistics.StatisticsError, match="needs a cluster"):
        statistics.cluster_interval([1.0, 2.0], ["a"])


# ---- the lab `own` ----------------------------------------------------------------------------------------------


def ring() -> Web:
    """A ring of twelve pages both ways, labelled 0, 1, 2, with a chord from 5 to 1; 12 is not in it."""
    links = [(i, (i + 1) % 12) for i in range(12)] + [((i + 1) % 12, i) for i in range(12)]
    return of_links(13, [*links, (5, 1), (0, 12)], {0, 1, 2})


def test_the_starts_are_chosen_by_links_and_labels() -> None:
    web = ring()
    assert web.relevant is not None
    core, near, far = own_lab.starts(web, web.relevant)
    assert core == 1  # both other labelled pages link to it
    assert near == 3  # 3 and 11 have two links and 5 has three: of the median degree 2, the second by name
    A = sparse.csr_array((np.ones(len(web.source), dtype=np.int64), (web.source, web.target)), shape=(13, 13))
    away = own_lab.distances(A, web.relevant)
    assert away.tolist() == [0, 0, 0, 1, 2, 1, 2, 3, 4, 3, 2, 1, 13]
    assert not own_lab.connected_part(A)[12]
    assert away[far] == 2  # more pages are 2 links away than 3 or 4: of less than MOST_DISTANT pages, the most


def test_the_lab_has_every_published_strategy_that_words_can_steer() -> None:
    lab = tomllib.loads(loading.shipped()["own"])
    named = set(lab["axes"]["strategy"])
    left_out = set(own_lab.need_ontology()) | set(own_lab.NOT_PUBLISHED)
    assert named == (set(STRATEGIES) - left_out) | {own_lab.OWN}
    assert {world["name"] for world in lab["worlds"]} == own_lab.TOPICS.keys()
    for world in lab["worlds"]:
        assert world["topic"] == f"{definition.TOPICS}/{world['name']}.toml"
        assert len(world["starts"]) == len(set(world["starts"])) == lab["seeds"] == 3


@pytest.mark.slow
def test_the_lab_is_what_its_generator_writes() -> None:
    data = Path(__file__).resolve().parents[4] / "shared" / "data"
    if not (data / "wikispeedia").is_dir():
        pytest.skip("wikispeedia is not on this machine: put it into ../shared/data")
    assert own_lab.main(["--check", "--data", str(data)]) == 0


def test_the_ablation_leaves_out_each_term_on_the_same_starts() -> None:
    own, ablation = (tomllib.loads(loading.shipped()[name]) for name in ("own", "ablation"))
    assert [world["starts"] for world in ablation["worlds"]] == [world["starts"] for world in own["worlds"]]
    lab = loading.parsed(loading.shipped()["ablation"], "ablation")
    cells = [name_and_settings(cell.strategy) for cell in lab.cells() if (cell.world, cell.seed) == ("plants", 0)]
    assert [given.get("without") for _, given in cells] == [None, *TERMS]
    assert {EvidenceParameters(**given).without for _, given in cells} == {"none", *TERMS}


def test_its_topics_are_loaded_from_the_package(tmp_path: Path) -> None:
    (tmp_path / "wikispeedia").mkdir()
    for name in ("categories.tsv", "topics.json"):
        (tmp_path / "wikispeedia" / name).touch()
    lab, _ = loading.load("own", tmp_path)
    assert all(Path(world.topic).is_file() for world in lab.worlds)
