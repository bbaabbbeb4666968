"""Explain why a run fetched a page, or why it did not: open the journal, prepare its replay, read the URL."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, cast

from crawler import url as urls
from crawler.explanation.explain import Explanation, OnEvent, Replay, explain
from crawler.journal import Journal
from crawler.model import Failure
from crawler.reasons import UNKNOWN
from crawler.text import Matcher
from crawler.worlds.corpus import corpus_url
from ontocrawl.base.workspace import Workspace
from ontocrawl.errors import UsageError
from ontocrawl.runs import crawl_setup, runs
from ontocrawl.runs.run_config import RunConfig
from ontology.enrichment.page_text import page_number
from ontology.errors import Message, OntocrawlError
from ontology.terms.sentences import sentence_spans

_SHOWN_HOSTS = 5


class _NoWorld:
    """The world of a replay, which requests nothing."""

    name = "none"

    def fetch(self, url: str) -> Failure:
        """Raise RuntimeError: a replay reads its pages from the journal."""
        raise RuntimeError(f"a replay requested {url}")

    def close(self) -> None:
        """Do nothing."""


def explain_url(
    workspace: Workspace, run: str, url: str, *, replays: bool = True, on_event: OnEvent = lambda event, last: None
) -> Explanation:
    """Explain why a run fetched a page, or why it did not. Another process may be crawling the run.

    Args:
        workspace: the workspace of the run.
        run: name of the run.
        url: a URL; for a run over a corpus also the name of a page.
        replays: whether to replay the run for the features of the link.
        on_event: called before each event of the replay.

    Returns:
        The explanation.

    Raises:
        UsageError: there is no such run, or the URL is malformed.
        JournalError: the journal cannot be read.
    """
    with runs.open_journal(workspace, run) as journal, journal.at_one_moment():
        config = runs.read_config(journal)
        wanted = canonical(url, config)
        replay, problem = replay_of(config, journal)
        answer = explain(journal, replay, wanted, replays=replays and not problem, on_event=on_event)
        notes = [*answer.notes, *([problem] if problem else []), *_document(journal, config, wanted)]
        notes += _rendering(journal, wanted)
        if len(config.classes) > 1 and answer.score is not None:
            vectors = ", ".join(f"TK_{i} {one['name']}" for i, one in enumerate(config.classes, 1))
            notes.append(Message("runs.explain_turns", vectors=vectors))
        if answer.reason == UNKNOWN and not answer.nearest:
            notes.append(_hosts(config, journal, wanted))
    return replace(answer, notes=tuple(notes))


# The + keeps SQLite from reading all outcomes by their index: those of one URL are few.
_DOCUMENT = """
SELECT json_extract(e.data, '$.document'), p.text FROM event e JOIN page p USING (seq) JOIN url u ON u.id = p.link
WHERE +e.kind = 'outcome' AND p.failure IS NULL AND u.url = ? AND json_extract(e.data, '$.document') IS NOT NULL
"""


def _document(journal: Journal, config: RunConfig, url: str) -> Iterator[str]:
    """Yield a note about a page that is a document, with the sentence of it that has most of the topic."""
    for about, packed in journal.query(_DOCUMENT, (url,)):
        document, text = json.loads(about), zlib.decompress(packed).decode()
        starts, words = document["page_starts"], config.vocabularies["TK"]
        spans = sentence_spans(text)
        pages = Message("runs.explain_document_pages", pages=len(starts)) if starts else ""
        yield Message("runs.explain_document", kind=document["kind"], pages=pages)
        (counts,) = Matcher((words,)).count_many([text[start:end] for start, end in spans]).values()
        weights = counts @ words.weights
        if weights.any():
            start, end = spans[int(weights.argmax())]
            number = page_number(starts, start)
            where = Message("runs.explain_page_number", number=number) if number else ""
            yield Message("runs.explain_sentence", where=where, sentence=text[start:end])


_RENDERED = """
SELECT json_extract(e.data, '$.rendered') FROM event e JOIN url u ON u.id = e.link
WHERE +e.kind = 'outcome' AND u.url = ? AND json_extract(e.data, '$.rendered') IS NOT NULL
"""


def _rendering(journal: Journal, url: str) -> Iterator[str]:
    """Yield a note about a page that was in a browser."""
    for (packed,) in journal.query(_RENDERED, (url,)):
        about = json.loads(packed)
        limit = Message("runs.explain_limit", limit=about["limit"]) if about["limit"] else ""
        code = "runs.explain_not_rendered" if about["failure"] else "runs.explain_rendered"
        yield Message(code, **{**about, "limit": limit})


def canonical(url: str, config: RunConfig) -> str:
    """Return the canonical form of a URL, or of the name of a page of a corpus. Raises UsageError for no URL."""
    if "://" not in url and config.world.startswith("corpus:"):
        return corpus_url(url)
    return web_url(url)


def web_url(url: str) -> str:
    """Return the canonical form of a URL. Raises UsageError for text that is none."""
    found = urls.canonical(url)
    if found is None:
        scheme = "" if "://" in url else ": write it with http:// or https://"
        raise UsageError("runs.not_http_url", url=url, scheme=scheme)
    return found


def replay_of(config: RunConfig, journal: Journal) -> tuple[Replay, str]:
    """Return a replay of a run, and why it must not be used; the reason is empty where it may.

    Where the strategy cannot be loaded, as after a change of its file, the replay is good for the topic only.
    """
    changed = {"parsers": 0} | ({"in_flight": 1, "short_queue": 0} if journal.get("version") == 1 else {})
    settings = config.crawl.model_copy(update=changed)
    used = config.model_copy(update={"crawl": settings})
    problem = ""
    try:
        replay = crawl_setup.crawl_of(used, _NoWorld(), journal, kind=Replay)
    except OntocrawlError as error:
        problem = Message("runs.explain_no_replay", error=error)
        plain: dict[str, Any] = {
            "strategy": "breadth_first",
            "strategy_file": None,
            "strategy_digest": None,
            "parameters": {},
        }
        replay = crawl_setup.crawl_of(used.model_copy(update=plain), _NoWorld(), journal, kind=Replay)
    return cast(Replay, replay), problem


def _hosts(config: RunConfig, journal: Journal, url: str) -> str:
    """Return a note about the hosts that a run knows, for a URL of another one."""
    hosts = list(dict.fromkeys(map(urls.host, journal.urls())))
    left = len(hosts) - _SHOWN_HOSTS
    more = Message("hints.others", count=left) if left > 0 else ""
    known = ", ".join(hosts[:_SHOWN_HOSTS])
    return Message("runs.explain_hosts", host=urls.host(url), world=config.world, known=known, more=more)
