"""The embedded engine's Java process: its command, its health check, its end. Needs only the standard library.

The package arcadedb-embedded contains a Java runtime; importing it would start a Java machine inside Python, so its
files are only located and run as a child process of the supervisor. Its options are in an argument file that only the
owner can read, because other users of the machine can read a command line.
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
import http.client
import importlib.util
import json
import os
import re
import secrets
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path

from kg.engine.files import EngineFolder, EngineState, write_private
from kg.store import StoreError, StoreUnavailable

DATABASE = "g"
_ANALYZER = "org.apache.lucene.analysis.cjk.CJKAnalyzer"
_INDEXING_SECONDS = 600.0
_ACCOUNT_SECONDS = 60.0
"""The engine hashes a password at length, which takes a busy computer more than the five seconds of other requests."""
_EXISTS = "already exists"
USER = "root"
READER = "reader"
"""An account of the engine that can only read; ``reading_password`` is its password."""
ORDERLY = (0, 143, -15)
"""Exit codes of an engine that was terminated on request."""
_OPTIONS = (
    "-XX:+UseSerialGC",
    # The thread of such a query ends without an answer, and its client would wait for ever.
    "-XX:+ExitOnOutOfMemoryError",
    "--enable-native-access=ALL-UNNAMED",
    "--sun-misc-unsafe-memory-access=allow",
    "--add-opens=java.base/java.util.concurrent.atomic=ALL-UNNAMED",
    "--add-opens=java.base/java.nio.channels.spi=ALL-UNNAMED",
    # Relative to the working directory, so that no character of the folder's name passes through Java's options.
    "-Darcadedb.server.rootPath=.",
    "-Darcadedb.server.databaseDirectory=databases",
    # Production mode returns "check the server log" for every wrong query; its other settings are set here.
    "-Darcadedb.server.mode=development",
    "-Darcadedb.txWalFlush=1",
    "-Darcadedb.opencypher.loadCsv.allowFileUrls=false",
    "-Darcadedb.opencypher.loadCsv.allowRemoteUrls=false",
    "-Darcadedb.serverMetrics=false",
    # A query that waits for others is in no list of running ones: it could not be ended, and begins when its client is
    # gone. Each connection has a thread anyway, and the memory of all queries together has a limit of its own.
    "-Darcadedb.queryMaxConcurrent=0",
    # Nobody else changes its accounts, and a reload at the moment in which one is made could lose it.
    "-Darcadedb.server.reloadEvery=2000000000",
    "-Darcadedb.server.plugins=Bolt:com.arcadedb.bolt.BoltProtocolPlugin",
    "-Darcadedb.bolt.host=127.0.0.1",
    "-Darcadedb.server.httpIncomingHost=127.0.0.1",
    f"-Darcadedb.server.defaultDatabases={DATABASE}[{USER}]",
)
_EVERY_RECORD = ("createRecord", "readRecord", "updateRecord", "deleteRecord")
_EVERY_SETTING = ("updateSecurity", "updateSchema", "updateDatabaseSettings")


def _group(settings: Sequence[str], records: Sequence[str]) -> dict[str, object]:
    types = {"*": {"access": list(records)}}
    return {"resultSetLimit": -1, "readTimeout": -1, "access": list(settings), "types": types}


_GROUPS = {"admin": _group(_EVERY_SETTING, _EVERY_RECORD), READER: _group((), ("readRecord",)), "*": _group((), ())}
"""What the accounts of a group may do. The first and the last are the engine's own."""
_FOREIGN_OPTIONS = ("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS", "CLASSPATH")


def package_folder() -> Path:
    """Return the folder of the engine's package; raise StoreUnavailable if it is not installed."""
    spec = importlib.util.find_spec("arcadedb_embedded")
    if spec is None or not spec.submodule_search_locations:
        raise StoreUnavailable("engine.embedded_graph_engine_not")
    return Path(next(iter(spec.submodule_search_locations)))


def package_version() -> str:
    """Return the version of the engine's package; raise StoreUnavailable if it is not installed."""
    package_folder()
    return metadata.version("arcadedb-embedded")


