"""Labs whose worlds differ, with printed tables and trained classifiers."""

from __future__ import annotations

import csv
import json
import re
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from crawler.strategies.block_parameters import ClassParameters
from ontocrawl.base import workspace
from ontocrawl.base.options import CrawlOptions
from ontocrawl.base.workspace import Workspace
from ontocrawl.errors import UsageError
from ontocrawl.lab import crawling, definition, loading, paper_claims, paper_tables, results, running
from ontocrawl.lab.definition import Cell, Lab, LabWorld, _LabClassifier
from ontocrawl.lab.paper_figures import _measure_chart
from ontocrawl.lab.paper_tables import AS_PRINTED, EVIDENCES, Found
from ontocrawl.lab.printed import printed
from ontocrawl.lab.results import Measured
from ontocrawl.lab.running import Outcome
from ontocrawl.lab.summaries import CURVES, Count, summary
from ontocrawl.lab.trace import Trace
from ontocrawl.runs import training
from tests.ontocrawl.conftest import Command

LAB = """
title = "Two papers"
fetches = 1000
at = [300]
seeds = 2

[[worlds]]
name = "first"
world = "synthetic:planted?pages=1500"
oracle = false
fetches = 60
at = [30]
printed = ["000 Table 4", "000 Table 5", "000 Table 7", "000 Table 6, sigma 0.7"]
axes.strategy = ["breadth_first", "best_first"]

[[worlds]]
name = "ahead"
world = "synthetic:planted?pages=1500"
oracle = false
fetches = 10
requests_per_page = 4
settings.target = "oracle"
printed = ["000 Table 4"]
axes.strategy = ["breadth_first", "fcsa"]

[[worlds]]
name = "calls"
world = "synthetic:planted?pages=1500"
oracle = false
fetches = 40
printed = ["004 Figure 2", "004 Table I", "001 Figure 4, gains"]
axes.strategy = ["best_first?formula=paper_004", "hits", "gafc"]

[[worlds]]
name = "classes"
world = "synthetic:planted?pages=1500"
oracle = false
fetches = 20
printed = ["003 Table 3"]
axes.strategy = ["best_first", "bcw_cc?classifier=news&S=RD"]

[axes]
ontology = ["none"]

[classifiers.news]
[[classifiers.news.sources]]
file = "{data}/headlines.tsv"
classes = { rain = "RD", ball = "SP" }
"""


@pytest.fixture
def empty(tmp_path: Path) -> Workspace:
    """A new workspace."""
    return workspace.init(tmp_path / "ws")


@pytest.fixture
def lab(tmp_path: Path) -> Path:
    path = tmp_path / "two.toml"
    path.write_text(LAB, encoding="utf-8")
    return path


def _headlines(folder: Path) -> Path:
    folder.mkdir()
    lines = [
        "label\ttitle",
        *(f"rain\t暴雨 灾害 预警 {n}" for n in range(12)),
        *(f"ball\t球队 比赛 {n}" for n in range(12)),
    ]
    (folder / "headlines.tsv").write_text("\n".join([*lines, "other\t股票"]), encoding="utf-8")
    return folder


def _section(report: str, heading: str) -> list[str]:
    _, _, rest = report.partition(f"\n## {heading}\n")
    return rest.partition("\n## ")[0].splitlines()


