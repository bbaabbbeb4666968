"""The graph of a workspace as the application uses it: opened, queried, answered as tables, drawn as a map.

Here goes what reads or opens the graph for any command. What writes a run into it is in `ontocrawl.runs`, what loads a
topic in `ontocrawl.topics`, and what checks it in `ontocrawl.health`.
"""

__all__ = ["graph_store", "guide_server", "kept_queries", "networks", "query_parameters", "tables", "web_map"]
