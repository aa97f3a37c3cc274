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
targets=${*:-param bin expression npy picture model}
mkdir -p "$work"
export KUIPER_ISA=avx2 OMP_NUM_THREADS=1  # the one that the preset compiles

# Words that models are made of.
"$build/bin/kuiper" ops | sed -n 's/^\([A-Za-z0-9_.:]*\).*/"\1"/p' | sort -u >"$work/words.dict"
printf '"%s"\n' '#0=(1,4,8,8)f32' '$input=0' '@weight=(4,4,3,3)f32' 'kernel_size=(3,3)' 'padding=(1,1)' 'dim=1' \
  'pnnx.Expression' 'expr=add(@0,@1)' 'None' 'True' 'f16' 'i64' 'bool' >>"$work/words.dict"

for target in $targets; do
  seeds=("$root/test/fuzz/corpus/$target")
  options=()
  case $target in
    param | model)
      # The broken models of the tests, and those that work.
      mkdir -p "$work/malformed"
      cp "$root"/test/runtime/malformed/*.param "$work/malformed"
      seeds+=("$work/malformed")
      options+=("-dict=$work/words.dict" -max_len=4096)
      ;;
    bin)
      mkdir -p "$work/archives"
      find "$root/test/runtime/malformed" -name '*.bin' -size -64k -exec cp {} "$work/archives" \;
      seeds+=("$work/archives")
      ;;
    picture)
      mkdir -p "$work/pictures"
      cp "$root"/tmp/line_hello.png "$root"/tmp/line_invoice.jpg "$work/pictures"
      seeds+=("$work/pictures")
      ;;
  esac
  present=()
  for folder in "${seeds[@]}"; do [ -d "$folder" ] && present+=("$folder"); done
  mkdir -p "$work/$target"
  "$build/fuzz/fuzz_$target" -max_total_time="$seconds" -timeout=25 -rss_limit_mb=4096 -print_final_stats=1 \
    -artifact_prefix="$work/$target-" "${options[@]}" "$work/$target" "${present[@]}" >"$work/$target.log" 2>&1 ||
    { tail -60 "$work/$target.log"; echo "fuzz_$target: a finding, see $work"; exit 1; }
  echo "fuzz_$target: $(sed -n 's/^stat::number_of_executed_units: *//p' "$work/$target.log") inputs in $seconds s, no finding"
done
