"""How two terms are related by their spelling alone."""

from __future__ import annotations


def contains(longer: str, shorter: str) -> bool:
    """Whether ``shorter`` stands inside ``longer`` (and is not all of it); Latin words only as whole words."""
    text, part = longer.casefold(), shorter.casefold()
    at = text.find(part) if len(part) < len(text) else -1
    while at >= 0:
        if _is_whole(text, at, at + len(part)):
            return True
        at = text.find(part, at + 1)
    return False


def ends_with(longer: str, shorter: str) -> bool:
    """Whether ``longer`` ends with ``shorter`` (and is not all of it); Latin words only as whole words."""
    text, part = longer.casefold(), shorter.casefold()
    return len(part) < len(text) and text.endswith(part) and _is_whole(text, len(text) - len(part), len(text))


def _is_whole(text: str, start: int, end: int) -> bool:
    """Whether neither end of text[start:end] cuts a Latin word or a number."""
    before = start > 0 and _is_latin(text[start - 1]) and _is_latin(text[start])
    after = end < len(text) and _is_latin(text[end - 1]) and _is_latin(text[end])
    return not before and not after


def _is_latin(character: str) -> bool:
    return character.isalnum() and character < "\u2e80"
