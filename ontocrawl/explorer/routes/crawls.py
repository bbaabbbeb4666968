"""Crawls: the list, one crawl with its harvest curve, what it does now as events, its last pages, its diagnosis."""

from __future__ import annotations

import asyncio
import json
import shlex
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import quote, urlencode

from markupsafe import Markup
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from crawler.explanation.page_scores import last_words
from crawler.journal.judged_pages import last_pages
from crawler.metrics import FetchedPages, harvest_curve
from crawler.scoring.relevance import relevance
from ontocrawl.base.options import CrawlSettings, declared
from ontocrawl.base.workspace import Workspace
from ontocrawl.enrichment import next_command
from ontocrawl.errors import UsageError
from ontocrawl.explorer import rendering, tables
from ontocrawl.explorer.routes import here
from ontocrawl.explorer.tables import Source
from ontocrawl.graph.tables import Table
from ontocrawl.report.charts import Curve, harvest_chart
from ontocrawl.runs import crawl_request, run_files, run_status, runs
from ontocrawl.topics import topics
from ontology.printable import printable

EVERY = 1.0
"""Seconds between two events about a running crawl."""
_LAST = 50
"""Pages that are listed unless the request says how many."""
_MOST = 1000
_WORDS = 5
"""Words of a page, those that contribute most to its relevance."""
_COLUMNS = {
    "run": "run", "state": "state", "topic": "topic", "strategy": "strategy", "pages": "fetched",
    "relevant": "relevant", "harvest": "accuracy", "curve": "curve", "begun": "begun", "tags": "tags", "note": "note",
    "hidden": "hidden", "seconds": "seconds", "error": "error",
}  # fmt: skip
"""Columns of the table of runs -> key of the measures."""
_STATES = ("running", "draining", "interrupted", "finished")
_CURVE = (72, 20)
"""Width and height of a small curve."""
_KEPT = 8
_CURVES: dict[tuple[str, str], dict[str, list[int]]] = {}
"""Curves by the path and digest of their journals, so that the chart and the measures of a page read it once."""
MOVED = {"new": "/crawls/_new", "compare": "/crawls/_compare"}
"""Pages that had the addresses of runs of these names -> their addresses, which no run has: a name begins otherwise."""
_FORMER = {"text": "_text", "state": "_is.state"}
"""Parameters of the list of runs in addresses of earlier versions -> those of tables."""


def curves(space: Workspace, name: str) -> dict[str, list[int]]:
    """Return the harvest curves of a run: running counts of relevant pages, after each page.

    Args:
        space: the workspace of the run.
        name: name of the run.

    Returns:
        ``judge``; and ``label`` where the run has labels.
    """
    with runs.open_journal(space, name) as journal, journal.at_one_moment():
        key = str(journal.path), run_files.measures_digest(journal)
        if key not in _CURVES:
            if len(_CURVES) >= _KEPT:
                _CURVES.clear()
            _CURVES[key] = _curves(runs.fetched_pages(journal))
        return _CURVES[key]


def _curves(pages: FetchedPages) -> dict[str, list[int]]:
    by = {"judge": pages.relevant} | ({} if pages.labelled is None else {"label": pages.labelled})
    return {judge: harvest_curve(relevant).tolist() for judge, relevant in by.items()}


def all_crawls(request: Request) -> Response:
    """Return the measures of the runs that the address asks for, as the table shows them."""
    space = here.space(request)
    left = {"hidden": 0 if _with_hidden(request) else run_status.hidden_runs(space)}
    return JSONResponse({"crawls": _asked(request), **left, "bin": len(space.removed_runs())})


def _asked(request: Request) -> list[Mapping[str, Any]]:
    tag = request.query_params.get("tag", "")
    return here.runs_of(request, hidden=_with_hidden(request), tag=tag)


def _with_hidden(request: Request) -> bool:
    return request.query_params.get("hidden") == "yes"


def one_crawl(request: Request) -> Response:
    """Return the measures of a run, what it does now, and its harvest curve."""
    space, name = here.space(request), request.path_params["run"]
    return JSONResponse({**next_command.status_of(space, name), "curves": curves(space, name)})


def pages_of_crawl(request: Request) -> Response:
    """Return the last pages of a run, the latest first, each with the words that decided its relevance."""
    space, name = here.space(request), request.path_params["run"]
    number = here.number(request, "limit", _LAST, _MOST)
    with runs.open_journal(space, name) as journal, journal.at_one_moment():
        config, pages = runs.read_config(journal), last_pages(journal, number)
        words = last_words(journal, relevance(config.relevance), config.vocabularies["TK"], number, _WORDS)
    return JSONResponse({"pages": [{**page, "words": of} for page, of in zip(pages, words, strict=True)]})