def launch(folder: EngineFolder, memory: int, options: Sequence[str]) -> tuple[subprocess.Popen[bytes], EngineState]:
    """Start the engine on free loopback ports with a new password, and write its state, which is not ready yet.

    Args:
        folder: the data folder.
        memory: largest heap of the engine, in MB. A query may use half of it.
        options: options of Java besides those of every engine.
    """
    java, classes = _java(), _classes()
    bolt, web = _free_ports()
    password = secrets.token_urlsafe(24)
    folder.data.mkdir(mode=0o700, exist_ok=True)
    config = folder.data / "config"
    config.mkdir(mode=0o700, exist_ok=True)
    # Without this file the engine makes its root user anew, with the password of this start.
    (config / "server-users.jsonl").unlink(missing_ok=True)
    write_private(_groups(folder), json.dumps({"databases": {"*": {"groups": _GROUPS}}, "version": 2}))
    heap = f"-Xmx{memory}m"
    cached = _cache_options(bolt)
    ports = (f"-Darcadedb.bolt.port={bolt}", f"-Darcadedb.server.httpIncomingPort={web}")
    secret = f"-Darcadedb.server.rootPassword={password}"
    arguments = folder.arguments(bolt)
    given = (heap, *cached, *_OPTIONS, *options, *ports, secret, *classes)
    write_private(arguments, "\n".join(map(quoted, given)) + "\n")
    with folder.open_log(fresh=True) as log:
        process = subprocess.Popen(  # noqa: S603 - the package's own Java, found by import
            [str(java), f"@{Path('..') / arguments.name}"],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            cwd=folder.data,
            env=_environment(),
        )
    started = datetime.now(UTC).isoformat(timespec="seconds")
    state = EngineState(bolt, web, password, process.pid, os.getpid(), started, package_version(), ready=False)
    folder.write_state(state)
    return process, state


def create_reader(state: EngineState) -> None:
    """Create the account that can only read, on an engine that has just become ready.

    Args:
        state: the engine.

    Raises:
        StoreError: the engine refuses; the message is the engine's.
    """
    account = {"name": READER, "password": reading_password(state), "databases": {DATABASE: [READER]}}
    command = {"command": f"create user {json.dumps(account)}"}
    status, reply = request(state, "POST", "/api/v1/server", command, _ACCOUNT_SECONDS)
    if status != 200:
        raise StoreError("engine.embedded_engine_does_not", reader=READER, status=status, decode=reply.decode())


def reading_password(state: EngineState) -> str:
    """Return the password of the account that can only read; it does not show that of the other one."""
    return hashlib.sha256(f"{READER} {state.password}".encode()).hexdigest()


def has_reader(folder: EngineFolder) -> bool:
    """Return whether the engine of a folder was started with accounts that can only read (since version 1.0.1)."""
    try:
        return READER in json.loads(_groups(folder).read_bytes())["databases"]["*"]["groups"]
    except (FileNotFoundError, ValueError, KeyError, TypeError):
        return False


def _java() -> Path:
    return package_folder() / "jre" / "bin" / ("java.exe" if sys.platform == "win32" else "java")


def _classes() -> tuple[str, str, str]:
    return "-cp", f"{package_folder() / 'jars'}{os.sep}*", "com.arcadedb.server.ArcadeDBServer"


def _groups(folder: EngineFolder) -> Path:
    return folder.data / "config" / "server-groups.json"


def quoted(argument: str) -> str:
    """Return one argument as a line of a Java argument file."""
    return '"' + argument.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _environment() -> dict[str, str]:
    env = {name: value for name, value in os.environ.items() if name not in _FOREIGN_OPTIONS}
    if sys.platform.startswith("linux"):
        # Java cannot open files whose names are not ASCII under the locale "C".
        env["LC_ALL"] = "C.UTF-8"
    return env


def _free_ports() -> tuple[int, int]:
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(2)]
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        first, second = (int(one.getsockname()[1]) for one in sockets)
    return first, second


# ---- a cache of the engine's classes, with which its start takes half of the time (JEP 483)
#
# The first engine of an installation records what it loads, Java makes the cache of it after that engine has ended, and
# all later ones of this user read it. Java ignores a cache of another Java or of other jars.


_CACHES_SINCE = 25
"""First Java whose cache is used."""
_KEPT_DAYS = 30
"""After how many days the cache of another installation is removed; one that is used again is made again."""


