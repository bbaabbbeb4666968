"""English cue words that state a cause, a part or a measure within one clause.

    A causes B           A leads to B           B is caused by A        A can result in B
    W consists of A, B   W is composed of A     A is part of W          A is a component of W
    X is measured by Y   Y is used to measure X Y is an instrument for measuring X

The whole noun phrase beside the cue must be a class: *exposure to lead causes anaemia* does not name *lead*. Only an
effect or a whole may have adjectives before it (*severe floods*).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ontology.evidence.english_sentence import EnglishNames, EnglishSentence, without_parentheses
from ontology.evidence.noun_phrases_zh import words as word_set
from ontology.evidence.relation_cues_zh import Stated
from ontology.model import RelationKind

_BE = r"(?:is|are|was|were|be|been|being)"
_MOSTLY = r"(?:\w+ly |often |also |sometimes |in part )?"
_WORDS: tuple[tuple[RelationKind, bool, tuple[str, ...]], ...] = (
    ("causes", True, (
        "causes?", rf"(?:caused|induced|triggered)(?! {_MOSTLY}by)", rf"leads? {_MOSTLY}to", "led to", "results? in",
        "resulted in", "induces?", "triggers?", "gives? rise to",
    )),
    ("causes", False, (rf"(?:{_BE} )?{_MOSTLY}(?:caused|induced|triggered|brought about) {_MOSTLY}by",)),
    ("part_of", False, (
        rf"consists? {_MOSTLY}of", rf"{_BE} {_MOSTLY}composed {_MOSTLY}of", rf"{_BE} {_MOSTLY}made up of",
        "compris(?:e|es|ed)",
    )),
    ("part_of", True, (rf"{_BE} (?:an? |the |one )?(?:\w+ ){{0,2}}(?:parts?|components?|constituents?) of",)),
    ("measured_by", True, (rf"{_BE} {_MOSTLY}measured {_MOSTLY}(?:by|with|using)",)),
    ("measured_by", False, (
        rf"(?:{_BE} )?{_MOSTLY}used to measure",
        rf"{_BE} (?:an? |the )?(?:\w+ ){{0,3}}(?:for measuring|to measure|that measures?)",
    )),
)  # fmt: skip
"""Kind, whether the source stands before the cue, and the cues."""
_CUES = tuple((kind, forward, re.compile(rf"\b(?:{'|'.join(cues)})(?= )")) for kind, forward, cues in _WORDS)
_ANY = re.compile("|".join(expression.pattern for _, _, expression in _CUES))
_PASSED = word_set("can may could might will would often usually also sometimes then thus eventually")
_NOT_STATED = word_set("whether not no never neither nor without cannot n't if")
_DETERMINERS = word_set("a an the some many most all other several")
_CLAUSE_STARTS = word_set(
    ". , ; : ! ? - -- ( ) and or but that which because when while where whereas although though since as how so then"
)
"""Words that a clause begins after. A phrase that follows another word is no subject: *the effect of the virus*."""
_PREPOSITIONS = word_set(
    "of in on at by to with from for between among against into through during under over about as than across along "
    "around behind beyond near off onto outside per toward towards upon via within throughout 's '"
)
_AFTER_LIST = word_set(
    ". , ; : ! ? ) and or but that which who when if where because while as in on at by with from for through during "
    "under among between within after before"
)
"""Words that may follow a member of a list. A verb makes it the subject of another clause."""
_CONJUNCTIONS = frozenset(("and", "or"))
_JOINTS = _CONJUNCTIONS | {","}
_CLAUSE_ENDS = frozenset(".;:!?")


class EnglishCues:
    """A reader of sentences for relations between classes.

    Args:
        names: the names of the classes.
    """

    def __init__(self, names: EnglishNames) -> None:
        self._names = names

    def read(self, text: str) -> Iterator[Stated]:
        """Yield the relations that a sentence states."""
        if not self._names or not _ANY.search(text.casefold()):
            return
        sentence = EnglishSentence(without_parentheses(text), self._names)
        joined = " ".join(sentence.words)
        for kind, forward, expression in _CUES:
            for match in expression.finditer(joined):
                start = joined.count(" ", 0, match.start())
                end = start + match.group().count(" ") + 1
                describes = match.group().startswith(("caused", "induced", "triggered")) and not forward
                before = [] if _is_negated(sentence.words[:end]) else self._before(sentence, start, describes=describes)
                if before:
                    exact = not forward and kind != "causes"  # parts, and what is measured
                    after = self._after(sentence, end, exact=exact, infinitive=match.group().startswith("cause"))
                    yield Stated(kind, *((before, after) if forward else (after, before)), match.group())

    def _before(self, sentence: EnglishSentence, end: int, *, describes: bool) -> list[str]:
        """Return the classes of the noun phrase, or the list of them, that ends at a position.

        Args:
            sentence: the sentence.
            end: where the cue begins.
            describes: the cue is a participle, so the phrase need not be a subject: *a disease caused by a virus*.
        """
        words = sentence.words
        while end > 0 and (words[end - 1] in _PASSED or words[end - 1].endswith("ly")):
            end -= 1
        if words[max(end - 1, 0)] in ("which", "that"):
            end = _skip_back(words, end - 1, frozenset(","))
        names: list[str] = []
        is_list = False
        while True:
            name, start = sentence.name_before(end) or (None, sentence.phrase_before(end)[0])
            if start == end or (name is None and not is_list):
                return []
            names += [name] if name else []
            start = _skip_back(words, start, _DETERMINERS)
            end = _skip_back(words, start, _JOINTS)
            is_list = is_list or not _CONJUNCTIONS.isdisjoint(words[end:start])
            if end in (0, start) or not is_list:
                break
        before = words[start - 1] if start else "."
        return names if (before not in _PREPOSITIONS if describes else before in _CLAUSE_STARTS) else []

    def _after(self, sentence: EnglishSentence, start: int, *, exact: bool, infinitive: bool) -> list[str]:
        """Return the classes of the noun phrase, or the list of them, that begins at a position.

        Args:
            sentence: the sentence.
            start: where the cue ends.
            exact: without kinds of the classes.
            infinitive: the phrase may be the subject of an infinitive: *causes cells to divide*.
        """
        words = sentence.words
        names: list[str | None] = []
        closed = 0  # where a conjunction closes the list: what follows a comma only may be another clause
        joint: Sequence[str] = ()
        while not names or joint:
            whole = sentence.name_after(start)
            name, end = whole or self._kind(sentence, start)
            after = words[end] if end < len(words) else "."
            is_subject = after in ("of", "'s", "'") or (infinitive and after == "to")
            if name is None or is_subject or (names and after not in _AFTER_LIST):
                break
            if not names or not _CONJUNCTIONS.isdisjoint(joint):
                closed = len(names) + 1
            names.append(name if whole or not exact else None)
            start = end
            while start < len(words) and words[start] in _JOINTS:
                start += 1
            joint = words[end:start]
        return [name for name in names[:closed] if name]

    def _kind(self, sentence: EnglishSentence, start: int) -> tuple[str | None, int]:
        """Return the class that the noun phrase at a position is a kind of, and the position after the phrase."""
        first, end = sentence.phrase_after(start)
        if first < end and sentence.words[first].endswith("ing"):  # caused by eating beans
            return None, end
        return self._names.at_end(sentence.words[first:end]), end


def _skip_back(words: Sequence[str], end: int, skipped: frozenset[str]) -> int:
    while end > 0 and words[end - 1] in skipped:
        end -= 1
    return end


def _is_negated(words: Sequence[str]) -> bool:
    clause = len(words)
    while clause > 0 and words[clause - 1] not in _CLAUSE_ENDS:
        clause -= 1
    return not _NOT_STATED.isdisjoint(words[clause:])
