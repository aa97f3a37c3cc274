#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Installs a build, moves the tree and uses it like a user: by find_package and by pkg-config, with g++ and clang++
# (if installed), C++17 and C++20, plain C, the static and the shared library, from the tree and from the Debian package.
#
#   test/package/check_install.sh [BUILD_FOLDER]        (default: build)
#
# A build with KUIPER_BUILD_SHARED=ON has both libraries, one without it the static one; pkg-config answers differently.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
build=$(cd "${1:-$root/build}" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
model=$root/tmp/line_reader

# run PROGRAM: expects the sum of all numbers of the output, which all programs print alike.
expected=
run() {
  local printed
  printed=$("$1" "$model" 2>/dev/null)
  expected=${expected:-$printed}
  [ "$printed" = "$expected" ] || { echo "$1 printed '$printed', expected '$expected'"; exit 1; }
}

cmake --install "$build" --prefix "$work/first" >/dev/null
mv "$work/first" "$work/tree"
# Paths of the building machine, its compiler's own folder among them, would bind the tree to that machine.
if grep -rnE '(^|[ ;"=IL])/[A-Za-z]' "$work/tree" --include='*.cmake' --include='*.pc'; then
  echo "the installed package names absolute paths"
  exit 1
fi
for internal in kernel shape runtime/program.hpp cli; do
  [ ! -e "$work/tree/include/kuiper_infer/$internal" ] || { echo "internal header installed: $internal"; exit 1; }
done

# Each header by itself, with all warnings; once, by a build that has the static library alone.
if [ ! -e "$build/source/libkuiper_infer.so" ]; then
  headers=$(cd "$work/tree/include" && find kuiper_infer -name '*.h' -o -name '*.hpp')
  for spelling in "" -DKUIPER_NEWER_SPELLING; do
    xargs -P "$(nproc)" -I{} sh -c "echo '#include \"{}\"' |
      g++ -std=c++17 $spelling -Wall -Wextra -Werror -fsyntax-only -I'$work/tree/include' -x c++ - ||
      { echo '{} does not compile alone'; exit 255; }" <<<"$headers"
  done
  echo "$(wc -w <<<"$headers") headers compile alone"
fi

for compilers in "gcc g++" "clang-14 clang++-14"; do
  read -r cc cxx <<<"$compilers"
  command -v "$cxx" >/dev/null || { echo "no $cxx here, left out"; continue; }
  for standard in 17 20; do
    out=$work/$cxx-$standard
    cmake -S "$root/test/package/consumer" -B "$out" -DCMAKE_PREFIX_PATH="$work/tree" -DCMAKE_C_COMPILER="$cc" \
      -DCMAKE_CXX_COMPILER="$cxx" -DCONSUMER_STANDARD="$standard" >"$work/log" 2>&1 &&
      cmake --build "$out" >>"$work/log" 2>&1 || { tail -40 "$work/log"; exit 1; }
    for program in "$out"/{classic,facade,c}_kuiper_infer*; do run "$program"; done
    echo "$cxx, C++$standard: find_package, $(ls "$out" | grep -c '_kuiper_infer') programs, all print $expected"
  done
done

export PKG_CONFIG_PATH
PKG_CONFIG_PATH=$(dirname "$(find "$work/tree" -name kuiper_infer.pc)")
cd "$root/test/package/consumer"
library_folder=$(pkg-config --variable=libdir kuiper_infer)
if [ -e "$library_folder/libkuiper_infer.so" ]; then
  [ "$(pkg-config --libs-only-l kuiper_infer | xargs)" = -lkuiper_infer ] ||
    { echo "pkg-config lists more than the shared library: $(pkg-config --libs kuiper_infer)"; exit 1; }
fi
for compilers in "gcc g++" "clang-14 clang++-14"; do
  read -r cc cxx <<<"$compilers"
  command -v "$cxx" >/dev/null || continue
  # Links what is installed: the shared library if it exists, the static one otherwise. Neither needs --static.
  # shellcheck disable=SC2046
  "$cxx" -std=c++17 facade.cpp -o "$work/plain" $(pkg-config --cflags --libs kuiper_infer) -Wl,-rpath,"$library_folder"
  # shellcheck disable=SC2046
  "$cc" -std=c99 c_program.c -o "$work/plain_c" $(pkg-config --cflags --libs kuiper_infer) -Wl,-rpath,"$library_folder"
  # Links the static library although there is a shared one.
  # shellcheck disable=SC2046
  "$cxx" -std=c++17 facade.cpp -o "$work/static" $(pkg-config --cflags kuiper_infer) "$library_folder/libkuiper_infer.a" \
    $(pkg-config --static --libs kuiper_infer | sed 's/-lkuiper_infer//')
  for program in plain plain_c static; do run "$work/$program"; done
  echo "pkg-config: $(pkg-config --libs kuiper_infer | sed "s:$work/::g") serves $cc and $cxx"
done

if [ -e "$library_folder/libkuiper_infer.so" ]; then
  # shellcheck disable=SC2046
  cc -std=gnu99 -Wall -Wextra -Werror closing_program.c -DKUIPER_LIBRARY="\"$library_folder/libkuiper_infer.so\"" \
    $(pkg-config --cflags kuiper_infer) -ldl -o "$work/closing"
  run "$work/closing"
  echo "a program that opens and closes the shared library goes on"
fi

if [ -e "$build/source/libkuiper_infer.so" ]; then
  others=$(nm -DC --defined-only "$build/source/libkuiper_infer.so" |
    grep -cvE ' (kuiper_infer::|pnnx::|std::vector<.*> kuiper_infer::RuntimeAttribute::get|(typeinfo|typeinfo name|vtable|guard variable|VTT|construction vtable) for |non-virtual thunk to |virtual thunk to |kuiper_[a-z_]+$)' || true)
  [ "$others" = 0 ] || { echo "the shared library exports $others symbols of others"; exit 1; }
  exported=$(nm -D --defined-only "$build/source/libkuiper_infer.so")
  for name in $(sed -nE 's/^KUIPER_C_API .*\b(kuiper_[a-z_]+)\(.*/\1/p' "$root/include/kuiper_infer/kuiper_c.h"); do
    grep -q " $name$" <<<"$exported" ||
      { echo "the shared library does not export $name"; exit 1; }
  done
  echo "shared library: exports the C interface and its own symbols only"
fi

(cd "$work" && cpack --config "$build/CPackConfig.cmake" -B "$work/package" >"$work/log" 2>&1) || { tail -20 "$work/log"; exit 1; }
package=$(ls "$work"/package/*.deb)
dpkg-deb --extract "$package" "$work/unpacked"
cmake -S "$root/test/package/consumer" -B "$work/from_package" -DCMAKE_PREFIX_PATH="$work/unpacked/usr" >"$work/log" 2>&1 &&
  cmake --build "$work/from_package" >>"$work/log" 2>&1 || { tail -40 "$work/log"; exit 1; }
run "$work/from_package/facade_kuiper_infer"
echo "Debian package: $(basename "$package"), $(($(stat -c %s "$package") / 1024)) KiB"
