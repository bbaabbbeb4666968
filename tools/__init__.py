"""Programs that write what is committed: curated ontologies, pages of docs. They are no part of the package."""
