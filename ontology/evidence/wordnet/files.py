"""The files of a wordnet, as a user has installed them in a folder. None come with the package.

    data.noun, index.noun       the database form of a wordnet (wndb.5WN): Princeton WordNet, Open English WordNet
    *.xml, *.xml.gz             WN-LMF: Open English WordNet, or a Chinese wordnet beside an English one
    wn-data-cmn.tab             the Chinese wordnet of OMW, by the numbers of WordNet 3.0
    cedict_ts.u8                CC-CEDICT; also under its name at mdbg.net, and packed (.gz)

Only nouns are read, and only *is a kind of*: an instance (Paris) is no kind. Of the senses that OMW has for a Chinese
word those count that have one of its glosses in CC-CEDICT among their words: many were translated one by one, and are
others. A word that OMW does not have has the sense that a gloss names, if it names only one.
"""

from __future__ import annotations

import gzip
import re
import zlib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import BinaryIO, NamedTuple, TypeVar, cast
from xml.parsers import expat

from ontology import files
from ontology.errors import Message, OntocrawlError
from ontology.reachable import reachable
from ontology.terms.wordforms import fold, has_han, normal, singular

ENGLISH = (
    "WordNet 3.0 (data.noun and index.noun, from https://wordnet.princeton.edu/download or the Debian package "
    "wordnet-base), or Open English WordNet (.xml or .xml.gz, from https://en-word.net)"
)
TAB, DICTIONARY = "wn-data-cmn.tab", "cedict_ts.u8"
CHINESE = (
    f"{TAB} (the Chinese wordnet of OMW, from https://github.com/omwn/omw-data) and {DICTIONARY} (CC-CEDICT, from "
    "https://www.mdbg.net/chinese/dictionary?page=cc-cedict)"
)
"""What is wanted of a folder, and where to get it."""
_MIN_KNOWN = 0.9
"""Share of the synsets of a Chinese wordnet that the English one must have."""

_DICTIONARIES = (DICTIONARY, f"{DICTIONARY}.gz", "cedict_1_0_ts_utf-8_mdbg.txt", "cedict_1_0_ts_utf-8_mdbg.txt.gz")
_FILES = (
    "", "", "", "Tops", "act", "animal", "artifact", "attribute", "body", "cognition", "communication", "event",
    "feeling", "food", "group", "location", "motive", "object", "person", "phenomenon", "plant", "possession",
    "process", "quantity", "relation", "shape", "state", "substance", "time",
)  # fmt: skip
"""Lexicographer files of nouns by their numbers in data.noun (lexnames.5WN)."""
_ENTRY = re.compile(r"\S+ (\S+) \[[^\]]*\] /(.*)/\s*")
_ASIDE = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
_ARTICLE = re.compile(r"(an?|the) ")
_T = TypeVar("_T")


class WordnetError(OntocrawlError, ValueError):
    """A folder without a wordnet, or a file that cannot be read; the message says which is wanted, and from where."""


class Synset(NamedTuple):
    """A sense that some nouns share.

    Attributes:
        id: its number or id in the files.
        lemmas: its words, the commonest first.
        gloss: its definition.
        file: name of its lexicographer file, such as "animal".
        broader: ids of the synsets directly above it.
    """

    id: str
    lemmas: tuple[str, ...]
    gloss: str
    file: str
    broader: tuple[str, ...]


class Wordnet:
    """The nouns of a wordnet, in English, and in Chinese where the folder has them.

    Args:
        synsets: id -> synset.
        senses: folded word -> ids of its synsets, the commonest first; in both languages.
        chinese: id -> its Chinese words.
        named: (Chinese word, id) -> the gloss of CC-CEDICT that names the synset.
        read: names of the files that were read.
        unread: names of the other files of the folder.
        digest: hexadecimal digits of the content of the files that were read.
    """

    def __init__(
        self,
        synsets: Mapping[str, Synset],
        senses: Mapping[str, Sequence[str]],
        *,
        chinese: Mapping[str, Sequence[str]],
        named: Mapping[tuple[str, str], str],
        read: Sequence[str],
        unread: Sequence[str],
        digest: str,
    ) -> None:
        self.synsets, self.chinese, self.named = synsets, chinese, named
        self.read, self.unread, self.digest = read, unread, digest
        self._senses = senses

    def senses(self, word: str) -> Sequence[str]:
        """Return the ids of the synsets of a word, the commonest first; of an English one in the singular, too."""
        return self._senses.get(normal(word)) or self._senses.get(singular(normal(word))) or ()

    @cached_property
    def size(self) -> Counter[str]:
        """Number of synsets below each synset, and itself."""
        return Counter(a for synset in self.synsets for a in reachable(synset, self.broader))

    def broader(self, synset: str) -> Sequence[str]:
        """Return the ids of the synsets directly above one."""
        return self.synsets[synset].broader


