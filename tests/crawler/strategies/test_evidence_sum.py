"""The nine terms of evidence_sum against their definitions in plain Python, its schedule, resumed crawls, explain."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from crawler.crawl import Crawl
from crawler.crawl_options import Fetching, Limits
from crawler.explanation.explain import _link_parts
from crawler.frontier import Frontier, FrontierView
from crawler.frontier.link_graph import LinkGraph
from crawler.frontier.prior import LinkPrior, Prior
from crawler.frontier.rescoring import part_of
from crawler.frontier.url_ids import UrlIds
from crawler.journal import Journal, token_reading
from crawler.journal.snapshot import pack, unpack
from crawler.model import Budget, Failure, Outcome, PageScore, Response, TokenRows
from crawler.reasons import REASONS
from crawler.scoring.link_evidence import TERMS
from crawler.strategies.evidence_parameters import EvidenceParameters
from crawler.strategies.evidence_sum import EPS, HIGHEST, NO_FAILURES, C, EvidenceSum
from tests.crawler import webs

TAUGHT_WEIGHT = 5.0
WEIGHT = {0: 0.8, 1: 0.5}
"""Topic weight of the tokens 0 and 1; the other tokens of the made web have none."""


def rows(texts: Sequence[Sequence[int]]) -> TokenRows:
    ids = np.array([token for text in texts for token in text], dtype=np.int32)
    indptr = np.cumsum([0, *map(len, texts)])
    return TokenRows(ids, indptr, np.array([WEIGHT.get(i, 0.0) for i in ids.tolist()], dtype=np.float32))


class MadePage:
    """A page of random tokens: R, text, and for each link an anchor, a context and a URL."""

    def __init__(self, link: int, rng: np.random.Generator, links: int, url_of: dict[int, list[int]]) -> None:
        self.link, self.R = link, float(rng.random())
        self.text = rng.integers(0, 30, 60).tolist()
        self.to = sorted(rng.choice(links, 7, replace=False).tolist())
        self.to = [target for target in self.to if target != link]
        self.anchor = {t: rng.integers(0, 40, int(rng.integers(0, 4))).tolist() for t in self.to}
        self.context = {t: rng.integers(0, 40, int(rng.choice([0, 5, 9]))).tolist() for t in self.to}
        self.url = {t: url_of[t] for t in self.to}

    def outcome(self) -> Outcome:
        return Outcome(
            self.link, PageScore({"TK": self.R}, 0.5, False), np.array(self.to, dtype=np.int64), tag=0,
            tokens=rows([self.text]), anchor_tokens=rows([self.anchor[t] for t in self.to]),
            context_tokens=rows([self.context[t] for t in self.to]), url_tokens=rows([self.url[t] for t in self.to]),
        )  # fmt: skip


def clip(value: float, low: float, high: float) -> float:
    return min(high, max(low, value))


class Defined:
    """The terms as they are defined, one link after the other."""

    def __init__(
        self,
        pages: list[MadePage],
        words_from: int,
        taught: Mapping[int, bool] | None = None,
        failed: Sequence[int] = (),
        prior: Prior | None = None,
    ) -> None:
        self.pages, self.D, taught = pages, len(pages), taught or {}
        self.prior = Prior() if prior is None else prior
        self.failed = [link for link in dict.fromkeys(failed) if link not in {page.link for page in pages}]
        self.m = [TAUGHT_WEIGHT if page.link in taught else 1.0 for page in pages]
        said = [taught.get(page.link) for page in pages]
        self.y = [page.R if liked is None else float(liked) for page, liked in zip(pages, said, strict=True)]
        self.learn()
        if words_from <= self.D:
            odds = [math.log(clip(R, 1e-3, 1 - 1e-3) / (1 - clip(R, 1e-3, 1 - 1e-3))) for R in self.y]
            self.y = [1 / (1 + math.exp(-(odd + 0.5 * z))) for odd, z in zip(odds, self.z, strict=True)]
            self.y = [y if liked is None else float(liked) for y, liked in zip(self.y, said, strict=True)]
            self.learn()
        wins, n = self.windows()
        self.win, self.n, self.b = wins, n, sum(wins.values()) / sum(n.values())

    def learn(self) -> None:
        scores = [self.root([self.lam(t) for t in set(page.text)]) for page in self.pages]
        mean = sum(scores) / self.D
        deviation = math.sqrt(sum((score - mean) ** 2 for score in scores) / self.D)
        self.z = [(score - mean) / deviation for score in scores]

    def windows(self) -> tuple[dict[int, float], dict[int, int]]:
        win, n = dict.fromkeys(range(40), 0.0), dict.fromkeys(range(40), 0)
        for page in self.pages:
            for at, token in enumerate(page.text):
                near = sum(WEIGHT.get(t, 0.0) for t in page.text[max(0, at - 15) : at + 16])
                win[token] += min(1.0, near / 1.5)
                n[token] += 1
        return win, n

    def root(self, values: list[float], length: int | None = None) -> float:
        return sum(values) / math.sqrt(max(1, len(values) if length is None else length))

    def lam(self, token: int) -> float:
        has = [token in page.text for page in self.pages]
        if not any(has) and token not in WEIGHT:
            return 0.0
        pages = [(m, y, h) for m, y, h in zip(self.m, self.y, has, strict=True)]
        D, P = sum(self.m), sum(m * y for m, y, _ in pages)
        pos, neg = sum(m * y for m, y, h in pages if h), sum(m * (1 - y) for m, y, h in pages if h)
        b = max((pos + neg) / D, 1e-12)
        relevant = (pos + 3 * b + 3 * max(0.8 * WEIGHT.get(token, 0.0), b)) / (P + 6)
        return clip(math.log(relevant) - math.log((neg + 3 * b) / (D - P + 3)), -3, 3)

    def idf(self, token: int) -> float:
        return math.log(1 + self.D / (1 + sum(token in page.text for page in self.pages)))

    def parents(self, link: int) -> list[MadePage]:
        return [page for page in self.pages if link in page.to]

    def led_to(self) -> list[tuple[float, float, set[int]]]:
        """Weight and verdict of each page that a link led to, with the tokens of these links' anchors and contexts."""
        found = []
        for m, y, link in self.outcomes():
            parents = self.parents(link)
            if parents:
                found.append((m, y, {t for p in parents for t in p.anchor[link] + p.context[link]}))
        return found

    def outcomes(self) -> list[tuple[float, float, int]]:
        """Weight and verdict of each page and of each link without one."""
        of_pages = zip(self.m, self.y, [page.link for page in self.pages], strict=True)
        return [*of_pages, *((0.5, 0.0, link) for link in self.failed)]

    def l(self, token: int) -> float:  # noqa: E743 - its name in the definition
        found = [(m, y, tokens) for m, y, tokens in self.led_to() if tokens]
        U, u = sum(m * y for m, y, _ in found), sum(m * y for m, y, tokens in found if token in tokens)
        D, df = sum(m for m, _, _ in found), sum(m for m, _, tokens in found if token in tokens)
        more = self.prior.words.get(token, (0.0, 0.0))
        U, D, u, df = U + self.prior.led[0], D + self.prior.led[1], u + more[0], df + more[1]
        if df == 0:
            return 0.0
        beta, half = df / D, 0.5 * self.lam(token)
        relevant = (u + 4 * beta * math.exp(half)) / (U + 4)
        other = (df - u + 4 * beta * math.exp(-half)) / (D - U + 4)
        return clip(math.log(relevant) - math.log(other), -3, 3)

    def url_odds(self, token: int, url_of: dict[int, list[int]]) -> float:
        judged = [(m, y, url_of[link]) for m, y, link in self.outcomes() if self.parents(link)]
        read, more = self.prior.read, self.prior.urls.get(token, (0.0, 0.0))
        p = (sum(m * y for m, y, _ in judged) + read[0]) / (sum(m for m, _, _ in judged) + read[1])
        of_token = [(m, y) for m, y, url in judged if token in url]
        relevant = sum(m * y for m, y in of_token) + more[0]
        odds = (relevant + 4 * p) / (sum(m for m, _ in of_token) + more[1] - relevant + 4 * (1 - p))
        return math.log(odds) - math.log(p / (1 - p))

    def x(self, link: int, url_of: dict[int, list[int]]) -> list[float]:
        parents = self.parents(link)
        m = len(parents)
        anchors, contexts = [p.anchor[link] for p in parents], [p.context[link] for p in parents if p.context[link]]
        density = [sum(WEIGHT.get(t, 0.0) for t in p.text) / len(p.text) for p in parents]
        tokens = [t for anchor in anchors for t in anchor]
        near = [math.log((self.win[t] + 3 * self.b) / ((self.n[t] + 3) * self.b)) for t in tokens]
        idf = [self.idf(t) for t in tokens]
        row = {page.link: at for at, page in enumerate(self.pages)}
        weights = [min(1.5, sum(WEIGHT.get(t, 0.0) for t in context)) for context in contexts]
        return [
            sum(math.log(d + 0.003) for d in density) / m,
            sum(i * v for i, v in zip(idf, near, strict=True)) / sum(idf) if idf else 0.0,
            sum(self.root([self.lam(t) for t in anchor]) for anchor in anchors) / m,
            sum(self.z[row[p.link]] for p in parents) / m,
            max(min(1.0, sum(WEIGHT.get(t, 0.0) for t in anchor)) for anchor in anchors),
            self.root([self.url_odds(t, url_of) for t in set(url_of[link])]),
            sum(self.lam(t) for c in contexts for t in c) / math.sqrt(sum(map(len, contexts)) + 15),
            sum(self.root([self.l(t) for t in c]) for c in contexts) / max(1, len(contexts)),
            math.log((sum(weights) + 0.09) / (len(contexts) + 0.3)),
        ]


