#!/bin/sh
# SPDX-License-Identifier: MIT
# Times the flagship models under this library and its peers and writes docs/performance.md.
#
#   tools/compare_peers.sh PEERS MODELS [THREADS [SECONDS]]
#
# PEERS holds peers.py, which times one model under all engines in turns and prints a line for each thread count; MODELS
# holds a folder for each exported model. THREADS is a list such as 1,2 (the default), SECONDS the time of each measurement
# (default: 1). The programs are build/bin/kuiper and build/bench/gemm_bench; python3 needs openvino, nncf, onnxruntime, ncnn.
set -eu
if [ $# -lt 2 ]; then
  sed -n '3,9s/^# \{0,1\}//p' "$0" >&2
  exit 2
fi
peers=$1
models=$2
threads=${3:-1,2}
seconds=${4:-1}
root=$(cd "$(dirname "$0")/.." && pwd)
lines=$(mktemp)
formats=$(mktemp)
trap 'rm -f "$lines" "$formats"' EXIT
for name in resnet18 resnet50 yolov5s yolov8n mobilenet_v2 mobilenet_v3_small shufflenet_v2_x1_0 efficientnet_b0 \
  convnext_tiny swin_t vit_b_16 bert_base resnet18_b8; do
  [ -d "$models/$name" ] || continue
  # Models that a peer cannot load fail there and are left out of its column.
  python3 "$peers/peers.py" "$models/$name" "$name" --threads "$threads" --seconds "$seconds" --rounds 2 \
    --peers ncnn,ort,openvino --kuiper "$root/build/bin/kuiper" 2>/dev/null | tee -a "$lines"
  python3 "$root/tools/compare_int8.py" "$models/$name" "$name" --threads "$threads" --seconds "$seconds" \
    --kuiper "$root/build/bin/kuiper" --json | tee -a "$formats"
done
python3 "$root/tools/performance_table.py" "$lines" "$formats" "$root/build/bench/gemm_bench" >"$root/docs/performance.md"
python3 "$root/tools/compare_throughput.py" "$models" --kuiper "$root/build/bin/kuiper" --seconds "$seconds" \
  --write "$root/docs/performance.md"
echo "wrote docs/performance.md"
