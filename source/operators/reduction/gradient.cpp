// SPDX-License-Identifier: MIT
#include "operators/elementwise/formula.hpp"
#include "operators/reduction/difference.hpp"

namespace kuiper_infer {
namespace {

/// The slope at every point of an axis. In the interior it is that of the parabola through a point and its two
/// neighbours, which weighs the slope on each side by the step on the other side. At the borders it is the slope of the
/// nearest line (edge_order 1) or parabola (edge_order 2).
TensorArgument Slopes(Composition& composition, const TensorArgument& y, int64_t axis, const TensorArgument& spacing,
                      int64_t edge_order) {
  const Arguments& arguments = composition.outer();
  const bool uniform = spacing.spec.rank() == 0;
  const int64_t count = ExtentAlong(y, axis) - 1;
  arguments.Require(count >= edge_order, "input is " + ShapeString(y.spec.shape) + ", expected at least " +
                                             std::to_string(edge_order + 1) + " elements along axis " +
                                             std::to_string(axis));
  arguments.Require(uniform || spacing.spec.shape == Shape{count + 1},
                    "spacing is " + ShapeString(spacing.spec.shape) + ", expected one coordinate for each point");
  const TensorArgument steps =
      uniform ? spacing : AlongAxis(NeighbourDifferences(composition, spacing, 0), axis, y.spec.rank());
  const TensorArgument lines = ApplyFormula(composition, "div(rise, step)",
                                            {{"rise", NeighbourDifferences(composition, y, axis)}, {"step", steps}});
  const auto line = [&](int64_t from, int64_t to) { return composition.Slice(lines, axis, from, to); };
  const auto step = [&](int64_t from, int64_t to) { return uniform ? steps : composition.Slice(steps, 0, from, to); };
  const auto edge = [&](int64_t near, int64_t far) {
    if (edge_order == 1) return line(near, near + 1);
    return ApplyFormula(composition, "add(near, div(mul(sub(near, far), near_step), add(near_step, far_step)))",
                        {{"near", line(near, near + 1)},
                         {"far", line(far, far + 1)},
                         {"near_step", step(near, near + 1)},
                         {"far_step", step(far, far + 1)}});
  };
  const TensorArgument middle =
      ApplyFormula(composition, "div(add(mul(left, right_step), mul(right, left_step)), add(left_step, right_step))",
                   {{"left", line(0, count - 1)},
                    {"right", line(1, count)},
                    {"left_step", step(0, count - 1)},
                    {"right_step", step(1, count)}});
  const std::vector<TensorArgument> parts = {edge(0, 1), middle, edge(count - 1, count - 2)};
  return composition.Call("torch.cat", {{"tensors", parts}, {"dim", axis}});
}

/// Reads a spacing: a number or the coordinates of the points along an axis.
TensorArgument ReadSpacing(Composition& composition, const Argument& given) {
  if (given.tensor() != nullptr) return *given.tensor();
  const Value* number = given.known();
  if (number != nullptr && number->Is<NdArray>()) return composition.Constant(number->Get<NdArray>());
  composition.outer().Require(number != nullptr && number->IsNumber(),
                              "spacing holds " + Describe(given) + ", expected numbers or coordinates");
  return composition.Constant(ArrayFromNumber(*number));
}

/// Reads the argument spacing: absent, one for all axes, or a list of one for each.
std::vector<TensorArgument> ReadSpacings(Composition& composition, const Argument& given, std::size_t axes) {
  Argument::List items;
  if (given.none()) {
    items = {Argument{Value(1)}};
  } else if (given.list() != nullptr) {
    items = *given.list();
  } else if (given.known() != nullptr && given.known()->Is<Value::List>()) {
    for (const Value& item : given.known()->Get<Value::List>()) items.push_back(Argument{item});
  } else {
    items.assign(axes, given);
  }
  if (items.size() == 1) items = Argument::List(axes, items.front());
  composition.outer().Require(items.size() == axes, "spacing has " + std::to_string(items.size()) +
                                                        " items, expected one for each of " + std::to_string(axes) +
                                                        " axes");
  std::vector<TensorArgument> spacings;
  for (const Argument& item : items) spacings.push_back(ReadSpacing(composition, item));
  return spacings;
}

/// Plans a list with the slopes along each axis.
OperationPlan PlanGradient(const Arguments& arguments) {
  const TensorArgument& y = arguments.Tensor("input");
  const int64_t edge_order = arguments.Int("edge_order");
  arguments.Require(edge_order == 1 || edge_order == 2,
                    "edge_order is " + std::to_string(edge_order) + ", expected 1 or 2");
  const std::vector<int64_t> axes = arguments.Axes("dim", y.spec.rank());
  Composition composition(arguments);
  const std::vector<TensorArgument> spacings = ReadSpacings(composition, arguments.Get("spacing"), axes.size());
  std::vector<TensorArgument> slopes;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    slopes.push_back(Slopes(composition, y, axes[i], spacings[i], edge_order));
  }
  OperationPlan plan = composition.Finish(slopes);
  plan.outputs = {OutputPlan::List(std::move(plan.outputs))};
  return plan;
}

}  // namespace

void RegisterGradient(OperationTable& table) {
  table.Add({"torch.gradient", "aten::gradient"}, "Tensor input|self, any? spacing, int[]? dim, int edge_order",
            PlanGradient);
  // The overload without a spacing.
  table.Add({"torch.gradient", "aten::gradient"}, "Tensor input|self, int[]? dim, int edge_order, any spacing=None",
            PlanGradient);
}

}  // namespace kuiper_infer
