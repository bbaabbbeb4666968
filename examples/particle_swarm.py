"""Particle swarm: how many particles find the weights of a priority?

python -m examples.particle_swarm
"""

from functools import partial

from examples import compare_values, show

STRATEGY, PARAMETER = "fcpso", "particles"
VALUES = (2, 20)
main = partial(compare_values, STRATEGY, PARAMETER, VALUES)

if __name__ == "__main__":
    show(main())
