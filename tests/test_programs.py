"""Every program of benchmarks/ and tools/ starts, in its smallest form."""

from __future__ import annotations

import importlib.util
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import pytest

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT.parent / "shared" / "data"
SENTENCES = {"zh": ("洪水来了。", "台风走了。"), "en": ("One flood came.", "Another one went.")}
Need = Literal["data", "pyspark", "buildah", "git"]


@dataclass(frozen=True)
class Program:
    """How a program is started: its arguments ({tmp} is a folder), and what it needs.

    Attributes:
        arguments: the command line, in one text.
        slow: whether it takes more than about two seconds.
        goals: whether it may end with 1, which says that a goal is missed: small forms on a busy machine miss some.
        needs: what has to be there.
    """

    arguments: str = ""
    slow: bool = False
    goals: bool = False
    needs: tuple[Need, ...] = ()


CHECK = "--check"
PROGRAMS = {
    "benchmarks.archive": Program("--pages 50", slow=True, needs=("pyspark",)),
    "benchmarks.archive_rank": Program("--pages 200", slow=True),
    "benchmarks.class_topics": Program("--only currency --starts 1", slow=True, needs=("data",)),
    "benchmarks.clients": Program("--fetches 64 --repeat 1", slow=True),
    "benchmarks.crawl": Program("--pages 20 --repeat 1 --site 100", slow=True),
    "benchmarks.documents": Program("{tmp}"),
    "benchmarks.explorer": Program("--pages 850 --views ask", slow=True, goals=True),
    "benchmarks.fields": Program("food", slow=True, needs=("data",)),
    "benchmarks.freshness": Program("--webs 1 --pages 40 --days 16", slow=True),
    "benchmarks.frontier": Program("--links 5000 --strategies best_first", slow=True, goals=True),
    "benchmarks.graph": Program("--pages 20 --classes 20 --large 50", slow=True, goals=True),
    "benchmarks.hierarchy": Program("--parts planted", slow=True),
    "benchmarks.judge": Program("--pages 1000", slow=True, needs=("data",)),
    "benchmarks.judging": Program("sheets {tmp}/sheets --only food", slow=True, needs=("data",)),
    "benchmarks.kills": Program("--kills 1 --pages 200", slow=True),
    "benchmarks.lattice": Program("--quick", slow=True),
    "benchmarks.learning": Program("--only disaster_core", slow=True, needs=("data",)),
    "benchmarks.million": Program("{tmp}/million --pages 850 --small 250 --every 1", slow=True),
    "benchmarks.nasty_web": Program("--links 60 --kills 1 --before HEAD", slow=True, goals=True, needs=("git",)),
    "benchmarks.near_duplicates": Program("--texts 20", slow=True, needs=("data",)),
    "benchmarks.pagerank": Program("--nodes 2000 --links 10000 --crawled 500", slow=True, goals=True),
    "benchmarks.prior": Program("--fetched 5 --webs 1", slow=True),
    "benchmarks.queries": Program("--pages 100", slow=True, goals=True),
    "benchmarks.readers": Program("--records 500", slow=True),
    "benchmarks.rounds": Program("--fetched 10", slow=True),
    "benchmarks.sentences": Program("--zh {tmp}/zh.conllu --en {tmp}/en.conllu"),
    "benchmarks.similarity": Program("--concepts 50 --rounds 1", goals=True),
    "benchmarks.sizing": Program("--docs {tmp}/docs"),
    "benchmarks.start_up": Program("--repeat 1", slow=True, goals=True),
    "benchmarks.strategies": Program("--fetches 20 --seeds 1 --strategies breadth_first --worlds planted", slow=True),
    "benchmarks.terms": Program("--records 60", slow=True, goals=True, needs=("data",)),
    "tools.check_dist": Program(),
    "tools.corpus_formats": Program(CHECK),
    "tools.crawl_options": Program(CHECK),
    "tools.curated": Program(CHECK),
    "tools.fit_judge": Program("{tmp}/weights.py --pages 1000", slow=True, needs=("data",)),
    "tools.image": Program("--work {tmp}", slow=True, needs=("buildah",)),
    "tools.lab_results": Program("{tmp}/lab {tmp}/report"),
    "tools.label_page": Program(CHECK, slow=True),
    "tools.lint_rules": Program("{tmp}/lint.md"),
    "tools.lowest": Program(),
    "tools.mapping_rules": Program(),
    "tools.moved_pages": Program(CHECK),
    "tools.rooms": Program(CHECK, slow=True),
    "tools.ontologies_lab": Program(CHECK, slow=True, needs=("data",)),
    "tools.name_heads": Program("{tmp}/papers.jsonl --out {tmp}/heads.tsv.gz --source test", slow=True),
    "tools.own_lab": Program(CHECK, slow=True, needs=("data",)),
    "tools.paper_words": Program("{tmp}/papers.jsonl --out {tmp}/words.tsv.gz --source test"),
    "tools.query_catalogue": Program(CHECK, slow=True),
    "tools.real_webs": Program("{tmp}/real_webs.json --only news", slow=True, needs=("data",)),
    "tools.review_page": Program(CHECK, slow=True),
    "tools.settle_page": Program(CHECK, slow=True),
    "tools.strategy_catalogue": Program(CHECK, slow=True),
    "tools.why_page": Program(CHECK, slow=True),
    "tools.world_parameters": Program(CHECK, slow=True),
}
ELSEWHERE = {
    "benchmarks.loopback": "a server without an end, which benchmarks.clients and benchmarks.crawl start",
    "benchmarks.scrapy_spider": "benchmarks.crawl starts it where Scrapy is installed",
    "tools.explorer_pictures": "tests/ontocrawl/explorer/test_pictures.py has it draw the demo",
    "tools.first_page": ".ci/run starts it on the demo of the wheel",
    "tools.image_probe": "tools.image starts it in the image",
}
"""Programs that are not started here, with the reason."""


