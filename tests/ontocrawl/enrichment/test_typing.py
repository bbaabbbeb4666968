"""Keys of a terminal as bytes, and the line that is typed with them."""

from __future__ import annotations

import os
import threading
import time

from ontocrawl.terminal.keys import Key, Keys, Typed


def pressed(*parts: bytes) -> list[Key]:
    """The keys of some bytes, which arrive in these parts."""
    reading, writing = os.pipe()

    def write() -> None:
        for part in parts:
            os.write(writing, part)
            time.sleep(0.01)
        os.close(writing)

    threading.Thread(target=write).start()
    keys = Keys(reading)
    found = []
    while (key := keys.next()) != "end_of_input" or key.is_text:
        found.append(key)
    os.close(reading)
    return found


def test_characters_of_any_script_however_they_arrive() -> None:
    word = "山洪🌊".encode()
    assert pressed(word) == ["山", "洪", "🌊"]
    assert pressed(*(word[at : at + 1] for at in range(len(word)))) == ["山", "洪", "🌊"]


def test_named_keys_are_no_letters() -> None:
    """An arrow key ends with a letter that would accept."""
    keys = pressed(b"a\x1b[A\x1bOA\x1b[3~\x7f\t\r\x1b[1;5D\x1b[Za")
    assert keys == ["a", "up", "up", "delete", "backspace", "tab", "enter", "unknown", "unknown", "a"]
    assert [key.is_text for key in keys] == [True, *[False] * 8, True]


def test_escape_alone_and_sequences_in_pieces() -> None:
    assert pressed(b"\x1b") == ["escape"]
    assert pressed(b"\x1b", b"[", b"A", b"a") == ["up", "a"]
    assert pressed(b"\x1b\x1b[Ax") == ["escape", "up", "x"]


def test_pasted_text_is_one_key_and_no_command() -> None:
    (key, after) = pressed(b"\x1b[200~are", b"as\x1b[20", b"1~x")
    assert key == "areas" and key.is_pasted and after == "x" and not after.is_pasted


def test_a_typed_line() -> None:
    line = Typed().inserted("山体").inserted("滑坡\n")
    assert line == Typed("山体滑坡", 4)
    assert line.key("backspace") == Typed("山体滑", 3)
    assert line.key("home").key("delete") == Typed("体滑坡", 0)
    assert line.key("left").key("left").inserted("x") == Typed("山体x滑坡", 3)
    assert Typed("flash flood", 11).key("kill_word") == Typed("flash ", 6)
    assert Typed("山洪", 2).key("kill_word") == Typed() == line.key("kill")
    assert line.key("right") == line.key("end") == line.key("unknown") == line
    assert Typed("flash", 5).inserted(" ") == Typed("flash ", 6)
    assert Typed().inserted("\x1b[2Ja\tb") == Typed("a b", 3)