def class_cache() -> Path | None:
    """Return the file of the cache, which may not be there; None where this Java or the user's folder allows none."""
    package, release = package_folder(), _java().parents[1] / "release"
    version = re.search(r'JAVA_VERSION="(\d+)', release.read_text(encoding="utf-8")) if release.exists() else None
    jars = sorted((jar.name, jar.stat().st_mtime_ns) for jar in (package / "jars").iterdir())
    name = f"engine-{hashlib.sha256(f'{package} {jars}'.encode()).hexdigest()[:16]}.aot"
    file = Path(_user_caches(), "ontocrawl", name)
    usable = file.is_absolute() and str(file).isascii()
    return file if usable and version and int(version[1]) >= _CACHES_SINCE else None


def _user_caches() -> str:
    """Return the folder of the user's caches; a relative path where the user has no home."""
    if sys.platform == "win32":
        return os.environ.get("LOCALAPPDATA", "")
    home = "~/Library/Caches" if sys.platform == "darwin" else "~/.cache"
    return os.environ.get("XDG_CACHE_HOME") or os.path.expanduser(home)  # noqa: PTH111 - it does not fail without a home


def _recording(cache: Path, port: int) -> Path:
    """Return the file in which the engine of a port records what the cache is to be made of."""
    return cache.with_name(f"{cache.stem}-{port}.recorded")


def _cache_options(port: int) -> tuple[str, ...]:
    """Return the options by which an engine reads the cache, or records for it; none where it cannot be written."""
    if (cache := class_cache()) is None:
        return ()
    if cache.exists():
        return (f"-XX:AOTCache={cache}",)
    with contextlib.suppress(OSError):  # Java says in the log that it cannot write there
        cache.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    return "-XX:AOTMode=record", f"-XX:AOTConfiguration={_recording(cache, port)}"


def make_class_cache(state: EngineState) -> None:
    """Make the cache of what an engine that has ended in good order recorded; otherwise do nothing.

    Args:
        state: the engine.
    """
    cache = class_cache()
    if cache is None or not (recorded := _recording(cache, state.bolt_port)).exists():
        return
    new = recorded.with_suffix(".new")
    files = f"-XX:AOTConfiguration={recorded}", f"-XX:AOTCache={new}"
    command = [str(_java()), "-XX:AOTMode=create", *files, *_OPTIONS, *_classes()]
    made = subprocess.run(command, capture_output=True, text=True, check=False, env=_environment())  # noqa: S603
    recorded.unlink(missing_ok=True)
    if made.returncode:
        sys.stderr.write(f"no cache of the engine's classes was made: {made.stdout[-2_000:]}{made.stderr[-2_000:]}\n")
        new.unlink(missing_ok=True)
        return
    new.replace(cache)
    for other in cache.parent.glob("engine-*"):
        if other != cache and time.time() - other.stat().st_mtime > _KEPT_DAYS * 86_400:
            other.unlink(missing_ok=True)


def forget_class_cache() -> bool:
    """Remove the cache, with which an engine did not start; return whether there was one."""
    cache = class_cache()
    if cache is None or not cache.exists():
        return False
    cache.unlink(missing_ok=True)
    return True


# ---- over its HTTP port: health and an orderly end, on every system, by whoever knows the password


def is_ready(state: EngineState) -> bool:
    """Return whether the engine responds on its port, accepts this state's password, and has opened the database."""
    status, body = request(state, "GET", "/api/v1/databases")
    return status == 200 and DATABASE in json.loads(body).get("result", ())


def check_database(state: EngineState, seconds: float) -> dict[str, object]:
    """Run the engine's own check of its database, which changes nothing.

    Args:
        state: a running engine.
        seconds: time limit.

    Returns:
        The engine's report by name of its figures and lists.

    Raises:
        StoreUnavailable: there was no answer in time.
        StoreError: the engine could not check the database; the message is the engine's.
    """
    rows = _sql(state, "CHECK DATABASE", seconds)
    return dict(rows[0]) if rows else {}


def backup_database(state: EngineState, name: str, seconds: float) -> None:
    """Let an engine write its database, as of one committed transaction, to ``backups/g/NAME`` of its own folder.

    Other connections go on reading and writing meanwhile.

    Args:
        state: a running engine.
        name: name of a new ZIP file.
        seconds: time limit.

    Raises:
        StoreUnavailable: there was no answer in time.
        StoreError: the engine refuses; the message is the engine's.
    """
    _sql(state, f"BACKUP DATABASE file://{name}", seconds)


