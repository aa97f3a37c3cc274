// SPDX-License-Identifier: MIT
// Fourier transforms as PyTorch's own ones call them: axes, and a number for the factor of the results.
#include <string>

#include "operation/composition.hpp"

namespace kuiper_infer {
namespace {

/// The word for a factor: 0 for none, 1 for 1 / sqrt(n), 2 for 1 / n.
const char* Norm(const Arguments& arguments, bool inverse) {
  const int64_t factor = arguments.Int("normalization");
  arguments.Require(factor >= 0 && factor <= 2, "normalization is " + std::to_string(factor) + ", expected 0, 1 or 2");
  if (factor == 1) return "ortho";
  return (factor == 0) == inverse ? "forward" : "backward";
}

OperationPlan PlanAs(const Arguments& arguments, const char* type, bool inverse, const CallArguments& lengths = {}) {
  Composition composition(arguments);
  CallArguments call = lengths;
  call["input"] = arguments.Tensor("input");
  call["dim"] = arguments.Get("dim");
  call["norm"] = Norm(arguments, inverse);
  return composition.Finish({composition.Call(type, call)});
}

OperationPlan PlanComplexToComplex(const Arguments& arguments) {
  const bool forward = arguments.Bool("forward");
  return PlanAs(arguments, forward ? "torch.fft.fftn" : "torch.fft.ifftn", !forward);
}

OperationPlan PlanRealToComplex(const Arguments& arguments) {
  return PlanAs(arguments, arguments.Bool("onesided") ? "torch.fft.rfftn" : "torch.fft.fftn", false);
}

OperationPlan PlanComplexToReal(const Arguments& arguments) {
  const TensorSpec& input = arguments.Tensor("input").spec;
  Shape lengths;
  for (const int64_t axis : arguments.Axes("dim", input.rank())) {
    lengths.push_back(input.shape[static_cast<std::size_t>(axis)]);
  }
  arguments.Require(!lengths.empty(), "dim is empty, expected at least one axis");
  lengths.back() = arguments.Int("last_dim_size");
  return PlanAs(arguments, "torch.fft.irfftn", true, {{"s", lengths}});
}

}  // namespace

void RegisterNativeFft(OperationTable& table) {
  const std::string head = "Tensor input|self, int[] dim, int normalization, ";
  table.Add({"aten::_fft_c2c"}, head + "bool forward", PlanComplexToComplex, InputLayout::kStrided);
  table.Add({"aten::_fft_r2c"}, head + "bool onesided", PlanRealToComplex, InputLayout::kStrided);
  table.Add({"aten::_fft_c2r"}, head + "int last_dim_size", PlanComplexToReal, InputLayout::kStrided);
}

}  // namespace kuiper_infer
