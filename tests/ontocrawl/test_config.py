"""Settings, topics and workspaces: precedence, and errors that name the key."""

from __future__ import annotations

import inspect
import re
from pathlib import Path
from typing import Any

import pytest
import tomli_w

import ontocrawl
from crawler.worlds import WorldError
from ontocrawl.base import config, workspace
from ontocrawl.base.options import PANELS, CrawlOptions, CrawlSettings, RoundsSettings, Section, declared
from ontocrawl.base.workspace import Workspace
from ontocrawl.cli import crawl_options
from ontocrawl.cli.commands import COMMANDS, Deferred
from ontocrawl.errors import CommandError, UsageError
from ontocrawl.health import doctor
from ontocrawl.runs import crawl_request, crawling
from ontocrawl.topics import topics
from ontology import owl


def test_environment_goes_over_the_file(tmp_path: Path) -> None:
    (tmp_path / config.FILE).write_text('[graph]\nuri = "bolt://file"\nusername = "ann"\n', encoding="utf-8")
    settings = config.load(tmp_path, {"NEO4J_URI": "bolt://environment"})
    assert (settings.graph.uri, settings.graph.username) == ("bolt://environment", "ann")


def test_an_unknown_key_names_the_nearest(tmp_path: Path) -> None:
    (tmp_path / config.FILE).write_text("[crawl]\nlimit_page = 3\n", encoding="utf-8")
    with pytest.raises(UsageError, match=r"crawl\.limit_page.*did you mean 'limit_pages'"):
        config.load(tmp_path, {})


def test_broken_toml_names_the_line(tmp_path: Path) -> None:
    (tmp_path / config.FILE).write_text("[crawl]\nstrategy = fcsa\n", encoding="utf-8")
    with pytest.raises(UsageError, match=r"not valid TOML.*line 2"):
        config.load(tmp_path, {})


def test_a_wrong_value_names_the_key_and_what_was_found(tmp_path: Path) -> None:
    (tmp_path / config.FILE).write_text("[crawl]\nlimit_pages = -1\n", encoding="utf-8")
    with pytest.raises(UsageError, match=r"crawl\.limit_pages.*found -1"):
        config.load(tmp_path, {})


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ('user_agent = ""', "begin with a name"),
        ('user_agent = "/x"', "begin with a name"),
        ('user_agent = "Mozilla/5.0 (compatible; /1)"', "begin with a name"),
        ("delay = 1e400", "finite"),
        ("delay = nan", "finite|greater"),
        ("timeout = inf", "finite"),
        ("limit_time = inf", "finite"),
    ],
)
def test_a_setting_without_sense_is_refused(tmp_path: Path, line: str, says: str) -> None:
    (tmp_path / config.FILE).write_text(f"[crawl]\n{line}\n", encoding="utf-8")
    with pytest.raises(UsageError, match=rf"crawl\.{line.split()[0]}: .*({says}).*\(found"):
        config.load(tmp_path, {})


def test_the_file_of_certificates_is_relative_to_the_workspace_and_must_be_one(tmp_path: Path) -> None:
    (tmp_path / config.FILE).write_text('[crawl]\nca_file = "certs/own.pem"\n', encoding="utf-8")
    settings = config.load(tmp_path, {})
    assert settings.crawl.ca_file == str((tmp_path / "certs" / "own.pem").resolve())
    with pytest.raises(WorldError, match=r"own\.pem: no certificates can be read"):
        doctor._reach("https://127.0.0.1/", settings.crawl)
    assert config.load(tmp_path / "elsewhere", {}).crawl.ca_file is None


def test_a_crawl_opens_its_world_with_the_file_of_certificates(tmp_path: Path) -> None:
    options = CrawlOptions(strategy="breadth_first", graph=False, settings={"ca_file": str(tmp_path / "own.pem")})
    on_topic = topics.load("rainstorm", _space(tmp_path))
    with (
        pytest.raises(WorldError, match=r"own\.pem: no certificates can be read"),
        crawling.planned(_space(tmp_path), on_topic, options, ["https://a.example/"], lambda line: None),
    ):
        pytest.fail("the world was opened")


