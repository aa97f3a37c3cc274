// SPDX-License-Identifier: MIT
#include "kernel/product/bfloat16/time.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <limits>
#include <vector>

#include "kernel/product/amx_registers.hpp"
#include "kernel/product/bfloat16/pieces.hpp"
#include "kernel/product/bfloat16/product.hpp"
#include "kernel/product/bfloat16/tile.hpp"
#include "utils/cpu_info.hpp"
#include "utils/parallel.hpp"

namespace kuiper_infer::kernel {
namespace {

double SecondsOf(const WeightProduct& product) {
  const auto begin = std::chrono::steady_clock::now();
  MultiplyByWeight(product);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// Whether the unit in use computes products of so many pieces.
bool HasUnit(int pieces) {
  return UsedMatrixUnit() == MatrixUnit::kAmx || (pieces == 1 && UsedMatrixUnit() != MatrixUnit::kNone);
}

/// Time of a multiply-add of a product by so many columns as a multiple of float's: the least times of products that
/// stay in the second-level cache, taken in turns.
double Measure(int pieces, int64_t columns) {
  constexpr int64_t kRows = 112;  // whole tiles of all units
  constexpr int64_t kDepth = 256;
  constexpr int kTurns = 12;  // a twentieth of a millisecond each
  const ThreadScope scope(1);
  const std::vector<float> a(kRows * kDepth, 1.0F);
  std::vector<float> c(static_cast<std::size_t>(kRows * columns));
  const std::vector<float> floats(static_cast<std::size_t>(PackedWeightSize(columns, kDepth)), 1.0F);
  const std::vector<std::byte> small(static_cast<std::size_t>(PackedBFloat16Bytes(columns, kDepth, pieces)));
  WeightProduct product{kRows, columns, kDepth, a.data(), kDepth, floats.data(), c.data(), columns};
  WeightProduct reduced = product;
  reduced.weight = small.data();
  reduced.weight_type = {RuntimeDataType::kTypeBFloat16, pieces};
  double least = std::numeric_limits<double>::infinity();
  double least_reduced = least;
  for (int turn = 0; turn < kTurns; ++turn) {
    least = std::min(least, SecondsOf(product));
    least_reduced = std::min(least_reduced, SecondsOf(reduced));
  }
  return least_reduced / least;
}

/// The speed of the unit in use; float's where it doesn't compute such products.
BFloat16Speed MeasureSpeed(int pieces) {
  constexpr int64_t kNarrow = 64;
  constexpr int64_t kWide = 256;
  if (!HasUnit(pieces)) return {};
  if (UsedMatrixUnit() != MatrixUnit::kAmx) return {Measure(pieces, kWide)};  // rounding is a small part
  BFloat16Speed speed = BFloat16Speed::Of({kNarrow, Measure(pieces, kNarrow)}, {kWide, Measure(pieces, kWide)});
  speed.rows = kAmxRows;
  speed.depth = 2 * kBlockPairs;
  return speed;
}

/// Measured when it is first needed.
const BFloat16Speed& SpeedOf(int pieces) {
  static_assert(kMostPieces == 3);
  if (pieces == 1) {
    static const BFloat16Speed kOne = MeasureSpeed(1);
    return kOne;
  }
  if (pieces == 2) {
    static const BFloat16Speed kTwo = MeasureSpeed(2);
    return kTwo;
  }
  static const BFloat16Speed kThree = MeasureSpeed(3);
  return kThree;
}

}  // namespace

BFloat16Speed BFloat16Speed::Of(const Measurement& narrow, const Measurement& wide) {
  const double inverse = 1.0 / static_cast<double>(wide.columns);
  const double per_number = (narrow.time - wide.time) / (1.0 / static_cast<double>(narrow.columns) - inverse);
  BFloat16Speed speed;
  speed.rounding = std::clamp(per_number, 0.0, wide.time / inverse);
  speed.products = wide.time - speed.rounding * inverse;
  return speed;
}

double BFloat16Speed::Time(int64_t product_rows, int64_t product_columns, int64_t product_depth) const {
  const auto filling = [](int64_t count, int64_t together) {
    return count > 0 ? static_cast<double>(RoundUp(count, together)) / static_cast<double>(count) : 1;
  };
  return products * filling(product_rows, rows) * filling(product_depth, depth) +
         rounding / static_cast<double>(std::max<int64_t>(product_columns, 1));
}

double BFloat16Time(int pieces, int64_t rows, int64_t columns, int64_t depth) {
  return SpeedOf(pieces).Time(rows, columns, depth);
}

bool SuitsBFloat16(int pieces, int64_t rows, int64_t columns, int64_t depth) {
  constexpr int64_t kLeastColumns = 24;
  constexpr int64_t kLeastDepth = 16;
  constexpr double kWorthwhile = 0.9;  // of float's time
  return columns >= kLeastColumns && depth >= kLeastDepth && BFloat16Time(pieces, rows, columns, depth) < kWorthwhile;
}

}  // namespace kuiper_infer::kernel
