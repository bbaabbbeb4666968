"""The image: its page shows the steps of the Dockerfile, and its files keep what docs/operate.md promises."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from ontocrawl.explorer import access
from tools import image, printed

ROOT = image.ROOT
DOCKER = ROOT / "docker"
PAGE = image.PAGE.read_text(encoding="utf-8")
DOCKERFILE = image.DOCKERFILE.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def compose() -> dict[str, Any]:
    yaml = pytest.importorskip("yaml")
    return dict(yaml.safe_load((DOCKER / "compose.yaml").read_text(encoding="utf-8")))


def test_the_page_shows_a_build_by_the_steps_of_the_dockerfile() -> None:
    shown = [line for line in PAGE.splitlines() if re.match(r"\[\d/\d\] STEP ", line)]
    assert shown == [printed.cut(step) for step in image.steps(DOCKERFILE)], "run python -m tools.image"


def test_the_page_shows_a_run_without_rights() -> None:
    options = " ".join(image.RULES)
    for option in ("--read-only", "--cap-drop=all", "--security-opt=no-new-privileges", "--tmpfs=/tmp:", "noexec"):
        assert option in options
    assert PAGE.count(f"$ podman run {options} ..") == 2
    for seen in (
        "as user 10001, group 10001",
        "capabilities: 0000000000000000, at most 0000000000000000; no new privileges: 1",
        "/ is mounted ro\n",
        "GET /health without the token: 200",
        "GET /api/crawls without the token: 401",
        "GET /api/crawls with the token: 200",
        "consistent (hermit)",
        "Report: /data/demo/report.html",
        "\nfiles: compared\nhealthy\n",  # the engine ended in order with the container of the demo
    ):
        assert seen in PAGE


def test_the_image_runs_as_a_user_with_a_fixed_number_and_one_volume() -> None:
    last = [step.partition(": ")[2] for step in image.steps(DOCKERFILE) if step.startswith("[2/2]")]
    assert "USER 10001:10001" in last and last.index("USER 10001:10001") < last.index("WORKDIR /data")
    assert [step for step in last if step.startswith("VOLUME")] == ["VOLUME /data"]
    assert any(step.startswith("HEALTHCHECK") and "/health" in step for step in last)


def test_the_build_reads_what_is_in_the_wheel_and_no_more() -> None:
    copied = {name for line in re.findall(r"^COPY (?!-)(.*) \S+$", DOCKERFILE, re.MULTILINE) for name in line.split()}
    copied |= set(re.findall(r"^COPY --chmod=\d+ (\S+)", DOCKERFILE, re.MULTILINE))
    allowed = {line[2:] for line in (DOCKER / "Dockerfile.dockerignore").read_text().splitlines() if line[:2] == "!/"}
    assert copied == allowed
    wheel = re.search(r"^packages = \[(.*)\]$", (ROOT / "pyproject.toml").read_text(encoding="utf-8"), re.MULTILINE)
    assert wheel and set(re.findall(r'"(\w+)"', wheel[1])) == {name for name in copied if (ROOT / name).is_dir()}


def test_images_have_versions_and_neo4j_that_of_the_tests(compose: dict[str, Any]) -> None:
    tags = {name: service["image"].partition(":")[2] for name, service in compose["services"].items()}
    assert all(tag and tag != "latest" for tag in tags.values())
    pom = (ROOT / "tests" / "kg" / "neo4j" / "pom.xml").read_text(encoding="utf-8")
    [tested] = re.findall(r"<neo4j.version>(.*)</neo4j.version>", pom)
    assert tags["neo4j"] == f"{tested}-community"


def test_services_have_no_rights_and_their_secrets_in_files(compose: dict[str, Any]) -> None:
    for service in compose["services"].values():
        assert service["cap_drop"] == ["ALL"] and service["security_opt"] == ["no-new-privileges:true"]
        assert not service.get("privileged") and not re.search("password", str(service), re.IGNORECASE)
    explorer = compose["services"]["explorer"]
    assert explorer["read_only"] is True and explorer["volumes"] == ["workspace:/data"]
    assert all(port.startswith("127.0.0.1:") for port in explorer["ports"])
    assert "ports" not in compose["services"]["neo4j"]
    assert explorer["depends_on"] == {"neo4j": {"condition": "service_healthy"}}
    assert tuple(explorer["command"]) == image.EXPLORE  # what the image is run with by tools/image.py
    assert explorer["tmpfs"] == [next(rule.partition("=")[2] for rule in image.RULES if rule.startswith("--tmpfs"))]


def test_the_secrets_are_those_of_the_compose_file(compose: dict[str, Any], tmp_path: Path) -> None:
    script = tmp_path / "secrets.sh"
    script.write_bytes((DOCKER / "secrets.sh").read_bytes())
    assert subprocess.run(["sh", str(script)], check=False).returncode == 0
    folder = tmp_path / "secrets"
    assert {f"secrets/{path.name}" for path in folder.iterdir()} == {one["file"] for one in compose["secrets"].values()}
    assert folder.stat().st_mode & 0o777 == 0o700
    access.token_of(folder / "explorer_token")
    password = (folder / "neo4j_auth").read_text().strip().removeprefix("neo4j/")
    assert len(password) == 48 and f"NEO4J_PASSWORD={password}\n" in (folder / "neo4j_credentials").read_text()
    assert subprocess.run(["sh", str(script)], capture_output=True, check=False).returncode == 1  # they are kept


@pytest.mark.parametrize("name", ["entrypoint.sh", "secrets.sh"])
def test_scripts_are_shell(name: str) -> None:
    assert subprocess.run(["sh", "-n", str(DOCKER / name)], check=False).returncode == 0