class Made:
    """A strategy that was told the pages of a made web, with the view of its queue."""

    def __init__(self, words_from: int, refreshed_after: Sequence[int] = (), without: str = "none") -> None:
        rng, n = np.random.default_rng(4), 25
        self.url_of = {link: [*rng.integers(50, 60, 2).tolist(), 70 + link % 2] for link in range(n)}
        self.pages = [MadePage(link, rng, n, self.url_of) for link in range(8)]
        self.strategy = EvidenceSum(
            EvidenceParameters(words_from=words_from, taught_weight=TAUGHT_WEIGHT, without=without)
        )
        self.frontier, self.graph = Frontier(), LinkGraph()
        self.frontier.discover(host=[0.0] * n)
        self.graph.grow(n)
        self.queued: np.ndarray[Any, np.dtype[np.int64]] = np.arange(8, n)
        self.frontier.put(self.queued, np.zeros(len(self.queued)))
        for number, page in enumerate(self.pages):
            self.graph.add(page.link, page.to)
            self.strategy.tell([page.outcome()])
            if number in refreshed_after:
                self.refresh()

    @property
    def view(self) -> FrontierView:
        return FrontierView(self.frontier, self.graph, Budget(8, 100))

    def refresh(self) -> None:
        self.strategy.begin_refresh(self.view, self.queued)


