"""Events in time: three systems that read dates.

python -m examples.temporal_intent
"""

from __future__ import annotations

from examples import harvest, show

STRATEGIES = ("temporal_intent", "event_model", "date_segments")


def main(webs: int = 5) -> dict[str, float]:
    """Strategy -> relevant pages of 120 fetched, mean of so many planted webs."""
    return {name: harvest(name, webs) for name in STRATEGIES}


if __name__ == "__main__":
    show(main())
