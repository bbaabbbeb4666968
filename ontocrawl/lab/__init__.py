"""The lab: crawlers compared on webs with known truth, at equal cost, with statistics and one report."""
