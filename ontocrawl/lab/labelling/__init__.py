"""Labels by a person: a sample of a run's pages, what people say about them, and the measures of the run by that."""

from ontocrawl.lab.labelling.measures import export, report
from ontocrawl.lab.labelling.sample import LabelError, Verdict
from ontocrawl.lab.labelling.session import Labelling

__all__ = ["LabelError", "Labelling", "Verdict", "export", "report"]
