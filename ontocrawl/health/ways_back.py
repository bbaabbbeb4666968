"""The ways back from a fault of the graph, as commands to type in their order.

All that the graph holds comes from files and journals: ontologies and papers from the files of topics, crawls from the
journals of runs. So a part that is damaged is removed, and written again.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from kg import schema
from kg.interchange.elements import OWNER, ends
from ontocrawl.base import workspace as workspaces
from ontocrawl.base.workspace import Workspace
from ontocrawl.errors import UsageError
from ontocrawl.topics import graph_record, kept_versions, topics
from ontocrawl.topics.graph_record import Entry
from ontology.errors import Message
from ontology.printable import one_line

_OF_CRAWLS = frozenset({"Crawl", "Page", "Host"})
"""Labels that `graph rebuild` writes; the others come from topics."""


@dataclass(frozen=True)
class WaysBack:
    """The ways back in one workspace. Each is a sequence of lines; a line that is no command begins with "# "."""

    space: Workspace
    entries: tuple[Entry, ...]
    """What the graph should have besides runs, in the order of loading."""
    runs: tuple[str, ...]

    def migrate(self) -> tuple[str, ...]:
        """Create keys and indexes again."""
        return (self._typed("graph", "migrate"),)

    def upgrade(self) -> tuple[str, ...]:
        """Use a graph of a newer version."""
        return ("python -m pip install --upgrade ontocrawl",)

    def rebuild(self, run: str) -> tuple[str, ...]:
        """Write a run again."""
        return (self._typed("graph", "rebuild", run),)

    def rank(self, run: str) -> tuple[str, ...]:
        """Compute the figures of a crawl's links again."""
        return (self._typed("graph", "rank", run),)

    def load(self, entry: Entry) -> tuple[str, ...]:
        """Load something again that was brought into the graph: a topic with its weights, a file, or an archive."""
        files = () if entry.mappings is None else (option for path in entry.mappings for option in
                                                   ("--mappings", str(self.space.root / path)))  # fmt: skip
        if entry.what == "file":
            return (self._typed("graph", "load", str(self.space.root / entry.name), *files),)
        topic = graph_record.typed(self.space, entry.name)
        if entry.what == "archive":
            tables = str(self.space.root / entry.tables)
            return (self._typed("archive", "load", tables, "--run", entry.keys[0], "--topic", topic),)
        versions, first = self._versions(topic, entry)
        loads = self._typed("graph", "load", topic, *versions, *files)
        if entry.weights is None:
            return *first, loads
        scheme = ("--weights", entry.weights) if entry.weights else ()
        computed = self._typed("weights", topic, *scheme, *versions)  # loads ontologies where they are missing
        return (*first, loads, computed) if entry.whole else (*first, computed)

    def _versions(self, topic: str, entry: Entry) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the options for the versions of a topic that its files do not have now, and what must come first."""
        if not entry.versions:
            return (), ()
        options = tuple(option for version in entry.versions for option in ("--version", version))
        try:
            loaded = topics.load(topic, self.space)
            present = {source.ontology.version for source in loaded.sources}
            curated = not any("+" in version for version in (*present, *entry.versions))
            if curated or present == set(entry.versions):
                return (), ()
            with kept_versions.opened(loaded, entry.versions):
                return options, ()
        except UsageError as error:
            return options, (_remark(error.message),)

    def import_again(self, entry: Entry) -> tuple[str, ...]:
        """Import a file of a graph again."""
        return (self._typed("graph", "import", str(self.space.root / entry.name)),)

    def remove_crawl(self, crawl: str) -> tuple[str, ...]:
        """Remove a crawl that no run of the workspace could write again."""
        return (self._typed("crawl", "remove", crawl),)

    def start_server(self) -> tuple[str, ...]:
        """Reach the server of the settings."""
        uri = self.space.settings.graph.uri
        return (_remark(Message("health.start_server", uri=uri)), self._typed("graph", "check"))

    def upgrade_server(self, version: int) -> tuple[str, ...]:
        """Use a newer server."""
        return (_remark(Message("health.upgrade_server", uri=self.space.settings.graph.uri, version=version)),)

    def install_engine(self) -> tuple[str, ...]:
        """Install the embedded engine."""
        return ("python -m pip install arcadedb-embedded",)

    def anew(self) -> tuple[str, ...]:
        """Fill a new graph in the place of one that cannot be used: stop, remove, load, rebuild."""
        if self.space.settings.graph.uri:
            uri = self.space.settings.graph.uri
            removal: tuple[str, ...] = (_remark(Message("health.empty_server", uri=uri)),)
        else:
            move = "move" if os.name == "nt" else "mv"
            away = _free(self.space.graph.with_name(f"{self.space.graph.name}.damaged"))
            removal = (self._typed("graph", "stop"), _words(move, str(self.space.graph), str(away)))
        return (*removal, *self.fill())

    def again_or_anew(self) -> tuple[str, ...]:
        """Start the embedded engine again, and if that is in vain, fill a new graph."""
        stop, *rest = self.anew()
        return (
            _remark(Message("health.disk_full", folder=self.space.graph)), stop, self._typed("graph", "check"),
            _remark(Message("health.still_fails")), *rest,
        )  # fmt: skip

    def fill(self) -> tuple[str, ...]:
        """Write topics, runs and archives into a graph: load, rebuild."""
        return (
            *self._each(entry for entry in self.entries if entry.what != "archive"),
            *((self._typed("graph", "rebuild"),) if self.runs else ()),
            *self._each(entry for entry in self.entries if entry.what == "archive"),
        )

    def _each(self, entries: Iterable[Entry]) -> tuple[str, ...]:
        return tuple(line for entry in entries for line in self.load(entry))

    def split_keys(self, label: str) -> tuple[str, ...]:
        """Remove the nodes of a label that share a key, and write them again."""
        key = schema.KEYS[label]
        delete = (
            f"MATCH (n:{label}) WITH n.{key} AS key, collect(n) AS nodes WHERE size(nodes) > 1 "
            "UNWIND nodes AS n DETACH DELETE n"
        )
        first = (self._typed("query", "cypher", delete, "--write"), *self.migrate())
        if label in _OF_CRAWLS:
            return (*first, *((self._typed("graph", "rebuild"),) if self.runs else ()))
        unload = (self._typed("graph", "remove", key) for entry in self.entries if entry.what != "archive"
                  for key in entry.keys)  # fmt: skip
        return (*first, *unload, *self.fill())

    def single(self, edge_type: str) -> tuple[str, ...]:
        """Leave one of relationships that are equal but for their properties, and write these again."""
        source, target = ends(edge_type)
        owner = f", r.{OWNER[edge_type]} AS owner" if edge_type in OWNER else ""
        delete = (
            f"MATCH (a:{source})-[r:{edge_type}]->(b:{target}) WITH a, b{owner}, collect(r) AS twice "
            "WHERE size(twice) > 1 UNWIND tail(twice) AS r DELETE r"
        )
        return (self._typed("query", "cypher", delete, "--write"), *self.fill())

    def disown(self, edge_type: str, owner: str) -> tuple[str, ...]:
        """Remove relationships whose crawl or ontology is not in the graph, or bring that back."""
        if OWNER[edge_type] == "crawl" and owner in self.runs:
            return self.rebuild(owner)
        source, target = ends(edge_type)
        delete = f"MATCH (:{source})-[r:{edge_type}]->(:{target}) WHERE r.{OWNER[edge_type]} = $owner DELETE r"
        return (self._typed("query", "cypher", delete, "--param", f"owner={owner}", "--write"),)

    def drop_unsupported(self) -> tuple[str, ...]:
        """Remove the proposals that no crawl makes; `enrich propose RUN` makes again what a run proposes."""
        delete = (
            "MATCH (q:Proposal) WHERE coalesce(q.status, 'proposed') = 'proposed' "
            "AND NOT EXISTS { MATCH (q)<-[:PROPOSES]-(:Crawl) } DETACH DELETE q"
        )
        return (self._typed("query", "cypher", delete, "--write"),)

    def _typed(self, *words: str) -> str:
        found, _ = workspaces.find(None)
        here = found.root.resolve() == self.space.root.resolve()
        return _words("ontocrawl", *words, *(() if here else ("--workspace", str(self.space.root))))


def _remark(text: str) -> Message:
    """Return a line that is no command."""
    return Message("health.remark", text=text if isinstance(text, Message) else one_line(text))


def _words(*words: str) -> str:
    return shlex.join(words)


def _free(path: Path) -> Path:
    """Return a path that nothing is at: this one, or with a number behind it."""
    number, free = 1, path
    while free.exists():
        number += 1
        free = path.with_name(f"{path.name}-{number}")
    return free
