"""The explorer: papers, lattice, ontology, web graph, crawls and proposals of a workspace in a browser."""

LIBRARIES = ("starlette", "uvicorn", "jinja2")
"""What the extra ``web`` installs."""
