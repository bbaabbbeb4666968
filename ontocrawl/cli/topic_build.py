"""`ontocrawl topic build`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ontocrawl.base.options import TermSettings
from ontocrawl.cli.crawl_options import filled, with_options
from ontocrawl.cli.output import Answer, note, quoted, tabled
from ontocrawl.errors import UsageError
from ontology.errors import Message
from ontology.files import write_atomically

if TYPE_CHECKING:
    from ontocrawl.runs import training


@with_options(TermSettings, "field", "lexicons", defaults=True)
def build(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name of the new topic: letters, digits, - and _.")],
    of_class: Annotated[str, typer.Option("--class", help="The class on the topic; needs --classes.")] = "",
    classes: Annotated[
        list[Path] | None,
        typer.Option(help="Labelled pages: a folder per class, or a table (.tsv, .csv, .jsonl). May repeat."),
    ] = None,
    pages: Annotated[Path | None, typer.Option(help="Folder of pages on the topic (.html, .txt).")] = None,
    corpus_file: Annotated[
        list[Path] | None, typer.Option("--corpus", help="Files or folders of literature exports. May repeat.")
    ] = None,
    top: Annotated[int, typer.Option(min=1, help="Maximum number of words.")] = 12,
    zh: Annotated[str, typer.Option(help="Chinese label; by default the name.")] = "",
    en: Annotated[str, typer.Option(help="English label; by default the name.")] = "",
    out: Annotated[
        Path | None, typer.Option(help="Output file, which must be new: .toml; by default nothing is written.")
    ] = None,
    **options: Any,
) -> Answer:
    """Extract words and weights of a topic from labelled pages (TF-IDF of a class) or from pages on the topic."""
    import tomli_w

    from ontocrawl.runs import training
    from ontocrawl.topics import topic_files
    from ontology.terms import lexicon as lexicons

    sources = [
        option for option, value in (("--class", of_class), ("--pages", pages), ("--corpus", corpus_file)) if value
    ]
    if len(sources) != 1 or bool(of_class) != bool(classes):
        raise UsageError(
            "cli.give_class_name_classes", part=f", not {' and '.join(sources)}" if len(sources) > 1 else ""
        )
    if out is not None:
        _require_new(out)
    given = filled(TermSettings, options)
    of_field = topic_files.require_field(given.field or "")
    chosen_lexicon = lexicons.choose(given.lexicons, field=of_field)
    if of_class:
        labelled = training.read(classes or [])
        texts = {label: [_text(page) for page in class_pages] for label, class_pages in labelled.pages.items()}
        words = topic_files.of_class(texts, of_class, chosen_lexicon, top)
        source = Message("cli.by_tf_idf", name=of_class)
    else:
        on_topic = _pages(pages) if pages else _abstracts(corpus_file or [])
        words = topic_files.of_pages(on_topic, chosen_lexicon, top)
        source = Message("cli.by_frequency", n=len(on_topic))
    data = topic_files.data_of_words(name, zh or name, en or name, source, words, of_field)
    if out is None:
        said = Message("cli.topic_not_written", option=quoted("--out", f"{name}.toml"))
    else:
        write_atomically(out, tomli_w.dumps(data).encode())
        said = Message("cli.topic_written", path=out, crawl=quoted("ontocrawl", "crawl", "run", "--topic", out))
    rows = [(w.weight, ", ".join(w.zh), ", ".join(w.en), w.frequency, w.texts) for w in words]
    title = Message("cli.of_topic_words", topic=name, source=source)
    shown = tabled(title, ("weight", "zh", "en", "frequency", "texts"), rows)
    return Answer({"topic": data, "words": [asdict(word) for word in words]}, [shown], [said])


def _require_new(out: Path) -> None:
    """Raise UsageError for another suffix, or an existing file, which may have been corrected by hand."""
    if out.suffix != ".toml":
        raise UsageError("cli.out_topic_file_must", out=out)
    if out.exists():
        raise UsageError("cli.out_exists_give_another", out=out)


def _pages(folder: Path) -> list[str]:
    from ontocrawl.runs import training

    if not folder.is_dir():
        raise UsageError("cli.pages_expected_folder_html", folder=folder)
    texts, skipped = training.texts_of(folder)
    for reason, number in skipped.items():
        note(Message("cli.files_left_out", files=number, reason=reason))
    if not texts:
        raise UsageError("cli.pages_no_html_txt", folder=folder)
    return texts


def _abstracts(paths: Sequence[Path]) -> list[str]:
    from ontocrawl.topics import topic_files

    texts, problems = topic_files.read_texts(paths)
    if problems:
        note(Message("cli.corpus_problems", problems=problems))
    return texts


def _text(segments: training.Segments) -> str:
    return " | ".join(text for _, text in segments)
