"""`ontocrawl ontology`: build, show. The other commands have files of their own."""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ontocrawl.base.options import BuildSettings
from ontocrawl.cli import arguments, ontology_arguments, ontology_map, output
from ontocrawl.cli.arguments import Corpus, HelpAll, OntologySource, choice
from ontocrawl.cli.crawl_options import filled, with_options
from ontocrawl.cli.output import (
    Answer,
    Folder,
    named,
    note,
    notes_of,
    progress,
    quoted,
    stages,
    stderr,
    tabled,
    workspace,
)
from ontocrawl.cli.topic import tables_of
from ontocrawl.errors import UsageError
from ontology.choices import KINDS, READINGS, UNPLACED
from ontology.errors import Message, joined, recognised, told
from ontology.model import Ontology

if TYPE_CHECKING:
    from ontocrawl.versions.building import BuildOptions, Built
    from ontocrawl.versions.learning import LearnedFiles

# ---- `ontocrawl ontology`: build, show. The other commands have files of their own


@with_options(BuildSettings, defaults=True)
def build(
    corpus: Corpus,
    out: Annotated[Path, typer.Option(help="Output folder for the ontologies, their pictures, and the topic file.")],
    ask: Annotated[
        bool,
        typer.Option(
            "--ask/--no-ask",
            help="Ask for such words if --words gives none, where somebody can answer.",
            rich_help_panel="Terms",
        ),
    ] = True,
    folder: Folder = None,
    help_all: HelpAll = False,
    **options: Any,
) -> Answer:
    """Learn the ontologies of a topic, one global and several local, from abstracts by formal concept analysis.

    The file TOPIC.toml in the output folder is the topic to crawl with.
    """
    from ontocrawl.topics import topic_files
    from ontocrawl.versions import building

    _check(**options)
    topic, label = options["topic"], options["label"]
    words = _given_words(options["words"], ask=ask and label is not None and not (out / f"{topic}.toml").exists())
    label = None if label is None else topic_files.label_of(label)
    settings = filled(BuildSettings, options | {"label": label, "words": words})
    asked = building.BuildOptions(corpus, out, settings)
    with progress(Message("cli.doing_learn"), None) as (bar, task):
        built = building.build(workspace(folder), asked, stages(bar, task), note)
    return _answer(built, asked)


def _check(
    reading: str, unplaced: str | None, evidence: str, version: str | None, verify_with: str | None,
    verify_model: str | None, **others: object,
) -> None:  # fmt: skip
    """Raise UsageError for options of a build that are unknown or do not fit each other."""
    is_evidence = choice("--reading", reading, READINGS) == "evidence"
    if unplaced == "drop" and not is_evidence:
        raise UsageError("cli.unplaced_drop_reading_evidence", reading=reading)
    if unplaced is not None:
        choice("--unplaced", unplaced, UNPLACED)
    kinds = {choice("--evidence", name.strip(), KINDS) for name in evidence.split(",")}
    if "fca" not in kinds:
        raise UsageError("cli.evidence_lda_apriori_used", given=evidence)
    if len(kinds) > 1 and not is_evidence:
        raise UsageError("cli.evidence_reading_evidence_all", given=evidence, reading=reading)
    version_number(version or "")
    if verify_with is None and verify_model is not None:
        raise UsageError("cli.verify_model_used_verify")
    if verify_with is not None and verify_model is None:
        raise UsageError("cli.verify_give_model_verify", base_url=verify_with)
    if verify_with is not None and not is_evidence:
        raise UsageError("cli.verify_reading_evidence_all", reading=reading)


def _given_words(words: str | None, *, ask: bool) -> dict[str, float]:
    """Return the words of --words, or of the answer to the one question of a build where somebody can answer it."""
    if words is None and ask and sys.stdin.isatty() and sys.stderr.isatty():
        stderr.print(Message("cli.ask_words"))
        words = sys.stdin.readline()
    return arguments.words(words or "")


def version_number(given: str) -> str:
    """Return the number of a version. Raises UsageError for one that no IRI can end with."""
    if given and not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]*", given):
        raise UsageError("cli.version_expected_letters_digits", given=given)
    return given


