"""English terms that sentences show to be fragments."""

from __future__ import annotations

import pytest

from ontology.enrichment.filters_en import why_no_term_in


@pytest.mark.parametrize("sentence", ["Hurricane-force winds hit the coast.", "It brought gale-force winds."])
def test_what_a_hyphen_joins_to_a_word_is_a_fragment(sentence: str) -> None:
    assert why_no_term_in(sentence, ("force wind",)) == "fragment: a hyphen joins force wind to a word"


def test_a_whole_term_with_a_hyphen_is_none() -> None:
    assert why_no_term_in("It brought gale-force winds to the coast.", ("gale-force wind",)) == ""
    assert why_no_term_in("A storm surge hit the coast behind the flood-prone dunes.", ("storm surge",)) == ""
