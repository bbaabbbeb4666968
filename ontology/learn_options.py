"""The options of ontology learning, and the digest that a learned version ends with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from hashlib import blake2b
from typing import TYPE_CHECKING

from ontology.choices import KINDS, MAX_TERMS, MIN_DOCUMENTS, READINGS, UNPLACED, Kind, Reading, Unplaced
from ontology.decisions.guidance import NO_GUIDANCE, Guidance
from ontology.errors import OntocrawlError
from ontology.evidence.skeleton import EMPTY_SKELETON, Skeleton
from ontology.iris import BASE
from ontology.model import Document
from ontology.terms.lexicon import EMPTY, Lexicon
from ontology.terms.term_lists import NO_LISTS, TermLists

if TYPE_CHECKING:
    from ontology.evidence.wordnet import Wordnet
    from ontology.verification import Verifier


class LearnError(OntocrawlError, ValueError):
    """Invalid input or options of ontology learning; the message names what is wrong and the remedy."""


@dataclass(frozen=True)
class LearnOptions:
    """The options of ontology learning.

    Attributes:
        lexicon: synonyms and English labels of terms.
        lists: terms of the user to keep or to leave out, and stop words.
        required_terms: terms to include whatever their rank; each must be in a document.
        min_documents: smallest number of documents of a term, 1 or more.
        max_terms: largest number of terms, the best first; 1 or more.
        reading: how the hierarchy is read from the formal context: "evidence", "tolerant", "significant" or "published"
            (ontology/hierarchy/readings.py).
        evidence: kinds of evidence: "fca", and further ones beside it, "lda" and "apriori" (ontology/evidence; reading
            "evidence" only).
        upper_classes: the curated classes that terms are placed under (reading "evidence" only); none by default, as
            they hold for one field (`ontology.evidence.skeleton` combines a field's, a user's and an ontology's).
        unplaced: treatment of terms without a broader one: "drop" leaves them out, "root" puts them under the root
            (reading "evidence" only).
        false_discovery_rate: share of chance inclusions among the edges that rest on documents alone, in (0, 1)
            (reading "significant" only).
        verifier: a language model to ask about terms that nothing places, and about heads of names (reading "evidence"
            only).
        wordnet: a wordnet of the user to place terms by that nothing else places (`ontology.evidence.wordnet`; reading
            "evidence" only).
        guidance: what a person decided about the classes.
        version: prefix of the version of the ontologies; a digest of documents and options is appended.
        base: prefix of the IRIs of the ontologies.
        licence: licence of the ontologies, an IRI or a text.

    Raises:
        LearnError: an option of another type or outside its range, or evidence that the reading does not use.
    """

    lexicon: Lexicon = EMPTY
    lists: TermLists = NO_LISTS
    required_terms: tuple[str, ...] = ()
    min_documents: int = MIN_DOCUMENTS
    max_terms: int = MAX_TERMS
    reading: Reading = "evidence"
    evidence: tuple[Kind, ...] = ("fca",)
    upper_classes: Skeleton = EMPTY_SKELETON
    unplaced: Unplaced = "drop"
    # above the default of `ontology.hierarchy.term_hierarchy`: learned ontologies are reviewed, and deleting an edge is
    # less work than finding one
    false_discovery_rate: float = 0.2
    verifier: Verifier | None = None
    wordnet: Wordnet | None = None
    guidance: Guidance = NO_GUIDANCE
    version: str = "0.1.0"
    base: str = BASE
    licence: str = ""

    def __post_init__(self) -> None:
        for name, (kinds, expected) in _TYPES.items():
            value = getattr(self, name)
            if not isinstance(value, kinds) or isinstance(value, bool):
                raise LearnError(
                    "ontology.expected_found", name=name, expected=expected, value=value, type=type(value).__name__
                )
        for name, choices in (("reading", READINGS), ("unplaced", UNPLACED)):
            if getattr(self, name) not in choices:
                raise LearnError(
                    "ontology.expected_found_2", name=name, choices=", ".join(choices), getattr=getattr(self, name)
                )
        for name in ("min_documents", "max_terms"):
            if getattr(self, name) < 1:
                raise LearnError("ontology.expected_more_found", name=name, getattr=getattr(self, name))
        self._check_evidence()

    def _check_evidence(self) -> None:
        if "fca" not in self.evidence or not set(self.evidence) <= set(KINDS):
            listed = ", ".join(map(str, self.evidence)) or "none"
            raise LearnError("ontology.evidence_expected_fca_lda", listed=listed)
        if len(set(self.evidence)) > 1 and self.reading != "evidence":
            raise LearnError("ontology.evidence_lda_apriori_add", reading=self.reading)
        for name in ("verifier", "wordnet"):
            if getattr(self, name) is not None and self.reading != "evidence":
                raise LearnError("ontology.adds_claims_reading_does", name=name, reading=self.reading)

    @property
    def guided(self) -> LearnOptions:
        """The options with what a person decided about terms in the lists and in the lexicon."""
        if self.guidance == NO_GUIDANCE:
            return self
        return replace(self, lists=self.guidance.lists(self.lists), lexicon=self.guidance.lexicon(self.lexicon))

    def version_of(self, topic: object, documents: Sequence[Document], verdicts: str = "") -> str:
        """Return the version of the ontologies learned about a topic from these documents.

        Args:
            topic: a dataclass that describes the topic.
            documents: the corpus; their order does not matter.
            verdicts: digest of the verdicts of a language model; empty if none was asked.

        Returns:
            `version` and 12 hexadecimal digits: BLAKE2b of the documents, the topic and all options that affect the
            result. The code is not part of it: another release may learn something else.
        """
        deciding: tuple[object, ...] = (
            topic, self.lexicon.entries, self.lists, self.required_terms, self.min_documents, self.max_terms,
            self.reading, self.upper_classes, self.unplaced, self.false_discovery_rate, self.evidence, self.base,
        )  # fmt: skip
        if self.guidance != NO_GUIDANCE:
            deciding = (*deciding, self.guidance)
        if self.wordnet is not None:
            deciding = (*deciding, self.wordnet.digest)
        digest = blake2b(digest_size=6)
        for line in (*sorted(repr(document) for document in documents), _plain(deciding), *filter(None, (verdicts,))):
            digest.update(line.encode("utf-8", "surrogatepass"))
        return f"{self.version}+{digest.hexdigest()}"


_TYPES: dict[str, tuple[type | tuple[type, ...], str]] = {
    "lexicon": (Lexicon, "a Lexicon (ontology.terms.lexicon)"),
    "lists": (TermLists, "a TermLists (ontology.terms)"),
    "required_terms": (tuple, 'a tuple of texts, such as ("暴雨",)'),
    "min_documents": (int, "a whole number"),
    "max_terms": (int, "a whole number"),
    "reading": (str, "text"),
    "evidence": (tuple, 'a tuple of texts, such as ("fca", "lda")'),
    "upper_classes": (Skeleton, "a Skeleton (ontology.evidence.skeleton)"),
    "unplaced": (str, "text"),
    "false_discovery_rate": ((int, float), "a number"),
    "guidance": (Guidance, "a Guidance (ontology.decisions.guidance)"),
    "version": (str, "text"),
    "base": (str, "text"),
    "licence": (str, "text"),
}
"""Option -> its types, and the same in words."""


def _plain(value: object) -> str:
    """Return a text of nested values that is the same in every process: sets are sorted."""
    if isinstance(value, frozenset | set):
        return f"{{{','.join(sorted(map(_plain, value)))}}}"
    if isinstance(value, tuple | list):
        return f"({','.join(map(_plain, value))})"
    if is_dataclass(value):
        return _plain(tuple(getattr(value, f.name) for f in fields(value) if f.compare))
    return repr(value)
