"""What the Chinese language says of suffixes: the noun for the class of each (data/suffixes_zh.tsv)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class SuffixClass:
    """What the language says of a suffix.

    Attributes:
        noun: the noun for its class.
        short: whether nouns of two characters with the suffix are of the class (肝炎), too.
    """

    noun: str
    short: bool


@lru_cache(maxsize=1)
def suffix_classes() -> Mapping[str, SuffixClass]:
    """Return the suffixes of one meaning with their classes (data/suffixes_zh.tsv)."""
    text = (resources.files("ontology") / "data" / "suffixes_zh.tsv").read_text(encoding="utf-8")
    rows = (line.split("\t") for line in text.splitlines() if not line.startswith("#"))
    return MappingProxyType({suffix: SuffixClass(noun, "short" in more) for suffix, noun, *more in rows})
