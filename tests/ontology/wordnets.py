"""A small wordnet of our own making, in the formats of those that users install."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

FILES = {"Tops": 3, "act": 4, "animal": 5, "artifact": 6, "communication": 10, "object": 17}
FILLERS = 1200


class Kind(NamedTuple):
    """A synset: its words, the name of its file, a gloss, and the first word of the one above it."""

    words: str
    file: str
    gloss: str
    above: str = ""


KINDS = (
    Kind("entity", "Tops", "whatever there is"),
    Kind("beast", "animal", "what breathes and moves", "entity"),
    Kind("flyer|winged beast", "animal", "a beast with wings", "beast"),
    Kind("crane", "animal", "a tall flyer with long legs; it wades", "flyer"),
    Kind("heron", "animal", "a grey flyer that fishes", "flyer"),
    Kind("stork", "animal", "a white flyer that clatters", "flyer"),
    Kind("swimmer", "animal", "a beast with fins", "beast"),
    Kind("pike", "animal", "a swimmer with many teeth", "swimmer"),
    Kind("appliance", "artifact", "what people make for a use", "entity"),
    Kind("lifter|hoist", "artifact", "an appliance that lifts", "appliance"),
    Kind("derrick", "artifact", "a lifter at a mast", "lifter"),
    Kind("jib", "artifact", "a lifter with an arm", "lifter"),
    Kind("saying", "communication", "words that stay", "entity"),
    Kind("proverb", "communication", "a saying of many", "saying"),
    Kind("adage", "communication", "an old saying", "saying"),
    *(Kind(f"filler{i}", "object", "one of many others", "entity") for i in range(FILLERS)),
)
SECOND = Kind("crane", "artifact", 'a lifter that turns; "the crane stood at the quay"', "lifter")
"""Another sense of a word."""
INSTANCE = Kind("Moby", "animal", "one swimmer", "swimmer")
LICENCE = "  1 Made for the tests of this project.  \n"


@cache
def numbered() -> tuple[tuple[str, Kind], ...]:
    """Return the synsets with their numbers."""
    return tuple((f"{100 + 7 * i:08d}", kind) for i, kind in enumerate((*KINDS, SECOND, INSTANCE)))


def number(word: str, *, second: bool = False) -> str:
    """Return the number of the synset of a word, with its part of speech."""
    return f"{senses()[word][1 if second else 0]}-n"


@cache
def senses() -> Mapping[str, list[str]]:
    """Return word -> numbers of its synsets."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for key, kind in numbered():
        for word in kind.words.split("|"):
            found[word].append(key)
    return found


def database(folder: Path) -> Path:
    """Write data.noun and index.noun into a folder."""
    folder.mkdir(exist_ok=True)
    data, index = [LICENCE], [LICENCE]
    for key, kind in numbered():
        words = kind.words.split("|")
        said = " ".join(f"{word.replace(' ', '_')} 0" for word in words)
        sign = "@i" if kind is INSTANCE else "@"
        above = f"001 {sign} {number(kind.above)[:-2]} n 0000" if kind.above else "000"
        data.append(f"{key} {FILES[kind.file]:02d} n {len(words):02x} {said} {above} | {kind.gloss}  \n")
    for word, keys in senses().items():
        count = len(keys)
        index.append(f"{word.replace(' ', '_').lower()} n {count} 1 @ {count} 0 {' '.join(keys)}  \n")
    (folder / "data.noun").write_text("".join(data), encoding="utf-8")
    (folder / "index.noun").write_text("".join(index), encoding="utf-8")
    return folder


def lmf(path: Path) -> Path:
    """Write the same as WN-LMF, with a verb and its synset, which are no nouns."""
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        "<LexicalResource>",
        '<Lexicon id="own" language="en" label="own">',
    ]
    for word, keys in senses().items():
        own, named = word.replace(" ", "_"), f'<Lemma writtenForm="{word}" partOfSpeech="n"/>'
        of_word = "".join(f'<Sense id="s-{own}-{key}" synset="own-{key}-n"/>' for key in keys)
        lines.append(f'<LexicalEntry id="e-{own}">{named}{of_word}</LexicalEntry>')
    verb = '<Lemma writtenForm="crane" partOfSpeech="v"/><Sense id="sv" synset="own-1-v"/>'
    lines.append(f'<LexicalEntry id="v">{verb}</LexicalEntry>')
    for key, kind in numbered():
        members = " ".join(f"e-{word.replace(' ', '_')}" for word in kind.words.split("|"))
        kind_of = "instance_hypernym" if kind is INSTANCE else "hypernym"
        above = f'<SynsetRelation relType="{kind_of}" target="own-{number(kind.above)}"/>' if kind.above else ""
        gloss = kind.gloss.partition('; "')[0]
        lines.append(
            f'<Synset id="own-{key}-n" ili="i{key}" partOfSpeech="n" lexfile="noun.{kind.file}" members="{members}">'
            f"<Definition>{gloss}</Definition>{above}</Synset>"
        )
    lines += ['<Synset id="own-1-v" ili="i1" partOfSpeech="v"><Definition>stretch</Definition></Synset>', "</Lexicon>"]
    path.write_text("\n".join([*lines, "</LexicalResource>"]), encoding="utf-8")
    return path


CHINESE = {"鹤": ["crane"], "鹭": ["heron", "pike"], "飞禽": ["flyer"], "吊车": ["crane"]}
"""Chinese words and the English ones of the synsets that they were translated with, some wrongly."""
GLOSSES = {"鹤": "crane", "鹭": "(zool.) a heron", "飞禽": "flyer; winged beast", "吊车": "crane", "鹳": "stork"}


def chinese(folder: Path) -> Path:
    """Write the tab-separated file of OMW and the dictionary into a folder."""
    folder.mkdir(exist_ok=True)
    rows = ["# Ours\tcmn\thttps://example.org\tCC0\n", "00000001-v\tcmn:lemma\t飞\n"]
    rows += [f"{number(w, second=zh == '吊车')}\tcmn:lemma\t{zh}\n" for zh, words in CHINESE.items() for w in words]
    (folder / "wn-data-cmn.tab").write_text("".join(rows), encoding="utf-8")
    entries = "".join(f"{zh} {zh} [x1 x1] /{gloss}/CL:隻|只[zhi1]/\n" for zh, gloss in GLOSSES.items())
    (folder / "cedict_ts.u8").write_text(f"# Ours\n{entries}", encoding="utf-8")
    return folder
