"""What a person sees and types at a terminal: widths, styles, keys, lines, dialogues.

Here goes what knows a terminal and nothing else of the application. What a command prints is in `ontocrawl.cli`.
"""

__all__ = ["cell_width", "dialogue", "keys"]
