# SPDX-License-Identifier: MIT
"""What `kuiper_infer.Generator` and the service are made of: answers that are computed together, token by token."""