@pytest.mark.slow
def test_worlds_of_a_lab_have_their_own_crawlers_and_tables(command: Command, lab: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    summary = command("lab", "run", lab, "--out", out, "--jobs", "1", "--data", tmp_path, "--json").json
    with (out / "results.csv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    crawled = {(row["world"], row["strategy"]) for row in rows}
    assert {strategy for world, strategy in crawled if world == "calls"} == {
        "best_first?formula=paper_004", "hits", "gafc",
    }  # fmt: skip
    assert {int(row["at"]) for row in rows if row["world"] == "first"} == {30, 60}
    ahead = [row for row in rows if row["world"] == "ahead" and row["strategy"] == "fcsa"]
    requests = [float(row["value"]) for row in ahead if row["metric"] == "requests_at_dp"]
    assert all(10 < number <= 40 + 60 for number in requests)  # the page in which the budget ends is read to its end

    assert {one["strategy"] for one in summary["failed"]} == {"bcw_cc?classifier=news&S=RD"}
    assert "needs a data set" in summary["failed"][0]["error"]

    report = (out / "report.md").read_text(encoding="utf-8")
    assert report.index("## What holds of the papers") < report.index("## What was compared")
    claims = _section(report, "What holds of the papers")
    early = next(
        line for line in claims if line.startswith("| OPS has the highest accuracy early") and "| first |" in line
    )
    assert early.split(" | ")[3:6] == ["1,000", "60", "(undecided)"]  # one of seven others is here, behind it
    assert early.split(" | ")[-3:] == ["1 of 7", "–", "– |"]
    assert any("Intervals of 2 webs are too narrow" in line for line in claims)
    table = _section(report, "Paper 000 Table 4 on first")
    ops = next(line for line in table if line.startswith("| OPS (best")).strip("| ").split(" | ")
    assert ops[1:3] == ["60", "0.7440"]
    accuracy = {row["seed"]: float(row["value"]) for row in rows
                if (row["world"], row["strategy"], row["metric"], row["at"])
                == ("first", "best_first", "relevant_by_label", "60")}  # fmt: skip
    assert ops[4] == f"{np.mean(list(accuracy.values())) / 60:.4f}"
    place = next(line for line in table if line.startswith("| OPS | 0.744 |"))
    assert place.split(" | ")[2:4] == ["BFS", "holds"]
    assert any(line.startswith("| FCOSA_LG | 0.71 | – |") for line in table)  # not measured here
    overlap = _section(report, "Paper 004 Table I on calls")
    shared = [float(line.strip("| ").split(" | ")[2]) for line in overlap if line.startswith("| gafc and")]
    assert len(shared) == 2
    assert all(0 < ratio < 1 for ratio in shared)
    html = (out / "report.html").read_text(encoding="utf-8")
    assert "Printed as a picture only" in html
    assert 'id="figure-calls-004-figure-2-t"' in html


@pytest.mark.slow
def test_a_classifier_is_trained_once_in_the_workspace_of_the_lab(command: Command, lab: Path, tmp_path: Path) -> None:
    out, data = tmp_path / "out", _headlines(tmp_path / "data")
    lab.write_text(LAB[: LAB.index("[[worlds]]")] + LAB[LAB.index('[[worlds]]\nname = "classes"') :], encoding="utf-8")
    assert command("lab", "run", lab, "--out", out, "--jobs", "1", "--data", data, "--json").json["failed"] == []
    [file] = (out / "workspace" / "classifiers").glob("news-*/classifier.json")
    stamp = file.stat().st_mtime_ns
    again = command("lab", "run", lab, "--out", out, "--jobs", "1", "--data", data)
    assert "4 of 4 cells were there already" in again.err
    assert file.stat().st_mtime_ns == stamp
    assert json.loads(file.read_text(encoding="utf-8"))["tested"]["confusion"] == [[3, 0], [0, 3]]


def test_a_source_without_labels_is_one_class(tmp_path: Path) -> None:
    rows = [{"title": f"暴雨 {n}", "kind": "暴雨(2)"} for n in range(6)] + [{"title": "台风", "kind": "台风"}]
    (tmp_path / "news.jsonl").write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    (tmp_path / "other.csv").write_text("label,title\n" + "x,球队\n" * 5, encoding="utf-8")
    given = _LabClassifier.model_validate({"sources": [
        {"file": str(tmp_path / "news.jsonl"), "class": "RD", "where": {"kind": "暴雨"}},
        {"file": str(tmp_path / "other.csv"), "classes": {"x": "SP"}},
    ]})  # fmt: skip
    file = definition._trained("news", given, workspace.init(tmp_path / "ws"))
    found = json.loads(file.read_text(encoding="utf-8"))
    assert (found["texts"], found["tested"]["confusion"]) == ([4, 4], [[2, 0], [0, 1]])
    assert training.tested(file).words < training.FEW_WORDS  # titles are no pages


@pytest.mark.slow
@pytest.mark.parametrize(("world", "S"), [("rainstorm-003", "RD"), ("sports-003", "SP")])
def test_the_classifiers_of_the_papers_know_pages_of_webs_that_they_never_saw(
    world: str, S: str, tmp_path: Path
) -> None:
    lab = loading.parsed(loading.shipped()["papers"], "papers")
    name = f"{world.removesuffix('-003')}_pages"
    used = {one for one in map(str, lab.axes_of(world)["strategy"]) if "classifier" in one}
    assert {f"{one}?classifier={name}&S={S}" for one in ("fcbcw", "bcw_cc")} <= used
    assert {one.partition("&")[0].partition("=")[2] for one in used} == {name, name.replace("pages", "bayes")}
    file = definition._trained(name, lab.classifiers[name], workspace.init(tmp_path / "ws"))
    told = training.tested(file)
    assert told.texts == 240 and told.words > training.FEW_WORDS and told.accuracy > 0.9
    spec = lab.world(world).spec(0).replace("pages=1000000", "pages=10000")
    assert f"S={S}: {told.accuracy:.1%} of 240 held-out texts" in training.told(file, S, spec)
    classifier = training.of_parameters(ClassParameters(classifier=str(file), S=S))
    assert classifier is not None
    of_kinds = {
        kind: [classifier(page) == S for page in pages] for kind, pages in training.of_web(spec, {}, 50).items()
    }
    topic, others = of_kinds.pop("topic"), [one for kind in of_kinds.values() for one in kind]
    assert sum(topic) > len(topic) / 2 and sum(others) < len(others) / 5
    with pytest.raises(UsageError, match="which is crawled: take another seed"):
        training.told(file, S, f"{told.webs[0].partition('?')[0]}?pages=500000&seed=900001&seeds=3")


def test_an_unknown_classifier_is_refused(tmp_path: Path) -> None:
    space = workspace.init(tmp_path / "ws")
    with pytest.raises(UsageError, match=r"\[classifiers.nws\]"):
        definition.with_file({}, {"classifier": "nws"}, space)
    assert definition.with_file({}, {"classifier": "own.json"}, space) == {"classifier": "own.json"}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (('printed = ["000 Table 4"]', 'printed = ["000 Table 9"]'), "no paper prints"),
        (("[axes]", "[colours]"), "colours"),
        (('axes.strategy = ["breadth_first", "fcsa"]', ""), "strategy"),
        (('axes.strategy = ["breadth_first", "fcsa"]', 'axes = { strategy = ["fcsa"], target = ["predict"] }'), "axis"),
        (('classes = { rain = "RD", ball = "SP" }', ""), "either `classes` or, for a file, `class`"),
    ],
)
def test_an_invalid_world_is_refused(lab: Path, change: tuple[str, str], said: str) -> None:
    assert change[0] in LAB
    lab.write_text(LAB.replace(*change), encoding="utf-8")
    with pytest.raises(UsageError, match=said):
        loading.load(str(lab))


