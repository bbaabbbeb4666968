"""The register of lint rules: each a small pure function with its code, title, reason and example.

A rule looks at facts and yields places with reasons; the register makes findings of them. docs/lint.md is this register
in words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from inspect import getdoc

from ontology.lint.facts import Facts
from ontology.lint.finding import Finding, LintError, Severity, rank


@dataclass(frozen=True, slots=True)
class Limits:
    """What a team calls too much. All are readings of ours [R].

    Attributes:
        languages: each class should have one label in each.
        siblings: most direct subclasses of one class.
        parents: most direct superclasses of one class.
        chain: fewest steps of a chain of only children that are worth a finding.
        confidence: an edge with documents behind it should have at least this confidence, in [0, 1].
    """

    languages: tuple[str, ...] = ("zh", "en")
    siblings: int = 30
    parents: int = 4
    chain: int = 2
    confidence: float = 0.5

    def __post_init__(self) -> None:
        for name in ("siblings", "parents", "chain"):
            if getattr(self, name) < 1:
                raise LintError(f"limit {name}: expected 1 or more, found {getattr(self, name)}")
        if not 0 <= self.confidence <= 1:
            raise LintError(f"limit confidence: expected a share from 0 to 1, found {self.confidence}")


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a rule found something: the place's IRI, the reason, and a severity where it is not the rule's own."""

    place: str
    reason: str
    severity: Severity | None = None
    mend: str = ""


Check = Callable[[Facts, Limits], Iterable[Spot]]


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule with all that a reader needs to know of it."""

    code: str
    name: str
    """In words joined by hyphens, as SARIF and ``# select`` lists like it."""
    severity: Severity
    title: str
    why: str
    example: str
    mend: str
    check: Check

    def findings(self, facts: Facts, limits: Limits) -> Iterator[Finding]:
        """What the rule finds, in its order."""
        for spot in self.check(facts, limits):
            label = facts.label(spot.place) if spot.place in facts.by_iri or spot.place != facts.iri else facts.name
            severity = spot.severity or self.severity
            yield Finding(self.code, severity, spot.place, label, spot.reason, spot.mend or self.mend)


_RULES: dict[str, Rule] = {}


def rule(code: str, name: str, severity: Severity) -> Callable[[Check], Check]:
    """Register a check, whose docstring says what a reader needs to know of the rule.

    The docstring has a title; a paragraph that says why it matters; and a paragraph with an example and with what mends
    it (``Example: ..`` and, on a line of its own, ``Mend: ..``).

    Args:
        code: OC and three digits, as no other rule has.
        name: in words joined by hyphens.
        severity: how bad a finding is.

    Raises:
        LintError: a code that is taken or has another form, or an unknown severity.
    """

    def register(check: Check) -> Check:
        if not re.fullmatch(r"OC\d{3}", code) or code in _RULES:
            raise LintError(f"rule {code}: expected a new code of OC and three digits")
        rank(severity)
        _RULES[code] = Rule(code, name, severity, *_described(getdoc(check) or name), check)
        return check

    return register


def _described(text: str) -> tuple[str, str, str, str]:
    """Title, reason, example and mend of a docstring; empty where it lacks them, as without docstrings (python -OO)."""
    title, why, more = (*text.split("\n\n"), "", "")[:3]
    title = title if title[1:2].isupper() else title[0].lower() + title[1:]
    example, _, mend = (" ".join(part.split()) for part in more.removeprefix("Example: ").partition("\nMend: "))
    return title.removesuffix("."), " ".join(why.split()), example, mend


def rules() -> tuple[Rule, ...]:
    """All rules, by code."""
    return tuple(_RULES[code] for code in sorted(_RULES))


def chosen(select: Iterable[str] = (), ignore: Iterable[str] = ()) -> tuple[Rule, ...]:
    """The rules whose code or name starts with an entry of ``select`` (all, if that is empty) and of no ``ignore``.

    Raises LintError for an entry that fits no rule.
    """
    wanted, unwanted = tuple(select), tuple(ignore)
    for entry in (*wanted, *unwanted):
        if not any(_fits(r, entry) for r in rules()):
            known = ", ".join(f"{r.code} {r.name}" for r in rules())
            raise LintError(f"there is no lint rule {entry!r}; expected a code, the start of one, or a name: {known}")
    return tuple(
        r for r in rules()
        if (not wanted or any(_fits(r, e) for e in wanted)) and not any(_fits(r, e) for e in unwanted)
    )  # fmt: skip


def _fits(found: Rule, entry: str) -> bool:
    return bool(entry) and (found.code.startswith(entry.upper()) or found.name == entry.lower())