def test_workspace_is_found_by_walking_up(tmp_path: Path) -> None:
    made = workspace.init(tmp_path / "mine")
    below = made.root / "a" / "b"
    below.mkdir(parents=True)
    found, fallback = workspace.find(None, below)
    assert found.root == made.root and not fallback
    other, fallback = workspace.find(None, tmp_path)
    assert other.root == tmp_path / workspace.FALLBACK and fallback
    with pytest.raises(UsageError, match="workspace already"):
        workspace.init(tmp_path / "mine")


def test_a_run_name_cannot_leave_the_workspace(tmp_path: Path) -> None:
    space = Workspace(tmp_path, config.Settings())
    for name in ("../x", "", "a/b", ".hidden"):
        with pytest.raises(UsageError, match="not a run's name"):
            space.run(name)


def test_a_folder_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(CommandError, match="cannot be made"):
        workspace.make_folder(tmp_path / "file" / "below")


def _space(tmp_path: Path) -> Workspace:
    return Workspace(tmp_path, config.Settings())


def test_every_shipped_topic_loads(tmp_path: Path) -> None:
    names = list(topics._shipped())
    assert {"rainstorm", "typhoon", "haiyan", "call_for_papers", "fcosa_lattice_terms"} <= set(names)
    for name in names:
        topic = topics.load(name, _space(tmp_path))
        assert topic.name == name and topic.file.vocabulary().weights.shape == (len(topic.file.words),)


def test_published_rainstorm_words_have_norm_one(tmp_path: Path) -> None:
    """algorithms.md 1.8: 0.8, 0.1, 0.1, 0.5, 0.3 have norm exactly 1."""
    weights = topics.load("rainstorm", _space(tmp_path)).file.vocabulary().weights
    assert sorted(weights) == [0.1, 0.1, 0.3, 0.5, 0.8] and float(weights @ weights) == pytest.approx(1.0)


def test_a_topic_word_without_forms_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "bad.toml"
    file.write_text('name = "bad"\nlabel = {zh = "坏", en = "bad"}\n[[words]]\nweight = 1.0\n', encoding="utf-8")
    with pytest.raises(UsageError, match=r"word 1 .* has no form"):
        topics.load(str(file), _space(tmp_path))


def test_a_misspelt_key_of_a_topic_names_the_nearest(tmp_path: Path) -> None:
    file = tmp_path / "bad.toml"
    file.write_text(
        'name = "bad"\nlabel = {zh = "坏", en = "bad"}\n[[words]]\nwieght = 1.0\nzh = ["雨"]\n', encoding="utf-8"
    )
    with pytest.raises(UsageError, match="wieght"):
        topics.load(str(file), _space(tmp_path))
    with pytest.raises(UsageError, match="did you mean 'rainstorm'"):
        topics.load("rainstrom", _space(tmp_path))


def test_crawl_settings_are_frozen() -> None:
    with pytest.raises(ValueError, match="frozen"):
        CrawlSettings().seed = 3  # type: ignore[misc]


