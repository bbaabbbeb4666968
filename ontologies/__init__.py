"""OWL files and topics that ship with ontocrawl: data only, read through importlib.resources."""
