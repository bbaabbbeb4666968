"""Evidence from a language model, on request: places for terms that nothing places, and vetoes against heads.

The model is asked through the port `Chat`; what connects to a server is in `ontocrawl.versions.chat_endpoint`. An
answer that is not in the menu is refused. The menus suggest places to persons too (`best_places`).
"""

from ontology.verification.verified import Verification, best_places, verified
from ontology.verification.verifier import (
    NONE,
    AnswerCache,
    Chat,
    Completion,
    Messages,
    Question,
    Task,
    Verifier,
    VerifyError,
)

__all__ = [
    "NONE", "AnswerCache", "Chat", "Completion", "Messages", "Question", "Task", "Verification", "Verifier",
    "VerifyError", "best_places", "verified",
]  # fmt: skip
