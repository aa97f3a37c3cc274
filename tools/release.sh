#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Makes a release in dist/VERSION: source archive, wheel, Debian package, programs for any Linux on x86-64 and 64-bit ARM, zip for
# Windows, bundle for browsers, manual, licences of what is linked in, notes and checksums.
#   tools/release.sh VERSION [--twice]
# VERSION has to be that of CMakeLists.txt, CHANGELOG.md needs a section of it, docs/public-names.txt the names of this tree, and
# nothing may be uncommitted. The commit is cloned to build-release/tree and built there. --twice does all of it again and prints
# which files differ.
set -euo pipefail
cd "$(dirname "$0")/.."
fail() { echo "$*" >&2; exit 1; }
version=${1:-}
[ -n "$version" ] || fail "usage: tools/release.sh VERSION [--twice]"
grep -q "^project(KuiperInfer VERSION $version " CMakeLists.txt || fail "$version is not the version of CMakeLists.txt"
grep -q "^## $version\b" CHANGELOG.md || fail "CHANGELOG.md has no section '## $version'"
[ -z "$(git status --porcelain)" ] || fail "the tree has changes that are not committed"

# archive OUT FOLDER NAME ...: a .tar.gz with the same bytes for the same files.
archive() {
  local out=$1 folder=$2
  shift 2
  tar --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner -C "$folder" -cf - "$@" | gzip -9n >"$out"
}

# linked_packages: the Debian packages whose headers or archives are in the program for any Linux.
linked_packages() {
  {
    ninja -C build-static -t deps | grep -o '/usr/\(include\|lib\)/[^ ]*' | sort -u
    ninja -C build-static -t commands bin/kuiper | grep -o '/usr/lib/[^ ]*\.a' | sort -u
    for library in libc.a libstdc++.a libgcc.a libgfortran.a libgomp.a; do realpath "$(g++ -print-file-name=$library)"; done
  } | xargs -d '\n' dpkg -S 2>/dev/null | cut -d : -f 1 | sort -u
}

# make_release OUT: builds the commit, and puts what belongs to the release into the folder OUT.
make_release() (
  out=$1
  rm -rf build-release/tree "$out"
  mkdir -p "$out/licences"
  git clone -q . build-release/tree
  cd build-release/tree
  SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
  export SOURCE_DATE_EPOCH
  git archive --prefix="kuiper_infer-$version/" HEAD | gzip -9n >"$out/kuiper_infer-$version.tar.gz"
  awk -v version="$version" '/^## / { inside = $2 == version || $2 == version "," } inside' CHANGELOG.md >"$out/NOTES.md"

  tools/install_dependencies.sh dpkg-dev
  cmake --preset release -DKUIPER_BUILD_SHARED=ON -DKUIPER_BUILD_TESTS=OFF >/dev/null
  cmake --build build >build/log || { tail -50 build/log; exit 1; }
  python3 tools/public_names.py | diff - docs/public-names.txt >build/names ||
    { head -20 build/names; fail "docs/public-names.txt has other names: tools/public_names.py --record"; }
  cpack --config build/CPackConfig.cmake -B build/package >build/log || { tail -50 build/log; exit 1; }
  cp build/package/*.deb "$out"
  tools/build_wheels.sh
  cp dist/*.whl "$out"
  tools/build_static.sh
  cp build-static/bin/kuiper "$out/kuiper-$version-linux-$(uname -m)"
  tools/build_static.sh --aarch64
  cp build-static-aarch64/bin/kuiper "$out/kuiper-$version-linux-aarch64"
  for package in $(linked_packages); do cp "/usr/share/doc/$package/copyright" "$out/licences/$package.txt"; done
  tools/build_windows.sh
  cp build-windows/*.zip "$out"
  tools/build_wasm.sh
  archive "$out/kuiper_infer-$version-browser.tar.gz" build-wasm kuiper_infer.{mjs,wasm,d.ts} threads/kuiper_infer.{mjs,wasm,worker.js} web
  tools/build_site.sh
  archive "$out/kuiper_infer-$version-site.tar.gz" build-site site
  archive "$out/licences.tar.gz" "$out" licences
  rm -r "$out/licences"
  cd "$out"
  sha256sum -- * >SHA256SUMS
)

out=$PWD/dist/$version
make_release "$out"
if [ "${2:-}" = --twice ]; then
  make_release "$PWD/build-release/again"
  (cd build-release/again && sha256sum --check --quiet "$out/SHA256SUMS") && echo "the same bytes twice"
fi
ls -l "$out"
