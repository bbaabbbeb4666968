"""Compare the ontologies in a graph with what was noted when they were loaded, and with the files of their topics."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kg import load
from kg.health import Survey
from kg.store import Row
from ontocrawl import topics
from ontocrawl.errors import OntocrawlError
from ontocrawl.graph_mending import WaysBack
from ontocrawl.graph_problems import Problem
from ontocrawl.run_health import RunOfWorkspace
from ontocrawl.topics import Topic
from ontocrawl.workspace import Workspace
from ontology.model import Ontology


def of_workspace(space: Workspace, of_runs: Sequence[RunOfWorkspace], ontologies: Sequence[Row]) -> tuple[str, ...]:
    """Return the topics that the graph of a workspace should have: names, or files outside of the workspace.

    Args:
        space: the workspace.
        of_runs: its runs, whose topics these are.
        ontologies: the ontologies in the graph (`kg.health.ontologies`), whose topics the workspace may have by name.
    """
    used = [run.config.topic_file or run.config.topic for run in of_runs]
    named = {run.config.topic for run in of_runs}
    available = topics.available(space)
    loaded = [str(row["topic"]) for row in ontologies if row["topic"] in available and row["topic"] not in named]
    return tuple(dict.fromkeys((*used, *loaded)))


def compare(space: Workspace, survey: Survey, ontologies: Sequence[Row], back: WaysBack) -> Iterator[Problem]:
    """Yield what is wrong with the ontologies in a graph, and remarks.

    Args:
        space: the workspace.
        survey: what the graph holds.
        ontologies: the ontologies in the graph (`kg.health.ontologies`).
        back: the ways back, with the topics that the graph should have.
    """
    files, unread = _files(space, back.topics)
    for line in unread:
        yield Problem.remark("topic", line)
    for row in ontologies:
        topic = next((name for name, of_topic in files.items() if row["iri"] in of_topic), None)
        mend = back.load(topic or str(row["topic"] or "TOPIC"))
        if row["papers"] == "":
            yield Problem("topic", f"the papers of the ontology {row['iri']} are not all in the graph", mend)
        if not row["digest"]:
            yield Problem("topic", f"the ontology {row['iri']} was not loaded to its end", mend)
        elif topic is None:
            yield Problem.remark("topic", f"the ontology {row['iri']} is of no topic known here: it is not compared")
        elif "IN_ONTOLOGY" not in survey.changing:
            yield from _differences(files[topic][row["iri"]], row, survey, mend)


def _files(space: Workspace, names: Sequence[str]) -> tuple[dict[str, dict[str, Ontology]], list[str]]:
    """Return topic -> key -> ontology, read from the topics' files, and a sentence for each that is unreadable."""
    found, unread = {}, []
    for name in names:
        try:
            found[name] = _by_key(topics.load(name, space))
        except (OntocrawlError, OSError) as error:
            unread.append(f"topic {name} is not compared, because its files cannot be read: {error}")
    return found, unread


def _by_key(topic: Topic) -> dict[str, Ontology]:
    return {ontology.key: ontology for ontology in topic.ontologies}


def _differences(ontology: Ontology, row: Row, survey: Survey, mend: tuple[str, ...]) -> Iterator[Problem]:
    """Compare numbers with those of the file that was loaded; a file that was changed since then is no fault."""
    if row["digest"] != load.digest(ontology):
        yield Problem.remark("topic", f"the file of the ontology {row['iri']} was changed after it was loaded", mend)
        return
    counted = {kind: survey.owned[(kind.upper(), row["iri"])] for kind in load.KINDS}
    expected = dict.fromkeys(load.KINDS, 0)
    for kind, _, _ in {(r.kind, r.source, r.target) for r in ontology.relations}:
        expected[kind] += 1
    members = survey.owned[("IN_ONTOLOGY", row["iri"])]
    wrong = [f"{members} concepts of {len(ontology.concepts)}"] if members != len(ontology.concepts) else []
    differing = [kind for kind in load.KINDS if counted[kind] != expected[kind]]
    wrong += [f"{counted[kind]} {kind.upper()} of {expected[kind]}" for kind in differing]
    if wrong:
        what = f"the ontology {row['iri']} has {', '.join(wrong)} in its file: it was edited in the graph, or lost some"
        yield Problem.remark("topic", what, mend)
