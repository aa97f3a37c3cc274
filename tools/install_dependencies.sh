#!/bin/sh
# SPDX-License-Identifier: MIT
# Installs the Debian packages that the build needs. Uses sudo only if a package is missing and the user is not root.
#   tools/install_dependencies.sh [extra package ...]
set -eu

packages="build-essential cmake ninja-build
  libarmadillo-dev libopenblas-openmp-dev libopenblas-serial-dev libhwy-dev libgoogle-glog-dev libdeflate-dev libpcre2-dev libutf8proc-dev
  libcli11-dev nlohmann-json3-dev
  libjpeg-dev libpng-dev libgtest-dev libgmock-dev libbenchmark-dev libopencv-imgcodecs-dev libopencv-imgproc-dev $*"

missing=""
for package in $packages; do
  dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || missing="$missing $package"
done
[ -z "$missing" ] && exit 0

as_root=""
[ "$(id -u)" -eq 0 ] || as_root="sudo"
$as_root apt-get update
# shellcheck disable=SC2086  # a list of words
$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $missing
