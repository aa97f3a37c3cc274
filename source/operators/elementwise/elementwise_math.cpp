// SPDX-License-Identifier: MIT
#include <cmath>

#include "operators/elementwise/elementwise_table.hpp"

namespace kuiper_infer {
namespace {

/// Plans log(x / (1 - x)); an eps limits x to [eps, 1 - eps], without one nothing is limited.
OperationPlan PlanLogit(const Arguments& arguments, const Formula& formula) {
  const double eps = arguments.Has("eps") ? arguments.Float("eps") : -1;
  return PlanFormula(formula, {{"input", arguments.Tensor("input")}, {"eps", eps}});
}

/// Plans numbers rounded to `decimals` decimals; -1 rounds to tens, -2 to hundreds.
OperationPlan PlanRound(const Arguments& arguments, const Formula& formula) {
  const int64_t decimals = arguments.Int("decimals");
  if (decimals == 0) return PlanFormula(arguments, formula);
  static const Formula kDecimals("div(round(mul(input, power)), power)");
  static const Formula kTens("mul(round(div(input, power)), power)");
  const TensorArgument& input = arguments.Tensor("input");
  arguments.Require(IsFloating(input.spec.type), std::string("input is ") + TypeName(input.spec.type) +
                                                     ", expected floating numbers where decimals is not 0");
  const double power = std::pow(10.0, static_cast<double>(std::abs(decimals)));
  return PlanFormula(decimals > 0 ? kDecimals : kTens, {{"input", input}, {"power", power}});
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
      {{"torch.ceil", "aten::ceil"}, x, "ceil(input)"},
      {{"torch.floor", "aten::floor"}, x, "floor(input)"},
      {{"torch.trunc", "aten::trunc", "torch.fix", "aten::fix"}, x, "trunc(input)"},
      {{"torch.round", "aten::round", "aten::special_round"}, x + ", int decimals=0", "round(input)", PlanRound},
      {{"torch.frac", "aten::frac"}, x, "frac(input)"},
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
