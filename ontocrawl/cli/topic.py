"""`ontocrawl topic`: list, show."""

from __future__ import annotations

from ontocrawl.cli.arguments import TopicSource
from ontocrawl.cli.output import Folder, Json, print_json, stdout, table, workspace


def list_topics(folder: Folder = None, as_json: Json = False) -> None:
    """List the shipped topics and those of the workspace."""
    from ontocrawl.topics import topics

    space = workspace(folder)
    listed = [(topics.load(name, space).file, where) for name, where in topics.available(space).items()]
    if as_json:
        keys = ("name", "label", "source", "ontologies")
        print_json(
            {
                "topics": [
                    {**t.model_dump(mode="json", include=set(keys)), "words": len(t.words), "file": w}
                    for t, w in listed
                ]
            }
        )
        return
    rows = [(t.name, t.label.zh, t.label.en, len(t.words), len(t.ontologies), where) for t, where in listed]
    table("Topics", ("name", "zh", "en", "words", "ontologies", "file"), rows)


def show(
    name: TopicSource,
    folder: Folder = None,
    as_json: Json = False,
) -> None:
    """Show a topic: its words, relevance function and ontologies."""
    from ontocrawl.topics import topics

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
