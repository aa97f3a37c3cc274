// SPDX-License-Identifier: MIT
#include "kernel/reduction/histogram.hpp"

#include <algorithm>

#include "operation/composition.hpp"
#include "operation/parameters.hpp"
#include "operators/product/matrix_product.hpp"
#include "utils/dispatch.hpp"
#include "utils/numbers_string.hpp"

namespace kuiper_infer {
namespace {

/// Plans how often each number from 0 on occurs in a vector, or the sum of the weights at its occurrences.
OperationPlan PlanBincount(const Arguments& arguments) {
  const TensorArgument input = ReadRank(arguments, "input", 1);
  const TensorArgument* weights = arguments.OptionalTensor("weights");
  arguments.Require(!IsFloating(input.spec.type) && !IsComplex(input.spec.type),
                    std::string("input is ") + TypeName(input.spec.type) + ", expected integers");
  if (weights != nullptr) {
    arguments.Require(
        weights->spec.shape == input.spec.shape,
        "weights is " + ShapeString(weights->spec.shape) + ", expected the input's " + ShapeString(input.spec.shape));
  }
  const int64_t at_least = arguments.Int("minlength");
  arguments.Require(at_least >= 0, "minlength is " + std::to_string(at_least) + ", expected 0 or more");
  const NdArray numbers = input.values().To(RuntimeDataType::kTypeInt64).Contiguous();
  const auto* first = numbers.data<int64_t>();
  const auto* last = first + numbers.size();
  arguments.Require(std::all_of(first, last, [](int64_t x) { return x >= 0; }), "input holds negative numbers");
  const int64_t largest = first == last ? -1 : *std::max_element(first, last);
  arguments.Require(largest < INT64_MAX, "input holds " + std::to_string(largest) + ", expected less than 2^63 - 1");
  const int64_t bins = std::max(at_least, largest + 1);
  Composition composition(arguments);
  const bool whole = weights == nullptr || numbers.size() == 0;  // PyTorch ignores the weights of no elements
  const bool single = !whole && weights->spec.type == RuntimeDataType::kTypeFloat32;
  const RuntimeDataType type = whole    ? RuntimeDataType::kTypeInt64
                               : single ? RuntimeDataType::kTypeFloat32
                                        : RuntimeDataType::kTypeFloat64;
  const TensorArgument zeros = composition.Call("torch.zeros", {{"size", Shape{bins}}, {"dtype", type}});
  const TensorArgument values = whole ? composition.Call("torch.ones", {{"size", input.spec.shape}, {"dtype", type}})
                                      : composition.Convert(*weights, type);
  return composition.Finish({composition.Call(
      "torch.scatter_add", {{"input", zeros}, {"dim", 0}, {"index", composition.Constant(numbers)}, {"src", values}})});
}

/// Plans counts of elements in equal intervals. If no range is given, it is from the least to the largest element.
OperationPlan PlanHistc(const Arguments& arguments) {
  const TensorArgument& input = arguments.Tensor("input");
  RequireFloating(arguments, input);
  const int64_t bins = arguments.Int("bins");
  arguments.Require(bins > 0, "bins is " + std::to_string(bins) + ", expected 1 or more");
  const double low = arguments.Float("min");
  const double high = arguments.Float("max");
  arguments.Require(low <= high,
                    "min is " + NumberString(low) + " and max " + NumberString(high) + ", expected min not above max");
  OperationPlan plan;
  plan.outputs = {OutputPlan::New(input.spec.type, {bins})};
  plan.run = [=, type = input.spec.type, count = input.spec.size(), source = input.input](const RunContext& c) {
    DispatchFloating(type, [&](auto tag) {
      using T = typename decltype(tag)::type;
      const T* values = c.inputs[source].as<T>();
      const kernel::Interval interval = kernel::HistogramRange({low, high}, values, count);
      kernel::CountInBins<T>(interval, bins, values, nullptr, count, c.outputs[0].as<T>());
    });
  };
  return plan;
}

/// Plans the counts and the edges of the bins; with density, counts that make an area of 1.
OperationPlan PlanHistogram(const Arguments& arguments) {
  const TensorArgument& input = arguments.Tensor("input");
  RequireFloating(arguments, input);
  const bool given_edges = arguments.schema().Find("range") < 0;
  const RuntimeDataType type = input.spec.type;
  const int weights = ParameterInput(arguments, "weight", input.spec.shape, type);
  const bool density = arguments.Bool("density");
  int edges_input = -1;
  int64_t bins = 0;
  kernel::Interval range;
  if (given_edges) {
    const TensorArgument edges = ReadRank(arguments, "bins", 1);
    arguments.Require(edges.spec.size() >= 2 && edges.spec.type == type,
                      "bins is " + SpecString(edges.spec) + ", expected at least two edges of the input's type");
    bins = edges.spec.size() - 1;
    edges_input = edges.input;
  } else {
    bins = arguments.Int("bins");
    arguments.Require(bins > 0, "bins is " + std::to_string(bins) + ", expected 1 or more");
    const std::vector<double> ends = arguments.Has("range") ? arguments.Floats("range") : std::vector<double>{0, 0};
    arguments.Require(ends.size() == 2 && ends[0] <= ends[1],
                      "range is not in ascending order, expected two numbers from the lower to the upper end");
    range = {ends[0], ends[1]};
    // HistogramRange takes equal ends for no range at all.
    if (arguments.Has("range") && range.low == range.high) range = {range.low - 0.5, range.high + 0.5};
    if (!arguments.Has("range") && input.spec.size() == 0) range = {0, 1};
  }
  OperationPlan plan;
  plan.outputs = {OutputPlan::New(type, {bins}), OutputPlan::New(type, {bins + 1})};
  plan.run = [=, count = input.spec.size(), source = input.input](const RunContext& c) {
    DispatchFloating(type, [&](auto tag) {
      using T = typename decltype(tag)::type;
      const T* values = c.inputs[source].as<T>();
      T* counts = c.outputs[0].as<T>();
      T* edges = c.outputs[1].as<T>();
      if (edges_input >= 0) {
        std::copy_n(c.inputs[edges_input].as<T>(), bins + 1, edges);
        kernel::CountBetween<T>(edges, bins, values, DataOrNull<T>(c, weights), count, counts);
      } else {
        const kernel::Interval interval = kernel::HistogramRange(range, values, count, T(0.5));
        kernel::EqualEdges<T>(interval, bins, edges);
        kernel::CountInBins<T>(interval, bins, values, DataOrNull<T>(c, weights), count, counts);
      }
      if (density) kernel::Normalize<T>(edges, bins, counts);
    });
  };
  return plan;
}

}  // namespace

void RegisterHistogram(OperationTable& table) {
  table.Add({"torch.bincount", "aten::bincount"}, "Tensor input|self, Tensor? weights=None, int minlength=0",
            PlanBincount, InputLayout::kRowMajor, OperationKind::kDataDependent);
  table.Add({"torch.histc", "aten::histc"}, "Tensor input|self, int bins=100, float min=0, float max=0", PlanHistc);
  table.Add({"torch.histogram", "aten::histogram"},
            "Tensor input|self, int bins=100, float[]? range=None, Tensor? weight=None, bool density=False",
            PlanHistogram);
  table.Add({"torch.histogram", "aten::histogram"},
            "Tensor input|self, Tensor bins, Tensor? weight=None, bool density=False", PlanHistogram);
}

}  // namespace kuiper_infer