def live(request: Request) -> Response:
    """Send what a run is doing now as server-sent events, until it has ended."""
    space, name = here.space(request), request.path_params["run"]
    run_status.now(space, name)  # an unknown run is an error before the first event
    return StreamingResponse(_events(request, space, name), media_type="text/event-stream")


async def _events(request: Request, space: Workspace, name: str) -> AsyncIterator[str]:
    language = rendering.language_of(request)
    while not await request.is_disconnected():
        now = await run_in_threadpool(run_status.now, space, name)
        stalls = [{**stall.as_json(), "text": rendering.said(stall.text, language)} for stall in now.stalls]
        document = {**now.as_json(), "stalls": stalls}
        yield f"event: now\ndata: {json.dumps(document, ensure_ascii=False)}\n\n"
        if not now.running:
            return
        await asyncio.sleep(EVERY)


def chart(request: Request) -> Response:
    """Return the harvest curves of a run as an element of a page."""
    t = rendering.texts_in(rendering.language_of(request))
    found = curves(here.space(request), request.path_params["run"])
    named = {t[f"crawl_by_{by}"]: values for by, values in found.items()}
    return Response(drawn(named, t, "harvest"), media_type="text/html")


def drawn(named: Mapping[str, Sequence[int]], t: Mapping[str, str], id_: str) -> str:
    """Draw harvest curves by name, with the texts of a language, as an element of a page."""
    return harvest_chart(
        [Curve(name, values) for name, values in named.items()],
        id_=id_, title=t["crawl_curve"], y_name=t["crawls_relevant"], x_name=t["crawls_pages"],
    )  # fmt: skip


# ---- the table of the runs of the workspace


def _runs(request: Request) -> Table:
    """Return the runs of the workspace with their measures, and the reason for each that cannot be read."""
    space = here.space(request)
    documents = [{**one, **_course(space, one)} for one in _asked(request)]
    present = {"error": any("error" in one for one in documents), "hidden": _with_hidden(request)}
    columns = [name for name in _COLUMNS if present.get(name, True)]
    return Table(tuple(columns), tuple(tuple(one.get(_COLUMNS[name]) for name in columns) for one in documents))


def _course(space: Workspace, measures: Mapping[str, Any]) -> dict[str, Any]:
    """Return when a run began, and its relevant pages by fetched pages at its milestones."""
    if "error" in measures:
        return {}
    begun = run_status.begun(space, measures["run"])[0][:16].replace("T", " ")
    points = {(one["fetched"], one["relevant"]) for one in measures["milestones"].values()}
    return {"begun": begun, "curve": [(0, 0), *sorted(points)]}


def _small_curve(points: Sequence[tuple[int, int]] | None) -> Markup:
    """Draw relevant pages by fetched pages, beside the line of a crawl that finds only relevant ones."""
    (pages, relevant), (width, height) = points[-1] if points else (0, 0), _CURVE
    if not points or not pages:
        return Markup("")
    line = " ".join(f"{width * x / pages:.1f},{height * (1 - y / pages):.1f}" for x, y in points)
    return Markup(
        '<svg class="curve" viewBox="0 0 {0} {1}" width="{0}" height="{1}" role="img" aria-label="{2}">'
        '<polyline points="0,{1} {0},0" class="all"/><polyline points="{3}"/></svg>'
    ).format(width, height, f"{relevant} / {pages}", line)


def _tags(tags: Sequence[str] | None) -> Markup:
    """Return the tags of a run as links to the runs with each."""
    link = Markup('<a href="?{}">{}</a>')
    return Markup(" ").join(link.format(urlencode({"tag": tag}), printable(tag)) for tag in tags or ())


def _left_out(request: Request, t: Mapping[str, str]) -> Iterator[tuple[str, str, str]]:
    """Yield which runs the table leaves out, with the way to each."""
    given, hidden = request.query_params, run_status.hidden_runs(here.space(request))
    if tag := given.get("tag"):
        yield f"{t['column_tags']}: {tag}", t["table_reset"], tables.query(given, "tag", "_skip")
    if _with_hidden(request):
        yield t["marks_all"], t["marks_without"], tables.query(given, "hidden", "_skip")
    elif hidden:
        yield f"{t['marks_hidden']}: {hidden}", t["marks_with"], tables.query(given, "_skip", hidden="yes")
    if removed := len(here.space(request).removed_runs()):
        yield f"{t['bin_holds']}: {removed}", t["tables_bin"], f"{request.scope['root_path']}/tables/bin"


def _ontology_of(request: Request, row: Mapping[str, Any]) -> str:
    """Return the address of the ontology of a run's topic; empty where it has none, or is gone."""
    return f"/ontologies/{quote(row['topic'], safe='')}" if row["topic"] in here.with_ontologies(request) else ""