def test_a_topic_file_names_ontologies_beside_itself(tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    mine.mkdir()
    shipped = topics.load("typhoon", _space(tmp_path)).ontologies[0]
    owl.write(shipped, mine / "storms.ttl")
    (mine / "t.toml").write_text(
        'name = "t"\nlabel = {zh = "台风", en = "typhoon"}\nontologies = ["storms.ttl"]\n'
        '[[words]]\nweight = 1.0\nzh = ["台风"]\n',
        encoding="utf-8",
    )
    found = topics.load(str(mine / "t.toml"), _space(tmp_path)).ontologies
    assert [o.iri for o in found] == [shipped.iri]
    (mine / "storms.ttl").unlink()
    without = topics.load(str(mine / "t.toml"), _space(tmp_path))
    with pytest.raises(UsageError, match=r"storms\.ttl is neither in"):
        _ = without.levels


AURA = """# Wait 60 seconds before connecting using these details
NEO4J_URI=neo4j+s://abc.databases.neo4j.io
NEO4J_USERNAME=neo4j
NEO4J_PASSWORD='p=w#1'
AURA_INSTANCEID=abc
"""


def test_a_credentials_file_of_aura(tmp_path: Path) -> None:
    (tmp_path / "aura.txt").write_text(AURA, encoding="utf-8")
    (tmp_path / config.FILE).write_text('[graph]\ncredentials = "aura.txt"\ndatabase = "mine"\n', encoding="utf-8")
    graph = config.load(tmp_path, {}).graph
    assert (graph.uri, graph.password, graph.database) == ("neo4j+s://abc.databases.neo4j.io", "p=w#1", "mine")
    assert "p=w#1" not in repr(graph)
    assert config.load(tmp_path, {"NEO4J_URI": "bolt://here"}).graph.uri == "bolt://here"
    assert config.load(None, {"NEO4J_CREDENTIALS": str(tmp_path / "aura.txt")}).graph.password == "p=w#1"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("NEO4J_URI neo4j+s://x", "line 1: expected NAME=VALUE"),
        ("NEO4J_URI=bolt://x\n\nNEO4J_PASWORD=secret", "line 3: 'NEO4J_PASWORD' is none of NEO4J_URI"),
        ("NEO4J_PASSWORD=secret", "no line NEO4J_URI"),
    ],
)
def test_a_broken_credentials_file_names_the_line_and_no_secret(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "c.txt"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UsageError, match=message) as caught:
        config.load(None, {"NEO4J_CREDENTIALS": str(path)})
    assert "secret" not in str(caught.value)
    with pytest.raises(UsageError, match=r"nowhere.txt cannot be read"):
        config.load(None, {"NEO4J_CREDENTIALS": str(tmp_path / "nowhere.txt")})


def _option_of_the_command(name: str) -> Any:
    return next(p for p in Deferred("crawl run", *COMMANDS["crawl run"]).command().params if p.name == name)


@pytest.mark.parametrize("section", [CrawlSettings, CrawlOptions, RoundsSettings])
def test_an_option_of_a_crawl_is_one_of_the_command_as_it_is_declared(section: type[Section]) -> None:
    for name, one in declared(section).items():
        option = _option_of_the_command(name)
        assert one.en and re.search("[\u4e00-\u9fff]", one.zh) and one.panel in PANELS
        assert option.opts == [one.flag] and option.rich_help_panel == one.panel
        assert option.help and option.help[1:].startswith(one.en[1:])


def test_zero_is_given_and_an_absent_option_is_not() -> None:
    typed = {"limit_pages": 0, "threshold": 0.0, "scripts": False, "strict_filter": True, "host": [], "judge": None}
    assert crawl_options.given(CrawlSettings, typed) == {"limit_pages": 0, "threshold": 0.0, "strict_filter": True}
    assert crawl_options.given(CrawlOptions, {"graph": True, "cookies": False, "run": "r"}) == {
        "graph": False, "run": "r",
    }  # fmt: skip


@pytest.mark.parametrize("name", declared(CrawlSettings))
def test_a_setting_of_a_crawl_is_declared_once(name: str, tmp_path: Path) -> None:
    """A field of the settings is known wherever an option of a crawl is: nothing else has to be written for it."""
    one = declared(CrawlSettings)[name]
    assert (name in crawl_request.FIELDS) != one.is_local
    assert name in inspect.signature(ontocrawl.crawl).parameters
    assert f"\n    {name}: " in (inspect.getdoc(ontocrawl.crawl) or "")
    value = getattr(CrawlSettings(), name)
    if value is not None:
        (tmp_path / config.FILE).write_text(tomli_w.dumps({"crawl": {name: value}}), encoding="utf-8")
        assert getattr(config.load(tmp_path, {}).crawl, name) == value
    page = (Path(__file__).resolve().parents[2] / "docs" / "commands.md").read_text(encoding="utf-8")
    assert re.search(rf"^\| `{name}` \| .* \| .*{re.escape(one.en)} \| {one.since} \|$", page, re.MULTILINE)
