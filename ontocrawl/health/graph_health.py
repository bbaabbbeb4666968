"""`graph check`: is the graph of a workspace healthy, and if not, what leads back?

The embedded engine is stopped first if no command uses it, so that its files can be compared with what it wrote, and
are then read from the disk and not from its memory. After that the engine checks its own structures, all nodes and
relationships are read (kg.health), and runs and topics are compared with what the graph has of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from pathlib import Path

from crawler.journal import graph_rows
from crawler.journal.graph_rows import RowCounts
from kg import health, load, schema, weights
from kg.engine import embedded
from kg.engine.data import DamagedGraphError
from kg.engine.files import FileLock, NewerEngineError
from kg.health import Fault, Progress, Survey
from kg.ranking import stored
from kg.store import GraphStore, Row, StoreError, StoreUnavailable
from ontocrawl.base.workspace import Workspace
from ontocrawl.errors import OntocrawlError
from ontocrawl.graph import graph_store
from ontocrawl.health.ways_back import WaysBack
from ontocrawl.runs import runs
from ontocrawl.runs.run_config import RunConfig
from ontocrawl.topics import graph_record, kept_versions, proposed, topics
from ontocrawl.topics.graph_record import Entry
from ontocrawl.topics.topics import Topic
from ontology.errors import Message, joined
from ontology.model import Ontology

# ---- a problem of a graph, with the way back


@dataclass(frozen=True)
class Problem:
    """Something that is wrong with a graph, or worth a word."""

    kind: str
    """unreachable, unusable, server, newer, files, unreadable, lost, doubled_nodes, doubled_relationships, ownerless,
    keys, schema, run, topic, by_hand or changing."""
    what: str
    mend: tuple[str, ...]
    """Commands in their order; a line that is none begins with "# "."""
    serious: bool = True
    """False for a remark, with which the graph is healthy all the same."""

    @classmethod
    def remark(cls, kind: str, what: str, mend: tuple[str, ...] = ()) -> Problem:
        """Return a remark."""
        return cls(kind, what, mend, serious=False)

    def as_json(self) -> dict[str, str]:
        """Return kind, what and mend (one command a line) as JSON values."""
        return {"kind": self.kind, "what": self.what, "mend": "\n".join(self.mend)}


# ---- `graph check`: is the graph of a workspace healthy, and if not, what leads back?


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
    of_runs, unreadable = _read_runs(space)
    found = [Problem.remark("run", line) for line in unreadable]
    survey, version = Survey(), ""
    back = WaysBack(space, _of_workspace(space, of_runs, ()), tuple(run.name for run in of_runs))
    files: str = Message("health.files_server")
    try:
        if space.graph_is_read_only:
            files = Message("health.files_read_only")
        elif not space.settings.graph.uri:
            files = Message("health.files_damaged")  # unless the comparison says something else
            embedded.stop(space.graph, idle=True)
            files = _compared(embedded.compare_files(space.graph))
        with graph_store.store(space, migrate=False) as graph:
            version = _version(space, graph)
            ontologies, more = _structure(space, graph, back)
            found += [*_of_version(space, version, back), *more]
            survey = health.survey(graph, progress)
            back = WaysBack(space, _of_workspace(space, of_runs, ontologies), back.runs)
            found = [*_of_faults(survey.faults, back), *found]
            if not any(fault.kind in (health.UNREADABLE, health.LOST) for fault in survey.faults):
                lacking = [*_absent_topics(space, graph, of_runs, ontologies, back)]
                lacking += _compare_runs(space, graph, survey, of_runs, back)
                lacking += _absent_archives(graph, back)
                lacking += _absent_proposals(space, graph, back)
                found += lacking
                found += not_repeated(space) if any(problem.serious for problem in lacking) else ()
                found += _compare_topics(space, survey, ontologies, back)
    except StoreError as error:
        found.append(unusable(error, back))
    changing = sorted(survey.changing)
    found += [Problem.remark("changing", Message("health.changing", name=name)) for name in changing]
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
        what = Message("health.old_server", version=version, least=_LEAST_SERVER)
        yield Problem("server", what, back.upgrade_server(_LEAST_SERVER))


def engine_of(space: Workspace) -> str:
    """Return where the graph of a workspace is, for people."""
    return space.settings.graph.uri or Message("health.embedded", folder=space.graph)


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
        return Message("health.files_in_use")
    return Message("health.files_compared" if compared else "health.files_after_crash")


def _structure(space: Workspace, graph: GraphStore, back: WaysBack) -> tuple[list[Row], list[Problem]]:
    """Return the ontologies in the graph, and the problems of its schema and of the engine's own structures."""
    found = list(_of_schema(graph, back))
    try:
        if not space.settings.graph.uri:
            found += [Problem("files", Message("health.engine_says", line=line), back.anew())
                      for line in embedded.check_structures(space.graph)]  # fmt: skip
        return health.ontologies(graph), found
    except StoreUnavailable:
        raise
    except StoreError as error:
        return [], [*found, Problem("unreadable", str(error), back.anew())]


