// SPDX-License-Identifier: MIT
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <limits>
#include <vector>

#include "kernel/product/bfloat16_product.hpp"
#include "utils/parallel.hpp"

namespace kuiper_infer::kernel {
namespace {

double SecondsOf(const WeightProduct& product) {
  const auto begin = std::chrono::steady_clock::now();
  MultiplyByWeight(product);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// The least times of products that stay in the second-level cache, taken in turns.
double Measure() {
  constexpr int64_t kRows = 56;
  constexpr int64_t kColumns = 256;
  constexpr int64_t kDepth = 256;
  constexpr int kTurns = 12;  // a fortieth of a millisecond each
  const ThreadScope scope(1);
  const std::vector<float> a(kRows * kDepth, 1.0F);
  std::vector<float> c(kRows * kColumns);
  const std::vector<float> floats(static_cast<std::size_t>(PackedWeightSize(kColumns, kDepth)), 1.0F);
  const std::vector<std::byte> small(static_cast<std::size_t>(PackedBFloat16Bytes(kColumns, kDepth)));
  WeightProduct product{kRows, kColumns, kDepth, a.data(), kDepth, floats.data(), c.data(), kColumns};
  WeightProduct reduced = product;
  reduced.weight = small.data();
  reduced.weight_type = RuntimeDataType::kTypeBFloat16;
  double least = std::numeric_limits<double>::infinity();
  double least_reduced = least;
  for (int turn = 0; turn < kTurns; ++turn) {
    least = std::min(least, SecondsOf(product));
    least_reduced = std::min(least_reduced, SecondsOf(reduced));
  }
  return least_reduced / least;
}

}  // namespace

bool SuitsBFloat16(int64_t columns, int64_t depth) {
  constexpr int64_t kLeastColumns = 24;
  constexpr int64_t kLeastDepth = 16;
  return columns >= kLeastColumns && depth >= kLeastDepth;
}

double BFloat16Time() {
  static const double kTime = UsedMatrixUnit() == MatrixUnit::kNone ? 1.0 : Measure();
  return kTime;
}

}  // namespace kuiper_infer::kernel
