"""Ontology learning: paper records in, ontology out. Pure; no network and no database."""
