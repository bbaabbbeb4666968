"""Synthetic webs of 1,000 to 10^8 pages whose figures are those of real webs: each figure is a parameter."""

from crawler.worlds.synthetic.calibrated.parameters import CALIBRATED, Parameters
from crawler.worlds.synthetic.calibrated.world import CalibratedWorld

__all__ = ["CALIBRATED", "CalibratedWorld", "Parameters"]