@pytest.mark.parametrize("words_from", [5, 30])
@pytest.mark.parametrize(
    ("earlier", "taught", "failed"),
    [((), {}, ()), ((0, 2, 3), {}, ()), ((), {1: True, 4: False, 6: False}, ()), ((), {4: False}, (9, 3, 14, 9, 20))],
)
def test_each_term_is_as_it_is_defined(
    words_from: int, earlier: Sequence[int], taught: Mapping[int, bool], failed: Sequence[int]
) -> None:
    made = Made(words_from, refreshed_after=earlier)
    for link, liked in taught.items():
        made.strategy.teach(link, liked)
    made.strategy.tell([Outcome(link, None, failure="http_404", tag=0) for link in failed])  # 3 was fetched after all
    made.refresh()
    made.refresh()  # what was noted is not noted again
    defined = Defined(made.pages, words_from, taught, failed)
    # In-links that were found after the refresh that noted those of a page do not count for context outcomes.
    exact = [k for k, name in enumerate(TERMS) if not earlier or name != "context outcome"]
    links = [link for link in made.queued.tolist() if defined.parents(link)]
    expected = np.array([defined.x(link, made.url_of) for link in links])
    x = np.array([[term.value for term in made.strategy.explain(made.view, link)] for link in links])
    for k in exact:
        assert x[:, k] == pytest.approx(expected[:, k], abs=1e-6), TERMS[k]
    priority = made.strategy.priority(made.view, np.array(links))
    z = np.clip((x - x.mean(axis=0)) / (x.std(axis=0) + EPS), -3, 6)
    assert priority == pytest.approx(z @ C, abs=1e-6)


