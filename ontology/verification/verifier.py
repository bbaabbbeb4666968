"""Asks a language model questions with menus: in batches, with a cache and a limit of tokens."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import Any, Protocol

from ontology.errors import OntocrawlError
from ontology.terms.wordforms import fold, has_han

# ---- the prompts of questions with a menu, the JSON schema of their answers, and an estimate of their tokens


_ANSWER_TOKENS = 24
"""Tokens of one answer: its number, a label, and the JSON around them."""
_YES_NO = ("yes", "no")

Messages = tuple[Mapping[str, str], ...]
"""Messages of a chat, each with ``role`` and ``content``."""


@dataclass(frozen=True, slots=True)
class Question:
    """One question of a request.

    Attributes:
        text: the term, or the two terms, that it is about.
        choices: answers that it allows beside those of the task.
        excluded: answers of the task that it does not allow.
    """

    text: str
    choices: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Task:
    """What all questions of a kind share.

    Attributes:
        instructions: what to do, as the message of the system.
        choices: the answers that all questions allow, but for those that one excludes.
    """

    instructions: str
    choices: tuple[str, ...]

    def allows(self, question: Question) -> tuple[str, ...]:
        """Return the answers that a question allows."""
        return tuple(c for c in (*question.choices, *self.choices) if c not in question.excluded)


def placing(field: str, classes: Sequence[str], none: str) -> Task:
    """Make the task of choosing the class directly above a term.

    Args:
        field: label of the field that the terms are from.
        classes: the classes that every term may be placed under.
        none: the answer for a term without a class in the menu.

    Returns:
        The task.
    """
    return Task(
        f"You place terms of the field {field} in a hierarchy of classes. For each numbered term X choose the class Y, "
        "from the list of classes or from the term's own list, for which 'every X is a Y' is true. Prefer the most "
        "specific such class. A cause, an effect, a part, a property, a place or a topic of X is not a class "
        f'of X. If no class of the lists fits, answer "{none}": no class is better than a doubtful one. Copy the class '
        'as it is written. Answer with JSON only: {"answers": [{"number": 1, "answer": "class"}]}',
        (*classes, none),
    )


def confirming(field: str) -> Task:
    """Make the task of deciding whether every X is a Y. Its answers are "yes" and "no"."""
    return Task(
        f"You check a hierarchy of classes of the field {field}. For each numbered pair decide whether 'every X is a "
        "Y' is true, read strictly. "
        'Answer "no" if X only contains the word Y, causes Y, has Y or is about Y; in doubt '
        'answer "yes". Answer with JSON only: {"answers": [{"number": 1, "answer": "yes"}]}',
        _YES_NO,
    )


def _messages(task: Task, questions: Sequence[Question]) -> Messages:
    """Return the messages that ask some questions, which are numbered from 1."""
    lines = [] if task.choices == _YES_NO else [f"Classes: {'; '.join(task.choices)}"]
    for number, question in enumerate(questions, 1):
        own = f" (own list: {'; '.join(question.choices)})" if question.choices else ""
        lines.append(f"{number}. {question.text}{own}")
    return ({"role": "system", "content": task.instructions}, {"role": "user", "content": "\n".join(lines)})


def _schema(task: Task, questions: Sequence[Question]) -> dict[str, Any]:
    """Return the JSON schema of the answers.

    An answer is any choice of any of the questions: one list for all keeps the schema within the limits of servers.
    Whether a question allows its answer is checked afterwards.
    """
    choices = dict.fromkeys((*task.choices, *(c for q in questions for c in q.choices)))
    item = {
        "type": "object",
        "properties": {"number": {"type": "integer"}, "answer": {"type": "string", "enum": list(choices)}},
        "required": ["number", "answer"],
        "additionalProperties": False,
    }
    return {
        "type": "object",
        "properties": {"answers": {"type": "array", "items": item}},
        "required": ["answers"],
        "additionalProperties": False,
    }


def _estimate(task: Task, questions: Sequence[Question]) -> int:
    """Estimate the tokens of a request with its answer."""
    return sum(8 + _tokens(m["content"]) for m in _messages(task, questions)) + _ANSWER_TOKENS * len(questions)


def _tokens(text: str) -> int:
    """Estimate the tokens of a text: one for each Han character, one for four others.

    >>> _tokens("暴雨"), _tokens("flash flood")
    (2, 3)
    """
    han = sum(map(has_han, text))
    return han + (len(text) - han + 3) // 4


# ---- the answers of earlier runs, in a file of JSON lines: one answer a line, appended as soon as it is known


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
    asked = (model, _messages(task, (question,)), _schema(task, (question,)))
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


# ---- asks a language model questions with menus: in batches, with a cache and a limit of tokens


BATCH = 10
"""Questions of one request; fewer after an answer that was cut off."""
TRIES = 2
"""Times that a question without an answer is asked."""
_TOKEN_LIMIT = 200_000


class VerifyError(OntocrawlError, RuntimeError):
    """Questions that cannot be asked within the limits, or a model whose answers are always cut off."""


@dataclass(frozen=True, slots=True)
class Completion:
    """A model's text, whether it was cut off, and the tokens that the server counted (None if it did not)."""

    text: str
    cut_off: bool = False
    tokens: int | None = None


