"""`ontocrawl crawl train`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ontocrawl.cli.output import Json, note, print_json, table
from ontocrawl.errors import UsageError

if TYPE_CHECKING:
    from ontocrawl.training import Judged

Classes = Annotated[
    list[Path],
    typer.Option(
        "--classes", help="A folder with a folder for each class, or a table (.tsv, .csv, .jsonl). May repeat."
    ),
]
Only = Annotated[str | None, typer.Option(help="The classes to take, between commas; by default all.")]
PerClass = Annotated[int, typer.Option(min=0, help="So many texts of each class, drawn at random; 0 is all.")]
Seed = Annotated[int, typer.Option(min=0, help="Seed of what is drawn and held out.")]


def train(
    classes: Classes,
    out: Annotated[Path, typer.Option(help="Where the classifier is written.")] = Path("classifier.json"),
    only: Only = None,
    per_class: PerClass = 0,
    seed: Seed = 0,
    likelihood: Annotated[str, typer.Option(help="Eq. (8): tf_idf, laplace, printed (trap T13).")] = "tf_idf",
    position: Annotated[str, typer.Option(help="Eq. (9): exponent, factor, none (trap T12).")] = "exponent",
    as_json: Json = False,
) -> None:
    """Train the Bayesian classifier of paper 003 on labelled pages, and judge it on a held-out fifth.

    Beside it stand plain naive Bayes and the classifier as it is printed. The file is for `crawl run --strategy bcw_cc
    --param classifier=FILE --param S=CLASS`.
    """
    from crawler.scoring.bayes import LIKELIHOODS, POSITIONS
    from ontocrawl import classifier, training

    for name, value, choices in (("likelihood", likelihood, LIKELIHOODS), ("position", position, POSITIONS)):
        if value not in choices:
            raise UsageError(f"--{name} {value!r}: choose one of {', '.join(choices)}")
    if out.suffix != ".json":
        raise UsageError(f"--out {out}: a classifier is written as JSON, to a file *.json")
    labelled = training.read(classes, _class_names(only), per_class, seed)
    for reason, number in labelled.skipped.items():
        note(f"left out: {number} texts: {reason}")
    parts = training.split(labelled.pages)
    if len({L for pages in parts.test.values() for page in pages for _, L in page}) == 1:
        note("all words stand in places of one weight, so places decide nothing here (Eq. 9)")
    models = {
        "naive_bayes": {"likelihood": "laplace", "position": "none"},
        "bcw": {"likelihood": likelihood, "position": position},
        "bcw_printed": {"likelihood": "printed", "position": "factor"},
    }
    judged = training.judge(parts, models)
    saved = next(found for found in judged if found.name == "bcw")
    classifier.write(out, saved.model)
    sizes = [(name, len(parts.train[name]), len(parts.test[name])) for name in saved.model.classes]
    if as_json:
        print_json(_document(sizes, judged, out))
        return
    table("Classes (paper 003, Table 2)", ("class", "training set", "test set"), sizes)
    rows = [(f.name, f.model.likelihood, f.model.position, f.accuracy, f.macro_f) for f in judged]
    table("Classifiers on the test set", ("classifier", "Eq. (8)", "Eq. (9)", "accuracy", "macro-F"), rows)
    table("Confusion of bcw", ("true", "right", "taken for"), _confusion(saved))
    note(f"written: {out}. Use it: ontocrawl crawl run --strategy bcw_cc --param classifier={out} --param S=CLASS")


def _class_names(only: str | None) -> list[str]:
    """The classes of --only; none for all. Raises UsageError where it is given and names none."""
    if only is None:
        return []
    names = [name.strip() for name in only.split(",") if name.strip()]
    if not names:
        raise UsageError(f"--only {only!r} names no class: give names between commas, or leave it out to take all")
    return names


def _confusion(judged: Judged) -> list[tuple[str, int, str]]:
    """Each class with its texts that were found, and the classes that the others were taken for, most first.

    A matrix of many classes is wider than a terminal, and their names would break.
    """
    names = judged.model.classes
    rows = []
    for at, counts in enumerate(judged.confusion.tolist()):
        wrong = sorted((-n, name) for name, n in zip(names, counts, strict=True) if n and name != names[at])
        rows.append((names[at], counts[at], ", ".join(f"{name} {-n}" for n, name in wrong)))
    return rows


def _document(sizes: list[tuple[str, int, int]], judged: list[Judged], out: Path) -> dict[str, Any]:
    return {
        "classes": [{"class": name, "train": train, "test": test} for name, train, test in sizes],
        "words": len(judged[0].model.training.words),
        "classifiers": [
            {
                "name": found.name,
                "likelihood": found.model.likelihood,
                "position": found.model.position,
                "accuracy": found.accuracy,
                "macro_f": found.macro_f,
                "confusion": found.confusion.tolist(),
            }
            for found in judged
        ],
        "saved": "bcw",
        "file": str(out),
    }
