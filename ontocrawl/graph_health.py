"""`graph check`: is the graph of a workspace healthy, and if not, what leads back?

The embedded engine is stopped first if no command uses it, so that its files can be compared with what it wrote, and
are then read from the disk and not from its memory. After that the engine checks its own structures, all nodes and
relationships are read (kg.health), and runs and topics are compared with what the graph has of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from kg import health, schema
from kg.engine import embedded
from kg.engine.data import DamagedGraphError
from kg.engine.files import NewerEngineError
from kg.health import Fault, Progress, Survey
from kg.store import GraphStore, Row, StoreError, StoreUnavailable
from ontocrawl import graph_store, run_health, topic_health
from ontocrawl.graph_mending import WaysBack
from ontocrawl.graph_problems import Problem
from ontocrawl.workspace import Workspace

_LEAST_SERVER = 5
"""First version of Neo4j that has all that queries need."""
_COMPONENTS = "CALL dbms.components() YIELD name, versions RETURN name, versions"


@dataclass(frozen=True)
class Health:
    """The state of a graph."""

    engine: str
    """Address of the server, or folder of the embedded engine."""
    version: str
    """Version of the engine or the server; empty if it is not known."""
    files: str
    """compared, not compared (in use, after a crash), or of a server."""
    counts: Mapping[str, int]
    """Label or type -> number of nodes or relationships that were read."""
    problems: tuple[Problem, ...]
    remarks: tuple[Problem, ...]

    @property
    def ok(self) -> bool:
        """Whether there is no problem."""
        return not self.problems


def check(space: Workspace, progress: Progress | None = None) -> Health:
    """Check the graph of a workspace completely. It changes nothing, but stops an embedded engine that is not in use.

    Args:
        space: the workspace.
        progress: callback, called with each label and type and the number of its elements.
    """
    of_runs, unreadable = run_health.read(space)
    found = [Problem.remark("run", line) for line in unreadable]
    survey, version = Survey(), ""
    back = WaysBack(space, topic_health.of_workspace(space, of_runs, ()), tuple(run.name for run in of_runs))
    files = "of a server"
    try:
        if not space.settings.graph.uri:
            files = "damaged"  # unless the comparison says something else
            embedded.stop(space.graph, idle=True)
            files = _compared(embedded.compare_files(space.graph))
        with graph_store.store(space, migrate=False) as graph:
            version = _version(space, graph)
            ontologies, more = _structure(space, graph, back)
            found += [*_of_version(space, version, back), *more]
            survey = health.survey(graph, progress)
            back = WaysBack(space, topic_health.of_workspace(space, of_runs, ontologies), back.runs)
            found = [*_of_faults(survey.faults, back), *found]
            if not any(fault.kind in (health.UNREADABLE, health.LOST) for fault in survey.faults):
                found += run_health.compare(space, graph, survey, of_runs, back)
                found += topic_health.compare(space, survey, ontologies, back)
    except StoreError as error:
        found.append(unusable(error, back))
    changing = sorted(survey.changing)
    found += [Problem.remark("changing", f"{name} was changed meanwhile, and is not compared") for name in changing]
    problems = tuple(problem for problem in found if problem.serious)
    remarks = tuple(problem for problem in found if not problem.serious)
    return Health(engine_of(space), version, files, {**survey.nodes, **survey.edges}, problems, remarks)


def _version(space: Workspace, graph: GraphStore) -> str:
    """Return the version of the engine, or of a server that has Neo4j's procedure for it; "" for others."""
    if not space.settings.graph.uri:
        return embedded.status(space.graph).version or ""
    try:
        rows = graph.read(_COMPONENTS)
    except StoreUnavailable:
        raise
    except StoreError:
        return ""
    return next((f"{row['name']} {row['versions'][0]}" for row in rows if row["versions"]), "")


def _of_version(space: Workspace, version: str, back: WaysBack) -> Iterator[Problem]:
    number = version.rpartition(" ")[2].partition(".")[0]
    if space.settings.graph.uri and number.isdigit() and int(number) < _LEAST_SERVER:
        what = f"the server is {version}, and {_LEAST_SERVER} or later is needed"
        yield Problem("server", what, back.upgrade_server(_LEAST_SERVER))


