"""`ontocrawl topic`: list, show."""

from __future__ import annotations

from typing import Annotated

import typer

from ontocrawl.cli.output import Folder, Json, print_json, stdout, table, workspace


def list_topics(folder: Folder = None, as_json: Json = False) -> None:
    """The topics that ship and those of the workspace."""
    from ontocrawl import topics

    space = workspace(folder)
    found = [(topics.load(name, space).file, where) for name, where in topics.available(space).items()]
    if as_json:
        keys = ("name", "label", "source", "ontologies")
        print_json(
            {
                "topics": [
                    {**t.model_dump(mode="json", include=set(keys)), "words": len(t.words), "file": w} for t, w in found
                ]
            }
        )
        return
    rows = [(t.name, t.label.zh, t.label.en, len(t.words), len(t.ontologies), where) for t, where in found]
    table("Topics", ("name", "zh", "en", "words", "ontologies", "file"), rows)


def show(
    name: Annotated[str, typer.Argument(metavar="TOPIC", help="Name, or path of a TOML file.")],
    folder: Folder = None,
    as_json: Json = False,
) -> None:
    """One topic: its words, how relevance is judged, its ontologies."""
    from ontocrawl import topics

    topic = topics.load(name, workspace(folder)).file
    if as_json:
        print_json(topic.model_dump(mode="json"))
        return
    sign = ">" if topic.strict else ">="
    stdout.print(f"{topic.name}: {topic.label.zh} / {topic.label.en}   {topic.source}", markup=False)
    stdout.print(
        f"relevant: R {sign} {topic.sigma} by {topic.relevance}; ontologies: {', '.join(topic.ontologies) or 'none'}",
        markup=False,
    )
    table("Words", ("weight", "zh", "en"), [(w.weight, ", ".join(w.zh), ", ".join(w.en)) for w in topic.words])
