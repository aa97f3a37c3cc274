#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Builds build-windows/kuiper.exe, the library for Windows, and a zip of both.
#   tools/build_windows.sh [--test]
# --test: tries them in Wine. Runs the program on the sample models and compares its results with those of the program in
# build/, if there is one; tries paths with spaces and other alphabets, and CRLF files; builds a C program against the DLL;
# runs the suite, but for the programs that test/CMakeLists.txt leaves out on Windows; prints sizes and start-up time.
set -euo pipefail
cd "$(dirname "$0")/.."
tools/install_dependencies.sh g++-mingw-w64-x86-64-posix libz-mingw-w64-dev googletest nasm wine wine64 zip
root=$PWD/build-windows-root  # outside: CMake allows no libraries within the build folder
tools/windows_libraries.sh "$root"
export KUIPER_ROOT=$root WINEPREFIX=$PWD/build-windows/wine WINEDEBUG=-all
mkdir -p build-windows
cmake --preset windows >build-windows/log 2>&1 || { tail -30 build-windows/log; exit 1; }
cmake --build build-windows --target kuiper kuiper_infer kuiper_infer_shared >build-windows/log || { tail -50 build-windows/log; exit 1; }

# package NAME: a folder and a zip with what a person needs.
package() {
  local folder=build-windows/$1
  rm -rf "$folder" "$folder.zip"
  mkdir -p "$folder"/{include,lib,licences}
  x86_64-w64-mingw32-strip -o "$folder/kuiper.exe" build-windows/bin/kuiper.exe
  x86_64-w64-mingw32-strip -o "$folder/kuiper_infer.dll" build-windows/bin/kuiper_infer.dll
  cp build-windows/source/libkuiper_infer.dll.a build-windows/source/libkuiper_infer.a "$folder/lib"
  cp -r include/kuiper_infer build-windows/include/kuiper_infer "$folder/include"
  cp LICENSE "$folder/licences/KuiperInfer.txt"
  cp "$root"/licences/*.txt "$folder/licences"
  for name in libarmadillo-dev libhwy-dev libcli11-dev nlohmann-json3-dev libz-mingw-w64-dev gcc-mingw-w64-base mingw-w64-common; do
    cp "/usr/share/doc/$name/copyright" "$folder/licences/$name.txt"
  done
  cp cmake/windows_readme.txt "$folder/README.txt"
  # The same bytes for the same files: their times are those of a release's commit, if there is one.
  find "$folder" -exec touch -d "@${SOURCE_DATE_EPOCH:-$(date +%s)}" {} +
  (cd build-windows && find "$1" | LC_ALL=C sort | TZ=UTC zip -qX "$1.zip" -@)
}
version=$(sed -n 's/^project(KuiperInfer VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
package "kuiper-$version-windows-x86_64"
cp "build-windows/kuiper-$version-windows-x86_64/kuiper.exe" build-windows/kuiper.exe
ls -l build-windows/kuiper.exe "build-windows/kuiper-$version-windows-x86_64"/*.dll build-windows/*.zip
[ "${1:-}" = --test ] || exit 0
tools/test_windows.sh "build-windows/kuiper-$version-windows-x86_64.zip"
