"""The synthetic webs: seeded and labelled, in memory, and the same web over loopback HTTP."""

from collections.abc import Mapping

from crawler.worlds.synthetic.calibrated import CALIBRATED, CalibratedWorld
from crawler.worlds.synthetic.plan import STARTS
from crawler.worlds.synthetic.serve import Server, serve
from crawler.worlds.synthetic.templates import PRESETS, Preset, preset_of
from crawler.worlds.synthetic.world import SyntheticWorld

__all__ = [
    "CALIBRATED", "PRESETS", "STARTS", "CalibratedWorld", "Preset", "Server", "SyntheticWorld", "serve",
    "synthetic_world",
]  # fmt: skip


def synthetic_world(
    preset: str, pages: int | None = None, seed: int = 0, parameters: Mapping[str, float] | None = None
) -> SyntheticWorld:
    """Open the web of a preset.

    Args:
        preset: a name of ``PRESETS`` or ``CALIBRATED``.
        pages: number of URLs; None for the default of the preset.
        seed: any integer.
        parameters: parameters of a calibrated preset to change; the others have none.

    Raises:
        WorldError: an unknown preset or parameter, or a number out of range.
    """
    if preset in CALIBRATED:
        return CalibratedWorld(preset, pages, seed, parameters)
    return SyntheticWorld(preset_of(preset, *CALIBRATED).name, pages, seed)
