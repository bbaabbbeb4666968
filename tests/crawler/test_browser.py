"""Pages in a browser: five usual kinds, limits, crashes, and a hostile page, which reaches nothing."""

from __future__ import annotations

import os
import signal
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from crawler.archives.writer import ArchiveWriter
from crawler.fetching.fetch import Fetcher
from crawler.fetching.hosts import HostSchedule, NoSchedule
from crawler.fetching.pool import Done, FetchPool
from crawler.pages.page import PageRecord, mark, page_record
from crawler.text import Matcher
from crawler.worlds import chromium, connection
from crawler.worlds.archive import ArchiveWorld
from crawler.worlds.browser import Browser, Limits
from crawler.worlds.connection import Address, NetworkError
from crawler.worlds.cookies import CookieJar
from crawler.worlds.live import LiveWorld
from tests.crawler.script_site import KINDS, RAIN, SHELL, SITE, Site, require_browser, serving

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]
MATCHER = Matcher({})
PATIENT = Limits(seconds=240.0)
"""For machines that do much else."""


class Opened(NamedTuple):
    """A browser with its world and pool."""

    world: LiveWorld
    renderer: Browser
    pool: FetchPool[PageRecord]


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    require_browser()
    with serving() as opened:
        yield opened


@pytest.fixture(scope="module")
def shared(site: Site) -> Iterator[Opened]:
    """A browser that tests share, because a start takes long, and a world with cookies. Tests may set its limits."""
    world = LiveWorld(resolve=site.resolve, cookies=CookieJar())
    renderer = Browser(world, user_agent="tester/1.0", max_bytes=4_000_000, limits=PATIENT)
    opened = Opened(world, renderer, pool_of(world, renderer, HostSchedule(0.0)))
    yield opened
    opened.pool.close()
    _wait_for_the_end()


def pool_of(world: Any, renderer: Any, schedule: HostSchedule, workers: int = 4) -> FetchPool[PageRecord]:
    return FetchPool(
        Fetcher(world, user_agent="tester"), lambda url, page: page_record(url, page, MATCHER), schedule,
        workers=workers, renderer=renderer, mark=mark,
    )  # fmt: skip


def fetched(pool: FetchPool[PageRecord], *paths: str) -> list[Done[PageRecord]]:
    """What came of pages that are fetched at once, in the order of their paths."""
    for number, path in enumerate(paths, start=1):
        pool.submit(number, SITE + path)
    found = [done for _ in paths if (done := pool.wait()) is not None]
    return sorted(found, key=lambda done: done.number)


def links(done: Done[PageRecord]) -> list[str]:
    return [link.url.removeprefix(SITE) for link in done.record.page.links]


def _parent(number: int) -> int:
    return int(Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[1])


def processes() -> Iterator[tuple[int, int]]:
    """Number and parent of each process of a browser that this one has started."""
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # it has ended
            number = int(folder.name)
            if "--host-resolver-rules=MAP * ~NOTFOUND" not in (folder / "cmdline").read_text(errors="replace"):
                continue
            above = parent = _parent(number)
            while above not in (0, os.getpid()):
                above = _parent(above)
            if above:
                yield number, parent


def _wait_for_the_end() -> None:
    for _ in range(300):
        if not list(processes()):
            return
        time.sleep(0.1)
    raise AssertionError(list(processes()))


def browsers() -> set[int]:
    """Numbers of the browsers that this process has started, without their parts."""
    found = dict(processes())
    return {number for number, parent in found.items() if parent not in found}


# ---- the five kinds


