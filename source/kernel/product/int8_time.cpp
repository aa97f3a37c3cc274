// SPDX-License-Identifier: MIT
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <limits>
#include <vector>

#include "kernel/product/int8_product.hpp"
#include "kernel/product/weight_product.hpp"
#include "utils/parallel.hpp"

namespace kuiper_infer::kernel {
namespace {

template <class Multiply>
double SecondsOf(const Multiply& multiply) {
  const auto begin = std::chrono::steady_clock::now();
  multiply();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// The least times of products that stay in the second-level cache, taken in turns.
double Measure() {
  constexpr int64_t kRows = 56;
  constexpr int64_t kColumns = 256;
  constexpr int64_t kDepth = 256;
  constexpr int kTurns = 12;
  const ThreadScope scope(1);
  const std::vector<float> a(kRows * kDepth, 1.0F);
  std::vector<float> c(kRows * kColumns);
  const std::vector<float> floats(static_cast<std::size_t>(PackedWeightSize(kColumns, kDepth)), 1.0F);
  const WeightProduct product{kRows, kColumns, kDepth, a.data(), kDepth, floats.data(), c.data(), kColumns};
  const std::vector<uint8_t> bytes(kRows * kDepth);
  const std::vector<std::byte> weight(static_cast<std::size_t>(PackedInt8Bytes(kColumns, kDepth)));
  std::vector<uint8_t> results(kRows * kColumns);
  Int8Product integers;
  integers.rows = kRows;
  integers.columns = kColumns;
  integers.depth = kDepth;
  integers.a = bytes.data();
  integers.lda = kDepth;
  integers.weight = weight.data();
  integers.weight_scales = a.data();
  integers.c = results.data();
  integers.c_type = RuntimeDataType::kTypeUInt8;
  integers.ldc = kColumns;
  double least = std::numeric_limits<double>::infinity();
  double least_integers = least;
  for (int turn = 0; turn < kTurns; ++turn) {
    least = std::min(least, SecondsOf([&] { MultiplyByWeight(product); }));
    least_integers = std::min(least_integers, SecondsOf([&] { MultiplyByInt8Weight(integers, UsedInt8Unit()); }));
  }
  return least_integers / least;
}

}  // namespace

double Int8Time() {
  static const double kTime =
      UsedInt8Unit() == Int8Unit::kPortable ? std::numeric_limits<double>::infinity() : Measure();
  return kTime;
}

}  // namespace kuiper_infer::kernel
