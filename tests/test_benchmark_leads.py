"""The first paragraphs of saved encyclopaedia pages: prose only, without boxes, captions, lists and notes."""

from __future__ import annotations

from benchmarks.wikipedia_leads import lead

FIRST = """\
   A lantern fish is a small fish of the deep sea that carries organs which
   give light along the lower side of its body. The order of these organs
   differs from one species to the other ( see below)."""
SECOND = """\
   Most lantern fish rise towards the surface at night, where they feed on
   plankton, and sink again before the day breaks over the water [2]."""
FIRST_TEXT = (
    "A lantern fish is a small fish of the deep sea that carries organs which give light along the lower side of its "
    "body. The order of these organs differs from one species to the other (see below)."
)
SECOND_TEXT = (
    "Most lantern fish rise towards the surface at night, where they feed on plankton, and sink again before the day "
    "breaks over the water."
)


def page(*blocks: str) -> str:
    return "\n\n".join(("Lantern fish", *blocks))


def test_paragraphs_become_lines() -> None:
    assert lead(page(FIRST, SECOND)) == f"{FIRST_TEXT}\n{SECOND_TEXT}"
    assert lead(page(FIRST, SECOND), paragraphs=1) == FIRST_TEXT
    assert lead("Lantern fish") == ""


def test_boxes_tables_and_lists_are_left_out() -> None:
    box = (
        "               iLantern fish\n           Scientific classification\n\n   Kingdom:  Animalia\n   Class:    Fish"
    )
    narrow = "   Percentages are relative to US\n   recommendations for adults.\n   They should eat it more\n   often."
    listed = "     * a species of the northern seas\n     * a species of the southern seas, the larger one of the two"
    assert lead(page(box, narrow, listed, FIRST)) == FIRST_TEXT
    tabled = "   Energy of the fish, cooked, for a hundred grammes          120 kilocalories, or 500 kJ."
    assert lead(page(tabled, FIRST)) == FIRST_TEXT


def test_captions_are_left_out_however_they_are_printed() -> None:
    short = "   A lantern fish in an aquarium"
    assert lead(page(f"{short}\n   Enlarge\n{short}\n{FIRST}")) == FIRST_TEXT
    assert lead(page(f"{short}\n{short}\n\n{FIRST}")) == FIRST_TEXT
    long = (
        "   The color of the organs, as a diver sees it who is near the fish while\n"
        "   it feeds at night close to the surface of the sea.\n"
    )
    assert lead(page(f"{long}   Enlarge\n{long.replace('color', 'colour')}", FIRST)) == FIRST_TEXT
    assert lead(page(f"{FIRST}\n{short}\n   Enlarge\n{short}")) == FIRST_TEXT


def test_notes_and_headings_are_no_paragraphs() -> None:
    note = (
        "   For other uses of the word, for those in literature as well as those in\n"
        "   film and in music, see Lantern fish (disambiguation)."
    )
    broken = FIRST.replace(" ( see below).", "")
    assert lead(page(note, "Behaviour at night, which differs from that at day.", broken, SECOND)) == SECOND_TEXT


def test_what_stands_before_a_paragraph_in_its_block_is_cut() -> None:
    assert lead(page("   Thalia, 1836\n" + FIRST)) == FIRST_TEXT
