"""Whether a verdict about a proposal can be carried out; if not, what to do instead."""

from __future__ import annotations

from dataclasses import replace
from difflib import get_close_matches

from ontocrawl.enrichment.decided_classes import DecidedClasses
from ontocrawl.enrichment.proposals import Suggestion
from ontocrawl.errors import CommandError, Option, UsageError
from ontocrawl.topics.reviewed import Reviewed
from ontology.decisions.applying import UP
from ontology.enrichment import Verdict
from ontology.model import Concept
from ontology.printable import is_plain

LONGEST_NAME = 100
"""Largest number of characters of a name that a reviewer gives."""


class VerdictError(UsageError):
    """A verdict that cannot be carried out."""

    about: str = ""
    """Id of the proposal, where several were decided about."""


class DecidedMeanwhile(CommandError):  # noqa: N818 - an outcome, not a defect
    """Somebody else has decided about a proposal since the reviewer saw it; nothing was written."""

    def __init__(self, standing: Reviewed) -> None:
        said = " ".join(filter(None, (standing.verdict.action, standing.verdict.value)))
        super().__init__(f"{standing.id}: {standing.who} has decided meanwhile: {said}; nothing was written")
        self.standing = standing
        """The verdict that counts now."""


def is_name(text: str) -> bool:
    """Return whether a text can be the name of a class: plain, with a letter, no longer than `LONGEST_NAME`."""
    return is_plain(text) and len(text) <= LONGEST_NAME and any(character.isalpha() for character in text)


def check(
    suggestion: Suggestion, verdict: Verdict, classes: DecidedClasses, *, again: bool = False
) -> tuple[Verdict, Suggestion]:
    """Check a verdict other than "reject" against the classes as they are decided now.

    Args:
        suggestion: the proposal.
        verdict: the verdict.
        classes: the classes, without an earlier verdict about this proposal.
        again: whether there is such an earlier verdict: then an ontology may have the term by it.

    Returns:
        The verdict and the proposal with the present labels of the classes that they name.

    Raises:
        VerdictError: a class is missing, a name is taken, a cycle would arise, or the verdict does not go with the kind
            of the proposal.
    """
    if verdict.action != "accept":
        if suggestion.kind == "relation":
            raise VerdictError(f"{suggestion.id} is a relation: it can be accepted or rejected as it is")
        if not verdict.value:
            raise VerdictError(f"{verdict.action} {suggestion.id}: give a name")
        if not is_plain(verdict.value):
            raise VerdictError(
                f"{verdict.value[:LONGEST_NAME]!r} has a control character, or one that changes the order of the text "
                "or is not seen: leave it out of the name"
            )
    if verdict.action == "merge":
        return Verdict("merge", _class(verdict.value, suggestion, classes).label), suggestion
    if suggestion.kind == "relation":
        return verdict, _relation(suggestion, classes)
    known = classes.find(suggestion.term)
    if known is not None and not again and verdict.action != "move":
        raise VerdictError(
            f"{suggestion.term} is a name of the class {known.label} already: reject the proposal, or move it"
        )
    if verdict.action == "rename":
        if not is_name(verdict.value):
            raise VerdictError(f"a name needs a letter, and has no more than {LONGEST_NAME} characters")
        _require_free(suggestion, verdict, classes)
    if verdict.action == "move":
        parent = _class(verdict.value, suggestion, classes)
        verdict = Verdict("move", parent.label)
    elif suggestion.target is None:
        return verdict, suggestion
    else:
        parent = _target(suggestion, classes)
        suggestion = replace(suggestion, target=parent.iri, target_label=parent.label)
    makes_class = suggestion.kind == "concept" or verdict.action == "move"
    if makes_class and known is not None and classes.is_below(parent.iri, known.iri):
        raise VerdictError(
            f"{known.label} under {parent.label} would make a cycle: {parent.label} is {known.label} or below it"
        )
    return verdict, suggestion


def _class(name: str, suggestion: Suggestion, classes: DecidedClasses) -> Concept:
    found = classes.find(name)
    if found is None:
        close = get_close_matches(name, classes.labels, n=1, cutoff=0.5)
        guess = f" Did you mean {close[0]}?" if close else ""
        raise VerdictError(
            f"there is no class {name!r}.{guess} `ontocrawl ontology show {suggestion.topic}` lists the classes"
        )
    return found


def _target(suggestion: Suggestion, classes: DecidedClasses) -> Concept:
    """Return the class that a proposal names; it may have been removed since the proposal was made."""
    label = suggestion.target_label or ""
    found = classes.find(suggestion.target or "") or (classes.find(label) if label else None)
    if found is None:
        what = "the parent" if suggestion.kind == "concept" else "the class"
        raise VerdictError(
            f"{what} {label or suggestion.target} of {suggestion.term} is no class any more: name another one with ",
            Option("--parent CLASS"),
            " or ",
            Option("--merge CLASS"),
            ", or propose again (ontocrawl enrich propose RUN)",
        )
    return found


def _require_free(suggestion: Suggestion, verdict: Verdict, classes: DecidedClasses) -> None:
    if suggestion.kind == "label":
        raise VerdictError(f"{suggestion.id} is another name of {suggestion.target_label}: accept, move or merge it")
    taken = classes.find(verdict.value)
    if taken is not None and taken != classes.find(suggestion.term):
        raise VerdictError(
            f"{verdict.value} is a name of the class {taken.label} already: merge the term into it (",
            Option(f"--merge {taken.label}"),
            "), or choose another name",
        )


def _relation(suggestion: Suggestion, classes: DecidedClasses) -> Suggestion:
    """Return a relation with the present labels of its ends."""
    target = _target(suggestion, classes)
    source = classes.find(suggestion.source or "") or classes.find(suggestion.term)
    if source is None:
        raise VerdictError(f"{suggestion.term} is no class any more: propose again (ontocrawl enrich propose RUN)")
    if source.iri == target.iri:
        raise VerdictError(f"{suggestion.id}: both ends are the class {source.label} now; reject the proposal")
    if suggestion.relation in UP and classes.is_below(target.iri, source.iri):
        raise VerdictError(
            f"{source.label} {suggestion.relation} {target.label} would make a cycle: {target.label} is below "
            f"{source.label}"
        )
    return replace(suggestion, term=source.label, source=source.iri, target=target.iri, target_label=target.label)
