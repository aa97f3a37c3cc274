// SPDX-License-Identifier: MIT
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/elementwise/unary_functions.cpp"
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include <hwy/foreach_target.h>  // before highway.h
#include <hwy/highway.h>

#include "kernel/elementwise/functions.hpp"
#include "kernel/elementwise/special_functions.hpp"
#include "kernel/elementwise/vector_functions-inl.hpp"
#include "kernel/elementwise/vector_math.hpp"
#include "utils/simd.hpp"
#include "utils/wrapping.hpp"

HWY_BEFORE_NAMESPACE();
namespace kuiper_infer::kernel::HWY_NAMESPACE {
namespace {

template <class Function, class T>
void Block(const T* x, T* y, int64_t count, const double* p) {
#pragma omp simd  // y is x or apart from it
  for (int64_t i = 0; i < count; ++i) y[i] = Function::Apply(x[i], p);
}

// Functors: `p` holds the parameters that a function has, in PyTorch's order.

#define KUIPER_UNARY(NAME, EXPRESSION)                      \
  struct NAME {                                             \
    template <class T>                                      \
    static T Apply(T x, [[maybe_unused]] const double* p) { \
      return static_cast<T>(EXPRESSION);                    \
    }                                                       \
  };

template <class T>
T Parameter(const double* p, int index) {
  return static_cast<T>(p[index]);
}

/// log(1 + e^x) without overflow.
template <class T>
T SoftplusOf(T x) {
  return std::max(x, T(0)) + std::log1p(std::exp(-std::abs(x)));
}

template <class T>
T Clip(T x, T low, T high) {
  return x < low ? low : (x > high ? high : x);
}

KUIPER_UNARY(Abs, std::is_integral_v<T> ? (x < 0 ? WrappingNegate(x) : x) : std::abs(x))
KUIPER_UNARY(Neg, WrappingNegate(x))
KUIPER_UNARY(Positive, x)
KUIPER_UNARY(Square, WrappingMultiply(x, x))
KUIPER_UNARY(Cube, x* x* x)
KUIPER_UNARY(Sign, x > T(0) ? T(1) : (x < T(0) ? T(-1) : T(0)))
KUIPER_UNARY(Ceil, std::ceil(x))
KUIPER_UNARY(Floor, std::floor(x))
KUIPER_UNARY(Trunc, std::trunc(x))
KUIPER_UNARY(Round, std::nearbyint(x))  // ties to even in the default rounding mode
KUIPER_UNARY(Frac, x - std::trunc(x))
KUIPER_UNARY(Acos, std::acos(x))
KUIPER_UNARY(Acosh, std::acosh(x))
KUIPER_UNARY(Asin, std::asin(x))
KUIPER_UNARY(Asinh, std::asinh(x))
KUIPER_UNARY(Atan, std::atan(x))
KUIPER_UNARY(Atanh, std::atanh(x))
KUIPER_UNARY(Cos, std::cos(x))
KUIPER_UNARY(Cosh, std::cosh(x))
KUIPER_UNARY(Sin, std::sin(x))
KUIPER_UNARY(Sinh, std::sinh(x))
KUIPER_UNARY(Tan, std::tan(x))
KUIPER_UNARY(TanhF, Tanh(x))
KUIPER_UNARY(ErfF, Erf(x))
KUIPER_UNARY(Erfc, std::erfc(x))
KUIPER_UNARY(ExpF, Exp(x))
KUIPER_UNARY(Exp2, std::exp2(x))
KUIPER_UNARY(Expm1, std::expm1(x))
KUIPER_UNARY(Log, std::log(x))
KUIPER_UNARY(Log10, std::log10(x))
KUIPER_UNARY(Log1p, std::log1p(x))
KUIPER_UNARY(Log2, std::log2(x))
KUIPER_UNARY(Lgamma, std::lgamma(x))
KUIPER_UNARY(Sqrt, std::sqrt(x))
KUIPER_UNARY(Rsqrt, T(1) / std::sqrt(x))
KUIPER_UNARY(Reciprocal, T(1) / x)
KUIPER_UNARY(LogicalNot, x == T(0) ? 1 : 0)
KUIPER_UNARY(BitwiseNot, ~x)

KUIPER_UNARY(Relu, x < T(0) ? T(0) : x)
KUIPER_UNARY(Relu6, Clip(x, T(0), T(6)))
KUIPER_UNARY(SigmoidF, Sigmoid(x))
KUIPER_UNARY(Silu, x* Sigmoid(x))
KUIPER_UNARY(Hardsigmoid, Clip(x + T(3), T(0), T(6)) / T(6))
KUIPER_UNARY(Hardswish, x* Clip(x + T(3), T(0), T(6)) / T(6))
KUIPER_UNARY(Gelu, T(0.5) * x * (T(1) + Erf(x * T(0.70710678118654752440))))
// Hendrycks and Gimpel's approximation: sqrt(2 / pi) (x + 0.044715 x^3).
KUIPER_UNARY(GeluTanh, T(0.5) * x * (T(1) + Tanh(T(0.79788456080286535588) * (x + T(0.044715) * x * x * x))))
KUIPER_UNARY(Mish, x* Tanh(SoftplusOf(x)))
KUIPER_UNARY(Selu, T(1.0507009873554804934193349852946) *
                       (x > T(0) ? x : T(1.6732632423543772848170429916717) * std::expm1(x)))
void LeakyReluBlock(const float* x, float* y, int64_t count, const double* p) {
  const auto slope = static_cast<float>(p[0]);  // known before the loop, which would not become vector code otherwise
#pragma omp simd
  for (int64_t i = 0; i < count; ++i) y[i] = x[i] * (x[i] > 0.0F ? 1.0F : slope);
}
KUIPER_UNARY(Softsign, x / (T(1) + std::abs(x)))
KUIPER_UNARY(Tanhshrink, x - Tanh(x))
KUIPER_UNARY(LogSigmoid, -SoftplusOf(-x))
KUIPER_UNARY(Elu, x > T(0) ? x : Parameter<T>(p, 0) * std::expm1(x))
KUIPER_UNARY(Celu, x > T(0) ? x : Parameter<T>(p, 0) * std::expm1(x / Parameter<T>(p, 0)))
KUIPER_UNARY(LeakyRelu, x*(x > T(0) ? T(1) : Parameter<T>(p, 0)))
KUIPER_UNARY(Clamp, x != x ? x : std::min(std::max(x, Parameter<T>(p, 0)), Parameter<T>(p, 1)))
KUIPER_UNARY(Hardshrink, x >= -Parameter<T>(p, 0) && x <= Parameter<T>(p, 0) ? T(0) : x)
KUIPER_UNARY(Softshrink, x > Parameter<T>(p, 0) ? x - Parameter<T>(p, 0)
                                                : (x < -Parameter<T>(p, 0) ? x + Parameter<T>(p, 0) : x * T(0)))
KUIPER_UNARY(Softplus,
             x* Parameter<T>(p, 0) > Parameter<T>(p, 1) ? x : SoftplusOf(x * Parameter<T>(p, 0)) / Parameter<T>(p, 0))
KUIPER_UNARY(Threshold, x <= Parameter<T>(p, 0) ? Parameter<T>(p, 1) : x)

#undef KUIPER_UNARY

constexpr UnaryFunction WithParameters(UnaryFunction function, int count) {
  function.parameters = count;
  return function;
}

/// A function of floating types only: integers are converted first. `parameters` is the function's number of
/// parameters.
template <class Function>
constexpr UnaryFunction Floating(const char* name, int parameters = 0) {
  return WithParameters({name, ResultKind::kFloating, Block<Function, float>, Block<Function, double>, nullptr},
                        parameters);
}

/// A function of floating types with a vector version of its own for float.
template <class Function, ActivationVector (*kVector)(ActivationVector)>
constexpr UnaryFunction Vectorised(const char* name, TileFunction in_tile = TileFunction::kNone) {
  UnaryFunction function = Floating<Function>(name);
  function.f32 = VectorBlock<kVector>;
  function.f32_rows = VectorRows<kVector>;
  function.in_tile = in_tile;
  return function;
}

/// A function of all real types; integers keep their type.
template <class Function>
constexpr UnaryFunction Any(const char* name, int parameters = 0) {
  return WithParameters(
      {name, ResultKind::kSame, Block<Function, float>, Block<Function, double>, Block<Function, int64_t>}, parameters);
}

/// A function of all real types that only limits its argument.
template <class Function>
constexpr UnaryFunction Limiting(const char* name, ActivationBounds (*bounds)(const double* p), int parameters = 0) {
  UnaryFunction function = Any<Function>(name, parameters);
  function.bounds = bounds;
  return function;
}

/// A function that rounds. It leaves integers as they are.
template <class Function>
constexpr UnaryFunction Rounding(const char* name) {
  return {name, ResultKind::kSame, Block<Function, float>, Block<Function, double>, Block<Positive, int64_t>};
}

constexpr UnaryFunction kFunctions[] = {
    Any<Abs>("abs"),
    Any<Neg>("neg"),
    Any<Positive>("positive"),
    Any<Positive>("conj"),  // of real numbers
    Any<Square>("square"),
    Floating<Cube>("cube"),  // not a name of PyTorch: powers with exponent 3 use it
    Any<Sign>("sign"),
    Rounding<Ceil>("ceil"),
    Rounding<Floor>("floor"),
    Rounding<Trunc>("trunc"),
    Rounding<Round>("round"),
    Floating<Frac>("frac"),
    Floating<Acos>("acos"),
    Floating<Acosh>("acosh"),
    Floating<Asin>("asin"),
    Floating<Asinh>("asinh"),
    Floating<Atan>("atan"),
    Floating<Atanh>("atanh"),
    Floating<Cos>("cos"),
    Floating<Cosh>("cosh"),
    Floating<Sin>("sin"),
    Floating<Sinh>("sinh"),
    Floating<Tan>("tan"),
    Floating<TanhF>("tanh"),
    Floating<ErfF>("erf"),
    Floating<Erfc>("erfc"),
    Floating<ExpF>("exp"),
    Floating<Exp2>("exp2"),
    Floating<Expm1>("expm1"),
    Floating<Log>("log"),
    Floating<Log10>("log10"),
    Floating<Log1p>("log1p"),
    Floating<Log2>("log2"),
    Floating<Lgamma>("lgamma"),
    Floating<Sqrt>("sqrt"),
    Floating<Rsqrt>("rsqrt"),
    Floating<Reciprocal>("reciprocal"),
    {"logical_not", ResultKind::kBool, Block<LogicalNot, float>, Block<LogicalNot, double>, Block<LogicalNot, int64_t>},
    {"bitwise_not", ResultKind::kSame, nullptr, nullptr, Block<BitwiseNot, int64_t>},
    Limiting<Relu>("relu", [](const double*) { return ActivationBounds{0}; }),
    Limiting<Relu6>("relu6",
                    [](const double*) {
                      return ActivationBounds{0, 6};
                    }),
    Vectorised<SigmoidF, SigmoidOf>("sigmoid"),
    Vectorised<Silu, SiluOf>("silu", TileFunction::kSilu),
    Vectorised<Hardsigmoid, HardsigmoidOf>("hardsigmoid"),
    Vectorised<Hardswish, HardswishOf>("hardswish", TileFunction::kHardswish),
    Vectorised<Gelu, GeluOf>("gelu", TileFunction::kGelu),
    Vectorised<GeluTanh, GeluTanhOf>("gelu_tanh"),
    Vectorised<Mish, MishOf>("mish"),
    Floating<Selu>("selu"),
    Floating<Softsign>("softsign"),
    Floating<Tanhshrink>("tanhshrink"),
    Floating<LogSigmoid>("logsigmoid"),
    Floating<Elu>("elu", 1),
    Floating<Celu>("celu", 1),
    WithParameters({"leaky_relu", ResultKind::kFloating, LeakyReluBlock, Block<LeakyRelu, double>, nullptr}, 1),
    Limiting<Clamp>(
        "clamp",
        [](const double* p) {
          return ActivationBounds{Parameter<float>(p, 0), Parameter<float>(p, 1)};
        },
        2),
    Floating<Hardshrink>("hardshrink", 1),
    Floating<Softshrink>("softshrink", 1),
    Floating<Softplus>("softplus", 2),
    Any<Threshold>("threshold", 2),
};

}  // namespace

const UnaryFunction* FindUnary(const char* name) {
  for (const UnaryFunction& function : kFunctions) {
    if (std::strcmp(name, function.name) == 0) return &function;
  }
  return nullptr;
}

}  // namespace kuiper_infer::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kuiper_infer::kernel {

KUIPER_SIMD_TABLE(FindUnary);

const UnaryFunction* FindUnary(const std::string& name) {
  const UnaryFunction* found = KUIPER_SIMD(FindUnary)(name.c_str());
  return found != nullptr ? found : FindSpecialUnary(name);
}

}  // namespace kuiper_infer::kernel
#endif
