"""Classes that the names of a corpus suggest: the files of a build, and a build with the suggestions accepted."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ontology import formats, owl
from tests.ontocrawl.conftest import Command

SITES = ("胃部", "肺部", "乳腺", "肝脏")
"""Each has tumours of two stages; no paper names a tumour of a stage without its site."""


NAMES = [name for site in SITES for name in (f"{site}肿瘤", f"晚期{site}肿瘤", f"早期{site}肿瘤")]


def papers(path: Path) -> Path:
    rows = [
        {
            "id": f"p{i}",
            "title": f"{name}的诊断",
            "abstract": f"本文讨论{name}的诊断。肿瘤是一种常见疾病。",
            "keywords": [name, "肿瘤"],
        }
        for i, name in enumerate(NAMES * 3)
    ]
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    return path


@pytest.mark.slow
def test_suggestions_can_be_accepted_by_passing_the_file_back(command: Command, tmp_path: Path) -> None:
    corpus, out = papers(tmp_path / "papers.jsonl"), tmp_path / "out"
    white = tmp_path / "white.txt"
    white.write_text("\n".join(NAMES) + "\n", encoding="utf-8")
    build = (
        "ontology",
        "build",
        "--corpus",
        corpus,
        "--white",
        white,
        "--topic",
        "tumours",
        "--label",
        "zh=医学,en=medicine",
    )
    assert command(*build, "--out", out).code == 0
    context = formats.read(out / "names.cxt")
    row = context.rows[context.objects.index("晚期胃部肿瘤")]
    assert {"肿瘤", "胃部肿瘤", "晚期…", "胃部…"} == set(context.attribute_names(row))
    assert (out / "names-lattice.svg").read_text(encoding="utf-8").startswith("<svg")
    suggested = [line.split("\t") for line in (out / "suggested.tsv").read_text(encoding="utf-8").splitlines()]
    assert [row[0] for row in suggested] == ["zh", "肿瘤", "早期肿瘤", "晚期肿瘤"]
    assert suggested[-1][2:4] == ["肿瘤", "|".join(sorted(f"晚期{site}肿瘤" for site in SITES))]

    again = tmp_path / "again"
    assert command(*build, "--out", again, "--classes", out / "suggested.tsv").code == 0
    learned = owl.read(again / "tumours.ttl")
    label = {c.iri: c.label for c in learned.concepts}
    above = {(label[r.source], label[r.target]) for r in learned.edges("subclass_of")}
    assert {("晚期胃部肿瘤", "晚期肿瘤"), ("晚期胃部肿瘤", "胃部肿瘤"), ("晚期肿瘤", "肿瘤")} <= above
    assert not (again / "suggested.tsv").exists()