def test_a_smaller_lab_keeps_smaller_worlds_and_their_look_ahead(lab: Path) -> None:
    whole, _ = loading.load(str(lab))
    small = definition.smaller(whole, 20, 1)
    assert [small.fetches_of(world.name) for world in small.worlds] == [20, 10, 20, 20]
    assert small.requests_of("ahead") == 40
    assert whole.milestones_of("first") == (30, 60)
    assert small.milestones_of("first") == (20,)
    assert small.seeds == 1


COUNTS = (Count(0.62, False), Count(0.62, True))


def _trace(R: list[float], stop: str = "limit_requests") -> Trace:
    values = np.array(R)
    n = len(R)
    return Trace(
        requests=np.arange(1, n + 1), R=values, judged=values > 0.7, labelled=values > 0.5,
        parent=np.full(n, -1), pages=np.arange(n, dtype=np.uint64),
        facts={"requests": n, "targets": 10, "seconds": 1.0, "choice_us": 1.0, "counts": "fetched", "stop": stop},
    )  # fmt: skip


def _found(traces: dict[str, list[list[float]]], stop: str = "limit_requests") -> Found:
    seeds = max(map(len, traces.values()))
    lab = Lab.model_validate({
        "title": "x", "fetches": 4, "seeds": seeds, "axes": {"strategy": list(traces)},
        "worlds": [{"name": "w", "world": "synthetic:planted"}],
    })  # fmt: skip
    outcomes = [
        Outcome(Cell("w", "rainstorm", name, "published", "curated", (), seed), summary(_trace(R, stop), [4], COUNTS))
        for name, runs in traces.items()
        for seed, R in enumerate(runs)
    ]
    return Found(lab, "w", outcomes, results.measured(outcomes))


