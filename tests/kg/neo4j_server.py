"""A real Neo4j 5.26 Community server for the tests, without Docker: its jars by Maven, run by the machine's Java.

The jars (116 MB) are kept in ``.neo4j/lib`` at the project's root, or in the folder that ONTOCRAWL_TEST_NEO4J names.
Where they are missing Maven fetches them, once. A test that needs them is skipped with the reason where that can't be;
with REQUIRE_NEO4J=1 it fails.
"""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

import neo4j
import pytest

ROOT = Path(__file__).resolve().parents[2]
_POM = Path(__file__).parent / "neo4j" / "pom.xml"
_COPY = "org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy-dependencies"
FIRST_COMPILER = "-XX:TieredStopAtLevel=1"
"""Java's second compiler costs a server of the tests, which ends soon, more than it gives: a third of its start."""
_JAVA_OPTIONS = (
    "-Xms256m",
    "-Xmx1g",
    "-XX:-OmitStackTraceInFastThrow",  # as in the neo4j.conf of a package: an error without a text is never answered
    "-XX:+UseSerialGC",
    FIRST_COMPILER,
    "-Dio.netty.tryReflectionSetAccessible=true",
    "-Dlog4j2.disable.jmx=true",
    "--add-opens=java.base/java.nio=ALL-UNNAMED",
    "--add-opens=java.base/java.io=ALL-UNNAMED",
    "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
    "--enable-native-access=ALL-UNNAMED",
)
_CONF = """\
server.bolt.enabled=true
server.bolt.listen_address=127.0.0.1:{port}
server.bolt.advertised_address=127.0.0.1:{port}
server.bolt.tls_level=DISABLED
server.http.enabled=false
server.https.enabled=false
dbms.security.auth_enabled=true
dbms.usage_report.enabled=false
server.memory.pagecache.size=256m
server.directories.data=data
server.directories.logs=logs
db.tx_log.preallocate={preallocate}
"""


@dataclass(frozen=True)
class Neo4jServer:
    """A running server."""

    uri: str
    process: subprocess.Popen[bytes]
    log: Path
    auth: tuple[str, str] = ("neo4j", "only-for-tests")

    def stop(self) -> None:
        self.process.terminate()
        try:
            self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def required() -> bool:
    return os.environ.get("REQUIRE_NEO4J") == "1"


def jars() -> Path:
    """The folder with the jars; skips the test, or fails it with REQUIRE_NEO4J=1, where there is no Neo4j to run."""
    cache = Path(os.environ.get("ONTOCRAWL_TEST_NEO4J") or ROOT / ".neo4j") / "lib"
    missing = _missing()
    if missing:
        _without(missing)
    if any(cache.glob("neo4j-5.*.jar")):
        return cache
    if shutil.which("mvn") is None:
        _without("Maven (mvn) is not installed, and the jars are not here")
    return _fetch(cache)


def _missing() -> str | None:
    java = shutil.which("java")
    if java is None:
        return "Java is not installed"
    told = subprocess.run([java, "-version"], capture_output=True, text=True, check=False).stderr
    version = re.search(r'version "(\d+)', told)
    if version is None or int(version[1]) not in (17, 21):
        return f"Neo4j 5.26 needs Java 17 or 21, found {told.splitlines()[:1]}"
    return None


def _without(reason: str) -> None:
    if required():
        pytest.fail(f"REQUIRE_NEO4J=1, and no Neo4j can be started: {reason}", pytrace=False)
    pytest.skip(f"no Neo4j: {reason}")


def _fetch(cache: Path) -> Path:
    """Copy the jars; into another folder first, so that an interrupted copy is not taken for a whole one."""
    cache.parent.mkdir(parents=True, exist_ok=True)
    partial = cache.with_name(f"lib.{os.getpid()}")
    command = ["mvn", "-q", "-B", "-f", str(_POM), _COPY, "-DincludeScope=runtime", f"-DoutputDirectory={partial}"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=280)
    if done.returncode != 0:
        shutil.rmtree(partial, ignore_errors=True)
        _without(f"Maven did not bring the jars: {(done.stdout + done.stderr)[-500:]}")
    if cache.exists():
        shutil.rmtree(partial)
    else:
        partial.rename(cache)
    return cache


def start(home: Path, *, preallocate: bool = False) -> Neo4jServer:
    """A server with its data in ``home``, ready to be asked; the caller stops it.

    It reserves the space of its logs, 256 MB for each database, where it is to ``preallocate``.

    Where ``home`` has the data of an earlier one, that one comes back, at its address.
    """
    libraries = jars()
    conf = home / "conf" / "neo4j.conf"
    again = conf.exists()
    if not again:
        conf.parent.mkdir(parents=True)
        conf.write_text(_CONF.format(port=_free_port(), preallocate=str(preallocate).lower()), encoding="utf-8")
    port = int(re.findall(r"listen_address=127.0.0.1:(\d+)", conf.read_text(encoding="utf-8"))[0])
    log = home / "console.log"
    command = ["java", *_JAVA_OPTIONS, "-cp", f"{libraries}/*", "org.neo4j.server.CommunityEntryPoint"]
    with log.open("wb") as out:
        process = subprocess.Popen(
            [*command, f"--home-dir={home}", f"--config-dir={home / 'conf'}", "--console-mode"],
            stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT,
        )  # fmt: skip
    server = Neo4jServer(f"bolt://127.0.0.1:{port}", process, log)
    _await(server, port)
    if not again:
        _set_password(server)
    return server


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _set_password(server: Neo4jServer) -> None:
    """A new server's password must be changed before it answers anything else."""
    with (
        neo4j.GraphDatabase.driver(server.uri, auth=("neo4j", "neo4j")) as driver,
        driver.session(database="system") as session,
    ):
        session.run("ALTER CURRENT USER SET PASSWORD FROM 'neo4j' TO $new", new=server.auth[1]).consume()


def _await(server: Neo4jServer, port: int) -> None:
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline and server.process.poll() is None:
        if b"Started." in server.log.read_bytes():
            with socket.create_connection(("127.0.0.1", port), timeout=5):
                return
        time.sleep(0.1)
    server.stop()
    pytest.fail(f"Neo4j did not start:\n{server.log.read_text(errors='replace')[-2000:]}", pytrace=False)
