"""The table of commands: the function of each, and its line in the help. A new command is a function and a line here.

The module of a command, with the libraries that it needs, is imported when the command runs or shows its help.
`ontocrawl --help`, `--version`, a misspelt command and shell completion need only this table.
"""

from __future__ import annotations

import functools
import inspect
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from types import MappingProxyType
from typing import Any, Final

import typer
from typer.core import TyperCommand, TyperGroup

from ontocrawl.base.signatures import as_arguments

GROUPS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "corpus": "Literature exports: import, merge duplicates, statistics.",
        "topic": "Topics: weighted words, ontologies and seeds of a crawl.",
        "ontology": "Ontologies: learn from papers, show, check, compare, convert, draw.",
        "graph": "The property graph, on a Neo4j server (NEO4J_URI) or on the embedded engine of the workspace.",
        "crawl": "Crawl the web, a corpus or a synthetic web with a strategy.",
        "archive": "Score the pages of web archives, WARC files, in bulk.",
        "lab": "Compare crawlers on webs with known truth.",
        "world": "Webs to crawl: serve a synthetic one, measure how hard one is.",
        "query": "Queries on the graph: the library, Cypher and SPARQL.",
        "enrich": "New terms for the ontology from crawled pages.",
    }
)
"""Group of commands -> its line in the help."""

