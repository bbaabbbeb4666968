"""`ontology settle`: settle the order of some terms by the fewest questions to a person (attribute exploration)."""
