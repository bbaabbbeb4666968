"""The errors that the Python interface raises, in one place to catch them from.

All derive from OntocrawlError, here and in the other modules of ontocrawl. Their messages say what is wrong, where, and
what to do. They keep their names and bases from release to release.
"""

from crawler.crawl_options import SetupError
from crawler.journal import JournalError
from crawler.scoring.relevance import RelevanceError
from crawler.seeds import SeedError
from crawler.strategies import StrategyError, UnknownStrategyError
from crawler.worlds import ArchiveError, WorldError
from kg.enrich import ProposalError
from kg.interruption import StatementTimeout
from kg.sparql import SparqlError
from kg.store import StoreError
from ontocrawl.errors import (
    ChatError,
    CommandError,
    GraphNotWritten,
    NotInGraphError,
    OntocrawlError,
    ResumableStop,
    UsageError,
    WrongTypeError,
)
from ontocrawl.topics.reviewed import ReviewedError
from ontology.context import ContextError
from ontology.corpus import CorpusError
from ontology.decisions import DecisionError
from ontology.evidence.wordnet import WordnetError
from ontology.extras import MissingExtra
from ontology.learn_options import LearnError
from ontology.terms import TermError
from ontology.verification import VerifyError
from queries import QueryError

__all__ = [
    "ArchiveError", "ChatError", "CommandError", "ContextError", "CorpusError", "DecisionError", "GraphNotWritten",
    "JournalError", "LearnError", "MissingExtra", "NotInGraphError", "OntocrawlError", "ProposalError",
    "QueryError", "RelevanceError", "ResumableStop", "ReviewedError", "SeedError", "SetupError", "SparqlError",
    "StatementTimeout", "StoreError", "StrategyError", "TermError", "UnknownStrategyError", "UsageError",
    "VerifyError", "WordnetError", "WorldError", "WrongTypeError",
]  # fmt: skip