COMMANDS: Final[Mapping[str, tuple[str, str]]] = MappingProxyType({
    "init": ("init:init",
        "Create a workspace: settings, and folders for ontologies, topics and runs."),
    "demo": ("demo:demo",
        "Run the whole workflow on the bundled sample, offline: learn, crawl, propose, apply, crawl again."),
    "doctor": ("doctor:doctor",
        "Check the installation and the workspace: Python, packages, graph engine, settings."),
    "backup": ("backup:backup",
        "Save a workspace to one file, while it is in use: settings, ontologies, decisions, runs, graph."),
    "restore": ("backup:restore",
        "Restore a workspace that `backup` saved into an empty folder: all of it, or nothing."),
    "explore": ("explore:explore",
        "Show the workspace in a browser: ontologies, crawls, proposals, queries."),
    "mcp": ("mcp:mcp",
        "Serve queries, explanations, proposals and verdicts to an assistant, over MCP on stdin and stdout."),
    "weights": ("weights:weights",
        "Compute Sem(root, concept) and its five factors for every concept of a topic's ontologies."),

    "corpus import": ("corpus:import_",
        "Read literature exports of any known format; report problems and duplicates, write one clean file."),
    "corpus stats": ("corpus:stats",
        "Show statistics of literature exports: years, sources, keywords, and documents with each field."),
    "corpus background": ("corpus_background:background",
        "Count the document frequency of each word and phrase in a general corpus, and write the table."),

    "topic list": ("topic:list_topics",
        "List the shipped topics and those of the workspace."),
    "topic show": ("topic:show",
        "Show a topic: its words, relevance function and ontologies."),
    "topic check": ("topic:check",
        "Show what a topic is made of and what its judge finds, before it steers a crawl; warn of what looks wrong."),
    "topic words": ("topic:words",
        "Show the words that steer crawls on a topic; leave words out of later crawls, or take them back."),
    "topic build": ("topic_build:build",
        "Extract words and weights of a topic from labelled pages (TF-IDF of a class) or from pages on the topic."),
    "topic intent": ("topic_intent:intent",
        "Find the start of an event, and its search interest over time, in a CSV of Google Trends or the Baidu index."),

    "ontology build": ("ontology:build",
        "Learn the ontologies of a topic, one global and several local, from abstracts by formal concept analysis."),
    "ontology show": ("ontology:show",
        "Show the hierarchy of an ontology as an outline; a class with several parents is listed under each."),
    "ontology terms": ("ontology_terms:terms",
        "List the terms of a corpus with their statistics; --explain shows why a term was kept or dropped."),
    "ontology lattice": ("ontology_lattice:lattice",
        "Compute the concept lattice of a formal context; optionally stability and implications."),
    "ontology merge": ("ontology_merge:merge",
        "Merge local ontologies into a global one."),
    "ontology map": ("ontology_map:map_",
        "Map the concepts of an ontology to those of another by label, synonym and head; write an SSSOM file."),
    "ontology check": ("ontology_check:check",
        "Validate header, classes and evidence by SHACL shapes, and run the competency questions."),
    "ontology draw": ("ontology_draw:draw",
        "Draw a concept lattice, or the hierarchy of an ontology."),
    "ontology document": ("ontology_draw:document",
        "Write the documentation of an ontology as one HTML page: tree, search, each class with its evidence."),
    "ontology convert": ("ontology_convert:convert",
        "Convert an ontology to another format, with all that the format can hold."),
    "ontology reason": ("ontology_convert:reason",
        "Check by a reasoner whether an ontology is consistent, and which classes are unsatisfiable."),
    "ontology history": ("ontology_history:history",
        "Show the versions of an ontology, and every decision about it with who, when and why."),
    "ontology decide": ("ontology_history:decide",
        "Decide something about an ontology for good; the next build, and every later one, does as decided."),
    "ontology rollback": ("ontology_history:rollback",
        "Go back to an earlier version of an ontology; later decisions are withdrawn, and nothing is lost."),
    "ontology diff": ("ontology_compare:diff",
        "Compare two ontologies, or two versions of one."),
    "ontology stats": ("ontology_compare:stats",
        "Show statistics of an ontology with their definitions: size, shape, labels, relations, evidence."),
    "ontology similarity": ("ontology_compare:similarity",
        "Compute the similarity of two concepts, of one to its nearest, or of all to the root; Sem with its factors."),
    "ontology settle": ("ontology_settle:settle",
        "Settle the order of some terms by the fewest questions: is every A a B? Answers become decisions."),
    "ontology lint": ("ontology_lint:lint_command",
        "Find problems in ontologies; each finding has code, place, reason and fix."),

    "graph export": ("graph_exchange:export",
        "Write the whole graph to a file: ontologies, papers, lattices, crawls."),
    "graph import": ("graph_exchange:import_",
        "Load an exported file into the graph, beside the existing data; a second import changes nothing."),
    "graph browser": ("graph_browser:browser",
        "Write a style, the query library as saved queries, and a guide for Neo4j Browser into a folder."),
    "graph load": ("graph_load:load",
        "Load ontologies into the graph; an ontology that is loaded again is replaced."),
    "graph remove": ("graph_load:remove",
        "Remove ontologies from the graph, with their relations and weights; `crawl remove` removes a crawl."),
    "graph status": ("graph_engine:status",
        "Show the content of the graph, and whether its schema is up to date."),
    "graph check": ("graph_check:check",
        "Check the graph completely: files, keys, versions, missing runs; each fault with the commands to mend it."),
    "graph migrate": ("graph_engine:migrate",
        "Migrate keys, indexes and data of the graph to this version; other commands do so when they open it."),
    "graph rank": ("graph:rank",
        "Compute PageRank on the link graph of a run (paper 000, section 4.2), and store it in the graph."),
    "graph rebuild": ("graph:rebuild",
        "Write runs into the graph again from their journals; by default all runs of the workspace."),
    "graph stop": ("graph_engine:stop",
        "Stop the embedded engine of the workspace; otherwise it stops by itself soon after its last use."),

    "crawl run": ("crawl_run:run",
        "Crawl, and write the result into the graph."),
    "crawl resume": ("crawl_run:resume",
        "Resume a run that was stopped or killed; --limit-pages extends a finished one."),
    "crawl again": ("crawl_run:again",
        "Visit the pages of a run again, those first that matter and change, and the new ones that they lead to."),
    "crawl rescore": ("crawl_rescore:rescore",
        "Offer runs the present weights of their topic's ontologies: a crawl that goes on scores its queue by them."),
    "crawl teach": ("crawl_teach:teach",
        "Teach a run by pages that you like or dislike, while it crawls or before it is resumed; or list them."),
    "crawl status": ("crawl:status",
        "Show the measures of one run, of several, or of all runs of the workspace."),
    "crawl pages": ("crawl:pages",
        "List the pages of a run in fetch order."),
    "crawl export": ("crawl_export:export",
        "Write the pages of a run with text, links and anchors, and failures with reasons, to a file."),
    "crawl explain": ("crawl_explain:explain",
        "Explain why a run fetched a page, or why it did not: the way to it, its score, its reason, near URLs."),
    "crawl score": ("crawl_score:score",
        "Score one page by a topic, and show the parts of its relevance: words, weights, places, the decision."),
    "crawl seeds": ("crawl_seeds:list_seeds",
        "List the URLs of sitemaps, feeds, saved result pages, queries and files, before a crawl begins there."),
    "crawl mark": ("crawl:mark",
        "Mark runs with a note and tags, or hide them from lists; without options, show their marks."),
    "crawl bin": ("crawl_remove:bin_",
        "Move runs into the bin of the workspace, bring them back, or delete them for good; or list the bin."),
    "crawl remove": ("crawl_remove:remove",
        "Remove a crawl from the graph with its links, mentions and proposals."),
    "crawl strategies": ("crawl:list_strategies",
        "List the strategies with their papers, parameters and readings, or show one in detail."),
    "crawl train": ("crawl_train:train",
        "Train the Bayesian classifier of paper 003 on labelled pages, and evaluate it on a held-out fifth."),

    "archive score": ("archive:score",
        "Score the pages of WARC files by a topic, and write Parquet tables of pages, links, failures and texts."),
    "archive rank": ("archive:rank",
        "Rank the pages of a scored archive by their links, and write the ranks as one more table."),
    "archive terms": ("archive_terms:terms",
        "Find the terms of the relevant pages of a scored archive, and write tables of them for ontologies."),
    "archive load": ("archive:load",
        "Write a scored archive into the graph, as a crawl: its pages with sentences and classes, links and ranks."),
    "archive export": ("archive:export",
        "Write a scored archive as CSV for `neo4j-admin database import full`: the graph that `archive load` makes."),

    "lab run": ("lab:run",
        "Crawl all cells of a lab, worlds x strategies x seeds, and write a report with statistics."),
    "lab list": ("lab:list_labs",
        "List the labs that come with ontocrawl."),
    "lab label": ("lab_label:label",
        "Label sampled pages of a run by hand, one at a time; --report measures the run and its judge by the labels."),

    "world serve": ("world:serve",
        "Serve a synthetic web on loopback until interrupted (Ctrl-C)."),
    "world stats": ("world_stats:stats",
        "Show how hard a web is to crawl: reach, base rate, locality, anchors, degrees, tunnels, an oracle."),

    "query sparql": ("query_sparql:sparql",
        "Run a SPARQL 1.1 query on the graph; without a query, list those of the library."),
    "query list": ("query:list_queries",
        "List all queries by folder; `query show NAME` shows parameters, columns, an example and the cost."),
    "query show": ("query:show",
        "Show a query with its header, ready to paste into Neo4j Browser."),
    "query run": ("query_run:run_query",
        "Run a query of the library on the workspace's graph; it cannot change the graph."),
    "query cypher": ("query_run:run_cypher",
        "Run a Cypher statement; it can change the graph only with --write."),

    "enrich propose": ("enrich:propose",
        "Propose terms, names and relations that relevant pages of a run have and the topic's ontologies lack."),
    "enrich list": ("enrich:list_proposals",
        "List what crawls propose for the ontologies of a topic, with the crawls and what was decided."),
    "enrich decide": ("enrich:decide",
        "Decide about a proposal: the verdict becomes decisions of the topic, which every later version follows."),
    "enrich apply": ("enrich_apply:apply",
        "Apply what was decided about proposals: the next version of a topic's ontologies, in files and graph."),
    "enrich history": ("ontology_history:of_topic_history",
        "Show the versions of a topic's ontologies: the old name of `ontology history`, until 2.0."),
    "enrich rollback": ("ontology_history:of_topic_rollback",
        "Go back to an earlier version of a topic's ontologies: the old name of `ontology rollback`, until 2.0."),
    "enrich review": ("enrich_review:review",
        "Review proposals, each on a screen with its evidence: one key accepts, rejects, renames, moves or merges."),
    "enrich export": ("enrich_exchange:export",
        "Write proposals with their evidence to a spreadsheet for a reviewer; it is a ROBOT template, too."),
    "enrich import": ("enrich_exchange:import_",
        "Take the verdicts of spreadsheets as decisions: all of them or, if a row is wrong, none."),
    "enrich gaps": ("enrich_gaps:gaps",
        "Show what a topic's ontologies lack, and commands that crawl for classes without pages; and what grows."),
})  # fmt: skip
"""Command as typed -> MODULE:FUNCTION in ontocrawl.cli, and its line in the help.

The line begins the function's docstring, which is what `--help` of the command itself shows.
"""


