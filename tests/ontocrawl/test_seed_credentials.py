"""Seeds with a user name and password: both are dropped, and the user reads so."""

from __future__ import annotations

from pathlib import Path

from ontocrawl.base import config
from ontocrawl.base.options import CrawlOptions
from ontocrawl.base.workspace import Workspace
from ontocrawl.runs import crawling
from ontocrawl.topics import topics


def test_a_seed_loses_its_password_and_a_note_says_so(tmp_path: Path) -> None:
    space, notes = Workspace(tmp_path, config.Settings()), list[str]()
    listed = tmp_path / "seeds.txt"
    listed.write_text("http://c.example/\nhttps://ann@d.example:8443/x\n", encoding="utf-8")
    given = ["http://user:secret@a.example/x", "http://b.example/@user", f"@{listed}"]
    options = CrawlOptions(strategy="breadth_first", graph=False)
    with crawling.planned(space, topics.load("rainstorm", space), options, given, notes.append) as (planned, _):
        assert planned.seeds == (
            "http://a.example/x", "http://b.example/@user", "http://c.example/", "https://d.example:8443/x"
        )  # fmt: skip
    said = "\n".join(notes)
    left_out = "its user name and password are left out"
    assert f"http://a.example/x: {left_out}" in said and f"line 2: https://d.example:8443/x: {left_out}" in said
    assert said.count(left_out) == 2 and "secret" not in said and "ann" not in said.replace(left_out, "")
    assert "secret" not in planned.model_dump_json()
