"""A pool of fetches: many jobs open at once, each host requested at its own pace, failures tried again.

One thread (the crawl's) drives all exchanges and asks the host's clock before it gives a request to a worker; so no
worker ever waits for a host that may not be requested yet. Workers make one hop and parse the page where that ends it.

A page that needs a browser goes on to the renderer, and its job stays open meanwhile. What the page loads there comes
back as requests of this pool, at the pace of their hosts as all others.
"""

from __future__ import annotations

import heapq
import math
import queue
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Generic, Protocol, TypeAlias, TypeVar

from crawler.fetching.exchange import Exchange, Request, Waiting
from crawler.fetching.fetch import Fetched, Fetcher
from crawler.fetching.hosts import HostSchedule
from crawler.fetching.retries import NO_RETRIES, Retry, reason_of
from crawler.model import Failure, Rendering, Response
from crawler.url import host

HELD = 10.0
"""Seconds that a job may have to wait for its host before it counts as held up."""
PAGE, SHELL, NOINDEX, DOCUMENT = "page", "shell", "noindex", "document"
"""Marks of records that are pages. The mark of a failure is its reason."""
RENDERED_NOTHING = "rendered_nothing"
Page = TypeVar("Page")
Rendered: TypeAlias = tuple[Rendering, Response | None]
"""What came of a page in a browser, and the page; None where it failed."""
Load: TypeAlias = Callable[[str, Callable[[str], Response | Failure], Callable[[Response | Failure], None]], None]
"""Requests a canonical URL for a page, by a function that makes the request; the reply goes to another one."""


class Renderer(Protocol):
    """A source of pages as a browser makes them."""

    def wants(self, page: Response, mark: str) -> str:
        """Return why a page is rendered (`Rendering.why`); empty where it is not.

        Args:
            page: the plain response.
            mark: mark of its record.
        """
        ...

    def render(self, page: Response, why: str, load: Load) -> Future[Rendered]:
        """Begin to render a page; ``load`` requests what it loads."""
        ...

    def close(self) -> None:
        """End what it has started."""
        ...


@dataclass(slots=True, eq=False)
class _Job(Generic[Page]):
    number: int
    url: str
    exchange: Exchange[Any]
    request: Request = field(default_factory=lambda: Request(""))
    tries: int = 0
    """Tries of the current request."""
    first: float = 0.0
    """Time of the first of them."""
    retried: list[str] = field(default_factory=list)
    """Reason of every try, of any hop, that was made again."""
    page: Page | None = None
    """The page, once a worker has read it."""
    partial: tuple[Response, Page | None] | None = None
    """The last response that was cut off, with the page in it; it counts where the next tries have none."""
    opened: float = 0.0
    """Time when the job was opened."""
    response: Response | None = None
    """The last response."""
    in_browser: bool = False
    """Whether the page is being rendered."""
    on_reply: Callable[[Response | Failure], None] | None = None
    """Receives the reply, of what a page in a browser loads; None for a job that ends in a record."""


@dataclass(frozen=True, slots=True)
class Done(Generic[Page]):
    """A finished job."""

    number: int
    record: Page
    retried: tuple[str, ...] = ()
    """Reason of every try that was made again, in order."""
    rendering: Rendering | None = None
    """What came of the page in a browser; None where it was in none."""


@dataclass(frozen=True, slots=True)
class OpenJob:
    """What an open job does at a time, for people who watch a crawl."""

    url: str
    """URL that is requested, or is to be requested next: of a page, a redirect's target or a robots.txt file."""
    since: float
    """Time when the job was opened."""
    waits: str | None
    """None while the request is made; else a code of `crawler.fetching.hosts.WAITS`, ``retry``, ``robots`` or
    ``browser``."""
    until: float
    """Time from which the request may be made; infinity where another one has to end first."""


def _raise(error: BaseException) -> None:
    """Raise the error of a worker in the thread of the crawl."""
    raise error


