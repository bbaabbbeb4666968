"""Words of papers by field: counts by hand, the file, the tables that ship, the fields that a corpus is set against."""

from __future__ import annotations

import gzip
import json
import lzma
import random
import re
from collections import Counter, defaultdict
from pathlib import Path
from typing import Literal

import pytest

from ontology.terms.keyness import BackgroundError
from ontology.terms.paper_fields import (
    PaperField,
    count,
    heads_elsewhere,
    load,
    other_fields,
    save,
    shipped,
    shipped_heads,
    words,
)
from ontology.terms.wordforms import fold, simplified
from tools import name_heads

DATA = Path(__file__).resolve().parents[4] / "shared" / "data"
ABSTRACTS = DATA / "abstracts_zh" / "general_18k.jsonl.xz"
FIELDS_EN = DATA / "fields_en"
HEAD = "# source: by hand\n# least: 2\n# field: law\t法学\tlaw\t2\t9\n# field: art\t艺术学\tart\t1\t5\n"
LAW, ART = (
    PaperField("law", "法学", "law", 2, 9, {"法": 2, "law": 4}),
    PaperField("art", "艺术学", "art", 1, 5, {"法": 1}),
)


def test_counts_by_hand() -> None:
    field = count("art", "艺术学", "art", ["Heavy Rains. The ＲＡＩＮ", "暴雨和暴雨"])
    assert dict(field.counts) == {"heavy": 1, "rain": 2, "the": 1, "暴雨": 2, "和": 1}
    assert (field.name, field.zh, field.en, field.papers, field.tokens) == ("art", "艺术学", "art", 2, 7)
    assert field.share("rain") == 2 / 7


def test_tokens_are_counted_before_words_are_left_out() -> None:
    field = count("art", "艺术学", "art", ["rain rains sun"], least=2)
    assert (dict(field.counts), field.tokens) == ({"rain": 2}, 3)


def test_nothing_to_count() -> None:
    with pytest.raises(BackgroundError, match="the field art have no word"):
        count("art", "艺术学", "art", ["", " .. "])
    with pytest.raises(BackgroundError, match="a letter first; found 'Art x'"):
        count("Art x", "艺术学", "art", ["rain"])


@pytest.mark.parametrize("name", ["table.tsv", "table.tsv.gz"])
def test_round_trip_and_the_same_bytes(tmp_path: Path, name: str) -> None:
    save([LAW, ART], tmp_path / name, "by\n hand", 2)
    assert load(tmp_path / name) == (LAW, ART)
    first = (tmp_path / name).read_bytes()
    save([PaperField("law", "法学", "law", 2, 9, {"law": 4, "法": 2}), ART], tmp_path / name, "by hand", 2)
    assert (tmp_path / name).read_bytes() == first
    assert (gzip.decompress(first) if name.endswith("gz") else first).decode() == HEAD + "law\t4\t\n法\t2\t1\n"


def test_words_that_are_rare_in_all_fields_together_are_left_out(tmp_path: Path) -> None:
    save([LAW, ART], tmp_path / "table.tsv", "by hand", 4)
    assert [dict(field.counts) for field in load(tmp_path / "table.tsv")] == [{"law": 4}, {}]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "line 1: expected '# source"),
        ("# source: x\n", "line 2: expected '# least"),
        ("# source: x\n# least: none\n", "line 2: expected a whole number"),
        ("# source: x\n# least: 2\nlaw\t3\n", "line 3: expected '# field: ..'"),
        ("# source: x\n# least: 2", "the end of the file"),
        ("# source: x\n# least: 2\n# field: law\t法学\tlaw\t2\n", "line 3: expected '# field: ..' with name"),
        ("# source: x\n# least: 2\n# field: Law!\t法学\tlaw\t2\t9\n", "line 3: expected '# field: ..' with name"),
        ("# source: x\n# least: 2\n# field: law\t法学\tlaw\t2\tmany\n", "line 3: expected a whole number"),
        (HEAD + HEAD.splitlines()[3] + "\nlaw\t3\t\t\n", "two fields have the same name"),
        (HEAD, "has no word"),
        (HEAD + "law\t3\n", "line 5: expected a new word and 2 counts"),
        (HEAD + "\t3\t\n", "line 5: expected a new word"),
        (HEAD + "law\t3\t\nlaw\t3\t\n", "line 6: expected a new word"),
        (HEAD + "law\t3.5\t\n", "line 5: expected a whole number from 1 to 9, found '3.5'"),
        (HEAD + "law\t\t6\n", "line 5: expected a whole number from 1 to 5, found '6'"),
        (HEAD + "law\t0\t3\n", "line 5: expected a whole number"),
        (HEAD + "law\t1\t\n", "line 5: expected 2 or more occurrences"),
        (HEAD + "law\t3\t\n# field: more\t更\tmore\t2\t9\n", "line 6: expected a new word"),
    ],
)
@pytest.mark.parametrize("name", ["table.tsv", "table.tsv.gz"])
def test_a_broken_table_names_file_and_line(tmp_path: Path, name: str, text: str, says: str) -> None:
    path = tmp_path / name
    path.write_bytes(gzip.compress(text.encode()) if name.endswith(".gz") else text.encode())
    with pytest.raises(BackgroundError, match=re.escape(str(path)) + ".*" + says):
        load(path)


