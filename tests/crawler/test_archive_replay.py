"""A crawl that is recorded and crawled again from its record is the same crawl."""

from __future__ import annotations

import errno
import gzip
import json
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any, BinaryIO

import pytest

from crawler.archives import writer
from crawler.archives.errors import ArchiveWriteError
from crawler.archives.index import ArchiveIndex, _read
from crawler.archives.reading import file_info
from crawler.archives.scan import Found, scan
from crawler.archives.writer import ArchiveWriter
from crawler.crawl import Crawl
from crawler.crawl_options import Fetching, Limits
from crawler.fetching.fetch import Fetched, Fetcher
from crawler.fetching.hosts import HostSchedule, NoSchedule
from crawler.fetching.pool import FetchPool
from crawler.fetching.retries import RETRIES_AT_ONCE
from crawler.fetching.robots import Robots
from crawler.journal import Journal
from crawler.model import Failure, Response, World
from crawler.worlds import ArchiveWorld, LiveWorld, SyntheticWorld
from crawler.worlds.live import RecordingWorld
from crawler.worlds.synthetic.serve import serve
from tests.crawler import warcs, webs
from tests.crawler.nasty_server import ANSWERS, NastyServer

INFO = {"software": "test/1", "seeds": json.dumps(["http://a.example/"])}


def run(crawl: Crawl) -> Crawl:
    crawl.begin({})
    for _ in crawl.steps():
        pass
    return crawl


def events(crawl: Crawl) -> list[tuple[Any, ...]]:
    """All that the journal holds of what was chosen and what came of it."""
    rows = list(crawl.journal.query("SELECT seq, kind, link, data FROM event ORDER BY seq"))
    pages = "SELECT seq, link, status, failure, final_url, title, content_hash, text, relevance FROM page ORDER BY seq"
    return [*rows, *crawl.journal.query(pages)]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["breadth_first", "fcosa_lg", "wang_landau"])
def test_a_crawl_over_http_and_its_replay_have_one_journal(name: str, tmp_path: Path) -> None:
    server = serve(SyntheticWorld("planted", 600, 0))
    live = LiveWorld(resolve=server.table, user_agent=webs.AGENT)
    with closing(ArchiveWriter(tmp_path / "warc", INFO, file_bytes=30_000)) as archive:
        live.record_with(archive)
        first = run(webs.make(name, tmp_path / "a", pages=80, world=live, in_flight=16, workers=16, reproducible=True))
    live.close()
    server.close()
    assert len(list((tmp_path / "warc").glob("*.warc.gz"))) > 2
    second = run(webs.make(name, tmp_path / "b", pages=80, world=ArchiveWorld(tmp_path / "warc"), in_flight=16))
    assert events(first) == events(second) and first.scheduler.fetched == 80
    first.journal.close()
    second.journal.close()


@pytest.mark.slow
def test_a_world_in_memory_is_recorded_as_it_delivers(tmp_path: Path) -> None:
    web = SyntheticWorld("planted", 600, 0)
    with closing(ArchiveWriter(tmp_path / "warc", INFO)) as archive:
        first = run(webs.make("fcosa_lg", tmp_path / "a", world=RecordingWorld(web, archive)))
    world = ArchiveWorld(tmp_path / "warc")
    second = run(webs.make("fcosa_lg", tmp_path / "b", world=world))
    assert events(first) == events(second) and len(world.index) >= 60
    for url in web.seeds:
        assert world.fetch(url) == web.fetch(url)
    first.journal.close()
    second.journal.close()


@pytest.mark.parametrize("path", [*ANSWERS, "reset", "stall", "drip", "endless", "redirect?3"])
def test_whatever_a_server_does_is_replayed(path: str, tmp_path: Path) -> None:
    server = NastyServer()
    live = LiveWorld(timeout=0.4, max_bytes=100_000, resolve=server.table)
    url = server.url(f"/{path.replace('_', '-')}")
    with closing(ArchiveWriter(tmp_path, INFO)) as archive:
        live.record_with(archive)
        came = live.fetch(url)
        again = live.fetch(server.url("/ok"))  # on the same connection, where it was kept
    live.close()
    server.close()
    world = ArchiveWorld(tmp_path, max_bytes=100_000)
    assert world.fetch(url) == came and world.fetch(server.url("/ok")) == again


