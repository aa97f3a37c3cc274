// SPDX-License-Identifier: MIT
#include "operators/elementwise/elementwise_table.hpp"
#include "shape/promote.hpp"

namespace kuiper_infer {
namespace {

/// Plans isclose. Differences of integers are floating numbers, as in PyTorch: unsigned ones have no sign, and those of
/// large ones overflow.
OperationPlan PlanIsclose(const Arguments& arguments, const Formula& formula) {
  static const Formula kIntegers(
      "or(eq(input, other), le(abs(sub(input, torch.float(other))), add(atol, mul(rtol, abs(torch.float(other))))))");
  static const Formula kEqual("eq(input, other)");
  const std::optional<double> rtol = arguments.Tensor("rtol").known_number();
  const std::optional<double> atol = arguments.Tensor("atol").known_number();
  arguments.Require((!rtol || *rtol >= 0) && (!atol || *atol >= 0), "rtol or atol is negative, expected 0 or more");
  const RuntimeDataType type = arguments.Tensor("input").spec.type;
  if (!IsFloating(type) && !IsComplex(type)) {
    return PlanFormula(arguments, rtol == 0.0 && atol == 0.0 ? kEqual : kIntegers);
  }
  if (!arguments.Bool("equal_nan")) return PlanFormula(arguments, formula);
  return PlanFormula(arguments, "or(" + formula.text() + ", and(isnan(input), isnan(other)))");
}

/// Plans clamp with the bounds that are present. Two bounds and the input have one type: an integer lower bound of
/// unsigned numbers may be negative beside a floating upper bound.
OperationPlan PlanClamp(const Arguments& arguments, const Formula& formula) {
  static const Formula kUnbounded("positive(input)");
  static const Formula kBelow("maximum(input, min)");
  static const Formula kAbove("minimum(input, max)");
  const TensorArgument& input = arguments.Tensor("input");
  const TensorArgument* low = arguments.OptionalTensor("min");
  const TensorArgument* high = arguments.OptionalTensor("max");
  if (low == nullptr || high == nullptr) {
    return PlanFormula(arguments, low != nullptr ? kBelow : (high != nullptr ? kAbove : kUnbounded));
  }
  const RuntimeDataType type = Promote({input.spec, low->spec, high->spec});
  if (Promote(input.spec, low->spec) == type) return PlanFormula(arguments, formula);
  Composition composition(arguments);
  return composition.Finish({ApplyFormula(
      composition, formula, {{"input", composition.Convert(input, type)}, {"min", *low}, {"max", *high}})});
}

}  // namespace

std::vector<ElementwiseRow> ComparisonRows() {
  const std::string x = kOneArray;
  const std::string pair = kTwoArrays;
  return {
      {{"torch.eq", "aten::eq"}, pair, "eq(input, other)"},
      {{"torch.ne", "aten::ne", "torch.not_equal", "aten::not_equal"}, pair, "ne(input, other)"},
      {{"torch.lt", "aten::lt", "torch.less", "aten::less"}, pair, "lt(input, other)"},
      {{"torch.le", "aten::le", "torch.less_equal", "aten::less_equal"}, pair, "le(input, other)"},
      {{"torch.gt", "aten::gt", "torch.greater", "aten::greater"}, pair, "gt(input, other)"},
      {{"torch.ge", "aten::ge", "torch.greater_equal", "aten::greater_equal"}, pair, "ge(input, other)"},
      {{"torch.isclose", "aten::isclose"},
       pair + ", Tensor rtol=1e-05, Tensor atol=1e-08, bool equal_nan=False",
       "or(eq(input, other), and(isfinite(abs(sub(input, other))), "
       "le(abs(sub(input, other)), add(atol, mul(rtol, abs(other))))))",
       PlanIsclose},
      {{"torch.isfinite", "aten::isfinite"}, x, "isfinite(input)"},
      {{"torch.isinf", "aten::isinf"}, x, "isinf(input)"},
      {{"torch.isnan", "aten::isnan"}, x, "isnan(input)"},
      {{"torch.isneginf", "aten::isneginf"}, x, "isneginf(input)"},
      {{"torch.isposinf", "aten::isposinf"}, x, "isposinf(input)"},
      {{"torch.signbit", "aten::signbit"}, x, "signbit(input)"},
      {{"torch.logical_not", "aten::logical_not"}, x, "logical_not(input)"},
      {{"torch.logical_and", "aten::logical_and"}, pair, "logical_and(input, other)"},
      {{"torch.logical_or", "aten::logical_or"}, pair, "logical_or(input, other)"},
      {{"torch.logical_xor", "aten::logical_xor"}, pair, "logical_xor(input, other)"},
      {{"torch.bitwise_not", "aten::bitwise_not"}, x, "bitwise_not(input)"},
      {{"torch.bitwise_and", "aten::bitwise_and", "torch.__and__", "aten::__and__"}, pair, "and(input, other)"},
      {{"torch.bitwise_or", "aten::bitwise_or", "torch.__or__", "aten::__or__"}, pair, "or(input, other)"},
      {{"torch.bitwise_xor", "aten::bitwise_xor", "torch.__xor__", "aten::__xor__"}, pair, "xor(input, other)"},
      {{"torch.bitwise_left_shift", "aten::bitwise_left_shift", "torch.__lshift__", "aten::__lshift__"},
       pair,
       "lshift(input, other)"},
      {{"torch.bitwise_right_shift", "aten::bitwise_right_shift", "torch.__rshift__", "aten::__rshift__"},
       pair,
       "rshift(input, other)"},
      {{"torch.clamp", "aten::clamp", "aten::clip"},
       x + ", Tensor? min=None, Tensor? max=None",
       "minimum(maximum(input, min), max)",
       PlanClamp},
      {{"aten::clamp_min"}, x + ", Tensor min", "maximum(input, min)"},
      {{"aten::clamp_max"}, x + ", Tensor max", "minimum(input, max)"},
      {{"torch.maximum", "aten::maximum"}, pair, "maximum(input, other)"},
      {{"torch.minimum", "aten::minimum"}, pair, "minimum(input, other)"},
      // The overloads of the reductions' names for two arrays.
      {{"torch.max", "Tensor.max", "aten::max"}, pair, "maximum(input, other)"},
      {{"torch.min", "Tensor.min", "aten::min"}, pair, "minimum(input, other)"},
      {{"torch.fmax", "aten::fmax"}, pair, "fmax(input, other)"},
      {{"torch.fmin", "aten::fmin"}, pair, "fmin(input, other)"},
  };
}

}  // namespace kuiper_infer
