"""Naive Bayes classifier with position weights (BCW): paper 003, section 3, Eqs. (5) to (9).

    C(X) = argmax_i P(C_i) prod_k P(U_k | C_i) L_j       U_k a word of page X, L_j the weight of its position (Table 1)

Two printed equations do not work; both have a printed and a repaired reading here:

    Eq. (8), trap T13   tf idf / (M_i + M_a) lost a "+ 1": a word of the class is less likely than one that it
                        lacks, which inverts the classifier. Repaired: (c idf + 1) / (sum c' idf' + M_a), naive Bayes
                        on counts weighted by idf; or (c + 1) / (M_i + M_a), Laplace's rule, the plain classifier.
    Eq. (9), trap T12   L_j is the same factor for every class, so it has no effect. Repaired: it is the exponent,
                        P(U_k | C_i)^L_j, so that a word in the title counts as two of the body.

Words of no class are skipped; a word in several positions has the sum of their L_j (trap T14). Logarithms are to base
10.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import Any, Literal, get_args

import numpy as np

from crawler.model import Counts, Floats, Ids
from ontology.errors import OntocrawlError

Likelihood = Literal["tf_idf", "laplace", "printed"]
Position = Literal["exponent", "factor", "none"]
LIKELIHOODS: tuple[Likelihood, ...] = get_args(Likelihood)
POSITIONS: tuple[Position, ...] = get_args(Position)

PlacedWord = tuple[str, float]
"""A word of a page and L_j of its position."""
FORMAT, VERSION = "ontocrawl-bayes", 1


class ClassifierError(OntocrawlError, ValueError):
    """A classifier that cannot be trained or loaded; the message names the class or key that is wrong."""


@dataclass(frozen=True)
class Training:
    """Counts of a training set with m classes and M_a different words."""

    classes: tuple[str, ...]
    words: tuple[str, ...]
    """In alphabetical order of code points."""
    K: Ids
    """K_i, number of texts of each class, shape (m,)."""
    c: Counts
    """Occurrences of each word in each class, shape (m, M_a)."""
    N_t: Ids
    """Number of texts that contain each word, shape (M_a,)."""

    @cached_property
    def idf(self) -> Floats:
        """Inverse document frequencies lg(N / N_t + .01) of Eq. (1), shape (M_a,), above 0."""
        idf: Floats = np.log10(self.K.sum() / self.N_t + 0.01)
        return idf

    @cached_property
    def row(self) -> Mapping[str, int]:
        """Word -> its column."""
        return MappingProxyType({word: column for column, word in enumerate(self.words)})


def count(texts: Mapping[str, Iterable[Sequence[str]]]) -> Training:
    """Count the words of a training set; positions are not used.

    Args:
        texts: class -> the words of each of its texts.

    Raises:
        ClassifierError: fewer than two classes, or one without a text or without a word.

    >>> training = count({"flood": [["rain", "rain"], ["rain", "dam"]], "sport": [["goal"]]})
    >>> training.words, training.c.tolist(), training.N_t.tolist()
    (('dam', 'goal', 'rain'), [[1, 0, 3], [0, 1, 0]], [1, 1, 2])
    """
    if len(texts) < 2:
        raise ClassifierError("scoring.classifier_needs_classes_more", n_texts=len(texts), texts=", ".join(texts))
    counted: dict[str, dict[str, int]] = {}
    N_t: dict[str, int] = {}
    K = []
    for name, documents in texts.items():
        word_counts: dict[str, int] = {}
        number = 0
        for number, words in enumerate(documents, start=1):  # noqa: B007 - how many there were
            for word in words:
                word_counts[word] = word_counts.get(word, 0) + 1
            for word in set(words):
                N_t[word] = N_t.get(word, 0) + 1
        if not word_counts:
            what = "no text" if number == 0 else f"{number} texts without any word"
            raise ClassifierError("scoring.class_training_set_give", name=name, what=what)
        counted[name] = word_counts
        K.append(number)
    words = tuple(sorted(N_t))
    c = np.array([[of_class.get(word, 0) for word in words] for of_class in counted.values()], dtype=np.int64)
    return Training(tuple(counted), words, np.array(K), c, np.array([N_t[word] for word in words], dtype=np.int64))


def _prior(K: Ids) -> Floats:
    """Compute P(C_i), Eq. (7): shape (m,), of sum 1, from the number of texts of each class.

    >>> _prior(np.array([2, 1, 1])).tolist()
    [0.5, 0.25, 0.25]
    """
    P: Floats = K / K.sum()
    return P


def _likelihood(training: Training, reading: Likelihood = "tf_idf") -> Floats:
    """Compute P(U | C_i), Eq. (8).

    Args:
        training: the counts.
        reading: "printed", or one of the repaired readings (trap T13).

    Returns:
        Shape (m, M_a), in (0, 1); each row has the sum 1, except under the printed reading.

    >>> training = count({"flood": [["rain", "rain"], ["rain", "dam"]], "sport": [["goal"]]})
    >>> _likelihood(training, "laplace").round(3).tolist()
    [[0.286, 0.143, 0.571], [0.25, 0.5, 0.25]]
    """
    c, M_a = training.c, len(training.words)
    M_i = c.sum(axis=1, keepdims=True)
    P: Floats
    if reading == "laplace":
        P = (c + 1.0) / (M_i + M_a)
    elif reading == "tf_idf":
        weighted = c * training.idf
        P = (weighted + 1.0) / (weighted.sum(axis=1, keepdims=True) + M_a)
    else:
        P = np.where(c > 0, c / M_i * training.idf, 1.0) / (M_i + M_a)  # Eq. (8)
    return P


@dataclass(frozen=True)
class NaiveBayes:
    """A trained classifier under one reading of Eq. (8) and one of Eq. (9).

    Raises:
        ClassifierError: a reading that does not exist.

    >>> classifier = NaiveBayes(count({"flood": [["rain", "dam"], ["rain"]], "sport": [["goal"], ["goal", "rain"]]}))
    >>> classifier.classify([("rain", 1.0), ("dam", 2.0)])
    'flood'
    """

    training: Training
    likelihood: Likelihood = "tf_idf"
    position: Position = "exponent"
    """"exponent" is the repaired Eq. (9), "factor" the printed one, "none" is Eq. (6), where no place weighs more."""
    _lg: Floats = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        for name, value, choices in (
            ("likelihood", self.likelihood, LIKELIHOODS),
            ("position", self.position, POSITIONS),
        ):
            if value not in choices:
                raise ClassifierError("scoring.must_not", name=name, choices=", ".join(choices), value=value)
        object.__setattr__(self, "_lg", np.log10(_likelihood(self.training, self.likelihood)))

    @property
    def classes(self) -> tuple[str, ...]:
        """Names of the classes, in the order of the scores."""
        return self.training.classes

    def scores(self, page: Iterable[PlacedWord]) -> Floats:
        """Return lg P(C_i) prod_k P(U_k | C_i) of a page, Eq. (6) or (9), shape (m,); the prior for no known word."""
        row = self.training.row
        known = [(row[word], L) for word, L in page if word in row]  # trap T14
        score: Floats = np.log10(_prior(self.training.K))
        if not known:
            return score
        k = np.array([column for column, _ in known])
        L_j = np.array([L for _, L in known])
        lg_P: Floats = self._lg[:, k]
        if self.position == "exponent":
            score += lg_P @ L_j
        elif self.position == "factor":
            score += (lg_P + np.log10(L_j)).sum(axis=1)  # Eq. (9)
        else:
            score += lg_P.sum(axis=1)  # Eq. (6)
        return score

    def classify(self, page: Iterable[PlacedWord]) -> str:
        """Return C(X), Eq. (9); among equal classes the first."""
        return self.classes[int(self.scores(page).argmax())]

    def as_json(self) -> dict[str, Any]:
        """Return the counts and readings as plain values for ``from_json``."""
        t = self.training
        counts = [[[int(column), int(row[column])] for column in np.flatnonzero(row)] for row in t.c]
        return {
            "format": FORMAT, "version": VERSION, "likelihood": self.likelihood, "position": self.position,
            "classes": list(t.classes), "texts": t.K.tolist(), "words": list(t.words),
            "texts_with_word": t.N_t.tolist(), "counts": counts,
        }  # fmt: skip


def from_json(data: Any) -> NaiveBayes:
    """Return the classifier that ``as_json`` wrote.

    Raises:
        ClassifierError: the data are of another format or version, or damaged.
    """
    if not isinstance(data, dict) or data.get("format") != FORMAT or data.get("version") != VERSION:
        raise ClassifierError("scoring.not_classifier_version_expected", format=FORMAT, version=VERSION)
    try:
        words, classes = tuple(data["words"]), tuple(data["classes"])
        c: Counts = np.zeros((len(classes), len(words)), dtype=np.int64)
        for row, pairs in zip(c, data["counts"], strict=True):
            for column, times in pairs:
                row[column] = times
        K, N_t = np.array(data["texts"], dtype=np.int64), np.array(data["texts_with_word"], dtype=np.int64)
        _check_numbers(K, len(classes), "texts")
        _check_numbers(N_t, len(words), "texts_with_word")
        return NaiveBayes(Training(classes, words, K, c, N_t), data["likelihood"], data["position"])
    except (KeyError, TypeError, ValueError, IndexError) as error:
        raise ClassifierError("scoring.damaged_classifier_train_again", error=repr(error)) from error


def _check_numbers(numbers: Ids, n: int, key: str) -> None:
    if numbers.shape != (n,) or numbers.min() < 1:
        raise ValueError(f"{key} must be {n} numbers above 0")


def topic_weights(training: Training, class_: str) -> Floats:
    """Compute omega_t of Eq. (1), the weight of every word of the training set for one class.

        omega_t = f_t / sum_m f_m lg(N / N_t + .01)

    f is the frequency in the class, N and N_t count the texts of all classes (trap T14). The base of the logarithm is
    a common factor of all weights.

    Args:
        training: the counts.
        class_: name of the class.

    Returns:
        Shape (M_a,), at least 0.

    Raises:
        ClassifierError: there is no class of that name.

    >>> training = count({"flood": [["rain", "rain"], ["rain", "dam"]], "sport": [["goal"]]})
    >>> topic_weights(training, "flood").round(3).tolist()
    [0.12, 0.0, 0.134]
    """
    if class_ not in training.classes:
        raise ClassifierError("scoring.training_set_no_class", class_=class_, classes=", ".join(training.classes))
    f = training.c[training.classes.index(class_)]
    weights: Floats = f / f.sum() * training.idf  # Eq. (1)
    return weights
