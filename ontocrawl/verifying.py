"""`ontology build --verify-with`: the options of a language model that judges what nothing else places."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from ontocrawl.chat_endpoint import KEY, ChatEndpoint
from ontology.verification import AnswerCache, Verifier

ANSWERS = "verified.jsonl"
"""File in the output folder with the model's answers, so that no question is asked twice."""


@dataclass(frozen=True)
class VerifyOptions:
    """A language model to ask, and how much.

    Attributes:
        base_url: base URL of the server's chat interface.
        model: name of the model.
        token_limit: largest number of tokens of all requests with their answers.
        announce: called with messages to the user.
    """

    base_url: str
    model: str
    token_limit: int
    announce: Callable[[str], None]

    def verifier(self, out: Path, on_stage: Callable[[str], None]) -> Verifier:
        """Make the verifier of a build.

        Args:
            out: output folder of the build.
            on_stage: called with the progress.

        Returns:
            The verifier; it has asked nothing.

        Raises:
            UsageError: a base URL of another form.
        """
        chat = ChatEndpoint(self.base_url, self.model, os.environ.get(KEY, "").strip())
        if not chat.local:
            self.announce(
                f"terms and classes of the corpus are sent to {chat.place}; no sentences, titles or abstracts"
            )
            if chat.key and not chat.encrypted:
                self.announce(f"the key is sent to {chat.place} without encryption: use https")
        cache = AnswerCache(out / ANSWERS)
        return Verifier(chat, cache, self.token_limit, announce=self.announce, progress=on_stage)