def test_headers_and_bodies_are_written_as_they_were_on_the_wire(tmp_path: Path) -> None:
    server = NastyServer()
    live = LiveWorld(timeout=2.0, resolve=server.table, user_agent="tester/1")
    with closing(ArchiveWriter(tmp_path, INFO)) as archive:
        live.record_with(archive)
        for path in ("/hints", "/gzip", "/short-length"):
            live.fetch(server.url(path))
    live.close()
    server.close()
    text = b"".join(gzip.decompress(p) for p in _members(tmp_path / "crawl-00001.warc.gz"))
    assert ANSWERS["gzip"] in text and ANSWERS["hints"].partition(b"\r\n\r\n")[2] in text and b"103 Early" not in text
    assert ANSWERS["short_length"].partition(b" and much more")[0] in text and b"and much more" not in text
    assert server.requests[1] in text and b"User-Agent: tester/1" in text


def _members(path: Path) -> list[bytes]:
    found = [item for item in scan(path) if isinstance(item, Found)]
    data = path.read_bytes()
    return [data[item.place.offset : item.end] for item in found]


class Scripted:
    """A web whose answers to a URL differ from request to request."""

    name = "scripted"
    LINKS = b"<title>rain</title>" + b"".join(b'<a href="/%d">heavy rain</a>' % n for n in range(6))

    def __init__(self) -> None:
        self.asked: list[str] = []

    def fetch(self, url: str) -> Response | Failure:
        self.asked.append(url)
        number, path = self.asked.count(url), url.removeprefix("http://a.example/")
        if path == "robots.txt":
            return Response(url, 404, {}, b"")
        if path == "1":
            return Failure(url, "timeout", "no\nanswer") if number < 3 else self._page(url, b"after two tries")
        if path == "2":
            return Response(url, 503, {"retry-after": "1"}, b"")
        if path == "4":
            return (
                self._page(url, b"<p>rain at last")
                if number > 2
                else self._page(url, b"<p>rain", "incomplete_body: cut")
            )
        if path == "5":
            code = "incomplete_body" if number < 2 else "bad_framing"
            return self._page(url, b"<p>rain %d</html>" % number, f"{code}: as the test says")
        if path == "3":
            return Failure(url, "dns", "名字没有地址")
        return self._page(url, self.LINKS if not path else b"<p>rain " + path.encode())

    def _page(self, url: str, body: bytes, partial: str = "") -> Response:
        return Response(url, 200, {"content-type": "text/html; charset=utf-8"}, body, partial)

    def close(self) -> None: ...


def _crawl(world: World, path: Path, **fetching: Any) -> Crawl:
    setup = webs.setup("breadth_first", ("http://a.example/",))
    clock = getattr(world, "clock", time.monotonic)
    fetcher = Fetcher(world, Robots(user_agent=webs.AGENT, clock=clock), user_agent=webs.AGENT)
    options = Fetching(fetcher, schedule=NoSchedule(), retries=RETRIES_AT_ONCE, **fetching)
    return Crawl(setup, options, Journal(path), Limits())


def test_retries_and_failures_are_replayed_with_their_reasons(tmp_path: Path) -> None:
    web = Scripted()
    with closing(ArchiveWriter(tmp_path / "warc", INFO)) as archive:
        first = run(_crawl(RecordingWorld(web, archive), tmp_path / "a"))
    second = run(_crawl(ArchiveWorld(tmp_path / "warc"), tmp_path / "b"))
    data = [json.loads(row[3]) for row in events(first) if row[1] == "outcome"]
    assert [about["partial"] for about in data if "partial" in about] == ["bad_framing: as the test says"]
    assert ["incomplete_body"] * 2 in [about.get("retried") for about in data]
    assert ["timeout", "timeout"] in [about.get("retried") for about in data]
    assert events(first) == events(second)
    assert {failure for _, _, failure in webs.trace(second)} == {None, "http_503", "dns"}
    assert not any(isinstance(item, Found) and item.header.kind == "revisit" and item.header.length == 0
                   for item in scan(tmp_path / "warc" / "crawl-00001.warc.gz"))  # fmt: skip
    first.journal.close()
    second.journal.close()


