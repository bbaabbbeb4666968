"""English terms that sentences show to be fragments."""

from __future__ import annotations

import pytest

from ontology.enrichment.filters import _why_no_english_term


@pytest.mark.parametrize("sentence", ["Hurricane-force winds hit the coast.", "It brought gale-force winds."])
def test_what_a_hyphen_joins_to_a_word_is_a_fragment(sentence: str) -> None:
    assert _why_no_english_term(sentence, ("force wind",)) == "fragment: a hyphen joins force wind to a word"


def test_a_whole_term_with_a_hyphen_is_none() -> None:
    assert _why_no_english_term("It brought gale-force winds to the coast.", ("gale-force wind",)) == ""
    assert _why_no_english_term("A storm surge hit the coast behind the flood-prone dunes.", ("storm surge",)) == ""
