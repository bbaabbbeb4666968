"""What a person edits in the files of a build stays, whatever the next builds find; with history and rollback."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
import rdflib
from rdflib import OWL, RDF, RDFS, SKOS, Literal, URIRef

from ontocrawl.base import workspace
from ontocrawl.errors import USAGE
from ontocrawl.topics import version_files
from ontocrawl.versions import deciding
from ontology import owl
from ontology.decisions import Decision, table
from ontology.model import Concept, Ontology
from tests.ontocrawl.conftest import Command

NAMES = {".ttl": "turtle", ".rdf": "xml"}
COMMENT = Literal("beyond the model")


@pytest.fixture
def papers(tmp_path: Path) -> Callable[[int], Path]:
    """Write so many papers on rock bursts to a file; each leaves out one word, and later ones bring others."""

    def written(count: int) -> Path:
        path = tmp_path / "papers.jsonl"
        more = ["岩爆预警系统", "微震监测", "岩爆机理", "地应力", "隧道岩爆", "岩爆防治"]
        lines = []
        for n in range(count):
            words = ["岩爆", "岩爆烈度", "微震台网", "滑坡", "山洪", "洪水", "暴雨", *more[: 1 + n // 4]]
            del words[n % 7]
            text = "、".join(words)
            lines.append({"id": f"p{n}", "title": f"岩爆之{n}", "abstract": f"{text}的研究。", "keywords": words})
        path.write_text("".join(json.dumps(p, ensure_ascii=False) + "\n" for p in lines), encoding="utf-8")
        return path

    return written


@pytest.fixture
def build(command: Command, papers: Callable[[int], Path], tmp_path: Path) -> Callable[..., dict[str, object]]:
    def run(count: int, *options: str) -> dict[str, object]:
        made = command(
            "ontology", "build", "--corpus", papers(count), "--out", tmp_path / "D", "--unplaced", "root",
            "--who", "张三", "--json", *options,
        )  # fmt: skip
        assert made.code == 0, made.err
        return dict(made.json)

    return run


def _class(ontology: Ontology, label: str) -> URIRef:
    return URIRef(next(c.iri for c in ontology.concepts if c.label_zh == label))


class Edit:
    """Five edits, made with rdflib in one of the files: what they add, and the statement that they remove."""

    def __init__(self, folder: Path, suffix: str) -> None:
        ontology = owl.read(folder / "rainstorm.ttl")
        flood, flash, storm = (_class(ontology, label) for label in ("洪水", "山洪", "暴雨"))
        burst = _class(ontology, "岩爆")
        new = URIRef("https://example.org/own#Outburst")
        self.struck = (flash, RDFS.subClassOf, URIRef(ontology.parents[str(flash)][0]))
        self.added = [
            (burst, RDFS.subClassOf, storm),
            (burst, RDFS.label, Literal("rock burst", "en")),
            (flood, SKOS.definition, Literal("水淹没陆地。", "zh")),
            (new, RDF.type, OWL.Class),
            (new, RDFS.label, Literal("煤与瓦斯突出", "zh")),
            (new, RDFS.subClassOf, burst),
            (new, RDFS.comment, COMMENT),
        ]
        path = folder / f"rainstorm{suffix}"
        graph = rdflib.Graph().parse(path, format=NAMES[suffix])
        assert self.struck in graph
        graph.remove(self.struck)
        for triple in self.added:
            graph.add(triple)
        graph.serialize(path, format=NAMES[suffix], encoding="utf-8")

    def assert_kept(self, folder: Path) -> None:
        for suffix, name in NAMES.items():
            graph = rdflib.Graph().parse(folder / f"rainstorm{suffix}", format=name)
            missing = [triple for triple in self.added if triple not in graph]
            assert not missing
            assert self.struck not in graph


@pytest.mark.slow
@pytest.mark.parametrize("suffix", NAMES)
def test_five_edits_survive_ten_builds(
    build: Callable[..., dict[str, object]], command: Command, tmp_path: Path, suffix: str
) -> None:
    folder = tmp_path / "D"
    first = build(7)
    assert first["decisions"] == 0
    edit = Edit(folder, suffix)
    for number in range(10):
        made = build(8 + 2 * number)
        edit.assert_kept(folder)
        assert made["edited"] == ([f"rainstorm{suffix}"] if number == 0 else [])
        assert made["decisions"] == 6
    told = command("ontology", "history", folder, "--json").json
    said = {(d["action"], d["term"], d["relation"], d["value"], d["who"]) for d in told["decisions"]}
    assert said == {
        ("accept", "煤与瓦斯突出", "class", "", "张三"), ("accept", "煤与瓦斯突出", "subclass_of", "岩爆", "张三"),
        ("accept", "岩爆", "subclass_of", "暴雨", "张三"), ("translate", "岩爆", "", "rock burst", "张三"),
        ("define", "洪水", "", "水淹没陆地。", "张三"), ("reject", "山洪", "subclass_of", next(iter(
            d["value"] for d in told["decisions"] if d["action"] == "reject")), "张三"),
    }  # fmt: skip
    assert {d["status"] for d in told["decisions"]} == {"in force"}
    assert [v["version"].partition("+")[0] for v in told["versions"]] == [f"0.{n}.0" for n in range(1, 12)]
    assert told["versions"][1]["edited"] == [f"rainstorm{suffix}"]
    assert "煤与瓦斯突出" in command("ontology", "history", folder).out


@pytest.mark.slow
def test_a_build_of_the_same_is_the_same_version(build: Callable[..., dict[str, object]], tmp_path: Path) -> None:
    first = build(8)
    before = {p.name: p.read_bytes() for p in (tmp_path / "D").iterdir() if p.is_file()}
    assert build(8)["version"] == first["version"]
    assert {p.name: p.read_bytes() for p in (tmp_path / "D").iterdir() if p.is_file()} == before
    assert str(build(10)["version"]).startswith("0.2.0+")
    turtle = (tmp_path / "D" / "rainstorm.ttl").read_text(encoding="utf-8")
    assert f"owl:priorVersion <https://w3id.org/ontocrawl/rainstorm/learned/{first['version']}>" in turtle
    assert str(build(10, "--version", "2.0.0")["version"]).startswith("2.0.0+")
    assert str(build(11)["version"]).startswith("2.1.0+")


@pytest.mark.slow
def test_a_file_that_was_only_saved_anew_is_not_edited(build: Callable[..., dict[str, object]], tmp_path: Path) -> None:
    first = build(8)
    for suffix, name in NAMES.items():
        path = tmp_path / "D" / f"rainstorm{suffix}"
        rdflib.Graph().parse(path, format=name).serialize(path, format=name, encoding="utf-8")
    again = build(8)
    assert again["edited"] == []
    assert again["version"] == first["version"]


@pytest.mark.slow
def test_both_files_edited_differently_is_a_conflict_that_names_them(
    build: Callable[..., dict[str, object]], command: Command, tmp_path: Path
) -> None:
    folder = tmp_path / "D"
    build(8)
    burst = _class(owl.read(folder / "rainstorm.ttl"), "岩爆")
    labels = {".ttl": "rock burst", ".rdf": "burst of rock"}
    for suffix, name in NAMES.items():
        graph = rdflib.Graph().parse(folder / f"rainstorm{suffix}", format=name)
        graph.add((burst, RDFS.label, Literal(labels[suffix], "en")))
        graph.serialize(folder / f"rainstorm{suffix}", format=name, encoding="utf-8")
    made = build(8)
    assert made["edit_conflicts"] == {
        "rainstorm.ttl and rainstorm.rdf": "the label of 岩爆: 'rock burst' or 'burst of rock'"
    }
    assert owl.read(folder / "rainstorm.rdf").by_iri[str(burst)].label_en == "rock burst"


@pytest.mark.slow
def test_a_second_label_and_an_undeclared_class_are_read(
    build: Callable[..., dict[str, object]], tmp_path: Path
) -> None:
    folder = tmp_path / "D"
    build(8)
    path = folder / "rainstorm.ttl"
    flood = _class(owl.read(path), "洪水")
    own = URIRef("https://example.org/own#Seiche")
    graph = rdflib.Graph().parse(path)
    graph.add((flood, RDFS.label, Literal("flooding of land", "en")))
    graph.add((own, RDFS.subClassOf, flood))
    graph.serialize(path, encoding="utf-8")
    build(9)
    after = owl.read(path)
    assert after.by_iri[str(flood)].label_en == "flooding of land"
    assert after.parents[str(own)] == (str(flood),)


@pytest.mark.slow
def test_a_file_that_cannot_be_read_is_named_and_nothing_is_written(
    build: Callable[..., dict[str, object]], command: Command, papers: Callable[[int], Path], tmp_path: Path
) -> None:
    build(8)
    path = tmp_path / "D" / "rainstorm.ttl"
    broken = path.read_text(encoding="utf-8").replace("a owl:Class", "a owl:Class [", 1)
    path.write_text(broken, encoding="utf-8")
    made = command("ontology", "build", "--corpus", papers(10), "--out", tmp_path / "D")
    assert made.code == USAGE
    assert "rainstorm.ttl was edited and cannot be read" in made.err
    assert path.read_text(encoding="utf-8") == broken


@pytest.mark.slow
def test_a_file_of_an_unknown_version_is_set_aside(
    build: Callable[..., dict[str, object]], command: Command, tmp_path: Path
) -> None:
    folder = tmp_path / "D"
    build(8)
    path = folder / "rainstorm.ttl"
    edited = path.read_text(encoding="utf-8").replace("@zh", "@zh", 1).replace("岩爆烈度", "岩爆的烈度")
    path.write_text(edited, encoding="utf-8")
    for archive in (folder / version_files.FOLDER).glob("*.zip"):
        archive.unlink()
    made = command("ontology", "build", "--corpus", tmp_path / "papers.jsonl", "--out", folder, "--unplaced", "root")
    assert made.code == 0
    (copy,) = (folder / version_files.FOLDER / version_files.SET_ASIDE).iterdir()
    assert copy.read_text(encoding="utf-8") == edited
    assert copy.name in made.err.replace("\n", "")


@pytest.mark.slow
def test_the_history_of_a_build_has_the_decisions_of_the_workspace(
    build: Callable[..., dict[str, object]], command: Command, tmp_path: Path
) -> None:
    build(8)
    space = workspace.init(tmp_path / "ws")
    deciding.add(deciding.of_workspace(space, "rainstorm"), [Decision("reject", "山洪", relation="class")], "张三")
    told = command("ontology", "history", tmp_path / "D", "--workspace", space.root, "--json").json
    assert [(d["id"], d["status"]) for d in told["decisions"]] == [("rainstorm/d1", "not built yet")]
    assert told["unbuilt"] == ["rainstorm/d1"]
    withdrawn = command("ontology", "decide", tmp_path / "D", "withdraw", "rainstorm/d1", "--workspace", space.root)
    assert withdrawn.code == 0 and "rainstorm/d2: withdraw rainstorm/d1" in withdrawn.err
    told = command("ontology", "history", tmp_path / "D", "--workspace", space.root, "--json").json
    assert [d["status"] for d in told["decisions"]] == ["withdrawn", "withdraws"] and not told["unbuilt"]
    unknown = command("ontology", "decide", tmp_path / "D", "withdraw", "rainstorm/d9", "--workspace", space.root)
    assert unknown.code == 2 and "there is no decision" in unknown.err


@pytest.mark.slow
def test_decisions_of_the_command_and_of_a_spreadsheet_hold(
    build: Callable[..., dict[str, object]], command: Command, tmp_path: Path
) -> None:
    folder = tmp_path / "D"
    build(8)
    why = ("--why", "a flood of mountains", "--who", "李四")
    made = command("ontology", "decide", folder, "move", "山洪", "暴雨", "--from", "洪水", *why, "--json")
    assert (made.code, made.json["id"]) == (0, "d1")
    with (folder / table.FILE).open("a", encoding="utf-8") as stream:
        stream.write("\treject\t岩爆烈度\tclass\n\tmerge\t滑坡\t\t山洪\n")
    assert build(8)["decisions"] == 3
    after = owl.read(folder / "rainstorm.ttl")
    labels = {c.label_zh for c in after.concepts}
    assert labels.isdisjoint({"岩爆烈度", "滑坡"})
    flash = after.by_iri[str(_class(after, "山洪"))]
    assert "滑坡" in flash.alt_zh
    parents = {after.by_iri[p].label for p in after.parents[flash.iri]}
    assert "暴雨" in parents
    assert "洪水" not in parents
    assert [d.id for d in table.read(folder / table.FILE)] == ["d1", "d2", "d3"]
    assert command("ontology", "decide", folder, "withdraw", "d2").code == 0
    build(8)
    assert "岩爆烈度" in {c.label_zh for c in owl.read(folder / "rainstorm.ttl").concepts}
    status = {d["id"]: d["status"] for d in command("ontology", "history", folder, "--json").json["decisions"]}
    assert status == {"d1": "in force", "d2": "withdrawn", "d3": "in force", "d4": "withdraws"}
    said = [command("ontology", "decide", folder, *words).err for words in (
        ("accept", "滑坡", "暴雨"), ("accept", "滑坡", "暴雨"), ("withdraw", "d6"), ("reject", "滑坡", "暴雨"),
        ("accept", "滑坡", "暴雨"), ("withdraw", "d9"),
    )]  # fmt: skip
    assert ["decides the same already" in text or "still holds" in text for text in said] == [
        False, True, True, False, False, False,
    ], said  # fmt: skip
    assert "d5 decides the same already" in said[1] and "what d6 decides still holds, by d5" in said[2]


@pytest.mark.slow
def test_rollback_restores_the_files_and_withdraws_what_came_later(
    build: Callable[..., dict[str, object]], command: Command, tmp_path: Path
) -> None:
    folder = tmp_path / "D"
    first = build(8)
    before = {
        p.name: p.read_bytes() for p in folder.iterdir() if p.suffix in (".ttl", ".rdf", ".svg", ".jsonl", ".toml")
    }
    command("ontology", "decide", folder, "reject", "岩爆烈度")
    build(10)
    path = folder / "rainstorm.ttl"
    path.write_text(
        path.read_text(encoding="utf-8").replace('rdfs:label "洪水"@zh', 'rdfs:label "大水"@zh'), encoding="utf-8"
    )
    gone = command("ontology", "rollback", folder, "0.1.0", "--who", "王五")
    assert gone.code == 0, gone.err
    assert {name: (folder / name).read_bytes() for name in before} == before
    actions = [(d.action, d.term, d.who) for d in table.read(folder / table.FILE)]
    assert ("rename", "洪水", "王五") in actions
    assert [a for a, *_ in actions].count("withdraw") == 2
    assert command("ontology", "history", folder, "--json").json["versions"][-1]["rollback"] is True
    assert build(8)["version"] == first["version"]
    assert str(build(10)["version"]).startswith("0.3.0+")
    missing = command("ontology", "rollback", folder, "9.9.9")
    assert missing.code == USAGE
    assert "choose one of 0.1.0+" in missing.err


@pytest.mark.slow
def test_decisions_of_the_workspace_about_a_topic_hold_in_every_build(
    build: Callable[..., dict[str, object]], command: Command, papers: Callable[[int], Path], tmp_path: Path
) -> None:
    space = tmp_path / "space"
    assert command("init", space).code == 0
    table.append(space / "ontologies" / "rainstorm" / table.FILE, [Decision("reject", "岩爆烈度", relation="class")])
    made = command(
        "ontology", "build", "--corpus", papers(8), "--out", tmp_path / "D", "--unplaced", "root", "--workspace", space
    )
    assert made.code == 0, made.err
    assert "岩爆烈度" not in {c.label_zh for c in owl.read(tmp_path / "D" / "rainstorm.ttl").concepts}


@pytest.mark.slow
def test_wrong_input_is_refused(build: Callable[..., dict[str, object]], command: Command, tmp_path: Path) -> None:
    assert "give the folder that `ontology build` wrote" in command("ontology", "history", tmp_path).err
    assert "no such folder or topic" in command("ontology", "history", "nothing").err
    build(8)
    folder = tmp_path / "D"
    for words, said in (
        (("adopt", "山洪"), "ACTION"),
        (("reject", "不存在的类", "洪水"), "there is no class"),
        (("reject", "城市内捞", "暴雨"), "there is no class '城市内捞' here"),
        (("reject", "城市内捞", "暴雨"), "did you mean '城市内涝'?"),
        (("move", "山洪"), "needs a value"),
        (("withdraw", "d9"), "no decision 'd9' in force"),
    ):
        made = command("ontology", "decide", folder, *words)
        assert made.code == USAGE
        assert said in made.err
    assert not table.read(folder / table.FILE)
    refused = command("ontology", "build", "--corpus", tmp_path / "papers.jsonl", "--out", folder, "--version", "a b")
    assert refused.code == USAGE


@pytest.mark.slow
def test_decisions_about_a_topic_of_the_package_make_its_ontology_in_the_workspace(
    command: Command, tmp_path: Path
) -> None:
    space = tmp_path / "space"
    where = ("--workspace", space)
    assert command("init", space).code == 0
    shown = ("ontology", "show", "rainstorm", "--class", "山洪", *where, "--json")
    before = command(*shown).json["classes"][0]
    parent = before["above"][0]["class"]
    decided = command("ontology", "decide", "rainstorm", "move", "山洪", "暴雨灾害", "--from", parent, *where, "--json")
    assert decided.code == 0, decided.err
    after = command(*shown).json["classes"][0]
    assert [edge["class"] for edge in after["above"]] == ["暴雨灾害"]
    path = space / "ontologies" / "rainstorm.ttl"
    ontology = owl.read(path)
    assert (ontology.key, ontology.version) == ("https://w3id.org/ontocrawl/rainstorm", "1.1.0")
    path.write_text(
        path.read_text(encoding="utf-8").replace('"mountain torrent"@en', '"mountain flood"@en'), encoding="utf-8"
    )
    assert command("ontology", "decide", "rainstorm", "define", "山洪", "山区的洪水。", *where).code == 0
    flood = next(c for c in owl.read(path).concepts if c.label_zh == "山洪")
    assert (flood.label_en, flood.definition) == ("mountain flood", "山区的洪水。")
    told = command("ontology", "history", "rainstorm", *where, "--json").json
    assert [v["version"] for v in told["versions"]] == ["1.1.0", "1.2.0"]
    assert {d["status"] for d in told["decisions"]} == {"in force"}
    assert [d["action"] for d in told["decisions"]] == ["move", "define", "rename"]


@pytest.mark.slow
def test_a_renamed_class_is_known_by_its_present_label_too(
    build: Callable[..., dict[str, object]], command: Command, tmp_path: Path
) -> None:
    folder = tmp_path / "D"
    build(8)
    assert command("ontology", "decide", folder, "rename", "山洪", "山溪洪水").code == 0
    build(8)
    decided = command("ontology", "decide", folder, "accept", "山溪洪水", "暴雨", "--json")
    assert decided.json["term"] == "山洪"
    with (folder / table.FILE).open("a", encoding="utf-8") as stream:
        stream.write("\tdefine\t山溪洪水\t\t山区溪流的洪水。\n")
    build(8)
    after = owl.read(folder / "rainstorm.ttl")
    (flood,) = (c for c in after.concepts if "山洪" in (c.label_zh, *c.alt_zh))
    assert (flood.label_zh, flood.definition) == ("山溪洪水", "山区溪流的洪水。")
    assert "暴雨" in {after.by_iri[p].label for p in after.parents[flood.iri]}


def _edited(folder: Path, *replacements: tuple[str, str], name: str = "rainstorm.ttl") -> None:
    """Edit a file as in a text editor."""
    path = folder / name
    text = path.read_text(encoding="utf-8")
    for old, new in replacements:
        assert old in text
        text = text.replace(old, new, 1)
    path.write_text(text, encoding="utf-8")


def _flood(folder: Path) -> Concept:
    return next(c for c in owl.read(folder / "rainstorm.ttl").concepts if c.label_zh == "洪水")


CLASS = ":Floodwater a owl:Class ;"


@pytest.mark.slow
def test_a_deprecated_class_stays_deprecated(build: Callable[..., dict[str, object]], tmp_path: Path) -> None:
    folder = tmp_path / "D"
    build(8)
    _edited(folder, (CLASS, f"{CLASS}\n    owl:deprecated true ;"))
    for count in (8, 9, 10):
        assert build(count)["idle_decisions"] == []
        ontology = owl.read(folder / "rainstorm.ttl")
        assert "洪水" in {c.label_zh for c in ontology.deprecated}
        assert "洪水" not in {c.label_zh for c in ontology.concepts}


@pytest.mark.slow
def test_imports_and_creators_are_kept(build: Callable[..., dict[str, object]], tmp_path: Path) -> None:
    folder = tmp_path / "D"
    build(8)
    first = (folder / "rainstorm.ttl").read_text(encoding="utf-8")
    header = '    oc:kind "global" ;'
    imported = "    owl:imports <http://example.org/i> ;"
    _edited(folder, (header, f'{header}\n{imported}\n    dcterms:creator "Ann" ;'))
    build(9)
    (folder / "rainstorm.ttl").write_text(first, encoding="utf-8")  # an edited copy of the first version
    _edited(folder, (CLASS, f'{CLASS}\n    skos:definition "Water."@en ;'))
    build(10)
    for name in ("rainstorm.ttl", "rainstorm.rdf"):
        loaded = owl.load(folder / name)
        assert loaded.header.creators == ("Ann",)
        assert loaded.report.imports == ("http://example.org/i",)
    assert _flood(folder).definition_en == "Water."


@pytest.mark.slow
def test_a_label_that_was_struck_out_can_come_back(build: Callable[..., dict[str, object]], tmp_path: Path) -> None:
    folder = tmp_path / "D"
    build(8)
    label = f'    rdfs:label "{_flood(folder).label_en}"@en ;\n'
    _edited(folder, (label, ""))
    build(8)
    assert _flood(folder).label_en is None
    _edited(folder, (CLASS, f"{CLASS}\n{label.rstrip()}"))
    build(8)
    assert f'"{_flood(folder).label_en}"' in label


@pytest.mark.slow
def test_rollback_keeps_what_no_build_has_seen_and_brings_decisions_back(
    build: Callable[..., dict[str, object]], command: Command, tmp_path: Path
) -> None:
    folder = tmp_path / "D"
    build(8)
    command("ontology", "decide", folder, "define", "洪水", "水。")
    build(8)
    _edited(folder, (CLASS, f'{CLASS}\n    rdfs:comment "unbuilt"@en ;'))
    assert command("ontology", "rollback", folder, "0.1.0").code == 0
    copies = (folder / version_files.FOLDER / version_files.SET_ASIDE).iterdir()
    assert any("unbuilt" in copy.read_text(encoding="utf-8") for copy in copies)
    build(9)
    assert _flood(folder).definition == ""
    assert command("ontology", "rollback", folder, "0.2.0").code == 0
    build(8)
    assert _flood(folder).definition == "水。"


@pytest.mark.slow
def test_a_folder_of_versions_that_cannot_be_written_stops_the_build_before_any_file(
    build: Callable[..., dict[str, object]], command: Command, papers: Callable[[int], Path], tmp_path: Path
) -> None:
    folder = tmp_path / "D"
    build(8)
    (folder / version_files.FOLDER).rename(tmp_path / "elsewhere")
    (folder / version_files.FOLDER).write_text("no folder", encoding="utf-8")
    before = (folder / "rainstorm.ttl").read_bytes()
    made = command("ontology", "build", "--corpus", papers(10), "--out", folder, "--unplaced", "root")
    assert made.code != 0
    assert "let it be writable" in made.err.replace("\n", " ")
    assert (folder / "rainstorm.ttl").read_bytes() == before


@pytest.mark.slow
def test_a_damaged_archive_is_as_a_missing_one(build: Callable[..., dict[str, object]], tmp_path: Path) -> None:
    folder = tmp_path / "D"
    build(8)
    _edited(folder, (CLASS, f'{CLASS}\n    skos:definition "Water."@en ;'))
    for archive in (folder / version_files.FOLDER).glob("*.zip"):
        archive.write_text("junk", encoding="utf-8")
    build(8)
    assert len(list((folder / version_files.FOLDER / version_files.SET_ASIDE).iterdir())) == 1


@pytest.mark.slow
def test_a_decision_after_an_edit_prevails_over_it(
    build: Callable[..., dict[str, object]], command: Command, tmp_path: Path
) -> None:
    folder = tmp_path / "D"
    build(8)
    _edited(folder, (f'"{_flood(folder).label_en}"@en', '"edited"@en'))
    decided = command("ontology", "decide", folder, "translate", "洪水", "decided", "--json")
    assert (decided.json["id"], decided.json["language"]) == ("d2", "en")
    build(9)
    assert _flood(folder).label_en == "decided"
    assert build(9)["edited"] == []


@pytest.mark.slow
def test_one_who_removes_and_one_who_edits_a_class_contradict_each_other(
    build: Callable[..., dict[str, object]], tmp_path: Path
) -> None:
    folder = tmp_path / "D"
    build(8)
    flood = URIRef(_flood(folder).iri)
    graph = rdflib.Graph().parse(folder / "rainstorm.ttl")
    for triple in [*graph.triples((flood, None, None)), *graph.triples((None, RDFS.subClassOf, flood))]:
        graph.remove(triple)
    graph.serialize(folder / "rainstorm.ttl", encoding="utf-8")
    other = rdflib.Graph().parse(folder / "rainstorm.rdf", format="xml")
    other.add((flood, SKOS.definition, Literal("水。", "zh")))
    other.serialize(folder / "rainstorm.rdf", format="xml", encoding="utf-8")
    assert build(8)["edit_conflicts"] == {
        "rainstorm.ttl and rainstorm.rdf": "洪水: removed in one, edited in the other"
    }


@pytest.mark.slow
def test_rows_of_a_spreadsheet_get_a_name_and_a_date(build: Callable[..., dict[str, object]], tmp_path: Path) -> None:
    folder = tmp_path / "D"
    build(8)
    with (folder / table.FILE).open("a", encoding="utf-8") as stream:
        stream.write("\tReject\t岩爆烈度\n")
    build(8)
    (row,) = table.read(folder / table.FILE)
    assert (row.id, row.action, row.relation, row.who, bool(row.when)) == ("d1", "reject", "class", "张三", True)
    assert "岩爆烈度" not in {c.label_zh for c in owl.read(folder / "rainstorm.ttl").concepts}


@pytest.mark.slow
def test_decide_knows_all_classes_that_it_names(
    build: Callable[..., dict[str, object]], command: Command, tmp_path: Path
) -> None:
    folder = tmp_path / "D"
    build(8)
    for words in (
        ("merge", "山洪", "不存在"), ("move", "山洪", "暴雨", "--from", "没有"), ("accept", "山洪", "没有"),
        ("accept", "山洪", "山洪"), ("split", "山洪", "溪洪"),
    ):  # fmt: skip
        made = command("ontology", "decide", folder, *words)
        assert made.code == USAGE, words
    assert not table.read(folder / table.FILE)


def test_a_class_that_no_paper_names_is_told(command: Command, flood_folder: Path) -> None:
    """A slip of the pen would be a class for good: it is recorded, and said with the way back."""
    for term, told in (("山洪预警", False), ("预警研究", False), ("山烘", True)):
        made = command("ontology", "decide", flood_folder, "accept", term, "洪水")
        assert made.code == 0, made.err
        assert ("is a new class, and none of the 2 papers has this name" in " ".join(made.err.split())) is told, term
    assert "withdraw d3" in made.err
