# SPDX-License-Identifier: MIT
"""Generation of text by OpenAI's protocol, below `/openai/v1` as KServe has it.

KServe's own classes for these paths import vLLM, which needs gigabytes and has an engine of its own. Paths and answers
are those; the classes are here.
"""
