"""Names that texts list side by side: *seeds and berries*, 监督和制度. They are rarely kinds of each other.

Source: coordinated nouns share a broader term (Cederberg and Widdows 2003, CoNLL). They use this to find more kinds;
here it only contradicts statements (docs/learn.md).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from ontology.model import Document
from ontology.terms.form_matcher import BREAK, FormMatcher, with_inflections
from ontology.terms.occurrences import text_en, text_zh
from ontology.terms.wordforms import has_han, normal

_JOINT = re.compile("(?: ?, ?(?:and |or )?| and | or |、|和|与|及|以及|或)(?:the |an? )?")


def coordinated(documents: Sequence[Document], names: Iterable[str]) -> Mapping[frozenset[str], int]:
    """Count the documents that list two names side by side.

    Args:
        documents: the documents.
        names: the names to look for.

    Returns:
        Pair of names -> number of documents, above 0.

    >>> texts = ["Seeds, nuts and berries.", "A seed or a berry."]
    >>> pairs = coordinated([Document(text, "", text) for text in texts], ["seed", "nut", "berry"])
    >>> pairs[frozenset(("seed", "berry"))], pairs[frozenset(("seed", "nut"))]
    (2, 1)
    """
    forms = sorted(set(names))
    numbers = with_inflections((form, number, not has_han(form)) for number, form in enumerate(forms))
    matcher = FormMatcher([numbers])
    found: defaultdict[frozenset[str], set[str]] = defaultdict(set)
    for document in documents:
        text = normal(f"{text_zh(document)}\n{text_en(document)}".replace("\n", BREAK))
        (spans,) = matcher.spans(text)
        listed: list[str] = []
        last = 0
        for start, end, number in spans:
            if not _JOINT.fullmatch(text, last, start):
                listed = []
            for other in listed:
                found[frozenset((other, forms[number]))].add(document.id)
            listed.append(forms[number])
            last = end
    return {pair: len(ids) for pair, ids in found.items() if len(pair) == 2}
