"""The engines of tests/kg, for the queries that run on them."""

from __future__ import annotations

from tests.kg.conftest import embedded_engine, neo4j_engine, store

__all__ = ["embedded_engine", "neo4j_engine", "store"]
