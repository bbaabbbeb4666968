"""How what a run is doing now is shown: as lines of a view on a terminal, or as one line of a log."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from ontocrawl.cli.output import spoken
from ontology.errors import Message, recalled
from ontology.printable import one_line

if TYPE_CHECKING:
    from rich.console import RenderableType

_HOSTS = 5
"""Largest number of hosts in the view."""


def view(run: str, live: Mapping[str, Any]) -> RenderableType:
    """Lay out what a run is doing now.

    Args:
        run: name of the run.
        live: ``live`` of ``crawl status RUN --json``.

    Returns:
        A rich renderable; long values wrap.
    """
    from rich.table import Table
    from rich.text import Text

    grid = Table.grid(padding=(0, 2, 0, 0), pad_edge=False)
    grid.add_column(no_wrap=True, style="cyan")
    grid.add_column(overflow="fold")
    at = "" if live["state"] == "finished" else f", at {_clock(live['at'])}"
    grid.add_row(Text("run"), Text(f"{run}: {live['state']}{at}", style="bold"))
    for label, value in figures(live):
        grid.add_row(Text(label), Text(value))
    for stall in live["stalls"]:
        grid.add_row(Text("why"), Text(one_line(_why(stall)), style="yellow"))
    return grid


def figures(live: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield label and value of what a run is doing now, from ``live`` of ``crawl status RUN --json``."""
    if "process" in live:
        yield "process", f"{live['process']} on {live['computer']}, {_duration(live['seconds'])} of crawling"
        limit = f" of {live['limit_pages']}" if live["limit_pages"] else ""
        yield "pages", f"{live['fetched']}{limit}, {_rates(live)}"
        yield "harvest", f"{_number(live['harvest'], '.4f')} ({live['relevant']} relevant)"
        yield "expected gain", gain(live["expected_gain"])
        yield "links", f"{live['queued']} queued, {live['in_flight']} in flight, {live['requests']} being requested"
        if waiting := live["retries"]["waiting"]:
            yield "retries", f"{waiting} wait to be tried again, the first at {_clock(live['retries']['next'])}"
        yield "failures", _failures(live["failures"])
        yield "memory", f"{_bytes(live['memory'])}; on disk {_bytes(live['disk'])}"
        if live["last_page"]:
            yield "last page", f"{_clock(live['last_page']['at'])} {one_line(live['last_page']['url'])}"
        if live["estimated_end"]:
            yield "ends at", f"{_clock(live['estimated_end']['at'])} by {live['estimated_end']['by']}"
        yield from (("remark", one_line(remark)) for remark in live["remarks"])
        yield from _hosts(live)
    else:
        yield "disk", _bytes(live["disk"])
    for taken in live["rescored"][-1:]:
        times = f" ({len(live['rescored'])} times in all)" if len(live["rescored"]) > 1 else ""
        yield "weights", f"{weights(taken)}{times}"


def weights(taken: Mapping[str, Any]) -> str:
    """Return a line about weights that a run took, from an entry of ``rescored`` of ``crawl status --json``."""
    keys = ", ".join(taken["ontologies"].values())
    return Message("cli.weights_since", keys=keys, page=taken["fetched"], links=taken["queued"])


def gain(expected: Mapping[str, Any] | None) -> str:
    """Return the expected gain with its interval as text, from ``expected_gain`` of ``crawl status --json``.

    >>> gain({"pages": 100, "mean": 2.13, "low": 0, "high": 6})
    '2.1 [0, 6] of the next 100 pages'
    """
    if expected is None:
        return "-"
    of = {name: expected[name] for name in ("mean", "low", "high", "pages")}
    return Message("cli.gain", **of)


def _hosts(live: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    from crawler.fetching.hosts import why_it_waits

    for host in live["hosts"][:_HOSTS]:
        until = f" until {_clock(host['until'])}" if host["until"] else ""
        reason = spoken(why_it_waits(host["reason"]))
        yield "waits", f"{one_line(host['host'])}{until} ({reason}), {host['waiting']} in flight"
    if live["waiting_hosts"] > _HOSTS:
        yield "waits", f"and {live['waiting_hosts'] - _HOSTS} other hosts"


def line(document: Mapping[str, Any]) -> str:
    """Return what a run is doing now as one line for a log; the argument is ``live`` with the key ``run``."""
    parts = [f"{_clock(document['at'])} {document['run']} {document['state']}"]
    if "process" in document:
        parts += [
            f"{document['fetched']} pages, {_rates(document)}",
            f"harvest {_number(document['harvest'], '.4f')}",
            f"expected gain {gain(document['expected_gain'])}",
            f"{document['queued']} queued, {document['in_flight']} in flight",
            f"{sum(document['failures'].values())} failures",
            _bytes(document["memory"]),
        ]
        if document["estimated_end"]:
            parts.append(f"ends {_clock(document['estimated_end']['at'])}")
    return one_line("; ".join([*parts, *map(_why, document["stalls"])]))


def last_line(document: Mapping[str, Any]) -> str:
    """Return the line for the end of a run, from the document of ``crawl status RUN --json``."""
    end, why = document["live"], document["stop_reason"] or "a kill"
    pages = f"{document['fetched']} pages, {document['relevant']} relevant, {document['failures']} failures"
    pages += f", expected gain {gain(document['expected_gain'])}"
    said = f"{_clock(end['at'])} {document['run']} {end['state']}: stopped by {why}, {pages}"
    return one_line("; ".join([said, *map(_why, end["stalls"])]))


def _why(stall: Mapping[str, Any]) -> str:
    return spoken(recalled(stall["text"], stall.get("message")))


def _rates(live: Mapping[str, Any]) -> str:
    rate, last = (_number(live[key], ".2f") for key in ("pages_per_second", "pages_per_second_last_minute"))
    return f"{rate}/s, last minute {last}/s"


def _failures(counts: Mapping[str, int]) -> str:
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return ", ".join([str(sum(counts.values())), *(f"{reason} {count}" for reason, count in ordered)])


def _number(value: float | None, form: str) -> str:
    return "-" if value is None else format(value, form)


def _bytes(number: int | None) -> str:
    from rich.filesize import decimal

    return "-" if number is None else decimal(number)


def _duration(seconds: float) -> str:
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}"


def _clock(iso: str) -> str:
    from datetime import datetime

    from ontocrawl.runs.run_status import clock

    return clock(datetime.fromisoformat(iso).timestamp(), time.time())
