// SPDX-License-Identifier: MIT
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/reduction/reduce.cpp"
#include "kernel/reduction/reduce.hpp"

#include <algorithm>
#include <cmath>

#include <hwy/foreach_target.h>  // before highway.h
#include <hwy/highway.h>

#include "kernel/elementwise/vector_math.hpp"
#include "kernel/reduction/reduce_driver-inl.hpp"
#include "kernel/reduction/reduce_functors.hpp"
#include "kernel/reduction/reduce_rare.hpp"
#include "utils/dispatch.hpp"
#include "utils/simd.hpp"

HWY_BEFORE_NAMESPACE();
namespace kuiper_infer::kernel::HWY_NAMESPACE {
namespace {

/// Sums term(x) and stores finish(output, sum).
template <class T, class Term, class Finish>
void ReduceTerms(const ReductionGeometry& geometry, const RowReader<T>& input, const Term& term, const Finish& finish) {
  const auto with_shift = [term](T x, double) { return term(static_cast<Wide<T>>(x)); };
  DriveReduction(geometry, input, SumOf<T, decltype(with_shift)>(with_shift), finish);
}

/// Stores finish(output, sum).
template <class T, class Finish>
void ReduceSum(const ReductionGeometry& geometry, const RowReader<T>& input, const Finish& finish) {
  ReduceTerms(
      geometry, input, [](Wide<T> x) { return x; }, finish);
}

/// Stores finish(output, extreme), for kMax or kMin.
template <class T, class Finish>
void ReduceExtreme(bool largest, const ReductionGeometry& geometry, const RowReader<T>& input, const Finish& finish) {
  if (largest) {
    DriveReduction(geometry, input, ExtremeOf<T, true>(), finish);
  } else {
    DriveReduction(geometry, input, ExtremeOf<T, false>(), finish);
  }
}

/// Stores the results of kAll, kAny and kCountNonzero, which follow from the count of elements that are not zero.
void ReduceCount(Reduction reduction, const ReductionGeometry& geometry, const RowReader<int64_t>& input,
                 const ArrayView& output) {
  if (reduction == Reduction::kCountNonzero) {
    auto* counts = output.as<int64_t>();
    DriveReduction(geometry, input, CountOf<int64_t>(), [=](int64_t i, int64_t n) { counts[i] = n; });
  } else {
    const int64_t least = reduction == Reduction::kAll ? geometry.count : 1;
    auto* results = output.as<bool>();
    DriveReduction(geometry, input, CountOf<int64_t>(), [=](int64_t i, int64_t n) { results[i] = n >= least; });
  }
}

/// Reductions of integers and bool, which are computed in int64.
void ReduceIntegers(Reduction reduction, const ReductionGeometry& geometry, const ConstArrayView& input,
                    const ArrayView& output) {
  const RowReader<int64_t> reader(input);
  switch (reduction) {
    case Reduction::kSum:
      return ReduceSum(geometry, reader, [sums = output.as<int64_t>()](int64_t i, int64_t sum) { sums[i] = sum; });
    case Reduction::kProduct:
      return DriveReduction(geometry, reader, ProductOf<int64_t>(),
                            [products = output.as<int64_t>()](int64_t i, int64_t product) { products[i] = product; });
    case Reduction::kMax:
    case Reduction::kMin:
      return DispatchReal(input.type(), [&](auto tag) {
        using T = typename decltype(tag)::type;
        ReduceExtreme(reduction == Reduction::kMax, geometry, reader,
                      [results = output.as<T>()](int64_t i, int64_t x) { results[i] = static_cast<T>(x); });
      });
    case Reduction::kAll:
    case Reduction::kAny:
    case Reduction::kCountNonzero:
      return ReduceCount(reduction, geometry, reader, output);
    default:
      FailDispatch(input.type());
  }
}

/// The norms with p = 1 and p = 2; all other norms are rare.
template <class T>
void ReduceNorm(double p, const ReductionGeometry& geometry, const RowReader<T>& input, T* results) {
  if (p == 2) {
    ReduceTerms(
        geometry, input, [](double x) { return x * x; },
        [=](int64_t i, double sum) { results[i] = static_cast<T>(std::sqrt(sum)); });
  } else {
    ReduceTerms(
        geometry, input, [](double x) { return std::abs(x); },
        [=](int64_t i, double sum) { results[i] = static_cast<T>(sum); });
  }
}

/// Two passes: the mean first, then the squares of the differences, which one pass would lose to rounding.
template <class T>
void ReduceVariance(const ReductionOptions& options, bool root, const ReductionGeometry& geometry,
                    const RowReader<T>& input, double* means, T* results) {
  const double count = static_cast<double>(geometry.count);
  ReduceSum(geometry, input, [=](int64_t i, double sum) { means[i] = sum / count; });
  const auto square = [](T x, double mean) {
    const double difference = static_cast<double>(x) - mean;
    return difference * difference;
  };
  const double divisor = count > 0 ? std::max(0.0, count - options.correction) : 0.0;
  DriveReduction(geometry, input, ShiftedSumOf<T, decltype(square)>(square, means), [=](int64_t i, double sum) {
    results[i] = static_cast<T>(root ? std::sqrt(sum / divisor) : sum / divisor);
  });
}

template <class T>
void ReduceLogSumExp(const ReductionGeometry& geometry, const RowReader<T>& input, double* largest, T* results) {
  ReduceExtreme(true, geometry, input, [=](int64_t i, const T& extreme) {
    largest[i] = std::isinf(extreme) ? 0.0 : static_cast<double>(extreme);
  });
  const auto power = [](T x, double shift) {
    return static_cast<double>(Exp(static_cast<T>(static_cast<double>(x) - shift)));
  };
  DriveReduction(geometry, input, ShiftedSumOf<T, decltype(power)>(power, largest),
                 [=](int64_t i, double sum) { results[i] = static_cast<T>(std::log(sum) + largest[i]); });
}

/// Reductions of float or double, but the rare ones.
template <class T>
void ReduceFloating(Reduction reduction, const ReductionOptions& options, const ReductionGeometry& geometry,
                    const ConstArrayView& input, double* workspace, const ArrayView& output) {
  T* results = output.as<T>();
  const auto store = [=](int64_t i, double value) { results[i] = static_cast<T>(value); };
  const double count = static_cast<double>(geometry.count);
  const RowReader<T> reader(input);
  switch (reduction) {
    case Reduction::kSum:
      return ReduceSum(geometry, reader, store);
    case Reduction::kMean:
      return ReduceSum(geometry, reader, [=](int64_t i, double sum) { store(i, sum / count); });
    case Reduction::kMax:
    case Reduction::kMin:
      return ReduceExtreme(reduction == Reduction::kMax, geometry, reader, [=](int64_t i, T x) { results[i] = x; });
    case Reduction::kNorm:
      return ReduceNorm(options.p, geometry, reader, results);
    case Reduction::kLogSumExp:
      return ReduceLogSumExp(geometry, reader, workspace, results);
    case Reduction::kVariance:
    case Reduction::kDeviation:
      return ReduceVariance(options, reduction == Reduction::kDeviation, geometry, reader, workspace, results);
    default:
      FailDispatch(input.type());
  }
}

}  // namespace

void Reduce(Reduction reduction, const ReductionOptions& options, const ReductionGeometry& geometry,
            const ConstArrayView& input, void* workspace, const ArrayView& output) {
  auto* shifts = static_cast<double*>(workspace);
  if (input.type() == RuntimeDataType::kTypeFloat32) {
    ReduceFloating<float>(reduction, options, geometry, input, shifts, output);
  } else if (input.type() == RuntimeDataType::kTypeFloat64) {
    ReduceFloating<double>(reduction, options, geometry, input, shifts, output);
  } else {
    ReduceIntegers(reduction, geometry, input, output);
  }
}

}  // namespace kuiper_infer::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kuiper_infer::kernel {

