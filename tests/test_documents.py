"""The documents tell the truth: commands and options exist, the commands of the README run, links lead somewhere."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest

from crawler.fetching.retries import RETRIES
from kg.engine import embedded
from ontocrawl.cli.main import invoke
from tests.ontocrawl.conftest import Command, command  # noqa: F401 - a fixture

ROOT = Path(__file__).resolve().parent.parent
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
_FENCE = re.compile(r"```sh\n(.*?)```", re.DOTALL)
_TYPED = re.compile(r"^\$ (ontocrawl .*?)(?:   .*)?$", re.MULTILINE)
_LINK = re.compile(r"\]\((?!https?://)([^)#\s]*)(?:#([^)\s]+))?\)")
_FILE = re.compile(
    r"`((?:ontology|kg|crawler|queries|ontocrawl|ontologies|tools|benchmarks|tests|docs|examples)/[\w./-]+)`"
)


def _commands(path: Path) -> list[str]:
    page = path.read_text(encoding="utf-8")
    text = "\n".join([*_FENCE.findall(page), *_TYPED.findall(page)]).replace("\\\n", " ")
    lines = (line.split("  #")[0].strip() for line in text.splitlines())
    return [line for line in lines if "ontocrawl " in line and not line.startswith("#")]


def _anchors(path: Path) -> set[str]:
    """The anchors of a page: those of its headings, as code hosts make them, and those of moved sections."""
    text = path.read_text(encoding="utf-8")
    headings = re.findall(r"^#+ (.*)$", re.sub(r"```.*?```", "", text, flags=re.DOTALL), re.MULTILINE)
    made = {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}
    return made | set(re.findall(r'<a id="([^"]+)"></a>\[', text))


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda p: str(p.relative_to(ROOT)))
def test_links_lead_somewhere(path: Path) -> None:
    for file, anchor in _LINK.findall(path.read_text(encoding="utf-8")):
        target = path.parent / file if file else path
        assert target.exists(), file
        assert not anchor or anchor in _anchors(target), (file, anchor)


GONE = {
    "benchmarks/held_out.py": "a program that answered a question once",
    "benchmarks/stated_causes.py": "a program that answered a question once",
    "docs/benchmarks/disaster-edges.tsv": "the verdicts behind figures of docs/evidence.md, at the tag v1.0.0",
    "docs/benchmarks/enrich-verdicts.tsv": "the verdicts behind figures of docs/evidence.md, at the tag v1.0.0",
    "docs/benchmarks/hierarchy.md#topics-and-association-rules-beside-it": "a table that is in docs/evidence.md",
}
"""Links of 1.0.0 that lead nowhere now, or to the page without the section, and why."""


def test_links_of_the_first_version_lead_somewhere() -> None:
    """Links of README and docs of 1.0.0: to a heading, or to a line that names the new place, which is tested above."""
    lost = []
    for link in (ROOT / "tests" / "links_of_1_0_0.txt").read_text(encoding="utf-8").split():
        file, _, anchor = link.partition("#")
        path = ROOT / file
        if not path.exists() or (anchor and anchor not in _anchors(path)):
            lost.append(link)
    assert set(lost) == GONE.keys()


WRITTEN = {
    "queries.md", "strategies.md", "why.md", "lint.md", "learned.md", "judged-fields.md", "world-parameters.md",
    "evidence.md",
}  # fmt: skip
"""Pages of docs that programs write, and the page of what was measured once."""


def test_there_are_at_most_sixteen_pages_by_hand_and_none_is_long() -> None:
    moved = "<!-- moved: python -m tools.moved_pages -->\n\nThis page is now"
    pages = {path.name: path.read_text(encoding="utf-8") for path in (ROOT / "docs").glob("*.md")}
    hand = {name: text for name, text in pages.items() if moved not in text and name not in WRITTEN}
    assert len(hand) <= 16, sorted(hand)
    assert [name for name, text in hand.items() if text.count("\n") > 760] == []


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda p: str(p.relative_to(ROOT)))
def test_files_named_in_documents_exist(path: Path) -> None:
    named = _FILE.findall(path.read_text(encoding="utf-8"))
    missing = [name for name in named if not (ROOT / name).exists() and not re.search("[A-Z]{3}", name)]
    assert missing == [] or path.name == "CHANGELOG.md"


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda p: str(p.relative_to(ROOT)))
def test_commands_and_options_in_documents_exist(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for line in _commands(path):
        words = shlex.split(line[line.index("ontocrawl ") :])[1:]
        nouns = [word for word in words[:2] if re.fullmatch(r"[a-z]+", word)]
        for count in (len(nouns), 1):
            code = next((c for asked in ("--help-all", "--help") if (c := invoke([*nouns[:count], asked])) == 0), 2)
            if code == 0:
                break
        assert code == 0, line
        shown = capsys.readouterr().out
        for option in (word for word in words if word.startswith("--")):
            assert option.split("=")[0] in shown, (line, option)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["README.md", "README.zh.md"])
def test_the_commands_of_the_readme_run(
    name: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    command: Command,  # noqa: F811
) -> None:
    """With a sample in the place of FILES, a copied topic for my.toml, and a synthetic web for the live one."""
    monkeypatch.chdir(tmp_path)
    topic = (ROOT / "ontologies" / "topics" / "rainstorm.toml").read_text(encoding="utf-8")
    (tmp_path / "my.toml").write_text(topic, encoding="utf-8")
    sample = str(ROOT / "ontocrawl" / "sample" / "abstracts.txt")
    seen = 0
    for line in _commands(ROOT / name):
        words = shlex.split(
            line[line.index("ontocrawl ") :].replace("FILES", sample).replace("DIR", str(tmp_path / "out"))
        )[1:]
        if words[:2] == ["crawl", "run"] and "--seeds" in words:
            at = words.index("--seeds")
            words[at : at + 2] = ["--world", "synthetic:planted?pages=200&seed=0"]
            words = [*words, "--run", f"r{seen}"]
        answer = command(*words)
        assert answer.code == 0, (line, answer.err)
        seen += 1
    embedded.stop(tmp_path / "ontocrawl-data" / "graph")
    assert seen >= 2


@pytest.mark.slow
@pytest.mark.parametrize("name", ["README.md", "README.zh.md"])
def test_the_readme_shows_what_the_demo_found(name: str, demo_folder: Path) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    found = json.loads((demo_folder / "summary.json").read_text(encoding="utf-8"))
    (targets,) = json.loads((demo_folder / "labels.json").read_text(encoding="utf-8")).values()
    assert f" {len(targets)} " in text and f" {found['documents']} " in text
    for crawl in found["crawls"]:
        at = [crawl["milestones"][pages]["relevant_by_label"] for pages in ("100", "300")]
        assert f" | {at[0]} | {at[1]} |" in text, crawl["run"]
    unplaced = {"README.md": "you decide", "README.zh.md": "由人决定"}[name]
    rows = [f"| {p['term']} | {p['under'] or unplaced} | {p['sentence']} |" for p in found["proposals"]]
    assert len(shown := [row for row in rows if row in text]) == 3, shown
    told, again = found["enrichment"], found["enrichment"]["second_crawl"]["milestones"]
    assert f" | {again['100']['relevant_by_label']} | {again['300']['relevant_by_label']} |" in text
    assert all(f" {told[key]} " in text for key in ("proposed", "accepted", "min_pages"))


def test_the_table_of_retries_is_that_of_the_code() -> None:
    text = (ROOT / "docs/live-web.md").read_text(encoding="utf-8")
    told = {}
    for row in re.findall(r"^\| (`[a-z_0-9]+`.*) \| (\d) \| ([\d, ]*\d)(?:, or .*)? \|$", text, re.MULTILINE):
        seconds = [float(part) for part in row[2].split(",")]
        told.update({reason: (int(row[1]), seconds) for reason in re.findall(r"`(\w+)`", row[0])})
    assert told == {reason: (1 + r.times, [r.delay * 2**at for at in range(r.times)]) for reason, r in RETRIES.items()}