def test_pages_are_counted_by_the_threshold_of_the_table() -> None:
    found = _found({"best_first": [[0.9, 0.62, 0.6, 0.1], [0.8, 0.7, 0.65, 0.62]]})
    assert found.of("accuracy", AS_PRINTED, 4) == {"best_first": [0.25, 0.25]}
    at_least = Found(found.lab, "w", found.outcomes, found.cells, COUNTS[0])
    assert at_least.of("accuracy", AS_PRINTED, 4) == {"best_first": [0.5, 1.0]}
    assert at_least.of("lp", AS_PRINTED, 4) == {"best_first": [2.0, 4.0]}
    above = Found(found.lab, "w", found.outcomes, found.cells, COUNTS[1])
    assert above.of("accuracy", AS_PRINTED, 4) == {"best_first": [0.25, 0.75]}
    labels = EVIDENCES[1]
    assert above.of("accuracy", labels, 4) == found.of("accuracy", labels, 4) == {"best_first": [0.75, 1.0]}
    assert above.of("rc", labels, 4) == {"best_first": [0.3, 0.4]}


def test_the_lower_deviation_is_the_better_one() -> None:
    found = _found({"fcsa": [[0.9, 0.9, 0.9, 0.8]] * 2, "hits": [[0.9, 0.1, 0.9, 0.1]] * 2})
    [pair] = found.orders({"fcsa": 0.1, "hits": 0.3}, "sd", AS_PRINTED, 4)
    assert (pair.better, pair.verdict) == ("fcsa", "holds")
    [pair] = found.orders({"fcsa": 0.1, "hits": 0.3}, "accuracy", AS_PRINTED, 4)
    assert (pair.better, pair.verdict) == ("hits", "reversed")


def test_a_crawl_that_ran_out_of_links_is_in_no_verdict() -> None:
    three = [[0.9] * 4, [0.9] * 4, [0.9]]
    found = _found({"fcsa": three, "hits": [[0.1] * 4] * 3}, stop="frontier_empty")
    [pair] = found.orders({"fcsa": 0.3, "hits": 0.1}, "lp", AS_PRINTED, 4)
    assert (pair.verdict, pair.measured) == ("holds", 4.0)  # of the two that went on; with the third it would be 3
    early = _found({"fcsa": [[0.9]] * 2, "hits": [[0.1] * 4] * 2}, stop="frontier_empty")
    assert early.orders({"fcsa": 0.3, "hits": 0.1}, "lp", AS_PRINTED, 4) == []
    limited = _found({"fcsa": [[0.9]] * 2, "hits": [[0.1] * 4] * 2}, stop="limit_relevant")
    assert len(limited.orders({"fcsa": 0.3, "hits": 0.1}, "lp", AS_PRINTED, 4)) == 1


