// SPDX-License-Identifier: MIT
#include <algorithm>

#include "operators/elementwise/formula.hpp"
#include "operators/product/matrix_product.hpp"
#include "operators/signal/stft_frames.hpp"

namespace kuiper_infer {
namespace {

/// Plans the short-time Fourier transform of (length) or (batch, length): frames of n_fft numbers, hop_length apart,
/// times the window, transformed: (batch, frequencies, frames).
OperationPlan PlanStft(const Arguments& arguments) {
  const TensorArgument& input = arguments.Tensor("input");
  const Frames frames = ReadFrames(arguments);
  arguments.Require(input.spec.rank() == 1 || input.spec.rank() == 2,
                    "input is " + ShapeString(input.spec.shape) + ", expected rank 1 or 2");
  const bool complex = IsComplex(input.spec.type);
  const bool onesided = arguments.Has("onesided") ? arguments.Bool("onesided") : !complex;
  arguments.Require(!(complex && onesided), "onesided=True does not go with complex input");
  Composition composition(arguments);
  const int64_t batch = input.spec.rank() == 2 ? input.spec.shape[0] : 1;
  Shape rows = {batch, input.spec.shape.back()};
  TensorArgument signal = Reshaped(input, rows);
  if (frames.center) {
    const TensorArgument channel = Reshaped(signal, {batch, 1, rows[1]});
    const int64_t half = frames.size / 2;
    const TensorArgument padded = composition.Call(
        "F.pad", {{"input", channel}, {"pad", Shape{half, half}}, {"mode", arguments.Get("pad_mode")}});
    rows[1] += 2 * half;
    signal = Reshaped(padded, rows);
  }
  arguments.Require(rows[1] >= frames.size, "the signal has " + std::to_string(rows[1]) +
                                                " samples, fewer than n_fft " + std::to_string(frames.size));
  const int64_t count = (rows[1] - frames.size) / frames.hop + 1;
  const TensorArgument cut = AsStrided(signal, {batch, count, frames.size}, {rows[1], frames.hop, 1});
  const char* type = input.spec.type == RuntimeDataType::kTypeFloat64 ? "torch.float64" : "torch.float32";
  const TensorArgument weighted = ApplyFormula(
      composition, "mul(frame, window)", {{"frame", cut}, {"window", Window(arguments, composition, frames, type)}});
  const TensorArgument spectra =
      composition.Call(onesided ? "torch.fft.rfft" : "torch.fft.fft",
                       {{"input", weighted}, {"norm", frames.normalized ? "ortho" : "backward"}});
  TensorArgument result = composition.Call("torch.transpose", {{"input", spectra}, {"dim0", 1}, {"dim1", 2}});
  if (input.spec.rank() == 1) {
    result = AsStrided(result, {result.spec.shape[1], result.spec.shape[2]},
                       {result.spec.strides[1], result.spec.strides[2]});
  }
  const bool as_complex = !arguments.Has("return_complex") || arguments.Bool("return_complex");
  if (!as_complex) result = composition.Call("torch.view_as_real", {{"input", result}});
  return composition.Finish({result});
}

}  // namespace

void RegisterStft(OperationTable& table) {
  const std::string padding = "bool center=True, str pad_mode=reflect, ";
  const std::string spectrum =
      "bool normalized=False, bool? onesided=None, bool? return_complex=None, bool? align_to_window=None";
  table.Add({"torch.stft"}, kFrameArguments + padding + spectrum, PlanStft);
  // The overload that does not pad comes first: exports of torch.stft call it behind a padding of their own, and name
  // neither of its parameters.
  table.Add({"aten::stft"}, kFrameArguments + spectrum + ", bool center=False, str pad_mode=reflect", PlanStft);
  table.Add({"aten::stft"}, kFrameArguments + padding + spectrum, PlanStft);
}

}  // namespace kuiper_infer
