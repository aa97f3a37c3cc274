#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Builds build-static/bin/kuiper, one file that runs on any Linux of this architecture, or build-static-aarch64/bin/kuiper, one
# for 64-bit ARM.
#   tools/build_static.sh [--aarch64] [--test]
# --test: runs the program on the sample models, and compares its results with those of the program in build/, if there is one.
# It is run in an empty root folder, for which the user has to be root, and its start-up time is printed; that for 64-bit ARM is
# run in QEMU's emulation.
set -euo pipefail
cd "$(dirname "$0")/.."
cross=
if [ "${1:-}" = --aarch64 ]; then
  cross=yes
  shift
fi
gcc_version=$(gcc -dumpversion)
gcc_version=${gcc_version%%.*}
if [ "$cross" ]; then
  build=build-static-aarch64
  tools/install_dependencies.sh g++-aarch64-linux-gnu "libgfortran-$gcc_version-dev-arm64-cross" qemu-user
  export KUIPER_ROOT=$PWD/$build-root
  tools/arm64_root.sh "$KUIPER_ROOT" libarmadillo-dev libopenblas-openmp-dev libhwy-dev libgoogle-glog-dev libgflags-dev libunwind-dev \
    liblzma-dev libdeflate-dev libpcre2-dev libutf8proc-dev libjpeg-dev libpng-dev zlib1g-dev nlohmann-json3-dev libcli11-dev
  options=(-B "$build" "-DCMAKE_TOOLCHAIN_FILE=$PWD/cmake/aarch64.cmake")
  strip=aarch64-linux-gnu-strip
else
  build=build-static
  tools/install_dependencies.sh "libgfortran-$gcc_version-dev" liblzma-dev libunwind-dev libgflags-dev
  options=()
  strip=strip
fi
cmake --preset static "${options[@]}" >$build.log 2>&1 || { tail -30 $build.log; exit 1; }
mv $build.log $build/log
cmake --build $build --target kuiper >$build/log || { tail -50 $build/log; exit 1; }
$strip -o $build/bin/kuiper.stripped $build/bin/kuiper
mv $build/bin/kuiper.stripped $build/bin/kuiper
ls -l $build/bin/kuiper
[ "${1:-}" = --test ] || exit 0

root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
cp $build/bin/kuiper tmp/line_reader.pnnx.* tmp/line_hello.png tmp/shape_detector.pnnx.* tmp/shapes.png "$root"
if [ "$cross" ]; then
  inside() { (cd "$root" && qemu-aarch64 ./kuiper "$@"); }
else
  inside() { chroot "$root" /kuiper "$@"; }
fi
if readelf --program-headers $build/bin/kuiper | grep -q INTERP; then
  echo "$build/bin/kuiper needs shared libraries" >&2
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
  if [ "$cross" ]; then
    python3 tools/compare_npy.py 1e-4 "$root"/{reader,reader_shared}/out0.npy
    python3 tools/compare_npy.py 1e-4 "$root"/{detector,detector_shared}/out0.npy
  else
    cmp "$root"/{reader,reader_shared}/out0.npy
    cmp "$root"/{detector,detector_shared}/out0.npy
  fi
  echo "results equal those of build/bin/kuiper"
fi
[ -z "$cross" ] || exit 0
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
