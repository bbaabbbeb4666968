"""`ontocrawl ontology terms`: the terms of a corpus, and why each was kept or dropped."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ontocrawl.base.options import TermSettings
from ontocrawl.cli.arguments import Corpus
from ontocrawl.cli.crawl_options import filled, with_options
from ontocrawl.cli.output import Answer, Line, notes_of, progress, spoken, tabled
from ontocrawl.errors import UsageError
from ontology.errors import Message, recognised
from ontology.files import write_atomically
from ontology.model import Term
from ontology.printable import csv_cell

if TYPE_CHECKING:
    from ontology.terms import Explanation, Selection, TermStudy
    from ontology.terms.form_matcher import AsWritten

_SUFFIXES = (".csv", ".tsv", ".json")
_AROUND = 30
_COLUMNS = (
    "term", "score", "documents", "frequency", "keyword_documents", "expected", "c_value", "left_entropy",
    "right_entropy", "cohesion", "keyness", "why",
)  # fmt: skip


@with_options(TermSettings, defaults=True)
def terms(
    corpus: Corpus,
    explain: Annotated[
        list[str] | None, typer.Option(metavar="TERM", help="Explain why this term was kept or dropped. May repeat.")
    ] = None,
    top: Annotated[int, typer.Option(min=1, help="Maximum number of terms to show.")] = 50,
    background: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Word frequencies of general text, for keyness.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Output file for all kept terms: .csv, .tsv or .json.")
    ] = None,
    **options: Any,
) -> Answer:
    """List the terms of a corpus with their statistics; --explain shows why a term was kept or dropped."""
    from ontocrawl.topics import topic_files
    from ontology import corpus as readers
    from ontology.evidence import skeleton
    from ontology.terms import explain_term, load_background, study_terms
    from ontology.terms.form_matcher import AsWritten, in_simplified
    from ontology.terms.lexicon import choose as choose_lexicon
    from ontology.terms.term_lists import load_lists

    if out is not None and out.suffix.lower() not in _SUFFIXES:
        raise UsageError("cli.out_expected_name_ends", out=out, suffixes=", ".join(_SUFFIXES))
    given = filled(TermSettings, options)
    field, max_terms = topic_files.require_field(given.field or ""), given.max_terms
    words = choose_lexicon(given.lexicons, field=field)
    lists = load_lists(given.white, given.black, given.stop)
    general = load_background(background) if background else None
    with progress(Message("versions.stage_records"), None) as (bar, task):
        read = readers.read(corpus)
        bar.update(task, description=spoken(Message("cli.doing_terms", records=len(read.documents))))
        documents, plain = read.documents, [replace(in_simplified(d), id=d.id) for d in read.documents]
        texts = (text for d in documents for text in (d.title, d.abstract, *d.keywords))
        written = AsWritten(texts, words=words.entries, kept=[d.id for d in documents])
        study = study_terms(
            plain, in_simplified(words), min_documents=given.min_documents, lists=in_simplified(lists),
            background=general, is_known=skeleton(field=field).has_place,
        )  # fmt: skip
        selection = study.best(max_terms) if explain else study.selection(max_terms)
        explained = [
            replace(written.restored(explain_term(study, in_simplified(term), max_terms)), asked=term)
            for term in explain or ()
        ]
    if out is not None:
        _write(out, study, selection, written)
    idle = [
        Message("cli.row_idle", of=recognised(name, "ontology.list_"), row=row)
        for name, row in written.restored(study.idle)
    ]
    said = [] if out is None else [Message("cli.terms_written", path=out, terms=len(selection.terms))]
    if explained:
        reasons = [Line("\n".join(lines(e)), wrap=False) for e in explained]
        answer = Answer({"explanations": [asdict(e) for e in explained]}, reasons)
    else:
        answer = _terms(study, selection, top, written)
    return replace(answer, notes=[*notes_of(read.problems), *idle, *answer.notes, *said])


def _terms(study: TermStudy, selection: Selection, top: int, written: AsWritten) -> Answer:
    shown = selection.terms[:top]
    rows = [
        (n, t.text, t.score, t.document_frequency, t.frequency, "; ".join(selection.why[t.text]))
        for n, t in enumerate(shown, 1)
    ]
    table = tabled(
        Message("cli.of_terms", documents=len(study.documents)),
        ("", "term", "score", "documents", "frequency", "why"),
        written.restored(rows),
        caption=Message("cli.terms_kept", kept=len(selection.terms), dropped=len(selection.dropped)),
    )
    notes = [Message("cli.terms_hint")]
    if selection.general:
        words = [text for text, _ in selection.general[:10]]
        named = ", ".join(written.restored(words))
        notes.insert(0, Message("cli.terms_general", n=len(words), of=len(selection.general), words=named))
    counts = {"documents": len(study.documents), "kept": len(selection.terms), "dropped": len(selection.dropped)}
    terms = written.restored([_row(study, selection, t) for t in shown])
    return Answer({**counts, "terms": terms}, [table], notes)


def _row(study: TermStudy, selection: Selection, term: Term) -> dict[str, Any]:
    figures = study.evidence.figures(term.text)
    return {
        "term": term.text,
        "score": round(term.score, 3),
        "documents": term.document_frequency,
        "frequency": term.frequency,
        "keyword_documents": figures.keyword_documents,
        "expected": figures.expected,
        "c_value": figures.c_value,
        "left_entropy": figures.left_entropy,
        "right_entropy": figures.right_entropy,
        "cohesion": figures.cohesion,
        "keyness": figures.keyness,
        "why": list(selection.why[term.text]),
    }


def _write(out: Path, study: TermStudy, selection: Selection, written: AsWritten) -> None:
    from ontocrawl.versions.learning import GENERAL, general_table, write_text

    rows = written.restored([_row(study, selection, t) for t in selection.terms])
    if out.suffix.lower() == ".json":
        dropped = written.restored([{"term": text, "reason": reason} for text, reason in selection.dropped])
        general = written.restored([{"term": text, "why": why} for text, why in selection.general])
        document = {"documents": len(study.documents), "terms": rows, "general": general, "dropped": dropped}
        write_atomically(out, (json.dumps(document, ensure_ascii=False, indent=1) + "\n").encode("utf-8", "replace"))
        return
    text = io.StringIO()
    writer = csv.DictWriter(
        text, _COLUMNS, delimiter="," if out.suffix.lower() == ".csv" else "\t", lineterminator="\n"
    )
    writer.writeheader()
    writer.writerows(
        {key: csv_cell(value) for key, value in (row | {"why": "; ".join(row["why"])}).items()} for row in rows
    )
    write_atomically(out, text.getvalue().encode("utf-8-sig", "replace"))  # the mark is for spreadsheet programs
    if (beside := out.with_name(GENERAL)) != out:
        write_text(beside, general_table(written.restored(selection.general)))


def lines(e: Explanation) -> list[str]:
    """Format an explanation, one string per line."""
    from ontology.terms.term_figures import number_of_documents

    f = e.figures
    head = e.asked if e.asked == e.term else f"{e.asked} (counts for {e.term})"
    text = [f"{head}: {e.status}" + (f", rank {e.rank} of {e.of}, score {e.score:.2f}" if e.rank else "")]
    text += [f"  {'because' if e.status == 'kept' else 'reason'}: {reason}" for reason in e.reasons]
    if e.document_frequency:
        text.append(f"  in {number_of_documents(e.document_frequency)}, {e.frequency} times, synonyms joined")
    if f.documents:
        words = "1 word" if f.words == 1 else f"{f.words} words"
        plain = f"{number_of_documents(f.documents)}, {f.frequency} times, cut as {words}"
        text.append(f"  in titles and abstracts: {plain}")
        text.append(f"  C-value {f.c_value:.1f}, cohesion {f.cohesion:.2f}")
        text.append(f"  entropy of the words left {f.left_entropy:.2f}, right {f.right_entropy:.2f}")
        text.append(f"  keyness {f.keyness:.2f}, log-likelihood of its last word {f.log_likelihood:.1f}")
    text.append(f"  author keyword of {number_of_documents(f.keyword_documents)}, expected of {f.expected:.2f} others")
    text.append(f"  lexicon: {', '.join((e.term, *e.synonyms)) if e.in_lexicon else 'no'}")
    if e.parts:
        text.append("  like a keyword: " + ", ".join(f"{name} {value:+.2f}" for name, value in e.parts))
    if e.longer:
        text.append("  within: " + ", ".join(f"{longer} ({n})" for longer, n in e.longer))
    forms = (e.term, e.asked, *e.synonyms)
    return text + [f"  {identifier}: {_around(sentence, forms)}" for identifier, sentence in e.sentences]


def _around(sentence: str, forms: Sequence[str]) -> str:
    """Cut a sentence to the context of the first form in it."""
    start = min((place for form in forms if (place := sentence.find(form)) >= 0), default=0)
    low, high = max(start - _AROUND, 0), start + 2 * _AROUND
    return ("…" if low else "") + sentence[low:high] + ("…" if high < len(sentence) else "")
