"""Sentences of documents that say what a class is: candidates for its definition, for a reviewer to choose from.

A defining sentence names genus and differentia (Aristotle, Topics I; for texts Navigli and Velardi 2010, Learning
word-class lattices for definition and hypernym extraction). It begins with the term:

    X是指..  X指的是..  X被定义为..  所谓X，是指..      X is defined as ..  X refers to ..      (pattern "defined as")
    X是一种..的Y  X是..的Y                              X is a Y that ..                       (pattern "is a")
    X是重要的Y之一                                      X is one of the main Ys         (pattern "names its kind")

The term is the whole subject: 城市内涝风险是指 defines no 内涝. A sentence about the paper itself (本文, *this paper*)
is none, nor is one that says what part X plays (影响因素之一). One that rates X has no differentia; it is a candidate,
the last one, only if its genus is a superclass in the ontology.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from ontology.evidence import patterns_en
from ontology.evidence.english_sentence import EnglishNames, without_parentheses
from ontology.evidence.patterns_zh import ChineseNames, class_at_end
from ontology.evidence.statement import DEFINITION
from ontology.model import Concept, DefinitionCandidate, Document, Ontology
from ontology.terms.noun_phrases_en import words_of
from ontology.terms.occurrences import text_en, text_zh
from ontology.terms.sentences import clauses
from ontology.terms.wordforms import fold

STATED, IS_A, KIND = "defined as", "is a", "names its kind"
"""Names of the patterns, in files."""
_ORDER = (STATED, IS_A, KIND)
MOST = 3
"""Number of candidates of a class in one language."""
_LENGTHS = {"zh": (10, 120), "en": (40, 350)}
"""Fewest and most characters of a candidate: a shorter one has no differentia, a longer one tells more."""
_ABOUT_PAPER = re.compile(
    "本文|本研究|本论文|本课题|本书|本刊|该文|文章|笔者|作者|我们|我国|我校|结果表明|研究表明|研究发现|实验|试验|近年|目前|如今|今天|"
    r"\b(?:this|our|we|study|paper|article|results?|authors?|here|recent|recently|currently|today)\b",
    re.IGNORECASE,
)
_STATED_ZH = re.compile(
    '(?:所谓)?[“"]?(?P<x>[^，,；;：:、“”"是]{2,20}?)[”"]?[，,]?'
    "(?:就?是指(?![示标数导引出向挥南])|指的是|系指|被?定义为|的定义是|是对.{2,40}的(?:总称|统称|简称))(?P<y>.{4,})"
)
_IS_A_ZH = re.compile('(?:所谓)?[“"]?(?P<x>[^，,；;：:、“”"是]{2,20}?)[”"]?[，,]?就?是(?P<y>[^是]{4,})')
_DESCRIBED_ZH = re.compile("^(?:一[种类门个项]|指|以|由|利用|通过|在|用|用于|用来|具有|因|从).+")
_KIND_ZH = re.compile("一[种类门]")
"""Words before a genus, which may then be one that names no class itself: 一种..的现象."""
_RATED_ZH = re.compile(
    "最|重要|主要|关键|核心|热点|难点|重点|必然|必由|必要|有效|根本|严重|基础|首要|典型|常见|之一|问题|因素|原因|结果|前提|保证|"
    "保障|体现|途径|手段|标志|趋势|需要|要求|条件|工程$|任务|课题|挑战|灵魂|动力|财富|不可|我国|中国|世界|国家|时代|今后|未来|"
    "良好|理想|优良|新型|新兴|较|很|非常|十分|依据|来源|产物|中心|环节|目标|内容$|方向|选择|举措|表现|支柱|亮点|之路|出路"
)
_STATED_EN = re.compile(
    r"^(?:(?:the|a|an)\s+)?(?P<x>[\w\s-]{3,60}?)\s*,?\s+(?:(?:is|are|can be|may be)\s+(?:usually |commonly |often )?"
    r"(?:defined as|understood as|described as)|refers? to|means)\s+(?P<y>.{10,})$",
    re.IGNORECASE,
)
_DESCRIBED_EN = re.compile(r"\b(?:that|which|of|in|by|with|for|to|between|where|used|caused)\b", re.IGNORECASE)
_RATED_EN = re.compile(
    r"\b(?:most|important|major|main|key|crucial|critical|serious|significant|common|essential|fundamental|popular|"
    r"promising|effective|powerful|challenging|typical|hot|new|novel|good|best|useful|well-known|necessary|issue|"
    r"problem|factor|cause|challenge|task|topic|reason|result|concern|one of)\b",
    re.IGNORECASE,
)


class _Found(NamedTuple):
    """A defining sentence: the IRI that it defines, its pattern, and the genus if one is named."""

    iri: str
    pattern: str
    genus: str


def find_definitions(documents: Sequence[Document], ontology: Ontology) -> dict[str, tuple[DefinitionCandidate, ...]]:
    """Find the best defining sentences of the classes of an ontology.

    They are ranked by pattern, in the order above, then those whose genus is a superclass of the class in the
    ontology, then the shorter ones. The same sentence counts once.

    Args:
        documents: the documents; abstracts and titles are read.
        ontology: the ontology; its root is no class of these.

    Returns:
        IRI -> the candidates, best first, at most `MOST` for each language; classes without any are left out.
    """
    concepts = [c for c in ontology.concepts if c.iri != ontology.root]
    above = _names_above(ontology)
    ranked: dict[tuple[str, str], dict[str, tuple[tuple[object, ...], DefinitionCandidate]]] = {}
    for language, iri, candidate, genus in _candidates(documents, concepts):
        known = fold(genus) in above[iri]
        if candidate.pattern == KIND and not known:
            continue
        rank = (_ORDER.index(candidate.pattern), not known, len(candidate.sentence), candidate.document)
        ranked.setdefault((iri, language), {}).setdefault(candidate.sentence, (rank, candidate))
    best: dict[str, tuple[DefinitionCandidate, ...]] = {}
    for (iri, _), found in sorted(ranked.items(), key=lambda item: (item[0][0], item[0][1] != "zh")):
        chosen = sorted(found.values(), key=lambda pair: pair[0])[:MOST]
        best[iri] = (*best.get(iri, ()), *(candidate for _, candidate in chosen))
    return best


def ranked(candidates: Sequence[DefinitionCandidate]) -> Iterator[tuple[int, DefinitionCandidate]]:
    """Yield the candidates of a class with their ranks in their language, from 1; the order is that of the argument."""
    number = {"zh": 0, "en": 0}
    for candidate in candidates:
        number[candidate.language] += 1
        yield number[candidate.language], candidate


def _names_above(ontology: Ontology) -> Mapping[str, frozenset[str]]:
    """Return the folded labels of all superclasses of each class."""
    forms = {c.iri: frozenset(fold(form) for _, form in c.forms()) for c in ontology.concepts}
    own = {iri: names | {fold(iri)} for iri, names in forms.items()}  # an English genus may be an IRI
    above: dict[str, frozenset[str]] = {}
    for iri in own:
        seen, waiting = set(), list(ontology.parents[iri])
        while waiting:
            parent = waiting.pop()
            if parent not in seen:
                seen.add(parent)
                waiting += ontology.parents[parent]
        above[iri] = frozenset().union(*(own[parent] for parent in seen))
    return above


def _candidates(
    documents: Sequence[Document], concepts: Sequence[Concept]
) -> Iterator[tuple[str, str, DefinitionCandidate, str]]:
    """Yield (language, IRI, candidate, genus) in the order of the documents."""
    forms: dict[str, dict[str, str]] = {"zh": {}, "en": {}}
    for concept in concepts:
        for language, form in concept.forms():
            forms[language].setdefault(form, concept.iri)
    chinese = {fold(form): iri for form, iri in forms["zh"].items()}
    nouns, english = ChineseNames({form: form for form in forms["zh"]}), EnglishNames(forms["en"])
    for document in documents:
        for sentence in clauses(text_zh(document)):
            found = _chinese(sentence, chinese, nouns)
            if found:
                yield "zh", found.iri, DefinitionCandidate("zh", sentence, document.id, found.pattern), found.genus
        for line in text_en(document).split("\n") if english else ():
            for position, sentence in enumerate(clauses(line)):
                found = _english(sentence, english, first=position == 0)
                if found:
                    yield "en", found.iri, DefinitionCandidate("en", sentence, document.id, found.pattern), found.genus


def _fits(sentence: str, language: str) -> bool:
    least, most = _LENGTHS[language]
    return least <= len(sentence) <= most and not _ABOUT_PAPER.search(sentence)


def _chinese(sentence: str, forms: Mapping[str, str], names: ChineseNames) -> _Found | None:
    """Return what a Chinese sentence defines; None if it defines no class."""
    text = re.sub("[（(][^（()）]*[)）]", "", fold(sentence)).strip()
    for expression, pattern in ((_STATED_ZH, STATED), (_IS_A_ZH, IS_A)):
        match = expression.match(text)
        iri = forms.get(match["x"].strip()) if match else None
        if match is None or iri is None or not _fits(sentence, "zh"):
            continue
        predicate = re.split("[，,；;：:]", match["y"], maxsplit=1)[0]
        genus = class_at_end(predicate.removesuffix("之一"), names) or ""
        described = "的" in predicate and _DESCRIBED_ZH.match(predicate) and not _RATED_ZH.search(predicate)
        if pattern == STATED or (described and (genus or _KIND_ZH.match(predicate))):
            return _Found(iri, pattern, genus)
        if genus:
            return _Found(iri, KIND, genus)
    return None


def _english(sentence: str, names: EnglishNames, *, first: bool) -> _Found | None:
    """Return what an English sentence defines; None if it defines no class."""
    text = without_parentheses(sentence)
    if not _fits(sentence, "en"):
        return None
    match = _STATED_EN.match(text)
    iri = names.name(words_of(match["x"])) if match else None
    if iri is not None:
        return _Found(iri, STATED, "")
    if not patterns_en.TRIGGER.search(text):
        return None
    described = _DESCRIBED_EN.search(text) and not _RATED_EN.search(text)
    for statement in patterns_en.statements(text, names, first=first):
        if statement.pattern == DEFINITION:
            return _Found(statement.narrower, IS_A if described else KIND, statement.broader)
    return None
