"""Curated general classes, to place learned terms under.

Terms of a corpus rarely state their most general classes: no abstract states that a radar is an instrument. The package
has classes for one field (data/fields/earth), written for this project: the earth and disaster sciences, about two
hundred classes under a dozen facets. They are used for topics of that field only. Columns are tab-separated, several
values separated by ``|``:

    zh en         labels; one of them may be empty
    parents       labels of broader classes; empty for a facet, a direct child of the topic
    members       terms that are a kind of the class
    endings       endings of terms that are a kind of the class (…模型); ``!word`` is an exception
    accepts       facets whose terms may be below it too, ``*`` for all; otherwise facets exclude each other

Curated ontologies of the topic can be added (`skeleton`). The classes of the field take precedence for the terms they
know: a topic ontology may order by theme (a radar under monitoring), which is no hyponymy.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from dataclasses import field as attribute
from functools import cached_property, lru_cache
from pathlib import Path

from ontology.errors import OntocrawlError
from ontology.field_lists import field_list
from ontology.files import read_text, tab_cells
from ontology.model import Ontology
from ontology.reachable import reachable

HEADER = ("zh", "en", "parents", "members", "endings", "accepts")
TOP = "top class"
OWN = "own class"
PRIVATIVE = "反非无防抗减未不"


class SkeletonError(OntocrawlError, ValueError):
    """Invalid curated classes; the message names the place, what was expected and what was found."""


@dataclass(frozen=True, slots=True)
class SkeletonClass:
    """One curated class. ``source`` is the evidence of its edges."""

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
    """Curated classes with their broader classes by label.

    Raises:
        SkeletonError: duplicate labels or endings, unknown parents, cycles.

    >>> classes = Skeleton((SkeletonClass("灾害", "disaster", endings=("灾害",)),
    ...                     SkeletonClass("洪水", "flood", parents=("灾害",), members=("山洪",))))
    >>> sorted(classes.above("洪水")), classes.is_facet("灾害")
    (['洪水', '灾害'], True)
    >>> [c.label for c in classes.classes_of("山洪")], classes.class_by_ending("气象灾害")[1]
    (['洪水'], '灾害')
    """

    classes: tuple[SkeletonClass, ...]
    by_label: Mapping[str, SkeletonClass] = attribute(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        index = {c.label: c for c in self.classes}
        if len(index) != len(self.classes):
            raise SkeletonError(
                "evidence.curated_classes_label_occurs", doubled=_doubled([c.label for c in self.classes])
            )
        for c in self.classes:
            unknown = [p for p in c.parents if p not in index]
            if unknown:
                raise SkeletonError("evidence.curated_class_parent_no", c_label=c.label, unknown=unknown[0])
        endings = [e for c in self.classes for e in c.endings]
        if len(set(endings)) != len(endings):
            raise SkeletonError("evidence.curated_classes_ending_occurs", doubled=_doubled(endings))
        object.__setattr__(self, "by_label", index)
        for c in self.classes:
            if any(c.label in self.above(p) for p in c.parents):
                raise SkeletonError("evidence.curated_class_above_itself", c_label=c.label)

    def above(self, label: str) -> frozenset[str]:
        """Return the class and all its broader classes; empty for a label that is no class."""
        known = label in self.by_label
        return frozenset(reachable(label, lambda c: self.by_label[c].parents) if known else ())

    def is_facet(self, label: str) -> bool:
        """Return whether the label is a class without a broader one."""
        return label in self.by_label and not self.by_label[label].parents

    @cached_property
    def _members(self) -> Mapping[str, tuple[SkeletonClass, ...]]:
        classes_of: dict[str, list[SkeletonClass]] = {}
        for c in self.classes:
            for member in c.members:
                classes_of.setdefault(member, []).append(c)
        return {member: tuple(classes) for member, classes in classes_of.items()}

    def classes_of(self, term: str) -> tuple[SkeletonClass, ...]:
        """Return the classes that list a term as a member."""
        return self._members.get(term, ())

    def knows(self, term: str) -> bool:
        """Return whether a term is a class or the member of one."""
        return term in self.by_label or term in self._members

    @property
    def is_upper_level(self) -> bool:
        """Whether these are the upper level of a field, beside which one name makes no class; a user's own are not."""
        return any(c.source != OWN for c in self.classes)

    def has_place(self, term: str) -> bool:
        """Return whether a term is a class, the member of one, or has the ending of one."""
        return self.knows(term) or self.class_by_ending(term) is not None

    @cached_property
    def _endings(self) -> Mapping[str, SkeletonClass]:
        return {ending: c for c in self.classes for ending in c.endings}

    def class_by_ending(self, term: str) -> tuple[SkeletonClass, str] | None:
        """Return the class with the longest ending that a term has, and the ending; None without one.

        After a privative (抗氧化, 不透水面) nothing is an ending.
        """
        for start in range(1, len(term)):
            match = self._endings.get(term[start:])
            if match and term not in match.exceptions and term[start - 1] not in PRIVATIVE:
                return match, term[start:]
        return None

    def accepts(self, facet: str, other: str) -> bool:
        """Return whether the facet ``facet`` may have terms of the facet ``other`` below it.

        Args:
            facet: label of a class.
            other: label of another, or the same.

        Returns:
            Whether the terms may be placed there.
        """
        allowed = self.by_label[facet].accepts
        return facet == other or other in allowed or "*" in allowed


