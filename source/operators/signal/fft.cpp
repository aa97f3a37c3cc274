// SPDX-License-Identifier: MIT
#include "kernel/signal/fft.hpp"

#include <algorithm>
#include <cmath>

#include "data/memory_budget.hpp"
#include "kernel/movement/copy.hpp"
#include "operation/composition.hpp"
#include "operation/parameters.hpp"
#include "operation/planning_context.hpp"
#include "shape/promote.hpp"

namespace kuiper_infer {
namespace {

using Complex = std::complex<double>;

enum class Kind { kComplex, kFromReal, kToReal };

/// The transform of one call: the axes in the given order, and the length to which each is cut or padded.
struct Transform {
  std::vector<int64_t> axes;
  Shape work;   ///< with the full lengths
  Shape given;  ///< how much of the input is read
  Shape output;
  double scale = 1;
};

std::vector<int64_t> Axes(const Arguments& arguments, int64_t rank, const std::vector<int64_t>& lengths) {
  if (arguments.schema().Find("n") >= 0) return {arguments.Axis("dim", rank)};
  if (arguments.Has("dim")) return AxesOrNone(arguments, "dim", rank);
  const auto count = arguments.Has("s") ? static_cast<int64_t>(lengths.size()) : rank;
  arguments.Require(count <= rank, "s has more lengths than the input has axes");
  std::vector<int64_t> axes;
  for (int64_t axis = rank - count; axis < rank; ++axis) axes.push_back(axis);
  return axes;
}

double Scale(const Arguments& arguments, double count, bool inverse) {
  const std::string norm = arguments.Has("norm") ? arguments.String("norm") : "backward";
  arguments.Require(norm == "backward" || norm == "ortho" || norm == "forward",
                    "norm is '" + norm + "', expected backward, ortho or forward");
  if (norm == "ortho") return 1 / std::sqrt(count);
  return (norm == "forward") == inverse ? 1 : 1 / count;
}

Transform ReadTransform(const Arguments& arguments, Kind kind, bool inverse) {
  const Shape& shape = arguments.Tensor("input").spec.shape;
  const auto rank = static_cast<int64_t>(shape.size());
  arguments.Require(rank >= 1, "input is a single number, expected rank 1 or more");
  const char* name = arguments.schema().Find("n") >= 0 ? "n" : "s";
  const std::vector<int64_t> lengths = arguments.Has(name) ? arguments.Ints(name) : std::vector<int64_t>{};
  Transform transform;
  transform.axes = Axes(arguments, rank, lengths);
  arguments.Require(kind == Kind::kComplex || !transform.axes.empty(), "dim is empty, expected at least one axis");
  arguments.Require(lengths.empty() || lengths.size() == transform.axes.size(),
                    "found " + std::to_string(lengths.size()) + " lengths for " +
                        std::to_string(transform.axes.size()) + " axes, expected one for each");
  transform.work = transform.given = transform.output = shape;
  double count = 1;
  for (std::size_t i = 0; i < transform.axes.size(); ++i) {
    const auto axis = static_cast<std::size_t>(transform.axes[i]);
    const bool last = i + 1 == transform.axes.size();
    const bool half = kind == Kind::kToReal && last;
    int64_t length = half ? 2 * (shape[axis] - 1) : shape[axis];
    if (!lengths.empty() && lengths[i] != -1) length = lengths[i];
    constexpr int64_t kLongest = int64_t{1} << 40;
    arguments.Require(length >= 1 && length < kLongest, "the length of axis " + std::to_string(axis) + " is " +
                                                            std::to_string(length) + ", expected at least 1");
    transform.work[axis] = length;
    transform.given[axis] = std::min(shape[axis], half ? length / 2 + 1 : length);
    transform.output[axis] = kind == Kind::kFromReal && last ? length / 2 + 1 : length;
    count *= static_cast<double>(length);
  }
  transform.scale = Scale(arguments, count, inverse);
  return transform;
}

AxisGeometry Along(const Shape& shape, int64_t axis) {
  AxisGeometry geometry{1, shape[static_cast<std::size_t>(axis)], 1};
  for (int64_t i = 0; i < static_cast<int64_t>(shape.size()); ++i) {
    if (i < axis) geometry.outer *= shape[static_cast<std::size_t>(i)];
    if (i > axis) geometry.inner *= shape[static_cast<std::size_t>(i)];
  }
  return geometry;
}

/// Plans a transform. It runs on complex numbers of double precision; kinds differ in what is read and written.
template <Kind kKind, bool kInverse>
OperationPlan PlanFft(const Arguments& arguments) {
  const TensorArgument& input = arguments.Tensor("input");
  arguments.Require(kKind != Kind::kFromReal || !IsComplex(input.spec.type), "input is complex, expected real numbers");
  const Transform transform = ReadTransform(arguments, kKind, kInverse);
  const RuntimeDataType floating = FloatingResult(input.spec.type);
  const bool wide = floating == RuntimeDataType::kTypeFloat64 || floating == RuntimeDataType::kTypeComplex128;
  RuntimeDataType type = wide ? RuntimeDataType::kTypeComplex128 : RuntimeDataType::kTypeComplex64;
  if (kKind == Kind::kToReal) type = wide ? RuntimeDataType::kTypeFloat64 : RuntimeDataType::kTypeFloat32;
  const bool real = kKind != Kind::kToReal && !IsComplex(input.spec.type);
  // PyTorch's inverse transforms of real numbers are conjugates of its forward ones, except for ifft along several
  // axes.
  const bool conjugate = kInverse && (kKind == Kind::kFromReal || transform.axes.size() == 1);
  const double zero = conjugate ? -0.0 : 0.0;
  const int threads = arguments.context().threads;
  std::vector<kernel::FftPlan> plans;
  int64_t scratch = 0;
  for (const int64_t axis : transform.axes) {
    const int64_t length = transform.work[static_cast<std::size_t>(axis)];
    RequireMemory(length, 4 * ElementBytes(RuntimeDataType::kTypeComplex128));  // MakeFftPlan takes up to four times it
    plans.push_back(kernel::MakeFftPlan(length, kInverse));
    scratch = std::max(scratch, kernel::FftScratch(plans.back(), threads));
  }
  const TensorSpec work(RuntimeDataType::kTypeComplex128, transform.work);
  const TensorSpec loaded(work.type, transform.given, work.strides);
  const TensorSpec source(input.spec.type, transform.given, input.spec.strides);
  const TensorSpec stored(work.type, transform.output, work.strides);
  const int64_t work_bytes = ByteCount(work.type, work.shape);
  OperationPlan plan;
  plan.outputs = {OutputPlan::New(type, transform.output)};
  plan.workspace_bytes = work_bytes + ByteCount(work.type, {scratch});
  plan.run = [=, index = input.input](const RunContext& c) {
    auto* data = reinterpret_cast<Complex*>(c.workspace);
    auto* buffer = reinterpret_cast<Complex*>(c.workspace + work_bytes);
    std::fill_n(data, work.size(), Complex());
    kernel::Copy({c.inputs[index].data, source}, {data, loaded});
    for (std::size_t i = 0; i < plans.size(); ++i) {
      const AxisGeometry geometry = Along(transform.work, transform.axes[i]);
      if (kKind == Kind::kToReal && i + 1 == plans.size()) kernel::CompleteSpectrum(geometry, data);
      kernel::FftAxis(plans[i], geometry, threads, data, buffer);
    }
    if (real) kernel::DropImaginaryParts(transform.work, transform.axes, zero, data);
    for (int64_t i = 0; i < work.size(); ++i) data[i] *= transform.scale;
    kernel::Copy({data, stored}, c.outputs[0]);
  };
  return plan;
}

template <Kind kKind, bool kInverse>
void AddFamily(OperationTable& table, const std::string& name) {
  const auto types = [&](const std::string& suffix) {
    return std::vector<std::string>{"torch.fft." + name + suffix, "aten::fft_" + name + suffix};
  };
  const InputLayout strided = InputLayout::kStrided;
  table.Add(types(""), "Tensor input|self, int? n=None, int dim=-1, str? norm=None", PlanFft<kKind, kInverse>, strided);
  table.Add(types("2"), "Tensor input|self, int[]? s=None, int[] dim=[-2,-1], str? norm=None", PlanFft<kKind, kInverse>,
            strided);
  table.Add(types("n"), "Tensor input|self, int[]? s=None, int[]? dim=None, str? norm=None", PlanFft<kKind, kInverse>,
            strided);
}

}  // namespace

void RegisterFft(OperationTable& table) {
  AddFamily<Kind::kComplex, false>(table, "fft");
  AddFamily<Kind::kComplex, true>(table, "ifft");
  AddFamily<Kind::kFromReal, false>(table, "rfft");
  AddFamily<Kind::kToReal, true>(table, "irfft");
  AddFamily<Kind::kToReal, false>(table, "hfft");
  AddFamily<Kind::kFromReal, true>(table, "ihfft");
}

}  // namespace kuiper_infer
