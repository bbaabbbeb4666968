"""Entry point of the program `ontocrawl`, and of `python -m ontocrawl`."""

import sys

from ontocrawl.runs.signals import end_as_ctrl_c


def run() -> None:
    """Run the program and exit the process; a signal ends it in order, also while its modules are imported."""
    try:
        end_as_ctrl_c()
        from ontocrawl.cli import main

        main.run()
    except KeyboardInterrupt:
        sys.stderr.write("interrupted\n")
        sys.exit(130)


if __name__ == "__main__":
    run()
