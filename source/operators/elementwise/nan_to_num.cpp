// SPDX-License-Identifier: MIT
#include <limits>

#include "operators/elementwise/formula.hpp"

namespace kuiper_infer {
namespace {

/// Plans numbers in place of NaN and the infinities, which only floating arrays and the parts of complex numbers hold;
/// infinity becomes the largest number by default.
OperationPlan PlanNanToNum(const Arguments& arguments) {
  static const Formula kNumbers("nan_to_num(input, number, posinf, neginf)");
  static const Formula kSame("positive(input)");
  const RuntimeDataType type = arguments.Tensor("input").spec.type;
  if (IsComplex(type)) {
    Composition composition(arguments);
    const auto part = [&](const char* name) {
      return composition.Call("torch.nan_to_num",
                              {{"input", composition.Call(name, {{"input", arguments.Get("input")}})},
                               {"nan", arguments.Get("nan")},
                               {"posinf", arguments.Get("posinf")},
                               {"neginf", arguments.Get("neginf")}});
    };
    return composition.Finish(
        {composition.Call("torch.complex", {{"real", part("torch.real")}, {"imag", part("torch.imag")}})});
  }
  if (!IsFloating(type)) return PlanFormula(arguments, kSame);
  const double largest =
      type == RuntimeDataType::kTypeFloat64 ? std::numeric_limits<double>::max() : std::numeric_limits<float>::max();
  const auto number = [&](const char* name, double otherwise) {
    return arguments.Has(name) ? arguments.Float(name) : otherwise;
  };
  return PlanFormula(kNumbers, {{"input", arguments.Tensor("input")},
                                {"number", number("nan", 0)},
                                {"posinf", number("posinf", largest)},
                                {"neginf", number("neginf", -largest)}});
}

}  // namespace

void RegisterNanToNum(OperationTable& table) {
  table.Add({"torch.nan_to_num", "aten::nan_to_num"},
            "Tensor input|self, float? nan=None, float? posinf=None, float? neginf=None", PlanNanToNum,
            InputLayout::kStrided, Unary());
}

}  // namespace kuiper_infer
