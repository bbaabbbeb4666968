"""Checks of the installation and the workspace."""

from __future__ import annotations

import platform
import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import NamedTuple
from urllib.parse import urlsplit

import requests

from crawler.model import Failure, Response
from crawler.url import canonical
from crawler.worlds import LiveWorld
from kg.engine import embedded
from kg.store import StoreError
from ontocrawl.base.options import CrawlSettings
from ontocrawl.base.workspace import Workspace, make_folder
from ontocrawl.errors import CommandError, UsageError
from ontocrawl.graph.graph_store import store
from ontocrawl.health import graph_health
from ontocrawl.health.graph_health import Problem
from ontocrawl.topics import topics
from ontology.errors import Message

PACKAGES = (
    "rdflib",
    "owlready2",
    "concepts",
    "neo4j",
    "requests",
    "beautifulsoup4",
    "jieba",
    "numpy",
    "scipy",
    "selectolax",
)


@dataclass(frozen=True)
class Check:
    """The result of one check, with advice for a failed one."""

    name: str
    ok: bool
    found: str
    advice: str = ""


def examine(workspace: Workspace, url: str | None = None) -> list[Check]:
    """Run all checks; with a URL also whether a crawl can fetch that page. Problems are best fixed in their order."""
    python = Check("Python", sys.version_info >= (3, 11), platform.python_version(), Message("health.python"))
    checks = [python, _packages(), _disk(workspace), _settings(workspace), _topic(workspace)]
    checks += _graph(workspace)
    if url is not None:
        checks.append(Check("network", *_reach(url, workspace.settings.crawl)))
    return [Check(c.name, c.ok, c.found, "" if c.ok else c.advice) for c in checks]


def _packages() -> Check:
    installed, missing = [], []
    for name in PACKAGES:
        try:
            installed.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            missing.append(name)
    return Check("packages", not missing, ", ".join(installed), f"pip install {' '.join(missing)}")


def _disk(workspace: Workspace) -> Check:
    folder = next(p for p in (workspace.root, *workspace.root.resolve().parents) if p.exists())
    free = shutil.disk_usage(folder).free
    return Check(
        "disk",
        free > 200 * 2**20,
        Message("health.free", free=free / 2**30, folder=folder),
        Message("health.free_some"),
    )


def _settings(workspace: Workspace) -> Check:
    crawl = workspace.settings.crawl
    figures = {name: getattr(crawl, name) for name in ("topic", "strategy", "limit_pages", "delay")}
    return Check("settings", True, Message("health.settings", **figures))


def _topic(workspace: Workspace) -> Check:
    def look() -> str:
        topic = topics.load(topics.default_name(workspace), workspace)
        classes = ", ".join(str(len(ontology.concepts)) for ontology in topic.ontologies) or Message(
            "health.no_ontology"
        )
        return Message("health.topic", topic=topic.name, words=len(topic.file.words), classes=classes)

    return _try("topic", look)


def _graph(workspace: Workspace) -> list[Check]:
    """Check that the graph opens, that its files are those that the engine wrote, and that a part can be read."""
    problems: list[Problem] = []

    def look() -> str:
        make_folder(workspace.root)
        elsewhere = workspace.settings.graph.uri or workspace.graph_is_read_only
        compared = None if elsewhere else embedded.compare_files(workspace.graph)
        with store(workspace) as graph:
            pages = graph.read("MATCH (n:Page) RETURN count(n) AS n")[0]["n"]
            problems.extend(graph_health.quick(workspace, graph))
        files = Message("health.files_as_left") if compared else ""
        return Message("health.answers", engine=graph_health.engine_of(workspace), pages=pages, files=files)

    opened = _try("graph", look)
    if not opened.ok:
        return [opened]
    found = problems[0].what if problems else Message("health.part_read")
    return [opened, Check("graph data", not problems, found, Message("health.way_back"))]


def _try(name: str, look: Callable[[], str]) -> Check:
    try:
        return Check(name, True, look())
    except (StoreError, CommandError, OSError, ValueError) as error:
        return Check(name, False, type(error).__name__, getattr(error, "message", str(error)))


# ---- whether a crawl can fetch a page, and where it cannot, whether other programs can
#
# A crawl connects directly, to public addresses, and trusts the bundled certificates or those of one file. requests
# does what most programs do: it uses the proxies, certificates and passwords that the environment names. A page that
# only requests can fetch shows what the crawl lacks; a page that neither can fetch shows that the cause is elsewhere.


_ADVICE = {
    "blocked_address": "health.advice_address",
    "tls": "health.advice_tls",
    "timeout": "health.advice_timeout",
    "too_large": "health.advice_too_large",
}


class Reached(NamedTuple):
    """Whether a crawl can fetch a page, what it found, and what to do if it cannot."""

    ok: bool
    found: str
    advice: str = ""


def _reach(url: str, settings: CrawlSettings, *, allow_loopback: bool = False) -> Reached:
    """Fetch a page as a crawl does; where that fails, fetch it by requests and compare.

    Args:
        url: the page. A response of any status counts, a redirect too.
        settings: timeout, size limit and user agent of the crawl.
        allow_loopback: whether the page may be on this machine.

    Returns:
        The result, with advice for a failure.

    Raises:
        UsageError: the URL is not an absolute http or https URL.
    """
    target = canonical(url)
    if target is None:
        raise UsageError("health.reach_expected_url_begins", url=url)
    world = LiveWorld(
        timeout=settings.timeout,
        max_bytes=settings.max_bytes,
        user_agent=settings.user_agent,
        allow_loopback=allow_loopback,
        ca_file=settings.ca_file,
    )
    answer = world.fetch(target)
    world.close()
    if isinstance(answer, Response):
        return Reached(True, Message("health.reached", url=target, status=answer.status))
    return Reached(False, f"{answer.reason}: {answer.detail}", _advice(answer, settings))


def _advice(failure: Failure, settings: CrawlSettings) -> str:
    """Return what to do about a page that the crawl's client could not fetch."""
    proxy = requests.utils.select_proxy(failure.url, requests.utils.get_environ_proxies(failure.url))
    headers = {"User-Agent": settings.user_agent}
    try:
        with requests.get(
            failure.url, headers=headers, timeout=settings.timeout, allow_redirects=False, stream=True
        ) as reply:
            status = reply.status_code
    except requests.RequestException as error:
        return Message("health.none_reaches", error=error)
    if proxy:
        host = urlsplit(proxy).hostname or Message("health.proxy_of")  # without its user name and password
        return Message("health.proxy_reaches", host=host, status=status)
    known = Message(_ADVICE.get(failure.reason, "health.advice_other"))
    return Message("health.others_reach", status=status, advice=known)
