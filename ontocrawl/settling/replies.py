"""What a person types, or writes into a cell, as the answer to a question."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from ontocrawl.settling.state import Described, SettleError
from ontocrawl.terminal.dialogue import HELP, LATER, QUIT, UNDO, meant
from ontology.errors import Message
from ontology.terms.wordforms import fold

Kind = Literal["answer", "nothing", "later", "undo", "quit", "help"]
WORDS: Mapping[str, str] = {
    "all": "y yes 是 对 都是 全是",
    "none": "n no 0 none 不 否 不是 都不是 不都是",
    "nothing": "x nothing 没有",
    **{step.name: step.words for step in (LATER, UNDO, QUIT, HELP)},
}
"""What may be typed for a reply that is no name or number."""
_EXAMPLE = re.compile(r"\s*(?:[:：]|\be\.g\.|例如)\s*", re.IGNORECASE)
_SIGNED = re.compile(r"\s+(?=[+＋\-－]\S)")


class ReplyError(SettleError):
    """A reply that cannot be read."""


@dataclass(frozen=True, slots=True)
class Reply:
    """A parsed reply; ``holds`` and ``example`` are those of an answer."""

    kind: Kind
    holds: tuple[str, ...] = ()
    example: Described | None = None


def parse(text: str, choices: Sequence[str], terms: Mapping[str, str], suggested: Sequence[str] = ()) -> Reply:
    """Parse a reply.

    ``y`` means all choices, ``n`` or ``0`` none, ``*`` the suggested ones; numbers or labels mean only these. An
    example may follow after a colon, or after ``n`` at once: a name, with ``+TERM`` for what it is too and ``-TERM``
    for what it is not.

    Args:
        text: what was typed.
        choices: labels of the choices in the order of their numbers.
        terms: label or other name -> label of each chosen term.
        suggested: the choices that are marked.

    Returns:
        The reply.

    Raises:
        ReplyError: a reply that is none of these; the message says what is expected.

    >>> parse("1 : 凌汛 +灾害", ["洪水", "台风"], {"洪水": "洪水", "台风": "台风", "灾害": "灾害"})
    Reply(kind='answer', holds=('洪水',), example=Described(name='凌汛', has=('灾害',), lacks=()))
    >>> parse("以后", ["洪水"], {}).kind
    'later'
    """
    head, _, tail = _split(text.strip())
    word = "marked" if head == "*" and suggested else meant(head, WORDS) or ""
    if word in ("later", "undo", "quit", "help"):
        return Reply(word)  # type: ignore[arg-type]
    if word == "nothing":
        return Reply("nothing", tuple(choices))
    example = _example(tail, terms) if tail else None
    of_word = {"all": tuple(choices), "none": (), "marked": tuple(suggested)}
    holds = of_word[word] if word in of_word else _chosen(head, choices, terms)
    if example is not None and set(holds) == set(choices):
        raise ReplyError("settling.example_what_all_terms", example=example.name)
    return Reply("answer", holds, example)


def _split(text: str) -> tuple[str, str, str]:
    """Return the answer and the description of an example."""
    parts = _EXAMPLE.split(text, maxsplit=1)
    if len(parts) == 2:
        return parts[0], ":", parts[1]
    first, blank, rest = text.partition(" ")
    if rest and meant(first, WORDS) == "none":
        return first, blank, rest.strip()
    return text, "", ""


def _chosen(text: str, choices: Sequence[str], terms: Mapping[str, str]) -> tuple[str, ...]:
    """Return the choices that are named by number or label."""
    chosen = []
    for part in re.split(r"[,，、;；|]+", text):
        tokens = [part.strip()] if _label(part, terms) else part.split()
        for token in tokens:
            label = _label(token, terms)
            if label is None and token.isdecimal() and 1 <= int(token) <= len(choices):
                label = choices[int(token) - 1]
            if label not in choices:
                raise ReplyError(_expected(token, choices))
            chosen.append(label)
    if not chosen:
        raise ReplyError(_expected(text, choices))
    return tuple(label for label in choices if label in chosen)


def _expected(found: str, choices: Sequence[str]) -> str:
    which = Message("settling.reply_one") if len(choices) == 1 else Message("settling.reply_several", last=len(choices))
    return Message("settling.reply_expected", which=which, found=found)


def _label(name: str, terms: Mapping[str, str]) -> str | None:
    return terms.get(name.strip()) or terms.get(fold(name.strip()))


def _example(text: str, terms: Mapping[str, str]) -> Described:
    name, *signed = _SIGNED.split(text.strip())
    has: list[str] = []
    lacks: list[str] = []
    for part in signed:
        label = _label(part[1:], terms)
        if label is None:
            raise ReplyError("settling.none_chosen_terms", part=part, name=part[1:])
        (has if part[0] in "+＋" else lacks).append(label)
    return Described(name, tuple(has), tuple(lacks))
