#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Unpacks Debian's packages for 64-bit ARM, and what they depend on, into a folder, for cross compilation (cmake/aarch64.cmake).
# Installs nothing. A folder that is complete is left as it is.
#   tools/arm64_root.sh FOLDER PACKAGE ...
set -euo pipefail
root=$1
shift
[ ! -e "$root/complete" ] || exit 0
apt=$root/apt
mkdir -p "$apt"/{lists/partial,archives/partial}
: >"$apt/status"
options=(-qq -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o Dir::State::lists="$apt/lists"
  -o Dir::State::status="$apt/status" -o Dir::Cache::archives="$apt/archives" -o Debug::NoLocking=1)
apt-get "${options[@]}" update
apt-get "${options[@]}" --no-install-recommends --download-only -y install "$@" >/dev/null
for package in "$apt"/archives/*.deb; do dpkg-deb --extract "$package" "$root"; done
touch "$root/complete"
