"""The table of commands: where each one is, and its line in the help. A new command is a function and a line here.

A command's module, and with it the libraries that it needs, is imported when the command runs (or shows its own
help). So `ontocrawl --help`, `--version`, a misspelt command and the shell's completion need this table only.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from types import MappingProxyType
from typing import Any, Final

import typer
from typer.core import TyperCommand, TyperGroup

GROUPS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "corpus": "Literature exports: read them, merge duplicates, look at them.",
        "topic": "Topics: weighted words, ontologies and seeds of a crawl.",
        "ontology": "Learn an ontology from papers, look at it, look at a lattice.",
        "graph": "The property graph: Neo4j (NEO4J_URI), or the embedded engine of the workspace.",
        "crawl": "Crawl the web, a corpus or a synthetic web by a strategy.",
        "world": "Webs to crawl without the Web.",
        "query": "Questions in Cypher that come with ontocrawl, and your own.",
        "enrich": "New terms for the ontology from crawled pages.",
    }
)
"""Noun -> its line in the help."""

COMMANDS: Final[Mapping[str, tuple[str, str]]] = MappingProxyType({
    "init": ("init:init",
        "Make a workspace: settings, a place for your ontologies and topics, and the runs."),
    "demo": ("demo:demo",
        "The whole flow on the bundled sample, offline: abstracts, lattice, ontology, graph, three crawls, proposals."),
    "doctor": ("doctor:doctor",
        "Check this installation and workspace: Python, packages, graph engine, settings in force."),
    "weights": ("weights:weights",
        "Sem(root, concept) of every concept of the topic's ontologies, with its five factors"),

    "corpus import": ("corpus:import_",
        "Read exports in any known format and encoding; report records, problems and duplicates, write one clean file"),
    "corpus stats": ("corpus:stats",
        "What exports hold: years, sources, keywords, and how many documents have which field."),
    "corpus background": ("corpus_background:background",
        "Count in how many documents of a general corpus each word and phrase occurs, and write the table."),

    "topic list": ("topic:list_topics",
        "The topics that ship and those of the workspace."),
    "topic show": ("topic:show",
        "One topic: its words, how relevance is judged, its ontologies."),
    "topic build": ("topic_build:build",
        "Words and weights of a topic from labelled pages (TF-IDF of a class), or from pages on the topic."),
    "topic intent": ("topic_intent:intent",
        "When an event began and how it was searched for, from Google Trends or the Baidu index."),

    "ontology build": ("ontology:build",
        "Abstracts to terms, formal context, lattice, term hierarchy and OWL: one global and the local ontologies."),
    "ontology show": ("ontology:show",
        "The hierarchy of an ontology as an outline; a class with several parents stands under each."),
    "ontology terms": ("ontology_terms:terms",
        "The terms of a corpus with their figures; with --explain why a term was kept or dropped."),
    "ontology lattice": ("ontology_lattice:lattice",
        "All formal concepts of a context and their covering relation; stability; implications."),
    "ontology merge": ("ontology_merge:merge",
        "Merge local ontologies into the global one."),
    "ontology check": ("ontology_check:check",
        "Check header, classes and evidence by SHACL shapes, and ask the competency questions."),
    "ontology draw": ("ontology_draw:draw",
        "Draw a concept lattice or an ontology's hierarchy."),
    "ontology document": ("ontology_draw:document",
        "The documentation of an ontology as one HTML page: tree, search, every class with its evidence."),
    "ontology convert": ("ontology_convert:convert",
        "Write an ontology in another format."),
    "ontology reason": ("ontology_convert:reason",
        "Is the ontology consistent, and which classes can have no member?"),
    "ontology diff": ("ontology_compare:diff",
        "What changed between two ontologies."),
    "ontology stats": ("ontology_compare:stats",
        "The figures of an ontology: size, shape, labels, relations, evidence; what each means stands beside it."),
    "ontology similarity": ("ontology_compare:similarity",
        "Similarity of two concepts, of one to its nearest, or of all to the root; Sem is shown with its five factors"),
    "ontology lint": ("ontology_lint:lint_command",
        "What is wrong with an ontology: code, place, reason and mend."),

    "graph export": ("graph_exchange:export",
        "Write the whole graph to a file: ontologies, papers, lattices, crawls."),
    "graph import": ("graph_exchange:import_",
        "Write what an export holds into the graph, beside what is there; twice is the same as once."),
    "graph load": ("graph_load:load",
        "Write ontologies into the graph; loading one again replaces it."),
    "graph remove": ("graph_load:remove",
        "Take ontologies out of the graph, with their relations and weights; `crawl remove` does it for a crawl."),
    "graph status": ("graph_engine:status",
        "What the graph holds, and whether its schema is the one of this version."),
    "graph migrate": ("graph_engine:migrate",
        "Bring the graph's keys, indexes and data to this version; every command that opens the graph does so too."),
    "graph rank": ("graph:rank",
        "PageRank of a run's link graph (paper 000, section 4.2), written back into the graph."),
    "graph rebuild": ("graph:rebuild",
        "Write runs into the graph again from their journals; by default all runs of the workspace."),
    "graph stop": ("graph_engine:stop",
        "End the embedded engine of the workspace now; it would end by itself soon after its last user."),

    "crawl run": ("crawl:run",
        "Crawl, and write what was found into the graph."),
    "crawl resume": ("crawl:resume",
        "Go on with a run that was stopped or killed; --limit-pages lets a finished one go further."),
    "crawl status": ("crawl:status",
        "The measures of a run, of several, or of all runs of the workspace."),
    "crawl pages": ("crawl:pages",
        "The pages of a run in the order of fetching."),
    "crawl remove": ("crawl_remove:remove",
        "Take a crawl out of the graph with its links, mentions and proposals."),
    "crawl strategies": ("crawl:list_strategies",
        "The strategies that exist, where they were published, their parameters and readings; or one in full."),
    "crawl train": ("crawl_train:train",
        "Train the Bayesian classifier of paper 003 on labelled pages, and judge it on a held-out fifth."),

    "world serve": ("world:serve",
        "Serve a synthetic web on loopback until ended (Ctrl-C)."),

    "query sparql": ("query_sparql:sparql",
        "Run SPARQL 1.1 about the graph; without a query, list those of the library."),
    "query list": ("query:list_queries",
        "All queries, by folder; `query show NAME` has parameters, columns, an example and what it costs."),
    "query show": ("query:show",
        "One query with its header, as it can be pasted into Neo4j Browser."),
    "query run": ("query_run:run_query",
        "Run a query against the workspace's graph; it cannot change anything."),
    "query cypher": ("query_run:run_cypher",
        "Run a Cypher statement of your own; it can change the graph only with --write."),

    "enrich propose": ("enrich:propose",
        "Terms that relevant pages of a run use and the topic's ontology lacks, with a sentence as evidence."),
})  # fmt: skip
"""A command as it is typed -> MODULE:FUNCTION in ontocrawl.cli, and its line in the help.

