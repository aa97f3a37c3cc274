# SPDX-License-Identifier: MIT
"""Cases: random programs of fixed seeds (tools/random_programs.py has any number of them)."""
from random_programs.program import random_program

from ..case import CASES, Case

# 6106 has a factor that is truncated, 7093 uses argwhere, 103581 unbinds a vector of one element.
SEEDS = [*range(62), 6106, 7093, 103581]


class RandomCase(Case):
    def __init__(self, seed):
        super().__init__(f"seed_{seed}", None)
        self.seed = seed

    def build(self):
        program = random_program(self.seed)
        self.tolerance = program.tolerance
        return program.make_model(), program.inputs, None


for number in SEEDS:
    CASES.append(RandomCase(number))
