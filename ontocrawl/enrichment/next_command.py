"""The command that goes on from a run that proposes terms: the diagnosis at its end cannot know what was done since.

It stands apart from `proposing`, whose imports would double the time of `crawl status`.
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ontocrawl.base.workspace import Workspace
from ontocrawl.runs import diagnosis, run_status, runs
from ontocrawl.runs.run_config import RunConfig
from ontocrawl.topics import proposed, reviewed, topics


def status_of(space: Workspace, run: str) -> dict[str, Any]:
    """Return the document of ``crawl status RUN --json``, with the next command as it is now."""
    found = run_status.document(space, run)
    return {**found, "diagnosis": _as_it_is_now(space, run, found["diagnosis"])} if "diagnosis" in found else found


def diagnosis_of(space: Workspace, run: str) -> dict[str, Any]:
    """Return ``diagnosis`` of this document; of a run that is being crawled, what can be said so far."""
    return _as_it_is_now(space, run, run_status.diagnosis_of(space, run))


def _as_it_is_now(space: Workspace, run: str, found: Mapping[str, Any]) -> dict[str, Any]:
    return {**found, "next": next_of(space, run, found.get("next", ""))}


def next_of(space: Workspace, run: str, advice: str) -> str:
    """Return the command that goes on from a run now: after `enrich propose`, what its proposals still wait for.

    Args:
        space: the workspace.
        run: name of the run.
        advice: the command that its diagnosis named when it ended; others than `enrich propose` stay.
    """
    if advice != shlex.join(("ontocrawl", "enrich", "propose", run)):
        return advice
    config = runs.config_of(space, run)
    name, made = topic_name(space, config.topic, config.topic_file), list(proposed.read(space, config.topic, run))
    if not made or not (Path(name).is_file() or name in topics.available(space)):  # the topic may be gone
        return advice
    verdicts = reviewed.record_of(space, config.topic)
    ids = {id_: one for of in made for id_, one in proposed.with_ids(config.topic, of.proposals).items()}
    found = {verdicts.status(id_, one) for id_, one in ids.items()}
    if "proposed" in found and "accepted" not in found:  # what was accepted need not wait for the others
        return shlex.join(("ontocrawl", "enrich", "review", name, "--run", run))
    if _waits(space, name):
        return shlex.join(("ontocrawl", "enrich", "apply", "--topic", name))
    return _crawl(name, config)


def crawl_again(space: Workspace, topic: topics.Topic, name: str) -> str:
    """Return the command for a crawl on a topic like the one that was last asked for proposals.

    Args:
        space: the workspace.
        topic: the topic.
        name: how the command names it.
    """
    asked = [path for path in proposed.files(space, topic.name) if path.stem in space.run_names()]
    latest = max(asked, key=lambda path: path.stat().st_mtime, default=None)
    return _crawl(name, None if latest is None else runs.config_of(space, latest.stem))


def topic_name(space: Workspace, name: str, file: object) -> str:
    """Return how a command names a topic that was read from a file: by its name, where that leads to the file."""
    found = topics.available(space).get(name, "")
    return str(file) if file and not (found and Path(found).resolve() == Path(str(file)).resolve()) else name


def _crawl(name: str, config: RunConfig | None) -> str:
    if config is not None and (options := diagnosis.again(config)):
        options = ("--topic", name, *options[2:], "--strategy", config.strategy_file or config.strategy)
    else:
        options = ("--topic", name, "--seeds", "URL")
    return shlex.join(("ontocrawl", "crawl", "run", *options))


def _waits(space: Workspace, name: str) -> bool:
    """Return whether a proposal for a topic is accepted, and in no version yet."""
    from ontocrawl.versions import histories  # only where something was decided

    decided = histories.history(topics.load(name, space), space).proposals
    return any(one.status == "accepted" and not one.version for one in decided)
