# SPDX-License-Identifier: MIT
"""Random PyTorch programs: program.py builds one from a seed, operations.py says what may stand in it, exam.py compares."""
