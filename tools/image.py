"""Build the container image and run it without a Docker daemon, and write what was printed into docs/operate.md.

    python -m tools.image [--certificates FILE] [--runtime NAME] [--work FOLDER]

mmdebstrap makes the base from Debian's packages, buildah builds docker/Dockerfile on it, and podman runs the result
by the rules of docker/compose.yaml, and without a network: the explorer has to answer its health check, and the demo
has to run. It runs as root, and needs these three programs, packages of Debian and Python, and 6 GB of disk.
"""

from __future__ import annotations

import argparse
import re
import secrets
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ontology import files
from tools import printed

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "operate.md"
DOCKERFILE = ROOT / "docker" / "Dockerfile"
BASE, IMAGE = "localhost/base", "localhost/ontocrawl"
TOKEN = "/run/secrets/explorer_token"  # noqa: S105 - a path
RULES = (
    "--read-only", "--read-only-tmpfs=false", "--cap-drop=all", "--security-opt=no-new-privileges",
    "--tmpfs=/tmp:rw,noexec,nosuid,nodev,size=512m", "--network=none", "--volume=data:/data",
)  # fmt: skip
"""How containers run: as compose.yaml says, and without a network."""
_SANDBOX = ("--ulimit=nofile=1024:1024", "--ulimit=nproc=4096:4096")
"""Limits below those of most systems, so that podman need not raise any, which it may not everywhere."""
EXPLORE = ("explore", "--host", "0.0.0.0", "--port", "8080", "--no-browser", "--token-file", TOKEN)  # noqa: S104
DEMO = ("demo", "--out", "/data/demo")
_PATIENCE = 120.0
"""Seconds for the explorer to become healthy."""
_HERMIT = "ontocrawl ontology reason /opt/ontocrawl/lib/python3*/site-packages/ontologies/typhoon.ttl --reasoner hermit"