def test_five_kinds_of_pages_are_read_and_replayed_without_a_browser(
    site: Site, shared: Opened, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    paths = (*KINDS, "/check/")
    with closing(ArchiveWriter(tmp_path, {})) as writer:
        shared.world.record_with(writer)
        came = fetched(shared.pool, *paths)
        (second,) = fetched(shared.pool, "/check/two.html")
        shared.world._recorder = None
    routed, listed, endless, lazy, check = came
    assert [one.rendering and (one.rendering.why, one.rendering.failure) for one in came] == [
        *(("shell", ""),) * 4, ("challenge", ""),
    ]  # fmt: skip
    assert all(one.record.failure is None and "防汛办" in one.record.page.text for one in came)
    assert routed.record.page.title == "路由" and links(routed) == ["/routed/one.html"]
    assert links(listed) == [f"/listed/{number}.html" for number in range(1, 4)]
    assert links(endless) == [f"/endless/{page}-{number}.html" for page in range(1, 5) for number in range(5)]
    assert [(link.url, link.kind) for link in lazy.record.page.links] == [(f"{SITE}/lazy/frame.html", "frame")]
    assert "/lazy/frame.html" not in site.asked  # frames are links of a page, and fetched as such
    assert check.record.page.title == "通过"
    assert second.rendering is None and second.record.page.title == "通过"  # the cookie is that of the crawl now
    assert [(one.rendering.requests, one.rendering.limit) for one in came if one.rendering] == [
        (1, ""), (2, ""), (5, ""), (1, ""), (1, ""),
    ]  # fmt: skip
    assert {headers["user-agent"] for headers in site.headers} == {"ontocrawl/0.1"}

    monkeypatch.setattr(chromium, "program", lambda: None)
    for rescanned in (False, True):
        archive = ArchiveWorld(tmp_path)
        again = fetched(pool_of(archive, archive, NoSchedule(), workers=0), *paths)
        assert [(one.record, one.rendering) for one in again] == [(one.record, one.rendering) for one in came], (
            rescanned
        )
        for index in tmp_path.glob("*.cdxj"):
            index.unlink()


def test_pages_of_a_named_host_are_rendered_and_others_are_not(
    site: Site, shared: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = f"<meta charset=utf-8><p>{RAIN}<script>document.querySelector('p').append('由脚本添加')</script>"
    site.pages["/plain.html"], site.pages["/data.json"] = ("text/html", text), ("application/json", "[1]")
    (plain,) = fetched(shared.pool, "/plain.html")
    assert plain.rendering is None and "由脚本添加" not in plain.record.page.text
    monkeypatch.setattr(shared.renderer, "_hosts", ["example"])
    named, data = fetched(shared.pool, "/plain.html", "/data.json")
    assert named.rendering is not None and named.rendering.why == "named" and "由脚本添加" in named.record.page.text
    assert data.rendering is None


def test_scripts_are_kept_for_the_pages_of_a_site_and_shadow_roots_are_read(site: Site, shared: Opened) -> None:
    shadow = f"app.attachShadow({{mode: 'open'}}).innerHTML = '<p>{RAIN}</p><a href=\"/deep.html\">暴雨</a>'"
    site.pages["/shared.js"] = ("text/javascript", shadow)
    for number in range(3):
        site.pages[f"/{number}.html"] = ("text/html", SHELL.format(number, "<script src=/shared.js></script>"))
    came = [fetched(shared.pool, f"/{number}.html")[0] for number in range(3)]
    assert [links(one) for one in came] == [["/deep.html"]] * 3 and site.asked.count("/shared.js") == 1
    assert [one.rendering.requests for one in came if one.rendering] == [1, 0, 0]


# ---- limits, crashes


def test_a_page_is_taken_at_its_limits(site: Site, shared: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    polling = "let n = 0; setInterval(() => fetch(`/poll/${n++}`), 50); app.innerHTML = '<p>暴雨</p>'"
    growing = "setInterval(() => app.insertAdjacentHTML('beforeend', '<p>暴雨</p>'), 50)"
    site.pages |= {
        path: ("text/html", SHELL.format(path, f"<script>{script}</script>"))
        for path, script in {"/polling": polling, "/growing": growing, "/hanging": "for (;;);"}.items()
    }
    monkeypatch.setattr(shared.renderer, "_limits", Limits(seconds=10.0, requests=7, scrolls=2))
    polled, grown, hanging = fetched(shared.pool, "/polling", "/growing", "/hanging")
    assert polled.rendering is not None and grown.rendering is not None and hanging.rendering is not None
    assert polled.rendering.limit in ("requests", "time") and polled.rendering.requests <= 7
    assert sum(path.startswith("/poll/") for path in site.asked) <= 7
    assert grown.rendering.limit in ("scrolls", "time") and "暴雨" in grown.record.page.text
    assert hanging.rendering.failure == "rendered_too_slow"
    assert hanging.record.failure is None and hanging.record.page.shell  # the plain page
    monkeypatch.setattr(shared.renderer, "_limits", PATIENT)
    monkeypatch.setattr(shared.renderer, "_max_bytes", 1000)
    (large,) = fetched(shared.pool, "/endless/")
    assert large.rendering is not None and large.rendering.failure == "rendered_too_large"


def test_a_page_that_takes_too_much_memory_costs_itself_only(site: Site, shared: Opened) -> None:
    greedy = "const all = []; setInterval(() => { all.push(new Uint8Array(5e7).fill(1)); fetch('/poll') }, 50)"
    site.pages["/greedy"] = ("text/html", SHELL.format("greedy", f"<script>{greedy}</script>"))
    came, other = fetched(shared.pool, "/greedy", "/listed/")
    assert came.rendering is not None and came.rendering.failure == "page_crashed", came.rendering
    assert came.record.page.shell and other.rendering is not None and not other.rendering.failure


@pytest.mark.parametrize("kills", [1, 2])
def test_a_browser_that_is_killed_loses_no_page(site: Site, shared: Opened, kills: int) -> None:
    site.pages["/slow"] = (
        "text/html",
        SHELL.format(
            "slow", "<script>for (let n = 0; n < 80; n++) setTimeout(() => fetch('/slowly'), 50 * n)</script>"
        ),
    )
    killed = threading.Thread(target=_kill_when_it_is_asked, args=(site, "/slowly", kills))
    killed.start()
    (done,) = fetched(shared.pool, "/slow")
    killed.join()
    failure = {1: "", 2: "browser_ended"}[kills]  # it is rendered once more
    assert done.rendering is not None and done.rendering.failure == failure, done.rendering
    assert done.record.failure is None and (failure == "" or done.record.page.shell)
    (after,) = fetched(shared.pool, "/listed/")
    assert after.rendering is not None and not after.rendering.failure and len(links(after)) == 3


def _kill_when_it_is_asked(site: Site, path: str, times: int) -> None:
    parts = set[int]()
    for _ in range(times):
        while parts & dict(processes()).keys() or not browsers():  # parts of a killed browser end after it
            time.sleep(0.05)
        before = site.asked.count(path)
        while site.asked.count(path) == before:
            time.sleep(0.05)
        parts = {*dict(processes())}
        for number in browsers():
            os.kill(number, signal.SIGKILL)


def test_a_script_that_goes_to_its_own_page_for_ever_is_followed_once(site: Site, shared: Opened) -> None:
    for path in ("/again", "/again?x=1"):
        site.pages[path] = (
            "text/html",
            SHELL.format("again", "<script>location = '/again?x=' + Math.random()</script>"),
        )
    first, second = fetched(shared.pool, "/again", "/again?x=1")
    assert [link.partition("=")[0] for link in links(first)] == ["/again?x"] and links(second) == []


def test_the_browser_is_started_again_after_a_number_of_pages(
    site: Site, shared: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    fetched(shared.pool, "/listed/")
    before = browsers()
    monkeypatch.setattr(shared.renderer._chromium, "_pages", 1)
    (done,) = fetched(shared.pool, "/listed/")
    assert done.rendering is not None and not done.rendering.failure
    after = browsers()
    assert before and after and not before & after


def test_without_a_browser_pages_are_marked(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chromium, "program", lambda: None)
    world = LiveWorld(resolve=site.resolve)
    with closing(pool_of(world, Browser(world, user_agent="x", max_bytes=1000), HostSchedule(0.0))) as pool:
        shell, check = fetched(pool, "/listed/", "/check/")
    assert shell.rendering is not None and (shell.rendering.why, shell.rendering.failure) == ("shell", "no_browser")
    assert "ontocrawl[browser]" in shell.rendering.detail and shell.record.page.shell
    assert check.record.failure == "challenge" and check.rendering is not None


# ---- a hostile page

HOSTILE = """
const said = (what) => { app.append(what + '; '); };
const tries = {
  loopback: () => fetch('http://127.0.0.1:PORT/', {mode: 'no-cors'}),
  name: () => fetch('http://localhost:PORT/', {mode: 'no-cors'}),
  ipv6: () => fetch('http://[::1]:PORT/', {mode: 'no-cors'}),
  spelled: () => fetch('http://0x7f.1:PORT/', {mode: 'no-cors'}),
  private: () => fetch('http://192.168.0.1/', {mode: 'no-cors'}),
  metadata: () => fetch('http://169.254.169.254/latest/', {mode: 'no-cors'}),
  redirect: () => fetch('/redirect'),
  rebound: () => fetch('http://rebound.example:PORT/', {mode: 'no-cors'}),
  closed: () => fetch('/closed/a'),
  post: () => fetch('/post', {method: 'POST', body: 'x'}),
  file: () => fetch('file:///etc/passwd'),
  beacon: () => { navigator.sendBeacon('http://127.0.0.1:PORT/', 'x'); throw 0; },
  socket: () => new Promise((ok, no) => { const s = new WebSocket('ws://127.0.0.1:PORT/'); s.onopen = ok; s.onerror = no; }),
  events: () => new Promise((ok, no) => { const s = new EventSource('http://127.0.0.1:PORT/'); s.onopen = ok; s.onerror = no; }),
  transport: () => new WebTransport('https://127.0.0.1:UDP/').ready,
  service: () => navigator.serviceWorker.register('/sw.js'),
  worker: () => new Promise((ok, no) => {
    const code = `fetch('http://127.0.0.1:PORT/', {mode: 'no-cors'}).then(() => postMessage(1), () => postMessage(0));
                  try { new WebSocket('ws://127.0.0.1:PORT/') } catch (e) {}`;
    const worker = new Worker(URL.createObjectURL(new Blob([code])));
    worker.onmessage = (message) => message.data ? ok() : no();
  }),
  rtc: async () => {
    const peer = new RTCPeerConnection({iceServers: [{urls: 'stun:127.0.0.1:UDP'},
      {urls: 'turn:127.0.0.1:PORT?transport=tcp', username: 'x', credential: 'y'}]});
    peer.createDataChannel('x');
    await peer.setLocalDescription(await peer.createOffer());
    await new Promise((ok) => setTimeout(ok, 1500));
    if (!(peer.localDescription.sdp || '').includes('srflx')) throw 0;
  },
};
for (const [name, attempt] of Object.entries(tries)) {
  (async () => attempt())().then(() => said('REACHED ' + name), () => said('failed ' + name));
}
for (const markup of [
  '<img src="http://127.0.0.1:PORT/i.png">', '<iframe src="http://127.0.0.1:PORT/f"></iframe>',
  '<iframe src="file:///etc/passwd"></iframe>', '<video src="http://127.0.0.1:PORT/v.mp4"></video>',
  '<link rel=stylesheet href="http://127.0.0.1:PORT/s.css">', '<link rel=preconnect href="http://127.0.0.1:PORT/">',
  '<link rel=prefetch href="http://127.0.0.1:PORT/p">', '<link rel=dns-prefetch href="http://127.0.0.1:PORT/">',
  '<object data="http://127.0.0.1:PORT/o"></object>', '<embed src="http://127.0.0.1:PORT/e">',
  '<link rel=manifest href="http://127.0.0.1:PORT/m">', '<a href="/x" ping="http://127.0.0.1:PORT/ping" id=pinged>x</a>',
]) document.body.insertAdjacentHTML('beforeend', markup);
const rules = document.createElement('script');
rules.type = 'speculationrules';
rules.textContent = JSON.stringify({prefetch: [{source: 'list', urls: ['http://127.0.0.1:PORT/spec']}]});
document.head.append(rules);
open('http://127.0.0.1:PORT/popup');
const form = document.createElement('form');
form.method = 'post'; form.action = 'http://127.0.0.1:PORT/form'; form.target = '_blank';
document.body.append(form); form.submit();
setTimeout(() => { location.href = 'http://127.0.0.1:PORT/moved'; }, 2500);
fetch('/api/list.json').then(() => said('SITE'));
setInterval(() => fetch('/api/list.json'), 300);
"""  # noqa: E501


class Canary:
    """Ports of this computer that nothing should reach: TCP on both loopback addresses, and UDP."""

    def __init__(self) -> None:
        self.tcp = socket.create_server(("127.0.0.1", 0))
        self.port = self.tcp.getsockname()[1]
        self.udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.udp.bind(("127.0.0.1", 0))
        self.udp.setblocking(False)
        self.reached: list[bytes] = []
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        while True:
            try:
                came, _ = self.tcp.accept()
            except OSError:
                return
            came.settimeout(2.0)
            try:
                self.reached.append(came.recv(200))
            except OSError:
                self.reached.append(b"")
            came.close()

    def packets(self) -> int:
        number = 0
        try:
            while self.udp.recv(2000):
                number += 1
        except BlockingIOError:
            return number
        return number

    def close(self) -> None:
        self.tcp.close()
        self.udp.close()


@contextmanager
def rebinding(site: Site, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Let ``rebound.example`` have a public address when it is asked first, and that of this computer later."""
    asked: list[str] = []
    connect = connection._connected

    def look_up(host: str, port: int, deadline: float) -> list[Address]:
        if host != "rebound.example":
            return [(socket.AF_INET, ("127.0.0.1", port))] if host == "localhost" else [
                (socket.AF_INET6 if ":" in host else socket.AF_INET, (host.strip("[]"), port))
            ]  # fmt: skip
        asked.append(host)
        return [(socket.AF_INET, ("93.184.216.34" if len(asked) == 1 else "127.0.0.1", port))]

    def connected(family: int, address: Any, deadline: float) -> socket.socket:
        if address[0] == "93.184.216.34":
            return connect(family, ("127.0.0.1", site.port), deadline)
        if not address[0].startswith("127."):
            raise NetworkError("refused", "no packet leaves this computer")
        return connect(family, address, deadline)

    monkeypatch.setattr(connection, "_look_up", look_up)
    monkeypatch.setattr(connection, "_connected", connected)
    yield asked


@pytest.mark.parametrize("protected", [True, False])
def test_a_hostile_page_reaches_nothing(site: Site, monkeypatch: pytest.MonkeyPatch, protected: bool) -> None:
    """Without the arguments of the browser it does reach the canary: so the tries are real ones."""
    with closing(Canary()) as canary, rebinding(site, monkeypatch) as asked:
        script = HOSTILE.replace("PORT", str(canary.port)).replace("UDP", str(canary.udp.getsockname()[1]))
        site.pages["/hostile/"] = ("text/html", SHELL.format("hostile", f"<script>{script}</script>"))
        site.pages["/redirect"] = ("location", f"http://127.0.0.1:{canary.port}/redirected")
        site.pages["/sw.js"] = ("text/javascript", f"fetch('http://127.0.0.1:{canary.port}/sw')")
        del site.asked[:]
        if not protected:
            monkeypatch.setattr(chromium.Chromium, "_arguments", lambda self: ["--mark=unprotected"])
        world = LiveWorld(resolve=site.resolve)  # its dialler has the names of ``rebinding``
        renderer = Browser(world, user_agent="x", max_bytes=4_000_000, limits=Limits(seconds=20.0, scrolls=1000))
        with closing(pool_of(world, renderer, HostSchedule(0.0))) as pool:
            (done,) = fetched(pool, "/hostile/")
        reached, packets = list(canary.reached), canary.packets()
    assert done.rendering is not None and not done.rendering.failure, done.rendering
    text = done.record.page.text
    if not protected:
        assert reached and packets, text
        return
    assert "SITE" in text and "REACHED" not in text and "root:" not in text, text
    assert reached == [] and packets == 0
    assert len(asked) > 1  # robots.txt came from the public address, and the next look-up was refused
    paths = {path for path in site.asked if not path.startswith("/api/")}
    assert paths == {"/robots.txt", "/hostile/", "/redirect"}, paths
    assert f"http://127.0.0.1:{canary.port}/moved" in str(done.record.page)  # a link, which the crawl refuses
