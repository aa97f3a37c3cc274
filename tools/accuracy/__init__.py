# SPDX-License-Identifier: MIT
"""Accuracy of number formats on tasks: a file for each task, formats.py makes the models, table.py writes the results."""
