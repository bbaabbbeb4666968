"""Labels are out of reach of a strategy: in what it is given, in the pages of a web, and while it crawls."""

from __future__ import annotations

import gc
import re
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import pytest

from crawler.model import Response
from crawler.strategies.base import Strategy
from crawler.worlds.synthetic import CALIBRATED, CalibratedWorld, SyntheticWorld
from ontocrawl.base import workspace
from ontocrawl.base.workspace import Workspace
from ontocrawl.lab import crawling, running
from ontocrawl.lab.crawling import Webs
from ontocrawl.lab.definition import Lab
from ontocrawl.lab.kept_pages import KeptPages, KeptWorld
from ontocrawl.lab.running import _Steering
from ontocrawl.lab.trace import Trace

WORLD = "synthetic:rainstorm?pages=1000"
SECRETS = (SyntheticWorld, KeptPages, KeptWorld, Webs)


@pytest.fixture
def empty(tmp_path: Path) -> Workspace:
    """A new workspace."""
    return workspace.init(tmp_path / "ws")


def crawled(space: Workspace, strategy: str, world: str = WORLD) -> Trace:
    """Crawl a cell without an ontology."""
    lab = Lab.model_validate({
        "title": "leaks", "fetches": 40, "seeds": 1, "axes": {"strategy": [strategy], "ontology": ["none"]},
        "worlds": [{"name": "w", "world": world, "oracle": False}],
    })  # fmt: skip
    return crawling.run(running._job_of(lab, next(lab.cells()), _Steering(lab, space), space), Webs())


def reachable(roots: Iterable[object]) -> Iterable[object]:
    """Yield all objects that can be reached from some, through attributes, items, closures and bound methods."""
    seen, waiting = set[int](), [*roots]
    while waiting:
        one = waiting.pop()
        if id(one) in seen or isinstance(one, ModuleType | type):
            continue
        seen.add(id(one))
        yield one
        if isinstance(one, FunctionType):  # not its globals: whatever is imported can be reached by an import too
            waiting += [cell.cell_contents for cell in one.__closure__ or ()]
            waiting += [*(one.__defaults__ or ()), *(one.__kwdefaults__ or {}).values(), one.__dict__]
        else:
            waiting += gc.get_referents(one)


def given_to(strategy: Strategy, note: Callable[[list[object]], None]) -> list[float]:
    """Let ``note`` have all that a strategy is given, at its 20th choice; in the place of `crawling.timed`."""
    choose, calls = strategy.choose, [0]

    def choose_noted(view: Any, rng: Any, n: int) -> Any:
        calls[0] += 1
        if calls[0] == 20:
            note([view, rng, strategy])
        return choose(view, rng, n)

    strategy.choose = choose_noted  # type: ignore[method-assign]
    return []


@pytest.mark.parametrize("strategy", ["best_first", "shark", "bcw_cc", "its"])
def test_neither_web_nor_labels_can_be_reached_from_what_a_strategy_is_given(
    empty: Workspace, monkeypatch: pytest.MonkeyPatch, strategy: str
) -> None:
    found: list[list[object]] = []

    def note(given: list[object]) -> None:
        there = [*reachable(given)]
        assert len(there) > 100
        found.append([one for one in there if isinstance(one, SECRETS)])

    monkeypatch.setattr(crawling, "timed", lambda strategy: given_to(strategy, note))
    crawled(empty, strategy)
    assert found == [[]]


def test_a_web_that_leaks_is_found_by_this() -> None:
    world = CalibratedWorld("rainstorm", 1000)

    class Leaking:
        ask = staticmethod(lambda url: KeptPages(world).response(url))

    assert any(isinstance(one, SECRETS) for one in reachable([[Leaking.ask]]))
    assert any(isinstance(one, SECRETS) for one in reachable([{"x": KeptWorld(KeptPages(world)).fetch}]))


@pytest.mark.slow
@pytest.mark.parametrize("world", [WORLD, "synthetic:planted?pages=300"])
def test_a_crawl_asks_a_synthetic_web_for_no_label(
    empty: Workspace, monkeypatch: pytest.MonkeyPatch, world: str
) -> None:
    right = crawled(empty, "best_first", world)
    crawling_now, crawl = [False], crawling._crawl

    def watched(*given: Any) -> Any:
        crawling_now[0] = True
        try:
            return crawl(*given)
        finally:
            crawling_now[0] = False

    def asked(self: SyntheticWorld) -> tuple[str, ...]:
        assert not crawling_now[0], "a label was read while a strategy crawls"
        return (self.url(0),)

    monkeypatch.setattr(crawling, "_crawl", watched)
    for kind in (SyntheticWorld, CalibratedWorld):
        for name in (
            "labels",
            "relevant_urls",
            *(["relevant_pages"] if kind is CalibratedWorld else []),
        ):
            monkeypatch.setattr(kind, name, asked)
    wrong = crawled(empty, "best_first", world)
    assert right.labelled is not None and wrong.labelled is not None
    assert right.labelled.sum() > wrong.labelled.sum()
    assert right.pages.tolist() == wrong.pages.tolist()
    assert right.R.tolist() == wrong.R.tolist()


MARK = re.compile(r"<!--.*?-->|<[a-z][^>]*>", re.DOTALL)
PART = re.compile(r"""<[a-z0-9]+|[\w-]+(?==)|(?:class|id|name|itemprop|rel|type)=["']?[^"'>]*""")


def marks(world: SyntheticWorld, index: int) -> set[str]:
    """Return what a page has beside its text: headers, tags, attributes, classes, comments, shape of its URL."""
    url = world.url(index)
    answer = world.fetch(url)
    if not isinstance(answer, Response) or answer.status != 200:
        return set()
    markup = "\n".join(MARK.findall(answer.body.decode("latin-1")))
    shape = re.sub(r"\d", "0", url.partition(".example")[2])
    return {
        *PART.findall(markup),
        *re.findall("<!--.*?-->", markup),
        f"url {re.sub('0+', '0', shape)}",
        *answer.headers,
    }


@pytest.mark.parametrize("preset", [*CALIBRATED, "planted"])
def test_no_mark_of_a_page_tells_its_label(preset: str) -> None:
    world = CalibratedWorld(preset, 1500) if preset in CALIBRATED else SyntheticWorld(preset, 600)
    labels = list(world.labels().values())
    relevant = [index for index, label in enumerate(labels) if label][:60]
    others = [index for index, label in enumerate(labels) if not label][:240]
    on_relevant = Counter(mark for index in relevant for mark in marks(world, index))
    elsewhere = Counter(mark for index in others for mark in marks(world, index))
    assert sum(on_relevant.values()) > 500
    # A mark that is on several relevant pages is on others too, as a mark of a label would not be.
    assert {mark: count for mark, count in on_relevant.items() if count >= 4 and mark not in elsewhere} == {}
    names = {"relevant", "irrelevant", "label", "topic", "near", "tunnel", "noise"}
    words = {word for mark in on_relevant | elsewhere for word in re.findall(r"[a-z]+", mark.lower())}
    assert not names & words
