"""The weights of J (crawler.scoring.logistic_relevance), written by `python -m tools.fit_judge`.

Fitted on these topics of labelled webs (benchmarks/judged_webs.py); docs/benchmarks/judge.md says how J
ranks the pages of each web when it is fitted on the others.

* wikispeedia: computing, dinosaurs, mammals, mathematics, plants, railway, rulers, hazard_all
* emergencies: pollution, covid, traffic, fire, earthquake, food_poisoning, terrorism
* disciplines: atmosphere, law, food, transport, mathematics
* synthetic: planted, rainstorm, typhoon
"""

INTERCEPT = 1.2924
WEIGHTS = (
    0.2427,  # density
    0.3434,  # lead
    1.7323,  # title
    0.348,  # distinct
    1.4162,  # saturated
    1.3686,  # bm25
    0.9169,  # cosine
    -0.3431,  # length
)