def test_requests_that_a_silent_host_does_not_get_are_recorded(tmp_path: Path) -> None:
    class Silent:
        name = "silent"

        def fetch(self, url: str) -> Response | Failure:
            return Response(url, 404, {}, b"") if url.endswith("/robots.txt") else Failure(url, "timeout", "nothing")

        def close(self) -> None: ...

    now = [0.0]
    urls = [f"http://a.example/{n}" for n in range(12)]
    with closing(ArchiveWriter(tmp_path, INFO)) as archive:
        fetcher = Fetcher(RecordingWorld(Silent(), archive), user_agent="x", on_given_up=archive.write)
        pool = FetchPool(
            fetcher, lambda url, result: result, HostSchedule(0.0), clock=lambda: now[0],
            sleep=lambda pause: now.__setitem__(0, now[0] + pause),
        )  # fmt: skip
        for number, url in enumerate(urls):
            pool.submit(number, url)
        came = {job.number: job.record for job in iter(pool.wait, None)}
    assert {getattr(result, "reason", "") for result in came.values()} == {"timeout", "host_down"}
    world = ArchiveWorld(tmp_path)
    assert [world.fetch(url) for url in urls] == [came[number] for number in range(12)]


def test_a_page_that_was_interrupted_counts_as_it_came_at_last(tmp_path: Path) -> None:
    url, other = "http://a.example/1", "http://a.example/2"
    with closing(ArchiveWriter(tmp_path, INFO)) as archive:
        archive.write(Response(url, 200, {}, b"kept"))
        archive.write(Response(other, 200, {}, b"kept"))  # a revisit of the one that will not count
    with closing(ArchiveWriter(tmp_path, INFO)) as archive:
        archive.fetched_again([url])
        archive.write(Response(url, 200, {}, b"at last"))
    for rescanned in (False, True):
        world = ArchiveWorld(tmp_path)
        replies = [world.fetch(url), world.fetch(other)]
        assert [getattr(reply, "body", None) for reply in replies] == [b"at last", b"kept"], rescanned
        for index in tmp_path.glob("*.cdxj"):
            index.unlink()


def test_the_clock_of_a_replay_is_that_of_its_records(tmp_path: Path) -> None:
    with closing(ArchiveWriter(tmp_path, INFO)) as archive:
        archive.write(Response("http://a.example/", 200, {}, b"x"))
    world = ArchiveWorld(tmp_path)
    assert world.clock() == 0.0
    world.fetch("http://a.example/")
    assert abs(world.clock() - time.time()) < 600
    assert RecordingWorld(world, archive).clock == world.clock


def test_a_robots_txt_that_could_not_be_read_is_read_again_when_it_was(tmp_path: Path) -> None:
    page, robots = "http://a.example/1", "http://a.example/robots.txt"
    parts = [
        warcs.record("response", robots, warcs.http(b"", status="503 Busy")),
        warcs.record("response", "http://b.example/", warcs.http()).replace(b"T03:04:05", b"T03:15:00"),
        warcs.record("response", robots, warcs.http(b"User-agent: *")).replace(b"T03:04:05", b"T03:15:01"),
        warcs.record("response", page, warcs.http()).replace(b"T03:04:05", b"T03:15:02"),
    ]
    world = ArchiveWorld(warcs.write(tmp_path / "x.warc.gz", *parts))
    fetcher = Fetcher(world, Robots(user_agent="x", clock=world.clock), user_agent="x")
    for _ in range(2):
        refused = fetcher.get(page)
        assert isinstance(refused, Failure) and refused.reason == "robots_unreachable"
    fetcher.get("http://b.example/")
    assert isinstance(fetcher.get(page), Fetched)


