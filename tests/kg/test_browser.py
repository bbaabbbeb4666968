"""What Neo4j Browser takes: saved queries that set their parameters, a guide, and a folder with all of it."""

from __future__ import annotations

import csv
import io
import re
import zipfile
from pathlib import Path
from xml.etree import ElementTree

import queries
from kg import browser
from kg.cypher import refusal, syntax_error

SAVED = {saved.name: saved for saved in browser._saved_queries()}


def test_every_query_of_the_library_is_a_saved_one() -> None:
    assert list(SAVED) == [query.name for query in queries.all_queries()]


def test_a_script_has_a_title_parameters_and_the_statement() -> None:
    for query in queries.all_queries():
        first, *lines = SAVED[query.name].script.splitlines()
        assert first == f"// {query.title}"
        comments = [line for line in lines if line.startswith("//")]
        assert not any(";" in line for line in comments)
        commands = [line for line in lines if line.startswith(":")]
        assert [re.fullmatch(r":param (\w+) => (.+);", line)[1] for line in commands] == [  # type: ignore[index]
            p.name for p in query.parameters
        ]
        statement = "\n".join(lines[len(comments) + len(commands) :])
        assert statement.count(";") == 1 and statement.endswith(";")
        assert syntax_error(statement[:-1]) is None and refusal(statement) is None


def test_parameters_have_their_default_and_required_ones_the_value_of_the_example() -> None:
    script = SAVED["evidence/documents_for_subclass"].script
    assert ':param narrower => "城市内涝";' in script and ':param broader => "内涝";' in script
    assert ":param limit => 20;" in script
    assert ':param crawl => "";' in SAVED["crawl/by_depth"].script  # the example names a crawl of the demo
    assert ":param promise => 0.3;" in SAVED["links/anchors_that_mislead"].script
    assert all(':param crawl => "";' in saved.script for saved in SAVED.values() if ":param crawl" in saved.script)


def test_the_csv_has_folders_before_their_queries() -> None:
    rows = list(csv.DictReader(io.StringIO(browser._as_csv())))
    assert list(rows[0]) == ["name", "description", "query", "id", "parentId", "isFolder"]
    assert [row["id"] for row in rows] == [str(number) for number in range(len(rows))]
    folders = {row["id"]: row["name"] for row in rows if row["isFolder"] == "true"}
    assert set(folders.values()) == {"ontocrawl", *(name.partition("/")[0] for name in SAVED)}
    assert all(int(row["parentId"]) < int(row["id"]) for row in rows[1:])
    found = [row for row in rows if row["isFolder"] == "false"]
    assert [row["query"] for row in found] == [saved.script for saved in SAVED.values()]
    assert [folders[row["parentId"]] for row in found] == [saved.folder for saved in SAVED.values()]


def test_the_zip_has_a_file_for_each_query_and_is_always_the_same() -> None:
    data = browser._as_zip()
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert archive.testzip() is None
        assert {name: archive.read(name).decode() for name in archive.namelist()} == {
            f"ontocrawl {saved.name}.cypher": saved.script for saved in SAVED.values()
        }
    assert data == browser._as_zip() and len(data) < len(browser._as_csv())


def test_the_guide_is_well_formed_and_has_every_statement() -> None:
    root = ElementTree.fromstring(browser._as_html())
    assert (root.tag, root.get("class")) == ("article", "guide")
    slides = root.findall("carousel/slide")
    assert len(slides) == len(browser._slides()) >= 6
    assert all(slide.find("div/h3") is not None for slide in slides)
    runnable = [pre.text for pre in root.iter("pre")]
    assert all(pre.get("class") == "pre-scrollable code runnable" for pre in root.iter("pre"))
    assert [text for text in runnable if not (text or "").startswith(":param")] == list(browser.statements())
    assert sum((text or "").startswith(":param concept => ") for text in runnable) == 1
    shown = "".join(root.itertext())
    assert "`" not in shown and "#" not in shown and "- Double-click" not in shown
    assert not {"script", "iframe", "img", "style"} & {element.tag for element in root.iter()}


def test_the_guide_in_asciidoc_has_every_statement() -> None:
    text = browser._as_asciidoc()
    assert text.startswith("= The ontocrawl graph\n")
    assert re.findall(r"^== (.+)$", text, re.MULTILINE) == [slide.title for slide in browser._slides()[1:]]
    blocks = re.findall(r"^\[source,cypher\]\n----\n(.*?)\n----$", text, re.MULTILINE | re.DOTALL)
    assert [block for block in blocks if not block.startswith(":")] == list(browser.statements())
    assert "`+FETCHED+`" in text and "\n* Double-click" in text


def test_a_folder_has_all_files_and_may_be_written_again(tmp_path: Path) -> None:
    paths = browser.write_folder(tmp_path / "new" / "browser")
    contents = [path.read_bytes() for path in paths]
    assert [path.name for path in paths] == list(browser.FILES) and all(contents)
    assert paths[0].read_text(encoding="utf-8") == browser.browser_style()
    assert [path.read_bytes() for path in browser.write_folder(tmp_path / "new" / "browser")] == contents
