"""Asks a language model questions with menus: in batches, with a cache and a limit of tokens."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from ontology.errors import OntocrawlError, Option
from ontology.verification.answer_cache import AnswerCache
from ontology.verification.answers import Answers, read
from ontology.verification.prompts import Messages, Question, Task, estimate, messages, schema, tokens

BATCH = 10
"""Questions of one request; fewer after an answer that was cut off."""
TRIES = 2
"""Times that a question without an answer is asked."""
TOKEN_LIMIT = 200_000


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
    token_limit: int = TOKEN_LIMIT
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
        needed = sum(estimate(task, batch) for task, batch in batches)
        asked = sum(len(batch) for _, batch in batches)
        cached = sum(len(questions) for _, questions in sheets) - asked
        self.announce(
            f"{self.chat.model} at {self.chat.place}: {asked} questions in {len(batches)} requests, about {needed:,} "
            f"tokens; {cached} answers are known from earlier runs"
        )
        if needed > self.token_limit:
            raise VerifyError(
                f"the questions to {self.chat.model} take about {needed:,} tokens, and the limit is "
                f"{self.token_limit:,}: raise it with ", Option("--verify-tokens N"), ", or lower the number of terms "
                "with ", Option("--max-terms"),
            )  # fmt: skip

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
        while queue and self.figures.tokens + estimate(task, queue[0]) <= self.token_limit:
            batch = queue.pop(0)
            completion = self._complete(task, batch, seed=tries[batch[0]])
            known |= self._kept(task, batch, read(completion.text, task, batch))
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
        return VerifyError(
            f"the answers of {self.chat.model} are cut off even where it is asked for one word: if it thinks before it "
            "answers, turn that off at the server, or choose another model with ", Option("--verify-model"),
        )  # fmt: skip

    def _known(self, task: Task, questions: Sequence[Question]) -> dict[Question, str]:
        """Return the answers of earlier runs; one that the menu does not have any more counts as refused."""
        cached = {q: self.cache.get(self.chat.model, task, q) for q in questions}
        return {q: a if a in task.allows(q) else "" for q, a in cached.items() if a is not None}

    def _open(self, task: Task, questions: Sequence[Question]) -> list[Question]:
        """Return the questions without an answer of an earlier run, each once."""
        return [q for q in dict.fromkeys(questions) if self.cache.get(self.chat.model, task, q) is None]

    def _complete(self, task: Task, batch: Sequence[Question], *, seed: int) -> Completion:
        completion = self.chat.complete(messages(task, batch), schema(task, batch), seed=seed)
        self.figures.requests += 1
        used = completion.tokens
        if used is None:
            used = sum(tokens(m["content"]) for m in messages(task, batch)) + tokens(completion.text)
        self.figures.tokens += used
        return completion

    def _kept(self, task: Task, batch: Sequence[Question], answers: Answers) -> dict[Question, str]:
        """Add answers to the cache, and return them; a refused answer is "" in both."""
        found = dict.fromkeys(answers.refused, "") | dict(answers.valid)
        known = {batch[index]: answer for index, answer in sorted(found.items())}
        self.cache.add(self.chat.model, task, known)
        self.figures.refused += len(answers.refused)
        self._answered = self._answered or bool(known)
        return known


def _batches(questions: Sequence[Question], size: int) -> list[list[Question]]:
    return [list(questions[i : i + size]) for i in range(0, len(questions), size)]