def test_no_such_file(tmp_path: Path) -> None:
    with pytest.raises(BackgroundError, match="could not be read"):
        load(tmp_path / "none.tsv")


def test_the_chinese_table_that_ships() -> None:
    fields = shipped("zh")
    assert fields is shipped("zh")
    assert len(fields) == 13 and sum(field.papers for field in fields) == 2000
    medicine = next(field for field in fields if field.name == "medicine")
    assert medicine.zh == "医学" and medicine.share("患者") > 10 * max(f.share("患者") for f in fields if f != medicine)
    assert sum(field.share("分析") > 0 for field in fields) > 10
    with pytest.raises(TypeError):
        medicine.counts["患者"] = 1  # type: ignore[index]


def test_the_english_table_that_ships() -> None:
    fields = shipped("en")
    assert len(fields) == 14 and {field.papers for field in fields} == {1000}
    assert all(field.share(word) > 1e-3 for field in fields for word in ("result", "we"))
    economics = next(field for field in fields if field.name == "economics")
    assert economics.share("market") > 5 * max(f.share("market") for f in fields if f != economics)


@pytest.mark.parametrize("language", ["zh", "en"])
def test_shipped_tables_have_labels_of_their_own_and_no_text(language: Literal["zh", "en"]) -> None:
    fields = shipped(language)
    assert len({field.zh for field in fields}) == len({field.en for field in fields}) == len(fields)
    found = {word for field in fields for word in field.counts}
    assert all(len(words(word)) == 1 for word in found if word.isascii()), "no phrases, so no text"
    assert max(map(len, found)) < 60


def test_heads_of_names_leave_the_own_field_out() -> None:
    fields = {field.name: field.counts for field in shipped_heads()}
    assert {*fields} == {field.name for field in shipped("zh")}
    everywhere, elsewhere = heads_elsewhere({}, ()), heads_elsewhere({}, ("医学", "medicine"))
    assert everywhere["综合征"] - elsewhere.get("综合征", 0) == fields["medicine"]["综合征"] > 10
    assert elsewhere["算法"] == everywhere["算法"] - fields["medicine"].get("算法", 0) > 100


def test_the_table_of_heads_has_no_keyword() -> None:
    """A row is an end that four keywords share and the number of these: which ones is not in the file."""
    counts = heads_elsewhere({}, ())
    assert min(counts.values()) >= 4
    assert max(len(head) for head in counts if not head.isascii()) <= 8
    assert len(counts) < 0.05 * sum(field.tokens for field in shipped_heads())


@pytest.mark.slow
@pytest.mark.skipif(not ABSTRACTS.exists(), reason="the abstracts are not there")
def test_the_table_of_heads_is_counted_again(tmp_path: Path) -> None:
    made = tmp_path / "heads.tsv.gz"
    assert name_heads.main([str(ABSTRACTS), "--out", str(made), "--source", "here"]) == 0
    again, there = load(made), shipped_heads()
    assert [(f.name, f.papers, f.tokens, dict(f.counts)) for f in again] == [
        (f.name, f.papers, f.tokens, dict(f.counts)) for f in there
    ]
    with lzma.open(ABSTRACTS, "rt", encoding="utf-8") as stream:
        keywords = {fold(simplified(k)) for line in stream for k in json.loads(line)["keywords"]}
    ends = Counter(k[i:] for k in keywords for i in range(1, len(k)))
    assert all(ends[head] >= 4 for head in heads_elsewhere({}, ())), "a keyword that four others do not end with"