def test_a_part_is_shown_with_the_interval_of_what_it_adds() -> None:
    found = _found({"gafc": [[0.9] * 4, [0.8] * 4], "gafc?pn=0": [[0.9, 0.1, 0.1, 0.1]] * 2})
    part = next(part for part in printed().parts if part.id == "004 niche")
    *_, grid = paper_tables.of_part(part, found)
    assert isinstance(grid, paper_tables.Grid)
    assert grid.columns[:3] == ("crawler", "pages", "Accuracy, judge")
    assert [row[2] for row in grid.rows] == ["1.0000", "0.2500 (+0.7500 to +0.7500)"]


def test_each_part_and_claim_is_about_a_crawler_of_the_lab() -> None:
    lab = loading.parsed(loading.shipped()["papers"], "papers")
    on = {name: world for world in lab.worlds for name in world.printed}
    for part in printed().parts:
        assert set(part.names) <= set(lab.axes_of(on[part.id].name)["strategy"]), part.id
    for claim in printed().claims:
        assert claim.table in on, claim.text
        assert {*claim.better, *claim.worse} <= set(printed().by_id[claim.table].names), claim.text


@pytest.mark.parametrize(("worse", "cause"), [([0.9] * 4, paper_claims.SAME), ([0.9, 0.9, 0.9, 0.1], "–")])
def test_a_claim_about_crawls_that_are_all_the_same_says_so(worse: list[float], cause: str) -> None:
    claim = next(one for one in printed().claims if one.better == ("temporal_intent",))
    found = _found({"temporal_intent": [[0.9] * 4] * 2} | {name: [worse] * 2 for name in claim.worse})
    section = paper_claims.section({claim.table: ["w"]}, lambda world, source: found, 2)
    assert {row["cause"] for row in paper_claims.claims_in([section])} == {cause}


@pytest.mark.parametrize(
    ("web", "says"),
    [("synthetic:planted", "each run on another web"), ("synthetic:planted?seed=0", "all runs on one web")],
)
def test_repeated_runs_say_on_which_webs_they_were(web: str, says: str) -> None:
    found = _found({"fcosa_lg": [[0.9] * 4] * 5})
    lab = found.lab.model_copy(update={"worlds": (found.lab.worlds[0].model_copy(update={"world": web}),)})
    (runs,) = printed().runs
    (grid,) = paper_tables.of_runs(runs, replace(found, lab=lab))
    assert isinstance(grid, paper_tables.Grid) and grid.title == f"Here at DP 4, {says}."


def test_a_measured_value_of_one_seed_only_is_no_value() -> None:
    found = _found({"fcsa": [[0.9], [0.9]]})
    one = Found(found.lab, "w", found.outcomes[:1], list[Measured](found.cells[:1]))
    assert one.of("accuracy", AS_PRINTED, 4) == {}


def test_curves_of_figures_end_at_the_measures() -> None:
    found = _found({"fcsa": [[0.9, 0.2, 0.8], [0.9, 0.2, 0.8]]})
    crawl = found.outcomes[0].found
    assert crawl is not None
    for metric in CURVES:
        values = crawl.curves[metric]
        evidence = EVIDENCES[1] if metric == "rc" else AS_PRINTED
        assert values[-1] == pytest.approx(found.of(metric, evidence, 4)["fcsa"][0]), metric


def test_a_chart_is_an_svg_within_its_frame() -> None:
    points = {"甲 <a>": [(10, 0.2), (100, 0.9)], "b": [(10, 0.5), (100, 0.85)]}
    root = ElementTree.fromstring(_measure_chart(points, id_="x", title="t", y_name="AC", x_name="DP"))
    lines = [one.get("points", "") for one in root if one.tag.endswith("polyline")]
    assert len(lines) == 2
    (x0, y0), (x1, y1) = (tuple(map(float, point.split(","))) for point in lines[0].split())
    assert x0 < x1
    assert y0 > y1  # a larger value stands higher
    assert "甲 <a>" in [one.text for one in root]


