# SPDX-License-Identifier: MIT
"""A service that answers the Open Inference Protocol (V2) over HTTP and gRPC, built on KServe's model server.

`kuiper-serve --models FOLDER` starts it; docs/serving.md describes the folder, the options and the answers.
"""