def _left_out(fields: tuple[PaperField, ...], counts: dict[str, int], *labels: str) -> list[str]:
    used, left = other_fields(fields, counts, labels)
    assert [*used, *left] == sorted([*used, *left], key=lambda f: (f in left, fields.index(f)))
    return [field.name for field in left]


@pytest.mark.parametrize(
    ("label", "names"),
    [
        ("医学", ["medicine"]),
        ("中医学", ["medicine"]),
        ("Medicine", ["medicine"]),
        ("tropical medicine", ["medicine"]),
        ("管理学", ["management"]),
        ("物理学", ["science"]),
        ("学", []),
        ("law", ["law"]),
        ("lawn", []),
        ("art", ["arts"]),
        ("military", ["military"]),
        ("暴雨", []),
    ],
)
def test_a_label_leaves_its_field_out(label: str, names: list[str]) -> None:
    assert _left_out(shipped("zh"), {}, label) == names


def test_a_label_within_the_label_of_a_field() -> None:
    assert _left_out(shipped("en"), {}, "computer", "天文") == ["astronomy", "computing"]
    assert _left_out(shipped("en"), {}, "Marine Biologies") == ["biology"]


def test_empty_labels_leave_nothing_out() -> None:
    assert _left_out((PaperField("law", "", " ", 2, 9, {}), ART), {}, "law", "", "法学") == []


def test_a_single_field_is_left_out_by_its_label_only() -> None:
    assert _left_out((LAW,), {"law": 9}) == []
    assert _left_out((LAW,), {}, "law") == ["law"]
    assert _left_out((), {"law": 9}, "law") == []


def test_shared_words_leave_a_field_out() -> None:
    assert _left_out((LAW, ART), {"law": 9, "rain": 1}) == ["law"]
    assert _left_out((LAW, ART), {"rain": 9, "sun": 5}) == []


@pytest.mark.slow
@pytest.mark.skipif(not ABSTRACTS.is_file(), reason=f"{ABSTRACTS} is not there")
def test_the_field_of_a_sample_is_left_out_and_few_others() -> None:
    """Up to 50 papers of each discipline, or half of them, against tables without them."""
    texts: dict[str, list[str]] = defaultdict(list)
    with lzma.open(ABSTRACTS, "rt", encoding="utf-8") as stream:
        for record in map(json.loads, stream):
            if record["source"].startswith("CSL/benchmark"):
                texts[record["category"]].append(f"{record['title']}\n{record['abstract']}")
    whole = {name: count("f", name, name, some) for name, some in texts.items()}
    others = 0
    for name, some in texts.items():
        drawn = random.Random(7).sample(some, len(some))
        cut = min(50, len(some) // 2)
        fields = tuple(
            count("f", name, name, drawn[cut:]) if other == name else field for other, field in whole.items()
        )
        left = other_fields(fields, count("f", "x", "x", drawn[:cut]).counts, [])[1]
        assert name in [field.zh for field in left]
        others += len(left) - 1
    assert others <= 0.3 * len(texts)


@pytest.mark.skipif(not FIELDS_EN.is_dir(), reason=f"{FIELDS_EN} is not there")
@pytest.mark.parametrize(
    ("file", "names"),
    [
        ("bio", ["biology"]),
        ("econ", ["economics"]),
        ("phys", ["physics", "chemistry"]),
        ("astro", ["earth", "astronomy"]),
    ],
)
def test_an_english_corpus_leaves_its_field_out(file: str, names: list[str]) -> None:
    with lzma.open(FIELDS_EN / f"{file}.jsonl.xz", "rt", encoding="utf-8") as stream:
        texts = [f"{record.get('title') or ''}\n{record['abstract']}" for record in map(json.loads, stream)]
    assert _left_out(shipped("en"), dict(count("f", "x", "x", texts).counts)) == names
