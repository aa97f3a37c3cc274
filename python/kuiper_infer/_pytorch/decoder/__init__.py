# SPDX-License-Identifier: MIT
"""Exports decoders of the package transformers, one step of generation as a graph."""