def main(arguments: Sequence[str] | None = None) -> int:
    """Build and run the image and write the page; 0, or an exception of a step that failed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--certificates", type=Path, help="certificates for pip, where a network has its own")
    parser.add_argument("--runtime", default="runc", help="program by which podman runs containers")
    parser.add_argument("--work", type=Path, help="folder for the images; by default that of temporary files")
    chosen = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="ontocrawl-image-", dir=chosen.work) as folder:
        engine = Engine(Path(folder), chosen.runtime)
        try:
            sessions = {"build": build(engine, chosen.certificates), "run": run(engine), "demo": demo(engine)}
        finally:
            engine.podman("rm", "--all", "--force")
    files.write_atomically(PAGE, printed.in_page(PAGE, sessions).encode())
    return 0


@dataclass(frozen=True)
class Engine:
    """buildah and podman with one store of images, in a folder of its own."""

    folder: Path
    runtime: str

    def buildah(self, *arguments: str) -> str:
        """Run buildah; return what it prints."""
        return printing("buildah", *self._store(), *arguments)

    def podman(self, *arguments: str, text: str | None = None) -> str:
        """Run podman, with a text as its stdin; return what it prints."""
        options = (*self._store(), "--cgroup-manager=cgroupfs", f"--runtime={self.runtime}")
        return printing("podman", *options, *arguments, text=text)

    def command(self, *arguments: str) -> list[str]:
        """Run a command of ontocrawl in a container of its own; return the lines that it prints, notes among them."""
        shell = ("--entrypoint=tini", IMAGE, "-g", "--", "sh", "-c", 'exec entrypoint "$@" 2>&1', "sh")
        told = self.podman("run", "--rm", "--no-healthcheck", *RULES, *_SANDBOX, *shell, *arguments)
        return [line.rstrip() for line in told.strip().splitlines()]

    def _store(self) -> tuple[str, ...]:
        return f"--root={self.folder / 'store'}", f"--runroot={self.folder / 'run'}"


def printing(program: str, *arguments: str, text: str | None = None) -> str:
    """Run a program; return what it prints to stdout. Raises RuntimeError with all that it printed if it fails."""
    print(f"{program} {arguments[-1]}", file=sys.stderr)
    done = subprocess.run((program, *arguments), input=text, capture_output=True, text=True, check=False, cwd=ROOT)
    if done.returncode != 0:
        raise RuntimeError(f"{program} {' '.join(arguments)}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def steps(dockerfile: str) -> list[str]:
    r"""Return the steps of a Dockerfile as buildah prints them, on the base of this program.

    >>> file = "ARG BASE=debian\nFROM ${BASE} AS build\n# why\nRUN a && \\\n  b\nFROM ${BASE}\nUSER 1\n"
    >>> print(*steps(file), sep="\n")
    [1/2] STEP 1/2: FROM localhost/base AS build
    [1/2] STEP 2/2: RUN a && b
    [2/2] STEP 1/2: FROM localhost/base
    [2/2] STEP 2/2: USER 1
    """
    text = re.sub(r"^#.*\n", "", dockerfile, flags=re.MULTILINE).replace("\\\n", " ").replace("${BASE}", BASE)
    lines = [" ".join(line.split()) for line in text.splitlines() if line.strip() and not line.startswith("ARG BASE")]
    stages: list[list[str]] = []
    for line in lines:
        if line.startswith("FROM "):
            stages.append([])
        stages[-1].append(line)
    return [
        f"[{number}/{len(stages)}] STEP {step}/{len(stage)}: {line}"
        for number, stage in enumerate(stages, 1)
        for step, line in enumerate(stage, 1)
    ]


def suite(dockerfile: str) -> str:
    r"""Return the release of Debian that a Dockerfile begins with.

    >>> suite("ARG BASE=debian:trixie-slim\n")
    'trixie'
    """
    [name] = re.findall(r"^ARG BASE=debian:(\w+)-slim$", dockerfile, re.MULTILINE)
    return str(name)


def build(engine: Engine, certificates: Path | None) -> list[str]:
    """Make the base and build the image on it; return the lines of the session."""
    release = suite(DOCKERFILE.read_text(encoding="utf-8"))
    archive = engine.folder / "base.tar"
    started = time.monotonic()
    printing("mmdebstrap", "--quiet", "--variant=minbase", release, str(archive))
    engine.podman("import", str(archive), BASE)
    archive.unlink()
    made = time.monotonic()
    secret = () if certificates is None else (f"--secret=id=certificates,src={certificates.resolve()}",)
    told = engine.buildah(
        "build", "--isolation=chroot", "--format=docker", "--pull-never", f"--build-arg=BASE={BASE}", *secret,
        f"--file={DOCKERFILE}", f"--ignorefile={DOCKERFILE}.dockerignore", f"--tag={IMAGE}", str(ROOT),
    )  # fmt: skip
    done = time.monotonic()
    told_steps = [" ".join(line.split()) for line in told.splitlines() if re.match(r"\[\d+/\d+\] STEP ", line)]
    return [
        f"$ mmdebstrap --variant=minbase {release} base.tar",
        f"$ buildah build --build-arg BASE={BASE} --file docker/Dockerfile --tag {IMAGE} .",
        *(printed.cut(line) for line in told_steps),
        f"base: {size(engine, BASE)}, made in {made - started:.0f} s",
        f"image: {size(engine, IMAGE)}, built in {done - made:.0f} s",
    ]


def size(engine: Engine, image: str) -> str:
    """Return the size of an image with its base, unpacked."""
    return f"{int(engine.podman('image', 'inspect', '--format={{.Size}}', image)) / 1e6:,.0f} MB"


def run(engine: Engine) -> list[str]:
    """Start the explorer, wait for its health check, and look at it from within; return the lines of the session."""
    token = engine.folder / "token"
    token.write_text(secrets.token_urlsafe(32), encoding="ascii")
    token.chmod(0o444)
    options = ("--detach", "--name=explorer", *RULES, f"--volume={token}:{TOKEN}:ro", *_SANDBOX)
    engine.podman("run", *options, IMAGE, *EXPLORE)
    seconds = healthy(engine)
    probe = (ROOT / "tools" / "image_probe.py").read_text(encoding="utf-8")
    seen = engine.podman("exec", "--interactive", "explorer", "python3", "-", TOKEN, text=probe)
    reasoned = engine.podman("exec", "explorer", "sh", "-c", f"{_HERMIT} 2>&1")
    started = time.monotonic()
    engine.podman("stop", "--time=60", "explorer")
    ended = time.monotonic() - started
    code = engine.podman("inspect", "--format={{.State.ExitCode}}", "explorer").strip()
    return [
        f"$ podman run {' '.join(RULES)} .. {IMAGE} {' '.join(EXPLORE)}",
        "$ podman healthcheck run explorer",
        f"healthy after {seconds:.0f} s",
        *(printed.cut(line) for line in seen.splitlines()),
        f"HermiT: {reasoned.strip().rpartition('/')[2]}",
        f"stopped by SIGTERM in {ended:.1f} s with exit code {code}",
    ]


def healthy(engine: Engine) -> float:
    """Return the seconds until the health check of the image succeeds. Raises RuntimeError where it never does."""
    started = time.monotonic()
    while True:
        try:
            engine.podman("healthcheck", "run", "explorer")
        except RuntimeError:
            if time.monotonic() - started > _PATIENCE:
                raise
            time.sleep(1)
        else:
            return time.monotonic() - started


def demo(engine: Engine) -> list[str]:
    """Run the demo, and check its graph in another container; return the lines of the session."""
    started = time.monotonic()
    lines = engine.command(*DEMO)
    seconds = time.monotonic() - started
    checked = engine.command("graph", "check", "--workspace", "/data/demo/workspace")
    first = next(number for number, line in enumerate(lines) if line.startswith("Accepted without"))
    return [
        f"$ podman run {' '.join(RULES)} .. {IMAGE} {' '.join(DEMO)}",
        "..",
        *lines[first:],
        "$ podman run .. graph check --workspace /data/demo/workspace",
        "..",
        *checked[-2:],
        f"the demo ran for {seconds:.0f} s",
    ]


if __name__ == "__main__":
    sys.exit(main())
