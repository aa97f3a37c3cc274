// SPDX-License-Identifier: MIT
#include "kernel/sorting/search.hpp"

#include <algorithm>

#include "operation/composition.hpp"
#include "operation/parameters.hpp"
#include "shape/promote.hpp"
#include "utils/dispatch.hpp"

namespace kuiper_infer {
namespace {

/// The type in which both arrays are compared, one that the kernel knows: int64 for integers, else floating.
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

/// Plans a search in `arrays`: the sorted sequences (one, or one for each row of values), the values, perhaps the
/// order.
OperationPlan PlanSearchStep(const Arguments& arguments, const std::vector<TensorArgument>& arrays, bool right) {
  const TensorSpec& sorted = arrays[0].spec;
  const TensorSpec& values = arrays[1].spec;
  const int64_t length = sorted.shape.back();
  const int64_t rows = sorted.rank() == 1 ? 1 : ElementCount({sorted.shape.begin(), sorted.shape.end() - 1});
  const bool rows_match =
      sorted.rank() == 1 || (sorted.rank() == values.rank() &&
                             std::equal(sorted.shape.begin(), sorted.shape.end() - 1, values.shape.begin()));
  arguments.Require(rows_match, "sorted sequence " + ShapeString(sorted.shape) + " and values " +
                                    ShapeString(values.shape) +
                                    " differ, expected equal extents in front of the last axis");
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
  const bool sides = arguments.schema().Find("side") >= 0;  // searchsorted; bucketize has boundaries for all values
  arguments.Require(sides || given_sorted.spec.rank() == 1,
                    "boundaries is " + ShapeString(given_sorted.spec.shape) + ", expected rank 1");
  const RuntimeDataType type = SearchType(given_sorted.spec, given_values.spec);
  // A single number is converted to the type of the other array first, in which it may wrap around or be rounded.
  const RuntimeDataType common = Promote(given_sorted.spec, given_values.spec);
  const auto convert = [&](const TensorArgument& array) {
    return composition.Convert(composition.Convert(array, common), type);
  };
  std::vector<TensorArgument> arrays = {convert(given_sorted), convert(given_values)};
  const bool has_sorter = arguments.schema().Find("sorter") >= 0 && arguments.Has("sorter");
  if (has_sorter) arrays.push_back(arguments.Tensor("sorter"));
  if (has_sorter) {
    arguments.Require(
        arrays[2].spec.shape == arrays[0].spec.shape && arrays[2].spec.type == RuntimeDataType::kTypeInt64,
        "sorter is " + SpecString(arrays[2].spec) + ", expected int64 positions like the sequence");
  }
  bool right = arguments.Bool("right");
  if (sides && arguments.Has("side")) {
    const std::string side = arguments.String("side");
    arguments.Require(side == "right" || (side == "left" && !right),
                      "side is '" + side + "', expected " + (right ? "right, as right is true" : "left or right"));
    right = side == "right";
  }
  const TensorArgument found = composition.Apply(
      arrays, [&](const std::vector<TensorArgument>& inner) { return PlanSearchStep(arguments, inner, right); });
  const RuntimeDataType result =
      arguments.Bool("out_int32") ? RuntimeDataType::kTypeInt32 : RuntimeDataType::kTypeInt64;
  return composition.Finish({composition.Convert(found, result)});
}

/// Plans a mask of the elements that occur in a second array, which is sorted for that.
OperationPlan PlanIsin(const Arguments& arguments) {
  const TensorArgument& elements = arguments.Tensor("elements");
  const TensorArgument& tests = arguments.Tensor("test_elements");
  const RuntimeDataType type = SearchType(elements.spec, tests.spec);
  const bool invert = arguments.Bool("invert");
  Composition composition(arguments);
  const std::vector<TensorArgument> arrays = {composition.Convert(elements, type), composition.Convert(tests, type)};
  return composition.Finish({composition.Apply(arrays, [&](const std::vector<TensorArgument>& inner) {
    OperationPlan plan;
    plan.outputs = {OutputPlan::New(RuntimeDataType::kTypeBool, inner[0].spec.shape)};
    plan.workspace_bytes = ByteCount(type, inner[1].spec.shape);
    plan.run = [=, count = inner[0].spec.size(), others = inner[1].spec.size()](const RunContext& c) {
      DispatchSearch(type, [&](auto tag) {
        using T = typename decltype(tag)::type;
        T* sorted = reinterpret_cast<T*>(c.workspace);
        std::copy_n(c.inputs[1].as<T>(), others, sorted);
        T* const end = std::remove_if(sorted, sorted + others, [](T x) { return x != x; });  // NaN equals nothing
        std::sort(sorted, end);
        for (int64_t i = 0; i < count; ++i) {
          const T element = c.inputs[0].as<T>()[i];
          const bool found = element == element && std::binary_search(sorted, end, element);
          c.outputs[0].as<bool>()[i] = found != invert;
        }
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
  table.Add({"torch.isin", "aten::isin"},
            "Tensor elements|element, Tensor test_elements|test_element, bool assume_unique=False, bool invert=False",
            PlanIsin);
}

}  // namespace kuiper_infer
