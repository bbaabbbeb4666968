"""What ontocrawl says to its users: errors, and the sentences that they and other messages are made of.

A message has a code, such as ``runs.run_exists``, and values. Its sentence, in English and in Chinese, is in the table
``ontology/data/messages/runs.toml`` under ``[run_exists]``, with places for the values as in `str.format`:
``{name!r}``, ``{count:,}``. A place that begins with ``--`` is an option, which each interface names in its own way:
``{--seeds URL}`` is ``--seeds URL`` on the command line and ``seeds=URL`` in a call from Python, and
``{--write|write=True}`` says what it is in Python. ``{pages:,|page is|pages are}`` is a number with what it counts, in
the form for one or for any other number.

Titles and meanings of queries and strategies, and the help of commands, are in English where they are declared;
``ontology/data/catalogue`` has them in Chinese.
"""

from __future__ import annotations

import re
import string
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache, reduce
from importlib import resources
from importlib.resources.abc import Traversable
from types import MappingProxyType
from typing import Any, Final, Literal, Self, get_args

Language = Literal["en", "zh"]
LANGUAGES: tuple[Language, ...] = get_args(Language)
_CODE: Final = re.compile(r"[a-z]\w*\.[a-z]\w*", re.ASCII)
_COUNTED: Final = re.compile(r"\{(\w+)(:,?)\|([^|{}]+)\|([^|{}]+)\}")
"""A place of a number with what it counts: its name, how it is written, and the words for one and for others."""


@dataclass(frozen=True, slots=True)
class Option:
    """An option in a message: as on the command line, and as in a call from Python.

    >>> Option("--seeds URL").in_python, Option("--limit-pages").in_python, Option("--write", "write=True").in_python
    ('seeds=URL', 'limit_pages=', 'write=True')
    """

    command: str
    python: str = ""
    """By default the name of the option as a keyword, with its value if ``command`` has one."""

    @property
    def in_python(self) -> str:
        """The argument as in a call from Python."""
        name, _, value = self.command.removeprefix("--").partition(" ")
        return self.python or f"{name.replace('-', '_')}={value}"

    def __str__(self) -> str:
        return self.in_python


class Message(str):
    """A text for users: in English, with options as arguments of Python functions; `said` has its other forms.

    Attributes:
        code: area and name of its sentence.
        values: values of the places of the sentence. Those that are messages themselves, or errors, are in the
            language of the whole; so are the items of a list of them, which a place shows parted by ``"; "``.

    Raises:
        KeyError: no sentence has the code, or a place has no value.

    >>> message = Message("hints.near", near="rain")
    >>> message, message.said("zh")
    ("; did you mean 'rain'?", "；您是不是要找 'rain'？")
    >>> Message("versions.stage_learning", records=1), Message("versions.stage_learning", records=2)
    ('learning from 1 record', 'learning from 2 records')
    """

    code: str
    values: Mapping[str, Any]

    def __new__(cls, code: str, /, **values: Any) -> Self:
        """Make the English text, as that of a string."""
        kept = {name: _kept(value) for name, value in values.items()}
        message = super().__new__(cls, _filled(code, kept, "en", on_command_line=False))
        message.code, message.values = code, kept
        return message

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self

    def __getnewargs_ex__(self) -> tuple[tuple[str], dict[str, Any]]:
        return (self.code,), dict(self.values)

    def said(self, language: Language = "en", *, on_command_line: bool = False) -> str:
        """Return the text in a language, with options as on the command line or as in Python."""
        return _filled(self.code, self.values, language, on_command_line=on_command_line)

    def as_json(self) -> dict[str, Any]:
        """Return code and values as JSON has them, of which `recalled` makes the message again."""
        return {"code": self.code, "values": {name: _stored(value) for name, value in self.values.items()}}


def below(lines: Sequence[str]) -> str:
    r"""Return lines as one message, those after the first indented.

    >>> below(["two are left", Message("lab.all_labelled")])
    'two are left\n  all pages are labelled'
    >>> below([str(n) for n in range(2000)]).count("\n  ")
    1999
    """
    if len(lines) == 1:
        return lines[0]
    middle = len(lines) // 2  # halves, since a message within a message within .. is said by recursion
    return Message("files.below", above=below(lines[:middle]), line=below(lines[middle:]))


