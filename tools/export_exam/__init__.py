# SPDX-License-Identifier: MIT
"""Architectures that the exam of exports takes, and how one of them is judged."""
