#!/bin/sh
# SPDX-License-Identifier: MIT
# Installs the Python package with its extras into a virtual environment, build-python/venv, and runs its tests. Tests of
# exports are skipped unless PyTorch and pnnx are installed. Triton's client has an environment of its own, because it
# conflicts with KServe. Arguments go to pytest, for example: tools/python_test.sh -k vision
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
"$here/tools/install_dependencies.sh" python3-dev python3-venv graphviz curl
cd "$here"
environments=build-python
for name in venv triton; do
  [ -x $environments/$name/bin/python ] || python3 -m venv $environments/$name
done
$environments/venv/bin/pip install -q ".[test]"
$environments/triton/bin/pip install -q "tritonclient[grpc,http]>=2.73,<3"
KUIPER_TRITON_PYTHON="$here/$environments/triton/bin/python" $environments/venv/bin/python -m pytest -q "$@"
