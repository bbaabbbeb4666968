"""Whether all is well: the installation and the network, and the graph against the files of the workspace.

Here goes what finds a fault and names the commands that mend it. What mends it is where its data are.
"""

__all__ = ["doctor", "graph_health"]