def _answer(built: Built, options: BuildOptions) -> Answer:
    """Return the figures of the learned ontologies, what is left to do, and the files written."""
    from ontocrawl.topics import topic_files
    from ontocrawl.versions import learning

    files = [str(path) for path in built.written.files]
    result = learning.summary(built.learned) | {"topic_file": str(built.written.topic), "files": files}
    result |= {"topic_name": built.registration.name, "own_fields": list(built.own_fields)}
    result["card"] = built.card.as_json()
    result |= {"edited": list(built.kept.edited), "edit_conflicts": dict(built.kept.conflicts)}
    figures: dict[str, Any] = {k: v for k, v in result.items() if isinstance(v, int | float)}
    about = {Message("cli.all_records"): "records", Message("cli.about_the_topic"): "about_the_topic"}
    figures = {told: figures.pop(name) for told, name in about.items()} | figures
    figures.pop("unplaced")  # some of them are below the topic, the others are waiting
    figures["waiting"] = len(result["waiting"])
    by_rule = result["edges_by_rule"].items()
    rules = [(named("rule", recognised(rule, "evidence.kind_")), count) for rule, count in by_rule]
    figures["edges_by_rule"] = joined([Message("versions.came", kind=rule, n=count) for rule, count in rules])
    mapped = []
    if built.mappings:
        result["mappings"] = dict(Counter(row.predicate for row in built.mappings))
        mapped = [ontology_map.counts(built.mappings, "Mapped to the skeleton")]
    return Answer(
        result,
        [
            tabled(Message("cli.of_ontology", label=built.topic.file.label.zh), ("", ""), figures.items()),
            *mapped,
            topic_files.outline(built.learned.global_ontology, depth=3),
            *tables_of(built.card),
        ],
        [
            *notes_of(built.learned.problems),
            *_learned(built.learned, options),
            *_moved(built.learned, options.out),
            *_decided(built),
            *(Message("cli.written", path=path) for path in files),
            *_topic_file(built),
        ],
    )


_MOVES = 5
"""Number of moves and of suggested edges that a build names."""


def _moved(learned: LearnedFiles, out: Path) -> Iterator[str]:
    """Yield what moved since the version before, and what would have moved by too little evidence."""
    from ontocrawl.versions import learning

    for line in learned.moved[:_MOVES]:
        yield Message("versions.note_moved", line=line)
    if len(learned.moved) > _MOVES:
        yield Message("versions.note_moved_more", more=len(learned.moved) - _MOVES)
    edges = learned.suggested_edges
    for edge in edges[:_MOVES]:
        more = Message("versions.note_below", below=edge.below) if edge.below else ""
        evidence = told(edge.evidence, "evidence.kind_", output.language)
        yield Message(
            "versions.note_suggested", child=edge.child, more=more, parent=edge.parent, evidence=evidence,
            reason=recognised(edge.reason, "versions.reason_"),
        )  # fmt: skip
    if edges:
        accept = quoted("ontocrawl", "ontology", "decide", out, "accept", edges[0].child, edges[0].parent)
        file = out / learning.SUGGESTED_EDGES
        yield Message("versions.note_suggested_all", file=file, edges=len(edges), accept=accept)


def _waiting(learned: LearnedFiles, out: Path) -> Iterator[str]:
    """Yield the first terms that wait for a place, with the classes that they may be below."""
    waiting = learned.learned.waiting
    for term, places in waiting[:_MOVES]:
        near = ", ".join(places) or Message("versions.note_none_near")
        yield Message("versions.note_waiting", term=term, places=near)
    if waiting:
        accept = quoted("ontocrawl", "ontology", "decide", out, "accept", "TERM", "CLASS")
        yield Message("versions.note_waiting_all", waiting=len(waiting), accept=accept)


def _decided(built: Built) -> Iterator[str]:
    """Yield what was edited by hand, and the decisions that did not apply."""
    if built.kept.edited:
        yield Message("versions.note_edited", files=", ".join(built.kept.edited))
        for d in built.kept.decisions:
            before = Message("versions.note_before", old=d.old) if d.old else ""
            of = d.term or Message("versions.note_the_ontology")
            what = "".join(f" {part}" for part in (d.relation, d.value) if part)
            yield Message("versions.note_decision", id=d.id, action=d.action, of=of, what=what, before=before)
    for files, what in built.kept.conflicts.items():
        yield Message("versions.note_edited_differently", files=files, what=what)
    yield from built.kept.notes
    decided = built.learned.decided
    of_code = (("versions.note_decision_idle", decided.idle), ("versions.note_decision_conflict", decided.conflicts))
    for code, remarks in of_code:
        for remark in remarks:
            d = remark.decision
            said = " ".join(filter(None, (d.action, d.term, d.value)))
            yield Message(code, id=d.id, said=said, reason=remark.reason)


