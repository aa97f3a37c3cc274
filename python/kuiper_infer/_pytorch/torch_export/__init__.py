# SPDX-License-Identifier: MIT
"""Writes the files of a model from the graph that torch.export makes of a module."""
