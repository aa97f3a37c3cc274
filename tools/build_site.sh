#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Builds the documents as a site, build-site/site: MkDocs' pages in manual/, the reference of the public headers in
# manual/reference/, and as its front the page that runs models, if build-wasm/web/ has it.
#   tools/build_site.sh [--test]
# The pages work from a folder, and their search, too. Links that lead nowhere are errors. --test opens them in Chromium.
set -euo pipefail
cd "$(dirname "$0")/.."
tools/install_dependencies.sh doxygen python3-venv
site=build-site/site
rm -rf "$site" build-site/documents
mkdir -p build-site/documents
[ -x build-site/venv/bin/mkdocs ] || python3 -m venv build-site/venv
build-site/venv/bin/pip install -q 'mkdocs>=1.6,<2' 'mkdocs-material>=9.5,<10'
git ls-files -z | xargs -0 cp --parents -t build-site/documents
cp tools/site/iframe-worker.js build-site/documents/
cp tools/site/mkdocs.yml build-site/
{ cat docs/Doxyfile; printf '%s\n' 'INPUT = include/kuiper_infer' 'FILE_PATTERNS = *.hpp *.h' 'USE_MDFILE_AS_MAINPAGE =' \
  'OUTPUT_DIRECTORY = build-site' 'HTML_OUTPUT = documents/reference' 'SEARCHENGINE = YES' 'SERVER_BASED_SEARCH = NO' \
  'WARN_AS_ERROR = NO'; } | doxygen - >build-site/doxygen.log 2>&1 || { tail -30 build-site/doxygen.log; exit 1; }
NO_MKDOCS_2_WARNING=1 build-site/venv/bin/mkdocs build -q -f build-site/mkdocs.yml

if [ -d build-wasm/web ]; then
  cp -r build-wasm/web/. "$site/"
else
  cp tools/site/front.html "$site/index.html"
fi
echo "$site/index.html: $(find "$site" -name '*.html' | wc -l) pages, $(du -sm "$site" | cut -f 1) MB"
[ "${1:-}" = --test ] || exit 0

tools/install_dependencies.sh chromium chromium-driver
build-site/venv/bin/pip install -q 'selenium>=4,<5'
build-site/venv/bin/python tools/site/check_site.py "$site"
