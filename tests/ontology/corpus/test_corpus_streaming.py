"""Streaming: equal to reading, duplicates merged, compact keys, bounded memory."""

from __future__ import annotations

import json
import logging
import subprocess
import sys
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ontology import corpus
from ontology.corpus import CorpusError, read, stream, survey
from ontology.corpus.json_lines import line_of
from ontology.corpus.records import pack, unpack
from ontology.corpus.statistics import statistics
from ontology.corpus.streaming import KeyTable, OwnIds
from ontology.model import Document, Problem
from tests.ontology.corpus.test_corpus import EXPORTS, REFWORKS, real_exports

BENCHMARK = Path(__file__).parents[3] / "benchmarks" / "readers.py"

texts = st.text(alphabet="暴雨台风ab 1é🌀", min_size=1, max_size=6).map(lambda t: " ".join(t.split())).filter(bool)
records = st.builds(
    Document,
    id=st.sampled_from(["x", "x~2", "y", "z"]),
    title=st.sampled_from(["暴雨", "暴 雨", "台风", "……", "A"]),
    abstract=st.text(alphabet="长文 ", max_size=8).map(lambda t: " ".join(t.split())),
    keywords=st.lists(texts, max_size=2, unique=True).map(tuple),
    year=st.sampled_from([None, 2001, 2002]),
    doi=st.sampled_from(["", "", "10.1/a", "10.1/b"]),
)
quick = settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.mark.slow
@quick
@given(st.lists(records, min_size=1, max_size=12), st.integers(1, 3))
def test_streaming_equals_reading(tmp_path: Path, documents: list[Document], parts: int) -> None:
    for part in range(3):
        path = tmp_path / f"{part}.jsonl"
        chosen = [line_of(d) for n, d in enumerate(documents) if n % parts == part]
        path.write_text("".join(f"{line}\n" for line in chosen) or "\n", encoding="utf-8")
    whole = read(tmp_path)
    surveyed: list[corpus.Survey] = []
    problems: list[Problem] = []
    assert tuple(stream(tmp_path, on_problem=problems.append, on_survey=surveyed.append)) == whole.documents
    assert (surveyed[0].files, surveyed[0].duplicates) == (whole.files, whole.duplicates)
    assert surveyed[0].documents == len(whole.documents)
    assert tuple(problems) == whole.problems
    assert len({d.id for d in whole.documents}) == len(whole.documents)


@quick
@given(records)
def test_documents_survive_packing_and_json_lines(tmp_path: Path, document: Document) -> None:
    assert unpack(pack(document)) == document
    (tmp_path / "a.jsonl").write_text(line_of(document), encoding="utf-8")
    assert read(tmp_path / "a.jsonl").documents == (document,)


@given(st.lists(st.tuples(st.integers(0, 2**64 - 1) | st.integers(0, 3), st.integers(0, 2**32 - 1)), max_size=60))
def test_the_key_table_is_a_dictionary(pairs: list[tuple[int, int]]) -> None:
    table, plain = KeyTable(), dict[int, int]()
    for key, value in pairs:
        table.put(key or 1, value)
        plain[key or 1] = value
    assert len(table) == len(plain)
    assert all(table.get(key) == value for key, value in plain.items())
    assert table.get(12345) == plain.get(12345)


@pytest.mark.slow
def test_the_key_table_grows_and_stays_small() -> None:
    table = KeyTable()
    tracemalloc.start()
    for n in range(1, 60_001):
        table.put(n * 0x9E3779B97F4A7C15 % 2**64, n)
    used = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert all(table.get(n * 0x9E3779B97F4A7C15 % 2**64) == n for n in range(1, 60_001))
    assert used < 60_000 * 12 / 0.3


def test_own_ids_avoid_those_that_look_like_theirs() -> None:
    ids = OwnIds()
    assert [ids.own(i) for i in ("x", "x~2", "x", "x", "x~2")] == ["x", "x~2", "x~2~2", "x~3", "x~2~3"]


def test_problems_are_logged_where_nobody_asks_for_them(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "a.txt").write_text("K1 洪水\nAB 半条\n\n" + REFWORKS, encoding="utf-8")
    with caplog.at_level(logging.WARNING):
        assert len(list(stream(tmp_path))) == 2
    assert caplog.text.count("middle of a record") == 1


def test_a_file_that_changes_meanwhile_is_told(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text(REFWORKS, encoding="utf-8")
    documents = stream(path, on_survey=lambda _: path.write_text(REFWORKS * 2, encoding="utf-8") and None)
    with pytest.raises(CorpusError, match="changed while it was being read"):
        list(documents)


def test_nothing_to_stream_is_the_same_error_as_nothing_to_read(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("只是一段话", encoding="utf-8")
    for attempt in (read, survey, lambda path: list(stream(path))):
        with pytest.raises(CorpusError, match="known formats"):
            attempt(tmp_path)


@pytest.mark.slow
@real_exports
def test_real_exports_stream_as_they_read() -> None:
    whole = read(EXPORTS)
    assert tuple(stream(EXPORTS, on_problem=lambda _: None)) == whole.documents


def test_statistics() -> None:
    documents = [
        Document("a", "一", "四个字的", ("ＷＲＦ", "暴雨"), year=2001, source="刊"),
        Document("b", "二", "", ("wrf",), year=2001),
        Document("c", "三", "两字", (), keywords_en=("flood",), doi="10.1/x"),
    ]
    found = statistics(documents, top=2)
    assert (found.examined.records, found.years, found.mean_abstract) == (3, {2001: 2}, 3.0)
    assert (found.examined.with_abstract, found.examined.with_keywords, found.examined.bare) == (2, 3, ("二",))
    assert found.keywords == (("wrf", 2), ("flood", 1))
    assert (found.distinct_keywords, found.sources) == (3, (("刊", 1),))
    assert (found.fields["doi"], found.fields["keywords"]) == (1, 2)
    assert statistics([]).mean_abstract == 0


def benchmark(count: int) -> dict[str, float]:
    command = [sys.executable, str(BENCHMARK), "--records", str(count)]
    answer = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    found: dict[str, float] = json.loads(answer)["streaming"]
    return found


@pytest.mark.slow
def test_the_benchmark_in_small() -> None:
    found = benchmark(2_000)
    assert (found["documents"], found["duplicates"]) == (1_800, 200)


@pytest.mark.slow
def test_memory_does_not_grow_with_the_records() -> None:
    """A million records must fit into 400 MB: 50,000 may add a twentieth of what is left above the bare process."""
    small, large = benchmark(1_000), benchmark(50_000)
    assert large["documents"] == 45_000
    assert large["peak_mb"] - small["peak_mb"] < (400 - small["peak_mb"]) / 20
