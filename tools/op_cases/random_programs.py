# SPDX-License-Identifier: MIT
"""Cases: random programs of fixed seeds (tools/random_programs.py has any number of them)."""
from random_programs.program import random_program

from .case import CASES, Case

UNIQUE = 33  # torch.unique of integers, an operator of its own in files


class RandomCase(Case):
    def __init__(self, seed):
        super().__init__(f"seed_{seed}", None)
        self.seed = seed

    def build(self):
        program = random_program(self.seed)
        self.tolerance = program.tolerance
        return program.make_model(), program.inputs, None


for seed in range(61):
    if seed != UNIQUE:
        CASES.append(RandomCase(seed))
