#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds the library and reads a picture of a printed line with the model that ships in tmp/.
#   tools/demo.sh [picture]
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
"$here/tools/install_dependencies.sh"
cd "$here"
cmake --preset release -DKUIPER_BUILD_TESTS=OFF -DKUIPER_BUILD_BENCH=OFF >/dev/null
cmake --build build
build/bin/read_line --model tmp/line_reader "${1:-tmp/line_hello.png}"