def _programs() -> Iterator[str]:
    for folder in ("benchmarks", "tools"):
        for path in sorted((ROOT / folder).glob("*.py")):
            if 'if __name__ == "__main__":' in path.read_text(encoding="utf-8"):
                yield f"{folder}.{path.stem}"


def test_every_program_is_in_the_table() -> None:
    assert {*_programs()} == {*PROGRAMS, *ELSEWHERE}


def _missing(need: Need) -> str:
    """Say what is missing; an empty text if nothing is."""
    there = {
        "data": DATA.is_dir,
        "pyspark": lambda: importlib.util.find_spec("pyspark") is not None,
        "git": lambda: shutil.which("git") is not None and (ROOT / ".git").exists(),
        "buildah": lambda: shutil.which("buildah") is not None,
    }
    return "" if there[need]() else f"{need} is not there"


@pytest.mark.apart
@pytest.mark.timeout(900)
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] if PROGRAMS[name].slow else []) for name in PROGRAMS]
)
def test_it_starts(name: str, tmp_path: Path) -> None:
    program = PROGRAMS[name]
    if missing := [why for need in program.needs if (why := _missing(need))]:
        pytest.skip("; ".join(missing))
    _prepare(tmp_path)
    arguments = [part.format(tmp=tmp_path) for part in program.arguments.split()]
    done = subprocess.run(
        [sys.executable, "-m", name, *arguments], cwd=ROOT, capture_output=True, text=True, stdin=subprocess.DEVNULL
    )
    assert "Traceback" not in done.stderr, done.stderr[-2_000:]
    assert done.returncode in ((0, 1) if program.goals else (0,)), done.stderr[-2_000:]
    if name.startswith("benchmarks.") and name not in ("benchmarks.judging", "benchmarks.sizing"):
        json.loads(done.stdout)


def _prepare(folder: Path) -> None:
    """Write the files that some programs read."""
    for language, texts in SENTENCES.items():
        lines = ["# newdoc id = GUM_news_one", "# newpar", *(f"# text = {text}" for text in texts), ""]
        (folder / f"{language}.conllu").write_text("\n".join(lines), encoding="utf-8")
    names = ["暴雨灾害", "台风灾害", "洪水灾害", "冰雪灾害"]
    papers = ({"title": f, "abstract": "暴雨。" * 3, "field": f, "keywords": names} for f in ("工学", "医学"))
    (folder / "papers.jsonl").write_text("\n".join(map(json.dumps, papers)), encoding="utf-8")
    (folder / "lab").mkdir()
    (folder / "lab" / "report.md").write_text("# A lab\n", encoding="utf-8")
    (folder / "docs" / "benchmarks").mkdir(parents=True)
    for path in (ROOT / "docs" / "benchmarks").glob("*.json"):
        shutil.copyfile(path, folder / "docs" / "benchmarks" / path.name)
    shutil.copyfile(ROOT / "docs" / "lint.md", folder / "lint.md")


def test_makefile_starts_only_what_is_there() -> None:
    started = re.findall(r"python -m ((?:benchmarks|tools)\.\w+)", (ROOT / "Makefile").read_text(encoding="utf-8"))
    assert started and {*started} <= {*PROGRAMS}
