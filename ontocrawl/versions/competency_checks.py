"""Check the competency questions of an ontology: SPARQL over its files, Cypher over the graph."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import rdflib
from rdflib.plugins.sparql import algebra, prepareQuery
from rdflib.plugins.sparql.parserutils import CompValue
from rdflib.plugins.sparql.sparql import Query
from rdflib.query import ResultRow

from kg.load import is_loaded, load_ontology
from kg.sparql import refuse_service
from kg.store import GraphStore, StoreError
from ontocrawl.base.workspace import Workspace
from ontocrawl.errors import UsageError
from ontocrawl.graph import graph_store
from ontocrawl.topics import topics
from ontology import owl
from ontology.competency import Question, QuestionFile, QuestionResult, judge, read
from ontology.model import Ontology

PREFIXES = {"owl": rdflib.OWL, "rdfs": rdflib.RDFS, "rdf": rdflib.RDF, "skos": rdflib.SKOS, "dcterms": rdflib.DCTERMS}
FOLDER = "questions"


def questions_of(topic: str, workspace: Workspace) -> QuestionFile | None:
    """Read the competency questions of a topic.

    Args:
        topic: name of the topic.
        workspace: its file of questions takes precedence over the shipped one.

    Returns:
        The questions; None for a topic without any.
    """
    with topics.file_of(f"{FOLDER}/{topic}.toml", workspace) as path:
        return None if path is None else read(path)


def _sparql_graph(ontologies: Sequence[Ontology]) -> rdflib.Graph:
    """Return an RDF graph of all ontologies; the empty prefix is the namespace of the first ontology's root."""
    graph = rdflib.Graph()
    for ontology in ontologies:
        graph.parse(data=owl.text(ontology, "ntriples"), format="nt")
    for prefix, namespace in PREFIXES.items():
        graph.bind(prefix, namespace)
    root = ontologies[0].root
    graph.bind("", rdflib.Namespace(root[: max(root.rfind("#"), root.rfind("/")) + 1]), replace=True)
    return graph


def _answers(question: Question, graph: rdflib.Graph | None, store: GraphStore | None) -> list[dict[str, Any]]:
    """Run the query of a question.

    Args:
        question: the question.
        graph: the RDF graph for SPARQL; None where there is none.
        store: the property graph for Cypher; None where there is none.

    Returns:
        The rows, each as column -> value; one row for an ASK query that holds, else none.

    Raises:
        UsageError: the query cannot be run; the message names the question.
    """
    try:
        return _cypher(question, store) if question.language == "cypher" else _sparql(question, graph)
    except UsageError:
        raise
    except StoreError as error:
        raise UsageError("versions.question_error", question_id=question.id, error=error) from error


def _cypher(question: Question, store: GraphStore | None) -> list[dict[str, Any]]:
    if store is None:
        raise UsageError("versions.question_graph", question_id=question.id)
    return store.read(question.query)


def _sparql(question: Question, graph: rdflib.Graph | None) -> list[dict[str, Any]]:
    if graph is None:
        raise UsageError("versions.question_ontology", question_id=question.id)
    try:
        refuse_service(question.query)
        result = graph.query(_local(question.query, graph))
    except Exception as error:  # rdflib's parser and evaluator raise errors of several libraries
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise UsageError("versions.question_sparql", question_id=question.id, reason=reason) from error
    if result.type == "ASK":
        return [{"answer": True}] if result.askAnswer else []
    return [_row(row) for row in result if isinstance(row, ResultRow)]


def _local(query: str, graph: rdflib.Graph) -> Query:
    """Return a query as rdflib reads it; UsageError if any part of it would be fetched: SERVICE, FROM."""
    prepared = prepareQuery(query, initNs=dict(graph.namespaces()))
    clauses: list[str] = ["FROM"] if prepared.algebra.get("datasetClause") else []

    def note(part: object) -> None:
        if isinstance(part, CompValue) and part.name == "ServiceGraphPattern":
            clauses.append("SERVICE")

    algebra.traverse(prepared.algebra, visitPre=note)
    if clauses:
        raise UsageError("versions.would_fetched_another_server", clauses=clauses[0])
    return prepared


def _row(row: ResultRow) -> dict[str, Any]:
    return {str(name): None if value is None else str(value) for name, value in row.asdict().items()}


def check(
    questions: Sequence[Question], ontologies: Sequence[Ontology], store: GraphStore | None
) -> Iterator[QuestionResult]:
    """Check competency questions, one at a time.

    Args:
        questions: the questions.
        ontologies: the ontologies for questions in SPARQL.
        store: the property graph for questions in Cypher; None where there is none.

    Yields:
        The result of each question, in order.

    Raises:
        UsageError: a query cannot be run.
    """
    graph = _sparql_graph(ontologies) if any(q.language == "sparql" for q in questions) and ontologies else None
    for question in questions:
        yield judge(question, _answers(question, graph, store))


def results(
    questions: Sequence[Question], ontologies: Sequence[Ontology], workspace: Workspace, *, load: bool = True
) -> list[QuestionResult]:
    """Check competency questions; the graph of a workspace is opened if one of them is in Cypher.

    Args:
        questions: the questions.
        ontologies: the ontologies.
        workspace: the workspace.
        load: load the ontologies that the graph lacks; else they are an error.

    Returns:
        The result of each question, in order.

    Raises:
        UsageError: a query cannot be run, or the graph lacks an ontology.
        StoreError: the graph cannot be opened.
    """
    with _graph(questions, ontologies, workspace, load) as store:
        return list(check(questions, ontologies, store))


@contextmanager
def _graph(
    questions: Sequence[Question], ontologies: Sequence[Ontology], workspace: Workspace, load: bool
) -> Iterator[GraphStore | None]:
    """Open the graph, with the ontologies loaded, if a question is in Cypher; else yield None."""
    if all(q.language == "sparql" for q in questions):
        yield None
        return
    with graph_store.store(workspace) as store:
        missing = [ontology for ontology in ontologies if not is_loaded(store, ontology)]
        if missing and not load:
            raise UsageError("versions.ontology_not_in_graph", key=missing[0].key)
        for ontology in missing:
            load_ontology(store, ontology)
        yield store


def as_json(result: QuestionResult) -> dict[str, Any]:
    """Return the result of a question as JSON values."""
    question = result.question
    return {
        "id": question.id,
        "zh": question.zh,
        "en": question.en,
        "language": question.language,
        "rows": result.rows,
        "holds": result.holds,
        "reasons": result.reasons,
    }
