"""`ontocrawl ontology`: history, decide, rollback; and the old names `enrich history` and `enrich rollback`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ontocrawl.cli.arguments import choice
from ontocrawl.cli.output import Answer, Folder, named, note, progress, quoted, stages, tabled, workspace
from ontology.choices import ACTIONS
from ontology.errors import Message, joined

if TYPE_CHECKING:
    from ontocrawl.base.workspace import Workspace
    from ontocrawl.graph.tables import Table
    from ontocrawl.topics.topics import Topic
    from ontocrawl.topics.version_files import Version
    from ontocrawl.versions.histories import History
    from ontology.decisions import Decision

Target = Annotated[
    str, typer.Argument(metavar="FOLDER|TOPIC", help="Folder that `ontology build` wrote, or the name of a topic.")
]
TopicName = Annotated[
    str, typer.Argument(metavar="TOPIC", help="Name of the topic, or its file, such as storms/rainstorm.toml.")
]
Who = Annotated[str, typer.Option(help="Name of the person who decides; by default the login name.")]


def history(target: Target, folder: Folder = None) -> Answer:
    """Show the versions of an ontology, and every decision about it with who, when and why."""
    return _history(target, workspace(folder))


def of_topic_history(topic: TopicName, folder: Folder = None) -> Answer:
    """Show the versions of a topic's ontologies: the old name of `ontology history`, until 2.0."""
    from ontocrawl.topics import topics

    _renamed("history")
    space = workspace(folder)
    return _history(topics.load(topic, space), space)


def _renamed(command: str) -> None:
    note(Message("cli.command_renamed", old=f"enrich {command}", new=f"ontology {command}"))


def _history(given: str | Topic, space: Workspace) -> Answer:
    from ontocrawl.versions import histories

    found = histories.history(given, space)
    rows = [
        (v.version, v.when, v.documents, v.classes, len(of.accepted), len(of.rejected), _what(v))
        for v, of in zip(found.versions, found.came, strict=True)
    ]
    columns = ("version", "built", "documents", "classes", "accepted", "rejected", "what came")
    versions = tabled("Versions", columns, rows, optional=("built", "rejected", "accepted"))
    return Answer(found.as_json(), [versions, _decisions(found), *_proposals(found)], [*_waiting(found, space)])


def _what(version: Version) -> str:
    """Return what a version brought, in words."""
    changes = version.changes.items()
    parts = [
        Message("versions.came_restored") if version.rollback else "",
        Message("versions.came_edited", files=", ".join(version.edited)) if version.edited else "",
        Message("versions.came_decisions", ids=", ".join(version.added)) if version.added else "",
        Message("versions.came_conflicts", n=len(version.conflicts)) if version.conflicts else "",
        joined([Message("versions.came", kind=named("change", k.replace("_", " ")), n=n) for k, n in changes]),
    ]
    return joined(list(filter(None, parts)), "; ")


def _decisions(found: History) -> Table:
    columns = ("id", "action", "class", "relation", "value", "before", "who", "when", "why", "status")
    rows = [
        (d.id, d.action, d.term, " ".join(filter(None, (d.relation, d.language))), d.value, d.old, d.who, d.when, d.why,
         found.status(d))
        for d in found.decisions
    ]  # fmt: skip
    return tabled(Message("cli.of_decisions", n=len(rows)), columns, rows, optional=("when", "why", "before", "who"))


def _proposals(found: History) -> Iterator[Table]:
    rows = [
        (p.id, p.verdict.action,
         Message("versions.status_withdrawn") if p.status == "withdrawn" else named("proposal", p.status),
         p.version or "-", p.who, ", ".join(p.runs), p.when)
        for p in found.proposals
    ]  # fmt: skip
    if rows:
        columns = ("proposal", "verdict", "status", "version", "who", "runs", "when")
        yield tabled(Message("versions.of_proposals", n=len(rows)), columns, rows, optional=("runs", "when", "who"))


def _waiting(found: History, space: Workspace) -> Iterator[str]:
    """Yield what is decided and in no version yet."""
    if found.unbuilt:
        apply = _next_version(found.topic, found.folder, space)
        yield Message("versions.unbuilt", ids=", ".join(found.unbuilt), apply=apply)
    if found.waiting:
        apply = quoted("ontocrawl", "enrich", "apply", "--topic", found.topic)
        yield Message("versions.wait_for", n=len(found.waiting), apply=apply, ids=", ".join(found.waiting))


