// SPDX-License-Identifier: MIT
#include "operators/elementwise/elementwise_table.hpp"

namespace kuiper_infer {
namespace {

OperationPlan PlanIsclose(const Arguments& arguments, const Formula& formula) {
  if (!arguments.Bool("equal_nan")) return PlanFormula(arguments, formula);
  return PlanFormula(arguments, "or(" + formula.text() + ", and(isnan(input), isnan(other)))");
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
  };
}

}  // namespace kuiper_infer
