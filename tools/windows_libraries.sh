#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Builds the libraries for Windows that kuiper.exe links as archives, from Debian's source packages, and lays headers of
# Debian's packages beside them that are the same on every platform. Installs nothing. A folder that is complete is left
# as it is.
#   tools/windows_libraries.sh FOLDER
set -euo pipefail
cd "$(dirname "$0")/.."
toolchain=$PWD/cmake/windows.cmake
mkdir -p "$1"
root=$(cd "$1" && pwd)
[ -e "$root/complete" ] && exit 0
sources=$root/source
mkdir -p "$sources/lists/partial" "$root/include" "$root/share/cmake" "$root/licences"

apt=(apt-get -qq -o Dir::Etc::sourcelist="$sources/deb.sources" -o Dir::Etc::sourceparts=- -o Dir::State::lists="$sources/lists"
  -o Debug::NoLocking=1 -o APT::Sandbox::User=root)
printf 'Types: deb-src\nURIs: http://deb.debian.org/debian\nSuites: %s\nComponents: main\nSigned-By: %s\n' \
  "$(. /etc/os-release && echo "$VERSION_CODENAME")" /usr/share/keyrings/debian-archive-keyring.gpg >"$sources/deb.sources"
"${apt[@]}" update
(cd "$sources" && "${apt[@]}" source libdeflate pcre2 utf8proc libjpeg-turbo libpng1.6 >log 2>&1) || { tail -20 "$sources/log"; exit 1; }

# build NAME SOURCE_FOLDER [CMAKE ARGUMENT ...]
build() {
  local name=$1 folder=$2 log=$sources/$1.log
  shift 2
  {
    KUIPER_ROOT=$root cmake -S "$folder" -B "$sources/build-$name" -G Ninja -DCMAKE_TOOLCHAIN_FILE="$toolchain" \
      -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX="$root" -DBUILD_SHARED_LIBS=OFF \
      -DCMAKE_POLICY_VERSION_MINIMUM=3.5 "$@" &&
      cmake --build "$sources/build-$name" &&
      cmake --install "$sources/build-$name"
  } >"$log" 2>&1 || { tail -30 "$log"; exit 1; }
}
mkdir -p "$root/lib"
cp /usr/x86_64-w64-mingw32/lib/libz.a "$root/lib"  # without the DLL, which would be found first
build pcre2 "$sources"/pcre2-*/ -DPCRE2_BUILD_PCRE2GREP=OFF -DPCRE2_BUILD_TESTS=OFF -DPCRE2_SUPPORT_JIT=ON
build utf8proc "$sources"/utf8proc-*/ -DUTF8PROC_ENABLE_TESTING=OFF -DCMAKE_C_FLAGS=-DUTF8PROC_STATIC
build jpeg "$sources"/libjpeg-turbo-*/ -DENABLE_SHARED=OFF -DWITH_TURBOJPEG=OFF
build png "$sources"/libpng1.6-*/ -DPNG_SHARED=OFF -DPNG_TESTS=OFF
build googletest /usr/src/googletest
make -C "$sources"/libdeflate-*/ CC=x86_64-w64-mingw32-gcc-posix AR=x86_64-w64-mingw32-ar libdeflatestatic.lib \
  >"$sources/libdeflate.log" 2>&1 || { tail -30 "$sources/libdeflate.log"; exit 1; }
cp "$sources"/libdeflate-*/libdeflatestatic.lib "$root/lib/libdeflate.a"
cp "$sources"/libdeflate-*/libdeflate.h "$root/include"

for header in armadillo armadillo_bits hwy CLI nlohmann; do ln -sfn "/usr/include/$header" "$root/include/$header"; done
cp -r /usr/share/cmake/CLI11 /usr/share/cmake/nlohmann_json "$root/share/cmake"
for library in libdeflate pcre2 utf8proc libjpeg-turbo libpng1.6; do
  cp "$sources/$library"-*/debian/copyright "$root/licences/$library.txt"
done
touch "$root/complete"
