"""The synthetic web: a seeded, labelled world in memory, and the same world over loopback HTTP."""

from crawler.worlds.synthetic.presets import PRESETS, Preset
from crawler.worlds.synthetic.serve import Server, serve
from crawler.worlds.synthetic.world import SyntheticWorld

__all__ = ["PRESETS", "Preset", "Server", "SyntheticWorld", "serve"]
