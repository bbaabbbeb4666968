"""Runs: from what is asked for to a configuration, a crawl, its journal and files, and its way into the graph.

Here goes what makes, goes on with, watches or reads a run of a workspace. The crawl itself is in `crawler`; what
several runs propose is in `ontocrawl.enrichment`, and how runs compare in `ontocrawl.lab`.
"""

__all__ = [
    "crawl_metrics",
    "crawl_process",
    "crawl_request",
    "crawl_rounds",
    "crawl_setup",
    "crawling",
    "diagnosis",
    "explaining",
    "graph_writing",
    "page_files",
    "page_scoring",
    "plan",
    "removed_runs",
    "rescoring",
    "run_config",
    "run_files",
    "run_status",
    "run_stopping",
    "runs",
    "seeds",
    "signals",
    "teaching",
    "topic_card",
    "training",
]