def _topic_file(built: Built) -> Iterator[str]:
    """Yield how the topic is named to crawl with it; if an edited file was kept, also how the two differ."""
    from ontocrawl.topics import word_lists

    written, named = built.written, built.registration
    if written.edited is not None:
        yield Message("versions.note_topic_edited", edited=written.edited, topic=written.topic)
        yield from (f"  {line}" for line in written.difference)
    if named.remark:
        yield named.remark
    name: str | Path = written.topic if named.name is None or written.edited is not None else named.name
    if built.own_fields:
        yield Message("versions.note_own_fields", fields=", ".join(built.own_fields))
    yield Message("versions.note_words", file=written.topic.parent / word_lists.FILE)
    yield Message("versions.note_check", command=quoted("ontocrawl", "topic", "check", name))
    yield Message("cli.crawl_with", command=quoted("ontocrawl", "crawl", "run", "--topic", name, "--seeds", "URL"))


def show(
    file: OntologySource,
    depth: Annotated[int, typer.Option(min=1, help="Number of levels to show, the root included.")] = 3,
    name: Annotated[
        str | None,
        typer.Option("--class", metavar="LABEL", help="Show only this class, with its parents, children and evidence."),
    ] = None,
    folder: Folder = None,
) -> Answer:
    """Show the hierarchy of an ontology as an outline; a class with several parents is listed under each."""
    from ontocrawl.topics import topic_files

    ontologies = ontology_arguments.ontologies(file, workspace(folder))
    if name is not None:
        entries = _entries(ontologies, name)
        return Answer({"classes": entries}, [topic_files.class_text(entry, output.language) for entry in entries])
    return Answer(
        {"ontologies": [_as_json(ontology) for ontology in ontologies]},
        [topic_files.outline(ontology, depth=depth) for ontology in ontologies],
    )


def _entries(ontologies: Sequence[Ontology], name: str) -> list[dict[str, Any]]:
    """Return a class of every ontology that has it. Raises UsageError, with similar names, if none has it."""
    from ontocrawl.topics import topic_files

    entries = [entry for ontology in ontologies if (entry := topic_files.class_entry(ontology, name)) is not None]
    if not entries:
        close = get_close_matches(name, {form for o in ontologies for c in o.concepts for _, form in c.names()})
        if close:
            raise UsageError("cli.no_class_near", name=name, close=", ".join(close))
        raise UsageError("cli.no_class", name=name)
    return entries


def _learned(learned: LearnedFiles, options: BuildOptions) -> Iterator[str]:
    """Yield notes on what was learned, and on what is left to do."""
    from ontocrawl.versions import learning

    yield from learned.learned.notes
    if general := [word for word, _ in learned.learned.general]:
        accept = quoted("ontocrawl", "ontology", "decide", options.out, "accept", general[0])
        yield Message(
            "versions.note_general", general=len(general), words=", ".join(general[:10]),
            more=" .." if len(general) > 10 else "", file=options.out / learning.GENERAL, accept=accept,
        )  # fmt: skip
    untranslated = learned.learned.without_english
    if untranslated:
        todo = options.out / learning.UNTRANSLATED
        lexicons = [word for path in dict.fromkeys((*options.settings.lexicons, todo)) for word in ("--lexicon", path)]
        yield Message("versions.note_untranslated", classes=len(untranslated), todo=todo, lexicons=quoted(*lexicons))
    yield from _waiting(learned, options.out)
    unplaced = len(learned.learned.unplaced)
    dropped = len(learned.learned.left_out)
    if unplaced and options.method.unplaced == "drop":
        yield Message("versions.note_dropped", dropped=dropped, kept=unplaced - dropped)
    elif unplaced:
        yield Message("versions.note_unplaced", unplaced=unplaced)


def _as_json(ontology: Ontology) -> dict[str, Any]:
    return {
        "iri": ontology.iri,
        "kind": ontology.kind,
        "root": ontology.root,
        "concepts": [
            {"iri": c.iri, "zh": c.label_zh, "en": c.label_en, "parents": ontology.parents[c.iri]}
            for c in ontology.concepts
        ],
    }
