"""Tables of a run: its fetches, its hosts with their states, the links that it did not fetch, and why."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote, urlencode

from starlette.requests import Request

from crawler import url as urls
from crawler.fetching.hosts import WAITS
from crawler.journal import Journal, ledger
from crawler.journal.judged_pages import last_pages
from crawler.reasons import group_of, meaning
from ontocrawl.explorer import rendering, tables
from ontocrawl.explorer.routes import here
from ontocrawl.explorer.tables import Source
from ontocrawl.graph.tables import Table
from ontocrawl.runs import run_files, run_status, runs

Address = Callable[[Request, Mapping[str, Any]], str]
_KINDS = {ledger.QUEUED: "waiting", ledger.IN_FLIGHT: "waiting", "rejected_by_strategy": "strategy"}
"""Reason code -> its kind, where `group_of` names none; any other code is of the kind ``page``."""


def _of_journal(request: Request, name: str, read: Callable[[Journal], Table]) -> Table:
    """Return a table of the run that the address names, read once for each state of its journal."""
    run = request.query_params.get("run", "")
    with runs.open_journal(here.space(request), run) as journal, journal.at_one_moment():
        key = (name, journal.path, run_files.measures_digest(journal))
        return tables.kept(key, lambda: read(journal))


def _fetches(request: Request) -> Table:
    """Return all fetches of a run, the last first."""
    columns = ("step", "title", "url", "host", "relevance", "relevant", "priority", "failure")

    def read(journal: Journal) -> Table:
        rows = [{**row, "host": urls.host(row["url"])} for row in last_pages(journal, tables.MOST + 1)]
        return Table(columns, tuple(tuple(row[name] for name in columns) for row in rows))

    return _of_journal(request, "fetches", read)


def _failed(request: Request, t: Mapping[str, str]) -> list[tuple[str, str, str]]:
    """Return how many of the fetches of a run gave no page, with the way to them."""
    rows = _fetches(request).records()
    failed = sum(row["failure"] is not None for row in rows)
    told = f"{len(rows)} {t['pages_fetches']}: {len(rows) - failed} {t['pages_pages']}, {failed} {t['pages_failed']}"
    to = tables.query(request.query_params, "_skip", _text="failure!=")
    return [(told, t["words_show"], to)] if failed else []


def _unfetched(journal: Journal) -> Iterator[tuple[str, str]]:
    """Yield URL and reason code of each known link that was not fetched."""
    return ((url, fate) for _, url, fate in ledger.fates(journal) if fate != ledger.FETCHED)


def _kind(code: str) -> str:
    return group_of(code) or _KINDS.get(code, "page")


def _links(request: Request) -> Table:
    """Return the known links of a run that were not fetched, with the reason of each."""

    def read(journal: Journal) -> Table:
        rows = ((url, urls.host(url), _kind(code), code) for url, code in _unfetched(journal))
        return Table(("url", "host", "kind", "reason"), tuple(rows))

    return _of_journal(request, "links", read)


def _reasons(request: Request) -> Table:
    """Return the reasons why known links of a run were not fetched, the most frequent one first."""
    language = rendering.language_of(request)

    def read(journal: Journal) -> Table:
        links, example = Counter[str](), dict[str, str]()
        for url, code in _unfetched(journal):
            links[code] += 1
            example.setdefault(code, url)
        rows = (
            (code, _kind(code), number, number / links.total(),
             *(rendering.said(text, language) for text in (meaning(code).happened, meaning(code).advice)),
             example[code])
            for code, number in links.most_common()
        )  # fmt: skip
        return Table(("reason", "kind", "links", "part", "happened", "advice", "example"), tuple(rows))

    return _of_journal(request, f"reasons {language}", read)


def _hosts(request: Request) -> Table:
    """Return the hosts of a run: what it does about each now, and what their pages gave.

    Hosts that wait come first, then those with most relevant pages. The figures of pages have the names of the query
    ``hosts/that_pay``.
    """
    states = run_status.host_states(here.space(request), request.query_params.get("run", ""))
    pages = _fetches(request)
    found = defaultdict[str, list[dict[str, Any]]](list)
    for one in pages.records():
        found[one["host"]].append(one)
    rows = []
    for host, of in states.items():
        of_host = found[host]
        judged = [one for one in of_host if one["relevance"] is not None]
        relevant = sum(bool(one["relevant"]) for one in judged)
        mean = sum(one["relevance"] for one in judged) / len(judged) if judged else None
        failed = sum(one["failure"] is not None for one in of_host)
        first, last = (of_host[at]["step"] if of_host else None for at in (-1, 0))
        until = None if of.until is None else datetime.fromtimestamp(of.until, UTC).isoformat(" ", "seconds")
        share = relevant / len(judged) if judged else None
        given = (len(judged), relevant, share, mean, failed)
        rows.append((host, of.state, until, of.waiting, *given, of.closed, of.queued, first, last))
    columns = (
        "host", "state", "until", "waiting", "fetched", "relevant", "share", "mean_relevance", "failed", "closed",
        "queued", "first_step", "last_step",
    )  # fmt: skip
    rows.sort(key=lambda row: (row[1] not in WAITS, -row[5]))
    return Table(columns, tuple(rows))


def _explained(column: str) -> Address:
    """Return the function that returns the address of the explanation of a column's URL, in a table of a run."""

    def address(request: Request, row: Mapping[str, Any]) -> str:
        run = quote(request.query_params.get("run", ""), safe="")
        return f"/crawls/{run}/page?{urlencode({'url': row[column]})}"

    return address


def _table_of(source: str, column: str, **chosen: str) -> Address:
    """Return the function that returns the address of another table of the same run, with the rows of a cell's value.

    Args:
        source: name of the table.
        column: the column of both.
        **chosen: values of other columns.
    """

    def address(request: Request, row: Mapping[str, Any]) -> str:
        values = {f"_is.{name}": value for name, value in {column: row[column], **chosen}.items()}
        return f"/tables/{source}?{urlencode({'run': request.query_params.get('run', ''), **values})}"

    return address


SOURCES = {
    "pages": Source(_fetches, links={"url": _explained("url")}, hidden=("priority",), notes=_failed),
    "hosts": Source(
        _hosts,
        links={"host": _table_of("pages", "host"), "queued": _table_of("unfetched", "host", reason=ledger.QUEUED)},
        words={"state": "host_"},
        hidden=("waiting", "mean_relevance", "first_step", "last_step"),
    ),
    "reasons": Source(
        _reasons,
        links={"reason": _table_of("unfetched", "reason"), "example": _explained("example")},
        words={"kind": "reason_"},
    ),
    "unfetched": Source(_links, links={"url": _explained("url")}, words={"kind": "reason_"}),
}