def joined(parts: Sequence[str], between: Literal[", ", "; "] = ", ") -> str:
    """Return texts as one, with commas or semicolons between them.

    >>> joined(["scheme", "www"]), joined([Message("lab.all_labelled"), "x"], "; ").said("zh")
    ('scheme, www', '所有网页都已标注；x')
    """
    code = "files.joined" if between == ", " else "files.joined_apart"
    return reduce(lambda first, more: Message(code, first=first, more=more), parts) if parts else ""


def closest(name: str, known: Iterable[str], otherwise: str) -> str:
    """Return ``; did you mean 'x'?`` with the closest known name, or another end of the message if none is close.

    Args:
        name: the unknown name.
        known: the known names.
        otherwise: what to return if none is close.

    >>> closest("pags", ["pages", "terms"], "; known: pages, terms"), closest("x", ["pages"], "; known: pages")
    ("; did you mean 'pages'?", '; known: pages')
    """
    close = get_close_matches(name, list(known), n=1, cutoff=0.5)
    return Message("hints.near", near=close[0]) if close else otherwise


def recalled(text: str, stored: Mapping[str, Any] | None) -> str:
    """Return the message of a text that was stored beside its code and values; the text where there are none.

    The text is returned, too, where this version has no such sentence, or one with other places.

    >>> recalled("; did you mean 'rain'?", {"code": "hints.near", "values": {"near": "rain"}}).said("zh")
    "；您是不是要找 'rain'？"
    """
    if not stored:
        return text
    try:
        message: Message = _restored(stored)
    except (FileNotFoundError, KeyError, ValueError):
        return text
    return message


def recognised(text: str, family: str) -> str:
    """Return the message whose English text a stored text is; the text where no sentence of the family fits.

    Args:
        text: a text that is kept without its code, such as the evidence of a relation.
        family: how the codes begin, such as ``evidence.kind_``. Values are recognised too.

    >>> recognised("ending of flood: …洪水", "evidence.kind_").said("zh")
    'flood 的词尾：…洪水'
    """
    for code, pattern in _patterns(family):
        if found := pattern.fullmatch(text):
            return Message(code, **{name: recognised(value, family) for name, value in found.groupdict().items()})
    return text


def told(text: str, family: str, language: Language) -> str:
    """Return a text that is kept in English in a language, by the sentences of a family (`recognised`).

    Parts with "; " between them, as the evidence of a relation has them, are told one by one.
    """
    parts = [recognised(part, family) for part in text.split("; ")]
    between = "；" if language == "zh" and any(isinstance(part, Message) for part in parts) else "; "
    return between.join(said(part, language) for part in parts)


@cache
def _patterns(family: str) -> Sequence[tuple[str, re.Pattern[str]]]:
    """Return the codes of a family with their sentences as patterns, the longest sentences first."""
    area, _, beginning = family.partition(".")
    sentences = {name: one["en"] for name, one in _table(area).items() if name.startswith(beginning)}
    found = []
    for name, sentence in sorted(sentences.items(), key=lambda pair: -len(pair[1])):
        pattern = ""
        for text, place, written, _ in string.Formatter().parse(sentence):
            _, *forms = (written or "").split("|")
            pattern += re.escape(text) + (f"(?P<{place}>.+?)" if place else "")
            pattern += f" (?:{'|'.join(map(re.escape, forms))})" if forms else ""
        found.append((f"{area}.{name}", re.compile(pattern, re.DOTALL)))
    return found


def is_known(code: str) -> bool:
    """Return whether a message has the code; one of a later version may be unknown."""
    area, _, name = code.partition(".")
    return _file(area).is_file() and name in _table(area)


def said(text: str, language: Language, *, on_command_line: bool = False) -> str:
    """Return a message in a language; a text without a code is unchanged."""
    return text.said(language, on_command_line=on_command_line) if isinstance(text, Message) else text


class OntocrawlError(Exception):
    """Base class of all errors of ontocrawl. The message says what is wrong, where, and what to do.

    Args:
        message: the code of its sentence, with ``values`` for the places; or the whole text, such as a `Message`.
        values: see `Message`.

    Attributes:
        message: the message.

    >>> error = OntocrawlError("lab.all_labelled")
    >>> str(error), error.said("zh")
    ('all pages are labelled', '所有网页都已标注')
    """

    def __init__(self, message: str = "", /, **values: Any) -> None:
        is_code = not isinstance(message, Message) and _CODE.fullmatch(message) is not None
        self.message: str = Message(message, **values) if is_code else message
        super().__init__(self.message)

    def __str__(self) -> str:
        return self.message

    def said(self, language: Language, *, on_command_line: bool = False) -> str:
        """Return the message in a language, with options as on the command line or as in Python."""
        return said(self.message, language, on_command_line=on_command_line)