def test_a_prior_adds_pages_to_the_two_terms_of_outcomes() -> None:
    made, plain = Made(30), Made(30)
    pages = {token: (token % 3 / 2, 1.0 + token % 2) for token in (*range(0, 40, 3), *range(50, 60), 70, 90)}
    prior = Prior(("first",), words=pages, urls=pages, led=(4.0, 9.0), read=(5.0, 12.0))
    made.frontier.prior = LinkPrior(prior, UrlIds())
    for one in (made, plain):
        one.refresh()
    defined = Defined(made.pages, 30, prior=prior)
    queued = made.queued[made.graph.in_degree(made.queued) > 0]
    x, without = made.strategy._links.x(queued), plain.strategy._links.x(queued)
    expected = np.array([defined.x(link, made.url_of) for link in queued.tolist()])
    assert x == pytest.approx(expected, abs=1e-6)
    changed = {TERMS[k] for k in range(len(TERMS)) if not np.allclose(x[:, k], without[:, k])}
    assert changed == {"URL outcome", "context outcome"}
    for one in (made, plain):  # a page that was read since the refresh changes nothing that was learned
        one.strategy.tell([replace(one.pages[3].outcome(), link=24)])
    late = made.strategy._links.x_without(queued, made.frontier.prior)
    assert late == pytest.approx(plain.strategy._links.x(queued), abs=1e-9)
    terms = made.strategy.explain(made.view, int(queued[0]))
    with made.frontier.prior.left_out():
        left = made.strategy.priority(made.view, queued[:1])[0]
    assert sum(term.prior for term in terms) == pytest.approx(sum(term.part for term in terms) - left, abs=1e-9)


def test_pages_between_two_refreshes_add_what_they_say_by_the_figures_of_the_last_one() -> None:
    late, early = Made(30, refreshed_after=(5,)), Made(30, refreshed_after=(5, 7))
    link = next(t for t in late.pages[7].to if t >= 8 and any(t in page.to for page in late.pages[:6]))
    value = {term.name: term.value for term in late.strategy.explain(late.view, link)}
    again = {term.name: term.value for term in early.strategy.explain(early.view, link)}
    for name in ("parent density", "anchor topic weight", "context topic weight"):
        assert value[name] == pytest.approx(again[name])
    assert value["context log-odds"] != pytest.approx(again["context log-odds"], abs=1e-3)


def test_a_term_that_is_left_out_adds_nothing_and_the_others_stay() -> None:
    made, left_out = Made(30), Made(30, without="context outcome")
    made.refresh()
    left_out.refresh()
    link = next(link for link in made.queued.tolist() if made.strategy.explain(made.view, link))
    whole, rest = made.strategy.explain(made.view, link), left_out.strategy.explain(left_out.view, link)
    parts = {term.name: term.part for term in whole}
    assert parts["context outcome"] != 0.0
    assert {term.name: term.part for term in rest} == parts | {"context outcome": 0.0}
    priority = left_out.strategy.priority(left_out.view, np.array([link]))[0]
    assert priority == pytest.approx(sum(parts.values()) - parts["context outcome"])


def test_a_link_without_parents_has_the_highest_priority() -> None:
    made = Made(30)
    made.refresh()
    orphan = [link for link in made.queued.tolist() if made.graph.in_degree(np.array([link]))[0] == 0]
    assert all(made.strategy.priority(made.view, np.array([link]))[0] == HIGHEST for link in orphan)
    assert orphan == [link for link in made.queued.tolist() if made.strategy.explain(made.view, link) == ()] != []


def test_at_most_eight_tokens_explain_a_term_those_that_say_most_first() -> None:
    made = Made(30)
    made.refresh()
    shown = [term.tokens for link in made.queued.tolist() for term in made.strategy.explain(made.view, link)]
    assert all(list(tokens) == sorted(tokens, key=lambda pair: (-abs(pair[1]), pair[0])) for tokens in shown)
    assert max(map(len, shown)) == 8