USUAL: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType({
    "crawl run": (
        "topic", "classes", "seeds", "like", "strategy", "world", "limit_pages", "limit_time", "stay", "host", "run",
        "as_json",
    ),
    "ontology build": ("corpus", "out", "topic", "label", "words", "max_terms", "wordnet", "folder", "form", "as_json"),
})  # fmt: skip
"""Command with many options -> those that its `--help` shows; `--help-all` has the others, by their help panels."""
HELP_ALL = "help_all"
"""Name of the option, and key of the context in which it is asked for."""


# ---- help and usage in the language of the terminal


OUTPUT: Final = "ontocrawl.cli.output"
"""The module that has the language of messages. While nothing has imported it, that is English."""


def is_chinese() -> bool:
    """Return whether messages are in Chinese; nothing is imported to find out, as English help is quick."""
    return OUTPUT in sys.modules and sys.modules[OUTPUT].language == "zh"


@functools.cache
def _texts() -> Mapping[str, str]:
    from ontology.errors import help_texts

    return help_texts()


@functools.cache
def _declared() -> Mapping[str, str]:
    from ontocrawl.cli.crawl_options import help_in_chinese

    return help_in_chinese()


def in_chinese(text: str) -> str:
    """Return a text of the help in Chinese; as it is, where it has no Chinese form."""
    return _texts()[text] if text in _texts() else _declared().get(text, text)


