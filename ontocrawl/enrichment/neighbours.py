"""What is around the place that a proposal names, and the classes that a reviewer may mean instead."""

from __future__ import annotations

from dataclasses import dataclass

from ontocrawl.base.workspace import Workspace
from ontocrawl.enrichment.classes import MOST_CHOICES, Hierarchy
from ontocrawl.enrichment.decided_classes import DecidedClasses
from ontocrawl.enrichment.proposals import Suggestion
from ontocrawl.enrichment.wording import Step
from ontocrawl.topics.topics import Topic
from ontocrawl.versions import deciding
from ontology.decisions import table
from ontology.model import Concept


def hierarchy_of(space: Workspace, topic: Topic) -> Hierarchy:
    """Return the classes of a topic with all decisions of the workspace so far."""
    decisions = table.numbered(table.read(deciding.of_workspace(space, topic.name)))
    return Hierarchy(DecidedClasses(topic, decisions))


@dataclass(frozen=True)
class Neighbours:
    """The place that a proposal names.

    Attributes:
        target: the class that it names: a parent, the class of a name, or the other end of a relation; None if it
            names none, or if it is no class any more.
        path: labels from the root to that class.
        names: other names of that class.
        below: the classes directly below it; those beside a new class.
        is_gone: whether the class is no class any more.
    """

    target: Concept | None
    path: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    below: tuple[Concept, ...] = ()
    is_gone: bool = False


def neighbours(hierarchy: Hierarchy, one: Suggestion) -> Neighbours:
    """Return what is around the place that a proposal names, as the classes are decided now."""
    target = hierarchy.find(one.target) or hierarchy.find(one.target_label)
    if target is None:
        return Neighbours(None, is_gone=one.target is not None)
    names = tuple(dict.fromkeys(form for _, form in target.forms() if form != target.label))
    return Neighbours(target, hierarchy.path(target), names, hierarchy.children(target))


def choices(hierarchy: Hierarchy, one: Suggestion, step: Step, typed: str = "") -> tuple[Concept, ...]:
    """Return the classes that a reviewer may mean while a text is typed, best first.

    Args:
        hierarchy: the classes.
        one: the proposal.
        step: "move" or "merge"; for "rename", which needs a name and no class, there are none.
        typed: what is typed so far. Without a text, or with a number, the classes are those near the term, then those
            around the suggested class.
    """
    text = typed.strip()
    if step == "rename":
        return ()
    if text and not text.isdecimal():
        return hierarchy.nearest(text)
    target = hierarchy.find(one.target) or hierarchy.find(one.target_label)
    around = hierarchy.around(target) if target else ()
    near = hierarchy.nearest(one.term, n=MOST_CHOICES // 2)
    found = {c.iri: c for c in (*near, *around) if step == "merge" or c != target}
    return tuple(found.values())[:MOST_CHOICES]
