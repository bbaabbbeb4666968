"""`python -m ontocrawl` is the program `ontocrawl`."""

from ontocrawl.cli.main import run

if __name__ == "__main__":
    run()
