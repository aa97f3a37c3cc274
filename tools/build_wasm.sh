#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Builds build-wasm/kuiper_infer.mjs and build-wasm/kuiper_infer.wasm, the library for browsers and Node, a module with threads in
# build-wasm/threads, and build-wasm/web, a page that runs models: for any server of static files, or kuiper.html alone.
#   tools/build_wasm.sh [--test]
# --test: runs web/module/test.mjs in Node on the operator cases, and on the sample models with the results of the program
# in build/, if there is one; then prints the sizes.
set -euo pipefail
cd "$(dirname "$0")/.."
tools/install_dependencies.sh emscripten libboost-dev nodejs brotli esbuild
# Of Debian's headers only those that are the same on every platform: /usr/include itself is for Debian's C library.
mkdir -p build-wasm/headers
for header in armadillo armadillo_bits boost hwy nlohmann; do ln -sfn "/usr/include/$header" "build-wasm/headers/$header"; done
# Emscripten's optimiser finds Debian's packages of Node here.
export NODE_PATH=/usr/share/nodejs
build() {
  cmake --preset "$1" >build-wasm/log 2>&1 || { tail -30 build-wasm/log; exit 1; }
  cmake --build "$2" >build-wasm/log || { tail -50 build-wasm/log; exit 1; }
}
build wasm build-wasm
build wasm-threads build-wasm/threads

web=build-wasm/web
rm -rf $web
mkdir -p $web/page $web/examples $web/threads
cp web/index.html build-wasm/kuiper_infer.mjs build-wasm/kuiper_infer.wasm $web
cp build-wasm/threads/kuiper_infer{.mjs,.wasm,.worker.js} $web/threads
shared=python/kuiper_infer/serve/page
cp web/page/* $shared/{base.css,models.css,icon.svg} $web/page
for module in answer dom extent_fields format input_part model_facts normalisation npy npy_tensor picture picture_input run_form tensors; do
  cp $shared/$module.js $web/page
done
cp tmp/line_reader.* tmp/shape_{detector,segmenter}.* tmp/line_hello.png tmp/shapes.png $web/examples
node web/single_file.mjs $web
ls -l build-wasm/kuiper_infer.mjs build-wasm/kuiper_infer.wasm $web/kuiper.html
[ "${1:-}" = --test ] || exit 0

if [ -x build/bin/kuiper ]; then
  reader=(--param tmp/line_reader.pnnx.param --bin tmp/line_reader.pnnx.bin --image tmp/line_hello.png --color gray --image-size 32 200)
  detector=(--param tmp/shape_detector.pnnx.param --bin tmp/shape_detector.pnnx.bin --image tmp/shapes.png)
  build/bin/kuiper run "${reader[@]}" --output-dir build-wasm/samples/line_reader --dump build-wasm/samples/line_reader >/dev/null
  build/bin/kuiper run "${detector[@]}" --output-dir build-wasm/samples/shape_detector --dump build-wasm/samples/shape_detector >/dev/null
fi
node web/module/test.mjs build-wasm
for file in build-wasm/kuiper_infer.wasm build-wasm/kuiper_infer.mjs; do
  echo "$file: $(stat -c %s "$file") bytes, $(gzip -9c "$file" | wc -c) by gzip, $(brotli -c "$file" | wc -c) by brotli"
done
