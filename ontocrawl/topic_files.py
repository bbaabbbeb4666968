"""Write topic files: from words, or for a topic whose ontologies were just learned.

A file that the user has edited is never overwritten. A comment at the top of the file has a digest of its content:
if the two do not match, the file has been edited.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping, Sequence
from hashlib import blake2b
from itertools import chain, count
from pathlib import Path
from typing import Any

import tomli_w

from ontocrawl import topics
from ontocrawl.config import checked
from ontocrawl.errors import Option, UsageError, nearest
from ontocrawl.topic_words import TopicWordFound
from ontocrawl.topics import TopicFile
from ontocrawl.workspace import Workspace
from ontology import corpus, field_lists
from ontology.files import write_atomically
from ontology.model import Document, Ontology

_DIGEST = re.compile(r"^# digest: ([0-9a-f]{16})\n", re.MULTILINE)


def data_of_words(
    name: str, zh: str, en: str, source: str, words: Sequence[TopicWordFound], field: str = ""
) -> dict[str, Any]:
    """Make the data of a topic file from words.

    Args:
        name: name of the topic.
        zh: its Chinese label.
        en: its English label.
        source: where the words come from, as free text.
        words: the words with their weights.
        field: the field of the topic, whose bundled lists are used for it; empty for none.

    Returns:
        Keys and values of the topic file.

    Raises:
        UsageError: they are not a valid topic.
    """
    rows = [{"weight": round(w.weight, 6), "zh": list(w.zh), "en": list(w.en)} for w in words]
    data = {"name": name, "label": {"zh": zh, "en": en}, "source": source, "words": rows}
    if field:
        data["field"] = field
    checked(TopicFile, data, f"topic {name}")
    return data


def texts_of(documents: Sequence[Document]) -> list[str]:
    """Join titles, abstracts and keywords to one text per document."""
    return [" ".join((d.title, d.abstract, *d.keywords, d.title_en, d.abstract_en)) for d in documents]


def read_texts(paths: Sequence[Path]) -> tuple[list[str], int]:
    """Read the texts of literature exports; return them with the number of problems in the files."""
    records = corpus.read(list(paths))
    return texts_of(records.documents), len(records.problems)


def label_of(given: str) -> dict[str, str]:
    """Parse ``zh=..,en=..``; a missing language has the label of the other.

    Raises:
        UsageError: another form, another language, or an empty label.

    >>> label_of("zh=台风,en=typhoon")
    {'zh': '台风', 'en': 'typhoon'}
    >>> label_of("en=typhoon")
    {'zh': 'typhoon', 'en': 'typhoon'}
    """
    labels: dict[str, str] = {}
    for part in re.split(r"[,，](?=\s*\w+\s*=)", given):
        language, equals, label = part.partition("=")
        if not equals or language.strip() not in ("zh", "en") or not label.strip():
            raise UsageError(Option(f"--label {given!r}"), f": expected zh=LABEL,en=LABEL, found {part!r}")
        if language.strip() in labels:
            raise UsageError(Option(f"--label {given!r}"), f": {language.strip()} is given twice")
        labels[language.strip()] = label
    return complete_label(labels)


def complete_label(labels: Mapping[str, str]) -> dict[str, str]:
    """Return the labels of a topic in both languages; a missing one is that of the other.

    Raises:
        UsageError: no label, an empty one, or another language.
    """
    words = {language: " ".join(label.split()) for language, label in labels.items()}
    if not words or not all(words.values()) or not set(words) <= {"zh", "en"}:
        raise UsageError(f'a new topic needs a label such as {{"zh": "台风", "en": "typhoon"}}, not {dict(labels)}')
    default = words.get("zh") or words["en"]
    return {"zh": default, "en": default, **words}


def require_name(name: str) -> None:
    """Raise UsageError for an invalid topic name. Names are used in IRIs and file names."""
    if not re.fullmatch(topics.NAME, name):
        raise UsageError(
            Option(f"--topic {name!r}"),
            ": a topic's name begins with a Latin letter and has letters, digits, - and _ only; put other text into ",
            Option("--label", "label"),
        )


def require_field(name: str) -> str:
    """Return the name of a field that has bundled lists, or "". Raises UsageError for another."""
    if name and name not in field_lists.fields():
        raise UsageError(
            Option(f"--field {name}", f"field {name!r}"),
            f": no lists come with ontocrawl for this field{nearest(name, field_lists.fields())}. Others need none;"
            " lists of your own are given with ",
            Option("--classes", "classes"),
            " and ",
            Option("--lexicon", "lexicons"),
        )
    return name


def unknown(name: str, workspace: Workspace) -> UsageError:
    """Return the error for a topic that does not exist, with the way to create one."""
    return UsageError(
        f"there is no topic {name!r}{nearest(name, topics.available(workspace))}; a new one is made with ",
        Option("--label zh=LABEL,en=LABEL", 'label={"zh": LABEL, "en": LABEL}'),
    )


def learned(topic: TopicFile, ontologies: Sequence[tuple[str, Ontology]], about: str) -> str:
    """Format the file of a topic with learned ontologies in place of its others.

    Args:
        topic: the topic, with words, labels, local topics, relevance function and seeds.
        ontologies: file name and value of each learned ontology, the global one first.
        about: what they were learned from, for the comment at the top.

    Returns:
        TOML with the digest of its content.
    """
    data = topic.model_dump(mode="json", exclude={"ontologies", "versions", "scope", *_empty(topic)})
    if topic.scope.model_fields_set:
        data["scope"] = topic.scope.model_dump(mode="json", exclude_unset=True)
    body = tomli_w.dumps(
        {
            **{key: value for key, value in data.items() if not _is_table(value)},
            "ontologies": [file for file, _ in ontologies],
            "versions": {file: ontology.version for file, ontology in ontologies},
            **{key: value for key, value in data.items() if _is_table(value)},
        }
    )
    head = (
        f"# Written by `ontocrawl ontology build` from {about}. Change what you like: the next build\n"
        f"# leaves a changed file alone and writes {topic.name}.learned.toml beside it.\n"
    )
    return f"{head}# digest: {_digest(head + body)}\n{body}"


def _empty(topic: TopicFile) -> set[str]:
    """Return the optional keys with default values, which are not written."""
    optional = ("field", "background", "local", "intent")
    return {key for key in optional if getattr(topic, key) == TopicFile.model_fields[key].default}


def _is_table(value: Any) -> bool:
    return isinstance(value, dict) or (isinstance(value, list) and bool(value) and isinstance(value[0], dict))


def _digest(body: str) -> str:
    return blake2b(body.encode(), digest_size=8).hexdigest()


def is_edited(path: Path) -> bool:
    """Return whether a topic file was edited, or written by other means than a command."""
    text = path.read_text(encoding="utf-8", errors="replace")
    match = _DIGEST.search(text)
    return match is None or _digest(text[: match.start()] + text[match.end() :]) != match.group(1)


def write(text: str, path: Path) -> tuple[Path, list[str]]:
    """Write a topic file; if the user has edited it, write NAME.learned.toml beside it.

    Args:
        text: the result of `learned`.
        path: the standard path, NAME.toml.

    Returns:
        The file that was written, and its unified diff from the edited one, in lines; empty if there is none.
    """
    alternatives = (path.with_name(f"{path.stem}.learned{f'-{n}' if n > 1 else ''}.toml") for n in count(1))
    free = next(place for place in chain([path], alternatives) if not place.exists() or not is_edited(place))
    write_atomically(free, text.encode())
    if free == path:
        return path, []
    before, after = (_without_comments(t) for t in (path.read_text(encoding="utf-8", errors="replace"), text))
    difference = list(difflib.unified_diff(before, after, path.name, free.name, lineterm="", n=1))
    return free, difference or ["(they differ in comments only)"]


def _without_comments(text: str) -> list[str]:
    return [line for line in text.splitlines() if not line.startswith("#")]