def test_files_are_rotated_each_with_info_and_a_sorted_complete_index(tmp_path: Path) -> None:
    with closing(ArchiveWriter(tmp_path, INFO, file_bytes=3000)) as archive:
        for n in range(40):
            body = b"the same" if n % 4 == 0 else b"page %d " % n * 30
            archive.write(
                Response(f"http://www.Host{n % 3}.example/{n}?b=1&a=2", 200, {"content-type": "text/plain"}, body)
            )
        archive.write(Failure("http://a.example/x", "dns", "none"))
    files = sorted(tmp_path.glob("*.warc.gz"))
    assert [file.name for file in files] == [f"crawl-{n:05}.warc.gz" for n in range(1, len(files) + 1)] and len(
        files
    ) > 2
    assert all(3000 <= file.stat().st_size < 4500 for file in files[:-1])
    assert all(file_info(file) == {"software": "test/1", "seeds": INFO["seeds"]} for file in files)
    kinds = []
    for file in files:
        lines = Path(f"{file}.cdxj").read_bytes().splitlines()
        assert lines == sorted(lines)
        records = [item for item in scan(file) if isinstance(item, Found)]
        listed = [json.loads(line[line.index(b"{") :]) for line in lines]
        answers = sorted((r.header.url, str(r.place.offset)) for r in records if r.header.answers)
        assert answers == sorted((about["url"], about["offset"]) for about in listed)
        for about in listed:
            with file.open("rb") as stream:
                stream.seek(int(about["offset"]))
                assert gzip.decompress(stream.read(int(about["length"]))).startswith(b"WARC/1.1")
        rows = _read(Path(f"{file}.cdxj"), file)
        assert rows is not None and len(rows) == len(lines)
        kinds += [record.header.kind for record in records]
    assert kinds.count("revisit") == 9 and kinds.count("metadata") == 1
    assert b"example,host0)/0?a=2&b=1 20" in Path(f"{files[0]}.cdxj").read_bytes()
    world = ArchiveWorld(tmp_path)
    assert len(world.index) == 41 and world.seeds == ("http://a.example/",)
    assert getattr(world.fetch("http://www.host0.example/36?b=1&a=2"), "body", None) == b"the same"


def test_urls_that_failed_because_of_their_form_are_recorded(tmp_path: Path) -> None:
    urls = ["http://a:99999/", "http://[::1/", "http://a b/", "nonsense 暴雨"]
    with closing(ArchiveWriter(tmp_path, INFO)) as archive:
        for url in urls:
            archive.write(Failure(url, "bad_url", "no URL"))
    world = ArchiveWorld(tmp_path)
    assert [world.fetch(url) for url in urls] == [Failure(url, "bad_url", "no URL") for url in urls]
    assert not world.index.lost


def test_an_index_that_does_not_fit_is_not_used(tmp_path: Path) -> None:
    with closing(ArchiveWriter(tmp_path, INFO)) as archive:
        for n in range(3):
            archive.write(Response(f"http://a.example/{n}", 200, {}, b"page %d" % n))
    file = tmp_path / "crawl-00001.warc.gz"
    index = Path(f"{file}.cdxj")
    lines = index.read_text().splitlines(keepends=True)
    for text in (
        "",
        "".join(lines[:-1]),
        "no json\n",
        "".join(lines).replace("crawl-00001", "other"),
        '{"a": 1}\n',
        "{}",
    ):
        index.write_text(text)
        assert _read(index, file) is None and len(ArchiveIndex(tmp_path)) == 3
    index.write_text("".join(lines))
    assert _read(index, file) is not None


def test_the_checker_of_warcio_finds_nothing(tmp_path: Path) -> None:
    server = NastyServer()
    live = LiveWorld(timeout=0.4, resolve=server.table)
    with closing(ArchiveWriter(tmp_path, INFO, file_bytes=2000)) as archive:
        live.record_with(archive)
        for path in [*(name.replace("_", "-") for name in ANSWERS), "goes", "drop-chunked"]:
            live.fetch(server.url(f"/{path}"))
    live.close()
    server.close()
    files = sorted(map(str, tmp_path.glob("*.warc.gz")))
    checked = subprocess.run(
        [sys.executable, "-c", "import sys, warcio.cli; sys.exit(warcio.cli.main())", "check", "-v", *files],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert checked.returncode == 0 and not checked.stderr, checked
    assert checked.stdout.count("digest pass") > 30 and "failed" not in checked.stdout


def test_threads_write_whole_records(tmp_path: Path) -> None:
    with closing(ArchiveWriter(tmp_path, INFO, file_bytes=50_000)) as archive, ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda n: archive.write(Response(f"http://a.example/{n}", 200, {}, b"%d" % n * 200)), range(400)))
    world = ArchiveWorld(tmp_path)
    assert [getattr(world.fetch(f"http://a.example/{n}"), "body", b"") for n in range(400)] == [
        b"%d" % n * 200 for n in range(400)
    ]
    assert not world.index.lost


