"""Health of a graph: whether everything in it can be read by each way to it, once, and has the owner that it names.

Each node is counted by a scan of its label and read by its key; each relationship is read from one end and counted
from the other. A damaged file, or an index that lost entries, makes these differ, or makes one of them fail. What
differs is read once more: only if it is the same then, no other command was changing it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial

import queries
from kg import schema
from kg.batches import batches
from kg.interchange.elements import LABELS, OWNER, TYPES, UNOWNED, Edge, InterchangeError, ends
from kg.interchange.reading import anchor_label, keys_of, read_edges
from kg.store import GraphStore, Row, StoreError, StoreUnavailable
from ontology.errors import Message

Progress = Callable[[str, int], None]
"""Called with a label or type and the number of its elements, when these were read."""
UNREADABLE, LOST, DOUBLED_NODES, DOUBLED_EDGES, OWNERLESS = (
    "unreadable", "lost", "doubled_nodes", "doubled_relationships", "ownerless",
)  # fmt: skip
_BATCH = 1_000
_NAMED = 3
"""Largest number of keys that a sentence names."""


@dataclass(frozen=True, slots=True)
class Fault:
    """Something that is wrong with a graph."""

    kind: str
    """unreadable, lost, doubled_nodes, doubled_relationships or ownerless."""
    what: str
    element: str
    """Label or relationship type."""
    owner: str = ""
    """Crawl or ontology that relationships name, where that is the fault."""


@dataclass
class Survey:
    """What a graph holds, counted while all of it was read, and the faults that were met."""

    faults: list[Fault] = field(default_factory=list)
    nodes: Counter[str] = field(default_factory=Counter)
    """Label -> number of nodes."""
    edges: Counter[str] = field(default_factory=Counter)
    """Type -> number of relationships."""
    owned: Counter[tuple[str, str]] = field(default_factory=Counter)
    """(type, id of the crawl or key of the ontology) -> number of relationships."""
    unranked: Counter[str] = field(default_factory=Counter)
    """Crawl -> fetched pages without PageRank."""
    owners: set[str] = field(default_factory=set)
    """Ids of the crawls and keys of the ontologies in the graph."""
    changing: set[str] = field(default_factory=set)
    """Labels and types that were changed while they were read."""


def survey(store: GraphStore, progress: Progress | None = None) -> Survey:
    """Read the whole graph in bounded memory.

    Args:
        store: an open graph.
        progress: callback, see `Progress`.

    Raises:
        StoreUnavailable: the server ended meanwhile.
    """
    found = Survey()
    owners = _owners(store)
    for label in LABELS:
        _guarded(found, label, partial(_read_label, store, label, found))
        _notify(progress, label, found.nodes[label])
    for edge_type in TYPES:
        _guarded(found, edge_type, partial(_read_type, store, edge_type, found))
        _notify(progress, edge_type, found.edges[edge_type])
    for label, name in schema.INDEXES:
        _guarded(found, label, partial(_look_up, store, label, name, found))
    found.owners = owners | _owners(store)
    _find_ownerless(found)
    _guarded(found, "Proposal", partial(_find_unsupported, store, found))
    return found


def sample(store: GraphStore, size: int = 100) -> list[Fault]:
    """Read a few nodes of each label by their keys, with relationships at them: a quick part of `survey`.

    Args:
        store: an open graph.
        size: number of nodes of each label.

    Raises:
        StoreUnavailable: the server ended meanwhile.
    """
    found = Survey()
    for label in LABELS:
        _guarded(found, label, partial(_read_some, store, label, size, found))
    return found.faults


def _guarded(found: Survey, element: str, work: Callable[[], object]) -> None:
    """Do the work; what cannot be read becomes a fault."""
    try:
        work()
    except StoreUnavailable:
        raise
    except (StoreError, InterchangeError) as error:
        found.faults.append(Fault(UNREADABLE, Message("files.cannot_be_read", path=element, error=error), element))


def _owners(store: GraphStore) -> set[str]:
    try:
        return {*keys_of(store, "Crawl"), *keys_of(store, "Ontology")}
    except StoreUnavailable:
        raise
    except StoreError:  # a fault of these labels, which is found when they are read
        return set()


# ---- nodes


def _read_label(store: GraphStore, label: str, found: Survey) -> None:
    key = schema.KEYS[label]
    scan = f"MATCH (n:{label}) RETURN count(n) AS nodes, count(n.{key}) AS keys"
    before = store.read(scan)[0]
    by_key, doubled = 0, Counter[str]()
    previous = None
    for keys in batches(keys_of(store, label), _BATCH):
        doubled.update(key for at, key in enumerate(keys) if key == (keys[at - 1] if at else previous))
        previous = keys[-1]
        by_key += len(store.read(_by_key(label), keys=list(dict.fromkeys(keys))))
    found.nodes[label] = before["nodes"]
    _tell_doubled(found, label, doubled)
    if store.read(scan)[0] != before or (by_key != before["keys"] and _found_by_key(store, label) != by_key):
        found.changing.add(label)
        return
    if before["nodes"] != before["keys"]:
        nodes = {"n": before["nodes"] - before["keys"], "nodes": before["nodes"]}
        found.faults.append(Fault(LOST, Message("kg.fault_no_key", label=label, key=key, **nodes), label))
    if by_key != before["keys"]:
        what = Message("kg.fault_found", n=by_key, nodes=before["keys"], label=label, key=key)
        found.faults.append(Fault(LOST, what, label))


def _found_by_key(store: GraphStore, label: str) -> int:
    statement = _by_key(label)
    return sum(
        len(store.read(statement, keys=list(dict.fromkeys(keys)))) for keys in batches(keys_of(store, label), _BATCH)
    )


def _by_key(label: str) -> str:
    key = schema.KEYS[label]
    return f"UNWIND $keys AS key MATCH (n:{label} {{{key}: key}}) RETURN key, properties(n) AS props"


def _tell_doubled(found: Survey, label: str, doubled: Counter[str]) -> None:
    if doubled:
        what = Message("kg.fault_shared_key", keys=len(doubled), label=label, names=_named(doubled))
        found.faults.append(Fault(DOUBLED_NODES, what, label))


def _look_up(store: GraphStore, label: str, name: str, found: Survey) -> None:
    """Compare a scan for the values of an indexed property with a look-up of each."""
    scan = f"MATCH (n:{label}) WHERE n.{name} IS NOT NULL RETURN n.{name} AS value, count(*) AS nodes ORDER BY value"
    by_value = f"UNWIND $values AS value MATCH (n:{label} {{{name}: value}}) RETURN count(n) AS nodes"
    before = store.read(scan)
    expected = sum(row["nodes"] for row in before)

    def looked_up() -> int:
        values = (store.read(by_value, values=[row["value"] for row in rows]) for rows in batches(before, _BATCH))
        return sum(rows[0]["nodes"] for rows in values)

    seen = looked_up()
    if seen != expected and store.read(scan) == before and looked_up() == seen:
        what = Message("kg.fault_found", n=seen, nodes=expected, label=label, key=name)
        found.faults.append(Fault(LOST, what, label))


def _read_some(store: GraphStore, label: str, size: int, found: Survey) -> None:
    key = schema.KEYS[label]
    keys = [row["key"] for row in store.read(f"MATCH (n:{label}) RETURN n.{key} AS key LIMIT $limit", limit=size)]
    there = [key for key in keys if key is not None]
    seen = {row["key"] for row in store.read(_by_key(label), keys=there)}
    gone = set(there) - seen
    if gone:  # unless another command has just removed them
        gone &= {row["key"] for row in store.read(f"MATCH (n:{label}) RETURN n.{key} AS key LIMIT $limit", limit=size)}
    if gone:
        names = _named(gone)
        what = Message("kg.fault_not_found", n=len(gone), nodes=len(there), label=label, key=key, names=names)
        found.faults.append(Fault(LOST, what, label))
    for edge_type in TYPES:
        if anchor_label(edge_type) == label:
            _guarded(found, edge_type, partial(list, read_edges(store, edge_type, there)))


# ---- relationships


def _read_type(store: GraphStore, edge_type: str, found: Survey) -> None:
    before = _from_other_end(store, edge_type)
    doubled = Counter[str]()
    previous, count = None, 0
    for edge in _from_one_end(store, edge_type):
        count += 1
        identity = (edge.source, edge.target, edge.owner)
        if identity == previous:
            doubled[f"{edge.source} -> {edge.target}"] += 1
        previous = identity
        _count_owner(found, edge)
    found.edges[edge_type] = count
    shared = {fault.element for fault in found.faults if fault.kind == DOUBLED_NODES}
    if doubled and shared.isdisjoint(ends(edge_type)):  # else they may be of two nodes with one key
        what = Message("kg.fault_twice", n=doubled.total(), type=edge_type, names=_named(doubled))
        found.faults.append(Fault(DOUBLED_EDGES, what, edge_type))
    if count == before:
        return
    if _from_other_end(store, edge_type) != before or sum(1 for _ in _from_one_end(store, edge_type)) != count:
        found.changing.add(edge_type)
        return
    what = Message("kg.fault_ends", n=count, type=edge_type, other=before)
    found.faults.append(Fault(LOST, what, edge_type))


def _from_one_end(store: GraphStore, edge_type: str) -> Iterator[Edge]:
    return read_edges(store, edge_type, _unique(keys_of(store, anchor_label(edge_type))))


def _from_other_end(store: GraphStore, edge_type: str) -> int:
    source, target = ends(edge_type)
    at_target = anchor_label(edge_type) == target and source != target
    label = source if at_target else target
    pattern = f"(n:{label} {{{schema.KEYS[label]}: key}})"
    pattern += f"-[r:{edge_type}]->()" if at_target else f"<-[r:{edge_type}]-()"
    statement = f"UNWIND $keys AS key MATCH {pattern} RETURN count(r) AS n"
    keys_in_batches = batches(_unique(keys_of(store, label)), _BATCH)
    return sum(store.read(statement, keys=keys)[0]["n"] for keys in keys_in_batches)


def _count_owner(found: Survey, edge: Edge) -> None:
    source, target = ends(edge.type)
    owner = edge.owner
    if edge.type not in OWNER:
        owner = edge.source if source in ("Crawl", "Ontology") else edge.target if target == "Ontology" else ""
    if owner or edge.type in OWNER:
        found.owned[(edge.type, owner)] += 1
    if edge.type == "FETCHED" and edge.props.get("pagerank") is None:
        found.unranked[edge.source] += 1


def _find_ownerless(found: Survey) -> None:
    for (edge_type, owner), count in sorted(found.owned.items()):
        kind = OWNER.get(edge_type)
        if kind is None or owner in found.owners or (not owner and edge_type in UNOWNED):
            continue
        what = Message("kg.fault_owner", n=count, type=edge_type, kind=kind, owner=owner)
        found.faults.append(Fault(OWNERLESS, what, edge_type, owner))


def _find_unsupported(store: GraphStore, found: Survey) -> None:
    """Find proposals that no crawl in the graph makes and nobody decided about."""
    ids = [row["id"] for row in store.read(queries.get("check/unsupported").text)]
    if ids:
        what = Message("kg.fault_proposals", n=len(ids), names=_named(ids))
        found.faults.append(Fault(OWNERLESS, what, "Proposal"))


# ---- what was noted when crawls and ontologies were written


def crawls(store: GraphStore) -> dict[str, bool | None]:
    """Return crawl -> whether it was written to its end; None if an older version wrote it, which noted nothing."""
    return {row["crawl"]: row["complete"] for row in store.read(queries.get("check/crawls").text)}


def proposes(store: GraphStore, crawl: str, topic: str) -> int:
    """Return the number of proposals that a crawl makes for a topic."""
    return int(store.read(queries.get("check/proposals").text, crawl=crawl, topic=topic)[0]["proposals"])


def ontologies(store: GraphStore) -> list[Row]:
    """Return iri, topic, digest and papers (the digest of its papers, "" if these are not whole) of each ontology."""
    return store.read(queries.get("check/ontologies").text)


def crawl_rows(store: GraphStore, crawl: str) -> dict[str, int]:
    """Count the relationships FETCHED, KNOWS and LINKS_TO of a crawl.

    Args:
        store: an open graph.
        crawl: id of the crawl.
    """
    rows = store.read(queries.get("check/crawl_rows").text, crawl=crawl)
    links = store.read(queries.get("check/crawl_links").text, crawl=crawl)
    return {"FETCHED": 0, "KNOWS": 0, **{row["kind"]: row["rows"] for row in rows}, "LINKS_TO": links[0]["rows"]}


def unranked(store: GraphStore, crawl: str) -> int:
    """Count the fetched pages of a crawl without PageRank.

    Args:
        store: an open graph.
        crawl: id of the crawl.
    """
    return int(store.read(queries.get("check/unranked").text, crawl=crawl)[0]["pages"])


# ---- small things


def _unique(keys: Iterable[str]) -> Iterator[str]:
    """Yield keys in order without repetition."""
    previous = None
    for key in keys:
        if key != previous:
            yield key
        previous = key


def _named(keys: Iterable[str]) -> str:
    known = sorted(keys)
    names = ", ".join(known[:_NAMED])
    return Message("kg.fault_more", names=names, n=len(known) - _NAMED) if len(known) > _NAMED else names


def _notify(progress: Progress | None, what: str, done: int) -> None:
    if progress is not None:
        progress(what, done)
