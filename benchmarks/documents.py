"""Real PDF and Word files: share that is read, reasons of the others, time and memory. Prints one JSON document.

    python -m benchmarks.documents FOLDER [--json docs/benchmarks/documents.json]

Reads each file of a folder as a crawl does (`crawler.pages.parser_processes`): in a process for documents, with its
limits. Beside it the text is taken from each PDF file by PDFium and, where it is installed, by pypdf, each in a
new process that may take a minute, for time, peak memory and number of characters. With --json FILE a table is
written beside it (FILE with the suffix .md). The files are not committed; the page names where those of its figures are
from.
"""

from __future__ import annotations

import argparse
import importlib.util
import io
import json
import statistics
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks import report
from crawler.fetching.fetch import Fetched
from crawler.model import Response
from crawler.pages.page import PageRecord, failed, page_record
from crawler.pages.parser_processes import DocumentReaders
from crawler.text import Matcher

LIBRARIES = ("pypdfium2", "pypdf")
LONGEST = 60
"""Seconds that a library may take for a file."""


def text_by(library: str, body: bytes) -> list[str]:
    """Return the text of each page of a PDF file by a library."""
    if library == "pypdfium2":
        import pypdfium2

        pdf = pypdfium2.PdfDocument(body)
        return [page.get_textpage().get_text_bounded() for page in pdf]
    import pypdf  # type: ignore[import-not-found, unused-ignore]  # it is compared with, and no dependency

    return [page.extract_text() for page in pypdf.PdfReader(io.BytesIO(body)).pages]


def child(library: str, file: Path) -> dict[str, Any]:
    """Take the text of a file in this process; return what it took."""
    body = file.read_bytes()
    started = time.perf_counter()
    pages, error = [], ""
    try:
        pages = text_by(library, body)
    except Exception as raised:
        error = type(raised).__name__
    return {
        "seconds": time.perf_counter() - started,
        "megabytes": report.memory(),
        "characters": sum(len("".join(page.split())) for page in pages),
        "error": error,
    }


def compared(library: str, files: Sequence[Path]) -> dict[str, Any]:
    """Return the figures of a library over some PDF files, a process a file."""
    rows = []
    for file in files:
        program = [sys.executable, "-m", "benchmarks.documents", str(file), "--by", library]
        try:
            done = subprocess.run(program, capture_output=True, text=True, check=True, timeout=LONGEST)
            rows.append(json.loads(done.stdout))
        except subprocess.SubprocessError as error:
            rows.append({"seconds": LONGEST, "megabytes": 0, "characters": 0, "error": type(error).__name__})
    seconds = sorted(row["seconds"] for row in rows)
    return {
        "library": library,
        "files": len(rows),
        "with text": sum(row["characters"] > 0 for row in rows),
        "errors": sum(bool(row["error"]) for row in rows),
        "seconds": round(sum(seconds), 1),
        "median s": round(statistics.median(seconds), 3),
        "longest s": round(seconds[-1], 2),
        "peak MB": max(row["megabytes"] for row in rows),
    }


def read(files: Sequence[Path]) -> tuple[list[PageRecord], list[float]]:
    """Read files as a crawl does; return their records, and the seconds of each."""
    readers, records, seconds = DocumentReaders(1), list[PageRecord](), list[float]()
    try:
        for file in files:
            url = f"http://files.example/{len(records)}{file.suffix.lower()}"
            response = Response(url, 200, {"content-type": "application/octet-stream"}, file.read_bytes())
            started = time.perf_counter()
            text = readers.as_text(Fetched(response, url))
            seconds.append(time.perf_counter() - started)
            records.append(page_record(url, text, Matcher(())) if isinstance(text, Fetched) else failed(url, text))
    finally:
        readers.close()
    return records, seconds


def as_read(kind: str, files: Sequence[Path]) -> dict[str, Any]:
    """Return the figures of the files of a kind, as a crawl reads them."""
    records, seconds = read(files)
    good = [record for record in records if record.failure is None]
    return {
        "kind": kind,
        "files": len(files),
        "read": len(good),
        "with Chinese": sum(
            any("\u4e00" <= character <= "\u9fff" for character in record.page.text) for record in good
        ),
        "with page numbers": sum(
            record.page.document is not None and bool(record.page.document.page_starts) for record in good
        ),
        "with links": sum(bool(record.page.links) for record in good),
        "with a date": sum(record.page.published is not None for record in good),
        "median s": round(statistics.median(seconds), 3),
        "longest s": round(max(seconds), 2),
        "reasons": dict(sorted(Counter(record.failure for record in records if record.failure is not None).items())),
    }


def table(result: report.Result) -> str:
    """Return the result as a page."""
    lines = [
        (
            "Files of five public repositories: examinations and course papers of a university (lib-pku/libpku), "
            "theses, proposals and templates (huangwb8/ChineseResearchLaTeX, CTeX-org/ctex-kit), and files that made "
            "trouble to programs (mozilla/pdf.js, py-pdf/sample-files), of each the first by their digests, below "
            "4 MiB. As a crawl reads them:"
        ),
        "",
    ]
    columns = [name for name in result["kinds"][0] if name != "reasons"] if result["kinds"] else []
    lines += [*report.grid(columns, ([row[name] for name in columns] for row in result["kinds"])), ""]
    for row in result["kinds"]:
        why = ", ".join(f"`{reason}` {count}" for reason, count in row["reasons"].items())
        lines += [f"Not read of {row['kind']}: {why or 'none'}.", ""]
    lines += ["The text of the PDF files by two libraries, a new process for each file:", ""]
    columns = [*result["libraries"][0]] if result["libraries"] else []
    lines += [*report.grid(columns, (row.values() for row in result["libraries"])), ""]
    command = "python -m benchmarks.documents FOLDER --json docs/benchmarks/documents.json"
    return report.page("Real PDF and Word files", command, [*lines, f"{report.machine(result)}."])


def main() -> int:
    """Run and print."""
    arguments = report.arguments(__doc__)
    arguments.add_argument("folder", type=Path, help="folder of PDF and DOCX files")
    arguments.add_argument("--by", choices=LIBRARIES, help=argparse.SUPPRESS)
    chosen = arguments.parse_args()
    if chosen.by is not None:
        print(json.dumps(child(chosen.by, chosen.folder)))
        return 0
    files = {kind: sorted(chosen.folder.glob(f"*.{kind}")) for kind in ("pdf", "docx")}
    installed = [library for library in LIBRARIES if importlib.util.find_spec(library) is not None and files["pdf"]]
    kinds = [as_read(kind, some) for kind, some in files.items() if some]
    result = report.head("documents", kinds=kinds, libraries=[compared(name, files["pdf"]) for name in installed])
    report.publish(result, chosen.json, table)
    return 0


if __name__ == "__main__":
    sys.exit(main())
