"""A small archive in Chinese and English with every kind of damage, and its tables."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from crawler.crawl_options import Judge
from crawler.scoring.relevance import relevance
from crawler.text import Vocabulary, Word
from ontocrawl.archives.scoring import ArchiveScores, score
from ontocrawl.archives.work import SCORES
from tests.crawler.warcs import http, record, response, write

TK = Vocabulary(
    "TK", (Word("暴雨", 1.0, (("zh", "暴雨"), ("en", "rainstorm"))), Word("flood", 0.6, (("en", "flood"),)))
)
CHINESE = (
    '<html><head><meta charset="gb18030"><title>暴雨预警</title>'
    '<meta property="article:published_time" content="2021-07-20"></head>'
    '<body><p>暴雨引发洪水。</p><a href="/next.html">暴雨 明天</a></body></html>'
).encode("gb18030")


def page(number: int) -> bytes:
    """A page in English; of every fourth one the text has the topic words, in different numbers."""
    words = "rainstorm " * (number % 5 + 1) + "flood" if number % 4 == 0 else "nothing of the kind"
    links = "".join(f'<a href="/{number + n}.html">page {number + n}</a>' for n in (1, 2))
    return f"<html><title>Page {number}</title><p>{words} in town {number}.</p>{links}</html>".encode()


def make(folder: Path, pages: int = 60) -> Path:
    """Write the archive: a sound file of pages, compressed by record, and one with every kind of damage."""
    folder.mkdir()
    sound = [response(f"http://a.example/{n}.html", page(n)) for n in range(pages)]
    write(folder / "a.warc.gz", record("warcinfo", "", b"software: x\r\n"), *sound)
    url = "http://b.example/"
    broken = gzip.compress(response(f"{url}broken", page(1)))
    members = [
        gzip.compress(data)
        for data in (
            response(f"{url}zh.html", CHINESE),
            record("response", f"{url}gone.html", http(b"", status="404 Not Found")),
            record("resource", "dns:b.example", b"20200101", "Content-Type: text/dns"),
            record("revisit", f"{url}again.html", b""),
            response(f"{url}large.html", b"<p>" + b"x" * 3_000_000),
            response(f"{url}robots.txt", b"User-agent: *"),
            record("response", f"{url}photo", http(b"PNG").replace(b"text/html", b"image/png")),
            b"WARC/1.0\r\nWARC-Target-URI: http://b.example/typeless\r\nContent-Length: 0\r\n\r\n\r\n\r\n",
            record("request", f"{url}zh.html", b"GET / HTTP/1.1\r\n\r\n"),
        )
    ]
    whole = b"".join(
        [*members, broken[:20] + b"\xff" * 8 + broken[28:], gzip.compress(response(f"{url}en.html", page(4)))]
    )
    (folder / "b.warc.gz").write_bytes(whole + gzip.compress(response(f"{url}cut", page(2)))[:60])
    return folder


def run(archive: Path, out: Path, *, threshold: float = 0.2, **options: Any) -> ArchiveScores:
    """Score an archive by TK, with parts of 1 kB."""
    how = {"robot": None, "max_bytes": 1_000_000, "part_bytes": 1000} | options
    return score(archive, out, Judge(relevance("evidence"), threshold), TK, **how)


def tables(out: Path) -> dict[str, pa.Table]:
    """The tables in a folder."""
    return {name: pq.read_table(out / name) for name in SCORES.tables}


def files(out: Path) -> dict[str, bytes]:
    """The bytes of every file of the tables."""
    return {str(path.relative_to(out)): path.read_bytes() for name in SCORES.tables for path in (out / name).iterdir()}