def test_a_page_without_tokens_and_one_that_counts_elsewhere_change_nothing() -> None:
    made = Made(30, refreshed_after=(7,))
    before = made.strategy.priority(made.view, made.queued)
    links = np.array([9, 11], dtype=np.int64)
    made.strategy.tell([Outcome(12, PageScore({"TK": 0.9}, 0.9, True), links, tag=0)])
    made.strategy.tell([Outcome(13, None, failure=reason, tag=0) for reason in NO_FAILURES])
    made.refresh()
    assert np.array_equal(made.strategy.priority(made.view, made.queued), before)
    assert set(REASONS) >= NO_FAILURES
    made.strategy.tell([Outcome(13, None, failure="timeout", tag=0)])
    made.refresh()
    assert not np.allclose(made.strategy.priority(made.view, made.queued), before)


class _DeadDirectory:
    """A site whose hubs link to live pages and, first and in the same words, to a directory of dead ones."""

    name = "dead"

    def fetch(self, url: str) -> Response | Failure:
        path = url.removeprefix("http://uni.example/")
        if path.startswith("hub"):
            k = int(path.removeprefix("hub"))
            dead = [f"<p><a href='/old/{k}-{i}'>暴雨 通知 {i}</a></p>" for i in range(8)]
            live = [f"<p><a href='/now/{k}-{i}'>暴雨 通知 {i}</a></p>" for i in range(8)]
            body = f"<p>暴雨 与 台风</p>{''.join(dead + live)}<a href='/hub{k + 1}'>暴雨 专题</a>"
        elif path.startswith("now/"):
            body = f"<p>{path} 暴雨 来临 之前 注意 防范 内涝</p>"
        else:
            return Response(url, 404, {}, b"")
        return Response(url, 200, {"content-type": "text/html; charset=utf-8"}, f"<body>{body}</body>".encode())

    def close(self) -> None:
        pass


@pytest.mark.slow
def test_dead_links_of_a_directory_are_left_behind(tmp_path: Path) -> None:
    failures = {}
    for weight in (0.0, 0.5):
        chosen = webs.setup("evidence_sum", ("http://uni.example/hub0",))
        setup = replace(chosen, strategy=EvidenceSum(EvidenceParameters(failure_weight=weight)))
        with closing(Journal(tmp_path / f"{weight}.sqlite")) as journal:
            crawl = Crawl(setup, Fetching(webs.fetcher(_DeadDirectory())), journal, Limits(pages=60))
            crawl.begin({})
            failures[weight] = sum(step.outcome.failure == "http_404" for step in crawl.steps())
    assert failures[0.5] < 0.6 * failures[0.0]


def test_coefficients_and_constants_are_those_of_the_definition() -> None:
    assert C.tolist() == [1, 1, 0.7, 0.5, 1, 0.7, 1, 1, 0.7]
    assert EPS.tolist() == [0.3, 0.3, 0.3, 0.3, 0.1, 0.1, 0.3, 0.3, 0.1]
    assert pytest.approx(6 * 7.6) == HIGHEST  # no term is more than 6 deviations over its mean


def test_mean_and_deviation_of_a_long_queue_are_those_of_evenly_spaced_links() -> None:
    made = Made(30)
    made.strategy.refresh = replace(made.strategy.refresh, at_once=6)  # type: ignore[misc]
    made.refresh()
    links = [link for link in made.queued.tolist()[::3] if made.graph.in_degree(np.array([link]))[0] > 0]
    explained = [made.strategy.explain(made.view, link) for link in links]
    assert len(made.queued) == 17 and len(links) > 3
    for k, name in enumerate(TERMS):
        values = [terms[k].value for terms in explained]
        assert explained[0][k].mean == pytest.approx(np.mean(values), abs=1e-9), name
        assert explained[0][k].deviation == pytest.approx(np.std(values), abs=1e-9), name


