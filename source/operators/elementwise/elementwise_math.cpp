// SPDX-License-Identifier: MIT
#include <limits>

#include "operators/elementwise/elementwise_table.hpp"

namespace kuiper_infer {
namespace {

/// Plans log(x / (1 - x)); an eps limits x to [eps, 1 - eps], without one nothing is limited.
OperationPlan PlanLogit(const Arguments& arguments, const Formula& formula) {
  const double eps = arguments.Has("eps") ? arguments.Float("eps") : -1;
  return PlanFormula(formula, {{"input", arguments.Tensor("input")}, {"eps", eps}});
}

/// Plans numbers in place of NaN and the infinities, which only floating arrays hold; infinity becomes the largest
/// number by default.
OperationPlan PlanNanToNum(const Arguments& arguments, const Formula& formula) {
  static const Formula kSame("positive(input)");
  const RuntimeDataType type = arguments.Tensor("input").spec.type;
  if (!IsFloating(type)) return PlanFormula(arguments, kSame);
  const double largest =
      type == RuntimeDataType::kTypeFloat64 ? std::numeric_limits<double>::max() : std::numeric_limits<float>::max();
  const auto number = [&](const char* name, double otherwise) {
    return arguments.Has(name) ? arguments.Float(name) : otherwise;
  };
  return PlanFormula(formula, {{"input", arguments.Tensor("input")},
                               {"number", number("nan", 0)},
                               {"posinf", number("posinf", largest)},
                               {"neginf", number("neginf", -largest)}});
}

template <int kLeast>
OperationPlan PlanOrder(const Arguments& arguments, const Formula& formula) {
  const int64_t order = arguments.Int(arguments.schema().Find("n") >= 0 ? "n" : "p");
  arguments.Require(order >= kLeast && order < 100,
                    "the order is " + std::to_string(order) + ", expected " + std::to_string(kLeast) + " to 99");
  return PlanFormula(arguments, formula);
}

}  // namespace

std::vector<ElementwiseRow> MathRows() {
  const std::string x = kOneArray;
  const std::string pair = kTwoArrays;
  return {
      {{"torch.sqrt", "aten::sqrt"}, x, "sqrt(input)"},
      {{"torch.rsqrt", "aten::rsqrt"}, x, "rsqrt(input)"},
      {{"torch.hypot", "aten::hypot"}, pair, "hypot(input, other)"},
      {{"torch.exp", "aten::exp"}, x, "exp(input)"},
      {{"torch.exp2", "aten::exp2", "aten::special_exp2"}, x, "exp2(input)"},
      {{"torch.expm1", "aten::expm1", "aten::special_expm1"}, x, "expm1(input)"},
      {{"torch.log", "aten::log"}, x, "log(input)"},
      {{"torch.log10", "aten::log10"}, x, "log10(input)"},
      {{"torch.log1p", "aten::log1p", "aten::special_log1p"}, x, "log1p(input)"},
      {{"torch.log2", "aten::log2"}, x, "log2(input)"},
      {{"torch.logaddexp", "aten::logaddexp"}, pair, "logaddexp(input, other)"},
      {{"torch.logaddexp2", "aten::logaddexp2"}, pair, "logaddexp2(input, other)"},
      {{"torch.logit", "aten::logit", "aten::special_logit"}, x + ", float? eps=None", "logit(input, eps)", PlanLogit},
      {{"torch.xlogy", "aten::xlogy", "torch.special_xlogy", "aten::special_xlogy"}, pair, "xlogy(input, other)"},
      {{"torch.special_xlog1py", "aten::special_xlog1py"}, pair, "xlog1py(input, other)"},
      {{"torch.sin", "aten::sin"}, x, "sin(input)"},
      {{"torch.cos", "aten::cos"}, x, "cos(input)"},
      {{"torch.tan", "aten::tan"}, x, "tan(input)"},
      {{"torch.asin", "aten::asin", "torch.arcsin", "aten::arcsin"}, x, "asin(input)"},
      {{"torch.acos", "aten::acos", "torch.arccos", "aten::arccos"}, x, "acos(input)"},
      {{"torch.atan", "aten::atan", "torch.arctan", "aten::arctan"}, x, "atan(input)"},
      {{"torch.atan2", "aten::atan2", "torch.arctan2", "aten::arctan2"}, pair, "atan2(input, other)"},
      {{"torch.sinh", "aten::sinh"}, x, "sinh(input)"},
      {{"torch.cosh", "aten::cosh"}, x, "cosh(input)"},
      {{"torch.asinh", "aten::asinh", "torch.arcsinh", "aten::arcsinh"}, x, "asinh(input)"},
      {{"torch.acosh", "aten::acosh", "torch.arccosh", "aten::arccosh"}, x, "acosh(input)"},
      {{"torch.atanh", "aten::atanh", "torch.arctanh", "aten::arctanh"}, x, "atanh(input)"},
      {{"torch.sinc", "aten::sinc", "aten::special_sinc"}, x, "sinc(input)"},
      {{"torch.angle", "aten::angle"}, x, "angle(input)"},
      {{"torch.deg2rad", "aten::deg2rad"}, x, "deg2rad(input)"},
      {{"torch.rad2deg", "aten::rad2deg"}, x, "rad2deg(input)"},
      {{"torch.copysign", "aten::copysign"}, pair, "copysign(input, other)"},
      {{"torch.nextafter", "aten::nextafter"}, pair, "nextafter(input, other)"},
      {{"torch.heaviside", "aten::heaviside"}, x + ", Tensor values", "heaviside(input, values)"},
      {{"torch.nan_to_num", "aten::nan_to_num"},
       x + ", float? nan=None, float? posinf=None, float? neginf=None",
       "nan_to_num(input, number, posinf, neginf)",
       PlanNanToNum},
      {{"torch.erf", "aten::erf", "aten::special_erf"}, x, "erf(input)"},
      {{"torch.erfc", "aten::erfc", "aten::special_erfc"}, x, "erfc(input)"},
      {{"torch.erfinv", "aten::erfinv", "aten::special_erfinv"}, x, "erfinv(input)"},
      {{"aten::special_erfcx"}, x, "erfcx(input)"},
      {{"aten::special_ndtr"}, x, "ndtr(input)"},
      {{"aten::special_ndtri"}, x, "ndtri(input)"},
      {{"aten::special_log_ndtr"}, x, "log_ndtr(input)"},
      {{"aten::special_entr"}, x, "entr(input)"},
      {{"torch.lgamma", "aten::lgamma", "aten::special_gammaln"}, x, "lgamma(input)"},
      {{"torch.digamma", "aten::digamma", "aten::special_digamma", "aten::special_psi"}, x, "digamma(input)"},
      {{"torch.polygamma", "aten::polygamma", "aten::special_polygamma"},
       "int n, " + x,
       "polygamma(input, n)",
       PlanOrder<0>},
      {{"torch.mvlgamma", "aten::mvlgamma", "aten::special_multigammaln"},
       x + ", int p",
       "mvlgamma(input, p)",
       PlanOrder<1>},
  };
}

}  // namespace kuiper_infer
