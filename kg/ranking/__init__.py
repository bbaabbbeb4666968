"""Link graphs: PageRank, batch and incremental, HITS, communities, components, and the stored figures of links."""
