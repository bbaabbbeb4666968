"""The command line: `ontocrawl GROUP COMMAND`, with thin modules over the Python functions."""
