"""Running the competency questions of an ontology: SPARQL over its files, Cypher over the graph."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import rdflib
from rdflib.query import ResultRow

from kg.sparql import refuse_service
from kg.store import GraphStore, StoreError
from ontocrawl import topics
from ontocrawl.errors import UsageError
from ontocrawl.workspace import Workspace
from ontology import owl
from ontology.competency import Question, QuestionFile, QuestionResult, judge, read
from ontology.model import Ontology

PREFIXES = {"owl": rdflib.OWL, "rdfs": rdflib.RDFS, "rdf": rdflib.RDF, "skos": rdflib.SKOS, "dcterms": rdflib.DCTERMS}
FOLDER = "questions"


def questions_of(topic: str, workspace: Workspace) -> QuestionFile | None:
    """The questions of a topic: the workspace's file before the shipped one; None where there is neither."""
    with topics.file_of(f"{FOLDER}/{topic}.toml", workspace) as path:
        return None if path is None else read(path)


def sparql_graph(ontologies: Sequence[Ontology]) -> rdflib.Graph:
    """All triples of the ontologies; the empty prefix is the namespace of the first one's root."""
    graph = rdflib.Graph()
    for ontology in ontologies:
        graph.parse(data=owl.text(ontology, "ntriples"), format="nt")
    for prefix, namespace in PREFIXES.items():
        graph.bind(prefix, namespace)
    root = ontologies[0].root
    graph.bind("", rdflib.Namespace(root[: max(root.rfind("#"), root.rfind("/")) + 1]), replace=True)
    return graph


def answers(question: Question, graph: rdflib.Graph | None, store: GraphStore | None) -> list[dict[str, Any]]:
    """The rows of a question's query. Raises UsageError, naming the question, for a query that cannot be run."""
    try:
        return _cypher(question, store) if question.language == "cypher" else _sparql(question, graph)
    except UsageError:
        raise
    except StoreError as error:
        raise UsageError(f"question {question.id}: {error}") from error


def _cypher(question: Question, store: GraphStore | None) -> list[dict[str, Any]]:
    if store is None:
        raise UsageError(f"question {question.id} is Cypher, and there is no graph to ask")
    return store.read(question.query)


def _sparql(question: Question, graph: rdflib.Graph | None) -> list[dict[str, Any]]:
    if graph is None:
        raise UsageError(f"question {question.id} is SPARQL, and there is no ontology to ask")
    try:
        refuse_service(question.query)
        found = graph.query(question.query)
    except Exception as error:  # rdflib's parser and evaluator raise kinds of several libraries
        said = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise UsageError(f"question {question.id}: its SPARQL cannot be run: {said}") from error
    if found.type == "ASK":
        return [{"answer": True}] if found.askAnswer else []
    return [_row(row) for row in found if isinstance(row, ResultRow)]


def _row(row: ResultRow) -> dict[str, Any]:
    return {str(name): None if value is None else str(value) for name, value in row.asdict().items()}


def check(
    questions: Sequence[Question], ontologies: Sequence[Ontology], store: GraphStore | None
) -> Iterator[QuestionResult]:
    """The verdict of each question, in order."""
    graph = sparql_graph(ontologies) if any(q.language == "sparql" for q in questions) and ontologies else None
    for question in questions:
        yield judge(question, answers(question, graph, store))
