"""Topics: their files and words, their ontologies and papers in the graph, and what was said about their proposals.

Here goes what is known of a topic when a crawl begins. How an ontology gets its next version is in
`ontocrawl.versions`.
"""

__all__ = [
    "class_topics", "graph_record", "kept_versions", "other_fields", "papers", "proposed", "reviewed", "topic_files",
    "topic_graph", "topic_lattices", "topics", "trends", "version_files", "word_lists",
]  # fmt: skip