def end_stranger(folder: EngineFolder, state: EngineState) -> None:
    """End an engine that is not a child of this process: by its shutdown command, or else by its process number.

    Process numbers are reused, so that a process is killed only if its command line names our argument file and its
    working directory is ours (if the system reports it); on Windows there is only the shutdown command.

    Args:
        folder: the data folder.
        state: the engine.
    """
    deadline = time.monotonic() + 20.0
    status, _ = request(state, "POST", "/api/v1/server", {"command": "shutdown"})
    while status == 200 and time.monotonic() < deadline:
        if not is_ours(folder, state) and request(state, "GET", "/api/v1/ready")[0] == 0:
            return
        time.sleep(0.05)
    if sys.platform != "win32" and is_ours(folder, state):
        os.kill(state.java_pid, signal.SIGKILL)
        while is_ours(folder, state) and time.monotonic() < deadline + 5:
            time.sleep(0.05)


def create_full_text_index(state: EngineState, label: str, name: str) -> None:
    """Create a full-text index on a property of a label; its name is ``label[name]``. An existing one is left alone.

    The engine's Cypher has no statement for it, its SQL has. Queries use it by `db.index.fulltext.queryNodes`, as on
    Neo4j, and the analyzer is the one that Neo4j calls "cjk".

    Args:
        state: a running engine.
        label: the label; its nodes are indexed at once if there are any.
        name: the property, a text.

    Raises:
        StoreError: the engine refuses, or does not answer.
    """
    commands = (
        f"CREATE VERTEX TYPE {label} IF NOT EXISTS",
        f"CREATE PROPERTY {label}.{name} IF NOT EXISTS STRING",
        f'CREATE INDEX IF NOT EXISTS ON {label} ({name}) FULL_TEXT METADATA {{"analyzer": "{_ANALYZER}"}}',
    )
    for command in commands:
        try:
            _sql(state, command, _INDEXING_SECONDS)
        except StoreUnavailable:
            raise
        except StoreError as error:
            if _EXISTS not in str(error):  # else another command, started at the same moment, was first
                raise


def _sql(state: EngineState, command: str, seconds: float) -> list[dict[str, object]]:
    """Run a command in the engine's SQL and return its rows; StoreUnavailable without an answer, StoreError if refused.

    Only what its Cypher lacks is done in SQL.
    """
    body = {"language": "sql", "command": command}
    status, reply = request(state, "POST", f"/api/v1/command/{DATABASE}", body, seconds)
    if status == 0:
        raise StoreUnavailable("engine.embedded_engine_ended_during", command=command, seconds=seconds)
    answer = json.loads(reply)
    if status != 200:
        raise StoreError(
            "engine.embedded_engine_refuses", command=command, detail=answer.get("detail") or answer.get("error")
        )
    return list(answer["result"])


def request(state: EngineState, method: str, path: str, body: object = None, seconds: float = 5.0) -> tuple[int, bytes]:
    """Return status and body of a response of an engine; status 0 if there is none.

    Args:
        state: the engine.
        method: GET or POST.
        path: path of the address.
        body: what to send, as JSON; nothing if it is empty.
        seconds: time limit.
    """
    login = base64.b64encode(f"{USER}:{state.password}".encode()).decode()
    headers = {"Authorization": f"Basic {login}", "Content-Type": "application/json"}
    connection = http.client.HTTPConnection("127.0.0.1", state.http_port, timeout=seconds)
    try:
        connection.request(method, path, json.dumps(body) if body else None, headers)
        answer = connection.getresponse()
        return answer.status, answer.read()
    except (OSError, http.client.HTTPException):
        return 0, b""
    finally:
        connection.close()


def is_ours(folder: EngineFolder, state: EngineState) -> bool:
    """Return whether the Java of a state runs: its process number, with our argument file in its command line.

    The working directory is compared too if /proc exists. Windows reports neither.

    Args:
        folder: the data folder.
        state: the engine.
    """
    shown = ""
    if sys.platform != "win32":
        shown = _command_line(folder, state.java_pid)
    return f"@{Path('..') / folder.arguments(state.bolt_port).name}" in shown


def _command_line(folder: EngineFolder, pid: int) -> str:
    """Return the command line of a process in our data folder (if the system reports that); "" if there is none."""
    if Path("/proc/self/cmdline").exists():
        process = Path(f"/proc/{pid}")
        try:
            shown = (process / "cmdline").read_bytes().decode(errors="replace")
            return shown if (process / "cwd").resolve() == folder.data.resolve() else ""
        except OSError:
            return ""
    command = ["/bin/ps", "-ww", "-o", "command=", "-p", str(pid)]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout  # noqa: S603 - nothing is input
