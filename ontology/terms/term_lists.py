"""Term lists of a user: white (always kept), black (never kept), stop (words that no term begins or ends with).

One term a line, UTF-8; empty lines and lines that begin with # are left out.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ontology.errors import OntocrawlError
from ontology.files import read_text
from ontology.terms.wordforms import at_commas, fold

_LONGEST = 60


class TermListError(OntocrawlError, ValueError):
    """A list of terms that cannot be used; the message names the place and its content."""


def load_lists(white: Path | None, black: Path | None, stop: Path | None) -> TermLists:
    """Read the files of the three lists; None for an empty list. Raises TermListError as `load_terms`."""
    return TermLists(*(load_terms(path) if path else () for path in (white, black, stop)))


def load_terms(path: Path) -> tuple[str, ...]:
    """Read the terms of a file, in order and without repetition.

    Raises:
        TermListError: a line holds no single term; the message names file and line.
    """
    lines = read_text(path, TermListError).splitlines()
    terms: dict[str, str] = {}
    for number, line in enumerate(lines, 1):
        term = line.strip()
        if not term or term.startswith("#"):
            continue
        wrong = _why_no_term(term)
        if wrong:
            raise TermListError("terms.line_expected_term_line", path=path, number=number, wrong=wrong, term=term[:40])
        terms.setdefault(fold(term), term)
    return tuple(terms.values())


def _why_no_term(term: str) -> str:
    if any(not c.isprintable() for c in term):
        return "a tab or a control character (a table, or no text)"
    if any(c in ";；|" for c in term) or len(at_commas(term)) > 1:
        return "several terms"
    return f"{len(term)} characters" if len(term) > _LONGEST else ""


@dataclass(frozen=True)
class TermLists:
    """White, black and stop list; terms are compared folded.

    Raises:
        TermListError: a term is on the white and on the black list.
    """

    white: tuple[str, ...] = ()
    black: tuple[str, ...] = ()
    stop: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        both = sorted({fold(t) for t in self.white} & {fold(t) for t in self.black})
        if both:
            raise TermListError("terms.white_black_list_take", both=", ".join(both))


NO_LISTS = TermLists()
