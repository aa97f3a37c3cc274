// SPDX-License-Identifier: MIT
#include "operation/composition.hpp"

namespace kuiper_infer {
namespace {

/// Plans to move the constant part of a spectrum to the middle, or back: a roll by half of each extent.
template <bool kInverse>
OperationPlan PlanShift(const Arguments& arguments) {
  const TensorArgument& input = arguments.Tensor("input");
  Shape shifts;
  Shape dims;
  for (const int64_t axis : arguments.Axes("dim", input.spec.rank())) {
    const int64_t extent = input.spec.shape[static_cast<std::size_t>(axis)];
    shifts.push_back(kInverse ? (extent + 1) / 2 : extent / 2);
    dims.push_back(axis);
  }
  Composition composition(arguments);
  return composition.Finish({composition.Call("torch.roll", {{"input", input}, {"shifts", shifts}, {"dims", dims}})});
}

}  // namespace

void RegisterFftShift(OperationTable& table) {
  const OutputValues moved = Preserves({"input"});
  table.Add({"torch.fft.fftshift", "aten::fft_fftshift"}, "Tensor input|self, int[]? dim=None", PlanShift<false>,
            InputLayout::kRowMajor, moved);
  table.Add({"torch.fft.ifftshift", "aten::fft_ifftshift"}, "Tensor input|self, int[]? dim=None", PlanShift<true>,
            InputLayout::kRowMajor, moved);
}

}  // namespace kuiper_infer
