"""The curated top: general classes written by hand, to hang learned terms on.

Terms of a corpus rarely say what they are at the top: that a radar is an instrument stands in no abstract. The bundled
classes (data/top_classes.tsv) were written for this project: the earth and disaster sciences, about two hundred classes
under a dozen facets. Its columns, tab-separated, several values separated by ``|``:

    zh en         labels
    parents       labels of broader classes; empty for a facet, which hangs under the topic
    members       terms that are a kind of the class, by name
    endings       how terms end that are a kind of the class (…模型); ``!word`` is an exception
    accepts       facets whose terms may stand below too, ``*`` for all; facets exclude each other otherwise

Curated ontologies of the topic can be added (`skeleton`). Where the bundled classes know a term they go first: a topic
ontology may order by theme (a radar under monitoring), which is no hyponymy.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from importlib.resources import files
from pathlib import Path

from ontology.files import read_text
from ontology.model import Ontology
from ontology.reachable import reachable

HEADER = ("zh", "en", "parents", "members", "endings", "accepts")
TOP = "top class"
OWN = "own class"
PRIVATIVE = "反非无防抗减未不"


class SkeletonError(ValueError):
    """Curated classes that can't be used: where, what was expected and found."""


@dataclass(frozen=True, slots=True)
class SkeletonClass:
    """One curated class. ``source`` is what its edges give as evidence."""

    label: str
    label_en: str | None
    parents: tuple[str, ...] = ()
    members: tuple[str, ...] = ()
    endings: tuple[str, ...] = ()
    exceptions: frozenset[str] = frozenset()
    accepts: frozenset[str] = frozenset()
    source: str = TOP


@dataclass(frozen=True)
class Skeleton:
    """Curated classes, broader ones by label.

    SkeletonError for doubled labels or endings, unknown parents, cycles.
    """

    classes: tuple[SkeletonClass, ...]
    by_label: Mapping[str, SkeletonClass] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        index = {c.label: c for c in self.classes}
        if len(index) != len(self.classes):
            raise SkeletonError(f"curated classes: a label stands twice: {_doubled([c.label for c in self.classes])}")
        for c in self.classes:
            unknown = [p for p in c.parents if p not in index]
            if unknown:
                raise SkeletonError(f"curated class {c.label}: its parent {unknown[0]!r} is no class")
        endings = [e for c in self.classes for e in c.endings]
        if len(set(endings)) != len(endings):
            raise SkeletonError(f"curated classes: an ending stands in two classes: {_doubled(endings)}")
        object.__setattr__(self, "by_label", index)
        for c in self.classes:
            if any(c.label in self.above(p) for p in c.parents):
                raise SkeletonError(f"curated class {c.label} is above itself; take one of its parents away")

    def above(self, label: str) -> frozenset[str]:
        """The class and all its broader classes; empty for a label that is no class."""
        known = label in self.by_label
        return frozenset(reachable(label, lambda c: self.by_label[c].parents) if known else ())

    def is_facet(self, label: str) -> bool:
        """Whether the label is a class without a broader one."""
        return label in self.by_label and not self.by_label[label].parents

    @cached_property
    def _members(self) -> Mapping[str, tuple[SkeletonClass, ...]]:
        found: dict[str, list[SkeletonClass]] = {}
        for c in self.classes:
            for member in c.members:
                found.setdefault(member, []).append(c)
        return {member: tuple(classes) for member, classes in found.items()}

    def classes_of(self, term: str) -> tuple[SkeletonClass, ...]:
        """The classes that name a term as a member."""
        return self._members.get(term, ())

    def knows(self, term: str) -> bool:
        """Whether a term is a class or the member of one."""
        return term in self.by_label or term in self._members

    @cached_property
    def _endings(self) -> Mapping[str, SkeletonClass]:
        return {ending: c for c in self.classes for ending in c.endings}

    def class_by_ending(self, term: str) -> tuple[SkeletonClass, str] | None:
        """The class with the longest ending that a term has, and the ending; None without one.

        What stands behind a privative (抗氧化, 不透水面) is no ending.
        """
        for at in range(1, len(term)):
            found = self._endings.get(term[at:])
            if found and term not in found.exceptions and term[at - 1] not in PRIVATIVE:
                return found, term[at:]
        return None

    def accepts(self, facet: str, other: str) -> bool:
        """Whether terms of the facet ``other`` may stand below the facet ``facet``."""
        allowed = self.by_label[facet].accepts
        return facet == other or other in allowed or "*" in allowed


EMPTY_SKELETON = Skeleton(())