def engine_of(space: Workspace) -> str:
    """Return where the graph of a workspace is, for people."""
    return space.settings.graph.uri or f"embedded engine in {space.graph}"


def quick(space: Workspace, graph: GraphStore) -> list[Problem]:
    """Check a graph in a second or so: keys and indexes, and a hundred nodes of each label with their relationships.

    Args:
        space: the workspace.
        graph: its open graph.
    """
    back = WaysBack(space, (), ())
    return [*_of_schema(graph, back), *_of_faults(health.sample(graph), back)]


def unusable(error: StoreError, back: WaysBack) -> Problem:
    """Return the problem of a graph that cannot be opened or read.

    Args:
        error: why it cannot.
        back: the ways back.
    """
    what = str(error)
    if isinstance(error, DamagedGraphError):
        return Problem("files", what, back.anew())
    if isinstance(error, NewerEngineError):
        return Problem("newer", what, back.upgrade())
    if back.space.settings.graph.uri:
        return Problem("unreachable", what, back.start_server())
    if isinstance(error, StoreUnavailable) and not embedded.installed():
        return Problem("unreachable", what, back.install_engine())
    return Problem("unusable", what, back.again_or_anew() if isinstance(error, StoreUnavailable) else back.anew())


def _compared(compared: bool | None) -> str:
    if compared is None:
        return "not compared: another command uses the engine, or there are none yet"
    return "compared" if compared else "not compared: the engine did not end in order after its last start"


def _structure(space: Workspace, graph: GraphStore, back: WaysBack) -> tuple[list[Row], list[Problem]]:
    """Return the ontologies in the graph, and the problems of its schema and of the engine's own structures."""
    found = list(_of_schema(graph, back))
    try:
        if not space.settings.graph.uri:
            found += [Problem("files", f"the engine's own check says: {line}", back.anew())
                      for line in embedded.check_structures(space.graph)]  # fmt: skip
        return health.ontologies(graph), found
    except StoreUnavailable:
        raise
    except StoreError as error:
        return [], [*found, Problem("unreadable", str(error), back.anew())]


def _of_schema(graph: GraphStore, back: WaysBack) -> Iterator[Problem]:
    state = schema.status(graph)
    if state.version is not None and state.version > state.expected:
        what = f"the graph has schema version {state.version}, and this ontocrawl knows {state.expected}"
        yield Problem("newer", what, back.upgrade())
        return
    if not state.current:
        has = "no version" if state.version is None else f"version {state.version}"
        what = f"the schema of the graph has {has}; version {state.expected} is expected"
        yield Problem("schema", what, back.migrate())
        return
    lacking = schema.lacking(graph)
    if lacking:
        what = f"{len(lacking)} keys or indexes are missing: {'; '.join(lacking)}"
        yield Problem("keys", what, back.migrate())


def _of_faults(faults: list[Fault], back: WaysBack) -> Iterator[Problem]:
    unreadable = [fault for fault in faults if fault.kind == health.UNREADABLE]
    if unreadable:
        elements = ", ".join(dict.fromkeys(fault.element for fault in unreadable))
        what = f"the graph cannot be read at {elements}: {unreadable[0].what}"
        yield Problem(health.UNREADABLE, what, back.anew())
    for fault in faults:
        if fault.kind == health.LOST:
            yield Problem(fault.kind, fault.what, back.anew())
        elif fault.kind == health.DOUBLED_NODES:
            yield Problem(fault.kind, fault.what, back.split_keys(fault.element))
        elif fault.kind == health.DOUBLED_EDGES:
            yield Problem(fault.kind, fault.what, back.single(fault.element))
        elif fault.kind == health.OWNERLESS and fault.element in schema.KEYS:
            yield Problem(fault.kind, fault.what, back.drop_unsupported())
        elif fault.kind == health.OWNERLESS:
            yield Problem(fault.kind, fault.what, back.disown(fault.element, fault.owner))
