"""The changelog of a topic's ontologies: what came, moved and went with each version, and from which proposals.

It has no times and no names of persons, which are in the file of origins, so that the same versions have the same
changelog.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict

from ontocrawl.topics.reviewed import Reviewed
from ontocrawl.versions.releases import Release
from ontology import compare
from ontology.compare.diff import Difference
from ontology.decisions import Decision
from ontology.model import Concept, Ontology
from ontology.printable import one_line

END = "-changes.md"
_NAMES = {"alt_zh": "names", "alt_en": "names", "label_zh": "label", "label_en": "label"}


def changelog(release: Release, verdicts: Sequence[Reviewed], before: str) -> str:
    """Return the changelog with the section of a version above those of the versions before.

    Args:
        release: the version.
        verdicts: the verdicts that count.
        before: the changelog of the version before; empty if there is none.
    """
    title = f"# Changes of {release.ontologies[0].topic}\n"
    origin = _Origin(release.decided.decisions, verdicts)
    lines = [f"## {release.version}", ""]
    for ontology in release.ontologies:
        was = release.before.get(ontology.iri)
        found = list(_lines(compare.diff(was.ontology, ontology), ontology, origin)) if was is not None else []
        if found:
            lines += [f"{ontology.title_en or ontology.title_zh or ontology.iri}:", "", *found, ""]
    older = before.removeprefix(title).lstrip("\n")
    return "\n".join([title, *lines]) + (f"\n{older}" if older else "")


def differences(release: Release) -> tuple[dict[str, str], ...]:
    """Return what a version changes in each of its ontologies: ontology, kind, what, before and after."""
    return tuple(
        {"ontology": ontology.iri, **asdict(row)}
        for ontology in release.ontologies
        if (was := release.before.get(ontology.iri)) is not None
        for row in compare.rows(compare.diff(was.ontology, ontology))
    )


class _Origin:
    """Tells from which proposal and pages a class, a name or an edge comes."""

    def __init__(self, decisions: Sequence[Decision], verdicts: Sequence[Reviewed]) -> None:
        self._verdict = {id_: verdict for verdict in verdicts for id_ in verdict.decisions}
        self._decisions = decisions

    def __call__(self, *names: str) -> str:
        """Return the proposals of the decisions that name all of these, with pages; "" if there are none."""
        found: dict[str, Reviewed] = {}
        for d in self._decisions:
            verdict = self._verdict.get(d.id.rpartition("/")[2])
            if verdict is not None and all(name in (d.term, d.value) for name in names):
                found[verdict.id] = verdict
        return "".join(f"; proposal {_flat(id_)}{_pages(verdict)}" for id_, verdict in found.items())


def _pages(verdict: Reviewed) -> str:
    pages = list(dict.fromkeys(s.url for s in verdict.proposal.sentences))
    return f" ({', '.join(f'<{_flat(url)}>' for url in pages)})" if pages else ""


def _lines(difference: Difference, ontology: Ontology, origin: _Origin) -> Iterator[str]:
    labels: Mapping[str, str] = difference.labels
    for concept in difference.added:
        above = "、".join(labels[iri] for iri in ontology.parents[concept.iri])
        yield f"* added {_flat(concept.label)} under {_flat(above)}{origin(concept.label)}"
    new = {c.iri for c in difference.added}
    yield from (f"* removed {_flat(c.label)}" for c in difference.removed)
    for changed in (*difference.renamed, *difference.described):
        for change in changed.changes:
            what = _NAMES.get(change.field, change.field)
            yield from _values(changed.concept, what, change.old, change.new, origin)
    for moved in difference.moved:
        lost, gained = ("、".join(labels[iri] for iri in side) or "-" for side in (moved.lost, moved.gained))
        from_ = "".join(origin(moved.concept.label, labels[iri]) for iri in moved.gained)
        yield f"* moved {_flat(moved.concept.label)} from {_flat(lost)} to {_flat(gained)}{from_}"
    for sign, relations in (("added", difference.relations_added), ("removed", difference.relations_removed)):
        for r in relations:
            if r.kind != "subclass_of" and not (sign == "removed" and {r.source, r.target} & new):
                ends = labels[r.source], labels[r.target]
                yield f"* {sign} {_flat(ends[0])} {r.kind} {_flat(ends[1])}{origin(*ends)}"


def _values(concept: Concept, what: str, old: object, new: object, origin: _Origin) -> Iterator[str]:
    before, after = (set(v) if isinstance(v, tuple) else {v} - {None, ""} for v in (old, new))
    for value in sorted(map(str, after - before)):
        yield f"* {what} of {_flat(concept.label)}: {_flat(value)}{origin(value)}"
    for value in sorted(map(str, before - after)):
        yield f"* {what} of {_flat(concept.label)}, removed: {_flat(value)}"


def _flat(text: str) -> str:
    return one_line(text)