_REMARKS = re.compile(r"(.*?)(?:^|  )\[([^\[\]]*)\]", re.DOTALL)
"""The help of an option, and what typer adds to it: the default, the range, that it is required."""


def _described(text: str) -> str:
    """Return the help of an option, an argument or a command in Chinese."""
    found = _REMARKS.fullmatch(text)
    if found is None:
        return in_chinese(text)
    remarks = (remark.partition(": ") for remark in found[2].split("; "))
    told = "；".join(f"{_texts().get(name, name)}{'：' if colon else ''}{value}" for name, colon, value in remarks)
    return f"{in_chinese(found[1])}  [{told}]".strip()


def _lines(text: str, width: int) -> str:
    """Return a text in lines that typer leaves as they are: it would count a wide character as one cell."""
    from ontocrawl.terminal.cell_width import wrapped

    lines = ("".join(character for character, _ in line) for line in wrapped(((one, 0) for one in text), width))
    return "\n".join(("\b", *lines))


_FORMATTER: Any = typer.Context.formatter_class


class Chinese(_FORMATTER):  # type: ignore[misc]  # of typer's own, which has no public name
    """A formatter of help and usage in Chinese: all their texts pass through it."""

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        """Write how a command is called, arguments below each other where the line is too short."""
        for words in ("[OPTIONS]", "COMMAND [ARGS]..."):
            args = args.replace(words, in_chinese(words))
        start = f"{in_chinese('Usage')}：{prog} "
        beyond = " " * (len(start) + start.index("：") + 1)  # the characters of the first word are wide
        if len(beyond) + 20 > self.width:
            start, beyond = f"{start.rstrip()}\n    ", " " * 4
        _, *lines = _lines(args, self.width - len(beyond)).split("\n")
        self.write(start + f"\n{beyond}".join(lines) + "\n")

    def write_heading(self, heading: str) -> None:
        """Write the heading of a section."""
        self.write(f"{'':>{self.current_indent}}{in_chinese(heading)}：\n")

    def write_text(self, text: str) -> None:
        """Write paragraphs."""
        paragraphs = (in_chinese(" ".join(one.split())) for one in text.split("\n\n"))
        super().write_text("\n\n".join(_lines(one, self.width - self.current_indent) for one in paragraphs))

    def write_dl(self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2) -> None:
        """Write names, each with its help in a second column."""
        rows = list(rows)
        first = min(max(len(name) for name, _ in rows), col_max) + col_spacing
        room = max(self.width - first - self.current_indent, 20)
        super().write_dl([(name, text and _lines(_described(text), room)) for name, text in rows], col_max, col_spacing)