def _kept(value: Any) -> Any:
    """Return a value as a message keeps it: of an error its message."""
    if isinstance(value, OntocrawlError):
        return value.message
    if not isinstance(value, BaseException):
        return value
    return value.args[0] if value.args and isinstance(value.args[0], Message) else str(value)


def _stored(value: Any) -> Any:
    if isinstance(value, Message):
        return value.as_json()
    if isinstance(value, list | tuple):
        return [_stored(item) for item in value]
    return value if isinstance(value, str | int | float | bool | None) else str(value)


def _restored(value: Any) -> Any:
    if isinstance(value, list):
        return [_restored(item) for item in value]
    if not isinstance(value, Mapping):
        return value
    return Message(value["code"], **{name: _restored(one) for name, one in value["values"].items()})


class _Places(dict[str, Any]):
    """The values of the places of a sentence, in the language and for the interface of who reads it."""

    def __init__(self, values: Mapping[str, Any], language: Language, on_command_line: bool) -> None:
        super().__init__(values)
        self._language, self._on_command_line = language, on_command_line

    def __getitem__(self, name: str) -> Any:
        return self._shown(Option(*name.split("|")) if name.startswith("--") else super().__getitem__(name))

    def _shown(self, value: Any) -> Any:
        if isinstance(value, Option):
            return value.command if self._on_command_line else value.in_python
        if isinstance(value, Message):
            return value.said(self._language, on_command_line=self._on_command_line)
        if isinstance(value, list | tuple) and value and all(isinstance(item, Message) for item in value):
            return "; ".join(map(self._shown, value))
        return value


def _filled(code: str, values: Mapping[str, Any], language: Language, *, on_command_line: bool) -> str:
    area, _, name = code.partition(".")

    def counted(place: re.Match[str]) -> str:
        key, written, one, others = place.groups()
        return f"{{{key}{written}}} {one if str(values[key]) == '1' else others}"

    sentence = _COUNTED.sub(counted, _table(area)[name][language])
    return sentence.format_map(_Places(values, language, on_command_line))


@cache
def _table(area: str) -> Mapping[str, Mapping[str, str]]:
    """Return the sentences of an area. Most commands read none, and few read more than one or two."""
    return tomllib.loads(_file(area).read_text("utf-8"))


def _file(area: str) -> Traversable:
    return resources.files("ontology") / "data" / "messages" / f"{area}.toml"


COLUMNS: Final = "columns"
"""The group of the columns and parameters of queries that no other table has, by their names."""


@cache
def _catalogue(language: Language) -> Mapping[str, str]:
    """Return English text -> text of the catalogues of queries and strategies in a language."""
    groups = catalogue_groups(language)
    return MappingProxyType({one: text for name in groups.keys() - {COLUMNS} for one, text in groups[name].items()})


def catalogue_groups(language: Language) -> Mapping[str, Mapping[str, str]]:
    """Return the catalogues of a language by their groups; none for English, in which the declarations are."""
    file = resources.files("ontology") / "data" / "catalogue" / f"{language}.toml"
    return tomllib.loads(file.read_text("utf-8")) if file.is_file() else {}


def catalogued(text: str, language: Language) -> str:
    """Return a title, question or meaning of the catalogues of queries and strategies in a language.

    Args:
        text: the text as its declaration has it, in English.
        language: the language of the reader.

    Returns:
        The text; in English if the file of the language lacks it, as for a strategy of a file of the user's.

    >>> catalogued("Breadth-first search", "zh"), catalogued("Breadth-first search", "en")
    ('广度优先搜索', 'Breadth-first search')
    """
    return _catalogue(language).get(text, text)


def help_texts() -> Mapping[str, str]:
    """Return the help of commands in English -> in Chinese, but for options that are declared in both languages."""
    file = resources.files("ontology") / "data" / "catalogue" / "help_zh.toml"
    return MappingProxyType(tomllib.loads(file.read_text("utf-8")))
