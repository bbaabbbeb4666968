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
_LONGEST = 1_000
"""Characters of a text that is compared."""
_MESSAGES = ("hint", "what")
"""Places whose values are messages themselves."""
_PLACE = re.compile(r"\\\{(\w+)\\\}")


@cache
def _patterns() -> tuple[tuple[re.Pattern[str], str], ...]:
    """Return patterns of English messages with their keys, those with most characters beside the places first."""
    texts = {key: text for key, text in language.texts("en").items() if key.startswith(KEY)}
    ordered = sorted(texts, key=lambda key: len(re.sub(r"\{\w+\}", "", texts[key])), reverse=True)
    return tuple((re.compile(_PLACE.sub(r"(?P<\1>.*?)", re.escape(texts[key])), re.DOTALL), key) for key in ordered)


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
    if chosen == "en" or not text or len(text) > _LONGEST:
        return text
    for pattern, key in _patterns():
        if found := pattern.fullmatch(text):
            return _filled(language.texts(chosen)[key], found.groupdict(), chosen)
    return text


def _filled(text: str, values: Mapping[str, str], chosen: Language) -> str:
    """Return a text with values in its places, of which a hint is a message too."""
    parts = {name: said(value, chosen) if name in _MESSAGES else value for name, value in values.items()}
    return re.sub(r"\{(\w+)\}", lambda place: parts[place[1]], text)