class Told(typer.Context):
    """The context of a command whose help and usage are in the language of messages."""

    def make_formatter(self) -> Any:
        """Make the formatter of help and usage when they are shown."""
        if is_chinese():
            self.formatter_class = Chinese
        return super().make_formatter()


class Command(TyperCommand):
    """A command with its help in the language of messages."""

    context_class = Told

    def get_short_help_str(self, limit: int = 45) -> str:
        """Return the line of the command in its group: cut in English; whole in Chinese, where it is shorter."""
        return str(self.help) if is_chinese() else super().get_short_help_str(limit)


class Group(TyperGroup):
    """A group of commands with its help in the language of messages."""

    context_class = Told

    def get_short_help_str(self, limit: int = 45) -> str:
        """Return the line of the group in the help of the program, as of a command."""
        return str(self.help) if is_chinese() else super().get_short_help_str(limit)


class Grouped(Command):
    """A command whose `--help` shows the usual options, and whose `--help-all` all of them in groups."""

    usual: tuple[str, ...] = ()

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the options: the usual ones, or all by groups."""
        groups: dict[str, list[Any]] = {"Options": []}
        for param in self.get_params(ctx):
            record = param.get_help_record(ctx)
            if record is not None:
                panel = getattr(param, "rich_help_panel", None) or "Options"
                groups.setdefault("Options" if param.name in self.usual else panel, []).append((param.name, record))
        everything = ctx.meta.get(HELP_ALL, False)
        own = (*self.usual, "help", HELP_ALL)
        groups["Options"].sort(key=lambda row: own.index(row[0]) if row[0] in own else len(own))
        for name, rows in groups.items():
            shown = [record for option, record in rows if everything or option in own]
            if shown:
                with formatter.section(name):
                    formatter.write_dl(shown)
        left = sum(option not in own for rows in groups.values() for option, _ in rows)
        if left and not everything:
            formatter.write_paragraph()
            hint = "more options: --help-all shows them."
            formatter.write_text(f"{left} {in_chinese(hint) if is_chinese() else hint}")


def answering(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function of a command that returns an `Answer` as one that prints it, with the options of its form."""
    signature = inspect.signature(function, eval_str=True)
    from ontocrawl.cli import output

    if signature.return_annotation is not output.Answer:
        return function

    writes_form = "form" in signature.parameters  # of a file that the command writes or reads

    @functools.wraps(function)
    def command(*, as_json: bool, **given: Any) -> None:
        form = output.chosen(output.Form.TABLE if writes_form else given.pop("form"), as_json=as_json)
        output.show(function(**given), form)

    own: list[tuple[str, Any, object]] = [("form", output.As, output.Form.TABLE), ("as_json", output.Json, False)]
    return as_arguments(command, own[1:] if writes_form else own)


class Deferred(Command):
    """A command whose function is imported only when its arguments are parsed."""

    def __init__(self, typed: str, place: str, line: str) -> None:
        super().__init__(typed.rpartition(" ")[2], help=line, rich_markup_mode=None)
        self.typed, self.place = typed, place

    def make_context(self, info_name: str | None, args: list[str], parent: Any = None, **extra: Any) -> Any:
        """Make the context of the function's command, with its options, help and completion."""
        return self.command().make_context(info_name, args, parent, **extra)

    def command(self) -> Any:
        """Import the function, and wrap it as a command."""
        module, _, function = self.place.partition(":")
        program = typer.Typer(add_completion=False, rich_markup_mode=None)
        usual = USUAL.get(self.typed)
        kind = Command if usual is None else type("Usual", (Grouped,), {"usual": usual})
        program.command(self.name, cls=kind)(answering(getattr(import_module(f"ontocrawl.cli.{module}"), function)))
        return typer.main.get_command(program)


def add_to(program: TyperGroup) -> None:
    """Add all groups and commands of the tables to a program, commands without a group first."""
    nouns = {
        noun: Group(name=noun, help=line, no_args_is_help=True, rich_markup_mode=None) for noun, line in GROUPS.items()
    }
    for typed, (place, line) in COMMANDS.items():
        noun = typed.rpartition(" ")[0]
        (nouns[noun] if noun else program).add_command(Deferred(typed, place, line))
    for group in nouns.values():
        program.add_command(group)