def _of_schema(graph: GraphStore, back: WaysBack) -> Iterator[Problem]:
    state = schema.status(graph)
    if state.version is not None and state.version > state.expected:
        what = Message("health.newer_schema", version=state.version, expected=state.expected)
        yield Problem("newer", what, back.upgrade())
        return
    if not state.current:
        code = "health.no_schema" if state.version is None else "health.old_schema"
        what = Message(code, version=state.version, expected=state.expected)
        yield Problem("schema", what, back.migrate())
        return
    lacking = schema.lacking(graph)
    if lacking:
        what = Message("health.lacking_keys", n=len(lacking), keys="; ".join(lacking))
        yield Problem("keys", what, back.migrate())


def _of_faults(faults: list[Fault], back: WaysBack) -> Iterator[Problem]:
    unreadable = [fault for fault in faults if fault.kind == health.UNREADABLE]
    if unreadable:
        elements = ", ".join(dict.fromkeys(fault.element for fault in unreadable))
        what = Message("health.unreadable", elements=elements, what=unreadable[0].what)
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


# ---- compare the runs of a workspace with the crawls in its graph: what is missing, partly written, or of no run


@dataclass(frozen=True)
class RunOfWorkspace:
    """A run as its journal has it."""

    name: str
    config: RunConfig
    rows: RowCounts
    """What a whole projection has written."""
    busy: str
    """What a process does with it, "crawls" or "writes"; "" if nothing."""


def _read_runs(space: Workspace) -> tuple[list[RunOfWorkspace], list[str]]:
    """Read the runs of a workspace; return them, and a sentence for each that cannot be read."""
    read_runs, unreadable = list[RunOfWorkspace](), list[str]()
    for name in space.run_names():
        busy = _busy(space, name)
        try:
            with runs.open_journal(space, name) as journal, journal.at_one_moment():
                read_runs.append(RunOfWorkspace(name, runs.read_config(journal), graph_rows.row_counts(journal), busy))
        except OntocrawlError as error:
            unreadable.append(Message("health.unread_run", run=name, error=error))
    return read_runs, unreadable


def _busy(space: Workspace, name: str) -> str:
    if FileLock(space.run(name) / runs.LOCK).is_held():
        return "crawls"
    return "writes" if space.writes_into_graph(name) else ""


def _compare_runs(
    space: Workspace, graph: GraphStore, survey: Survey, of_workspace: Sequence[RunOfWorkspace], back: WaysBack
) -> Iterator[Problem]:
    """Yield what is wrong with the crawls in a graph, and remarks.

    Args:
        space: the workspace.
        graph: its open graph.
        survey: what the graph holds.
        of_workspace: the runs of the workspace, read before the survey.
        back: the ways back.
    """
    complete = health.crawls(graph)
    for run in of_workspace:
        if busy := run.busy or _busy(space, run.name):
            yield _not_compared(run, busy)
        elif run.config.run not in complete:
            yield _absent(run, back)
        else:
            what = _partly(run, graph, survey, complete)
            if what and (busy := _busy(space, run.name)):  # it began meanwhile
                yield _not_compared(run, busy)
            elif what:
                yield Problem("run", Message("health.partly", run=run.name, what=what), back.rebuild(run.name))
            elif stored.crawl_without(graph, run.config.run):
                yield Problem("run", Message("health.no_figures", run=run.name), back.rank(run.name))
    known = {run.config.run for run in of_workspace}
    for crawl in sorted(complete.keys() - known):
        if complete[crawl] is False:
            yield Problem("run", Message("health.broken_crawl", crawl=crawl), back.remove_crawl(crawl))
        else:
            yield Problem.remark("run", Message("health.foreign_crawl", crawl=crawl))


def _not_compared(run: RunOfWorkspace, busy: str) -> Problem:
    code = "health.crawled_now" if busy == "crawls" else "health.written_now"
    return Problem.remark("run", Message(code, run=run.name))


