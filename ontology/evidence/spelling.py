"""Relations of two terms by their spelling alone."""

from __future__ import annotations


def contains(longer: str, shorter: str) -> bool:
    """Return whether one term contains another, different one; Latin words only as whole words.

    Args:
        longer: the term that may contain the other.
        shorter: the other term.

    Returns:
        Whether it does.

    >>> contains("心理台风眼效应", "台风"), contains("training", "rain")
    (True, False)
    """
    text, part = longer.casefold(), shorter.casefold()
    start = text.find(part) if len(part) < len(text) else -1
    while start >= 0:
        if _is_whole(text, start, start + len(part)):
            return True
        start = text.find(part, start + 1)
    return False


def ends_with(longer: str, shorter: str) -> bool:
    """Return whether one term ends with another, different one; Latin words only as whole words.

    Args:
        longer: the term that may end with the other.
        shorter: the other term.

    Returns:
        Whether it does.

    >>> ends_with("山洪灾害", "灾害"), ends_with("flash flood", "flood"), ends_with("flood", "flood")
    (True, True, False)
    """
    text, part = longer.casefold(), shorter.casefold()
    return len(part) < len(text) and text.endswith(part) and _is_whole(text, len(text) - len(part), len(text))


def _is_whole(text: str, start: int, end: int) -> bool:
    """Return whether neither end of text[start:end] cuts a Latin word or a number."""
    before = start > 0 and _is_latin(text[start - 1]) and _is_latin(text[start])
    after = end < len(text) and _is_latin(text[end - 1]) and _is_latin(text[end])
    return not before and not after


def _is_latin(character: str) -> bool:
    return character.isalnum() and character < "\u2e80"
