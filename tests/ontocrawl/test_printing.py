"""What the web wrote, as it reaches a terminal, a log, a cell and a file: a hostile server against real commands."""

from __future__ import annotations

import csv
import io
import json
import os
import pty
import queue
import re
import subprocess
import sys
import threading
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.interchange.xml_text import escaped
from ontocrawl.base import workspace
from ontocrawl.base.workspace import Workspace
from ontocrawl.cli import output
from ontocrawl.errors import UsageError
from ontocrawl.graph import graph_store
from ontocrawl.graph.tables import Table
from ontocrawl.report import html
from ontology.draw import svg
from ontology.printable import csv_cell, json_text, one_line, printable
from tests.ontocrawl.conftest import Command

TORTURE = (
    "=cmd|'/c calc'!A1 \x1b[2J\x1b[31mred\x1b[0m \x1b]8;;http://evil.example/\x1b\\link\x1b]8;;\x1b\\ \x1b]0;window\x07"
    "\x9b5m\x85next\x7f\x08\x07 \u202eesrever\u202c \u2066isolate\u2069 zero\u200bwidth\ufeff soft\u00adhyphen"
    "\u2028line\u2029paragraph \U000e0041tag [bold]markup[/bold] 暴雨红色预警 👩‍👩‍👧 عاصفة مطرية"
)
"""One text with everything that a terminal, a log or a spreadsheet could take for more than text."""
KEPT = ("暴雨红色预警", "👩‍👩‍👧", "عاصفة مطرية", "[bold]markup[/bold]", "zerowidth", "softhyphen")
PAGE = (
    f"<html><head><meta charset=utf-8><title>{TORTURE}</title></head><body><h1>{TORTURE}</h1>"
    f"<p>{'暴雨 洪水 灾害 ' * 30}</p>"
    f"<a href='/second'>{TORTURE}</a> <a href='/type'>{TORTURE}</a> <a href='/redirect'>x</a> "
    f"<a href='/bidi-{chr(0x202E)}{chr(0x9B)}.html'>x</a></body></html>"
)


def unsafe(text: str, *, lines: bool = True) -> set[str]:
    """The characters of a text that must not reach a terminal."""
    controls = {c for c in text if unicodedata.category(c) in {"Cc", "Cs", "Zl", "Zp"} and not (lines and c in "\n\t")}
    joiners = {"\u200c", "\u200d"}  # checked by test_joiners_stay_where_they_join
    return controls | {c for c in text if unicodedata.category(c) == "Cf" and c not in joiners and ord(c) not in ARABIC}


ARABIC = {*range(0x600, 0x606), 0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0x110BD, 0x110CD, *range(0x13430, 0x13440)}
"""Format characters that are seen."""


