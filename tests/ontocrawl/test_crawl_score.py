"""`crawl score`: a file, a URL by the live world, a page of a run; and wrong input."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from rich.cells import cell_len

import ontocrawl
from crawler.worlds import SyntheticWorld
from crawler.worlds.synthetic.serve import Server, serve
from ontocrawl.base.workspace import Workspace
from ontocrawl.cli.main import invoke
from ontocrawl.errors import CommandError, UsageError
from tests.ontocrawl.conftest import Command

WORLD = "synthetic:planted?pages=200&seed=2"
PAGE = "<title>暴雨橙色预警</title><p>暴雨引发城市内涝灾害</p><a href='/x'>气象</a>"


@pytest.fixture(scope="module")
def run(space: Workspace) -> str:
    arguments = ["crawl", "run", "--topic", "rainstorm", "--world", WORLD, "--strategy", "best_first"]
    limits = ["--limit-pages", "120", "--run", "scored", "--no-graph", "--workspace", str(space.root), "--json"]
    assert invoke([*arguments, *limits]) == 0
    return "scored"


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with serve(SyntheticWorld("planted", 200, 2)) as running:
        yield running


def written(tmp_path: Path, body: bytes, name: str = "page.html") -> Path:
    path = tmp_path / name
    path.write_bytes(body)
    return path


# ---- files --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("encoding", ["utf-8", "gb18030", "utf-8-sig", "utf-16"])
def test_a_file_in_any_encoding(command: Command, space: Workspace, tmp_path: Path, encoding: str) -> None:
    path = written(tmp_path, (PAGE * 20).encode(encoding))
    scored = command("crawl", "score", path, "--topic", "rainstorm", "--json", "--workspace", space.root).json
    first = next(word for word in scored["words"] if word["word"] == "暴雨")
    assert (first["weight"], first["count"]) == (0.8, 40)
    assert sum(first["slots"].values()) == 40
    assert sum(word["contribution"] for word in scored["words"]) == pytest.approx(scored["R"])
    assert scored["relevant"] is (scored["R"] > scored["sigma"]) and scored["sigma"] == 0.7


def test_the_json_has_all_numbers_and_no_escapes(command: Command, space: Workspace, tmp_path: Path) -> None:
    path = written(tmp_path, PAGE.encode())
    found = command("crawl", "score", path, "--topic", "rainstorm", "--json", "--workspace", space.root)
    assert {
        "source", "topic", "title", "R", "sigma", "strict", "relevant", "function", "words", "length", "encoding",
    } <= found.json.keys()  # fmt: skip
    assert (found.json["title"], found.json["function"], found.json["source"]) == (
        "暴雨橙色预警",
        "paper_000",
        str(path),
    )
    assert "暴雨" in found.out and "\\u" not in found.out


def test_another_relevance_function(command: Command, space: Workspace, tmp_path: Path) -> None:
    path = written(tmp_path, PAGE.encode())
    scores = {
        name: command(
            "crawl", "score", path, "--topic", "rainstorm", "--judge", name, "--json", "--workspace", space.root
        ).json
        for name in ("paper_000", "paper_001", "density", "saturated", "paper_002")
    }
    assert len({round(scored["R"], 6) for scored in scores.values()}) >= 4
    assert all(scored["function"] == name for name, scored in scores.items())


def test_the_table_fits_80_columns(
    command: Command, space: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    path = written(tmp_path, PAGE.encode())
    found = command("crawl", "score", path, "--topic", "rainstorm", "--workspace", space.root)
    lines = found.out.splitlines()
    assert lines[0] == str(path) and max(map(cell_len, lines[1:])) <= 80
    assert "> sigma = 0.7: relevant" in found.out and "title 1, p 1" in found.out


def test_a_page_without_topic_words_has_R_0(command: Command, space: Workspace, tmp_path: Path) -> None:
    path = written(tmp_path, b"<p>nothing of interest</p>")
    found = command("crawl", "score", path, "--topic", "rainstorm", "--workspace", space.root)
    assert found.code == 0 and "no topic word occurs" in found.out and "not relevant" in found.out
    plain = written(tmp_path, "暴雨预警".encode(), "page.txt")
    assert command("crawl", "score", plain, "--topic", "rainstorm", "--json", "--workspace", space.root).json["R"] > 0


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b"", "empty"),
        (b"<html><body></body></html>", "empty"),
        (bytes(range(256)) * 40, "undecodable"),
        (b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 4, "not_html"),
        (b"<div>" * 20_000, "too_deep"),
    ],
)
def test_a_file_without_text(command: Command, space: Workspace, tmp_path: Path, body: bytes, reason: str) -> None:
    found = command("crawl", "score", written(tmp_path, body), "--topic", "rainstorm", "--workspace", space.root)
    assert found.code == 1 and f"{reason}: " in found.err and found.out == ""


def test_wrong_input_is_a_usage_error(command: Command, space: Workspace, tmp_path: Path) -> None:
    path = written(tmp_path, PAGE.encode())
    cases = [
        ([path, "--topic", "rainstrom"], "did you mean 'rainstorm'"),
        ([path, "--topic", tmp_path / "no.toml"], "does not exist"),
        ([path, "--topic", "rainstorm", "--judge", "paper_00"], "paper_00"),
        ([tmp_path / "missing.html", "--topic", "rainstorm"], "neither a file nor a URL"),
        ([tmp_path, "--topic", "rainstorm"], "cannot be read"),
        (["ftp://a.cn/x", "--topic", "rainstorm"], "not an http or https URL"),
        (["http://a.cn/", "--topic", "rainstorm", "--world", "synthetic:none"], "no synthetic preset"),
    ]
    for arguments, part in cases:
        found = command("crawl", "score", *arguments, "--workspace", space.root)
        assert found.code == 2 and part in found.err and found.out == "", (arguments, found.err)


# ---- URLs ---------------------------------------------------------------------------------------------------------


def test_a_url_is_fetched_as_a_crawl_does(
    command: Command, space: Workspace, tmp_path: Path, run: str, server: Server
) -> None:
    table = server.write_resolve(tmp_path / "resolve.txt")
    pages = command("crawl", "pages", run, "--json", "--workspace", space.root).json["pages"]
    (url, R) = next((page["url"], page["relevance"]) for page in pages if page["relevance"] > 0.5)
    live = command(
        "crawl", "score", url, "--topic", "rainstorm", "--resolve", table, "--json", "--workspace", space.root
    )
    synthetic = command(
        "crawl", "score", url, "--topic", "rainstorm", "--world", WORLD, "--json", "--workspace", space.root
    )
    of_run = command("crawl", "score", url, "--run", run, "--json", "--workspace", space.root)
    assert live.code == synthetic.code == of_run.code == 0, live.err
    assert live.json["R"] == synthetic.json["R"] == of_run.json["R"] == R
    assert live.json["words"] == synthetic.json["words"] == of_run.json["words"]
    assert live.json["encoding"] and of_run.json["encoding"] is None


def test_robots_txt_and_addresses_are_obeyed(
    command: Command, space: Workspace, tmp_path: Path, server: Server
) -> None:
    table = server.write_resolve(tmp_path / "resolve.txt")
    world = SyntheticWorld("planted", 200, 2)
    closed = next(url for url in map(world.url, range(200)) if "/private/" in url)
    found = command("crawl", "score", closed, "--topic", "rainstorm", "--resolve", table, "--workspace", space.root)
    assert found.code == 1 and "robots_denied" in found.err and "robots.txt" in found.err
    loopback = command("crawl", "score", server.url, "--topic", "rainstorm", "--workspace", space.root)
    assert loopback.code == 1 and "blocked_address" in loopback.err and "--allow-loopback" in loopback.err


# ---- pages of a run -----------------------------------------------------------------------------------------------


def test_a_page_of_a_run_has_the_score_that_the_run_gave_it(command: Command, space: Workspace, run: str) -> None:
    pages = command("crawl", "pages", run, "--json", "--workspace", space.root).json["pages"]
    for page in pages[::17]:
        scored = command("crawl", "score", page["url"], "--run", run, "--json", "--workspace", space.root).json
        assert (scored["R"], scored["relevant"]) == (page["relevance"], page["relevant"])
        assert (scored["title"], scored["published"]) == (page["title"], page["published"])
    other = ["--run", run, "--judge", "paper_002", "--json", "--workspace", space.root]
    assert command("crawl", "score", pages[-1]["url"], *other).json["function"] == "paper_002"


def test_what_a_run_cannot_score(command: Command, space: Workspace, run: str) -> None:
    cases = [
        (["http://a.cn/", "--run", run], "crawl explain scored http://a.cn/"),
        (["http://a.cn/", "--run", "scord"], "did you mean scored"),
        (["a.cn", "--run", run], "write it with http://"),
        (["http://a.cn/", "--run", run, "--topic", "rainstorm"], "leave out --topic"),
    ]
    for arguments, part in cases:
        found = command("crawl", "score", *arguments, "--workspace", space.root)
        assert found.code == 2 and part in found.err, (arguments, found.err)


# ---- Python -------------------------------------------------------------------------------------------------------


def test_a_topic_scores_text_bytes_and_files(space: Workspace, tmp_path: Path) -> None:
    topic = ontocrawl.Topic("rainstorm", workspace=space.root)
    path = written(tmp_path, PAGE.encode("gb18030"))
    text, body, file = topic.score(PAGE), topic.score(PAGE.encode()), topic.score(path)
    assert text.parts == body.parts == file.parts and text.relevant
    assert "relevant" in repr(text) and repr(text).startswith("<ScoredPage page")
    assert topic.score(PAGE, judge="density").parts.function == "density"
    with pytest.raises(CommandError, match="empty"):
        topic.score("")
    with pytest.raises(UsageError, match="neither a file"):
        topic.score(tmp_path / "missing")
    with pytest.raises(TypeError, match="page: expected HTML"):
        topic.score(7)  # type: ignore[arg-type]
