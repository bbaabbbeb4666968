"""Entry point of `python -m ontocrawl`, which runs the program `ontocrawl`."""

from ontocrawl.cli.main import run

if __name__ == "__main__":
    run()
