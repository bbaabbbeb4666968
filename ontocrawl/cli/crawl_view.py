"""How what a run is doing now is shown: as lines of a view on a terminal, or as one line of a log."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from ontocrawl.cli.output import named, spoken
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
    at = "" if live["state"] == "finished" else Message("cli.live_at", clock=_clock(live["at"]))
    state = spoken(Message("cli.live_state", run=run, state=named("state", live["state"]), at=at))
    grid.add_row(Text(spoken(named("heading", "run"))), Text(state, style="bold"))
    for label, value in figures(live):
        grid.add_row(Text(spoken(named("heading", label))), Text(spoken(value)))
    for stall in live["stalls"]:
        grid.add_row(Text(spoken(named("heading", "why"))), Text(one_line(_why(stall)), style="yellow"))
    return grid


def figures(live: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield label and value of what a run is doing now, from ``live`` of ``crawl status RUN --json``."""
    if "process" in live:
        where = {"process": live["process"], "computer": live["computer"]}
        yield "process", Message("cli.live_process", time=_duration(live["seconds"]), **where)
        limit = Message("cli.live_limit", pages=live["limit_pages"]) if live["limit_pages"] else ""
        yield "pages", Message("cli.live_pages", fetched=live["fetched"], limit=limit, rates=_rates(live))
        harvest = _number(live["harvest"], ".4f")
        yield "harvest", Message("cli.live_harvest", harvest=harvest, relevant=live["relevant"])
        yield "expected gain", gain(live["expected_gain"])
        yield "links", Message("cli.live_links", **{key: live[key] for key in ("queued", "in_flight", "requests")})
        if waiting := live["retries"]["waiting"]:
            yield "retries", Message("cli.live_retries", n=waiting, first=_clock(live["retries"]["next"]))
        yield "failures", _failures(live["failures"])
        yield "memory", Message("cli.live_memory", memory=_bytes(live["memory"]), disk=_bytes(live["disk"]))
        if live["last_page"]:
            yield "last page", f"{_clock(live['last_page']['at'])} {one_line(live['last_page']['url'])}"
        if live["estimated_end"]:
            end = live["estimated_end"]
            yield "ends at", Message("cli.live_end", clock=_clock(end["at"]), by=end["by"])
        yield from (("remark", one_line(remark)) for remark in live["remarks"])
        yield from _hosts(live)
    else:
        yield "disk", _bytes(live["disk"])
    for taken in live["rescored"][-1:]:
        times = Message("cli.live_times", times=len(live["rescored"])) if len(live["rescored"]) > 1 else ""
        yield "weights", Message("cli.live_weights", weights=weights(taken), times=times)


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
        until = Message("cli.live_until", clock=_clock(host["until"])) if host["until"] else ""
        about = {"host": one_line(host["host"]), "until": until, "reason": why_it_waits(host["reason"])}
        yield "waits", Message("cli.live_waits", in_flight=host["waiting"], **about)
    if live["waiting_hosts"] > _HOSTS:
        yield "waits", Message("cli.live_hosts", hosts=live["waiting_hosts"] - _HOSTS)


def line(document: Mapping[str, Any]) -> str:
    """Return what a run is doing now as one line for a log; the argument is ``live`` with the key ``run``."""
    parts = [f"{_clock(document['at'])} {document['run']} {spoken(named('state', document['state']))}"]
    if "process" in document:
        figures = {key: document[key] for key in ("fetched", "queued", "in_flight")} | {
            "rates": _rates(document), "harvest": _number(document["harvest"], ".4f"),
            "gain": gain(document["expected_gain"]), "failures": sum(document["failures"].values()),
            "memory": _bytes(document["memory"]),
        }  # fmt: skip
        parts.append(Message("cli.watch_line", **figures))
        if document["estimated_end"]:
            parts.append(Message("cli.watch_ends", clock=_clock(document["estimated_end"]["at"])))
    return one_line("; ".join([*map(spoken, parts), *map(_why, document["stalls"])]))


def last_line(document: Mapping[str, Any]) -> str:
    """Return the line for the end of a run, from the document of ``crawl status RUN --json``."""
    end, why = document["live"], document["stop_reason"] or Message("cli.watch_kill")
    about = {"clock": _clock(end["at"]), "state": named("state", end["state"]), "why": why}
    about |= {key: document[key] for key in ("run", "fetched", "relevant", "failures")}
    said = spoken(Message("cli.watch_last", gain=gain(document["expected_gain"]), **about))
    return one_line("; ".join([said, *map(_why, end["stalls"])]))


def _why(stall: Mapping[str, Any]) -> str:
    return spoken(recalled(stall["text"], stall.get("message")))


def _rates(live: Mapping[str, Any]) -> str:
    rate, last = (_number(live[key], ".2f") for key in ("pages_per_second", "pages_per_second_last_minute"))
    return Message("cli.live_rates", rate=rate, last=last)


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
