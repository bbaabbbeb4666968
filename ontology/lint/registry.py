"""Registry of lint rules: each is a small pure function with its code, title, reason and example.

A rule checks facts and yields places with reasons; the registry makes findings of them. docs/lint.md is generated from
this registry.
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
    """Thresholds of the rules. All are conventions of this project [R].

    Attributes:
        languages: each class should have one label in each.
        siblings: maximum direct subclasses of one class.
        parents: maximum direct superclasses of one class.
        chain: minimum steps of a chain of only children for a finding.
        confidence: minimum confidence of an edge that is derived from documents, in [0, 1].
    """

    languages: tuple[str, ...] = ("zh", "en")
    siblings: int = 30
    parents: int = 4
    chain: int = 2
    confidence: float = 0.5

    def __post_init__(self) -> None:
        for name in ("siblings", "parents", "chain"):
            if getattr(self, name) < 1:
                raise LintError("lint.limit_expected_more_found", name=name, getattr=getattr(self, name))
        if not 0 <= self.confidence <= 1:
            raise LintError("lint.limit_confidence_expected_share", confidence=self.confidence)


@dataclass(frozen=True, slots=True)
class Spot:
    """The place of a problem: its IRI, the reason, and a severity that overrides the rule's one."""

    place: str
    reason: str
    severity: Severity | None = None
    mend: str = ""


Check = Callable[[Facts, Limits], Iterable[Spot]]


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule with its documentation."""

    code: str
    name: str
    """Words joined by hyphens, for SARIF and ``select`` lists."""
    severity: Severity
    title: str
    why: str
    example: str
    mend: str
    check: Check

    def findings(self, facts: Facts, limits: Limits) -> Iterator[Finding]:
        """Yield the findings of the rule.

        Args:
            facts: the facts to check.
            limits: thresholds.
        """
        for spot in self.check(facts, limits):
            label = facts.label(spot.place) if spot.place in facts.by_iri or spot.place != facts.iri else facts.name
            severity = spot.severity or self.severity
            yield Finding(self.code, severity, spot.place, label, spot.reason, spot.mend or self.mend)


_RULES: dict[str, Rule] = {}


def rule(code: str, name: str, severity: Severity) -> Callable[[Check], Check]:
    """Register a check, whose docstring is the documentation of the rule.

    The docstring has a title; a paragraph with the reason; and a paragraph with an example and advice (``Example: ..``
    and, on a separate line, ``Mend: ..``).

    Args:
        code: OC and three digits, unique.
        name: words joined by hyphens.
        severity: severity of its findings.

    Raises:
        LintError: the code is taken or has another form, or the severity is unknown.
    """

    def register(check: Check) -> Check:
        if not re.fullmatch(r"OC\d{3}", code) or code in _RULES:
            raise LintError("lint.rule_expected_new_code", rule=code)
        rank(severity)
        _RULES[code] = Rule(code, name, severity, *_described(getdoc(check) or name), check)
        return check

    return register


def _described(text: str) -> tuple[str, str, str, str]:
    """Return title, reason, example and advice of a docstring; "" for missing ones (python -OO has no docstrings)."""
    title, why, more = (*text.split("\n\n"), "", "")[:3]
    title = title if title[1:2].isupper() else title[0].lower() + title[1:]
    example, _, mend = (" ".join(part.split()) for part in more.removeprefix("Example: ").partition("\nMend: "))
    return title.removesuffix("."), " ".join(why.split()), example, mend


def rules() -> tuple[Rule, ...]:
    """Return all rules, by code."""
    return tuple(_RULES[code] for code in sorted(_RULES))


def chosen(select: Iterable[str] = (), ignore: Iterable[str] = ()) -> tuple[Rule, ...]:
    """Return the rules that match ``select`` (all, if that is empty) and do not match ``ignore``.

    Args:
        select: codes, prefixes of codes, or names.
        ignore: the same.

    Raises:
        LintError: no rule matches an entry.
    """
    selected, unwanted = tuple(select), tuple(ignore)
    for entry in (*selected, *unwanted):
        if not any(_fits(r, entry) for r in rules()):
            known = ", ".join(f"{r.code} {r.name}" for r in rules())
            raise LintError("lint.no_lint_rule_expected", entry=entry, known=known)
    return tuple(
        r for r in rules()
        if (not selected or any(_fits(r, e) for e in selected)) and not any(_fits(r, e) for e in unwanted)
    )  # fmt: skip


def _fits(found: Rule, entry: str) -> bool:
    return bool(entry) and (found.code.startswith(entry.upper()) or found.name == entry.lower())
