"""The measure of benchmarks/terms.py, and that it hides the keywords."""

from __future__ import annotations

import importlib.util
import json
import lzma
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[3]
RESULT = ROOT / "docs" / "benchmarks" / "terms.json"


@pytest.fixture(scope="module")
def terms() -> Iterator[ModuleType]:
    """The benchmark as a module; benchmarks/ is no package."""
    spec = importlib.util.spec_from_file_location("benchmark_terms", ROOT / "benchmarks" / "terms.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    path = list(sys.path)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    sys.path[:] = path
    yield module
    del sys.modules[spec.name]


def test_f1_by_hand(terms: ModuleType) -> None:
    keywords = frozenset({"暴雨", "洪水", "wrf"})
    assert terms.f1(["暴雨", "台风", "ＷＲＦ"], keywords, 5) == pytest.approx(2 * 2 / (3 + 3))
    assert terms.f1(["暴雨", "台风", "wrf"], keywords, 1) == pytest.approx(2 * 1 / (1 + 3))
    assert terms.f1(["暴雨", "暴雨", "洪水"], keywords, 2) == pytest.approx(2 * 2 / (2 + 3))  # an answer counts once
    assert terms.f1([], keywords, 5) == terms.f1(["台风"], keywords, 5) == terms.f1(["台风"], frozenset(), 5) == 0
    assert terms.means([["暴雨"], []], [frozenset({"暴雨"}), keywords]) == {f"f1@{d}": 0.5 for d in terms.DEPTHS}


def test_halves_depend_on_the_folded_title_only(terms: ModuleType) -> None:
    assert terms.half("ＷＲＦ模式") == terms.half("wrf模式")
    assert {terms.half(str(n)) for n in range(20)} == {terms.TUNING, terms.REPORT}


def test_documents_of_the_benchmark_have_no_keywords(terms: ModuleType, tmp_path: Path) -> None:
    record = {"id": "a", "title": "城市内涝", "abstract": "暴雨", "keywords": ["秘密词", "暴雨 "]}
    path = tmp_path / "corpus.jsonl.xz"
    path.write_bytes(lzma.compress(json.dumps(record).encode()))
    corpus = terms.load(path)
    assert corpus.keywords == (frozenset({"秘密词", "暴雨"}),)
    (document,) = corpus.documents
    assert document.keywords == document.keywords_en == ()
    assert "秘密词" not in repr(document)
    assert set(terms.ours(corpus.documents)[0]) == {"城市", "内涝", "城市内涝", "暴雨"}


def test_the_documented_result_is_at_least_twice_tf_idf(terms: ModuleType) -> None:
    result = json.loads(RESULT.read_text(encoding="utf-8"))
    assert result["general"]["records"] == 18_751
    for depth in terms.DEPTHS:
        methods = result["general"]["methods"]
        assert methods["ontocrawl"][f"f1@{depth}"] >= 2 * methods["jieba TF-IDF"][f"f1@{depth}"]
        assert methods["ontocrawl"][f"f1@{depth}"] > 2 * methods["jieba TextRank"][f"f1@{depth}"]