The line begins the function's docstring, which is what `--help` of the command itself shows.
"""


class Deferred(TyperCommand):
    """A command that is known by name and line; the function behind it takes over as soon as arguments are parsed."""

    def __init__(self, name: str, place: str, line: str) -> None:
        super().__init__(name, help=line, rich_markup_mode=None)
        self.place = place

    def make_context(self, info_name: str | None, args: list[str], parent: Any = None, **extra: Any) -> Any:
        """The context of the function's own command: its options, its help, its completion."""
        return self.command().make_context(info_name, args, parent, **extra)

    def command(self) -> Any:
        """The function as a command. Its module is imported here."""
        module, _, function = self.place.partition(":")
        alone = typer.Typer(add_completion=False, rich_markup_mode=None)
        alone.command(self.name)(getattr(import_module(f"ontocrawl.cli.{module}"), function))
        return typer.main.get_command(alone)


def add_to(program: TyperGroup) -> None:
    """Give the program all groups and commands of the tables, the commands without a noun first."""
    nouns = {
        noun: TyperGroup(name=noun, help=line, no_args_is_help=True, rich_markup_mode=None)
        for noun, line in GROUPS.items()
    }
    for typed, (place, line) in COMMANDS.items():
        noun, _, verb = typed.rpartition(" ")
        (nouns[noun] if noun else program).add_command(Deferred(verb, place, line))
    for group in nouns.values():
        program.add_command(group)
