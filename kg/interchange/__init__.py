"""Import and export of the graph as files: the elements of an export, and one module for each format."""
