"""`archive terms`: terms, pairs and the formal context of a scored archive, the same from any number of processes."""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
from collections import Counter
from itertools import combinations
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from ontocrawl.archives import tables, terms, texts
from ontocrawl.archives.terms import Limits
from ontocrawl.errors import UsageError
from ontology import formats
from ontology.enrichment.extraction import candidates
from ontology.enrichment.reading import read
from ontology.lattice import lattice
from ontology.model import Document
from ontology.terms.contrast import significance
from ontology.terms.keyness import association
from ontology.terms.occurrences import term_counts
from tests.ontocrawl.archives import small_archive
from tests.ontocrawl.archives.synthetic_archive import files, run, scored
from tests.ontocrawl.conftest import Command


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tables of an archive in several parts."""
    out = scored(tmp_path_factory.mktemp("archive"))
    assert len(texts.parts_of(tables.opened(out))) > 2
    return out


@pytest.fixture(scope="module")
def made(archive: Path) -> Path:
    """Its terms by one process."""
    done = run(archive, archive / "terms")
    assert done.pages > 10 and done.others > 10 and done.terms > done.new > 0
    return archive / "terms"


def _pages(archive: Path) -> list[dict[str, object]]:
    rows = pq.read_table(archive / "pages.parquet", columns=["url", "title", "relevant", "noindex"]).to_pylist()
    text = pq.read_table(archive / "texts.parquet")["text"].to_pylist()
    used = {page.url for page in texts.for_enrichment(tables.opened(archive), 10**9)}
    return [row | {"text": t} for row, t in zip(rows, text, strict=True) if row["url"] in used]


def test_the_figures_of_terms_are_those_of_the_pages(archive: Path, made: Path) -> None:
    rows = pq.read_table(made / "terms.parquet").to_pylist()
    pages = _pages(archive)
    documents = [Document("", str(page["title"]), str(page["text"])) for page in pages]
    counts = term_counts(documents, [row["term"] for row in rows])
    relevant = [c for c, page in zip(counts, pages, strict=True) if page["relevant"]]
    others = [c for c, page in zip(counts, pages, strict=True) if not page["relevant"]]
    for row in rows:
        term = row["term"]
        assert row["frequency"] == sum(c[term] for c in relevant)
        assert row["other_frequency"] == sum(c[term] for c in others)
        assert row["documents"] == sum(term in c for c in relevant) >= 2
        assert row["other_documents"] == sum(term in c for c in others)
        score = significance(row["documents"], row["other_documents"], len(relevant), len(others), row["quality"])
        assert row["significance"] == pytest.approx(score, abs=1e-4)
    assert [row["significance"] for row in rows] == sorted((row["significance"] for row in rows), reverse=True)
    assert {row["term"]: row["known"] for row in rows}["暴雨"] and {row["language"] for row in rows} == {"zh", "en"}


def test_the_pairs_and_the_context_are_those_of_the_relevant_pages(archive: Path, made: Path) -> None:
    rows = pq.read_table(made / "terms.parquet").to_pylist()
    pages = [page for page in _pages(archive) if page["relevant"]]
    documents = [Document("", str(page["title"]), str(page["text"])) for page in pages]
    counts = term_counts(documents, [row["term"] for row in rows])
    context = pq.read_table(made / "context.parquet").to_pylist()
    assert Counter((row["page"], row["term"]) for row in context) == Counter(
        (page["url"], term) for page, found in zip(pages, counts, strict=True) for term in found
    )
    both = Counter(pair for found in counts for pair in combinations(sorted(found), 2))
    pairs = pq.read_table(made / "cooccurrence.parquet").to_pylist()
    assert {(row["first"], row["second"]): row["documents"] for row in pairs} == both
    of_term = {row["term"]: row["documents"] for row in rows}
    for row in pairs[:50]:
        g2 = association(row["documents"], of_term[row["first"]], of_term[row["second"]], len(pages))
        assert row["association"] == pytest.approx(g2, abs=1e-5)


@pytest.mark.slow
def test_one_block_has_the_candidates_of_enrichment(archive: Path, tmp_path: Path) -> None:
    kept = list(texts.for_enrichment(tables.opened(archive)))
    expected = {term.text for term in candidates(read(kept), 2)}
    run(archive, tmp_path / "one", Limits(block_characters=10**9))
    found = set(pq.read_table(tmp_path / "one" / "terms.parquet")["term"].to_pylist())
    assert found and found <= expected
    lost = expected - found  # those that occur within longer ones only, or not more than elsewhere
    assert len(lost) < len(found)


@pytest.mark.slow
def test_two_processes_write_the_same_bytes_and_a_killed_one_changes_nothing(
    archive: Path, made: Path, tmp_path: Path
) -> None:
    killed: list[int] = []

    def kill(step: str, done: int, parts: int) -> None:
        children = multiprocessing.active_children()
        if step == "counting terms" and children and not killed:
            victim = children[0].pid
            assert victim is not None
            os.kill(victim, signal.SIGKILL)
            killed.append(victim)

    run(archive, tmp_path / "terms", jobs=2, on_progress=kill)
    assert killed and files(tmp_path / "terms") == files(made)
    assert not (tmp_path / "terms.unfinished").exists()


@pytest.mark.slow
@pytest.mark.parametrize("step", ["finding terms", "counting terms", "joining terms"])
def test_an_interrupted_command_repeats_no_finished_part(archive: Path, made: Path, tmp_path: Path, step: str) -> None:
    out, work = tmp_path / "terms", tmp_path / "terms.unfinished"

    def interrupt(at: str, done: int, parts: int) -> None:
        if (at, done) == (step, 1):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(archive, out, on_progress=interrupt)
    assert not out.exists()
    folders = (terms._FOLDER, "counted", "pages", "contexts", "pairs")
    stamps = {path: path.stat().st_mtime_ns for name in folders for path in (work / name).iterdir()}
    assert stamps

    def check(at: str, done: int, parts: int) -> None:
        assert parts > 1 or at == "choosing pages"
        assert all(path.stat().st_mtime_ns == stamp for path, stamp in stamps.items())

    run(archive, out, on_progress=check)
    assert files(out) == files(made) and not work.exists()


def test_what_is_there_is_left_and_other_requests_are_refused(archive: Path, made: Path) -> None:
    before = files(made)
    run(archive, made)
    with pytest.raises(UsageError, match="has the terms of another archive, topic or setting"):
        run(archive, made, Limits(terms=5))
    assert files(made) == before
    with pytest.raises(UsageError, match="exists and has no terms of an archive"):
        run(archive, archive / "pages.parquet")


def test_tables_that_were_made_anew_do_not_continue_unfinished_terms(archive: Path, tmp_path: Path) -> None:
    def interrupt(at: str, done: int, parts: int) -> None:
        if at == "counting terms":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(archive, tmp_path / "terms", on_progress=interrupt)
    summary = archive / "score.json"
    kept = summary.read_bytes()
    changed = json.loads(kept)
    changed["request"]["archive"] = "another"
    try:
        summary.write_text(json.dumps(changed), encoding="utf-8")
        with pytest.raises(UsageError, match="was begun for another archive, topic or setting"):
            run(archive, tmp_path / "terms")
    finally:
        summary.write_bytes(kept)


@pytest.mark.slow
def test_the_best_terms_are_kept_and_the_context_is_as_small_as_asked_for(
    archive: Path, made: Path, tmp_path: Path, command: Command
) -> None:
    done = run(archive, tmp_path / "few", Limits(terms=40))
    assert 0 < done.terms <= 40
    small = run(archive, tmp_path / "cells", Limits(cells=1000))
    assert 0 < small.context_terms * small.pages <= 1000 and small.pairs <= small.context_terms**2 / 2
    fitting = run(archive, tmp_path / "concepts", Limits(concepts=100))
    assert fitting.terms > fitting.context_terms > 0
    context = formats.read(tmp_path / "concepts" / "context.parquet")
    assert len(context.attributes) == fitting.context_terms and context.incidences == fitting.incidences
    assert min(column.bit_count() for column in context.columns) >= fitting.support
    assert len(lattice(context)) < 300  # the estimate is not exact
    result = command("ontology", "lattice", tmp_path / "concepts" / "context.parquet", "--json")
    assert result.code == 0 and result.json["attributes"] == fitting.context_terms, result.err


def test_an_archive_without_relevant_pages_has_no_terms(tmp_path: Path) -> None:
    archive = small_archive.make(tmp_path / "warc", pages=3)
    small_archive.run(archive, tmp_path / "scored", topic="rainstorm", threshold=2.0)
    done = run(tmp_path / "scored", tmp_path / "terms")
    assert (done.pages, done.terms, done.context_terms, done.pairs) == (0, 0, 0, 0)
    assert pq.read_table(tmp_path / "terms" / "terms.parquet").num_rows == 0


def test_what_has_no_tables_no_texts_or_another_topic_is_an_error(
    archive: Path, tmp_path: Path, command: Command
) -> None:
    result = command("archive", "terms", tmp_path)
    assert result.code == 2 and "has no tables of an archive" in result.err
    result = command("archive", "terms", archive, "--topic", "typhoon")
    assert result.code == 2 and "was scored by topic rainstorm, not typhoon" in result.err, result.err
    small = small_archive.make(tmp_path / "warc", pages=3)
    out = tmp_path / "bare"
    scored_ = command("archive", "score", small, "--topic", "rainstorm", "--out", out, "--no-texts", "--jobs", "1")
    assert scored_.code == 0 and not (out / "texts.parquet").exists()
    result = command("archive", "terms", out)
    assert result.code == 2 and "has no texts" in result.err and not (out / "terms").exists()


def test_the_context_of_a_file_is_checked(tmp_path: Path) -> None:
    path = tmp_path / "context.parquet"
    path.write_bytes(b"no Parquet")
    with pytest.raises(formats.ContextError, match="expected a Parquet file"):
        formats.read(path)
    for columns, said in (
        ({"page": ["a"], "term": [1]}, "expected two columns of text"),
        ({"page": ["a"], "term": ["x"], "more": ["y"]}, "expected two columns of text"),
        ({"page": ["a", None], "term": ["x", "y"]}, "no object or no attribute"),
        ({"page": pa.array([], pa.string()), "term": pa.array([], pa.string())}, "needs objects"),
    ):
        pq.write_table(pa.table(columns), path)
        with pytest.raises(formats.ContextError, match=said):
            formats.read(path)
    pq.write_table(pa.table({"page": ["a", "b", "a"], "term": ["x", "x", "y"]}), path)
    context = formats.read(path)
    assert (context.objects, context.attributes, context.rows) == (("a", "b"), ("x", "y"), (3, 1))