class _Read(NamedTuple):
    """One lexicon: its synsets by id; word -> ids, the commonest first; ids of the interlingual index -> ids."""

    synsets: dict[str, Synset]
    senses: dict[str, list[str]]
    by_ili: dict[str, str]


def read_wordnet(folder: str | Path) -> Wordnet:
    """Read the wordnet in a folder.

    Args:
        folder: the folder; what files it needs is in the module's docstring.

    Returns:
        The nouns.

    Raises:
        WordnetError: no such folder, no English wordnet in it, one of the two Chinese files without the other, a file
            that is broken, or Chinese words that belong to another English wordnet.
    """
    folder = Path(folder)
    try:
        present = sorted(path.name for path in folder.iterdir() if path.is_file())
    except OSError as error:
        raise WordnetError(
            "evidence.no_wordnet_read_wanted", folder=folder, strerror=error.strerror, english=ENGLISH
        ) from error
    parts, read = _parts(folder, present)
    english, chinese = parts["en"], parts["zh"]
    if not english.synsets:
        found = f"its files are {', '.join(present[:_NAMED])}" if present else Message("evidence.folder_is_empty")
        raise WordnetError("evidence.no_english_wordnet_folder", folder=folder, found=found, english=ENGLISH)
    if not any(s.file for s in english.synsets.values()):
        raise WordnetError("evidence.no_synset_lexicographer_file", folder=folder, read=read[0], english=ENGLISH)
    dictionary = next((name for name in _DICTIONARIES if name in present), None)
    if bool(chinese.senses) != (dictionary is not None):
        missing = DICTIONARY if chinese.senses else TAB
        raise WordnetError("evidence.missing_chinese_words_need", folder=folder, missing=missing, chinese=CHINESE)
    senses: dict[str, Sequence[str]] = dict(english.senses)
    names: dict[str, list[str]] = {}
    named: dict[tuple[str, str], str] = {}
    if dictionary is not None:
        read = [*read, dictionary]
        named = _named(_aligned(folder, chinese, english), english, _cedict(folder / dictionary))
        of_word: defaultdict[str, list[str]] = defaultdict(list)
        for word, synset in named:
            of_word[word].append(synset)
            names.setdefault(synset, []).append(word)
        senses |= of_word
    digest = blake2b(digest_size=16)
    for name in read:
        digest.update(files.digest(folder / name).encode())
    return Wordnet(
        english.synsets, senses, chinese=names, named=named, read=read,
        unread=[name for name in present if name not in read], digest=digest.hexdigest(),
    )  # fmt: skip


_NAMED = 5
"""Number of files that a message names."""


def _parts(folder: Path, present: Sequence[str]) -> tuple[dict[str, _Read], list[str]]:
    """Read the English and the Chinese wordnet of a folder; return them and the names of their files."""
    parts = {language: _Read({}, {}, {}) for language in ("en", "zh")}
    read: list[str] = []
    database = [name for name in ("data.noun", "index.noun") if name in present]
    if len(database) == 1:
        missing = ({"data.noun", "index.noun"} - {*database}).pop()
        raise WordnetError(
            "evidence.missing_beside_wanted", folder=folder, missing=missing, database=database[0], english=ENGLISH
        )
    if database:
        parts["en"] = _database(folder)
        read += database
    for name in present:
        if name.endswith((".xml", ".xml.gz")):
            for language, lexicon in _Lmf(folder / name).lexicons:
                if not parts[language].senses:
                    parts[language] = lexicon
                    read.append(name)
        elif name == TAB and not parts["zh"].senses:
            parts["zh"] = _read(folder / name, _tab)
            read.append(name)
    return parts, list(dict.fromkeys(read))


@contextmanager
def _opened(path: Path) -> Iterator[BinaryIO]:
    """Open a file that may be packed. Raises WordnetError for one that cannot be read or unpacked."""
    try:
        with gzip.open(path, "rb") if path.suffix == ".gz" else path.open("rb") as stream:
            yield cast(BinaryIO, stream)
    except (OSError, EOFError, zlib.error) as error:
        raise WordnetError(
            "evidence.could_not_read_get", path=path, getattr=getattr(error, "strerror", None) or error
        ) from error


