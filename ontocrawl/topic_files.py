"""Topic files that commands write: from words, or from a topic whose ontologies were just learned.

A file that a person edited is never overwritten. The first lines of a written file are comments, one of them with a
digest of what follows; where the digest does not fit, somebody changed the file.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence
from hashlib import blake2b
from itertools import chain, count
from pathlib import Path
from typing import Any

import tomli_w

from ontocrawl import topics
from ontocrawl.config import checked
from ontocrawl.errors import UsageError, nearest
from ontocrawl.topic_words import TopicWordFound
from ontocrawl.topics import TopicFile
from ontocrawl.workspace import Workspace
from ontology import corpus
from ontology.files import write_atomically
from ontology.model import Document, Ontology

_DIGEST = re.compile(r"^# digest: ([0-9a-f]{16})\n", re.MULTILINE)


def data_of_words(name: str, zh: str, en: str, source: str, found: Sequence[TopicWordFound]) -> dict[str, Any]:
    """A topic of found words as its file has it, checked. Raises UsageError for what can be no topic."""
    words = [{"weight": round(w.weight, 6), "zh": list(w.zh), "en": list(w.en)} for w in found]
    data = {"name": name, "label": {"zh": zh, "en": en}, "source": source, "words": words}
    checked(TopicFile, data, f"topic {name}")
    return data


def texts_of(documents: Sequence[Document]) -> list[str]:
    """Titles, abstracts and keywords of documents, one text a document."""
    return [" ".join((d.title, d.abstract, *d.keywords, d.title_en, d.abstract_en)) for d in documents]


def read_texts(paths: Sequence[Path]) -> tuple[list[str], int]:
    """The texts of literature exports, and the number of problems in them."""
    read = corpus.read(list(paths))
    return texts_of(read.documents), len(read.problems)


def label_of(given: str) -> dict[str, str]:
    """Read ``zh=..,en=..``; one language may be left out, and then has the label of the other.

    Raises:
        UsageError: another form, another language, or an empty label.
    """
    found = {}
    for part in re.split(r"[,，](?=\s*\w+\s*=)", given):
        language, equals, label = part.partition("=")
        if not equals or language.strip() not in ("zh", "en") or not label.strip():
            raise UsageError(f"--label {given!r}: expected zh=LABEL,en=LABEL, found {part!r}")
        if language.strip() in found:
            raise UsageError(f"--label {given!r}: {language.strip()} is given twice")
        found[language.strip()] = " ".join(label.split())
    some = found.get("zh") or found["en"]
    return {"zh": some, "en": some, **found}


def require_name(name: str) -> None:
    """Raise UsageError for what can be no name of a topic: names stand in IRIs and file names."""
    if not re.fullmatch(topics.NAME, name):
        raise UsageError(
            f"--topic {name!r}: the name of a topic begins with a Latin letter and has letters, digits, - and _ only; "
            "put other words into --label"
        )


def unknown(name: str, workspace: Workspace) -> UsageError:
    """The error of a topic that there is not; it says how one is made."""
    return UsageError(
        f"there is no topic {name!r}{nearest(name, topics.available(workspace))}; a new one is made with "
        "--label zh=LABEL,en=LABEL"
    )


def learned(topic: TopicFile, found: Sequence[tuple[str, Ontology]], about: str) -> str:
    """The text of the file of a topic that takes over all of a topic but its ontologies.

    Args:
        topic: words, labels, local topics, judge and seeds.
        found: file name and value of each ontology that was learned, the global one first.
        about: what they were learned from, for the comment at the top.

    Returns:
        A TOML text with its digest.
    """
    data = topic.model_dump(mode="json", exclude={"ontologies", "versions", *_empty(topic)})
    body = tomli_w.dumps(
        {
            **{key: value for key, value in data.items() if not _is_table(value)},
            "ontologies": [file for file, _ in found],
            "versions": {file: ontology.version for file, ontology in found},
            **{key: value for key, value in data.items() if _is_table(value)},
        }
    )
    head = (
        f"# Written by `ontocrawl ontology build` from {about}. Change what you like: the next build\n"
        f"# leaves a changed file alone and writes {topic.name}.learned.toml beside it.\n"
    )
    return f"{head}# digest: {_digest(head + body)}\n{body}"


def _empty(topic: TopicFile) -> set[str]:
    """Keys that say nothing; what a person may want to fill in stays."""
    return {
        key for key in ("background", "local", "intent") if getattr(topic, key) == TopicFile.model_fields[key].default
    }


def _is_table(value: Any) -> bool:
    return isinstance(value, dict) or (isinstance(value, list) and bool(value) and isinstance(value[0], dict))


def _digest(body: str) -> str:
    return blake2b(body.encode(), digest_size=8).hexdigest()


def is_edited(path: Path) -> bool:
    """Whether a topic file is not as a command wrote it."""
    text = path.read_text(encoding="utf-8", errors="replace")
    found = _DIGEST.search(text)
    return found is None or _digest(text[: found.start()] + text[found.end() :]) != found.group(1)


def write(text: str, path: Path) -> tuple[Path, list[str]]:
    """Write a topic file, beside edited ones if there are any.

    Args:
        text: what `learned` returned.
        path: where the topic belongs, NAME.toml.

    Returns:
        The file that was written; and how it differs from the edited one, as lines of a unified diff, empty where none
        stood there.
    """
    also = (path.with_name(f"{path.stem}.learned{f'-{n}' if n > 1 else ''}.toml") for n in count(1))
    free = next(place for place in chain([path], also) if not place.exists() or not is_edited(place))
    write_atomically(free, text.encode())
    if free == path:
        return path, []
    before, after = (_without_comments(t) for t in (path.read_text(encoding="utf-8", errors="replace"), text))
    difference = list(difflib.unified_diff(before, after, path.name, free.name, lineterm="", n=1))
    return free, difference or ["(they differ in comments only)"]


def _without_comments(text: str) -> list[str]:
    return [line for line in text.splitlines() if not line.startswith("#")]
