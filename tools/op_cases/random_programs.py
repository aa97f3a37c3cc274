# SPDX-License-Identifier: MIT
"""Cases: random programs of fixed seeds (tools/random_programs.py has any number of them)."""
from random_programs.program import random_program

from .case import CASES, Case

# Without 33, which the converter writes as aten::_unique2; 7093 finds positions by argwhere, 6106 has a factor to truncate.
SEEDS = [seed for number in SEEDS:
    CASES.append(RandomCase(number))
