#!/bin/sh
# SPDX-License-Identifier: MIT
# Installs the Python package into a virtual environment, build-python/venv, and reads a picture of a printed line with it.
#   tools/python_demo.sh [picture]
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
"$here/tools/install_dependencies.sh" python3-dev python3-venv
cd "$here"
[ -x build-python/venv/bin/python ] || python3 -m venv build-python/venv
build-python/venv/bin/pip install -q .
build-python/venv/bin/python demos/python/read_line.py "${1:-tmp/line_hello.png}"
