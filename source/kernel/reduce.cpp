// SPDX-License-Identifier: MIT
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/reduce.cpp"
#include "kernel/reduce.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include <hwy/foreach_target.h>  // before highway.h
#include <hwy/highway.h>

#include "kernel/reduce_driver-inl.hpp"
#include "kernel/reduce_functors.hpp"
#include "kernel/vector_math.hpp"
#include "utils/dispatch.hpp"
#include "utils/simd.hpp"

HWY_BEFORE_NAMESPACE();
namespace kuiper_infer::kernel::HWY_NAMESPACE {
namespace {

template <class T>
void ReduceSum(const ReductionGeometry& geometry, const T* input, const ArrayView& output) {
  using Out = std::conditional_t<std::is_floating_point_v<T>, T, int64_t>;
  const auto term = [](T x, double) { return static_cast<Wide<T>>(x); };
  Out* results = output.as<Out>();
  DriveReduction(geometry, input, SumOf<T, decltype(term)>(term),
                 [=](int64_t i, const Wide<T>& sum) { results[i] = static_cast<Out>(sum); });
}

template <class T>
void ReduceProduct(const ReductionGeometry& geometry, const T* input, const ArrayView& output) {
  using Out = std::conditional_t<std::is_floating_point_v<T>, T, int64_t>;
  Out* results = output.as<Out>();
  DriveReduction(geometry, input, ProductOf<T>(),
                 [=](int64_t i, const Wide<T>& product) { results[i] = static_cast<Out>(product); });
}

template <class T, bool kLargest>
void ReduceExtreme(const ReductionGeometry& geometry, const T* input, const ArrayView& output) {
  T* results = output.as<T>();
  DriveReduction(geometry, input, ExtremeOf<T, kLargest>(), [=](int64_t i, const T& extreme) { results[i] = extreme; });
}

/// Stores finish(count of non-zeros).
template <class T, class Finish>
void ReduceCount(const ReductionGeometry& geometry, const T* input, const Finish& finish) {
  DriveReduction(geometry, input, CountOf<T>(), finish);
}

/// Sums term(x) and stores finish(output, sum).
template <class T, class Term, class Finish>
void ReduceTerms(const ReductionGeometry& geometry, const T* input, const Term& term, const Finish& finish) {
  const auto with_shift = [term](T x, double) { return term(static_cast<double>(x)); };
  DriveReduction(geometry, input, SumOf<T, decltype(with_shift)>(with_shift), finish);
}

template <class T>
void ReduceNorm(double p, const ReductionGeometry& geometry, const T* input, T* results) {
  const auto store_as = [results](auto function) {
    return [results, function](int64_t i, const auto& sum) { results[i] = static_cast<T>(function(sum)); };
  };
  const auto same = [](auto x) { return x; };
  if (p == 2) {
    ReduceTerms(
        geometry, input, [](double x) { return x * x; }, store_as([](double x) { return std::sqrt(x); }));
  } else if (p == 1) {
    ReduceTerms(
        geometry, input, [](double x) { return std::abs(x); }, store_as(same));
  } else if (p == 0) {
    ReduceCount(geometry, input, store_as(same));
  } else if (std::isinf(p) && geometry.count == 0) {
    std::fill_n(results, geometry.outputs, p > 0 ? T(0) : std::numeric_limits<T>::infinity());
  } else if (std::isinf(p) && p > 0) {
    DriveReduction(geometry, input, ExtremeOf<T, true, Magnitude>(), store_as(same));
  } else if (std::isinf(p)) {
    DriveReduction(geometry, input, ExtremeOf<T, false, Magnitude>(), store_as(same));
  } else {
    ReduceTerms(
        geometry, input, [p](double x) { return std::pow(std::abs(x), p); },
        store_as([p](double x) { return std::pow(x, 1 / p); }));
  }
}

/// The mean of each output in double.
template <class T>
void ReduceMeans(const ReductionGeometry& geometry, const T* input, double* means) {
  const double count = static_cast<double>(geometry.count);
  ReduceTerms(
      geometry, input, [](double x) { return x; }, [=](int64_t i, double sum) { means[i] = sum / count; });
}

/// Two passes: the mean first, then the squares of the differences, which one pass would lose to rounding.
template <class T>
void ReduceVariance(const ReductionOptions& options, bool root, const ReductionGeometry& geometry, const T* input,
                    double* means, T* results) {
  ReduceMeans(geometry, input, means);
  const auto square = [](T x, double mean) {
    const double difference = static_cast<double>(x) - mean;
    return difference * difference;
  };
  const double divisor = std::max(0.0, static_cast<double>(geometry.count) - options.correction);
  DriveReduction(geometry, input, ShiftedSumOf<T, decltype(square)>(square, means), [=](int64_t i, double sum) {
    results[i] = static_cast<T>(root ? std::sqrt(sum / divisor) : sum / divisor);
  });
}

template <class T>
void ReduceLogSumExp(const ReductionGeometry& geometry, const T* input, double* largest, T* results) {
  DriveReduction(geometry, input, ExtremeOf<T, true>(), [=](int64_t i, const T& extreme) {
    largest[i] = std::isinf(extreme) ? 0.0 : static_cast<double>(extreme);
  });
  const auto power = [](T x, double shift) {
    return static_cast<double>(Exp(static_cast<T>(static_cast<double>(x) - shift)));
  };
  DriveReduction(geometry, input, ShiftedSumOf<T, decltype(power)>(power, largest),
                 [=](int64_t i, double sum) { results[i] = static_cast<T>(std::log(sum) + largest[i]); });
}

/// Reductions of floating elements only.
template <class T>
void ReduceFloating(Reduction reduction, const ReductionOptions& options, const ReductionGeometry& geometry,
                    const T* input, double* workspace, T* results) {
  const auto store = [=](int64_t i, double value) { results[i] = static_cast<T>(value); };
  const double count = static_cast<double>(geometry.count);
  switch (reduction) {
    case Reduction::kMean:
      ReduceTerms(
          geometry, input, [](double x) { return x; }, [=](int64_t i, double sum) { store(i, sum / count); });
      break;
    case Reduction::kNanSum:
      ReduceTerms(
          geometry, input, [](double x) { return IsNan(x) ? 0.0 : x; }, store);
      break;
    case Reduction::kNanMean:
      DriveReduction(geometry, input, NanMeanOf<T>(),
                     [=](int64_t i, const auto& part) { store(i, part.sum / static_cast<double>(part.count)); });
      break;
    case Reduction::kNorm:
      ReduceNorm(options.p, geometry, input, results);
      break;
    case Reduction::kLogSumExp:
      ReduceLogSumExp(geometry, input, workspace, results);
      break;
    default:
      ReduceVariance(options, reduction == Reduction::kDeviation, geometry, input, workspace, results);
      break;
  }
}

bool NeedsFloating(Reduction reduction) {
  switch (reduction) {
    case Reduction::kSum:
    case Reduction::kProduct:
    case Reduction::kMax:
    case Reduction::kMin:
    case Reduction::kAll:
    case Reduction::kAny:
    case Reduction::kCountNonzero:
      return false;
    default:
      return true;
  }
}

/// Reductions of any element type.
template <class T>
void ReduceAnyType(Reduction reduction, const ReductionGeometry& geometry, const T* input, const ArrayView& output) {
  switch (reduction) {
    case Reduction::kSum:
      return ReduceSum(geometry, input, output);
    case Reduction::kProduct:
      return ReduceProduct(geometry, input, output);
    case Reduction::kMax:
      return ReduceExtreme<T, true>(geometry, input, output);
    case Reduction::kMin:
      return ReduceExtreme<T, false>(geometry, input, output);
    case Reduction::kAll:
      return ReduceCount(geometry, input, [results = output.as<bool>(), all = geometry.count](int64_t i, int64_t n) {
        results[i] = n == all;
      });
    case Reduction::kAny:
      return ReduceCount(geometry, input, [results = output.as<bool>()](int64_t i, int64_t n) { results[i] = n > 0; });
    default:
      return ReduceCount(geometry, input, [results = output.as<int64_t>()](int64_t i, int64_t n) { results[i] = n; });
  }
}

}  // namespace

void Reduce(Reduction reduction, const ReductionOptions& options, const ReductionGeometry& geometry,
            const ConstArrayView& input, void* workspace, const ArrayView& output) {
  if (NeedsFloating(reduction)) {
    DispatchFloating(input.type(), [&](auto tag) {
      using T = typename decltype(tag)::type;
      ReduceFloating(reduction, options, geometry, input.as<T>(), static_cast<double*>(workspace), output.as<T>());
    });
  } else {
    DispatchReal(input.type(), [&](auto tag) {
      ReduceAnyType(reduction, geometry, input.as<typename decltype(tag)::type>(), output);
    });
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
  KUIPER_SIMD(Reduce)(reduction, options, geometry, input, workspace, output);
}

}  // namespace kuiper_infer::kernel
#endif