class FetchPool(Generic[Page]):
    """Open fetches of one world. All methods but ``wake`` are for one thread only."""

    def __init__(
        self,
        fetcher: Fetcher,
        read: Callable[[str, Fetched | Failure], Page],
        schedule: HostSchedule | None = None,
        *,
        workers: int = 0,
        retries: Mapping[str, Retry] = NO_RETRIES,
        renderer: Renderer | None = None,
        mark: Callable[[Page], str] = lambda page: "",
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """Create a pool without jobs.

        Args:
            fetcher: makes the exchanges; its world is used from all workers.
            read: makes the record of a page from its requested URL and the result of its exchange, in any thread.
            schedule: the clocks of the hosts; None for no delays.
            workers: number of threads that make requests; 0 to make each request in ``wait`` itself.
            retries: reason code -> how it is tried again.
            renderer: renders pages; closed with the pool. None to take pages as they come.
            mark: returns the mark of a record, by which the renderer knows what it renders.
            clock: function that returns seconds.
            sleep: function that waits for a number of seconds, used without workers.
        """
        self._fetcher, self._read, self._retries = fetcher, read, retries
        self._renderer, self._mark = renderer, mark
        self._hosts = schedule or HostSchedule(0.0)
        self._clock, self._sleep = clock, sleep
        self._open: dict[int, _Job[Page]] = {}
        self._at_host: dict[str, deque[_Job[Page]]] = {}
        """Host -> jobs whose request waits for it, first come first served. No empty ones."""
        self._due: list[tuple[float, int, str]] = []
        """Heap of (time, number, host): hosts with jobs, and when to look at them again."""
        self._later: list[tuple[float, int, _Job[Page]]] = []
        """Heap of (time, number, job): requests to try again."""
        self._for_robots: dict[str, list[_Job[Page]]] = {}
        self._patient: set[str] = set()
        """Hosts whose jobs wait for the end of the pause, however long."""
        self._done = deque[Done[Page]]()
        self.draining = False
        """Whether ``drain`` was called."""
        self.returns_for_retries = False
        """Whether ``wait`` returns None where a job begins to wait for another try, for another to be submitted."""
        self._freed = False
        """Whether a job has begun to wait so since the last ``wait``."""
        self.on_time: Callable[[float], float] = lambda now: math.inf
        """Called by ``wait`` with the time, again and again; returns the time at which it wants the next call."""
        self._counter = 0
        self.active = 0
        """Number of requests that are being made."""
        self.received = 0
        """Bytes of the bodies of all responses, decoded."""
        self._workers = workers
        self._tasks: queue.SimpleQueue[Callable[[], Callable[[], None]] | None] = queue.SimpleQueue()
        """What workers do; each returns what is then done in the thread of the crawl."""
        self._replies: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self._threads: list[threading.Thread] = []

    # ---- jobs ---------------------------------------------------------------------------------------------------

    def __len__(self) -> int:
        """Number of open jobs: submitted, and not returned by ``wait``."""
        return len(self._open) + len(self._done)

    def submit(self, number: int, url: str, hops: tuple[str, ...] = ()) -> None:
        """Open a job.

        Args:
            number: number of the job, which no open one has.
            url: canonical URL of a page.
            hops: the URLs that redirected to it, as of ``Fetcher.exchange``.
        """
        job = self._open[number] = _Job(number, url, self._fetcher.exchange(url, hops), opened=self._clock())
        self._advance(job, None)

    def wait(self, timeout: float | None = None) -> Done[Page] | None:
        """Return a finished job, in the order in which they finished.

        Args:
            timeout: maximum time to wait in seconds; None for no limit.

        Returns:
            The job; None after the timeout, after ``wake``, where no job is open, while draining where no request is
            being made, and for a retry where ``returns_for_retries`` is set.

        Raises:
            Exception: what the world or ``read`` raised in a worker.
        """
        until = math.inf if timeout is None else self._clock() + timeout
        while not self._done:
            wanted = self.on_time(self._clock())
            self._dispatch(self._clock())
            if self._done:
                break
            if self._freed and self.returns_for_retries:
                self._freed = False
                return None
            if not self.active and (self.draining or not self._open):
                return None
            now = self._clock()
            if now >= until or not self._pass(min(until, self._next_due(), wanted) - now):
                return None
        return self._done.popleft()

    def held(self) -> int:
        """Return the number of open jobs that are held up: by a long pause of their host, or in a browser."""
        late = self._clock() + HELD
        waiting = sum(
            sum(job.on_reply is None for job in jobs)
            for name, jobs in self._at_host.items()
            if late < self._hosts.ready_at(name, jobs[0].request.crawl_delay) < math.inf
        )
        return waiting + sum(job.in_browser for job in self._open.values())

    def retries(self) -> int:
        """Return the number of open jobs that wait for the time of their next try."""
        return len(self._later)

    def next_retry(self) -> float:
        """Return the time of the first of these tries; infinity for none."""
        return self._later[0][0] if self._later else math.inf

    def open_jobs(self) -> list[OpenJob]:
        """Return what each open job does now, longest open first."""
        now, hosts = self._clock(), self._hosts
        waits: dict[int, tuple[str, float]] = {job.number: ("retry", due) for due, _, job in self._later}
        waits |= {job.number: ("robots", math.inf) for jobs in self._for_robots.values() for job in jobs}
        for name, jobs in self._at_host.items():
            for job in jobs:
                delay = job.request.crawl_delay
                waits[job.number] = hosts.why_waits(name, now, delay) or "turn", hosts.ready_at(name, delay)
        waits |= {job.number: ("browser", math.inf) for job in self._open.values() if job.in_browser}
        oldest = sorted(self._open.values(), key=lambda job: job.opened)
        return [OpenJob(job.request.url or job.url, job.opened, *waits.get(job.number, (None, now))) for job in oldest]

    def gives_up(self, name: str) -> str | None:
        """Return the reason code with which jobs of a host fail without a request now, else None."""
        return None if name in self._patient else self._hosts.gives_up(name, self._clock())

    def pause_left(self, name: str) -> float:
        """Return the seconds for which a host is left alone; 0 for none."""
        return self._hosts.pause_left(name, self._clock())

    def be_patient(self, names: Iterable[str]) -> None:
        """Let jobs of hosts that are left alone wait for the end of the pause, until the next reply of the host."""
        self._patient.update(names)

    def pauses(self) -> dict[str, Any]:
        """Return the pauses of the hosts, with the time of day, for ``resume_pauses`` in another process."""
        return {"at": time.time(), "hosts": self._hosts.pauses(self._clock())}

    def resume_pauses(self, saved: Mapping[str, Any]) -> None:
        """Continue the pauses that ``pauses`` returned, less the time since then."""
        passed = max(0.0, time.time() - saved["at"])
        left = {name: (seconds - passed, *more) for name, (seconds, *more) in saved["hosts"].items()}
        self._hosts.restore(left, self._clock())

    def closed_hosts(self) -> list[tuple[str, str, float]]:
        """Return host, reason and end of every pause that a host asked for or caused (`HostSchedule.closed`)."""
        return self._hosts.closed(self._clock())

    def drain(self) -> None:
        """Make no further request; those that are being made end. Their jobs finish, or stay open."""
        self.draining = True

    def wake(self) -> None:
        """Let a ``wait`` that has nothing to return end at once. May be called from a signal handler or a thread."""
        self._replies.put(None)

    def close(self) -> None:
        """Discard open jobs and end the workers."""
        self.draining = True
        for _ in self._threads:
            self._tasks.put(None)
        for job in self._open.values():
            job.exchange.close()
        self._open.clear()
        if self._renderer is not None:
            self._renderer.close()

    # ---- exchanges ----------------------------------------------------------------------------------------------

    def _advance(self, job: _Job[Page], reply: Response | Failure | None) -> None:
        """Send a reply to the exchange of a job, and queue its next request."""
        try:
            step = job.exchange.send(reply)  # type: ignore[arg-type]  # None starts a generator
        except StopIteration as end:
            if job.on_reply is None:
                self._finish(job, end.value)
            else:
                job.on_reply(end.value)
        else:
            if isinstance(step, Waiting):
                self._for_robots.setdefault(step.site, []).append(job)
            else:
                job.request, job.tries, job.partial = step, 0, None
                self._queue(job)
        for site in [site for site in self._for_robots if not self._fetcher.robots.is_reading(site)]:
            for waiting in self._for_robots.pop(site):
                self._advance(waiting, reply)

    def _finish(self, job: _Job[Page], result: Fetched | Failure) -> None:
        record = job.page if job.page is not None and isinstance(result, Fetched) else self._read(job.url, result)
        if self._renderer is not None and job.response is not None:
            why = self._renderer.wants(job.response, self._mark(record))
            if why:
                job.in_browser = True
                rendered = self._renderer.render(job.response, why, self._load)
                rendered.add_done_callback(partial(self._take_rendered, job, record))
                return
        self._end(job, record)

    def _end(self, job: _Job[Page], record: Page, rendering: Rendering | None = None) -> None:
        if self._open.pop(job.number, None) is not None:  # else the pool was closed
            self._done.append(Done(job.number, record, tuple(job.retried), rendering))

    # ---- pages in a browser -------------------------------------------------------------------------------------

    def _load(
        self, url: str, fetch: Callable[[str], Response | Failure], on_reply: Callable[[Response | Failure], None]
    ) -> None:
        """Request what a page loads (`Load`)."""

        def begin() -> None:
            self._advance(_Job(0, url, self._fetcher.part(url, fetch), on_reply=on_reply), None)

        self._replies.put(begin)

    def _take_rendered(self, job: _Job[Page], plain: Page, rendered: Future[Rendered]) -> None:
        """Let a worker read a page that was rendered; called in any thread."""
        if rendered.cancelled():  # the pool is closed
            return
        task = partial(self._read_rendered, job, plain, rendered)
        if self._workers:
            self._tasks.put(task)
        else:
            task()()

    def _read_rendered(self, job: _Job[Page], plain: Page, rendered: Future[Rendered]) -> Callable[[], None]:
        rendering, response = rendered.result()
        record = plain
        if response is not None:
            made = self._read(job.url, Fetched(response, job.request.url, job.request.hops))
            if self._mark(made) in (PAGE, SHELL, NOINDEX):
                record = made
            else:
                rendering = replace(rendering, failure=RENDERED_NOTHING, detail=f"it is {self._mark(made)}")
        return partial(self._end, job, record, rendering)

    def _queue(self, job: _Job[Page]) -> None:
        name = host(job.request.url)
        reason = self.gives_up(name)
        if reason is not None:
            self._advance(job, self._fetcher.give_up(job.request.url, reason))
            return
        jobs = self._at_host.get(name)
        if jobs is None:
            self._at_host[name] = deque((job,))
            self._look_at(name)
        else:
            jobs.append(job)

    def _look_at(self, name: str) -> None:
        """Plan to look at a host with waiting jobs when it may be requested; not while a request has to end first."""
        ready = self._hosts.ready_at(name, self._at_host[name][0].request.crawl_delay)
        if ready < math.inf:
            self._counter += 1
            heapq.heappush(self._due, (ready, self._counter, name))

    def _next_due(self) -> float:
        """Return the next time at which something may be requested; infinity while all workers are taken."""
        if self.draining or self.active >= max(1, self._workers):
            return math.inf
        return min((heap[0][0] for heap in (self._due, self._later) if heap), default=math.inf)

    # ---- requests -----------------------------------------------------------------------------------------------

    def _dispatch(self, now: float) -> None:
        """Begin the requests that may be made, as far as there are workers."""
        while self._later and self._later[0][0] <= now:
            self._queue(heapq.heappop(self._later)[2])
        while self._due and self._next_due() <= now and not (self._done and not self._workers):
            name = heapq.heappop(self._due)[2]
            jobs = self._at_host.get(name)
            if not jobs:
                continue
            if self._hosts.ready_at(name, jobs[0].request.crawl_delay) > now:
                self._look_at(name)
                continue
            job = jobs.popleft()
            if not jobs:
                del self._at_host[name]
            self._begin(name, job)
            if name in self._at_host:
                self._look_at(name)

    def _begin(self, name: str, job: _Job[Page]) -> None:
        self._hosts.begin(name)
        self.active += 1
        if not self._workers:
            self._make(job)()
            return
        if len(self._threads) < min(self._workers, self.active):
            self._threads.append(threading.Thread(target=self._work, daemon=True, name=f"fetch {len(self._threads)}"))
            self._threads[-1].start()
        self._tasks.put(partial(self._make, job))

    def _make(self, job: _Job[Page]) -> Callable[[], None]:
        """Make a request, and read the page where the response is one; called in a worker."""
        started = self._clock()
        reply = (job.request.fetch or self._fetcher.world.fetch)(job.request.url)
        took = self._clock() - started
        if job.request.page and isinstance(reply, Response) and reply.is_page:
            job.page = self._read(job.url, Fetched(reply, job.request.url, job.request.hops))
        return partial(self._receive, job, reply, took)

    def _work(self) -> None:
        while (task := self._tasks.get()) is not None:
            try:
                reply = task()
            except BaseException as error:
                reply = partial(_raise, error)
            self._replies.put(reply)

    def _pass(self, pause: float) -> bool:
        """Let time pass until a reply comes or something may be requested; return False if ``wake`` was called."""
        if not self._workers:
            self._sleep(max(pause, 0.0))
            return True
        try:
            receive = self._replies.get(timeout=None if pause == math.inf else max(pause, 0.0))
        except queue.Empty:
            return True
        if receive is None:
            return False
        receive()
        return True

    def _receive(self, job: _Job[Page], reply: Response | Failure, took: float) -> None:
        self.active -= 1
        if isinstance(reply, Response):
            self.received += len(reply.body)
        name, now = host(job.request.url), self._clock()
        job.first = job.first if job.tries else now - took
        self._hosts.end(name, now, took, reply, job.first if job.tries else math.inf)
        retry = self._retries.get(reason_of(reply)) if job.on_reply is None else None
        if isinstance(reply, Response) and reply.partial:
            job.partial = reply, job.page
        if retry is not None and job.tries < retry.times:
            job.retried.append(reason_of(reply))
            self._counter += 1
            heapq.heappush(self._later, (now + retry.delay * 2.0**job.tries, self._counter, job))
            self._freed = True
            job.tries += 1
        else:
            last = self._or_partial(job, reply)
            job.response = last if isinstance(last, Response) else None
            self._advance(job, last)
        self._patient.discard(name)
        reason = self.gives_up(name)
        if reason is not None:
            self._give_up(name, reason)
        if name in self._at_host:
            self._look_at(name)

    def _give_up(self, name: str, reason: str) -> None:
        """End the jobs that wait for a host which is left alone."""
        waiting = [*self._at_host.pop(name, ()), *(job for _, _, job in self._later if host(job.request.url) == name)]
        self._later = [entry for entry in self._later if host(entry[2].request.url) != name]
        heapq.heapify(self._later)
        for job in waiting:
            self._advance(job, self._or_partial(job, self._fetcher.give_up(job.request.url, reason)))

    def _or_partial(self, job: _Job[Page], reply: Response | Failure) -> Response | Failure:
        """Return a reply; in place of a failure the part of the page that came before it."""
        if job.partial is None or not isinstance(reply, Failure):
            return reply
        kept, job.page = job.partial
        return kept
