#!/bin/sh
# SPDX-License-Identifier: MIT
# Installs the Python package with all of its parts into a virtual environment, build-python/venv, and runs its tests.
# Arguments go to pytest, for example: tools/python_test.sh -k vision
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
"$here/tools/install_dependencies.sh" python3-dev python3-venv graphviz
cd "$here"
[ -x build-python/venv/bin/python ] || python3 -m venv build-python/venv
build-python/venv/bin/pip install ".[test]"
build-python/venv/bin/python -m pytest -q "$@"
