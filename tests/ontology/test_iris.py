"""IRIs and their register."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ontology.iris import IriError, IriRegister, local_name, namespace, ontology_iri

SPACE = namespace("rainstorm")


@pytest.mark.parametrize(
    ("zh", "en", "name"),
    [
        ("暴雨灾害", "rainstorm disaster", "RainstormDisaster"),
        ("低空急流", "low-level jet", "LowLevelJet"),
        ("新安江模型", "Xin'anjiang model", "XinanjiangModel"),
        ("厄尔尼诺", "El Niño", "ElNino"),
        ("暴雨", None, "BaoYu"),
        ("WRF模式", None, "WRFMoShi"),
        ("24小时雨量", "24 h rainfall", "N24HRainfall"),
    ],
)
def test_local_names(zh: str, en: str | None, name: str) -> None:
    assert local_name(zh, en) == name


def test_iris_of_topics() -> None:
    assert SPACE == "https://w3id.org/ontocrawl/rainstorm#"
    assert ontology_iri("rainstorm", "monitoring") == "https://w3id.org/ontocrawl/rainstorm/monitoring"
    with pytest.raises(IriError, match="ASCII"):
        namespace("暴雨")
    for base in ("https://example.org/my", "no scheme/", ""):
        with pytest.raises(IriError, match="ends with / or #"):
            namespace("rainstorm", base)


def test_a_clash_gets_a_hash_and_order_decides() -> None:
    register = IriRegister(SPACE)
    first = register.iri("洪涝", "flooding")
    second = register.iri("水患", "flooding")
    assert first == SPACE + "Flooding"
    assert second.startswith(SPACE + "Flooding-")
    assert register.iri("洪涝", "another label") == first


def test_register_survives_a_file_and_never_changes(tmp_path: Path) -> None:
    path = tmp_path / "iris.tsv"
    register = IriRegister.load(path, SPACE)
    given_iri = register.iri("内涝")
    register.save(path)
    again = IriRegister.load(path, SPACE)
    assert again.iri("内涝", "waterlogging") == given_iri
    again.iri("暴雨", "rainstorm")
    again.save(path)
    assert path.read_text(encoding="utf-8").splitlines()[1:] == sorted(
        path.read_text(encoding="utf-8").splitlines()[1:]
    )


@pytest.mark.parametrize("text", ["", "x\n", "label_zh\tiri\n暴雨\n", "label_zh\tiri\n暴雨\tno iri\n"])
def test_broken_register_names_the_line(tmp_path: Path, text: str) -> None:
    path = tmp_path / "iris.tsv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(IriError, match="line"):
        IriRegister.load(path, SPACE)


def test_two_labels_with_one_iri_are_refused() -> None:
    with pytest.raises(IriError, match="share"):
        IriRegister(SPACE, {"甲": SPACE + "A", "乙": SPACE + "A"})
    with pytest.raises(IriError, match="empty"):
        IriRegister(SPACE).iri("  ")


@given(st.lists(st.tuples(st.text(min_size=1), st.one_of(st.none(), st.text())), max_size=8))
def test_any_labels_give_distinct_ascii_names(labels: list[tuple[str, str | None]]) -> None:
    register = IriRegister(SPACE)
    made = {}
    for zh, en in labels:
        if not zh.split():
            continue
        try:
            made[zh] = register.iri(zh, en)
        except IriError as error:
            assert "taken" in str(error) or "empty" in str(error)
    assert all(iri.isascii() and iri.startswith(SPACE) and iri[len(SPACE)].isalpha() for iri in made.values())
    assert len(set(register.entries.values())) == len(register.entries)
