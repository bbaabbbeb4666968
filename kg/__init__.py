"""The property graph: one model for ontologies, papers, crawls and evidence; Neo4j or the embedded engine."""
