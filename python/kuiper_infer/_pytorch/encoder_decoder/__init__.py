# SPDX-License-Identifier: MIT
"""Encoder-decoders of transformers as two models: the source's keys and values, and a step of generation."""