def decide(
    target: Target,
    action: Annotated[str, typer.Argument(metavar="ACTION", help=", ".join(ACTIONS))],
    term: Annotated[str, typer.Argument(metavar="CLASS", help="Label or IRI of the class; for withdraw, the id.")],
    value: Annotated[
        str, typer.Argument(metavar="VALUE", help="Another class, or a text; for split, classes with | between.")
    ] = "",
    relation: Annotated[
        str, typer.Option(help="What is accepted or rejected: subclass_of, part_of, causes, measured_by, "
                               "equivalent_to, class, synonym or xref; for define a field of the ontology."),
    ] = "",
    old: Annotated[str, typer.Option("--from", help="For move: the class that it is no kind of any more.")] = "",
    lang: Annotated[str, typer.Option(help="Language of a text, such as zh or en.")] = "",
    why: Annotated[str, typer.Option(help="The reason.")] = "",
    who: Who = "",
    folder: Folder = None,
) -> Answer:  # fmt: skip
    """Decide something about an ontology for good; the next build, and every later one, does as decided."""
    from dataclasses import asdict

    from ontocrawl.base.workspace import now
    from ontocrawl.topics import topics
    from ontocrawl.versions import curated_decisions, deciding, histories
    from ontology.decisions import Decision, table

    space, person = workspace(folder), deciding.person(who)
    chosen = choice("ACTION", action, ACTIONS)
    subject, said = ("", term) if chosen == "withdraw" else (term, value)
    decision = Decision(chosen, subject, said, relation, old, lang, "", person, now(), why)
    added, edits = histories.decide_about(target, decision, space)
    place, notes = histories.place_of(target, space), []
    if place.records != place.folder:
        written = curated_decisions.write(topics.load(target, space), person, now())
        notes += [Message("cli.written", path=path) for path in written]
    if edits:
        notes.append(Message("versions.edits_first", ids=", ".join(d.id for d in edits)))
    if place.records == place.folder:
        notes.append(Message("versions.holds_from", apply=_next_version(place.topic, place.folder, space)))
        notes += _unheard_of(added, place.folder)
    if same := deciding.also_decided(table.numbered(table.read(place.decisions)), added):
        still = Message("versions.decision_still", id=added.value, same=same)
        notes.insert(0, still if chosen == "withdraw" else Message("versions.decision_again", id=same))
    words = (added.action, added.term, added.relation, added.value, added.language)
    recorded = Message("versions.decision_added", id=added.id, said=" ".join(filter(None, words)))
    return Answer(asdict(added), notes=[recorded, *notes])


def _unheard_of(added: Decision, folder: Path) -> list[Message]:
    """Return a note on a class that a decision makes and that neither ontology nor papers of a build name.

    It may be meant, and it may be a slip of the pen.
    """
    from ontocrawl.topics import papers
    from ontocrawl.versions import histories

    file = next(iter(folder.glob("*.papers.jsonl")), None)
    if added.action != "accept" or file is None or "://" in added.term:
        return []
    if any(added.term == form for one in histories.global_ontology(folder).concepts for _, form in one.forms()):
        return []
    back = quoted("ontocrawl", "ontology", "decide", folder, "withdraw", added.id)
    number = papers.without(file, added.term)
    return [Message("versions.decision_unheard", term=added.term, papers=number, back=back)] if number else []


def _next_version(topic: str, folder: Path, space: Workspace) -> str:
    """Return the command that makes the next version in the folder of a build."""
    from ontocrawl.topics import topics

    file = folder / f"{topic}.toml"
    if topic in topics.places(space) or file.exists():
        return quoted("ontocrawl", "enrich", "apply", "--topic", topic if topic in topics.places(space) else file)
    return quoted("ontocrawl", "ontology", "build", "--corpus", "FILES", "--topic", "NAME", "--out", folder)


def rollback(
    target: Target,
    version: Annotated[str, typer.Argument(metavar="VERSION", help="The version, or its number, such as 0.2.0.")],
    who: Who = "",
    folder: Folder = None,
) -> Answer:
    """Go back to an earlier version of an ontology; later decisions are withdrawn, and nothing is lost."""
    from ontocrawl.topics import topics

    space = workspace(folder)
    return _rollback(target if Path(target).is_dir() else topics.load(target, space), version, who, space)


def of_topic_rollback(
    topic: TopicName,
    version: Annotated[str, typer.Argument(metavar="VERSION", help="The version, or its number, such as 1.1.0.")],
    who: Who = "",
    folder: Folder = None,
) -> Answer:
    """Go back to an earlier version of a topic's ontologies: the old name of `ontology rollback`, until 2.0."""
    from ontocrawl.topics import topics

    _renamed("rollback")
    space = workspace(folder, writes=True)
    return _rollback(topics.load(topic, space), version, who, space)


def _rollback(given: str | Topic, version: str, who: str, space: Workspace) -> Answer:
    from dataclasses import asdict

    from ontocrawl.base.workspace import now
    from ontocrawl.cli.enrich_apply import loaded_in, weights_of
    from ontocrawl.enrichment import applying
    from ontocrawl.versions import deciding, histories

    person = deciding.person(who)
    if isinstance(given, str):
        with (place := histories.place_of(given, space)).locked():
            entry, found = histories.restore(place, version, person, now()), applying.InGraph()
    else:
        with progress(Message("cli.doing_rollback"), None) as (bar, task):
            entry, found = applying.rolled_back(space, given, version, person, now(), stages(bar, task))
    document = asdict(entry) | {
        "graph": {"loaded": list(found.loaded)}, "weights": list(found.weights), "runs": list(found.runs),
    }  # fmt: skip
    name = given if isinstance(given, str) else given.name
    notes = [Message("versions.rolled_back", name=name, version=entry.version)]
    if not isinstance(given, str):
        again = quoted("ontocrawl", "enrich", "apply", "--topic", given.path or given.name)
        notes.append(Message("versions.goes_back", again=again, prior=entry.prior))
    return Answer(document, [*weights_of(found)], [*notes, *loaded_in(found)])