class Chat(Protocol):
    """A language model on a server."""

    @property
    def model(self) -> str:
        """Name of the model."""

    @property
    def place(self) -> str:
        """Where it runs, for messages to the user."""

    def complete(self, messages: Messages, schema: Mapping[str, Any], *, seed: int) -> Completion:
        """Complete a chat with an object of a JSON schema."""


@dataclass
class Figures:
    """Counts of a verifier: questions, by outcome, and requests with their tokens."""

    questions: int = 0
    cached: int = 0
    refused: int = 0
    """Answers that the menu does not have."""
    unanswered: int = 0
    """Questions whose answers were no JSON, or that the limit of tokens left unasked."""
    requests: int = 0
    tokens: int = 0


def _silent(text: str) -> None:
    """Ignore a message."""


@dataclass(eq=False)
class Verifier:
    """Asks a language model.

    Args:
        chat: the model.
        cache: answers of earlier runs; new ones are added to it after each request.
        token_limit: largest number of tokens of all requests with their answers.
        announce: called with the estimate before the first request.
        progress: called with the state after each request.
    """

    chat: Chat
    cache: AnswerCache = field(default_factory=AnswerCache)
    token_limit: int = _TOKEN_LIMIT
    announce: Callable[[str], None] = _silent
    progress: Callable[[str], None] = _silent
    figures: Figures = field(default_factory=Figures)
    _answered: bool = False
    _batch: int = BATCH

    def prepare(self, sheets: Sequence[tuple[Task, Sequence[Question]]]) -> None:
        """Estimate the tokens of questions, announce them, and begin to count.

        Raises:
            VerifyError: they exceed the limit of tokens; nothing was asked.
        """
        self.figures = Figures()
        open_sheets = [(task, self._open(task, questions)) for task, questions in sheets]
        batches = [(task, batch) for task, questions in open_sheets for batch in _batches(questions, self._batch)]
        needed = sum(_estimate(task, batch) for task, batch in batches)
        asked = sum(len(batch) for _, batch in batches)
        cached = sum(len(questions) for _, questions in sheets) - asked
        self.announce(
            f"{self.chat.model} at {self.chat.place}: {asked} questions in {len(batches)} requests, about {needed:,} "
            f"tokens; {cached} answers are known from earlier runs"
        )
        if needed > self.token_limit:
            raise VerifyError(
                "verification.questions_take_about_tokens",
                model=self.chat.model,
                needed=needed,
                token_limit=self.token_limit,
            )

    def ask(self, task: Task, questions: Sequence[Question]) -> tuple[str, ...]:
        """Ask questions of one kind.

        Args:
            task: what they share.
            questions: the questions.

        Returns:
            The answer to each question; "" if it was refused, or if there is none.

        Raises:
            VerifyError: the answers are cut off even where there is one question.
        """
        known = self._known(task, questions)
        self.figures.questions += len(questions)
        self.figures.cached += sum(q in known for q in questions)
        queue = _batches(self._open(task, questions), self._batch)
        tries: Counter[Question] = Counter()
        while queue and self.figures.tokens + _estimate(task, queue[0]) <= self.token_limit:
            batch = queue.pop(0)
            completion = self._complete(task, batch, seed=tries[batch[0]])
            known |= self._kept(task, batch, _read_answer(completion.text, task, batch))
            left = [q for q in batch if q not in known]
            if left and completion.cut_off and len(batch) > 1:
                self._batch = max(1, min(self._batch, len(batch) // 2))
                queue = _batches([*left, *(q for other in queue for q in other)], self._batch)
                continue
            if left and completion.cut_off and not self._answered:
                raise self._never_whole()
            tries.update(left)
            again = [q for q in left if tries[q] < TRIES]
            queue = [*([again] if again else []), *queue]
            self.progress(f"{self.chat.model}: {len(known)} of {len(questions)} questions answered")
        self.figures.unanswered += sum(q not in known for q in questions)
        return tuple(known.get(q, "") for q in questions)

    def _never_whole(self) -> VerifyError:
        return VerifyError("verification.answers_cut_off_even", model=self.chat.model)

    def _known(self, task: Task, questions: Sequence[Question]) -> dict[Question, str]:
        """Return the answers of earlier runs; one that the menu does not have any more counts as refused."""
        cached = {q: self.cache.get(self.chat.model, task, q) for q in questions}
        return {q: a if a in task.allows(q) else "" for q, a in cached.items() if a is not None}

    def _open(self, task: Task, questions: Sequence[Question]) -> list[Question]:
        """Return the questions without an answer of an earlier run, each once."""
        return [q for q in dict.fromkeys(questions) if self.cache.get(self.chat.model, task, q) is None]

    def _complete(self, task: Task, batch: Sequence[Question], *, seed: int) -> Completion:
        completion = self.chat.complete(_messages(task, batch), _schema(task, batch), seed=seed)
        self.figures.requests += 1
        used = completion.tokens
        if used is None:
            used = sum(_tokens(m["content"]) for m in _messages(task, batch)) + _tokens(completion.text)
        self.figures.tokens += used
        return completion

    def _kept(self, task: Task, batch: Sequence[Question], answers: _Answers) -> dict[Question, str]:
        """Add answers to the cache, and return them; a refused answer is "" in both."""
        found = dict.fromkeys(answers.refused, "") | dict(answers.valid)
        known = {batch[index]: answer for index, answer in sorted(found.items())}
        self.cache.add(self.chat.model, task, known)
        self.figures.refused += len(answers.refused)
        self._answered = self._answered or bool(known)
        return known


def _batches(questions: Sequence[Question], size: int) -> list[list[Question]]:
    return [list(questions[i : i + size]) for i in range(0, len(questions), size)]


# ---- answers of a language model, read from its text and checked against the menus


NONE = "none"
"""The answer that no class of the menu fits."""


@dataclass(frozen=True, slots=True)
class _Answers:
    """The answers in a text.

    Attributes:
        valid: index of the question -> the answer, as the menu spells it.
        refused: indexes of the questions whose answer the menu does not have.
    """

    valid: Mapping[int, str]
    refused: frozenset[int]


def _read_answer(text: str, task: Task, questions: Sequence[Question]) -> _Answers:
    """Read the answers to some questions.

    Text around the JSON is skipped, and letters' case and width do not matter. An answer to no question is ignored; of
    two answers to one question the first counts.

    Args:
        text: what the model wrote.
        task: the task of the questions.
        questions: the questions, in the order of their numbers.

    Returns:
        The valid answers, and the refused ones. Questions in neither have no answer.

    >>> task = Task("", ("flood", "none"))
    >>> text = 'Here: {"answers": [{"number": 1, "answer": "Flood"}, {"number": 2, "answer": "dog"}]}'
    >>> _read_answer(text, task, [Question("flash flood"), Question("puppy"), Question("x")])
    _Answers(valid={0: 'flood'}, refused=frozenset({1}))
    """
    valid: dict[int, str] = {}
    refused: set[int] = set()
    for number, answer in _pairs(text):
        index = number - 1
        if not 0 <= index < len(questions) or index in valid or index in refused:
            continue
        menu = {fold(choice): choice for choice in reversed(task.allows(questions[index]))}
        if fold(answer) in menu:
            valid[index] = menu[fold(answer)]
        else:
            refused.add(index)
    return _Answers(valid, frozenset(refused))


def _pairs(text: str) -> Iterator[tuple[int, str]]:
    """Yield number and answer of each entry of the last JSON object in a text that has answers."""
    entries = next((found["answers"] for found in reversed(list(_objects(text))) if _has_answers(found)), ())
    for entry in entries:
        number, answer = (entry.get("number"), entry.get("answer")) if isinstance(entry, dict) else (None, None)
        if isinstance(number, str) and number.isascii() and number.isdigit():
            number = int(number[:9])
        if isinstance(number, int) and isinstance(answer, str):
            yield number, answer.strip()


def _has_answers(found: Any) -> bool:
    return isinstance(found, dict) and isinstance(found.get("answers"), list)


def _objects(text: str) -> Iterator[Any]:
    """Yield the JSON objects in a text; those within another are not yielded."""
    decoder = json.JSONDecoder()
    start = text.find("{")
    while start >= 0:
        try:
            found, end = decoder.raw_decode(text, start)
        except (json.JSONDecodeError, RecursionError):
            end = start + 1
        else:
            yield found
        start = text.find("{", end)
