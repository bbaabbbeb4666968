"""The options of ontology learning, and the digest that a learned version ends with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from hashlib import blake2b

from ontology.choices import KINDS, Kind, Reading, Unplaced
from ontology.errors import OntocrawlError
from ontology.evidence.skeleton import Skeleton, bundled
from ontology.iris import BASE
from ontology.model import Document
from ontology.terms.lexicon import EMPTY, Lexicon


class LearnError(OntocrawlError, ValueError):
    """Invalid input or options of ontology learning; the message names what is wrong and the remedy."""


@dataclass(frozen=True)
class LearnOptions:
    """The options of ontology learning.

    Raises:
        LearnError: unknown evidence, or evidence that the reading does not use.
    """

    lexicon: Lexicon = EMPTY
    """Synonyms and English labels of terms."""
    required_terms: tuple[str, ...] = ()
    """Terms to include whatever their rank; each must be in a document."""
    min_documents: int = 3
    """Smallest number of documents of a term."""
    max_terms: int = 300
    """Largest number of terms, the best first."""
    reading: Reading = "evidence"
    """How the hierarchy is read from the formal context; see ontology/hierarchy/readings.py."""
    evidence: tuple[Kind, ...] = ("fca",)
    """"fca", and further kinds: "lda", "apriori" (ontology/evidence; reading "evidence" only)."""
    upper_classes: Skeleton = field(default_factory=bundled)
    """The curated classes that terms are placed under (reading "evidence" only)."""
    unplaced: Unplaced = "drop"
    """Treatment of terms without a broader one (reading "evidence" only)."""
    false_discovery_rate: float = 0.2
    """Share of chance inclusions among the edges that rest on documents alone (reading "significant" only). Above the
    default of `ontology.hierarchy.term_hierarchy`: learned ontologies are reviewed, and deleting an edge is less work
    than finding one."""
    version: str = "0.1.0"
    """Prefix of the version of the ontologies; a digest of documents and options is appended."""
    base: str = BASE
    """Prefix of the IRIs of the ontologies."""
    licence: str = ""
    """Licence of the ontologies, an IRI or a text."""

    def __post_init__(self) -> None:
        if "fca" not in self.evidence or not set(self.evidence) <= set(KINDS):
            listed = ", ".join(self.evidence) or "none"
            raise LearnError(
                f"evidence: expected fca, and lda or apriori beside it, found {listed}; fca is always needed"
            )
        if len(set(self.evidence)) > 1 and self.reading != "evidence":
            raise LearnError(
                f"evidence: lda and apriori add to the claims of other sources, which the reading {self.reading!r} "
                'does not use; use the reading "evidence"'
            )

    def version_of(self, topic: object, documents: Sequence[Document]) -> str:
        """Return the version of the ontologies learned about a topic from these documents.

        Args:
            topic: a dataclass that describes the topic.
            documents: the corpus; their order does not matter.

        Returns:
            `version` and 12 hexadecimal digits: BLAKE2b of the documents, the topic and all options that affect the
            result. The code is not part of it: another release may learn something else.
        """
        deciding = (
            topic, self.lexicon.entries, self.required_terms, self.min_documents, self.max_terms, self.reading,
            self.upper_classes, self.unplaced, self.false_discovery_rate, self.evidence, self.base,
        )  # fmt: skip
        digest = blake2b(digest_size=6)
        for line in (*sorted(repr(document) for document in documents), _plain(deciding)):
            digest.update(line.encode("utf-8", "surrogatepass"))
        return f"{self.version}+{digest.hexdigest()}"


def _plain(value: object) -> str:
    """Return a text of nested values that is the same in every process: sets are sorted."""
    if isinstance(value, frozenset | set):
        return f"{{{','.join(sorted(map(_plain, value)))}}}"
    if isinstance(value, tuple | list):
        return f"({','.join(map(_plain, value))})"
    if is_dataclass(value):
        return _plain(tuple(getattr(value, f.name) for f in fields(value) if f.compare))
    return repr(value)
