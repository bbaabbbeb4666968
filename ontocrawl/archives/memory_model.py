"""The memory that the link graph of an archive needs on one machine, by its nodes and links, and what is free.

The largest of three moments counts. Sizes are those of numpy, scipy and Arrow: 8 bytes for a number of 64 bits.

    numbering   node: its URL and 4 bytes of Arrow; hash, check and number 16, twice while sorted arrays are merged, and
                the order 8.  link: both ends 8
    sorting     link: both ends 8, those that differ 8, a flag 1, source and target 8
    ranking     node: 10 vectors of 8 bytes.  link: source and target 8; values 8 and their matrix 8 + 4, which HITS has
                in both orders

What does not grow with the archive, as batches of rows that are read, is a sum for all.
"""

from __future__ import annotations

from pathlib import Path

from ontocrawl.errors import CommandError

NODE, LINK, FIXED = 80, 44, 150_000_000
"""Bytes of a node beside its URL, of a link, and of all that does not grow."""
_MEMINFO = Path("/proc/meminfo")
_GROUP = Path("/sys/fs/cgroup")


def needed(nodes: int, text: int, links: int) -> int:
    """Return the bytes that the ranks of a link graph need beside what the process has.

    Args:
        nodes: number n of nodes.
        text: bytes of their URLs together.
        links: number m of links.

    >>> needed(1_000_000, 50_000_000, 10_000_000)
    720000000
    """
    return FIXED + text + NODE * nodes + LINK * links


def largest(memory: int, links_of_node: float, url: float) -> int:
    """Return the number of links of the largest archive whose ranks fit into some memory.

    Args:
        memory: bytes.
        links_of_node: mean number of links of a node, above 0; a URL that only links name is a node.
        url: mean bytes of a URL.

    >>> largest(8_000_000_000, 2.0, 50.0)
    72018348
    """
    return int((memory - FIXED) / (LINK + (NODE + url) / links_of_node))


def free() -> int | None:
    """Return the bytes that this machine, or the group of processes this one is in, can still give; None if unknown."""
    found = [value for value in (_of_machine(), _of_group()) if value is not None]
    return min(found, default=None)


def check(nodes: int, text: int, links: int, free_bytes: int | None, *advice: object) -> None:
    """Raise CommandError where the ranks of a link graph need more memory than was free.

    Args:
        nodes: number of nodes.
        text: bytes of their URLs together.
        links: number of links.
        free_bytes: what was free before; None if it is not known.
        *advice: what to do, as parts of the message.
    """
    if free_bytes is not None and needed(nodes, text, links) > free_bytes:
        raise CommandError(
            f"the ranks of {nodes} URLs or more by {links} links need {needed(nodes, text, links) / 1e9:.1f} GB of "
            f"memory, and {free_bytes / 1e9:.1f} GB are free: ",
            *advice,
        )


def _of_machine() -> int | None:
    if not _MEMINFO.exists():
        return None
    fields = dict(line.split(":", 1) for line in _MEMINFO.read_text().splitlines())
    return int(fields["MemAvailable"].split()[0]) * 1024 if "MemAvailable" in fields else None


def _of_group() -> int | None:
    """Return what is free by the limit of a container (cgroup version 2)."""
    limit, used = _GROUP / "memory.max", _GROUP / "memory.current"
    if not (limit.exists() and used.exists()) or limit.read_text().strip() == "max":
        return None
    return max(int(limit.read_text()) - int(used.read_text()), 0)