RUNS = Source(
    _runs,
    links={
        "run": lambda request, row: f"/crawls/{quote(row['run'], safe='')}",
        "topic": _ontology_of,
    },
    drawn={"curve": _small_curve, "tags": _tags},
    words={"state": "state_"},
    hidden=("seconds",),
    sort="run",
    choice="run",
    action="/crawls/_compare",
    notes=lambda request, t: list(_left_out(request, t)),
)
SOURCES = {"runs": RUNS}


def crawls_page(request: Request) -> Response:
    """Show the runs that an address asks for, in its order."""
    given = request.query_params
    if any(name in given for name in (*_FORMER, "by", "falling")):
        sort = given.get("by", "run")
        if sort not in _COLUMNS or given.get("state", "") not in ("", *_STATES):
            raise UsageError("explorer.list_columns", columns=", ".join(_COLUMNS), states=", ".join(_STATES))
        asked = {new: given[old] for old, new in _FORMER.items() if given.get(old)}
        asked["_sort"] = f"-{sort}" if given.get("falling") == "yes" else sort
        return RedirectResponse(f"{request.scope['root_path']}/crawls?{urlencode(asked)}", 302)
    return rendering.page(request, "crawls", {"table": tables.shown(request, RUNS, "runs")})


def crawl_page(request: Request) -> Response:
    """Show a run: its measures, its curve and its last pages; a running one as it goes on."""
    space, name = here.space(request), request.path_params["run"]
    if here.crawls(request).has_not_begun(name):
        return rendering.page(request, "crawl_begins", {"name": name})
    if name in MOVED and name not in space.run_names():
        return RedirectResponse(f"{request.scope['root_path']}{MOVED[name]}?{request.url.query}", 302)
    ontologies = list(runs.config_of(space, name).ontologies.values())
    values = {"run": next_command.status_of(space, name), "name": name, "ontologies": ontologies}
    shown = {**values, "known": here.with_ontologies(request), "limits": declared(CrawlSettings)}
    return rendering.page(request, "crawl", {**shown, **_diagnosed(request, values["run"].get("diagnosis", {}))})


# ---- the diagnosis of a run, with the page that does what its next command does


def diagnosis(request: Request) -> Response:
    """Return the diagnosis of a run as a part of its page; of a running one what can be said so far."""
    space, run = here.space(request), request.path_params["run"]
    return rendering.page(request, "diagnosis", _diagnosed(request, next_command.diagnosis_of(space, run)))


def _diagnosed(request: Request, found: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the template of a diagnosis shows; earlier versions stored none."""
    command = found.get("next", "")
    address = _page_of(request, shlex.split(command)[1:]) if command else ""
    return {"findings": found.get("findings", ()), "next": command, "next_address": address}


def _page_of(request: Request, words: list[str]) -> str:
    """Return the address of the page that does what a command about the run of a request does; empty for none."""
    run = request.path_params["run"]
    own = f"/crawls/{quote(run, safe='')}"
    match words:
        case ["crawl", "explain", _, url] | ["crawl", "score", url, *_]:
            return f"{own}/page?{urlencode({'url': url})}"
        case ["crawl", "resume", *_]:
            return f"{own}#resume"
        case ["crawl", "pages", *_]:
            return f"/tables/pages?{urlencode({'run': run, '_is.relevant': 'true'})}"
        case ["enrich", step, *_]:
            topic = runs.config_of(here.space(request), run).topic
            versions = f"/ontologies/{quote(topic, safe='')}/versions"
            return versions if step == "apply" else f"/review?{urlencode({'topic': topic, 'run': run})}"
        case ["topic", "check", topic] if topic in here.with_ontologies(request):
            return f"/tables/terms?{urlencode({'topic': topic})}"
        case ["crawl", "run", *options]:
            return _form_of(request, options)
    return ""


def _form_of(request: Request, options: list[str]) -> str:
    """Return the address of the form with the options of a crawl; empty where it lacks one of them."""
    given, left = list[tuple[str, str]](), [option for option in options if option != "--no-graph"]
    for option, value in zip(left[::2], left[1::2], strict=False):
        name = {"--class": "classes"}.get(option, option.removeprefix("--").replace("-", "_"))
        if name not in crawl_request.FIELDS or (name == "topic" and value not in topics.loadable(here.space(request))):
            return ""
        given.append((name, value.replace(",", "\n") if name == "words" else value))
    return f"/crawls/_new?{urlencode(given)}"


ROUTES = (
    Route("/crawls", crawls_page),
    Route("/crawls/{run}", crawl_page),
    Route("/crawls/{run}/chart", chart),
    Route("/crawls/{run}/diagnosis", diagnosis),
    Route("/api/crawls", all_crawls),
    Route("/api/crawls/{run}", one_crawl),
    Route("/api/crawls/{run}/pages", pages_of_crawl),
    Route("/api/crawls/{run}/live", live),
)
