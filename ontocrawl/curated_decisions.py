"""Decisions about a topic whose ontologies come with the package: in a workspace, beside their versions.

The package's files are never changed. The workspace gets ontologies of the same names, which precede them, as the
package has them and as the decisions in ``ontologies/TOPIC/decisions.tsv`` have it; their versions are in
``ontologies/TOPIC/versions``. A new release of the package brings its changes, and the decisions are applied to them.
"""

from __future__ import annotations

from dataclasses import replace
from importlib.resources import as_file, files
from pathlib import Path

from ontocrawl import deciding, hand_edits
from ontocrawl.errors import UsageError
from ontocrawl.topics import Topic
from ontocrawl.versions import Version, Versions
from ontology import owl
from ontology.decisions import in_force, table
from ontology.decisions.applying import apply
from ontology.decisions.facts import Facts
from ontology.iris import IriRegister
from ontology.model import Ontology


def write(topic: Topic, who: str, when: str) -> list[Path]:
    """Write the ontologies of a topic into its workspace, as they were decided.

    Edits of the workspace's files become decisions first.

    Args:
        topic: a topic with ontologies that come with the package.
        who: name of the person.
        when: date and time, ISO 8601.

    Returns:
        The files written; none if nothing changed.

    Raises:
        UsageError: no ontology of the topic comes with the package.
    """
    folder = topic.workspace.ontologies
    records = folder / topic.name
    shipped = _shipped(topic)
    register = register_of(topic)
    kept = hand_edits.keep(folder, topic.name, register, who, when, records=records)
    decisions = in_force(table.numbered(table.read(records / table.FILE)))
    store = Versions(folder, records)
    resolve = hand_edits.resolver(register, decisions, deciding.labels_of(store, topic.name))
    results = []
    for ontology in shipped:
        local = deciding.local_name(ontology)
        facts = Facts.of(decisions, resolve, local=local)
        earlier = deciding.earlier(store, deciding.file_stem(ontology))
        results.append(apply(ontology, facts, local=local, earlier=earlier, label_of=register.label))
    register.save(records / "iris.tsv")
    prior = store.latest
    before = {o.iri: deciding.built(store, prior.version, deciding.file_stem(o)) for o in shipped} if prior else {}
    more = {o.iri: kept.additions.get(deciding.file_stem(o), owl.NO_ADDITIONS) for o in shipped}
    known = [(r.ontology, before.get(r.ontology.iri)) for r in results]
    if all(was is not None and deciding.equal(o, was, more[o.iri]) for o, was in known):
        return []
    version = store.next_number(after=shipped[0].version)
    written = []
    for ontology, was in known:
        prior_iri = was.ontology.version_iri if was else next(o for o in shipped if o.iri == ontology.iri).version_iri
        for suffix in hand_edits.SUFFIXES:
            path = folder / f"{deciding.file_stem(ontology)}{suffix}"
            header = owl.Header(prior=prior_iri)
            owl.write(replace(ontology, version=version), path, header, additions=more[ontology.iri], sealed=True)
            written.append(path)
    entry = Version(
        version, when,
        prior=prior.version if prior else shipped[0].version,
        classes=len(results[0].ontology.concepts),
        decisions=tuple(d.id for d in decisions),
        added=tuple(d.id for d in decisions if prior is None or d.id not in prior.decisions),
        edited=kept.edited,
        idle={r.decision.id: r.reason for one in results for r in one.idle},
        conflicts={r.decision.id: r.reason for one in results for r in one.conflicts} | dict(kept.conflicts),
        unkept=kept.notes,
    )  # fmt: skip
    store.add(entry, written)
    return written


def _shipped(topic: Topic) -> list[Ontology]:
    """Read the ontologies of a topic that come with the package, the global one first."""
    found = []
    for name in topic.file.ontologies:
        source = files("ontologies") / name
        if source.is_file():
            with as_file(source) as path:
                found.append(owl.read(path))
    if not found:
        raise UsageError(
            f"topic {topic.name}: none of its ontologies comes with the package; give the folder of an `ontology build`"
        )
    return found


def register_of(topic: Topic) -> IriRegister:
    """Return the IRIs of a topic that comes with the package, and of what was decided about it in the workspace."""
    shipped = _shipped(topic)
    register = IriRegister.load(
        topic.workspace.ontologies / topic.name / "iris.tsv", shipped[0].root.rpartition("#")[0] + "#"
    )
    for ontology in shipped:
        for concept in ontology.concepts:
            register.keep(concept.label, concept.iri)
    return register