KUIPER_SIMD_TABLE(Reduce);

int64_t ReduceWorkspace(Reduction reduction, const ReductionGeometry& geometry) {
  const bool two_passes =
      reduction == Reduction::kLogSumExp || reduction == Reduction::kVariance || reduction == Reduction::kDeviation;
  return two_passes ? geometry.outputs * static_cast<int64_t>(sizeof(double)) : 0;
}

RuntimeDataType ReducedType(Reduction reduction, RuntimeDataType type) {
  switch (reduction) {
    case Reduction::kSum:
    case Reduction::kProduct:
      return IsFloating(type) ? type : RuntimeDataType::kTypeInt64;
    case Reduction::kAll:
    case Reduction::kAny:
      return RuntimeDataType::kTypeBool;
    case Reduction::kCountNonzero:
      return RuntimeDataType::kTypeInt64;
    default:
      return type;
  }
}

void Reduce(Reduction reduction, const ReductionOptions& options, const ReductionGeometry& geometry,
            const ConstArrayView& input, void* workspace, const ArrayView& output) {
  if (IsFloating(input.type()) && IsRareReduction(reduction, options.p)) {
    ReduceRare(reduction, options.p, geometry, input, output);
  } else {
    KUIPER_SIMD(Reduce)(reduction, options, geometry, input, workspace, output);
  }
}

}  // namespace kuiper_infer::kernel
#endif
