// SPDX-License-Identifier: MIT
#include <algorithm>
#include <map>

#include "kernel/sorting/search.hpp"
#include "operation/composition.hpp"
#include "operation/parameters.hpp"
#include "operators/product/matrix_product.hpp"
#include "shape/axis_geometry.hpp"
#include "utils/dispatch.hpp"

namespace kuiper_infer {
namespace {

kernel::QuantileRule ReadRule(const Arguments& arguments) {
  static const std::map<std::string, kernel::QuantileRule> kRules = {{"linear", kernel::QuantileRule::kLinear},
                                                                     {"lower", kernel::QuantileRule::kLower},
                                                                     {"higher", kernel::QuantileRule::kHigher},
                                                                     {"midpoint", kernel::QuantileRule::kMidpoint},
                                                                     {"nearest", kernel::QuantileRule::kNearest}};
  const auto rule = kRules.find(arguments.String("interpolation"));
  arguments.Require(rule != kRules.end(), "interpolation is '" + arguments.String("interpolation") +
                                              "', expected linear, lower, higher, midpoint or nearest");
  return rule->second;
}

OperationPlan PlanQuantile(const Arguments& arguments) {
  const TensorArgument& input = arguments.Tensor("input");
  RequireFloating(arguments, input);
  const kernel::QuantileRule rule = ReadRule(arguments);
  const bool skip_nan = arguments.type().find("nanquantile") != std::string::npos;
  const bool flat = !arguments.Has("dim");
  TensorArgument lines = input;
  if (flat) lines = Reshaped(input, {input.spec.size()});
  const int64_t axis = flat ? 0 : arguments.Axis("dim", lines.spec.rank());
  Composition composition(arguments);
  const TensorArgument sorted = composition.CallAll("torch.sort", {{"input", lines}, {"dim", axis}}, 2).front();
  const TensorArgument q = composition.Convert(arguments.Tensor("q"), input.spec.type);
  arguments.Require(q.spec.rank() <= 1, "q is " + ShapeString(q.spec.shape) + ", expected rank 0 or 1");
  Shape shape = q.spec.shape;
  // An array of rank 0 is one line, too, and has no axis that could be left out.
  const bool one_line = flat || input.spec.rank() == 0;
  Shape rest = one_line ? Shape(input.spec.shape.size(), 1) : lines.spec.shape;
  if (!one_line) rest[static_cast<std::size_t>(axis)] = 1;
  if (!arguments.Bool("keepdim")) {
    if (one_line) {
      rest.clear();
    } else {
      rest.erase(rest.begin() + axis);
    }
  }
  shape.insert(shape.end(), rest.begin(), rest.end());
  const AxisGeometry geometry = LineGeometry(sorted.spec.shape, axis);
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

void RegisterQuantile(OperationTable& table) {
  for (const char* name : {"quantile", "nanquantile"}) {
    table.Add({std::string("torch.") + name, std::string("aten::") + name},
              "Tensor input|self, Tensor q, int? dim=None, bool keepdim=False, str interpolation=linear", PlanQuantile);
  }
}

}  // namespace kuiper_infer