def _read(path: Path, parse: Callable[[Iterator[str]], _T]) -> _T:
    """Parse the lines of a file. Raises WordnetError, with the number of the line, for one that is not as expected."""
    number = 0

    def lines(stream: BinaryIO) -> Iterator[str]:
        nonlocal number
        for number, line in enumerate(stream, 1):  # noqa: B007 - the message has it
            yield line.decode("utf-8")

    with _opened(path) as stream:
        try:
            return parse(lines(stream))
        except (ValueError, IndexError) as error:  # a line that is no UTF-8, too
            raise WordnetError("evidence.line_no_line_such", path=path, number=number) from error


# ---- the database form of WordNet


def _database(folder: Path) -> _Read:
    synsets = _read(folder / "data.noun", _data)
    senses = _read(folder / "index.noun", _index)
    lost = next((word for word, ids in senses.items() if not synsets.keys() >= {*ids}), None)
    if lost is not None or not senses:
        which = f"has no synset of {lost!r}" if lost else "is empty"
        raise WordnetError("evidence.data_noun_index_noun", folder=folder, which=which)
    return _Read(synsets, senses, {})


def _data(lines: Iterator[str]) -> dict[str, Synset]:
    """Parse ``offset file type count (word id)* count (symbol offset part source)* | gloss``."""
    synsets = {}
    for line in lines:
        if line.startswith("  "):  # the licence
            continue
        facts, _, gloss = line.partition(" | ")
        offset, file, _, words, *rest = facts.split()
        end = 2 * int(words, 16)
        lemmas = tuple(word.replace("_", " ") for word in rest[:end:2])
        pointers = rest[end + 1 :][: 4 * int(rest[end])]
        broader = tuple(f"{at}-n" for symbol, at in zip(pointers[::4], pointers[1::4], strict=True) if symbol == "@")
        synsets[f"{offset}-n"] = Synset(f"{offset}-n", lemmas, _definition(gloss), _FILES[int(file)], broader)
    return synsets


def _definition(gloss: str) -> str:
    """Return a gloss without its examples."""
    return gloss.partition('; "')[0].strip()


def _index(lines: Iterator[str]) -> dict[str, list[str]]:
    """Parse ``lemma part count symbols .. offset*``."""
    senses = {}
    for line in lines:
        if not line.startswith("  "):
            lemma, _, count, *rest = line.split()
            senses[normal(lemma.replace("_", " "))] = [f"{int(at):08d}-n" for at in rest[-int(count) :]]
    return senses


# ---- WN-LMF


class _Lmf:
    """The lexicons of a WN-LMF file, each with its language, en or zh; others are left out.

    Raises:
        WordnetError: no well-formed XML.
    """

    def __init__(self, path: Path) -> None:
        self.lexicons: list[tuple[str, _Read]] = []
        self._lexicon: _Read | None = None
        self._word = ""
        self._words: dict[str, str] = {}
        self._synset: dict[str, str] | None = None
        self._broader: list[str] = []
        self._text: list[str] | None = None
        self._glosses: list[str] = []
        parser = expat.ParserCreate()
        parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)
        parser.StartElementHandler, parser.EndElementHandler = self._start, self._end
        parser.CharacterDataHandler = self._characters
        with _opened(path) as stream:
            try:
                parser.ParseFile(stream)
            except expat.ExpatError as error:
                why = expat.errors.messages[error.code]
                raise WordnetError("evidence.line_not_well_formed", path=path, lineno=error.lineno, why=why) from error

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        if name == "Lexicon":
            language = attributes.get("language", "").partition("-")[0]
            self._lexicon, self._words = None, {}
            if known := _LANGUAGES.get(language):
                self._lexicon = _Read({}, {}, {})
                self.lexicons.append((known, self._lexicon))
        elif self._lexicon is None:
            return
        elif name == "LexicalEntry":
            self._entry = attributes.get("id", "")
        elif name == "Lemma":
            self._word = attributes.get("writtenForm", "") if attributes.get("partOfSpeech") == "n" else ""
            self._words[self._entry] = self._word
        elif name == "Sense" and self._word:
            self._words[attributes.get("id", "")] = self._word
            self._lexicon.senses.setdefault(normal(self._word), []).append(attributes.get("synset", ""))
        elif name == "Synset" and attributes.get("partOfSpeech") == "n":
            self._synset, self._broader, self._glosses = attributes, [], []
        elif name == "SynsetRelation" and attributes.get("relType") == "hypernym":
            self._broader.append(attributes.get("target", ""))
        elif name == "Definition" and self._synset is not None:
            self._text = []

    def _characters(self, text: str) -> None:
        if self._text is not None:
            self._text.append(text)

    def _end(self, name: str) -> None:
        if name == "Definition" and self._text is not None:
            self._glosses.append(" ".join("".join(self._text).split()))
            self._text = None
        elif name == "Synset" and self._synset is not None and self._lexicon is not None:
            of, self._synset = self._synset, None
            key, file = of.get("id", ""), of.get("lexfile") or of.get("dc:subject") or ""
            members = (self._words.get(one, "") for one in of.get("members", "").split())
            gloss = self._glosses[0] if self._glosses else ""
            broader = tuple(self._broader)
            self._lexicon.synsets[key] = Synset(
                key, tuple(filter(None, members)), gloss, file.removeprefix("noun."), broader
            )
            self._lexicon.by_ili[of.get("ili", "")] = key
        elif name == "Lexicon" and self._lexicon is not None:
            _complete(self._lexicon)