def skeleton(
    ontologies: Iterable[Ontology] = (), *, own_classes: str | Path | None = None, bundled_classes: bool = True
) -> Skeleton:
    """A user's own classes (a file for `read_classes`), the bundled ones, and those of curated ontologies.

    A concept's other labels become members of its parents (a near synonym is as near to them). Roots stand for the
    topic and are left out, so that what stands below a root is a facet. What the bundled classes, or an earlier
    ontology, know keeps its place.
    """
    made = bundled() if bundled_classes else EMPTY_SKELETON
    if own_classes is not None:
        given = parse_classes(_text(own_classes), str(own_classes))
        made = _joined([replace(c, source=OWN) for c in given], made.classes)
    for ontology in ontologies:
        made = Skeleton((*made.classes, *_classes_of(ontology, made)))
    return made


def _joined(own: Sequence[SkeletonClass], others: Sequence[SkeletonClass]) -> Skeleton:
    """Own classes and the others, which lose what the own ones say: classes, members and endings of the same name."""
    labels = {c.label for c in own}
    members = {m for c in own for m in c.members} | labels
    endings = {e for c in own for e in c.endings}
    kept = (
        replace(
            c,
            members=tuple(m for m in c.members if m not in members),
            endings=tuple(e for e in c.endings if e not in endings),
        )
        for c in others
        if c.label not in labels
    )
    return Skeleton((*own, *kept))


def _classes_of(ontology: Ontology, known: Skeleton) -> list[SkeletonClass]:
    """The concepts of an ontology that are not known yet, and known members as classes where one hangs below them."""
    label = {c.iri: c.label for c in ontology.concepts}
    source = f"curated ontology {ontology.iri.rsplit('/', 1)[-1]}"
    fresh = [c for c in ontology.concepts if c.iri != ontology.root and not known.knows(c.label)]
    others: dict[str, list[str]] = {}
    for c in fresh:
        for parent in ontology.parents[c.iri]:
            others.setdefault(label[parent], []).extend(a for a in c.alt_zh if a not in label.values())
    made: dict[str, SkeletonClass] = {}
    for c in fresh:
        above = tuple(label[p] for p in ontology.parents[c.iri] if p != ontology.root)
        members = tuple(m for m in dict.fromkeys(others.get(c.label, ())) if not known.knows(m))
        made[c.label] = SkeletonClass(c.label, c.label_en, above, members, source=source)
    for parent in {p for c in made.values() for p in c.parents} - made.keys() - known.by_label.keys():
        concept = next(c for c in ontology.concepts if c.label == parent)
        above = tuple(c.label for c in known.classes_of(parent))
        made[parent] = SkeletonClass(parent, concept.label_en, above)
    return sorted(made.values(), key=lambda c: c.label)


@lru_cache(maxsize=1)
def bundled() -> Skeleton:
    """The bundled classes."""
    text = (files("ontology") / "data" / "top_classes.tsv").read_text(encoding="utf-8")
    return Skeleton(parse_classes(text, "the bundled top classes"))


def read_classes(path: str | Path) -> Skeleton:
    """A user's own classes, in the format of the bundled ones. SkeletonError names file and line."""
    return Skeleton(parse_classes(_text(path), str(path)))


def _text(path: str | Path) -> str:
    return read_text(path, SkeletonError)


def parse_classes(text: str, name: str) -> tuple[SkeletonClass, ...]:
    """The classes of a table; ``name`` is for messages. Lines with # are left out."""
    lines = [(n, line) for n, line in enumerate(text.removeprefix("\ufeff").splitlines(), 1) if line.strip()]
    lines = [(n, line) for n, line in lines if not line.startswith("#")]
    if not lines or tuple(lines[0][1].split("\t")) != HEADER:
        found = lines[0][1] if lines else "nothing"
        raise SkeletonError(f"{name}: expected the header {' '.join(HEADER)} (tabs between), found {found!r}")
    return tuple(_row(line, f"{name}, line {n}") for n, line in lines[1:])


def _row(line: str, where: str) -> SkeletonClass:
    cells = [cell.strip() for cell in line.split("\t")]
    if len(cells) > len(HEADER) or not cells[0]:
        raise SkeletonError(f"{where}: expected {', '.join(HEADER)}, found {line!r}")
    cells += [""] * (len(HEADER) - len(cells))
    parents, members, endings, accepts = (_values(cell) for cell in cells[2:])
    return SkeletonClass(
        cells[0],
        cells[1] or None,
        parents,
        members,
        tuple(e for e in endings if not e.startswith("!")),
        frozenset(e[1:] for e in endings if e.startswith("!")),
        frozenset(accepts),
    )


def _values(cell: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(value.strip() for value in cell.split("|") if value.strip()))


def _doubled(labels: Sequence[str]) -> str:
    return ", ".join(sorted({label for label in labels if labels.count(label) > 1}))
