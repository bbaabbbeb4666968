"""What every command stands on: settings, the workspace, exit codes, processes that share out work.

Here goes what needs nothing of the application but its errors. What knows a topic, a run or the graph does not.
"""

__all__ = ["config", "exit_codes", "options", "process_pool", "signatures", "workspace"]