EMPTY_SKELETON = Skeleton(())


def skeleton(
    ontologies: Iterable[Ontology] = (), *, own_classes: str | Path | None = None, field: str = ""
) -> Skeleton:
    """Combine a user's classes, those of a field, and those of curated ontologies.

    A concept's other labels become members of its parents. Roots stand for the topic and are left out, so that the
    children of a root are facets. Terms that the field's classes, or an earlier ontology, know keep their place.

    Args:
        ontologies: curated ontologies.
        own_classes: a file of classes (`read_classes`), which take precedence.
        field: the field of the topic; the classes that come with the package for it are included.

    Returns:
        The combined classes.

    Raises:
        SkeletonError: the file is not valid.
    """
    combined = bundled(field)
    if own_classes is not None:
        user_classes = parse_classes(_text(own_classes), str(own_classes))
        combined = joined([replace(c, source=OWN) for c in user_classes], combined.classes)
    for ontology in ontologies:
        combined = Skeleton((*combined.classes, *_classes_of(ontology, combined)))
    return combined


def joined(preferred: Sequence[SkeletonClass], others: Sequence[SkeletonClass]) -> Skeleton:
    """Return a user's classes and the others without classes, members and endings of the same name.

    Args:
        preferred: the user's classes.
        others: the other ones.

    Returns:
        The classes of both.

    Raises:
        SkeletonError: the two together are not valid, as for `Skeleton`.
    """
    labels = {c.label for c in preferred}
    members = {m for c in preferred for m in c.members} | labels
    endings = {e for c in preferred for e in c.endings}
    kept = (
        replace(
            c,
            members=tuple(m for m in c.members if m not in members),
            endings=tuple(e for e in c.endings if e not in endings),
        )
        for c in others
        if c.label not in labels
    )
    return Skeleton((*preferred, *kept))


def _classes_of(ontology: Ontology, known: Skeleton) -> list[SkeletonClass]:
    """Return the concepts of an ontology that are not known yet, and known members as classes if one is below them."""
    label = {c.iri: c.label for c in ontology.concepts}
    source = f"curated ontology {ontology.iri.rsplit('/', 1)[-1]}"
    fresh = [c for c in ontology.concepts if c.iri != ontology.root and not known.knows(c.label)]
    others: dict[str, list[str]] = {}
    for c in fresh:
        for parent in ontology.parents[c.iri]:
            others.setdefault(label[parent], []).extend(a for a in c.alt_zh if a not in label.values())
    classes: dict[str, SkeletonClass] = {}
    for c in fresh:
        above = tuple(label[p] for p in ontology.parents[c.iri] if p != ontology.root)
        members = tuple(m for m in dict.fromkeys(others.get(c.label, ())) if not known.knows(m))
        classes[c.label] = SkeletonClass(c.label, c.label_en, above, members, source=source)
    for parent in {p for c in classes.values() for p in c.parents} - classes.keys() - known.by_label.keys():
        concept = next(c for c in ontology.concepts if c.label == parent)
        above = tuple(c.label for c in known.classes_of(parent))
        classes[parent] = SkeletonClass(parent, concept.label_en, above)
    return sorted(classes.values(), key=lambda c: c.label)


@lru_cache(maxsize=8)
def bundled(field: str) -> Skeleton:
    """Return the classes that come with the package for a field; none for a field without lists."""
    text = field_list(field, "classes.tsv")
    return EMPTY_SKELETON if text is None else Skeleton(parse_classes(text, f"the classes of the field {field}"))


def read_classes(path: str | Path) -> Skeleton:
    """Read a user's classes, in the format of those of a field. Raises SkeletonError naming file and line."""
    return Skeleton(parse_classes(_text(path), str(path)))


def _text(path: str | Path) -> str:
    return read_text(path, SkeletonError)


def parse_classes(text: str, name: str) -> tuple[SkeletonClass, ...]:
    """Parse a table of classes. Lines that begin with # are skipped.

    Args:
        text: the table.
        name: name of the file, for messages.

    Returns:
        The classes.

    Raises:
        SkeletonError: a missing header or an invalid line.
    """
    lines = [(n, line) for n, line in enumerate(text.removeprefix("\ufeff").splitlines(), 1) if line.strip()]
    lines = [(n, line) for n, line in lines if not line.startswith(("#", '"#'))]
    if not lines or tuple(tab_cells(lines[0][1])) != HEADER:
        header = lines[0][1] if lines else "nothing"
        raise SkeletonError("evidence.expected_header_tabs_between", name=name, header=" ".join(HEADER), found=header)
    return tuple(_row(line, f"{name}, line {n}") for n, line in lines[1:])


def _row(line: str, where: str) -> SkeletonClass:
    cells = tab_cells(line)
    if len(cells) > len(HEADER):
        raise SkeletonError("evidence.expected_found", where=where, header=", ".join(HEADER), line=line)
    if not any(cells[:2]):
        raise SkeletonError("evidence.class_name_column_zh", where=where, line=line)
    cells += [""] * (len(HEADER) - len(cells))
    parents, members, endings, accepts = (_values(cell) for cell in cells[2:])
    return SkeletonClass(
        cells[0] or cells[1],
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