class Hostile(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        head, body = b"200 OK\r\ncontent-type: text/html; charset=utf-8", PAGE.encode()
        if self.path == "/robots.txt":
            head, body = b"404 \x1b[31mNo", b""
        elif self.path == "/type":
            head, body = b"200 OK\r\ncontent-type: text/\x1b[31mevil\x9b5m\xe2\x80\xae", b"%PDF-1.7\n"
        elif self.path == "/redirect":
            head, body = b"302 Found\r\nlocation: http://[\x1b[31m\xe2\x80\xae\x9b5m", b""
        self.wfile.write(b"HTTP/1.1 %s\r\ncontent-length: %d\r\n\r\n%s" % (head, len(body), body))

    def log_message(self, *arguments: object) -> None:
        pass


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    httpd = ThreadingHTTPServer(("127.0.0.1", 0), Hostile)
    threading.Thread(target=httpd.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{httpd.server_port}"
    httpd.shutdown()
    httpd.server_close()


@dataclass
class Ran:
    code: int
    out: str
    err: str


def program(space: Workspace, *arguments: str) -> Ran:
    """Run the program as its own process; its bytes must be UTF-8."""
    asked = [sys.executable, "-m", "ontocrawl", *arguments, "--workspace", str(space.root)]
    ran = subprocess.run(asked, capture_output=True, check=False, timeout=250, env={**os.environ, "COLUMNS": "80"})
    return Ran(ran.returncode, ran.stdout.decode(), ran.stderr.decode())


@pytest.fixture(scope="module")
def hostile(space: Workspace, server: str, tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """A workspace with the crawl `hostile`, which shares the engine of the session."""
    mine = workspace.init(tmp_path_factory.mktemp("hostile") / "ws")
    space.graph.mkdir(exist_ok=True)
    (mine.root / "graph").symlink_to(space.graph.resolve(), target_is_directory=True)
    (mine.root / "ontocrawl.toml").write_text("[crawl]\ndelay = 0.0\n", encoding="utf-8")
    crawl = ("crawl", "run", "--topic", "rainstorm", "--strategy", "breadth_first", "--allow-loopback")
    ran = program(mine, *crawl, "--no-politeness", "--seeds", f"{server}/", "--run", "hostile")
    assert ran.code == 0, ran.err
    assert not unsafe(ran.out + ran.err)
    return mine


QUERY = (
    "MATCH (:Crawl {id: 'hostile'})-[f:FETCHED]->(p:Page) RETURN f.title AS title, f.snippet AS snippet, p.url AS url "
    "ORDER BY url"
)


@pytest.mark.slow
@pytest.mark.parametrize(
    "arguments",
    [
        ("crawl", "status", "hostile"),
        ("crawl", "pages", "hostile"),
        ("query", "run", "pages/most_relevant", "crawl=hostile"),
        ("query", "run", "links/anchors_that_mislead", "crawl=hostile"),
        ("query", "cypher", QUERY),
        ("graph", "rank", "hostile"),
    ],
)
def test_a_hostile_title_cannot_move_the_cursor_in_any_table(hostile: Workspace, arguments: tuple[str, ...]) -> None:
    ran = program(hostile, *arguments)
    assert ran.code == 0, ran.err
    assert not unsafe(ran.out + ran.err)
    assert "\x1b" not in ran.out and "evil.example" not in ran.out


@pytest.mark.slow
@pytest.mark.parametrize(
    "arguments", [("crawl", "pages", "hostile", "--json"), ("query", "cypher", QUERY, "--format", "json")]
)
def test_json_escapes_what_a_terminal_would_obey_and_loses_nothing(
    hostile: Workspace, arguments: tuple[str, ...]
) -> None:
    ran = program(hostile, *arguments)
    assert not unsafe(ran.out) and "暴雨红色预警" in ran.out and r"\u001b[31m" in ran.out and r"\u202e" in ran.out
    answer = json.loads(ran.out)
    titles = [page["title"] for page in answer["pages"]] if "pages" in answer else [row[0] for row in answer["rows"]]
    assert any("\u202eesrever" in (title or "") and "👩‍👩‍👧" in title for title in titles)


@pytest.mark.slow
def test_csv_of_a_query_has_no_formula_and_no_control_character(hostile: Workspace) -> None:
    ran = program(hostile, "query", "cypher", QUERY, "--format", "csv")
    assert not unsafe(ran.out)
    rows = list(csv.reader(io.StringIO(ran.out)))
    titles = [row[0] for row in rows[1:] if row[0]]
    assert titles and all(title.startswith("'=cmd|") for title in titles)
    assert all(kept in titles[0] for kept in KEPT)


@pytest.mark.slow
def test_a_failure_with_the_servers_words_is_one_clean_line(hostile: Workspace, server: str) -> None:
    for path in ("/type", "/redirect"):
        crawl = (
            "crawl",
            "run",
            "--topic",
            "rainstorm",
            "--strategy",
            "breadth_first",
            "--allow-loopback",
            "--no-graph",
        )
        ran = program(hostile, *crawl, "--no-politeness", "--seeds", f"{server}{path}", "--run", path[1:])
        assert ran.code == 1 and ran.out == ""
        assert not unsafe(ran.err)
        assert len(ran.err.splitlines()) == 1 and "no page could be fetched" in ran.err


@pytest.mark.slow
def test_explanations_are_clean(hostile: Workspace, server: str) -> None:
    for arguments in (("explain", "hostile", f"{server}/second"), ("explain", "hostile", f"{server}/type")):
        ran = program(hostile, "crawl", *arguments)
        assert ran.code == 0 and not unsafe(ran.out + ran.err), ran.err
        assert "evil.example" not in ran.out and all(line.strip() != "paragraph" for line in ran.out.splitlines())


@pytest.mark.slow
@pytest.mark.parametrize("form", ["csv", "jsonl", "text"])
def test_exported_pages_are_clean_and_no_cell_is_a_formula(hostile: Workspace, tmp_path: Path, form: str) -> None:
    file = tmp_path / f"pages.{form}"
    ran = program(hostile, "crawl", "export", "hostile", "--format", form, "--out", str(file))
    assert ran.code == 0 and not unsafe(ran.out + ran.err), ran.err
    text = file.read_bytes().decode()
    assert "暴雨红色预警" in text and not unsafe(text)
    if form == "csv":
        assert not [cell for row in csv.reader(io.StringIO(text)) for cell in row if cell.startswith(("=", "+", "@"))]


@pytest.mark.slow
def test_on_a_terminal_no_escape_sequence_comes_from_the_web(hostile: Workspace) -> None:
    parent, child = pty.openpty()
    asked = [sys.executable, "-m", "ontocrawl", "crawl", "pages", "hostile", "--workspace", str(hostile.root)]
    with subprocess.Popen(
        asked, stdout=child, stderr=child, env={**os.environ, "TERM": "xterm", "COLUMNS": "80"}
    ) as ran:
        os.close(child)
        seen = b""
        while chunk := _read(parent):
            seen += chunk
    os.close(parent)
    assert ran.returncode == 0
    text = seen.decode()
    sequences = set(re.findall("\x1b[^a-zA-Z]*[a-zA-Z]?", text))
    assert sequences and sequences <= {"\x1b[1m", "\x1b[0m", "\x1b[2m", "\x1b[36m"}  # headings, of this program
    assert not unsafe(re.sub("\x1b\\[[0-9]+m|\r\n", "", text))


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65536)
    except OSError:  # Linux reports the end of a terminal so
        return b""


@pytest.mark.slow
@pytest.mark.parametrize("suffix", [".graphml", ".gexf", ".nt", ".ttl", ".cypher"])
def test_exports_of_the_graph_are_valid_and_read_back(hostile: Workspace, tmp_path: Path, suffix: str) -> None:
    file = tmp_path / f"all{suffix}"
    ran = program(hostile, "graph", "export", "--out", str(file))
    assert ran.code == 0 and not unsafe(ran.out + ran.err)
    text = file.read_bytes().decode("utf-8", "strict")
    assert "暴雨红色预警" in text and not {c for c in unsafe(text) if unicodedata.category(c) in {"Cc", "Cs"}}
    if suffix in {".graphml", ".gexf"}:
        ElementTree.fromstring(text)


def test_pictures_pages_and_xml_have_no_character_that_they_forbid() -> None:
    evil = TORTURE + "\x00\x0b\ufffe\ud800<&\"'"
    template = html._environment().from_string(
        '{% from "parts.html" import text %}<p title="{{ x }}">{{ text(x) }}</p>'
    )
    for made in (svg.label(0, 0, [evil], svg.INK), template.render(x=evil)):
        assert "<bdi" in made or "<text" in made
        ElementTree.fromstring(made)
    ElementTree.fromstring(f'<x a="{escaped(TORTURE)}">{escaped(TORTURE)}</x>')


def test_no_name_of_a_run_leaves_its_folder_or_names_a_device(space: Workspace) -> None:
    evil = (
        "..",
        "../x",
        "a/b",
        "a\\b",
        ".hidden",
        "-rf",
        "a\x00b",
        "a\nb",
        "\u202ex",
        "x" * 300,
        "CON",
        "nul.txt",
        "x.",
        "",
    )
    for name in evil:
        with pytest.raises(UsageError, match="is not a run's name"):
            space.run(name)
    assert space.run("com0.x").name == "com0.x"


# ---- the owner of it all ----------------------------------------------------------------------------------------


@given(
    st.text(alphabet=st.one_of(st.characters(), st.sampled_from("\x1b\x9b]8;;\x07\\[m\u202e\u200d\u200b\ud800\r\n=")))
)
def test_nothing_unsafe_passes_whatever_it_is_made_of(text: str) -> None:
    shown = printable(text)
    assert not unsafe(shown) and not unsafe(one_line(text), lines=False)
    assert one_line(one_line(text)) == one_line(text) and printable(shown) == shown
    one_line(text).encode()
    assert json.loads(json_text([text])) == [text] and not unsafe(json_text([text], indent=2))


def test_chinese_arabic_and_emoji_stay_readable() -> None:
    for text in ("暴雨：２４小时", "عاصفة مطرية شديدة", "می‌خواهم", "क्‍ष", "👩‍👩‍👧‍👦 🏳️‍🌈 👍🏽", "é à ñ ʼn", "𠮷野家"):
        assert one_line(text) == text


def test_joiners_stay_where_they_join() -> None:
    assert one_line("ab\u200dcd 中\u200c文 \u200d x\u200c") == "abcd 中文 x"
    assert "\u200d" in one_line("👩\u200d👧") and "\u200c" in one_line("می\u200cخواهم")


def test_piled_marks_do_not_cover_the_lines_above() -> None:
    assert one_line("Z" + "\u0336\u0301" * 50 + "a") == "Z" + "\u0336\u0301" * 2 + "a"


@pytest.mark.parametrize(
    "text", ["=1", "+1+1", "-cmd", "@x", "\t=1", " =1", "＝1", "\n=1", "-", "--", "-1-1", "+x", "=-1"]
)
def test_no_cell_is_a_formula(text: str) -> None:
    assert csv_cell(text).startswith("'") or text == "-"


@pytest.mark.parametrize("number", ["-0.5", "+3", "-1e-5", "-12%", "-1,234.5", "-.5", -0.5, -3, None, True])
def test_numbers_stay_numbers_in_a_cell(number: object) -> None:
    assert csv_cell(number) == number


def test_a_table_as_csv_reads_back_and_runs_nothing() -> None:
    table = Table(("=h", "x"), (("=1+1", -0.5), ("a\r\nb", ["=x"]), ("暴雨", None)))
    rows = list(csv.reader(io.StringIO(table.as_csv())))
    assert rows == [["'=h", "x"], ["'=1+1", "-0.5"], ["a\nb", '["=x"]'], ["暴雨", ""]]


def test_a_lone_surrogate_does_not_end_a_command(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    output.print_json({"title": "a\ud800"})
    output.note("note \udcff")
    output.stdout.print("text \ud800")
    output.print_part(output.tabled("t\ud800", ("a",), [("cell \udfff",)]))
    captured = capfdbinary.readouterr()
    assert b'"a\\ud800"' in captured.out and "cell \ufffd".encode() in captured.out
    assert "note \ufffd".encode() in captured.err


def test_a_wrong_argument_is_shown_clean(command: Command) -> None:
    for arguments in (("crawl", "\x1b[31mevil\u202e"), ("crawl", "status", "--\x1b[2J"), ("query", "show", "a\x9b5mb")):
        answer = command(*arguments)
        assert answer.code == 2 and answer.err and not unsafe(answer.out + answer.err)


def test_markup_of_rich_in_a_text_is_text(command: Command, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "[red]x[/red]"
    answer = command("crawl", "status", "[bold]no[/bold]", "--workspace", folder)
    assert answer.code == 2 and "[bold]no[/bold]" in answer.err
    output.print_part(output.tabled("[red]title[/red]", ("[b]x",), [("[i]cell[/i]",)], caption="[u]caption[/u]"))
    shown = capsys.readouterr().out
    assert all(part in shown for part in ("[red]title[/red]", "[b]x", "[i]cell[/i]", "[u]caption[/u]"))


@pytest.mark.slow
def test_the_graph_keeps_what_the_page_says(hostile: Workspace) -> None:
    with graph_store.store(hostile) as store:
        rows = store.read(QUERY)
    assert any("\u202e" in (row["title"] or "") for row in rows)


def test_long_work_prints_lines_where_stderr_is_no_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    lines: queue.Queue[str] = queue.Queue()
    monkeypatch.setattr(output, "LINE_SECONDS", 0.01)
    monkeypatch.setattr(output, "note", lines.put)
    with output.progress("learning", 300) as (bar, task):
        assert re.fullmatch(r"learning 0 of 300, \d+ s", lines.get(timeout=60))
        bar.update(task, completed=12, description="terms 术语", info="3 waiting")
        while "3 waiting" not in (line := lines.get(timeout=60)):
            pass
    assert re.fullmatch(r"terms 术语 12 of 300, \d+ s; 3 waiting", line)
    assert capsys.readouterr() == ("", "")
