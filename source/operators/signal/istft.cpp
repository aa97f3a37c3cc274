// SPDX-License-Identifier: MIT
#include <algorithm>

#include "operators/elementwise/formula.hpp"
#include "operators/product/matrix_product.hpp"
#include "operators/signal/stft_frames.hpp"
#include "shape/promote.hpp"

namespace kuiper_infer {
namespace {

/// Adds overlapping frames to rows of samples: from columns (rows, frames.size, count) to (rows, frames.size +
/// frames.hop * (count - 1)).
TensorArgument AddFrames(Composition& composition, const Frames& frames, const TensorArgument& columns, int64_t rows,
                         int64_t count) {
  if (IsComplex(columns.spec.type)) {
    const auto part = [&](const char* name) {
      return AddFrames(composition, frames, composition.Call(name, {{"input", columns}}), rows, count);
    };
    return composition.Call("torch.complex", {{"real", part("torch.real")}, {"imag", part("torch.imag")}});
  }
  const int64_t total = frames.size + frames.hop * (count - 1);
  const Shape shape = {rows, frames.size, count};
  const TensorArgument added = composition.Call("F.fold", {{"input", {Reshaped(columns, shape)}},
                                                           {"output_size", Shape{1, total}},
                                                           {"kernel_size", Shape{1, frames.size}},
                                                           {"stride", Shape{1, frames.hop}}});
  return Reshaped(added, {rows, total});
}

/// Plans the inverse short-time Fourier transform: overlapping frames are added, and each sample is divided by the sum
/// of the squared windows at its place.
OperationPlan PlanIstft(const Arguments& arguments) {
  TensorArgument spectra = arguments.Tensor("input");
  const Frames frames = ReadFrames(arguments);
  Composition composition(arguments);
  if (!IsComplex(spectra.spec.type)) spectra = composition.Call("torch.view_as_complex", {{"input", spectra}});
  const bool batched = spectra.spec.rank() == 3;
  arguments.Require(batched || spectra.spec.rank() == 2,
                    "input is " + ShapeString(spectra.spec.shape) + ", expected complex numbers of rank 2 or 3");
  const int64_t batch = batched ? spectra.spec.shape[0] : 1;
  const int64_t count = spectra.spec.shape.back();
  const int64_t frequencies = spectra.spec.shape.end()[-2];
  const bool onesided = arguments.Has("onesided") ? arguments.Bool("onesided") : frequencies != frames.size;
  const Value norm(std::string(frames.normalized ? "ortho" : "backward"));
  const bool return_complex = arguments.Bool("return_complex");
  arguments.Require(!return_complex || !onesided,
                    "return_complex is set with a one-sided input, expected a two-sided one");
  const TensorArgument pieces = composition.Call(return_complex ? "torch.fft.ifft" : "torch.fft.irfft",
                                                 {{"input", spectra}, {"n", frames.size}, {"dim", -2}, {"norm", norm}});
  const char* type = PromoteTypes(pieces.spec.type, RuntimeDataType::kTypeComplex64) == RuntimeDataType::kTypeComplex128
                         ? "torch.float64"
                         : "torch.float32";
  TensorArgument window = Window(arguments, composition, frames, type);
  window = AsStrided(window, {frames.size, 1}, {window.spec.strides.front(), 1});
  const int64_t total = frames.size + frames.hop * (count - 1);
  const TensorArgument sum =
      AddFrames(composition, frames,
                ApplyFormula(composition, "mul(piece, window)", {{"piece", pieces}, {"window", window}}), batch, count);
  const TensorArgument ones = composition.Call("torch.ones", {{"size", Shape{1, count}}, {"dtype", type}});
  const TensorArgument weight =
      AddFrames(composition, frames,
                ApplyFormula(composition, "mul(square(window), one)", {{"window", window}, {"one", ones}}), 1, count);
  const int64_t start = frames.center ? frames.size / 2 : 0;
  const int64_t given = arguments.Has("length") ? arguments.Int("length") : -1;
  const int64_t end = given >= 0 ? start + given : total - (frames.center ? frames.size / 2 : 0);
  arguments.Require(end > start, "the frames give " + std::to_string(total) + " samples, expected more than the " +
                                     std::to_string(start) + " that are cut off in front");
  const auto trim = [&](const TensorArgument& row) { return composition.Slice(row, 1, start, std::min(end, total)); };
  TensorArgument result = ApplyFormula(composition, "div(sum, weight)", {{"sum", trim(sum)}, {"weight", trim(weight)}});
  if (end > total) result = composition.Call("F.pad", {{"input", result}, {"pad", Shape{0, end - total}}});
  if (!batched) result = Reshaped(result, {end - start});
  return composition.Finish({result});
}

}  // namespace

void RegisterIstft(OperationTable& table) {
  const std::string shape = kFrameArguments;
  table.Add({"torch.istft", "aten::istft"},
            shape +
                "bool center=True, bool normalized=False, bool? onesided=None, int? length=None, bool "
                "return_complex=False",
            PlanIstft);
}

}  // namespace kuiper_infer
