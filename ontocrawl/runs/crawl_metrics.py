"""Metrics of a crawl for Prometheus, over HTTP: what the crawl writes about itself for `crawl status`, read when asked.

Names follow Prometheus' conventions: base units, `_total` for counters. Figures are those of the whole run where its
journal keeps them (pages, failures, seconds), else of its process (bytes, seconds by stage).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from crawler import heartbeat
from crawler.heartbeat import Beat
from crawler.stages import StageClock
from ontocrawl.errors import CommandError, Option, UsageError
from ontology.errors import Message
from ontology.extras import require
from ontology.printable import one_line

if TYPE_CHECKING:
    from prometheus_client.core import Metric

    from crawler.crawl import Crawl

LOOPBACK = "127.0.0.1"
_LABELS = ("run", "strategy", "topic", "world")
_METRICS = Option("--metrics")


class CrawlMetrics:
    """A collector of prometheus_client for the crawl of this process. It has no metrics while no crawl goes on."""

    def __init__(self) -> None:
        self._folder: Path | None = None
        self._info: Mapping[str, str] = {}
        self._stages = StageClock()

    @contextmanager
    def of(self, crawl: Crawl) -> Iterator[None]:
        """Let the metrics be those of a crawl in the block.

        Args:
            crawl: a crawl that has begun or was resumed.
        """
        config = crawl.journal.get("config") or {}
        self._info = {name: one_line(str(config.get(name, ""))) for name in _LABELS}
        with self._stages.measuring(crawl):
            self._folder = crawl.journal.path.parent
            try:
                yield
            finally:
                self._folder = None

    def around(
        self, inner: Callable[[Crawl], AbstractContextManager[Any]]
    ) -> Callable[[Crawl], AbstractContextManager[None]]:
        """Return the context of a crawl with metrics.

        Args:
            inner: makes the context of the crawl without them.
        """

        @contextmanager
        def measured(crawl: Crawl) -> Iterator[None]:
            with self.of(crawl), inner(crawl):
                yield

        return measured

    def collect(self) -> Iterator[Metric]:
        """Yield the metrics; in the thread of the HTTP server."""
        beat = None if self._folder is None else heartbeat.read(self._folder)
        if beat is not None:
            yield from _metrics_of(beat, self._stages.seconds, self._info)


def _metrics_of(beat: Beat, stages: Mapping[str, float], info: Mapping[str, str]) -> Iterator[Metric]:
    """Yield the metrics of a crawl.

    Args:
        beat: what the crawl wrote last about itself.
        stages: stage -> seconds (`crawler.stages.STAGES`).
        info: values of the labels of ``ontocrawl_crawl_info``.
    """
    from prometheus_client.core import CounterMetricFamily as Counter
    from prometheus_client.core import GaugeMetricFamily as Gauge
    from prometheus_client.core import InfoMetricFamily as Info

    yield Info("ontocrawl_crawl", "The run that is crawled.", value=dict(info))
    yield Counter("ontocrawl_crawl_pages", "Pages fetched with status 200.", value=beat.fetched)
    yield Counter("ontocrawl_crawl_relevant_pages", "Fetched pages that the judge finds relevant.", value=beat.relevant)
    if beat.fetched:
        yield Gauge(
            "ontocrawl_crawl_harvest_ratio", "Relevant of all fetched pages.", value=beat.relevant / beat.fetched
        )
    yield Counter(
        "ontocrawl_crawl_received_bytes", "Bytes of all bodies received by this process, decoded.", value=beat.received
    )
    failures = Counter("ontocrawl_crawl_failures", "Fetches that failed, by reason.", labels=["reason"])
    for reason, count in sorted(beat.failures.items()):
        failures.add_metric([reason], count)
    yield failures
    yield Gauge("ontocrawl_crawl_queued_links", "Links in the frontier.", value=beat.queued)
    yield Gauge("ontocrawl_crawl_in_flight_pages", "Links that were chosen and have no outcome.", value=beat.in_flight)
    yield Gauge("ontocrawl_crawl_active_requests", "Requests that are being made.", value=beat.requests)
    waiting = Gauge("ontocrawl_crawl_waiting_hosts", "Hosts that may not be requested now.", labels=["reason"])
    for reason, count in sorted(beat.waits.items()):
        waiting.add_metric([reason], count)
    yield waiting
    yield Gauge("ontocrawl_crawl_draining", "1 while no more links are chosen.", value=float(beat.draining))
    yield Counter("ontocrawl_crawl_seconds", "Seconds for which the run was crawled.", value=beat.seconds)
    spent = Counter("ontocrawl_crawl_stage_seconds", "Seconds of this process, by stage.", labels=["stage"])
    for stage, seconds in stages.items():
        spent.add_metric([stage], seconds)
    yield spent
    yield Gauge("ontocrawl_crawl_updated_timestamp_seconds", "When these figures were taken.", value=beat.written)
    yield Gauge("process_start_time_seconds", "When the crawl of this process began.", value=beat.started)
    if beat.memory is not None:
        yield Gauge("process_resident_memory_bytes", "Resident memory of the process.", value=beat.memory)


@contextmanager
def served(place: str, on_note: Callable[[str], None]) -> Iterator[CrawlMetrics]:
    """Serve the metrics of a crawl while the block runs.

    Args:
        place: ``PORT``, on loopback, or ``ADDRESS:PORT``; port 0 means any free one.
        on_note: called with a line that has the URL.

    Yields:
        The metrics, for the crawl that runs in the block.

    Raises:
        UsageError: ``place`` is none.
        CommandError: the port cannot be used.
        MissingExtra: prometheus_client is not installed.
    """
    address, port = _place_of(place)
    prometheus = require("prometheus_client", "metrics", "--metrics")
    metrics = CrawlMetrics()
    registry = prometheus.CollectorRegistry(auto_describe=False)
    registry.register(metrics)
    try:
        server, thread = prometheus.start_http_server(port, addr=address, registry=registry)
    except OSError as error:
        raise CommandError(
            "runs.metrics_cannot_served_give", place=place, strerror=error.strerror, metrics=_METRICS
        ) from error
    try:
        shown = f"[{address}]" if ":" in address else address
        on_note(Message("runs.metrics_at", url=f"http://{shown}:{server.server_port}/metrics"))
        yield metrics
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _place_of(text: str) -> tuple[str, int]:
    """Return the address and port of a value of ``--metrics``; raise UsageError for another text.

    >>> _place_of("9464"), _place_of("0.0.0.0:9464"), _place_of("[::1]:0")
    (('127.0.0.1', 9464), ('0.0.0.0', 9464), ('::1', 0))
    """
    address, _, port = text.rpartition(":")
    address = address.removeprefix("[").removesuffix("]") or LOOPBACK
    if not (port.isascii() and port.isdigit() and int(port) <= 65_535):
        raise UsageError("runs.expected_port_address_port", metrics=_METRICS, text=text)
    return address, int(port)
