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
    python = Check("Python", sys.version_info >= (3, 11), platform.python_version(), "Python 3.11 or newer is needed")
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
        f"{free / 2**30:.1f} GiB free at {folder}",
        "free some space: a run needs a few hundred MB",
    )


def _settings(workspace: Workspace) -> Check:
    crawl = workspace.settings.crawl
    return Check(
        "settings",
        True,
        f"topic {crawl.topic}, strategy {crawl.strategy}, {crawl.limit_pages} pages, delay {crawl.delay} s",
    )


def _topic(workspace: Workspace) -> Check:
    def look() -> str:
        topic = topics.load(topics.default_name(workspace), workspace)
        classes = ", ".join(str(len(ontology.concepts)) for ontology in topic.ontologies) or "no"
        return f"{topic.name}: {len(topic.file.words)} words, ontologies of {classes} classes"

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
        found = f"{graph_health.engine_of(workspace)} answers, {pages} pages"
        return f"{found}; its files are as the engine left them" if compared else found

    opened = _try("graph", look)
    if not opened.ok:
        return [opened]
    found = "a part was read; `ontocrawl graph check` reads all" if not problems else problems[0].what
    return [opened, Check("graph data", not problems, found, "ontocrawl graph check shows the way back")]


def _try(name: str, look: Callable[[], str]) -> Check:
    try:
        return Check(name, True, look())
    except (StoreError, CommandError, OSError, ValueError) as error:
        return Check(name, False, type(error).__name__, str(error))


# ---- whether a crawl can fetch a page, and where it cannot, whether other programs can
#
# A crawl connects directly, to public addresses, and trusts the bundled certificates or those of one file. requests
# does what most programs do: it uses the proxies, certificates and passwords that the environment names. A page that
# only requests can fetch shows what the crawl lacks; a page that neither can fetch shows that the cause is elsewhere.


_ADVICE = {
    "blocked_address": "its address is not public: add --allow-loopback to `crawl run`, or name the host in --resolve",
    "tls": "name the file of certificates that they trust (REQUESTS_CA_BUNDLE) as `ca_file` in the settings, section "
    "[crawl]; without it a crawl trusts the bundled ones",
    "timeout": "raise `timeout` in the settings, section [crawl]",
    "too_large": "raise `max_bytes` in the settings, section [crawl]",
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
        return Reached(True, f"{target} answers with status {answer.status}")
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
        return f"other programs on this machine do not reach it either: {error}"
    if proxy:
        host = urlsplit(proxy).hostname or "of the environment"  # without its user name and password
        return f"only the proxy {host} reaches it (status {status}), and a crawl uses none: crawl from another network"
    known = _ADVICE.get(failure.reason, "the server treats the crawl's client in another way")
    return f"other programs reach it (status {status}); {known}"
