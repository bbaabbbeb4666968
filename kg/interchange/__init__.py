"""The graph as files: what an export is made of, and one file for each format that it is written to and read from."""
