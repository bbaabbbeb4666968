"""`ontocrawl crawl train`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ontocrawl.cli.output import Answer, Folder, note, quoted, tabled, workspace
from ontocrawl.errors import UsageError
from ontology.errors import Message

if TYPE_CHECKING:
    from ontocrawl.runs.training import Judged, Segments

Classes = Annotated[
    list[Path] | None,
    typer.Option("--classes", help="Labelled pages: a folder per class, or a table (.tsv, .csv, .jsonl). May repeat."),
]
Web = Annotated[
    list[str] | None,
    typer.Option(help="Synthetic web (synthetic:PRESET?seed=S) whose kinds of pages are classes. May repeat."),
]
Topics = Annotated[
    list[str] | None,
    typer.Option(help="Topic whose papers are a class; a single one has a class per local ontology. May repeat."),
]
Only = Annotated[str | None, typer.Option(help="Comma-separated classes to use; by default all.")]
PerClass = Annotated[int, typer.Option(min=0, help="Number of texts to sample from each class; 0 means all.")]
Seed = Annotated[int, typer.Option(min=0, help="Random seed.")]


def train(
    classes: Classes = None,
    web: Web = None,
    topic: Topics = None,
    out: Annotated[Path, typer.Option(help="Output file for the classifier: .json.")] = Path("classifier.json"),
    only: Only = None,
    per_class: PerClass = 0,
    seed: Seed = 0,
    likelihood: Annotated[
        str, typer.Option(help="Likelihood, Eq. (8): tf_idf, laplace, printed (trap T13).")
    ] = "tf_idf",
    position: Annotated[
        str, typer.Option(help="Weight of positions, Eq. (9): exponent, factor, none (trap T12).")
    ] = "exponent",
    folder: Folder = None,
) -> Answer:
    """Train the Bayesian classifier of paper 003 on labelled pages, and evaluate it on a held-out fifth.

    Plain naive Bayes and the classifier as printed are evaluated as well. Use the file with `crawl run --strategy
    bcw_cc --param classifier=FILE --param S=CLASS`.
    """
    from crawler.scoring.bayes import LIKELIHOODS, POSITIONS
    from ontocrawl.runs import training

    for name, value, choices in (("likelihood", likelihood, LIKELIHOODS), ("position", position, POSITIONS)):
        if value not in choices:
            raise UsageError("cli.choose", name=name, value=value, choices=", ".join(choices))
    if out.suffix != ".json":
        raise UsageError("cli.out_classifier_written_json", out=out)
    if not (classes or web or topic):
        raise UsageError("cli.no_labelled_texts_give")
    more = _texts_of(web or (), topic or (), per_class, seed, folder)
    labelled = training.read(classes or (), _class_names(only), per_class, seed, more)
    for reason, number in labelled.skipped.items():
        note(Message("cli.texts_left_out", texts=number, reason=reason))
    parts = training.split(labelled.pages)
    if len({L for pages in parts.test.values() for page in pages for _, L in page}) == 1:
        note(Message("cli.positions_alike"))
    models = {
        "naive_bayes": {"likelihood": "laplace", "position": "none"},
        "bcw": {"likelihood": likelihood, "position": position},
        "bcw_printed": {"likelihood": "printed", "position": "factor"},
    }
    judged = training.judge(parts, models)
    saved = next(one for one in judged if one.name == "bcw")
    training.write(out, saved, web or ())
    if saved.words < training.FEW_WORDS:
        note(Message("cli.few_words", words=saved.words))
    sizes = [(name, len(parts.train[name]), len(parts.test[name])) for name in saved.model.classes]
    rows = [(f.name, f.model.likelihood, f.model.position, f.accuracy, f.macro_f) for f in judged]
    tables = [
        tabled("Classes (paper 003, Table 2)", ("class", "training set", "test set"), sizes),
        tabled("Classifiers on the test set", ("classifier", "Eq. (8)", "Eq. (9)", "accuracy", "macro-F"), rows),
        tabled("Confusion of bcw", ("class", "correct", "predicted instead"), _confusion(saved)),
    ]
    use = quoted(
        "ontocrawl", "crawl", "run", "--strategy", "bcw_cc", "--param", f"classifier={out}", "--param", "S=CLASS"
    )
    return Answer(_document(sizes, judged, out), tables, [Message("cli.trained", out=out, use=use)])


def _texts_of(
    webs: Sequence[str], names: Sequence[str], per_class: int, seed: int, folder: Path | None
) -> dict[str, list[Segments]]:
    """Return class -> texts of synthetic webs and of topics."""
    from ontocrawl.runs import training
    from ontocrawl.topics import topics

    texts = dict[str, list[training.Segments]]()
    for spec in webs:
        for name, pages in training.of_web(spec, {}, per_class, seed).items():
            texts.setdefault(name, []).extend(pages)
    if names:
        space = workspace(folder)
        for name, pages in training.of_topics([topics.load(one, space) for one in dict.fromkeys(names)]).items():
            texts.setdefault(name, []).extend(pages)
    return texts


def _class_names(only: str | None) -> list[str]:
    """Parse --only; an empty list means all classes. Raises UsageError for a value without a class."""
    if only is None:
        return []
    names = [name.strip() for name in only.split(",") if name.strip()]
    if not names:
        raise UsageError("cli.only_names_no_class", only=only)
    return names


def _confusion(judged: Judged) -> list[tuple[str, int, str]]:
    """Return for each class the number of correct texts, and the classes predicted for the others, most frequent first.

    A full confusion matrix of many classes would be wider than a terminal.
    """
    names = judged.model.classes
    rows = []
    for number, counts in enumerate(judged.confusion.tolist()):
        wrong = sorted((-n, name) for name, n in zip(names, counts, strict=True) if n and name != names[number])
        rows.append((names[number], counts[number], ", ".join(f"{name} {-n}" for n, name in wrong)))
    return rows


def _document(sizes: list[tuple[str, int, int]], judged: list[Judged], out: Path) -> dict[str, Any]:
    return {
        "classes": [{"class": name, "train": train, "test": test} for name, train, test in sizes],
        "words": len(judged[0].model.training.words),
        "classifiers": [
            {
                "name": one.name,
                "likelihood": one.model.likelihood,
                "position": one.model.position,
                "accuracy": one.accuracy,
                "macro_f": one.macro_f,
                "confusion": one.confusion.tolist(),
            }
            for one in judged
        ],
        "saved": "bcw",
        "file": str(out),
    }
