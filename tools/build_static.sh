#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Builds build-static/bin/kuiper, one file that runs on any Linux of this architecture.
#   tools/build_static.sh [--test]
# --test, as root: runs the program in an empty root folder on the sample models, compares its results with those of the
# program in build/, if there is one, and prints size and start-up time.
set -euo pipefail
cd "$(dirname "$0")/.."
gcc_version=$(gcc -dumpversion)
tools/install_dependencies.sh "libgfortran-${gcc_version%%.*}-dev" liblzma-dev libunwind-dev libgflags-dev
cmake --preset static >build-static.log 2>&1 || { tail -30 build-static.log; exit 1; }
mv build-static.log build-static/log
cmake --build build-static --target kuiper >build-static/log || { tail -50 build-static/log; exit 1; }
strip -o build-static/bin/kuiper.stripped build-static/bin/kuiper
mv build-static/bin/kuiper.stripped build-static/bin/kuiper
ls -l build-static/bin/kuiper
[ "${1:-}" = --test ] || exit 0

root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
cp build-static/bin/kuiper tmp/line_reader.pnnx.* tmp/line_hello.png tmp/shape_detector.pnnx.* tmp/shapes.png "$root"
inside() { chroot "$root" /kuiper "$@"; }
if ldd build-static/bin/kuiper >/dev/null 2>&1; then
  echo "build-static/bin/kuiper needs shared libraries" >&2
  exit 1
fi
reader=(--param line_reader.pnnx.param --bin line_reader.pnnx.bin --image line_hello.png --color gray --image-size 32 200)
detector=(--param shape_detector.pnnx.param --bin shape_detector.pnnx.bin --image shapes.png)
inside run "${reader[@]}" --output-dir reader >/dev/null
inside run "${detector[@]}" --output-dir detector >/dev/null
if inside run "${reader[@]}" --plugin own.so 2>"$root/errors"; then
  echo "a plugin was loaded" >&2
  exit 1
fi
grep -q 'error: own.so: cannot be loaded by a program without shared libraries' "$root/errors"
if [ -x build/bin/kuiper ]; then
  shared=$PWD/build/bin/kuiper
  (cd tmp && "$shared" run "${reader[@]}" --output-dir "$root/reader_shared" >/dev/null)
  (cd tmp && "$shared" run "${detector[@]}" --output-dir "$root/detector_shared" >/dev/null)
  cmp "$root/reader/out0.npy" "$root/reader_shared/out0.npy"
  cmp "$root/detector/out0.npy" "$root/detector_shared/out0.npy"
  echo "results equal those of build/bin/kuiper"
fi
python3 - "$root" <<'PYTHON'
import subprocess
import sys
import time

times = []
for _ in range(20):
    start = time.perf_counter()
    subprocess.run(["chroot", sys.argv[1], "/kuiper", "--version"], check=True, stdout=subprocess.DEVNULL)
    times.append(time.perf_counter() - start)
print(f"start-up and end: {min(times) * 1e3:.1f} ms")
PYTHON