_LANGUAGES = {"en": "en", "zh": "zh", "cmn": "zh"}


def _complete(lexicon: _Read) -> None:
    """Add the words of synsets that do not list them, and leave out what is in no lexicon of the file."""
    words: defaultdict[str, list[str]] = defaultdict(list)
    for word, ids in lexicon.senses.items():
        for one in ids:
            words[one].append(word)
    for key, synset in lexicon.synsets.items():
        known = tuple(one for one in synset.broader if one in lexicon.synsets)
        lexicon.synsets[key] = synset._replace(lemmas=synset.lemmas or tuple(words[key]), broader=known)
    lexicon.by_ili.pop("", None)
    lexicon.by_ili.pop("in", None)  # proposed for the index, and without a number


# ---- Chinese words: the wordnet of OMW, and the glosses of CC-CEDICT


def _tab(lines: Iterator[str]) -> _Read:
    """Parse ``number-part TAB cmn:lemma TAB word``."""
    senses: dict[str, list[str]] = {}
    for line in lines:
        if line.startswith("#") or not line.strip():
            continue
        synset, kind, word, *_ = line.rstrip("\r\n").split("\t")
        if kind.endswith("lemma") and synset.endswith("-n"):
            senses.setdefault(fold(word), []).append(synset)
    return _Read({}, senses, {})


def _aligned(folder: Path, chinese: _Read, english: _Read) -> dict[str, list[str]]:
    """Return the senses of Chinese words by the ids of the English synsets."""
    ili = {key: name for name, key in chinese.by_ili.items()}
    numbers = {key[-10:]: key for key in english.synsets}
    wanted = {key for ids in chinese.senses.values() for key in ids}
    english_of = {key: english.by_ili.get(ili.get(key, "")) or numbers.get(key[-10:]) for key in wanted}
    known = sum(found is not None for found in english_of.values())
    if known < _MIN_KNOWN * len(wanted):
        raise WordnetError(
            "evidence.synsets_chinese_wordnet_english", folder=folder, known=known, n_wanted=len(wanted), tab=TAB
        )
    found = {word: [english_of[key] for key in ids] for word, ids in chinese.senses.items()}
    return {fold(word): [key for key in ids if key is not None] for word, ids in found.items()}


def _cedict(path: Path) -> dict[str, list[str]]:
    """Return the glosses of each simplified word, folded, in the order of the file."""
    return _read(path, _entries)


def _entries(lines: Iterator[str]) -> dict[str, list[str]]:
    """Parse ``traditional simplified [pinyin] /gloss/gloss/``."""
    glosses: defaultdict[str, list[str]] = defaultdict(list)
    for line in lines:
        if line.startswith("#") or not line.strip():
            continue
        entry = _ENTRY.fullmatch(line)
        if entry is None:
            raise ValueError(line)
        for gloss in re.split("[/;]", _ASIDE.sub("", entry[2])):
            glosses[fold(entry[1])].append(_ARTICLE.sub("", normal(gloss), count=1))
    return {word: of for word, of in glosses.items() if has_han(word)}


def _named(
    senses: Mapping[str, Sequence[str]], english: _Read, glosses: Mapping[str, Sequence[str]]
) -> dict[tuple[str, str], str]:
    """Return (word, synset) -> the gloss that names it; of each word in the order of its glosses."""
    named: dict[tuple[str, str], str] = {}
    for word, ids in senses.items():
        for gloss in filter(None, glosses.get(word, ())):
            ranked = english.senses.get(gloss) or english.senses.get(singular(gloss)) or ()
            for synset in (s for s in ranked if s in ids):
                named.setdefault((word, synset), gloss)
    for word in glosses.keys() - senses.keys():
        for gloss in filter(None, glosses[word]):
            ranked = english.senses.get(gloss) or english.senses.get(singular(gloss)) or ()
            if len(ranked) == 1:
                named.setdefault((word, ranked[0]), gloss)
    return named
