// SPDX-License-Identifier: MIT
#include <algorithm>

#include "layer/details/formula.hpp"
#include "layer/details/matrix_product.hpp"

namespace kuiper_infer {
namespace {

/// The parameters that both directions share.
struct Frames {
  int64_t size = 0;  ///< n_fft
  int64_t hop = 0;
  bool center = true;
  bool normalized = false;
};

Frames ReadFrames(const Arguments& arguments) {
  Frames frames;
  frames.size = arguments.Int("n_fft");
  frames.hop = arguments.Has("hop_length") ? arguments.Int("hop_length") : frames.size / 4;
  frames.center = arguments.Bool("center");
  frames.normalized = arguments.Bool("normalized");
  arguments.Require(frames.size > 0 && frames.hop > 0, "n_fft is " + std::to_string(frames.size) + " and hop_length " +
                                                           std::to_string(frames.hop) + ", expected numbers above 0");
  return frames;
}

/// The window in the middle of n_fft numbers; ones where none is given.
TensorArgument Window(const Arguments& arguments, Composition& composition, const Frames& frames, const char* type) {
  const int64_t length = arguments.Has("win_length") ? arguments.Int("win_length") : frames.size;
  arguments.Require(length > 0 && length <= frames.size,
                    "win_length is " + std::to_string(length) + ", expected 1 to n_fft " + std::to_string(frames.size));
  TensorArgument window;
  if (const TensorArgument* given = arguments.OptionalTensor("window"); given != nullptr) {
    arguments.Require(given->spec.shape == Shape{length},
                      "window is " + ShapeString(given->spec.shape) + ", expected (" + std::to_string(length) + ")");
    window = *given;
  } else {
    window = composition.Call("torch.ones", {{"size", Shape{length}}, {"dtype", type}});
  }
  if (length == frames.size) return window;
  const int64_t left = (frames.size - length) / 2;
  return composition.Call("F.pad", {{"input", window}, {"pad", Shape{left, frames.size - length - left}}});
}

/// Short-time Fourier transform of (length) or (batch, length): frames of n_fft numbers, hop_length apart, times the
/// window, transformed: (batch, frequencies, frames).
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
  TensorArgument signal = Reviewed(input, rows, RowMajorStrides(rows));
  if (frames.center) {
    const TensorArgument channel = Reviewed(signal, {batch, 1, rows[1]}, RowMajorStrides({batch, 1, rows[1]}));
    const int64_t half = frames.size / 2;
    const TensorArgument padded = composition.Call(
        "F.pad", {{"input", channel}, {"pad", Shape{half, half}}, {"mode", arguments.Get("pad_mode")}});
    rows[1] += 2 * half;
    signal = Reviewed(padded, rows, RowMajorStrides(rows));
  }
  arguments.Require(rows[1] >= frames.size, "the signal has " + std::to_string(rows[1]) +
                                                " samples, fewer than n_fft " + std::to_string(frames.size));
  const int64_t count = (rows[1] - frames.size) / frames.hop + 1;
  const TensorArgument cut = Reviewed(signal, {batch, count, frames.size}, {rows[1], frames.hop, 1});
  const char* type = input.spec.type == RuntimeDataType::kTypeFloat64 ? "torch.float64" : "torch.float32";
  const TensorArgument weighted =
      ApplyFormula(composition, "0 1 mul", {cut, Window(arguments, composition, frames, type)});
  const TensorArgument spectra =
      composition.Call(onesided ? "torch.fft.rfft" : "torch.fft.fft",
                       {{"input", weighted}, {"norm", frames.normalized ? "ortho" : "backward"}});
  TensorArgument result = composition.Call("torch.transpose", {{"input", spectra}, {"dim0", 1}, {"dim1", 2}});
  if (input.spec.rank() == 1) {
    result = Reviewed(result, {result.spec.shape[1], result.spec.shape[2]},
                      {result.spec.strides[1], result.spec.strides[2]});
  }
  const bool as_complex = !arguments.Has("return_complex") || arguments.Bool("return_complex");
  if (!as_complex) result = composition.Call("torch.view_as_real", {{"input", result}});
  return composition.Finish({result});
}

/// The inverse: frames are added where they overlap and divided by the sum of the squared windows there.
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
  TensorArgument pieces = composition.Call(onesided ? "torch.fft.irfft" : "torch.fft.ifft",
                                           {{"input", spectra}, {"n", frames.size}, {"dim", -2}, {"norm", norm}});
  if (!onesided && !arguments.Bool("return_complex")) pieces = composition.Call("torch.real", {{"input", pieces}});
  const char* type = pieces.spec.type == RuntimeDataType::kTypeFloat64 ? "torch.float64" : "torch.float32";
  TensorArgument window = Window(arguments, composition, frames, type);
  window = Reviewed(window, {frames.size, 1}, {1, 1});
  const int64_t total = frames.size + frames.hop * (count - 1);
  const auto overlap = [&](const TensorArgument& columns, int64_t rows) {
    const Shape shape = {rows, frames.size, count};
    const TensorArgument added =
        composition.Call("F.fold", {{"input", {Reviewed(columns, shape, RowMajorStrides(shape))}},
                                    {"output_size", Shape{1, total}},
                                    {"kernel_size", Shape{1, frames.size}},
                                    {"stride", Shape{1, frames.hop}}});
    return Reviewed(added, {rows, total}, {total, 1});
  };
  const TensorArgument sum = overlap(ApplyFormula(composition, "0 1 mul", {pieces, window}), batch);
  const TensorArgument ones = composition.Call("torch.ones", {{"size", Shape{1, count}}, {"dtype", type}});
  const TensorArgument weight = overlap(ApplyFormula(composition, "0 square 1 mul", {window, ones}), 1);
  const int64_t start = frames.center ? frames.size / 2 : 0;
  const int64_t given = arguments.Has("length") ? arguments.Int("length") : -1;
  const int64_t end = given >= 0 ? start + given : total - (frames.center ? frames.size / 2 : 0);
  arguments.Require(end > start, "there is no sample left of " + std::to_string(total));
  const auto trim = [&](const TensorArgument& row) { return composition.Slice(row, 1, start, std::min(end, total)); };
  TensorArgument result = ApplyFormula(composition, "0 1 div", {trim(sum), trim(weight)});
  if (end > total) result = composition.Call("F.pad", {{"input", result}, {"pad", Shape{0, end - total}}});
  if (!batched) result = Reviewed(result, {end - start}, {1});
  return composition.Finish({result});
}

}  // namespace

void RegisterStft(OperationTable& table) {
  const std::string shape =
      "Tensor input|self, int n_fft, int? hop_length=None, int? win_length=None, Tensor? window=None, ";
  table.Add({"torch.stft", "aten::stft"},
            shape +
                "bool center=True, str pad_mode=reflect, bool normalized=False, bool? onesided=None, bool? "
                "return_complex=None, bool? align_to_window=None",
            PlanStft);
  // The older overload, which does not pad.
  table.Add({"aten::stft"},
            shape +
                "bool normalized=False, bool? onesided=None, bool? return_complex=None, bool? align_to_window=None, "
                "bool center=False, str pad_mode=reflect",
            PlanStft);
  table.Add({"torch.istft", "aten::istft"},
            shape +
                "bool center=True, bool normalized=False, bool? onesided=None, int? length=None, bool "
                "return_complex=False",
            PlanIstft);
}

}  // namespace kuiper_infer
