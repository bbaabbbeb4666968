"""Evidence beside formal concept analysis: topics of terms (LDA) and association rules (Apriori)."""

from ontology.evidence.apriori import AprioriError, Itemset, Rule, association_rules, frequent_itemsets
from ontology.evidence.lda import TopicError, Topics, find_topics
from ontology.evidence.mined import FCA_ONLY, KINDS, Kind, Mined, admitted, corpus_topics, mined, outline

__all__ = [
    "FCA_ONLY",
    "KINDS",
    "AprioriError",
    "Itemset",
    "Kind",
    "Mined",
    "Rule",
    "TopicError",
    "Topics",
    "admitted",
    "association_rules",
    "corpus_topics",
    "find_topics",
    "frequent_itemsets",
    "mined",
    "outline",
]
