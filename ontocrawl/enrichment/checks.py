"""Checks of a version before it counts: lint, competency questions, a reasoner; each against the version before.

What the version before had already is no reason to refuse. A new problem names the decision with which it appears:
decisions are applied one after another, and the first one that brings the problem is found by bisection.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from kg.store import GraphStore
from ontocrawl.versions import competency_checks, deciding, releases
from ontocrawl.versions.releases import Draft
from ontology import owl
from ontology.competency import Question
from ontology.decisions import Decision
from ontology.errors import Message, joined
from ontology.lint import at_least, lint
from ontology.model import Ontology
from ontology.owl import reasoning
from ontology.owl.additions import NO_ADDITIONS

Problems = Mapping[str, str]
"""What is wrong, in a form that two versions can be compared by -> the same in words."""
Check = Callable[[Sequence[Ontology]], Problems]


@dataclass(frozen=True, slots=True)
class Problem:
    """A problem that a version has and the one before had not.

    Attributes:
        check: "cycle", "lint", "question" or "reasoner".
        what: the problem in words.
        decisions: ids of the decisions to blame.
        blame: the same in words.
    """

    check: str
    what: str
    decisions: tuple[str, ...] = ()
    blame: str = ""


@dataclass(frozen=True)
class Checked:
    """The result of the checks.

    Attributes:
        passed: what was checked, and has no new problem.
        problems: the new problems.
        notes: what was not checked, and why.
    """

    passed: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()
    notes: tuple[str, ...] = ()

    def __add__(self, other: Checked) -> Checked:
        """Return the results of both."""
        return Checked(
            self.passed + other.passed, self.problems + other.problems, self.notes + other.notes
        )  # fmt: skip


def without_graph(draft: Draft, questions: Sequence[Question]) -> Checked:
    """Check a version by lint, by the questions in SPARQL and by a reasoner, and for cycles.

    Args:
        draft: the version.
        questions: the competency questions of its topic.
    """
    result = _cycles(draft) + _unknown_classes(draft) + _compared(draft, "lint", _lint_errors)
    sparql = [q for q in questions if q.language == "sparql"]
    if sparql:
        result += _compared(draft, "question", lambda ontologies: _open_questions(sparql, ontologies, None))
    reasoner, note = _reasoner()
    result += Checked(notes=(note,)) if note else Checked()
    if reasoner is not None:
        try:
            result += _compared(draft, "reasoner", lambda ontologies: _contradictions(draft, ontologies, reasoner))
        except reasoning.ReasonerError as error:
            result += Checked(notes=(Message("enrichment.reasoner_failed", error=error),))
    return result


def in_graph(draft: Draft, questions: Sequence[Question], store: GraphStore, load: Callable[..., None]) -> Checked:
    """Check a version by the questions in Cypher, with its ontologies in the graph.

    Args:
        draft: the version.
        questions: the competency questions of its topic.
        store: the open graph.
        load: loads some ontologies into it, in place of those with the same keys.

    Returns:
        The result. The graph has the ontologies of the version, or if there is a problem those of before.
    """
    cypher = [q for q in questions if q.language == "cypher"]
    if not cypher:
        return Checked()

    def open_questions(ontologies: Sequence[Ontology]) -> Problems:
        load(ontologies)
        return _open_questions(cypher, ontologies, store)

    result = _compared(draft, "question", open_questions, name="question in Cypher")
    load(_before(draft) if result.problems else draft.release.ontologies)
    return result


def _before(draft: Draft) -> tuple[Ontology, ...]:
    """Return the ontologies of the version before."""
    before = draft.release.before
    return tuple(before[o.iri].ontology for o in draft.release.ontologies if o.iri in before)


def _compared(draft: Draft, check: str, problems_of: Check, name: str = "") -> Checked:
    """Run a check on the version, and if there are problems on the one before."""
    now = problems_of(draft.release.ontologies)
    known = problems_of(_before(draft)) if now else {}
    new = {key: words for key, words in now.items() if key not in known}
    if not new:
        return Checked(passed=(name or check,))
    found = []
    for key, words in new.items():
        decision = _first_with(draft, key, problems_of)
        blame = () if decision is None else (decision.id,)
        found.append(Problem(check, words, blame, "" if decision is None else _said(decision)))
    return Checked(problems=tuple(found))


def _first_with(draft: Draft, problem: str, problems_of: Check) -> Decision | None:
    """Return the decision that brings a problem, of those that came since the version before; None without any."""
    known = set(draft.release.prior.decisions) if draft.release.prior else set()
    every = draft.left.decisions
    old, new = [d for d in every if d.id in known], [d for d in every if d.id not in known]
    low, high = 0, len(new)
    if not new:
        return None
    while high - low > 1:
        middle = (low + high) // 2
        ontologies, _ = releases.made(draft.drafts, (*old, *new[:middle]), draft.left, draft.rule)
        low, high = (low, middle) if problem in problems_of(ontologies) else (middle, high)
    return new[high - 1]


def _said(decision: Decision) -> str:
    """Return a decision in words, with its id and the person."""
    words = (decision.action, decision.term, decision.relation, decision.value)
    return f"{decision.id} ({' '.join(filter(None, words))}{f', {decision.who}' if decision.who else ''})"


def _cycles(draft: Draft) -> Checked:
    """Report the new decisions whose edges close a cycle with others or with edges that are there."""
    known = set(draft.release.prior.decisions) if draft.release.prior else set()
    labels = {c.iri: c.label for o in (*draft.drafts, *draft.release.ontologies) for c in o.concepts}
    found: dict[str, Problem] = {}
    for cycle in draft.release.decided.cycles:
        if cycle.decision.id not in known:
            edge = cycle.edge
            decided = {name: getattr(cycle.decision, name) for name in ("term", "relation", "value")}
            against = Message("enrichment.other_decisions")
            if edge is not None:
                ends = {"source": labels[edge.source], "target": labels[edge.target]}
                against = Message("enrichment.edge_there", kind=edge.kind, **ends)
            words = Message("enrichment.closes_cycle", against=against, **decided)
            found.setdefault(
                cycle.decision.id, Problem("cycle", words, (cycle.decision.id,), _said(cycle.decision))
            )  # fmt: skip
    return Checked(problems=tuple(found.values())) if found else Checked(passed=("cycle",))


def _unknown_classes(draft: Draft) -> Checked:
    """Report the new decisions that place something under a class that nothing else makes a class."""
    resolve, every = draft.left.resolve, draft.left.decisions
    known = {c.iri for o in (*draft.drafts, *_before(draft)) for c in (*o.concepts, *o.deprecated)}
    known |= {resolve(d.term) for d in every if d.term and d.action not in ("reject", "merge", "split")}
    older = set(draft.release.prior.decisions) if draft.release.prior else set()
    problems = [
        Problem("class", Message("enrichment.unknown_class", name=d.value), (d.id,), _said(d))
        for d in every
        if d.id not in older and d.action in ("accept", "move") and d.is_edge and resolve(d.value) not in known
    ]
    return Checked(problems=tuple(problems))


def _lint_errors(ontologies: Sequence[Ontology]) -> Problems:
    return {
        f"{o.iri} {f.code} {f.place}": f"{f.code} {f.label}: {f.reason}"
        for o in ontologies for f in at_least(lint(o), "error")
    }  # fmt: skip


def _open_questions(
    questions: Sequence[Question], ontologies: Sequence[Ontology], store: GraphStore | None
) -> Problems:
    """Return the questions that do not hold."""
    results = competency_checks.check(questions, ontologies, store)
    return {
        r.question.id: Message(
            "enrichment.open_question", id=r.question.id, title=r.question.title(), reasons=joined(r.reasons, "; ")
        )
        for r in results if not r.holds
    }  # fmt: skip


def _reasoner() -> tuple[reasoning.ReasonerName | None, str]:
    """Return the reasoner to use, and what to say if it is not the complete one."""
    if shutil.which("java") is None:
        why = Message("enrichment.reasoner_java")
    elif not _is_installed("owlready2"):
        why = Message("enrichment.reasoner_package")
    else:
        return "hermit", ""
    return ("rl", Message("enrichment.reasoner_rl", why=why)) if _is_installed("reasonable") else (None, why)


def _is_installed(module: str) -> bool:
    return find_spec(module) is not None


def _contradictions(draft: Draft, ontologies: Sequence[Ontology], reasoner: reasoning.ReasonerName) -> Problems:
    """Return the classes that can have no member, and whether all is inconsistent, with what persons added."""
    additions = draft.left.kept.additions
    texts = [
        owl.content(o, "ntriples", additions=additions.get(deciding.file_stem(o), NO_ADDITIONS))
        for o in ontologies
    ]  # fmt: skip
    with tempfile.TemporaryDirectory(prefix="ontocrawl-") as folder:
        path = Path(folder) / "ontologies.nt"
        path.write_text("".join(texts), encoding="utf-8")
        result = reasoning.reason(path, reasoner)
    labels = {c.iri: c.label for o in ontologies for c in o.concepts}
    why = Message("enrichment.inconsistent", reasoner=reasoner, reasons=joined(result.reasons, "; "))
    found: dict[str, str] = {} if result.consistent else {"inconsistent": why}
    return found | {
        iri: Message("enrichment.no_member", label=labels.get(iri, iri), reasoner=reasoner)
        for iri in result.unsatisfiable
    }
