"""When the tests on a real Neo4j run, are skipped, and fail."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from . import neo4j_server


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ONTOCRAWL_TEST_NEO4J", str(tmp_path))
    monkeypatch.setattr(neo4j_server, "_missing", lambda: None)
    return tmp_path


def test_jars_that_are_there_are_used(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (cache / "lib").mkdir()
    (cache / "lib" / "neo4j-5.26.11.jar").touch()
    monkeypatch.setattr(shutil, "which", lambda _: None)
    assert neo4j_server.jars() == cache / "lib"


@pytest.mark.parametrize("required", [False, True])
def test_without_java_or_maven(required: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REQUIRE_NEO4J", "1" if required else "0")
    outcome = pytest.fail.Exception if required else pytest.skip.Exception
    with monkeypatch.context() as patch:
        patch.setattr(neo4j_server, "_missing", lambda: "Java is not installed")
        with pytest.raises(outcome, match="Java is not installed"):
            neo4j_server.jars()
    monkeypatch.setattr(shutil, "which", lambda _: None)
    with pytest.raises(outcome, match=r"Maven \(mvn\) is not installed"):
        neo4j_server.jars()
