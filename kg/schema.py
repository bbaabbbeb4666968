"""The graph's schema as data: keys, indexes, and a version that is stored in the graph itself (docs/graph.md).

Only features of every engine are used: unique keys, plain indexes and full-text indexes on one property of a label,
each in a separate auto-committed statement. The analyzer of full-text indexes takes each pair of Chinese characters as
a word. The version node also holds a digest of these statements, so that an index added here reaches
existing graphs.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from kg.store import GraphStore, Row, StoreError, StoreUnavailable

VERSION = 5
KEYS: Mapping[str, str] = MappingProxyType(
    {
        "Ontology": "iri",
        "Concept": "iri",
        "Topic": "name",
        "Document": "id",
        "Term": "text",
        "FormalConcept": "id",
        "Crawl": "id",
        "Page": "url",
        "Host": "name",
        "Sentence": "id",
        "Proposal": "id",
        "GraphSchema": "name",
    }
)
"""Label -> the property that is its key: unique, and never null in a MERGE."""
INDEXES: tuple[tuple[str, str], ...] = (
    ("Concept", "label_zh"),
    ("Concept", "label_en"),
    ("FormalConcept", "lattice"),
    ("Proposal", "topic"),
)
"""(label, property) pairs by which queries look up nodes."""
FULL_TEXT: tuple[tuple[str, str], ...] = (("Sentence", "text"), ("Sentence", "folded"))
"""(label, property) pairs by whose words queries find nodes; the name of such an index is ``Label[property]``."""
RELATIONSHIPS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "IN_ONTOLOGY": ("Concept", "Ontology"),
        "SUBCLASS_OF": ("Concept", "Concept"),
        "PART_OF": ("Concept", "Concept"),
        "EQUIVALENT_TO": ("Concept", "Concept"),
        "CAUSES": ("Concept", "Concept"),
        "MEASURED_BY": ("Concept", "Concept"),
        "WEIGHTS": ("Topic", "Concept"),
        "HAS_WORD": ("Topic", "Term"),
        "LEARNED_FROM": ("Ontology", "Document"),
        "HAS_TERM": ("Document", "Term"),
        "DENOTES": ("Term", "Concept"),
        "COVERS": ("FormalConcept", "FormalConcept"),
        "OWN_TERM": ("FormalConcept", "Term"),
        "OWN_DOCUMENT": ("FormalConcept", "Document"),
        "OWN_CLASS": ("FormalConcept", "Concept"),
        "FETCHED": ("Crawl", "Page"),
        "KNOWS": ("Crawl", "Page"),
        "ON_HOST": ("Page", "Host"),
        "LINKS_TO": ("Page", "Page"),
        "LED_TO": ("Page", "Page"),
        "LINKS_TO_HOST": ("Host", "Host"),
        "MENTIONS": ("Page", "Concept"),
        "ON_PAGE": ("Sentence", "Page"),
        "IN_DOCUMENT": ("Sentence", "Document"),
        "NAMES": ("Sentence", "Concept"),
        "PROPOSES": ("Crawl", "Proposal"),
        "UNDER": ("Proposal", "Concept"),
        "ABOUT": ("Proposal", "Concept"),
        "FOUND_IN": ("Proposal", "Page"),
    }
)
"""Type -> labels of its start and its end."""
_MIGRATIONS: Mapping[int, tuple[str, ...]] = MappingProxyType(
    {
        # 2: HAS_TERM names the ontology that counted (empty: not known), an Ontology the series that it is a version
        # of, a FormalConcept its context and ontology
        2: (
            "MATCH (:Document)-[h:HAS_TERM]->(:Term) WHERE h.ontology IS NULL SET h.ontology = ''",
            "MATCH (o:Ontology) WHERE o.series IS NULL SET o.series = o.iri",
            "MATCH (f:FormalConcept) WHERE f.context IS NULL SET f.context = 'documents', f.ontology = f.lattice",
        ),
        # 4: a Proposal belongs to a topic, and the crawls that make it support it; `enrich propose RUN` makes the
        # earlier ones, which belonged to one crawl each, again
        4: ("MATCH (q:Proposal) WHERE q.topic IS NULL DETACH DELETE q",),
        # 5: FETCHED says when a page was seen first and last; `graph rebuild` writes the times of the pages themselves.
        # A concept without a Chinese label has none, where it had an empty one
        5: (
            (
                "MATCH (c:Crawl)-[f:FETCHED]->(:Page) WHERE f.failure IS NULL AND f.first_seen IS NULL "
                "SET f.first_seen = c.started, f.last_seen = c.started"
            ),
            "MATCH (k:Concept) WHERE k.label_zh = '' SET k.label_zh = null",
            "MATCH (:Concept)-[m:IN_ONTOLOGY]->(:Ontology) WHERE m.label_zh = '' SET m.label_zh = null",
        ),
    }
)
"""Version -> the statements that migrate a graph from the version before; each must be idempotent."""
_NAME = "ontocrawl"
_READ = "MATCH (s:GraphSchema {name: $name}) RETURN s.version AS version, s.digest AS digest"
_SHOW_KEYS = (
    "SHOW CONSTRAINTS YIELD labelsOrTypes, properties, type "
    "RETURN labelsOrTypes AS labels, properties AS names, type AS type"
)
_SHOW_INDEXES = "SHOW INDEXES YIELD labelsOrTypes, properties RETURN labelsOrTypes AS labels, properties AS names"
_WRITE = "MERGE (s:GraphSchema {name: $name}) SET s.version = $version, s.digest = $digest RETURN s.version AS version"


@dataclass(frozen=True, slots=True)
class SchemaStatus:
    """The state of a graph's schema."""

    version: int | None
    """None for a graph without a schema."""
    expected: int
    current: bool
    """Whether this version's keys and indexes were all applied."""