def test_the_seeds_are_as_many_as_the_papers_say() -> None:
    """Section 6.1 of 000, section 5 of 001, section 3 of 002 and 003, section IV of 004."""
    lab = loading.parsed(loading.shipped()["papers"], "papers")
    seeds = {re.sub("-(oracle|grid|runs)$", "", world.name): world.seeds for world in lab.worlds}
    assert seeds == {
        "rainstorm-000": 30, "haiyan-001": 112, "rainstorm-002": 18, "typhoon-002": 30, "rainstorm-003": 24,
        "sports-003": 15, "call-for-papers-004": 20,
    }  # fmt: skip
    spec = lab.world("sports-003").spec(3)
    assert spec == "synthetic:sports?pages=1000000&seeds=15&start=results&seed=3"
    given = LabWorld(name="a", world="synthetic:sports?seed=7&seeds=2", seeds=15)
    assert given.spec(3) == "synthetic:sports?seed=7&seeds=2&start=relevant"
    for wrong in (
        {"world": "corpus:x", "seeds": 3}, {"world": "synthetic:sports", "seeds": 3, "seed_kind": "best"},
        {"world": "corpus:x", "seeds": 3, "starts": ("a",)},
        {"world": "corpus:x", "seeds": 3, "labels": "l.json#s", "seed_kind": "results"},
    ):  # fmt: skip
        with pytest.raises(ValueError, match="seeds"):
            LabWorld(name="a", **wrong)


