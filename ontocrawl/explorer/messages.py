"""Messages of errors in the language of a page, found by the English ones that commands and routes raise.

An error is raised without knowing who reads it; its text is compared with the English patterns of ``texts/errors.toml``
when it is shown.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from ontocrawl.explorer import language
from ontocrawl.explorer.language import Language

KEY = "message_"
"""Beginning of the keys of these texts. The script of a page does not get them."""
_LONGEST = 4_000
"""Characters of a text that is compared."""
_DEEPEST = 4
"""Messages within messages that are translated: a hint within an error within the error of a file."""
_MESSAGES = ("error", "hint", "reason", "what", "why")
"""Places whose values are messages themselves."""
_PLACE = re.compile(r"\{(\w+)\}")
_HINT = "(?P<hint>(?:[.;:] .*)?)"
"""What a hint may be: it may follow a value, and begins as a message goes on."""


@cache
def _patterns() -> tuple[tuple[re.Pattern[str], str], ...]:
    """Return patterns of English messages with their keys, those with most characters beside the places first."""
    texts = {key: text for key, text in language.texts("en").items() if key.startswith(KEY)}
    ordered = sorted(texts, key=lambda key: len(_PLACE.sub("", texts[key])), reverse=True)
    return tuple((re.compile(_pattern(texts[key]), re.DOTALL), key) for key in ordered)


def _pattern(text: str) -> str:
    r"""Return the pattern of a message.

    A value ends where the text behind its place comes first; the groups are atomic, so that the time to compare is
    linear in the length of a message, which has values of others.

    >>> _pattern("{name}: a number, found {found}")
    '(?>(?P<name>.*?):\\ a\\ number,\\ found\\ )(?P<found>.*)'
    """
    first, *rest = _PLACE.split(text)
    places = list(zip(rest[::2], map(re.escape, rest[1::2]), strict=True))
    pattern = re.escape(first)
    for name, behind in places[:-1]:
        value = _HINT if name == "hint" else f"(?P<{name}>.*?)"
        pattern += f"(?>{value}{behind})" if behind and name != "hint" else f"{value}{behind}"
    for name, behind in places[-1:]:
        pattern += f"{_HINT if name == 'hint' else f'(?P<{name}>.*)'}{behind}"
    return pattern


def said(text: str, chosen: Language) -> str:
    """Return the message of an error in a language.

    Args:
        text: the message as it was raised, in English.
        chosen: the language of the reader.

    Returns:
        The message; in English if it is not among the texts.

    >>> said("there is no topic 'rain'. Choices: rainstorm, typhoon", "zh")
    "没有主题 'rain'。可选：rainstorm, typhoon"
    """
    return text if chosen == "en" else _said(text, chosen, _DEEPEST)


def _said(text: str, chosen: Language, deepest: int) -> str:
    if not text or len(text) > _LONGEST or not deepest:
        return text
    for pattern, key in _patterns():
        if found := pattern.fullmatch(text):
            return _filled(language.texts(chosen)[key], found.groupdict(), chosen, deepest - 1)
    return text


def _filled(text: str, values: Mapping[str, str], chosen: Language, deepest: int) -> str:
    """Return a text with values in its places, of which a hint is a message too."""
    parts = {name: _said(value, chosen, deepest) if name in _MESSAGES else value for name, value in values.items()}
    return _PLACE.sub(lambda place: parts[place[1]], text)
