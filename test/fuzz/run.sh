#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs every fuzz target for some seconds on the committed seeds and prints how many inputs it tried; fails on the first
# finding, whose input is left in the work folder.
#
#   test/fuzz/run.sh BUILD_FOLDER SECONDS [WORK_FOLDER [TARGET ...]]
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
build=$(cd "$1" && pwd)
seconds=$2
work=${3:-$build/fuzz/work}
shift $(($# < 3 ? $# : 3))
targets=${*:-param bin cache expression npy picture state extremes model tokenizer}
mkdir -p "$work"
export KUIPER_ISA=${KUIPER_ISA:-avx2} OMP_NUM_THREADS=1  # the one that the preset compiles

# The dictionary: words that models are made of.
"$build/bin/kuiper" ops | sed -n 's/^\([A-Za-z0-9_.:]*\).*/"\1"/p' | sort -u >"$work/words.dict"
printf '"%s"\n' '#0=(1,4,8,8)f32' '$input=0' '@weight=(4,4,3,3)f32' '@weight=(32,32)i8' \
  '@weight.q_per_channel_scales=(32)f64' '@weight.q_group_scales=(32,2)f32' 'scale=0.05' 'zero_point=100' 'kernel_size=(3,3)' \
  'padding=(1,1)' 'dim=1' 'pnnx.Expression' 'expr=add(@0,@1)' 'None' 'True' 'f16' 'i64' 'i8' 'bool' >>"$work/words.dict"

# Seeds that the tests hold: small exported models of every operator with their weights and arrays, broken files, pictures.
python3 - "$root" "$work/seeds" <<'END'
import math, pathlib, re, shutil, struct, sys, zipfile, zlib
root, seeds = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
shutil.rmtree(seeds, ignore_errors=True)
for target in ("param", "bin", "cache", "expression", "npy", "picture", "state", "model", "tokenizer"):
    (seeds / target).mkdir(parents=True)
def add(target, name, content):
    if len(content) <= 4096:
        (seeds / target / name.replace("/", "_")).write_bytes(content)
for archive in sorted((root / "test/data/op_cases").rglob("*.zip")):
    with zipfile.ZipFile(archive) as cases:
        for name in cases.namelist():
            content = cases.read(name)
            if name.endswith(".param"):
                add("model", name, content)
                for number, text in enumerate(re.findall(rb" expr=(\S+)", content)):
                    add("expression", f"{name}.{number}", text)
            elif name.endswith(".bin"):
                add("bin", name, content)
            elif name.endswith("in0.npy"):
                add("npy", name, content)
for file in sorted((root / "test/runtime/malformed").rglob("*")):
    if file.suffix == ".param":
        add("model", file.name, file.read_bytes())
    elif file.suffix == ".bin":
        add("bin", file.name, file.read_bytes())
for file in (root / "test/fuzz/corpus/model").iterdir():
    shutil.copy(file, seeds / "model")
for file in (seeds / "model").iterdir():
    shutil.copy(file, seeds / "param")
# A cache's table of one entry, "a", of one byte, and its checksum.
part, start = b"x", 128
table = struct.pack("<Q1sQQI", 1, b"a", start, len(part), zlib.crc32(part))
header = 41 + len(b"origin")
add("cache", "one", struct.pack("<H", len(table)) + table + bytes(start - header - len(table)) + part)
# Files of the target's five states: two have values in the first file, all in the second one, "v" as bfloat16, "u" in int8. The target
# adds magic number, version, identity and checksum.
def state(name, type, shape, element_bytes, mark=1):
    header = struct.pack("<I1sIII", 1, name, mark, type, len(shape)) + struct.pack(f"<{len(shape)}Q", *shape)
    return header + bytes(math.prod(shape) * element_bytes)
def not_set(name):
    return struct.pack("<I1sI", 1, name, 0)
FLOAT32, INT8, BFLOAT16 = 1, 7, 13  # RuntimeDataType
count = struct.pack("<I", 5)
h = state(b"h", FLOAT32, (1, 4), 4)
w = state(b"w", FLOAT32, (1, 3, 2), 4, mark=2)
add("state", "some", count + h + not_set(b"k") + not_set(b"v") + w + not_set(b"u"))
add("state", "all", count + h + state(b"k", FLOAT32, (1, 2, 3), 4) + state(b"v", BFLOAT16, (2, 4), 2) + w + state(b"u", INT8, (2, 9), 1))
for file in (root / "test/data/tokenizers").iterdir():
    if ".cases." not in file.name:
        shutil.copy(file, seeds / "tokenizer")
for name in ("line_hello.png", "line_invoice.jpg"):
    shutil.copy(root / "tmp" / name, seeds / "picture")
END

# Models with parameters at the limits of their ranges, as many as can be tried in the time.
run_extremes() {
  rm -rf "$work/extremes"
  python3 "$root/test/fuzz/extremes.py" "$work/seeds/model" "$work/extremes" $((seconds * 100)) >"$work/extremes.log"
  find "$work/extremes" -type f | xargs -n 500 "$build/fuzz/fuzz_model" -timeout=25 -rss_limit_mb=4096 \
    -artifact_prefix="$work/extremes-" >>"$work/extremes.log" 2>&1 ||
    { head -1 "$work/extremes.log"; tail -60 "$work/extremes.log"; echo "extremes: a finding, see $work"; exit 1; }
  echo "extremes: $(head -1 "$work/extremes.log"), no finding"
}

for target in $targets; do
  if [ "$target" = extremes ]; then
    run_extremes
    continue
  fi
  seeds=("$root/test/fuzz/corpus/$target" "$work/seeds/$target")
  options=()
  case $target in
    tokenizer) options+=(-max_len=30000) ;;
    param | model) options+=("-dict=$work/words.dict" -max_len=4096) ;;
  esac
  present=()
  for folder in "${seeds[@]}"; do [ -d "$folder" ] && present+=("$folder"); done
  mkdir -p "$work/$target"
  "$build/fuzz/fuzz_$target" -max_total_time="$seconds" -timeout=25 -rss_limit_mb=4096 -print_final_stats=1 \
    -artifact_prefix="$work/$target-" "${options[@]}" "$work/$target" "${present[@]}" >"$work/$target.log" 2>&1 ||
    { tail -60 "$work/$target.log"; echo "fuzz_$target: a finding, see $work"; exit 1; }
  echo "fuzz_$target: $(sed -n 's/^stat::number_of_executed_units: *//p' "$work/$target.log") inputs in $seconds s, no finding"
done
