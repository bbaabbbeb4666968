"""`lab label`: the sample, the record, the estimates, and sessions of two people on a real crawl."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from rich.cells import cell_len

from crawler.journal.judged_pages import JudgedPage, judged_pages
from ontocrawl.base import workspace
from ontocrawl.base.workspace import Workspace
from ontocrawl.cli.main import invoke
from ontocrawl.errors import USAGE, UsageError
from ontocrawl.lab.labelling import LabelError, Labelling, export, report, sample
from ontocrawl.lab.labelling.measures import _Labelled, estimated_auc
from ontocrawl.lab.labelling.screen import LabelDialogue
from ontocrawl.runs import runs
from ontology.compare.agreement import kappa
from tests.ontocrawl.conftest import Command, CommandResult
from tests.ontocrawl.pseudo_terminal import terminal

RUN = "shark-one"
WORLD = "synthetic:planted?pages=600&seed=0"


@pytest.fixture(scope="module")
def crawled_space(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """A workspace with a run of 200 pages and one that stopped before it fetched any."""
    space = workspace.init(tmp_path_factory.mktemp("labels") / "ws")
    crawl = ["crawl", "run", "--world", WORLD, "--strategy", "shark", "--judge", "density", "--no-graph"]
    assert invoke([*crawl, "--limit-pages", "200", "--run", RUN, "--workspace", str(space.root)]) == 0
    return space


@pytest.fixture
def space(crawled_space: Workspace) -> Iterator[Workspace]:
    """The workspace, whose labels are forgotten after the test."""
    yield crawled_space
    for path in crawled_space.run(RUN).glob("*labels*"):
        path.unlink()


@pytest.fixture
def pages(space: Workspace) -> list[JudgedPage]:
    """The pages of the run that the judge decided about."""
    with runs.open_journal(space, RUN) as journal:
        return list(judged_pages(journal))


@pytest.fixture
def truth(space: Workspace) -> frozenset[str]:
    """The URLs that the web labels as relevant."""
    with runs.open_journal(space, RUN) as journal:
        return frozenset(journal.get("labels"))


Label = Callable[..., CommandResult]


@pytest.fixture
def label(command: Command, monkeypatch: pytest.MonkeyPatch, space: Workspace) -> Label:
    """Run `lab label` with lines on stdin."""

    def run(*lines: str, more: tuple[str, ...] = (), by: str = "zhang") -> CommandResult:
        monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        return command("lab", "label", RUN, "--by", by, "--workspace", space.root, *more)

    return run


def labelled(space: Workspace, by: str, said: Callable[[str], bool], **drawn: int) -> Labelling:
    """Label all pages of the sample."""
    labelling = Labelling(space, RUN, by=by, **drawn)
    while (page := labelling.current) is not None:
        labelling.label("yes" if said(page.url) else "no")
    return labelling


# ---- the sample -----------------------------------------------------------------------------------------------------


def test_the_weights_of_each_stratum_add_up_to_its_pages(space: Workspace, pages: list[JudgedPage]) -> None:
    drawn = Labelling(space, RUN, by="zhang", pages=40, seed=5).sample
    sizes = Counter(map(sample.name_of, sample.strata_of(pages)))
    weights: Counter[str] = Counter()
    for page in drawn.pages:
        weights[page.stratum] += page.weight  # type: ignore[assignment]  # weights are no integers
    assert len({page.url for page in drawn.pages}) == 40 and weights == pytest.approx(sizes)
    assert {sample.name_of((accepted, 0)) for accepted in (True, False)} <= sizes.keys()
    accepted = {page.url: page.accepted for page in pages}
    assert all(page.stratum.startswith("accepted") == accepted[page.url] for page in drawn.pages)


def test_the_seed_decides_and_a_large_sample_is_the_run(space: Workspace, pages: list[JudgedPage]) -> None:
    with runs.open_journal(space, RUN) as journal:
        first, again, other = (sample.draw(journal, 30, seed) for seed in (1, 1, 2))
        whole = sample.draw(journal, 10_000, 0)
    assert first == again and {p.url for p in first.pages} != {p.url for p in other.pages}
    assert {p.url for p in whole.pages} == {p.url for p in pages} and {p.weight for p in whole.pages} == {1.0}


def test_the_estimate_is_unbiased_over_draws(space: Workspace, pages: list[JudgedPage], truth: frozenset[str]) -> None:
    true = sum(page.url in truth for page in pages) / len(pages)
    found = []
    with runs.open_journal(space, RUN) as journal:
        for seed in range(60):
            drawn = sample.draw(journal, 40, seed)
            found.append(sum(p.weight * (p.url in truth) for p in drawn.pages) / len(pages))
    assert abs(np.mean(found) - true) < 3 * np.std(found) / np.sqrt(len(found))
    assert np.std(found) < np.sqrt(true * (1 - true) / 40), "strata make it more precise than a simple sample"


# ---- estimates ------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_labels_of_all_pages_give_the_figures_themselves(
    space: Workspace, pages: list[JudgedPage], truth: frozenset[str]
) -> None:
    labelled(space, "zhang", truth.__contains__, pages=1000)
    (person,) = report(space, RUN).people
    is_true = np.array([page.url in truth for page in pages])
    accepted, R = np.array([page.accepted for page in pages]), np.array([page.R for page in pages])
    precision = person.precision
    assert (precision.value, precision.low, precision.high) == pytest.approx((is_true.mean(),) * 3)
    assert person.accepted.value == pytest.approx(is_true[accepted].mean())
    assert person.rejected.value == pytest.approx(is_true[~accepted].mean())
    assert person.kappa.value == pytest.approx(kappa(zip(accepted.tolist(), is_true.tolist(), strict=True)), abs=1e-3)
    assert person.auc.value == pytest.approx(estimated_auc(R, is_true))
    best = np.argsort(-R, kind="stable")
    assert {k: p.value for k, p in person.precision_at.items()} == pytest.approx(
        {k: is_true[best[:k]].mean() for k in (10, 20, 50, 100)}
    )
    assert [p.value for p in person.progress.values()] == pytest.approx([is_true[:k].mean() for k in person.progress])


def test_a_weight_counts_as_so_many_pages() -> None:
    R, relevant, times = np.array([0.9, 0.6, 0.6, 0.2]), np.array([1, 0, 1, 0], dtype=bool), np.array([1, 4, 2, 3])
    assert estimated_auc(R, relevant, times) == pytest.approx(
        estimated_auc(np.repeat(R, times), np.repeat(relevant, times))
    )
    assert estimated_auc(R, np.ones(4, dtype=bool)) is None
    accepted = np.array([True] * 3 + [False] * 7)
    of = _Labelled(
        np.linspace(1, 0, 10), accepted, np.array([0, 3, 4]), np.array([True, False, True]), np.array([3, 3.5, 3.5])
    )
    assert of.share().value == pytest.approx((3 * 1 + 7 * 0.5) / 10)
    assert of.first(3).value == 1 and of.first(1) == of.best(1)
    only = _Labelled(np.linspace(1, 0, 10), accepted, np.array([0]), np.array([True]), np.array([3.0]))
    assert only.share().value is None and only.auc().value is None and only.kappa().value is None
    assert only.share(accepted).value == 1


# ---- sessions -------------------------------------------------------------------------------------------------------


def test_a_session_of_lines_is_blind_and_goes_on(label: Label, space: Workspace) -> None:
    answer = label("x", "y", "n a home page", "t look again", "?", "u", "no", "m", "h", "q", more=("--pages", "12"))
    assert answer.code == 0, answer.err
    assert "'x' is no command: expected one of y, n, ?, t, m, u, h, q" in answer.out
    assert "1/12" in answer.out and "relevant to rainstorm disaster?" in answer.out and "it is not" in answer.out
    for word in ("shark", "density", "accepted", "rejected", "quarter", RUN):
        assert word not in answer.out, "what the judge said and how the crawl went is not shown"
    assert "3 labelled in this session, 9 left" in answer.err
    lines = [
        json.loads(line) for line in (space.run(RUN) / sample.LABELS_FILE).read_text(encoding="utf-8").splitlines()
    ]
    assert [one["label"] for one in lines] == ["yes", "no", "unsure", "withdrawn", "no"]
    assert [one["note"] for one in lines] == ["", "a home page", "look again", "", ""]
    drawn = json.loads((space.run(RUN) / sample.FILE).read_text(encoding="utf-8"))["pages"]
    assert [one["url"] for one in lines[:3]] == [page["url"] for page in drawn[:3]]
    assert all(cell_len(line) <= 80 for line in answer.out.splitlines() if not line.startswith((">", "'x'")))
    later = label("y", "q", more=("--json",))
    assert json.loads(later.out) == {
        "run": RUN, "by": "zhang", "labelled": [{"url": drawn[3]["url"], "label": "yes"}], "open": 8,
    }  # fmt: skip
    other = json.loads(label("n", "u", "u", "?", more=("--json",), by="李四").out)
    assert other == {
        "run": RUN, "by": "李四", "labelled": [{"url": drawn[0]["url"], "label": "unsure"}], "open": 11,
    }  # fmt: skip


def test_the_end_can_be_taken_back(label: Label) -> None:
    answer = label("y", "n", "u", "y", "", more=("--pages", "2", "--lang", "zh"))
    assert answer.out.count("所有网页都已标注") == 2 and "已撤销" in answer.out
    assert "本次标注 2 页，尚余 0 页" in answer.err and "lab label shark-one --report" in answer.err


class _Page(Labelling):
    """A session whose current page is given."""

    total = open = 9

    def __init__(self, title: str, url: str, text: str) -> None:
        self._page, self._url = (title, text), url

    @property
    def current(self) -> sample.SampledPage:
        return sample.SampledPage(1, self._url, "", "", 1.0)

    def title_and_text(self) -> tuple[str, str]:
        return self._page


def test_a_page_cannot_change_the_terminal() -> None:
    page = _Page("\x1b[2JA title\u202e", "http://a.example/\x9b1m", "\x1b]0;x\x07One\n\n\x1b[31mtwo")
    dialogue = LabelDialogue(page, "floods")
    dialogue.note = "\x1b[1m!"
    shown = dialogue.render(60, 14)
    assert "\x1b" not in shown and "\x9b" not in shown and "\u202e" not in shown
    assert "A title" in shown and "\nOne\ntwo\n" in shown and len(shown.split("\n")) == 14 and "note: !" in shown
    empty = LabelDialogue(_Page("", "http://a.example/", ""), "floods").render(60, 14)
    assert "(no title)" in empty and "open its URL in a browser" in empty
    later = LabelDialogue(_Page("t", "u", "\n".join(map(str, range(30)))), "floods")
    later.first = 25
    shown = later.render(60, 20)
    assert "\n25\n" in shown and "lines 26 to 30 of 30 (m)" in shown


@pytest.mark.slow
def test_keys_on_a_terminal(space: Workspace) -> None:
    with terminal("lab", "label", RUN, "--by", "张三", "--pages", "9", "--workspace", space.root) as shown:
        lines = shown.wait("q quit")
        assert len(lines) == 24 and lines[0].startswith("1/9") and max(map(cell_len, lines)) <= 80
        shown.press("\x1b[A", "press one of the keys below")
        shown.press("t", "Enter: keep")
        shown.press("待查\r", "note: 待查")
        shown.press("Ｙ", "2/9")
        shown.press("n", "3/9")
        shown.press("u", "taken back")
        shown.press("q", "1 labelled in this session, 8 left")
        assert shown.process.wait(30) == 0
    (one,) = Labelling(space, RUN, by="张三").labels.values()
    assert (one.label, one.note) == ("yes", "待查")


@pytest.mark.slow
def test_a_killed_session_keeps_its_labels(space: Workspace) -> None:
    command = [sys.executable, "-m", "ontocrawl", "lab", "label", RUN, "--by", "zhang", "--workspace", str(space.root)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1) as process:
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write("y\nn\n")
        process.stdin.flush()
        while not process.stdout.readline().startswith("3/100"):
            assert process.poll() is None
        os.kill(process.pid, signal.SIGKILL)
    path = space.run(RUN) / sample.LABELS_FILE
    path.write_bytes(path.read_bytes() + b'{"url": "http://half')
    labelling = Labelling(space, RUN, by="zhang")
    assert [one.label for one in labelling.labels.values()] == ["yes", "no"]
    labelling.label("unsure")
    assert [json.loads(line)["label"] for line in path.read_text(encoding="utf-8").splitlines()] == [
        "yes",
        "no",
        "unsure",
    ]


# ---- reports --------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_two_people(
    label: Label, command: Command, space: Workspace, pages: list[JudgedPage], truth: frozenset[str], tmp_path: Path
) -> None:
    labelled(space, "zhang", truth.__contains__, pages=60)
    drawn = [page.url for page in Labelling(space, RUN, by="li").sample.pages]
    turned = frozenset(drawn[::7])
    labelled(space, "li", lambda url: (url in truth) != (url in turned))
    Labelling(space, RUN, by="li").label("unsure", "cannot load it", url=drawn[1])
    found = label(more=("--report", "--json"), by="")
    assert found.code == 0, found.err
    document = found.json
    assert [(p["by"], p["labelled"], p["unsure"]) for p in document["people"]] == [("zhang", 60, 0), ("li", 60, 1)]
    said = [(url in truth, (url in truth) != (url in turned)) for url in drawn if url != drawn[1]]
    (pair,) = document["agreement"]
    assert (pair["judged"], pair["agreed"]) == (59, 59 - len(turned))
    assert pair["kappa"] == pytest.approx(kappa(said), abs=1e-3) and pair["low"] < pair["kappa"] < pair["high"]
    assert {d["url"] for d in document["disagreements"]} == turned and document["recall"] is None
    true = sum(page.url in truth for page in pages) / len(pages)
    precision = document["people"][0]["precision"]
    assert precision["low"] <= true <= precision["high"] and precision["labelled"] == 60
    assert sum(s["pages"] for s in document["sample"]["strata"]) == document["pages"] == len(pages)
    text = label(more=("--report",), by="")
    assert "Agreement" in text.out and "Disagreements" in text.out and "Recall cannot be estimated" in text.err
    told = command("--lang", "zh", "lab", "label", RUN, "--report", "--workspace", space.root)
    assert all(word in told.out for word in ("爬取的查准率", "无法判断", "zhang 与 li", "已标注的网页数", "不相关"))
    assert "无法估计查全率" in told.err
    alone = label(more=("--report",), by="li")
    assert "zhang" not in alone.out and "Agreement" not in alone.out

    written = label(more=("--export", str(tmp_path / "labels.json"), "--json"), by="")
    sets = json.loads((tmp_path / "labels.json").read_text(encoding="utf-8"))
    assert written.json["sets"] == {name: len(urls) for name, urls in sets.items()} and set(sets) == {
        "zhang",
        "li",
        "agreed",
    }
    crawl = ("crawl", "run", "--world", WORLD, "--strategy", "shark", "--judge", "density", "--no-graph", "--json")
    labels = ("--labels", f"{tmp_path / 'labels.json'}#zhang", "--limit-pages", "200", "--run", "second")
    again = command(*crawl, *labels, "--workspace", space.root)
    assert again.json["relevant_by_label"] == len(sets["zhang"]), "the same crawl fetches the same pages"


def test_what_is_wrong_is_said(label: Label, command: Command, space: Workspace, tmp_path: Path) -> None:
    here = ("--workspace", space.root)
    none = label(more=("--report",))
    assert none.code == USAGE and "no page of run shark-one is labelled" in none.err
    unknown = command("lab", "label", "shark-oen", *here)
    assert unknown.code == USAGE and "did you mean shark-one?" in unknown.err
    label("y", "n", "q")
    assert "leave both out" in label(more=("--pages", "50")).err
    assert "is no name" in label(by=" ").err
    missing = label(more=("--report",), by="wang")
    assert missing.code == USAGE and "'wang' has labelled no page" in missing.err and "zhang" in missing.err
    both = label(more=("--report", "--export", str(tmp_path / "l.json")))
    assert both.code == USAGE and "not both" in both.err
    assert label(more=("--report", "--seed", "1")).code == USAGE
    path = space.run(RUN) / sample.LABELS_FILE
    good = path.read_text(encoding="utf-8")
    for line, reason in (
        ("{", "this is no label"),
        (good.splitlines()[0].replace('"yes"', '"perhaps"'), "'perhaps' is no label"),
        (good.splitlines()[0].replace('"digest": "', '"digest": "0'), "had another text"),
    ):
        path.write_text(f"{good}{line}\n", encoding="utf-8")
        damaged = label(more=("--report",))
        assert damaged.code == USAGE and f"{sample.LABELS_FILE}, line 3: " in damaged.err and reason in damaged.err
    path.write_text(good, encoding="utf-8")
    drawn = space.run(RUN) / sample.FILE
    text = drawn.read_text(encoding="utf-8")
    drawn.write_text(text[: len(text) // 2], encoding="utf-8")
    assert "this is no sample of pages" in label("y").err
    drawn.unlink()
    assert "is missing" in label("y").err


def test_a_run_without_pages_and_pages_that_came_later(space: Workspace, command: Command) -> None:
    here = ("--no-graph", "--workspace", space.root)
    crawl = ("crawl", "run", "--world", WORLD, "--strategy", "shark", "--run", "growing", "--limit-pages")
    command(*crawl, "5", *here)
    labelling = Labelling(space, "growing", by="zhang")
    while labelling.current is not None:
        labelling.label("yes")
    command("crawl", "resume", "growing", "--limit-pages", "9", *here)
    found = report(space, "growing")
    assert (found.sample.population, found.later) == (5, 4) and found.people[0].precision.value == 1
    empty = command(
        *crawl[:-3], "--run", "empty", "--seeds", "http://no-such-host.example/", "--limit-pages", "3", *here
    )
    assert empty.code != 0
    with pytest.raises(UsageError, match="has no page to label"):
        Labelling(space, "empty", by="zhang")


def test_a_sample_of_another_run_is_refused(space: Workspace) -> None:
    labelled(space, "zhang", lambda url: True, pages=12)
    path = space.run(RUN) / sample.FILE
    data = json.loads(path.read_text(encoding="utf-8"))
    data["pages"][0]["weight"] *= 2
    path.write_text(json.dumps(data), encoding="utf-8")
    with pytest.raises(LabelError, match="was not drawn from the pages in the journal"):
        report(space, RUN)
    with pytest.raises(UsageError, match="no label"):
        Labelling(space, RUN, by="zhang").label("maybe", url=data["pages"][0]["url"])  # type: ignore[arg-type]
    assert export(space, RUN, path.with_name("out.labels.json")) == {"zhang": 12}
