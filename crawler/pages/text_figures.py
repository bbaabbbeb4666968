"""The figures of a page's text that some relevance functions read besides its counts of topic words."""

from __future__ import annotations

from crawler.model import TextFigures
from crawler.pages.page import PageRecord
from crawler.pages.words import WordTotals, first_words, word_totals
from crawler.scoring.logistic_relevance import LEAD
from crawler.scoring.relevance import Relevance, reads_text
from crawler.scoring.statistics import Statistics
from crawler.text import Matcher, Vocabulary


def text_figures(matcher: Matcher, vocabulary: str, totals: WordTotals | None, title: str, text: str) -> TextFigures:
    """Count the words at the beginning of a page's main text.

    Args:
        matcher: counter of the words of all vocabularies.
        vocabulary: name of the vocabulary whose words are counted.
        totals: number of words of the page; None where they were not counted, as in journals of other runs: those of
            the title and of the main text are used.
        title: title of the page.
        text: its main text; empty for a page that asks robots not to use it.
    """
    lead, lead_words = first_words(text, LEAD)
    totals = totals or word_totals((title, text))
    return TextFigures(totals.words, totals.distinct, lead_words, matcher.count(lead)[vocabulary])


def page_relevance(
    function: Relevance, vocabulary: Vocabulary, record: PageRecord, statistics: Statistics, matcher: Matcher
) -> float:
    """Compute R of a page, with the figures of its text where the function reads them.

    Args:
        function: the relevance function.
        vocabulary: the topic vector, one of the matcher's.
        record: the page.
        statistics: document frequencies, those of the page included.
        matcher: counter of the words of all vocabularies.
    """
    name, figures = vocabulary.name, None
    if reads_text(function):
        figures = text_figures(matcher, name, record.words, record.page.title, record.page.text)
    return function.page(record.counts[name], vocabulary.weights, statistics, name, record.length, figures)