def _absent(run: RunOfWorkspace, back: WaysBack) -> Problem:
    what = Message("health.absent_run", run=run.name, pages=run.rows.pages)
    if run.config.graph:
        used = set(_of_run(back.space, run.config).keys)
        ways = (back.load(entry) for entry in back.entries if entry.what == "topic" and used & set(entry.keys))
        first = tuple(dict.fromkeys(line for lines in ways for line in lines if line.startswith("#")))
        return Problem("run", what, (*first, *back.rebuild(run.name)))
    return Problem.remark("run", Message("health.as_asked", what=what), back.rebuild(run.name))


def _partly(run: RunOfWorkspace, graph: GraphStore, survey: Survey, complete: Mapping[str, bool | None]) -> str:
    """Return what a crawl in the graph lacks of its run, or has beyond it; "" if they are equal."""
    crawl = run.config.run
    expected = {"FETCHED": run.rows.pages, "LINKS_TO": run.rows.links, "KNOWS": run.rows.known}
    counted = {kind: survey.owned[(kind, crawl)] for kind in expected}
    if counted != expected:  # or the run was written during the survey
        counted = health.crawl_rows(graph, crawl)
    wrong = [_of(counted[kind], kind, rows) for kind, rows in expected.items() if counted[kind] != rows]
    if complete[crawl] is False:
        wrong.append(Message("health.interrupted"))
    if survey.unranked[crawl] and not wrong and (pages := health.unranked(graph, crawl)):
        wrong.append(Message("health.unranked", pages=pages))
    return joined(wrong)


def _of(number: int, kind: str, expected: int) -> Message:
    return Message("health.number_of", number=number, kind=kind, expected=expected)


# ---- compare the ontologies in a graph with what was noted when they were loaded, and with the files of their topics


def _of_workspace(space: Workspace, of_runs: Sequence[RunOfWorkspace], ontologies: Sequence[Row]) -> tuple[Entry, ...]:
    """Return what the graph of a workspace should have besides runs, in the order of loading.

    Args:
        space: the workspace, with its record.
        of_runs: its runs, whose ontologies these are, also where an older ontocrawl noted none.
        ontologies: the ontologies in the graph (`kg.health.ontologies`), whose topics the workspace may have by name.
    """
    entries = [entry for entry in graph_record.read(space) if entry.comes_back]
    for run in of_runs:
        entry = _of_run(space, run.config)
        if run.config.graph and not set(entry.keys) <= {key for known in entries for key in known.keys}:
            entries.append(entry)
    known, available = {key for entry in entries for key in entry.keys}, topics.available(space)
    named = {str(row["topic"]) for row in ontologies if row["topic"] in available and row["iri"] not in known}
    return (*entries, *(Entry("topic", name, weights="", whole=True, topic=name) for name in sorted(named)))


def _of_run(space: Workspace, config: RunConfig) -> Entry:
    """Return the topic of a run as it was loaded for the run."""
    used = config.ontologies.values()
    parts = [part["version"] for entry in used for part in entry.get("joined", (entry,))]
    name = config.topic if config.topic_file is None else space.relative(Path(config.topic_file))
    keys, weights = tuple(entry["key"] for entry in used), config.crawl.weights or ""
    return Entry("topic", name, keys, tuple(dict.fromkeys(parts)), weights, whole=True, topic=config.topic)


def _absent_topics(
    space: Workspace, graph: GraphStore, of_runs: Sequence[RunOfWorkspace], ontologies: Sequence[Row], back: WaysBack
) -> Iterator[Problem]:
    """Yield the topics and files that were loaded, or that absent runs need, and that the graph lacks."""
    present, crawls = {row["iri"] for row in ontologies}, health.crawls(graph)
    absent = [run.config for run in of_runs if run.config.run not in crawls]
    needed = {key for config in absent for key in _of_run(space, config).keys}
    recorded = graph_record.read(space)
    loaded = {key for entry in recorded for key in entry.keys}
    for entry in back.entries:
        lacking = set(entry.keys) - present
        if entry.what == "file" and lacking:
            yield Problem("topic", Message("health.absent_file", name=entry.name), back.load(entry))
        elif entry.what == "topic" and lacking & (loaded | needed):  # others were removed on purpose
            what = Message("health.absent_topic", topic=entry.name, versions=", ".join(entry.versions))
            yield Problem("topic", what, back.load(entry))
        elif entry in recorded and not entry.keys and not weights.words_of(graph, entry.topic):
            yield Problem("topic", Message("health.absent_words", topic=entry.name), back.load(entry))


def _absent_archives(graph: GraphStore, back: WaysBack) -> Iterator[Problem]:
    """Yield the scored archives that were loaded and that the graph lacks."""
    complete = health.crawls(graph)
    for entry in back.entries:
        if entry.what == "archive" and not complete.get(entry.keys[0]):
            yield Problem("run", Message("health.absent_archive", archive=entry.keys[0]), back.load(entry))