@dataclass(frozen=True, slots=True)
class SchemaPlan:
    """The statements that ``apply`` would run on a graph, in order; none if it has this version."""

    schema: tuple[str, ...] = ()
    migrations: tuple[tuple[int, str], ...] = ()
    """(version, writing statement)"""


def statements() -> tuple[str, ...]:
    """Return one idempotent schema statement for each key and index, in a fixed order."""
    return (
        *(_key_statement(label, key) for label, key in KEYS.items()),
        *(_index_statement(*one) for one in INDEXES),
        *(_full_text_statement(*one) for one in FULL_TEXT),
    )


def _key_statement(label: str, key: str) -> str:
    return f"CREATE CONSTRAINT {label.lower()}_{key} IF NOT EXISTS FOR (n:{label}) REQUIRE n.{key} IS UNIQUE"


def _index_statement(label: str, name: str) -> str:
    return f"CREATE INDEX {label.lower()}_{name} IF NOT EXISTS FOR (n:{label}) ON (n.{name})"


def _full_text_statement(label: str, name: str) -> str:
    return (
        f"CREATE FULLTEXT INDEX `{label}[{name}]` IF NOT EXISTS FOR (n:{label}) ON EACH [n.{name}] "
        "OPTIONS {indexConfig: {`fulltext.analyzer`: 'cjk'}}"
    )


def lacking(store: GraphStore) -> tuple[str, ...]:
    """Return the statements of the keys and indexes that the server does not have, whatever the version says.

    Args:
        store: an open graph.

    Raises:
        StoreError: the server refuses to list them.
    """
    keys = {(row["labels"][0], *row["names"]) for row in store.read(_SHOW_KEYS) if _is_key(row)}
    indexes = {(row["labels"][0], *row["names"]) for row in store.read(_SHOW_INDEXES) if row["labels"] and row["names"]}
    return (
        *(_key_statement(*pair) for pair in KEYS.items() if pair not in keys),
        *(_index_statement(*pair) for pair in INDEXES if pair not in indexes),
        *(_full_text_statement(*pair) for pair in FULL_TEXT if pair not in indexes),
    )


def _is_key(row: Row) -> bool:
    return bool(row["labels"]) and row["type"].endswith(("UNIQUENESS", "NODE_KEY"))


def status(store: GraphStore) -> SchemaStatus:
    """Return the state of the graph's schema, by one query."""
    rows = store.read(_READ, name=_NAME)
    if not rows:
        return SchemaStatus(None, VERSION, current=False)
    version = int(rows[0]["version"])
    return SchemaStatus(version, VERSION, current=version == VERSION and rows[0]["digest"] == _digest())


def plan(
    store: GraphStore, migrations: Mapping[int, tuple[str, ...]] = _MIGRATIONS, *, compare: bool = False
) -> SchemaPlan:
    """Return the statements that the graph lacks of this version: a dry run.

    Args:
        store: an open graph.
        migrations: version -> migrating statements.
        compare: ask the server which keys and indexes it has, rather than trust the version that the graph names.

    Raises:
        StoreError: the graph has a newer version.
    """
    return _missing(store, status(store), migrations, compare)


def apply(
    store: GraphStore, migrations: Mapping[int, tuple[str, ...]] = _MIGRATIONS, *, compare: bool = False
) -> SchemaStatus:
    """Migrate the graph to this version: keys, indexes, migrations. One query if it is current already.

    Args:
        store: an open graph.
        migrations: version -> migrating statements.
        compare: as for `plan`: create keys and indexes again that were dropped.

    Raises:
        StoreError: the graph has a newer version, or two nodes with one key.
    """
    before = status(store)
    missing = _missing(store, before, migrations, compare)
    if missing == SchemaPlan():
        return before
    for statement in missing.schema:
        _create(store, statement)
    for _, statement in missing.migrations:
        store.write(statement)
    try:
        store.write(_WRITE, name=_NAME, version=VERSION, digest=_digest())
    except StoreError:
        if not status(store).current:  # else another command, started at the same moment, was first
            raise
    return status(store)


def _create(store: GraphStore, statement: str) -> None:
    try:
        store.schema(statement)
    except StoreUnavailable:
        raise
    except StoreError as error:
        raise StoreError("kg.where_nodes_share_key", error=error) from error


def _missing(
    store: GraphStore, before: SchemaStatus, migrations: Mapping[int, tuple[str, ...]], compare: bool
) -> SchemaPlan:
    return SchemaPlan(lacking(store)) if before.current and compare else _plan(before, migrations)


def _plan(before: SchemaStatus, migrations: Mapping[int, tuple[str, ...]]) -> SchemaPlan:
    if before.current:
        return SchemaPlan()
    if before.version is None:
        return SchemaPlan(statements())  # a new graph has nothing to migrate
    if before.version > VERSION:
        raise StoreError("kg.graph_schema_version_ontocrawl", version=before.version, known=VERSION)
    steps = ((v, s) for v in range(before.version + 1, VERSION + 1) for s in migrations.get(v, ()))
    return SchemaPlan(statements(), tuple(steps))


def _digest() -> str:
    return hashlib.sha256("\n".join(statements()).encode()).hexdigest()[:16]
