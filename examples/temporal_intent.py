"""Events in time: three systems that use dates.

python -m examples.temporal_intent
"""

from functools import partial

from examples import compare_strategies, show

STRATEGIES = ("temporal_intent", "event_model", "date_segments")
main = partial(compare_strategies, STRATEGIES)

if __name__ == "__main__":
    show(main())
