"""Start the explorer of an installed ontocrawl as a program does, read its pages, and end it.

    python -m tools.first_page .venv/bin/ontocrawl demo/workspace

The exit code is 1 unless the overview, its script, its style and the list of crawls come from the server.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from urllib.request import ProxyHandler, Request, build_opener

_OPEN = build_opener(ProxyHandler({})).open  # never by way of a proxy


def main(program: str, workspace: str) -> int:
    """Read the pages; return the exit code.

    Args:
        program: the program ``ontocrawl``.
        workspace: folder of the workspace.
    """
    line = [program, "explore", workspace, "--port", "0", "--no-browser", "--json"]
    with subprocess.Popen(line, stdout=subprocess.PIPE, encoding="utf-8") as server:
        try:
            address = json.loads(next(iter(server.stdout or ()), "{}"))
            faults = _faults(address["url"], address["token"])
        finally:
            server.terminate()
    sys.stderr.writelines(f"{fault}\n" for fault in faults)
    return int(bool(faults))


def _faults(url: str, token: str) -> list[str]:
    def read(path: str) -> str:
        asked = Request(url + path.lstrip("/"), headers={"Authorization": f"Bearer {token}"})  # noqa: S310
        with _OPEN(asked, timeout=60) as answer:
            return str(answer.read().decode())

    page = read("")
    parts = re.findall(r'(?:src|href)="/\w+(/static/[^"]+)"', page)
    found = {part: len(read(part)) for part in parts}
    crawls = json.loads(read("api/crawls"))["crawls"]
    wrong = [f"{part}: only {size} bytes" for part, size in found.items() if size < 1000]
    if len(found) < 2:
        wrong.append(f"expected a script and a style in the page, found {list(found)}")
    return wrong if crawls else [*wrong, "the workspace has no crawls"]


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
