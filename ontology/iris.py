"""IRIs of concepts, and the register that keeps them permanently.

An IRI is BASE + TOPIC# + a local name in ASCII: the English label in CamelCase, else the Chinese label in pinyin; if
another concept has that name already, a short hash of the label is added. Chinese is used in labels only.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterable, Mapping
from pathlib import Path

from ontology.errors import OntocrawlError
from ontology.files import write_atomically
from ontology.terms.wordforms import simplified

BASE = "https://w3id.org/ontocrawl/"
_HEADER = "label_zh\tiri"
_IRI = re.compile(r"^[a-z][a-z0-9+.-]*:[^\s<>\"{}|\\^`]+$", re.IGNORECASE)


class IriError(OntocrawlError, ValueError):
    """An invalid register, or a label without an IRI; the message names the place, the finding and the remedy."""


def namespace(topic: str, base: str = BASE) -> str:
    """Return the namespace of a topic's concepts, ``BASE + TOPIC#``.

    Args:
        topic: a name of ASCII letters, digits, - and _.
        base: an IRI that ends with / or #.

    Returns:
        The namespace.

    Raises:
        IriError: an invalid topic or base.

    >>> namespace("rainstorm")
    'https://w3id.org/ontocrawl/rainstorm#'
    """
    if not re.fullmatch(r"[A-Za-z0-9_-]+", topic):
        raise IriError("ontology.topic_expected_name_ascii", topic=topic)
    space = f"{base}{topic}#"
    if not _IRI.match(space) or not base.endswith(("/", "#")):
        raise IriError("ontology.base_expected_iri_ends", base=base, example=BASE)
    return space


def ontology_iri(topic: str, local: str = "", base: str = BASE) -> str:
    """Return the IRI of a topic's global ontology, or of one of its local ontologies.

    Args:
        topic: a name of ASCII letters, digits, - and _.
        local: name of a local ontology; empty for the global one.
        base: an IRI that ends with / or #.

    Returns:
        The IRI.

    Raises:
        IriError: an invalid topic or base.

    >>> ontology_iri("rainstorm", "relief")
    'https://w3id.org/ontocrawl/rainstorm/relief'
    """
    root = namespace(topic, base).removesuffix("#")
    return f"{root}/{local}" if local else root


def _pinyin(label: str) -> str:
    from pypinyin import lazy_pinyin  # its tables take a fifth of a second, and few commands need them

    return " ".join(lazy_pinyin(label, errors=lambda c: f" {c} "))


def local_name(label_zh: str, label_en: str | None = None) -> str:
    """Return the local name of a label, before any clash is resolved.

    Args:
        label_zh: the Chinese label.
        label_en: the English label.

    Returns:
        The English label in CamelCase, else the pinyin of the Chinese one; starts with a letter.

    >>> local_name("山洪", "flash flood"), local_name("三维模型", "3D model")
    ('FlashFlood', 'N3DModel')
    """
    words = _words(label_en or "") or _words(_pinyin(label_zh))
    name = "".join(w[0].upper() + w[1:] for w in words)
    if not name:
        return f"Term{_hash(label_zh)}"
    return name if name[0].isalpha() else f"N{name}"


def _words(text: str) -> list[str]:
    """Return the words of ASCII letters and digits; accents and apostrophes are removed, other marks separate words."""
    plain = unicodedata.normalize("NFKD", text).replace("'", "").replace("’", "")
    return re.findall(r"[A-Za-z0-9]+", "".join(c for c in plain if not unicodedata.combining(c)))


def _hash(label: str) -> str:
    return hashlib.sha256(label.encode("utf-8", "surrogatepass")).hexdigest()[:6]


class IriRegister:
    """Assigns an IRI to each Chinese label of one namespace, permanently. A label has one IRI in both scripts.

    A label in the register keeps its IRI whatever its English label becomes.

    >>> register = IriRegister(namespace("rainstorm"))
    >>> register.iri("山洪", "flash flood")
    'https://w3id.org/ontocrawl/rainstorm#FlashFlood'
    >>> register.iri("山洪", "mountain torrent")
    'https://w3id.org/ontocrawl/rainstorm#FlashFlood'
    """

    def __init__(self, namespace: str, entries: Mapping[str, str] | None = None) -> None:
        self.namespace = namespace
        known = dict(entries or {})
        self._iris = {_key(label): iri for label, iri in reversed(known.items())}
        self._taken = {iri: label for label, iri in known.items()}
        if len(self._taken) != len(known):
            doubled = sorted(label for label, iri in known.items() if self._taken[iri] != label)
            raise IriError("ontology.iri_register_labels_share", doubled=", ".join(doubled))

    def iri(self, label_zh: str, label_en: str | None = None) -> str:
        """Return the IRI of a label; made, and kept, at the first call.

        Args:
            label_zh: the Chinese label.
            label_en: the English label, for a new IRI.

        Returns:
            The IRI.

        Raises:
            IriError: an empty label, or no free IRI.
        """
        label = _key(label_zh)
        if not label:
            raise IriError("ontology.iri_needs_label_found")
        if label not in self._iris:
            iri = self._new(label, label_en)
            self._iris[label] = iri
            self._taken[iri] = label
        return self._iris[label]

    def keep(self, label: str, iri: str) -> bool:
        """Register the IRI of a class that a person made.

        Args:
            label: its label.
            iri: its IRI.

        Returns:
            Whether the label has this IRI now; not if the label, or the IRI, is that of another.
        """
        label = _key(label)
        if label and label not in self._iris and iri not in self._taken:
            self._iris[label] = iri
            self._taken[iri] = label
        return bool(label) and self._iris.get(label) == iri

    def label(self, iri: str) -> str:
        """Return the label that an IRI was given to; the IRI itself if there is none."""
        return self._taken.get(iri, iri)

    def known(self, label: str) -> str:
        """Return the IRI of a label; an empty text for one that has none."""
        return self._iris.get(_key(label), "")

    def _new(self, label: str, label_en: str | None) -> str:
        iri = self.namespace + local_name(label, label_en)
        if iri not in self._taken:
            return iri
        marked = f"{iri}-{_hash(label)}"
        if marked in self._taken:
            raise IriError("ontology.label_taken_give_english", label=label, marked=marked, taken=self._taken[marked])
        return marked

    @property
    def entries(self) -> Mapping[str, str]:
        """Label -> IRI, sorted by label."""
        return dict(sorted((label, iri) for iri, label in self._taken.items()))

    @classmethod
    def load(cls, path: str | Path, namespace: str) -> IriRegister:
        """Read a register file; a missing file is an empty register.

        Args:
            path: the file.
            namespace: namespace of the labels.

        Returns:
            The register.

        Raises:
            IriError: the file is not valid; the message names the file and line.
        """
        path = Path(path)
        if not path.exists():
            return cls(namespace)
        try:
            lines = path.read_text(encoding="utf-8").splitlines()
        except (OSError, UnicodeDecodeError) as error:
            raise IriError("ontology.could_not_read_utf", path=path, error=error) from error
        if lines[:1] != [_HEADER]:
            raise IriError("ontology.line_expected_header_found", path=path, header=_HEADER, lines=(lines or [""])[0])
        return cls(namespace, dict(_entry(line, f"{path}, line {n}") for n, line in enumerate(lines[1:], 2)))

    def save(self, path: str | Path) -> None:
        """Write the register, sorted, atomically."""
        write_atomically(Path(path), self.content())

    def content(self) -> bytes:
        """Return what `save` writes."""
        rows = (f"{label}\t{iri}\n" for label, iri in self.entries.items())
        return (_HEADER + "\n" + "".join(rows)).encode()


def _key(label: str) -> str:
    return simplified(" ".join(unicodedata.normalize("NFKC", label).split()))


def _entry(line: str, where: str) -> tuple[str, str]:
    cells = line.split("\t")
    if len(cells) != 2 or not cells[0] or not _IRI.match(cells[1]):
        raise IriError("ontology.expected_label_tab_iri", where=where, line=line)
    return cells[0], cells[1]


def equal_names(names: Iterable[str], pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return name -> the smallest name that pairs of equal names join it with, by union-find.

    >>> equal_names("abcd", [("c", "b"), ("d", "c")])
    {'a': 'a', 'b': 'b', 'c': 'b', 'd': 'b'}
    """
    leader = {name: name for name in names}

    def find(name: str) -> str:
        while leader[name] != name:
            leader[name] = leader[leader[name]]
            name = leader[name]
        return name

    for pair in pairs:
        one, other = sorted(map(find, pair))
        leader[other] = one
    return {name: find(name) for name in leader}