def test_seeds_of_a_labelled_web_are_drawn_from_its_labels(empty: Workspace, tmp_path: Path) -> None:
    links = {f"p{at}": [f"p{(at + step) % 30}" for step in (1, 7)] for at in range(30)}
    rows = [{"name": name, "title": name, "text": f"rain {name}", "outlinks": to} for name, to in links.items()]
    (tmp_path / "pages.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    relevant = [f"p{at}" for at in range(0, 30, 3)]
    (tmp_path / "labels.json").write_text(json.dumps({"rain": relevant}), encoding="utf-8")
    lab = Lab.model_validate({
        "title": "t", "fetches": 8, "seeds": 2, "axes": {"strategy": ["breadth_first"], "ontology": ["none"]},
        "worlds": [{"name": "w", "world": f"corpus:{tmp_path}", "labels": f"{tmp_path}/labels.json#rain", "seeds": 4}],
    })  # fmt: skip
    traces = [
        crawling.run(running._job_of(lab, cell, running._Steering(lab, empty), empty), crawling.Webs())
        for cell in lab.cells()
    ]
    for trace in traces:
        assert trace.labelled is not None and trace.labelled[:4].all() and (trace.parent[:4] == -1).all()
    assert traces[0].pages[:4].tolist() != traces[1].pages[:4].tolist()


def test_a_crawl_that_ended_early_is_named() -> None:
    lab = Lab.model_validate({"title": "t", "worlds": [{"name": "w", "world": "synthetic:planted"}],
                              "axes": {"strategy": ["bcw_cc", "best_first"]}, "fetches": 100})  # fmt: skip
    facts = {"targets": 1, "requests": 1, "seconds": 1.0, "choice_us": 1.0, "counts": "fetched"}
    one = np.ones(4)
    trace = Trace(one.astype(np.int64), one, one > 0, one > 0, -one.astype(np.int64), one.astype(np.uint64), facts)
    dead, alive, *_ = (
        Outcome(cell, summary(replace(trace, facts={**facts, "stop": stop}), [100]))
        for cell, stop in zip(lab.cells(), ("frontier_empty", "limit_requests"), strict=False)
    )
    assert results.ended_early(lab, [dead, alive]) == [("w", dead.cell.strategy, 0, 4, "frontier_empty")]
    assert results.ended_early(lab, [dead, alive], "other") == []


# ---- the set-up of a paper as options of a crawl


PAGES = 40


@pytest.mark.slow
@pytest.mark.parametrize(("paper", "world", "strategy"), [
    ("000", "rainstorm-000", ""), ("001", "haiyan-001", ""), ("002", "typhoon-002", ""), ("003", "sports-003", ""),
    ("003", "rainstorm-003", "fcbcw"), ("004", "call-for-papers-004", ""),
])  # fmt: skip
def test_a_crawl_as_printed_has_the_trace_of_the_cell_of_the_lab(
    command: Command, space: Workspace, paper: str, world: str, strategy: str
) -> None:
    shipped, _ = loading.load("papers")
    lab = definition.smaller(shipped, PAGES, 2, [world])
    set_up = lab.world(world)
    options = ("--as-printed", paper, "--world", set_up.world, "--seed", "1", "--limit-pages", str(PAGES), "--no-graph")
    options += ("--strategy", strategy) if strategy else ()
    run = f"printed-{world}"
    done = command("crawl", "run", *options, "--run", run, "--workspace", space.root)
    assert done.code == 0, done.err
    assert f"as printed in paper {paper}, {world} of the lab papers" in " ".join(done.err.split())
    axis = loading._crawled(lab, set_up, strategy) if strategy else set_up.own
    cell = next(one for one in lab.cells() if one.strategy == axis and one.seed == 1)
    trace = crawling.run(running._job_of(lab, cell, running._Steering(lab, space), space), crawling.Webs())
    pages = command("crawl", "pages", run, "--workspace", space.root, "--json").json["pages"]
    assert len(pages) == PAGES == len(trace.pages)
    assert [crawling.hash_of(page["url"]) for page in pages] == trace.pages.tolist()
    assert [page["relevance"] for page in pages] == pytest.approx(trace.R.tolist(), abs=1e-6)
    status = command("crawl", "status", run, "--workspace", space.root, "--json").json
    assert status["judge"] == set_up.settings.get("judge", status["judge"])
    assert status["strategy"] == axis.partition("?")[0] and status["relevant"] == int(trace.judged.sum())


def test_what_a_paper_does_not_print_is_marked_and_what_a_user_gives_goes_before_it(empty: Workspace) -> None:
    given = CrawlOptions(world="synthetic:typhoon?pages=5000", settings={"seed": 3, "threshold": 0.5})
    options, topic, lines = loading.as_printed("002", given, None, empty)
    assert (options.strategy, topic, options.settings["judge"], options.settings["threshold"]) == (
        "wang_landau", "typhoon", "paper_002", 0.5,
    )  # fmt: skip
    assert options.world == "synthetic:typhoon?pages=5000&seeds=30&start=relevant&seed=3"
    assert options.settings["limit_pages"] == 15_000 and options.settings["strict_filter"] is True
    assert [line.partition(":")[0] for line in lines[1:]] == ["[R] target", "[R] seed_kind"]
    ahead = CrawlOptions(world="synthetic:rainstorm?pages=5000", settings={"target": "oracle"})
    options, topic, lines = loading.as_printed("000", ahead, None, empty)
    assert topic == "rainstorm" and options.settings["limit_pages"] == 1000
    assert "rainstorm-000-oracle of the lab papers" in lines[0] and "look-ahead oracle" in lines[0]
    live, topic, lines = loading.as_printed("004", CrawlOptions(), None, empty)
    assert (live.world, topic, live.strategy) == ("live", "call_for_papers", "gafc")
    assert "20 seeds, results (give as many by --seeds)" in lines[0]


def test_a_paper_or_strategy_that_is_unknown_is_refused(empty: Workspace) -> None:
    with pytest.raises(UsageError, match="there is no paper '7'; papers: 000, 001, 002, 003, 004"):
        loading.as_printed("7", CrawlOptions(), None, empty)
    with pytest.raises(UsageError, match=r"paper 003 does not compare 'gafc'.*it has: breadth_first, best_first, fcsa"):
        loading.as_printed("003", CrawlOptions(strategy="gafc"), None, empty)
