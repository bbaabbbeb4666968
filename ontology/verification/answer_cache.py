"""The answers of earlier runs, in a file of JSON lines: one answer a line, appended as soon as it is known."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from hashlib import blake2b
from pathlib import Path

from ontology.verification.prompts import Question, Task, messages, schema


class AnswerCache:
    """Answers by model, prompt and schema.

    The file has questions and answers, and no key of a server. A line that is cut off or of another form is
    skipped, so that the answers of an interrupted run are used by the next one.

    Args:
        path: the file; it need not exist. None keeps the answers in memory only.
    """

    def __init__(self, path: Path | None = None) -> None:
        self.path = path
        self._answers = {} if path is None else _read(path)

    def get(self, model: str, task: Task, question: Question) -> str | None:
        """Return the answer to a question; "" if the model's answer was refused, None if it was not asked."""
        return self._answers.get(_key(model, task, question))

    def add(self, model: str, task: Task, answers: Mapping[Question, str]) -> None:
        """Add answers, and write them to the file.

        Args:
            model: name of the model.
            task: the task of the questions.
            answers: question -> answer.
        """
        lines = []
        for question, answer in answers.items():
            key = _key(model, task, question)
            self._answers[key] = answer
            row = {"key": key, "model": model, "question": question.text, "answer": answer}
            lines.append(json.dumps(row, ensure_ascii=False) + "\n")
        if self.path is not None and lines:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self.path.open("ab+") as file:
                end = file.seek(0, os.SEEK_END)
                file.seek(max(end - 1, 0))
                whole = file.read(1) in (b"", b"\n")  # a run that was killed may have left half a line
                file.write(("" if whole else "\n").encode() + "".join(lines).encode())


def _key(model: str, task: Task, question: Question) -> str:
    """Return the digest of the request that asks this question alone: its answer does not depend on the batch."""
    asked = (model, messages(task, (question,)), schema(task, (question,)))
    return blake2b(json.dumps(asked, ensure_ascii=False).encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()


def _read(path: Path) -> dict[str, str]:
    answers = {}
    for line in path.read_text(encoding="utf-8", errors="replace").split("\n") if path.exists() else ():
        try:
            row = json.loads(line)
        except json.JSONDecodeError:
            continue
        if isinstance(row, dict) and isinstance(row.get("key"), str) and isinstance(row.get("answer"), str):
            answers[row["key"]] = row["answer"]
    return answers