KILLED = """
import sys, os, random
from pathlib import Path
from crawler.archives.writer import ArchiveWriter
from crawler.model import Response
archive = ArchiveWriter(Path(sys.argv[1]), {"software": "test/1"})
n = 0
while True:
    archive.write(Response(f"http://a.example/{n}", 200, {}, random.Random(n).randbytes(3000)))
    print(n, flush=True)
    n += 1
"""


def test_a_killed_process_leaves_whole_records_and_the_next_one_completes_the_index(tmp_path: Path) -> None:
    process = subprocess.Popen([sys.executable, "-c", KILLED, str(tmp_path)], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    written = 0
    for line in process.stdout:
        written = int(line)
        if written == 40:
            process.kill()
    process.wait()
    process.stdout.close()
    first = tmp_path / "crawl-00001.warc.gz"
    assert not Path(f"{first}.cdxj").exists()
    with first.open("ab") as file:
        file.write(first.read_bytes()[:250])  # a record of which only the beginning came to the disk
    assert set(ArchiveWorld(tmp_path).index.lost) == {"cut_off"}
    with closing(ArchiveWriter(tmp_path, INFO)) as archive:
        archive.write(Response("http://a.example/later", 200, {}, b"later"))
    world = ArchiveWorld(tmp_path)
    assert not world.index.lost and len(world.index) >= written + 2
    assert [path.name for path in sorted(tmp_path.iterdir())] == [
        f"crawl-0000{n}.warc.gz{suffix}" for n in (1, 2) for suffix in ("", ".cdxj")
    ]
    for n in range(written + 1):
        assert isinstance(world.fetch(f"http://a.example/{n}"), Response)


def test_a_full_disk_takes_back_the_part_of_a_record_and_is_told_to_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Full:
        """A file of 2,000 bytes."""

        def __init__(self, file: BinaryIO) -> None:
            self._file = file

        def write(self, data: memoryview) -> int:
            room = 2000 - self._file.tell()
            if room <= 0:
                raise OSError(errno.ENOSPC, "No space left on device")
            return self._file.write(data[:room])

        def __getattr__(self, name: str) -> Any:
            return getattr(self._file, name)

    whole = Path.open
    monkeypatch.setattr(writer.Path, "open", lambda path, mode="r", *rest, **how: (
        Full(whole(path, mode, *rest, **how)) if mode == "xb" else whole(path, mode, *rest, **how)  # type: ignore[arg-type]
    ))  # fmt: skip
    archive = ArchiveWriter(tmp_path, INFO)
    count = 0
    with pytest.raises(ArchiveWriteError, match=r"No space left on device.*make room on the disk, then resume the run"):
        for n in range(50):
            archive.write(Response(f"http://a.example/{n}", 200, {}, b"%d" % n * 100))
            count = n + 1
    with pytest.raises(ArchiveWriteError):
        archive.write(Failure("http://a.example/", "dns", ""))
    archive.close()
    monkeypatch.undo()
    index = ArchiveIndex(tmp_path)
    assert len(index) == count > 2 and not index.lost
    with closing(ArchiveWriter(tmp_path, INFO)):
        assert Path(tmp_path / "crawl-00001.warc.gz.cdxj").exists()


def test_nothing_is_made_before_the_first_record(tmp_path: Path) -> None:
    with closing(ArchiveWriter(tmp_path / "new", INFO)) as archive:
        archive.fetched_again([])
    assert not (tmp_path / "new").exists()
