// SPDX-License-Identifier: MIT
#include "kernel/reduction/reduce_rare.hpp"

#include <cmath>
#include <limits>

#include <hwy/highway.h>

#include "kernel/reduction/reduce_driver-inl.hpp"
#include "kernel/reduction/reduce_functors.hpp"
#include "utils/dispatch.hpp"

HWY_BEFORE_NAMESPACE();
namespace kuiper_infer::kernel::HWY_NAMESPACE {
namespace {

/// Stores a result in the output's type.
using StoreDouble = FunctionRef<void(int64_t output, double value)>;

void ReduceNorm(double p, const ReductionGeometry& geometry, const RowReader<double>& input, const StoreDouble& store) {
  if (p == 0) {
    DriveReduction(geometry, input, CountOf<double>(), [&](int64_t i, int64_t n) { store(i, static_cast<double>(n)); });
  } else if (std::isinf(p) && geometry.count == 0) {
    for (int64_t i = 0; i < geometry.outputs; ++i) store(i, p > 0 ? 0.0 : std::numeric_limits<double>::infinity());
  } else if (std::isinf(p) && p > 0) {
    DriveReduction(geometry, input, ExtremeOf<double, true, Magnitude>(), store);
  } else if (std::isinf(p)) {
    DriveReduction(geometry, input, ExtremeOf<double, false, Magnitude>(), store);
  } else {
    const auto power = [p](double x, double) { return std::pow(std::abs(x), p); };
    DriveReduction(geometry, input, SumOf<double, decltype(power)>(power),
                   [&](int64_t i, double sum) { store(i, std::pow(sum, 1 / p)); });
  }
}

/// Stores the results of kAll, kAny and kCountNonzero, which follow from the count of elements that are not zero.
void ReduceCount(Reduction reduction, const ReductionGeometry& geometry, const RowReader<double>& input,
                 const ArrayView& output) {
  const int64_t least = reduction == Reduction::kAll ? geometry.count : 1;
  DriveReduction(geometry, input, CountOf<double>(), [&](int64_t i, int64_t n) {
    if (reduction == Reduction::kCountNonzero) {
      output.as<int64_t>()[i] = n;
    } else {
      output.as<bool>()[i] = n >= least;
    }
  });
}

void ReduceFloating(Reduction reduction, double p, const ReductionGeometry& geometry, const RowReader<double>& input,
                    const StoreDouble& store) {
  switch (reduction) {
    case Reduction::kProduct:
      return DriveReduction(geometry, input, ProductOf<double>(), store);
    case Reduction::kNanSum:
      return DriveReduction(geometry, input, NumbersOf(),
                            [&](int64_t i, const NumbersOf::Part& numbers) { store(i, numbers.sum); });
    case Reduction::kNanMean:
      return DriveReduction(geometry, input, NumbersOf(), [&](int64_t i, const NumbersOf::Part& numbers) {
        store(i, numbers.sum / static_cast<double>(numbers.count));
      });
    default:
      return ReduceNorm(p, geometry, input, store);
  }
}

bool IsCount(Reduction reduction) {
  return reduction == Reduction::kAll || reduction == Reduction::kAny || reduction == Reduction::kCountNonzero;
}

}  // namespace
}  // namespace kuiper_infer::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

namespace kuiper_infer::kernel {

bool IsRareReduction(Reduction reduction, double p) {
  return HWY_NAMESPACE::IsCount(reduction) || reduction == Reduction::kProduct || reduction == Reduction::kNanSum ||
         reduction == Reduction::kNanMean || (reduction == Reduction::kNorm && p != 1 && p != 2);
}

void ReduceRare(Reduction reduction, double p, const ReductionGeometry& geometry, const ConstArrayView& input,
                const ArrayView& output) {
  const HWY_NAMESPACE::RowReader<double> reader(input);
  if (HWY_NAMESPACE::IsCount(reduction)) {
    HWY_NAMESPACE::ReduceCount(reduction, geometry, reader, output);
  } else if (input.type() == RuntimeDataType::kTypeFloat32) {
    const auto store = [results = output.as<float>()](int64_t i, double x) { results[i] = static_cast<float>(x); };
    HWY_NAMESPACE::ReduceFloating(reduction, p, geometry, reader, store);
  } else {
    const auto store = [results = output.as<double>()](int64_t i, double x) { results[i] = x; };
    HWY_NAMESPACE::ReduceFloating(reduction, p, geometry, reader, store);
  }
}

}  // namespace kuiper_infer::kernel