def test_a_verdict_counts_from_the_next_refresh_and_can_be_taken_back() -> None:
    made, plain = Made(30, refreshed_after=(7,)), Made(30, refreshed_after=(7,))
    links = np.array([link for link in made.queued.tolist() if Defined(made.pages, 30).parents(link)])
    before = made.strategy.priority(made.view, links)
    made.strategy.teach(1, False)
    assert np.array_equal(made.strategy.priority(made.view, links), before)
    made.refresh()
    assert not np.allclose(made.strategy.priority(made.view, links), before)
    made.strategy.teach(1, None)
    made.refresh()
    plain.refresh()
    assert np.array_equal(made.strategy.priority(made.view, links), plain.strategy.priority(plain.view, links))


def test_a_page_that_a_person_asks_for_is_the_first_until_it_comes() -> None:
    made = Made(30, refreshed_after=(7,))
    asked = next(link for link in made.queued.tolist() if Defined(made.pages, 30).parents(link))
    made.strategy.teach(asked, False)
    restored = EvidenceSum(made.strategy.parameters)
    restored.restore(unpack(pack(made.strategy.state())))
    for strategy in (made.strategy, restored):
        priority = strategy.priority(made.view, made.queued)
        assert made.queued[priority > HIGHEST].tolist() == [asked] and strategy.explain(made.view, asked) == ()
    page = MadePage(asked, np.random.default_rng(5), 25, made.url_of)
    made.strategy.tell([page.outcome()])
    assert made.strategy.priority(made.view, made.queued).max() <= HIGHEST


def test_changes_make_the_state_of_a_crawl_from_an_earlier_one() -> None:
    made = Made(30, refreshed_after=(2,))
    first = pack(made.strategy.state())
    made.strategy.saved()
    for page in made.pages[4:6]:
        made.strategy.tell([page.outcome()])
    made.refresh()
    changes = pack(made.strategy.changes())
    assert len(changes) < len(pack(made.strategy.state()))
    restored = EvidenceSum(made.strategy.parameters)
    restored.restore(unpack(first, changes))
    assert np.array_equal(restored.priority(made.view, made.queued), made.strategy.priority(made.view, made.queued))
    assert pack(restored.state()) == pack(made.strategy.state())


def test_all_links_of_a_long_queue_are_scored_by_turns_and_the_best_always() -> None:
    queued, priority, after, seen = np.arange(1000), np.arange(1000) % 97 + 0.0, -1, set()
    for _ in range(40):
        links, after = part_of(queued, priority, 60, after)
        assert len(links) == 60 and (np.diff(links) > 0).all()
        assert set(np.flatnonzero(priority > 94).tolist()) <= set(links.tolist())
        seen |= set(links.tolist())
    assert len(seen) == 1000


@pytest.mark.slow
@pytest.mark.parametrize("killed_after", [7, 33])
def test_a_resumed_crawl_equals_an_uninterrupted_one(tmp_path: Path, killed_after: int) -> None:
    expected = webs.whole("evidence_sum", tmp_path / "whole.db", pages=45, in_flight=3, reproducible=True)
    options: dict[str, Any] = {"pages": 45, "in_flight": 3, "reproducible": True, "snapshot_every": 10}
    crawl = webs.make("evidence_sum", tmp_path / "run.db", **options)
    crawl.begin({})
    for step in crawl.steps():
        if step.number == killed_after:
            break
    crawl.journal.commit()
    crawl.journal.close()
    resumed = webs.make("evidence_sum", tmp_path / "run.db", **options)
    resumed.resume()
    for _ in resumed.steps():
        pass
    assert webs.trace(resumed) == expected
    _explains_in_words(resumed)
    resumed.journal.close()


def _explains_in_words(crawl: Any) -> None:
    """The terms of a queued link add up to its priority after a refresh, and their tokens are words."""
    crawl.state.scheduler.refresh()
    link = int(crawl.state.frontier.top(1)[0])
    parts = _link_parts(crawl.state, link, [], lambda tokens: token_reading.words(crawl.journal, tokens))
    assert [term.name for term in parts.terms] == list(TERMS)
    assert sum(term.part for term in parts.terms) == pytest.approx(parts.priority)
    words = {name: term.words for name, term in zip(TERMS, parts.terms, strict=True)}
    assert all(word and not word.isdigit() for word, _ in words["anchor log-odds"]) and words["URL outcome"]