def _absent_proposals(space: Workspace, graph: GraphStore, back: WaysBack) -> Iterator[Problem]:
    """Yield the crawls in the graph that propose nothing in it, and proposed something."""
    crawls = health.crawls(graph)
    of_archives = {entry.keys[0]: entry for entry in back.entries if entry.what == "archive"}
    for one in proposed.read(space):
        if one.proposals and one.crawl in crawls and not health.proposes(graph, one.crawl, one.topic):
            mend = back.load(of_archives[one.crawl]) if one.crawl in of_archives else back.rebuild(one.crawl)
            yield Problem("run", Message("health.absent_proposals", crawl=one.crawl, topic=one.topic), mend)


def not_repeated(space: Workspace) -> list[Problem]:
    """Return a remark for each thing that only the graph has: no command brings it into another graph."""
    found = []
    for entry in graph_record.read(space):
        if entry.what == "import":
            what = Message("health.imported", file=entry.name, when=entry.when)
            back = WaysBack(space, (), ()).import_again(entry)
            found.append(Problem.remark("by_hand", what, back))
        elif entry.what == "statement":
            what = Message("health.statement", when=entry.when, statement=entry.name)
            found.append(Problem.remark("by_hand", what))
    return found


def _compare_topics(space: Workspace, survey: Survey, ontologies: Sequence[Row], back: WaysBack) -> Iterator[Problem]:
    """Yield what is wrong with the ontologies in a graph, and remarks.

    Args:
        space: the workspace.
        survey: what the graph holds.
        ontologies: the ontologies in the graph (`kg.health.ontologies`).
        back: the ways back, with the topics that the graph should have.
    """
    files, unread = _files(space, back.entries)
    for line in unread:
        yield Problem.remark("topic", line)
    for row in ontologies:
        entry = next((entry for entry, of_topic in files if row["iri"] in of_topic), None)
        known = entry or next((e for e in back.entries if row["iri"] in e.keys), None)
        mend = back.load(replace(known or Entry("topic", str(row["topic"] or "TOPIC")), weights=None))
        if row["papers"] == "":
            yield Problem("topic", Message("health.absent_papers", iri=row["iri"]), mend)
        if not row["digest"]:
            yield Problem("topic", Message("health.broken_load", iri=row["iri"]), mend)
        elif entry is None:
            yield Problem.remark("topic", Message("health.foreign_ontology", iri=row["iri"]))
        elif "IN_ONTOLOGY" not in survey.changing:
            yield from _differences(dict(files)[entry][row["iri"]], row, survey, mend)


def _files(space: Workspace, entries: Sequence[Entry]) -> tuple[list[tuple[Entry, dict[str, Ontology]]], list[str]]:
    """Return each topic with key -> ontology, read from its files and versions; a sentence for each unreadable one."""
    found, unread = list[tuple[Entry, dict[str, Ontology]]](), list[str]()
    for entry in entries:
        if entry.what != "topic":
            continue
        try:
            topic = topics.load(graph_record.typed(space, entry.name), space)
            then = kept_versions.opened(topic, entry.versions, instead=True) if entry.versions else nullcontext(topic)
            with then as of_version:
                found.append((entry, _by_key(of_version)))
        except (OntocrawlError, OSError) as error:
            unread.append(Message("health.unread_topic", topic=entry.name, error=error))
    return found, unread


def _by_key(topic: Topic) -> dict[str, Ontology]:
    return {ontology.key: ontology for ontology in topic.ontologies}


def _differences(ontology: Ontology, row: Row, survey: Survey, mend: tuple[str, ...]) -> Iterator[Problem]:
    """Compare numbers with those of the file that was loaded; a file that was changed since then is no fault."""
    if row["digest"] != load.digest(ontology):
        yield Problem.remark("topic", Message("health.changed_file", iri=row["iri"]), mend)
        return
    counted = {kind: survey.owned[(kind.upper(), row["iri"])] for kind in load.KINDS}
    expected = dict.fromkeys(load.KINDS, 0)
    for kind, _, _ in {(r.kind, r.source, r.target) for r in ontology.relations}:
        expected[kind] += 1
    members = survey.owned[("IN_ONTOLOGY", row["iri"])]
    wrong = [_of(members, "concepts", len(ontology.concepts))] if members != len(ontology.concepts) else []
    wrong += [_of(counted[k], k.upper(), expected[k]) for k in load.KINDS if counted[k] != expected[k]]
    if wrong:
        what = Message("health.edited", iri=row["iri"], what=joined(wrong))
        yield Problem.remark("topic", what, mend)
