// SPDX-License-Identifier: MIT
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <limits>
#include <vector>

#include "kernel/product/amx_registers.hpp"
#include "kernel/product/bfloat16_pieces.hpp"
#include "kernel/product/bfloat16_product.hpp"
#include "kernel/product/bfloat16_tile.hpp"
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

/// The least times of products that stay in the second-level cache, taken in turns.
double Measure(int pieces) {
  if (!HasUnit(pieces)) return 1;
  constexpr int64_t kRows = 64;
  constexpr int64_t kColumns = 256;
  constexpr int64_t kDepth = 256;
  constexpr int kTurns = 12;  // a fortieth of a millisecond each
  const ThreadScope scope(1);
  const std::vector<float> a(kRows * kDepth, 1.0F);
  std::vector<float> c(kRows * kColumns);
  const std::vector<float> floats(static_cast<std::size_t>(PackedWeightSize(kColumns, kDepth)), 1.0F);
  const std::vector<std::byte> small(static_cast<std::size_t>(PackedBFloat16Bytes(kColumns, kDepth, pieces)));
  WeightProduct product{kRows, kColumns, kDepth, a.data(), kDepth, floats.data(), c.data(), kColumns};
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

}  // namespace

double BFloat16Time(int pieces) {
  switch (pieces) {  // each is measured when it is first needed
    case 1: {
      static const double kOne = Measure(1);
      return kOne;
    }
    case 2: {
      static const double kTwo = Measure(2);
      return kTwo;
    }
    default: {
      static const double kThree = Measure(kMostPieces);
      return kThree;
    }
  }
}

double BFloat16Time(int pieces, int64_t rows) {
  const bool wastes = UsedMatrixUnit() == MatrixUnit::kAmx && rows > 0;
  return wastes ? BFloat16Time(pieces) * static_cast<double>(RoundUp(rows, kAmxRows)) / static_cast<double>(rows)
                : BFloat16Time(pieces);
}

bool SuitsBFloat16(int pieces, int64_t rows, int64_t columns, int64_t depth) {
  constexpr int64_t kLeastColumns = 24;
  constexpr int64_t kLeastDepth = 16;
  constexpr double kWorthwhile = 0.9;  // of float's time
  return columns >= kLeastColumns && depth >= kLeastDepth && BFloat16Time(pieces, rows) < kWorthwhile;
}

}  // namespace kuiper_infer::kernel
