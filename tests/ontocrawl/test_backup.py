"""`backup` and `restore`: a workspace in use, elsewhere; a crawl that is resumed there; files that are refused."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import shutil
import subprocess
import sys
import time
import zipfile
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest

from crawler.journal import Journal
from crawler.step import Step
from kg.bolt import BoltStore
from kg.engine.files import FileLock
from ontocrawl.backup import manifest, restoring, writing
from ontocrawl.base import workspace
from ontocrawl.base.workspace import JOURNAL, Workspace
from ontocrawl.errors import CommandError, UsageError
from ontocrawl.runs import run_config, runs
from ontocrawl.topics import topics
from tests.conftest import empty
from tests.ontocrawl.conftest import Command
from tests.ontocrawl.test_journal_of_version_1 import DATA, TRACE, assert_same
from tests.queries import small_graph

OLD = "runs/old/journal.sqlite"
CRAWL = ("--world", "synthetic:planted?pages=300&seed=3", "--strategy", "fcosa_lg", "--no-graph", "--run", "mine")


def trace(mine: Workspace, name: str = "mine") -> list[tuple[Any, ...]]:
    """All events of a run with their pages, and the choices with the state of the random generator."""
    query = (
        "SELECT e.seq, e.kind, u.url, p.final_url, p.failure, p.relevance, p.content_hash FROM event e "
        "LEFT JOIN page p USING (seq) LEFT JOIN url u ON u.id = e.link WHERE e.kind != 'resumed' ORDER BY e.seq"
    )
    with runs.open_journal(mine, name) as journal:
        rngs = [(json.dumps(event.data["rng"]),) for event in journal.events_of("choice")]
        return [row[1:] for row in journal.query(query)] + rngs


@pytest.fixture
def mine(tmp_path: Path) -> Workspace:
    """A workspace whose crawls save snapshots often."""
    made = workspace.init(tmp_path / "ws")
    settings = made.root / "ontocrawl.toml"
    settings.write_text(settings.read_text(encoding="utf-8").replace("[crawl]", "[crawl]\nsnapshot_every = 15", 1))
    return workspace.find(made.root)[0]


@pytest.fixture
def saved(mine: Workspace, tmp_path: Path) -> Path:
    """A backup of a workspace with a topic file and a run of version 1."""
    (mine.ontologies / "topics" / "mine.toml").write_text("# mine\n", encoding="utf-8")
    workspace.make_folder(mine.run("old"))
    old = gzip.decompress((DATA / "journal_of_version_1.sqlite.gz").read_bytes())
    (mine.run("old") / JOURNAL).write_bytes(old)
    writing.write(mine, tmp_path / "saved.zip")
    return tmp_path / "saved.zip"


@pytest.mark.slow
def test_a_crawl_saved_while_it_runs_is_resumed_elsewhere_to_the_same_trace(
    command: Command, mine: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reports: list[writing.Report] = []

    def save(step: Step) -> None:
        if step.fetched == 27 and not reports:
            reports.append(writing.write(mine, tmp_path / "saved.zip"))

    begin = runs.begin
    monkeypatch.setattr(runs, "begin", lambda at, config, world, *more: begin(at, config, world, save))
    assert command("crawl", "run", *CRAWL, "--limit-pages", "50", "--workspace", mine.root).code == 0
    assert reports[0].crawled == ("mine",)
    with zipfile.ZipFile(tmp_path / "saved.zip") as archive:
        assert any(".snapshots/" in name for name in archive.namelist())
    found = command("restore", tmp_path / "saved.zip", tmp_path / "new", "--json")
    assert (found.code, found.json["runs"], found.json["crawled"]) == (0, ["mine"], ["mine"])
    assert f"crawl resume mine --workspace {tmp_path / 'new'}" in found.err
    elsewhere = workspace.find(tmp_path / "new")[0]
    before = runs.result_of(elsewhere, "mine")
    assert before.state == "interrupted" and 25 <= before.end.fetched <= 27
    shutil.move(mine.root, tmp_path / "away")
    assert command("crawl", "resume", "mine", "--no-graph", "--workspace", elsewhere.root).code == 0
    assert trace(elsewhere) == trace(workspace.find(tmp_path / "away")[0])


@pytest.mark.slow
def test_a_backup_beside_a_crawling_process(command: Command, mine: Workspace, tmp_path: Path) -> None:
    program = [sys.executable, "-m", "ontocrawl", "crawl", "run", *CRAWL, "--limit-pages", "200"]
    process = subprocess.Popen(
        [*program, "--workspace", str(mine.root)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    backups: list[Path] = []
    try:
        while process.poll() is None and len(backups) < 3:
            events = _events(mine)
            if events > 60 * (len(backups) + 1):
                backups.append(tmp_path / f"saved{len(backups)}.zip")
                report = command("backup", backups[-1], "--workspace", mine.root, "--json").json
                assert report["crawled"] == ["mine"]
            time.sleep(0.02)
        assert process.wait(120) == 0
    finally:
        process.kill()
        process.wait()
    assert len(backups) == 3
    uninterrupted = trace(mine)
    for number, path in enumerate(backups):
        folder = tmp_path / f"new{number}"
        assert command("restore", path, folder).code == 0
        assert command("crawl", "resume", "mine", "--no-graph", "--workspace", folder).code == 0
        assert trace(workspace.find(folder)[0]) == uninterrupted


def _events(mine: Workspace) -> int:
    path = mine.run("mine") / JOURNAL
    if not path.exists():
        return 0
    with closing(Journal(path)) as journal:
        return journal.last_seq()


def test_a_run_of_version_1_is_restored_and_resumed(command: Command, saved: Path, tmp_path: Path) -> None:
    assert command("restore", saved, tmp_path / "new").code == 0
    new = workspace.find(tmp_path / "new")[0]
    found = command("crawl", "resume", "old", "--no-graph", "--workspace", new.root, "--json")
    assert (found.code, found.json["fetched"]) == (0, 14)
    query = (
        "SELECT u.url, p.final_url, p.failure, p.relevance FROM event e JOIN page p USING (seq) "
        "JOIN url u ON u.id = e.link WHERE e.kind = 'outcome' ORDER BY e.seq"
    )
    with runs.open_journal(new, "old") as journal:
        assert_same([list(row) for row in journal.query(query)], TRACE["pages"])
    assert (new.ontologies / "topics" / "mine.toml").read_text(encoding="utf-8") == "# mine\n"


@pytest.mark.slow
def test_the_graph_of_a_workspace_comes_with_it(
    command: Command, crawled: str, space: Workspace, tmp_path: Path
) -> None:
    counts = command("graph", "status", "--workspace", space.root, "--json").json["counts"]
    report = command("backup", tmp_path / "saved.zip", "--workspace", space.root, "--json").json
    assert report["graph"] == "engine" and crawled in report["runs"]
    assert (tmp_path / "saved.zip").stat().st_mode & 0o077 == 0
    with zipfile.ZipFile(tmp_path / "saved.zip") as archive:
        assert "graph/engine.zip" in archive.namelist()
    assert command("restore", tmp_path / "saved.zip", tmp_path / "new").code == 0
    try:
        assert command("graph", "status", "--workspace", tmp_path / "new", "--json").json["counts"] == counts
    finally:
        command("graph", "stop", "--workspace", tmp_path / "new")
    assert command("restore", tmp_path / "saved.zip", tmp_path / "bare", "--no-graph").code == 0
    assert not (tmp_path / "bare" / "graph").exists()


@pytest.mark.slow
@pytest.mark.neo4j
def test_the_graph_of_a_server_comes_as_an_export_that_is_imported(
    command: Command, mine: Workspace, neo4j_engine: BoltStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert neo4j_engine._auth is not None
    of_server = {
        "NEO4J_URI": neo4j_engine.uri, "NEO4J_USERNAME": neo4j_engine._auth[0], "NEO4J_PASSWORD": neo4j_engine._auth[1],
    }  # fmt: skip
    small_graph.fill(empty(neo4j_engine))
    neo4j_engine.write("CREATE (:Stranger {name: 'x'}) RETURN 1 AS n")
    with monkeypatch.context() as on_server:
        for name, value in of_server.items():
            on_server.setenv(name, value)
        counts = command("graph", "status", "--workspace", mine.root, "--json").json["counts"]
        report = command("backup", tmp_path / "saved.zip", "--workspace", mine.root, "--json").json
    assert report["graph"] == "export"
    assert [said for said in report["not_exported"] if "1 of Stranger" in said]
    new = tmp_path / "new"
    assert command("restore", tmp_path / "saved.zip", new, "--json").json["graph"] == "export"
    assert "CREATE" in (new / "graph.cypher").read_text(encoding="utf-8")
    assert not (new / "graph").exists()
    try:  # into the embedded engine: the other computer may have no server
        assert command("graph", "import", new / "graph.cypher", "--workspace", new).code == 0
        imported = command("graph", "status", "--workspace", new, "--json").json["counts"]
        assert imported == counts
        assert all(counts[name] > 0 for name in ("concepts", "pages", "links"))
    finally:
        command("graph", "stop", "--workspace", new)


def test_a_folder_with_files_is_left_alone(saved: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "mine.txt").write_text("x")
    with pytest.raises(UsageError, match=r"not empty \(it has 'mine.txt'\): give an empty folder"):
        restoring.restore(saved, other)
    assert [path.name for path in other.iterdir()] == ["mine.txt"]


def test_what_a_killed_restore_left_is_removed(saved: Path, tmp_path: Path) -> None:
    (tmp_path / "new" / restoring.PART).mkdir(parents=True)
    (tmp_path / "new" / restoring.PART / "half").write_text("x")
    restoring.restore(saved, tmp_path / "new")
    assert sorted(path.name for path in (tmp_path / "new").iterdir()) == ["ontocrawl.toml", "ontologies", "runs"]


def changed(saved: Path, change: Callable[[dict[str, Any], dict[str, bytes]], None]) -> Path:
    """A backup with another manifest or other members."""
    with zipfile.ZipFile(saved) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    document = json.loads(members.pop(manifest.NAME))
    change(document, members)
    path = saved.with_name("changed.zip")
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
        archive.writestr(manifest.NAME, json.dumps(document))
    return path


def _moved(to: str) -> Callable[[dict[str, Any], dict[str, bytes]], None]:
    def change(document: dict[str, Any], members: dict[str, bytes]) -> None:
        members[to] = members.pop("ontocrawl.toml")
        document["members"][to] = document["members"].pop("ontocrawl.toml")

    return change


def _sealed(document: dict[str, Any], members: dict[str, bytes], name: str, content: bytes) -> None:
    """Add or replace a member, with its size and digest in the manifest."""
    members[name] = content
    document["members"][name] = {"size": len(content), "sha256": hashlib.sha256(content).hexdigest()}


def _engine(document: dict[str, Any], members: dict[str, bytes], content: bytes) -> None:
    """Add the graph of an embedded engine, of one file of 100 bytes by the manifest."""
    _sealed(document, members, manifest.ENGINE, content)
    document["graph"] = {"kind": "engine", "member": manifest.ENGINE, "layout": 1, "version": "1"}
    document["graph"] |= {"unpacked": 100, "files": 1}


def packed(**files: bytes) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return stream.getvalue()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda document, members: members.update({"ontocrawl.toml": b"# x"}), "ontocrawl.toml is not what was saved"),
        (lambda document, members: members.update({"runs/x": b""}), "its files are not those of its manifest.json"),
        (lambda document, members: members.pop("ontocrawl.toml"), "its files are not those of its manifest.json"),
        (_moved("../evil"), "'../evil', which is no path in a workspace"),
        (_moved("/tmp/evil"), "'/tmp/evil', which is no path in a workspace"),
        (_moved("runs/../../evil"), "no path in a workspace"),
        (lambda document, members: document.update(format=3), "backup of format 3, and this ontocrawl reads formats 1"),
        (lambda document, members: document["journals"]["old"].update(version=99), "journal of version 99.*upgrade"),
        (lambda document, members: document["journals"]["old"].update(events=7), "old is not what was saved"),
        (lambda document, members: document["journals"].update(gone={"version": 1, "events": 1}), "gone is missing"),
        (lambda document, members: document.update(owner="me"), "no key 'owner'"),
        (lambda document, members: document["journals"].pop("old"), "does not have run old"),
        (lambda document, members: document["journals"].update({"../../w": {"version": 1, "events": 1}}), "is missing"),
        (lambda document, members: _sealed(document, members, "ontologies/topics", b""), "is a file and a folder"),
        (lambda document, members: _sealed(document, members, ".restoring/x", b""), "no path in a workspace"),
        (lambda document, members: _sealed(document, members, "a" * 300, b""), "no path in a workspace"),
        (lambda document, members: _sealed(document, members, "graph/other", b""), "other files of a graph"),
        (lambda document, members: _sealed(document, members, OLD, b"no database"), "run old cannot be read"),
        (lambda document, members: _sealed(document, members, OLD, members[OLD][:9000]), "run old cannot be read"),
        (lambda document, members: document["members"]["ontocrawl.toml"].update(size=7), "is not what was saved"),
        (lambda document, members: _engine(document, members, b"PK"), "engine.zip is damaged"),
        (lambda document, members: _engine(document, members, packed(bomb=b"")[:-30]), "engine.zip is damaged"),
        (lambda document, members: _engine(document, members, packed(bomb=bytes(1 << 24))), "more than was saved"),
        (lambda document, members: _engine(document, members, packed(one=b"", two=b"")), "has 2 files"),
        (lambda document, members: _engine(document, members, packed(**{"a/b": b""})), "none of a database"),
    ],
)
def test_a_file_that_is_not_as_it_was_written_is_refused(
    saved: Path, tmp_path: Path, change: Callable[[dict[str, Any], dict[str, bytes]], None], message: str
) -> None:
    with pytest.raises(CommandError, match=message):
        restoring.restore(changed(saved, change), tmp_path / "sub" / "new")
    assert not (tmp_path / "sub" / "new").exists()
    assert not list(tmp_path.rglob("evil"))


def test_any_damaged_byte_is_one_sentence(saved: Path, tmp_path: Path) -> None:
    """Bytes are changed and cut anywhere; a backup that is restored all the same says what it said before."""
    content, random, kinds = saved.read_bytes(), Random(44), Counter[str]()
    with zipfile.ZipFile(saved) as archive:
        members = {name: archive.read(name) for name in archive.namelist() if name != manifest.NAME}
    for number in range(150):
        near_end = number % 2  # the table of the members is there
        damaged = bytearray(content)
        for _ in range(random.choice((1, 1, 3))):
            at = random.randrange(len(content) - 2500 if near_end else 0, len(content))
            damaged[at] ^= random.randrange(1, 256)
        saved.write_bytes(damaged[: random.randrange(len(damaged))] if number % 10 == 9 else damaged)
        try:
            restoring.restore(saved, tmp_path / "new")
        except CommandError as error:
            kinds["refused"] += 1
            assert "\n" not in str(error) and str(saved) in str(error)
            assert not (tmp_path / "new").exists()
        else:
            kinds["whole"] += 1
            found = {name: (tmp_path / "new" / name) for name in members}
            assert all(
                path.read_bytes() == members[name] for name, path in found.items() if not name.startswith("runs")
            )
            shutil.rmtree(tmp_path / "new")
    assert kinds["refused"] > 100, kinds


@pytest.mark.parametrize("part", [0.0, 0.4, 0.999])
def test_a_part_of_a_backup_is_refused(command: Command, saved: Path, tmp_path: Path, part: float) -> None:
    content = saved.read_bytes()
    saved.write_bytes(content[: int(len(content) * part)])
    found = command("restore", saved, tmp_path / "new")
    assert found.code == 1 and f"{saved} is damaged" in found.err and "another backup" in found.err
    assert not (tmp_path / "new").exists()


def test_a_backup_that_fails_leaves_the_earlier_one(saved: Path, mine: Workspace, command: Command) -> None:
    before = saved.read_bytes()
    (mine.run("old") / JOURNAL).write_bytes(b"no journal " * 500)
    found = command("backup", saved, "--workspace", mine.root)
    assert found.code == 1 and "is not a journal or is damaged" in found.err
    assert saved.read_bytes() == before
    assert [path.name for path in saved.parent.iterdir() if path.name.startswith(".")] == []


def test_what_is_not_saved_is_named_and_can_be_added(mine: Workspace, tmp_path: Path) -> None:
    (mine.root / "learned").mkdir()
    (mine.root / "learned" / "floods.toml").write_text("x")
    assert writing.write(mine, tmp_path / "one.zip").left_out == ("learned",)
    assert writing.write(mine, tmp_path / "two.zip", also=["learned"]).left_out == ()
    restoring.restore(tmp_path / "two.zip", tmp_path / "new")
    assert (tmp_path / "new" / "learned" / "floods.toml").read_text() == "x"
    for wrong in ("..", ".", "none", "runs/old", str(tmp_path)):
        with pytest.raises(UsageError):
            writing.write(mine, tmp_path / "three.zip", also=[wrong])
    with pytest.raises(UsageError, match="give a file elsewhere"):
        writing.write(mine, mine.runs / "saved.zip")
    with pytest.raises(UsageError, match="is no workspace"):
        writing.write(workspace.find(tmp_path / "nothing")[0], tmp_path / "four.zip")


def test_topics_that_were_built_in_the_workspace_are_saved(mine: Workspace, tmp_path: Path) -> None:
    for folder in (mine.root / "papers" / "learned", tmp_path / "outside"):
        folder.mkdir(parents=True)
        (folder / "words.tsv").write_text("x")
        (file := folder / f"{folder.name}.toml").write_text("# mine\n")
        assert topics.register(folder.name, file, mine).name == folder.name
    (mine.root / "papers" / "export.ris").write_text("x")
    assert writing.write(mine, tmp_path / "one.zip").left_out == ("papers/export.ris",)
    restoring.restore(tmp_path / "one.zip", tmp_path / "new")
    assert (tmp_path / "new" / "papers" / "learned" / "words.tsv").read_text() == "x"
    assert topics.built(workspace.find(tmp_path / "new")[0])["learned"].is_file()


def test_ontologies_that_are_being_changed_are_waited_for(
    mine: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writing, "_PATIENCE", 0.05)
    (mine.ontologies / "floods").mkdir()
    lock = FileLock(mine.ontologies / "floods" / ".decisions.tsv.lock")
    assert lock.try_acquire()
    with pytest.raises(CommandError, match="another command is changing"):
        writing.write(mine, tmp_path / "saved.zip")
    lock.release()
    assert writing.write(mine, tmp_path / "saved.zip").files == 1


def test_paths_in_the_workspace_follow_it() -> None:
    assert set(restoring._PATHS) <= set(run_config.RunConfig.model_fields)
    old = {"world": "corpus:/a/w/web", "warc": "/a/wider", "known_runs": {"x": "/a/w/runs/x/journal.sqlite"}, "seed": 1}
    new = restoring._relocated(old, "/a/w", "/b")
    assert new == {
        "world": "corpus:/b/web",
        "warc": "/a/wider",
        "known_runs": {"x": "/b/runs/x/journal.sqlite"},
        "seed": 1,
    }
