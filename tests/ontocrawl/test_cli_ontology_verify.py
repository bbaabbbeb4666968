"""`ontocrawl ontology build --verify-with`: end to end on the bundled sample, against a server with made-up answers.

The answers are made up: this shows how a model is asked and what comes of its answers, not whether they are right.
"""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path

import pytest

from ontocrawl.errors import DEPENDENCY, USAGE
from ontocrawl.versions.chat_endpoint import KEY
from tests.ontocrawl.chat_server import Asked, ChatServer, Reply, answers, completion, serving
from tests.ontocrawl.conftest import Command, CommandResult

SAMPLE = Path(str(files("ontocrawl") / "sample" / "abstracts.txt"))
URL = "http://localhost:1/v1"
SECRET = "k-12345-secret"


@pytest.fixture(autouse=True)
def _environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)
    monkeypatch.setenv(KEY, SECRET)


def build(command: Command, server: ChatServer, out: Path, *options: str) -> CommandResult:
    model = ("--verify-with", server.url, "--verify-model", "m1")
    topic = ("--topic", "storm", "--label", "zh=暴雨灾害,en=rainstorm disaster")
    return command("ontology", "build", "--corpus", SAMPLE, "--out", out, *topic, "--json", *model, *options)


def by_the_menu(asked: Asked, number: int) -> Reply:
    """Place the first term of each request under the first class of the menu, and veto the first head."""
    first = asked.questions[0]
    if asked.kind == "confirm":
        return answers(asked, lambda question: "no" if question == first else "yes")
    head = next(choice for choice in asked.menu if choice not in asked.questions)
    return answers(asked, lambda question: head if question == first else "none")


@pytest.mark.slow
def test_a_build_asks_places_vetoes_and_asks_nothing_twice(command: Command, tmp_path: Path) -> None:
    with serving(by_the_menu) as server:
        first = build(command, server, tmp_path / "out")
        assert first.code == 0, first.err
        sent = len(server.requests)
        assert {asked.kind for asked in server.requests} == {"place", "confirm"}
        assert all(asked.headers["authorization"] == f"Bearer {SECRET}" for asked in server.requests)
        again = build(command, server, tmp_path / "out")
        assert (again.code, len(server.requests)) == (0, sent)
    figures = first.json["verification"]
    assert figures["model"] == "m1"
    assert figures["placed"] > 0 and figures["vetoed"] > 0 and figures["none"] > 0
    assert (figures["requests"], figures["tokens"], figures["refused"]) == (sent, 100 * sent, 0)
    known = again.json["verification"]
    assert (known["requests"], known["tokens"], known["cached"]) == (0, 0, known["questions"])
    assert again.json["version"] == first.json["version"]
    announced = re.search(rf"m1 at {server.url[7:-3]}: (\d+) questions in \d+ requests, about [\d,]+ tokens", first.err)
    assert announced is not None and 0 < int(announced[1]) <= figures["questions"]  # vetoes leave further ones
    text = "".join(path.read_text("utf-8") for path in (tmp_path / "out").glob("*.*"))
    assert "verified by m1" in text
    assert SECRET not in text + first.out + first.err


@pytest.mark.slow
def test_without_the_option_nothing_is_asked(command: Command, tmp_path: Path) -> None:
    topic = ("--topic", "storm", "--label", "zh=暴雨灾害,en=rainstorm disaster")
    found = command("ontology", "build", "--corpus", SAMPLE, "--out", tmp_path / "out", *topic, "--json")
    assert (found.code, found.json["verification"]) == (0, None)
    assert not (tmp_path / "out" / "verified.jsonl").exists()


@pytest.mark.slow
def test_the_limit_of_tokens_stops_before_the_first_request(command: Command, tmp_path: Path) -> None:
    with serving(by_the_menu) as server:
        found = build(command, server, tmp_path / "out", "--verify-tokens", "50")
        assert (found.code, server.requests) == (USAGE, [])
    assert "the limit is 50: raise it with --verify-tokens N, or lower the number of terms" in " ".join(
        found.err.split()
    )
    assert not (tmp_path / "out").exists()


@pytest.mark.slow
def test_a_build_goes_on_after_a_server_that_failed(command: Command, tmp_path: Path) -> None:
    with serving(lambda asked, n: by_the_menu(asked, n) if n < 2 else Reply({"error": "no such key"}, 401)) as server:
        found = build(command, server, tmp_path / "out")
        assert found.code == DEPENDENCY
        assert f"does not accept the key in {KEY} (status 401); it says: no such key" in " ".join(found.err.split())
        assert SECRET not in found.err
        answered = {question for asked in server.requests[:2] for question in asked.questions}
    with serving(by_the_menu) as server:
        assert build(command, server, tmp_path / "out").code == 0
        assert not answered & {question for asked in server.requests for question in asked.questions}


@pytest.mark.slow
def test_answers_outside_of_the_menu_are_counted_and_change_nothing(command: Command, tmp_path: Path) -> None:
    with serving(lambda asked, _: answers(asked, lambda question: "all of them")) as server:
        found = build(command, server, tmp_path / "out")
    assert found.code == 0
    figures = found.json["verification"]
    assert (figures["refused"], figures["placed"], figures["vetoed"]) == (figures["questions"], 0, 0)


@pytest.mark.slow
def test_a_model_that_only_talks(command: Command, tmp_path: Path) -> None:
    with serving(lambda *_: Reply(completion("Certainly! Here is my answer."))) as server:
        found = build(command, server, tmp_path / "out")
    assert found.code == 0
    figures = found.json["verification"]
    assert (figures["unanswered"], figures["placed"]) == (figures["questions"], 0)
    assert "questions without an answer" in " ".join(found.json["notes"])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--verify-model", "m"), "--verify-model is used with --verify-with"),
        (("--verify-with", URL), f"give the model with --verify-model NAME; {URL}/models"),
        (
            ("--verify-with", "localhost:1", "--verify-model", "m"),
            "--verify-with localhost:1: expected a base URL such",
        ),
        (("--verify-with", URL, "--verify-model", "m", "--reading", "published"), "--reading evidence"),
    ],
)
def test_wrong_options(command: Command, tmp_path: Path, options: tuple[str, ...], message: str) -> None:
    found = command("ontology", "build", "--corpus", SAMPLE, "--out", tmp_path / "out", *options)
    assert found.code == USAGE
    assert message in " ".join(found.err.split())


@pytest.mark.slow
def test_a_server_elsewhere_is_named_before_it_is_asked(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The name cannot exist: nothing is sent."""
    host = f"{'x' * 64}.example"
    model = ("--verify-with", f"http://{host}/v1", "--verify-model", "m1", "--topic", "rainstorm")
    found = command("ontology", "build", "--corpus", SAMPLE, "--out", tmp_path / "out", *model)
    err = " ".join(found.err.split())
    assert f"terms and classes of the corpus are sent to {host}; no sentences, titles or abstracts" in err
    assert f"the key is sent to {host} without encryption" in err
    assert found.code == DEPENDENCY and SECRET not in err
