// SPDX-License-Identifier: MIT
#include "kernel/search.hpp"

#include <algorithm>
#include <map>

#include "layer/abstract/composition.hpp"
#include "layer/details/loss.hpp"
#include "layer/details/matrix_product.hpp"
#include "layer/details/parameters.hpp"
#include "utils/dispatch.hpp"

namespace kuiper_infer {
namespace {

Argument Int(int64_t value) { return Argument{Value(value)}; }

/// Both arrays in one type that the kernel knows: int64 for integers, else floating.
RuntimeDataType SearchType(const TensorSpec& sorted, const TensorSpec& values) {
  if (!IsFloating(sorted.type) && !IsFloating(values.type)) return RuntimeDataType::kTypeInt64;
  const bool wide = sorted.type == RuntimeDataType::kTypeFloat64 || values.type == RuntimeDataType::kTypeFloat64;
  return wide ? RuntimeDataType::kTypeFloat64 : RuntimeDataType::kTypeFloat32;
}

template <class Function>
void DispatchSearch(RuntimeDataType type, const Function& function) {
  if (type == RuntimeDataType::kTypeInt64) return function(TypeTag<int64_t>{});
  DispatchFloating(type, function);
}

/// `arrays`: the sorted sequences (one, or one for each row of values), the values, perhaps the order.
OperationPlan PlanSearchStep(const Arguments& arguments, const std::vector<TensorArgument>& arrays, bool right) {
  const TensorSpec& sorted = arrays[0].spec;
  const TensorSpec& values = arrays[1].spec;
  const int64_t length = sorted.shape.back();
  const int64_t rows = sorted.rank() == 1 ? 1 : ElementCount({sorted.shape.begin(), sorted.shape.end() - 1});
  const bool rows_match =
      sorted.rank() == 1 || (sorted.rank() == values.rank() &&
                             std::equal(sorted.shape.begin(), sorted.shape.end() - 1, values.shape.begin()));
  arguments.Require(rows_match, "sorted sequence " + ShapeString(sorted.shape) + " and values " +
                                    ShapeString(values.shape) + " differ in front of the last axis");
  const int64_t count = rows == 0 ? 0 : values.size() / rows;
  OperationPlan plan;
  plan.outputs = {OutputPlan::New(RuntimeDataType::kTypeInt64, values.shape)};
  plan.run = [=, type = sorted.type, ordered = arrays.size() > 2](const RunContext& c) {
    if (ordered) {
      const auto* order = c.inputs[2].as<int64_t>();
      const bool inside = std::all_of(order, order + rows * length, [&](int64_t i) { return i >= 0 && i < length; });
      if (!inside) throw Error(ErrorCode::kInput, "sorter holds positions outside the sorted sequence");
    }
    DispatchSearch(type, [&](auto tag) {
      using T = typename decltype(tag)::type;
      for (int64_t row = 0; row < rows; ++row) {
        kernel::SearchSorted<T>(
            c.inputs[0].as<T>() + row * length, ordered ? c.inputs[2].as<int64_t>() + row * length : nullptr, length,
            c.inputs[1].as<T>() + row * count, count, right, c.outputs[0].as<int64_t>() + row * count);
      }
    });
  };
  return plan;
}

OperationPlan PlanSearch(const Arguments& arguments) {
  Composition composition(arguments);
  const TensorArgument& given_sorted = arguments.Tensor("sorted_sequence");
  const TensorArgument& given_values = arguments.Tensor("input");
  arguments.Require(given_sorted.spec.rank() >= 1, "the sorted sequence is a single number, expected rank 1 or more");
  const RuntimeDataType type = SearchType(given_sorted.spec, given_values.spec);
  const auto convert = [&](const TensorArgument& x, RuntimeDataType to) {
    if (x.spec.type == to) return x;
    return composition.Call("Tensor.to", {{"input", {x}}, {"dtype", {Value(std::string("torch.") + TypeName(to))}}});
  };
  std::vector<TensorArgument> arrays = {convert(given_sorted, type), convert(given_values, type)};
  const bool has_sorter = arguments.schema().Find("sorter") >= 0 && arguments.Has("sorter");
  if (has_sorter) arrays.push_back(arguments.Tensor("sorter"));
  if (has_sorter) {
    arguments.Require(
        arrays[2].spec.shape == arrays[0].spec.shape && arrays[2].spec.type == RuntimeDataType::kTypeInt64,
        "sorter is " + SpecString(arrays[2].spec) + ", expected int64 positions like the sequence");
  }
  bool right = arguments.Bool("right");
  if (arguments.schema().Find("side") >= 0 && arguments.Has("side")) right = arguments.String("side") == "right";
  const TensorArgument found = composition.Apply(
      arrays, [&](const std::vector<TensorArgument>& inner) { return PlanSearchStep(arguments, inner, right); });
  const RuntimeDataType result =
      arguments.Bool("out_int32") ? RuntimeDataType::kTypeInt32 : RuntimeDataType::kTypeInt64;
  return composition.Finish({convert(found, result)});
}

/// A row of zeros with a one at each number's place.
OperationPlan PlanOneHot(const Arguments& arguments) {
  const TensorArgument& input = arguments.Tensor("input");
  int64_t classes = arguments.Int("num_classes");
  if (classes < 0) {
    OperationPlan later;
    later.data_dependent = true;
    if (!input.is_constant()) return later;
    const NdArray numbers = input.constant.To(RuntimeDataType::kTypeInt64).Contiguous();
    classes = 0;
    for (int64_t i = 0; i < numbers.size(); ++i) classes = std::max(classes, numbers.data<int64_t>()[i] + 1);
  }
  Composition composition(arguments);
  const TensorArgument all = composition.Call("torch.arange", {{"end", Int(classes)}});
  Shape column = input.spec.shape;
  column.push_back(1);
  const TensorArgument marks =
      ApplyFormula(arguments, composition, "0 1 eq", {Reviewed(input, column, RowMajorStrides(column)), all});
  return composition.Finish(
      {composition.Call("Tensor.to", {{"input", {marks}}, {"dtype", {Value(std::string("torch.int64"))}}})});
}

kernel::QuantileRule ReadRule(const Arguments& arguments) {
  static const std::map<std::string, kernel::QuantileRule> kRules = {{"linear", kernel::QuantileRule::kLinear},
                                                                     {"lower", kernel::QuantileRule::kLower},
                                                                     {"higher", kernel::QuantileRule::kHigher},
                                                                     {"midpoint", kernel::QuantileRule::kMidpoint},
                                                                     {"nearest", kernel::QuantileRule::kNearest}};
  const auto rule = kRules.find(arguments.String("interpolation"));
  arguments.Require(rule != kRules.end(), "interpolation is '" + arguments.String("interpolation") + "'");
  return rule->second;
}

OperationPlan PlanQuantile(const Arguments& arguments) {
  const TensorArgument& input = arguments.Tensor("input");
  RequireFloating(arguments, input);
  const kernel::QuantileRule rule = ReadRule(arguments);
  const bool skip_nan = arguments.who().type.find("nanquantile") != std::string::npos;
  const bool flat = !arguments.Has("dim");
  TensorArgument lines = input;
  if (flat) lines = Reviewed(input, {input.spec.size()}, {1});
  const int64_t axis = flat ? 0 : arguments.Axis("dim", lines.spec.rank());
  Composition composition(arguments);
  const TensorArgument sorted = composition.CallAll("torch.sort", {{"input", {lines}}, {"dim", Int(axis)}}, 2).front();
  const TensorArgument q = composition.Call(
      "Tensor.to",
      {{"input", {arguments.Tensor("q")}}, {"dtype", {Value(std::string("torch.") + TypeName(input.spec.type))}}});
  arguments.Require(q.spec.rank() <= 1, "q is " + ShapeString(q.spec.shape) + ", expected rank 0 or 1");
  Shape shape = q.spec.shape;
  Shape rest = flat ? Shape(input.spec.shape.size(), 1) : lines.spec.shape;
  if (!flat) rest[static_cast<std::size_t>(axis)] = 1;
  if (!arguments.Bool("keepdim")) {
    if (flat)
      rest.clear();
    else
      rest.erase(rest.begin() + axis);
  }
  shape.insert(shape.end(), rest.begin(), rest.end());
  kernel::AxisGeometry geometry{1, sorted.spec.shape[static_cast<std::size_t>(axis)], 1};
  for (int64_t i = 0; i < sorted.spec.rank(); ++i) {
    if (i < axis) geometry.outer *= sorted.spec.shape[static_cast<std::size_t>(i)];
    if (i > axis) geometry.inner *= sorted.spec.shape[static_cast<std::size_t>(i)];
  }
  arguments.Require(geometry.extent > 0, "input has no elements along the axis");
  return composition.Finish({composition.Apply({sorted, q}, [&](const std::vector<TensorArgument>& arrays) {
    OperationPlan plan;
    plan.outputs = {OutputPlan::New(input.spec.type, shape)};
    plan.run = [=, type = input.spec.type, count = arrays[1].spec.size()](const RunContext& c) {
      DispatchFloating(type, [&](auto tag) {
        using T = typename decltype(tag)::type;
        const T* q_values = c.inputs[1].as<T>();
        if (!std::all_of(q_values, q_values + count, [](T x) { return x >= T(0) && x <= T(1); })) {
          throw Error(ErrorCode::kInput, "q holds numbers outside [0, 1]");
        }
        kernel::Quantiles<T>(geometry, c.inputs[0].as<T>(), q_values, count, rule, skip_nan, c.outputs[0].as<T>());
      });
    };
    return plan;
  })});
}

}  // namespace

void RegisterSearch(OperationTable& table) {
  table.Add({"torch.bucketize", "aten::bucketize"},
            "Tensor input|self, Tensor sorted_sequence|boundaries, bool out_int32=False, bool right=False", PlanSearch);
  table.Add(
      {"torch.searchsorted", "aten::searchsorted"},
      "Tensor sorted_sequence, Tensor input|self, bool out_int32=False, bool right=False, str? side=None, Tensor? "
      "sorter=None",
      PlanSearch);
  table.Add({"F.one_hot", "torch.one_hot", "aten::one_hot"}, "Tensor input|self, int num_classes=-1", PlanOneHot);
  for (const char* name : {"quantile", "nanquantile"}) {
    table.Add({std::string("torch.") + name, std::string("aten::") + name},
              "Tensor input|self, Tensor q, int? dim=None, bool keepdim=False, str interpolation=linear", PlanQuantile);
  }
}

}  // namespace kuiper_infer
