"""The history of an ontology: its versions, its decisions with what became of each, and the way back to a version."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from ontocrawl import deciding, hand_edits, learning, topics
from ontocrawl.errors import UsageError
from ontocrawl.versions import FOLDER, Version, Versions
from ontocrawl.workspace import Workspace
from ontology.decisions import Decision, DecisionError, in_force, table, withdrawals
from ontology.decisions.decision import IRI, PARTS
from ontology.decisions.texts import text_of
from ontology.iris import IriRegister
from ontology.model import Ontology


@dataclass(frozen=True)
class History:
    """Versions and decisions of the ontology in a folder.

    Attributes:
        folder: the folder.
        versions: the versions, the oldest first.
        decisions: all decisions, withdrawn ones included.
    """

    folder: Path
    versions: tuple[Version, ...]
    decisions: tuple[Decision, ...]

    def status(self, decision: Decision) -> str:
        """Return what became of a decision: in force, withdrawn, does not apply, contradicted, or not yet built."""
        if decision.action == "withdraw":
            return "withdraws"
        if decision not in in_force(self.decisions):
            return "withdrawn"
        last = next(iter(reversed(self.versions)), None)
        if last is None or decision.id not in last.decisions:
            return "not built yet"
        if decision.id in last.idle:
            return f"does not apply: {last.idle[decision.id]}"
        return f"in force, but {last.conflicts[decision.id]}" if decision.id in last.conflicts else "in force"

    def since(self, decision: Decision) -> str:
        """Return the first version with a decision; "" if none has it."""
        return next((v.version for v in self.versions if decision.id in v.decisions), "")

    def as_json(self) -> Mapping[str, Any]:
        """Return the history as JSON values."""
        return {
            "folder": str(self.folder),
            "versions": [asdict(version) for version in self.versions],
            "decisions": [
                asdict(d) | {"status": self.status(d), "since": self.since(d)} for d in self.decisions
            ],
        }  # fmt: skip


def folder_of(given: str, space: Workspace) -> Path:
    """Return the folder of an ontology: that of a build, or for a topic the one in the workspace.

    Raises:
        UsageError: there is neither such a folder nor such a topic.
    """
    if Path(given).is_dir():
        return Path(given)
    if given in topics.available(space):
        return space.ontologies / given
    raise UsageError(f"{given}: there is no such folder or topic; give the folder that `ontology build` wrote")


def history(folder: Path) -> History:
    """Read the history of an ontology.

    Args:
        folder: the folder of a build.

    Raises:
        UsageError: the folder has neither decisions nor versions.
        DecisionError, VersionError: a damaged file.
    """
    if not (folder / table.FILE).exists() and not (folder / FOLDER).exists():
        raise UsageError(f"{folder} has no {table.FILE} and no {FOLDER}: give the folder that `ontology build` wrote")
    return History(folder, Versions(folder).all(), table.numbered(table.read(folder / table.FILE)))


def decide(folder: Path, decision: Decision, register: IriRegister, ontology: Ontology) -> Decision:
    """Add a decision, if the classes that it names are known.

    Args:
        folder: the folder of the ontology.
        decision: the decision.
        register: the IRIs of its classes by label.
        ontology: the ontology as it is, with the label or definition that the decision replaces.

    Returns:
        The decision with its id.

    Raises:
        DecisionError: it is about a class that is not known, and does not make it.
    """
    decision = with_first_labels(decision, register, ontology)
    with deciding.alone(folder / table.FILE):
        return _added(folder, decision, register, ontology)


def _added(folder: Path, decision: Decision, register: IriRegister, ontology: Ontology) -> Decision:
    if decision.action == "withdraw":
        _require_decision(folder, decision.value)
    else:
        _require_classes(decision, register)
    concept = ontology.by_iri.get(register.known(decision.term) or decision.term)
    if concept is not None and not decision.old:
        decision = replace(decision, old=text_of(concept, decision))
    (added,) = table.append(folder / table.FILE, [decision])
    return added


def with_first_labels(decision: Decision, register: IriRegister, ontology: Ontology) -> Decision:
    """Return a decision that names each class by the label that its IRI was made for; a person sees the present one.

    Args:
        decision: the decision.
        register: the IRIs of the classes by label.
        ontology: the ontology as it is.
    """
    iris = {c.label: c.iri for c in ontology.concepts}

    def first(cell: str) -> str:
        return cell if register.known(cell) or cell not in iris else register.label(iris[cell])

    if decision.action == "withdraw":
        return decision
    if decision.is_edge or decision.action == "merge":
        return replace(decision, term=first(decision.term), value=first(decision.value), old=first(decision.old))
    return replace(decision, term=first(decision.term))


def _require_decision(folder: Path, id_: str) -> None:
    every = table.numbered(table.read(folder / table.FILE))
    known = [d.id for d in in_force(every)]
    if id_ not in known and id_ not in withdrawals(every).values():
        raise DecisionError(f"there is no decision {id_!r} in force here; these are: {', '.join(known) or 'none'}")


def _require_classes(decision: Decision, register: IriRegister) -> None:
    """Raise DecisionError for a class that is not known; only ``accept`` and ``split`` make classes."""
    needed = [] if decision.action == "accept" or not decision.term else [decision.term]
    needed += [decision.value] if decision.is_edge or decision.action == "merge" else []
    needed += [decision.old] if decision.action == "move" and decision.old else []
    for cell in needed:
        if not register.known(cell) and cell not in register.entries.values():
            raise DecisionError(
                f"there is no class {cell!r} here; `ontology show` lists the classes, and `ontology decide .. accept "
                f"{cell}` makes one"
            )
    if decision.term and decision.term == decision.value and decision.relation != IRI:
        raise DecisionError(f"{decision.action} {decision.term}: both are one class")
    if decision.action == "split" and len(decision.parts) < 2:
        raise DecisionError(f"split {decision.term}: give two classes or more, with {PARTS.strip()} between")


def register_of(folder: Path, ontology: Ontology) -> IriRegister:
    """Return the IRIs of a folder, with the labels of an ontology for those that are not registered."""
    register = IriRegister.load(folder / learning.REGISTER, ontology.root.rpartition("#")[0] + "#")
    for concept in ontology.concepts:
        register.keep(concept.label, concept.iri)
    return register


def rollback(folder: Path, topic: str, version: str, who: str, when: str) -> Version:
    """Go back to an earlier version: its files are written again, and the decisions in force are those of then.

    Nothing is lost: edits of the present files are kept as decisions first and the files are set aside, withdrawn
    decisions stay in the file, the IRIs stay registered, and every version stays in the folder ``versions``.

    Args:
        folder: the folder of a build.
        topic: name of the topic.
        version: the version, or its number.
        who: name of the person.
        when: date and time, ISO 8601.

    Returns:
        The new entry of the history.

    Raises:
        VersionError: there is no such version.
    """
    store = Versions(folder)
    back = store.find(version)
    ontology = deciding.built(store, back.version, topic)
    if ontology is None:
        raise UsageError(f"{folder}: version {back.version} has no ontology {topic}")
    register = register_of(folder, ontology.ontology)
    for name in hand_edits.keep(folder, topic, register, who, when).edited:
        store.set_aside(folder / name)
    register.save(folder / learning.REGISTER)
    known = table.numbered(table.read(folder / table.FILE))
    later = [d.id for d in in_force(known) if d.id not in back.decisions]
    again = [withdrawn_by for id_, withdrawn_by in withdrawals(known).items() if id_ in back.decisions]
    why = f"back to version {back.version}"
    rows = [Decision("withdraw", "", id_, who=who, when=when, why=why) for id_ in (*later, *again)]
    table.append(folder / table.FILE, rows)
    store.restore(back.version, leave=(table.FILE, learning.REGISTER))
    entry = Version(**(asdict(back) | {"when": when, "prior": store.all()[-1].version, "rollback": True, "added": ()}))
    store.enter(entry)
    return entry
