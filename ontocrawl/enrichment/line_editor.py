"""A line of text that is typed: characters, deletion, movement of the cursor. Widths are the business of the screen."""

from __future__ import annotations

from dataclasses import dataclass

from ontology.printable import one_line


@dataclass(frozen=True, slots=True)
class Typed:
    """A text with a cursor.

    Attributes:
        text: the text.
        cursor: number of characters before the cursor.
    """

    text: str = ""
    cursor: int = 0

    def inserted(self, characters: str) -> Typed:
        """Return the line with characters at the cursor; control characters and line ends are left out.

        >>> Typed("山滑坡", 1).inserted("体")
        Typed(text='山体滑坡', cursor=2)
        """
        clean = one_line(characters) if characters.strip() else " " * len(characters)
        return Typed(self.text[: self.cursor] + clean + self.text[self.cursor :], self.cursor + len(clean))

    def key(self, name: str) -> Typed:
        """Return the line after a key that is no character; one without a meaning changes nothing.

        Args:
            name: the name of the key, as `ontocrawl.terminal.keys` has it.

        >>> Typed("山体滑坡", 4).key("backspace").key("left")
        Typed(text='山体滑', cursor=2)
        """
        before, after = self.text[: self.cursor], self.text[self.cursor :]
        if name == "backspace":
            return Typed(before[:-1] + after, max(0, self.cursor - 1))
        if name == "delete":
            return Typed(before + after[1:], self.cursor)
        if name == "kill":
            return Typed(after, 0)
        if name == "kill_word":
            kept = before.rstrip().rpartition(" ")[0] + " " if " " in before.rstrip() else ""
            return Typed(kept + after, len(kept))
        places = {"left": max(0, self.cursor - 1), "right": min(len(self.text), self.cursor + 1), "home": 0}
        return Typed(self.text, {**places, "end": len(self.text)}.get(name, self.cursor))
