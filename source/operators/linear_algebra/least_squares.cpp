// SPDX-License-Identifier: MIT
#include "kernel/linear_algebra/least_squares.hpp"

#include <limits>

#include "operation/composition.hpp"
#include "operators/linear_algebra/matrix_batch.hpp"
#include "shape/broadcast.hpp"
#include "shape/matrix_offset.hpp"

namespace kuiper_infer {
namespace {

using Driver = kernel::LeastSquares::Driver;

Driver ReadDriver(const Arguments& arguments) {
  const std::string name = arguments.Has("driver") ? arguments.String("driver") : "gelsy";
  if (name == "gels") return Driver::kGels;
  if (name == "gelsd") return Driver::kGelsd;
  if (name == "gelss") return Driver::kGelss;
  arguments.Require(name == "gelsy", "driver is '" + name + "', expected gels, gelsy, gelsd or gelss");
  return Driver::kGelsy;
}

std::string NoSolution(int /*info*/) {
  return "has NaN or infinite elements or, with driver gels, not full rank, expected finite elements and full rank";
}

/// Plans solution, residuals, rank and singular values. What the driver doesn't give is an array without elements. The
/// residuals of a matrix that lacks full rank are NaN; PyTorch then leaves out the residuals of the whole batch.
OperationPlan PlanMatrices(const Arguments& arguments) {
  const MatrixBatch a = ReadMatrices(arguments);
  const MatrixBatch b = ReadMatrices(arguments, "b");
  RequireSameType(arguments, a.tensor, b.tensor);
  RequireSameRows(arguments, a, b, "b");
  const bool wide = a.type() == RuntimeDataType::kTypeFloat64;
  const double epsilon = wide ? std::numeric_limits<double>::epsilon() : double{std::numeric_limits<float>::epsilon()};
  const double rcond =
      arguments.Has("rcond") ? arguments.Float("rcond") : epsilon * static_cast<double>(std::max(a.rows, a.columns));
  const kernel::LeastSquares problem{a.rows, a.columns, b.columns, ReadDriver(arguments), rcond};
  const Shape batch = BroadcastShapes(a.batch, b.batch);
  const TensorSpec a_spec = SpreadOver(batch, a);
  const TensorSpec b_spec = SpreadOver(batch, b);
  const bool by_values = problem.driver == Driver::kGelsd || problem.driver == Driver::kGelss;
  const bool residuals = problem.driver != Driver::kGelsy && a.rows > a.columns;
  const bool rank = problem.driver != Driver::kGels;
  const auto output = [&](bool wanted, RuntimeDataType type, const Shape& axes) {
    Shape shape = batch;
    shape.insert(shape.end(), axes.begin(), axes.end());
    return OutputPlan::New(type, wanted ? shape : Shape{0});
  };
  OperationPlan plan;
  plan.outputs = {output(true, a.type(), {a.columns, b.columns}), output(residuals, a.type(), {b.columns}),
                  output(rank, RuntimeDataType::kTypeInt64, {}), output(by_values, a.type(), {a.least()})};
  BatchCall call{a.type(), ElementCount(batch), 10 * a.rows * a.columns * (a.least() + b.columns)};
  call.scratch_bytes = ScratchFor(
      a.type(), [&](auto tag) { return kernel::LeastSquaresScratch<typename decltype(tag)::type>(problem); });
  call.failure = NoSolution;
  const auto compute = [=, left = a.tensor.input, right = b.tensor.input](auto tag, const RunContext& c, int64_t i,
                                                                          std::byte* scratch) {
    using T = typename decltype(tag)::type;
    kernel::LeastSquaresResults<T> results;
    results.solution = c.outputs[0].as<T>() + i * problem.columns * problem.sides;
    if (residuals) results.residuals = c.outputs[1].as<T>() + i * problem.sides;
    if (rank) results.rank = c.outputs[2].as<int64_t>() + i;
    if (by_values) results.singular_values = c.outputs[3].as<T>() + i * std::min(problem.rows, problem.columns);
    return kernel::SolveLeastSquares(problem, MatrixAt(c.inputs[left].as<T>(), a_spec, i),
                                     MatrixAt(c.inputs[right].as<T>(), b_spec, i), results, scratch);
  };
  CallForEachMatrix(arguments, call, compute, plan);
  return plan;
}

/// Plans least squares; a right side of one axis less than the matrices is one vector for each.
OperationPlan PlanLeastSquares(const Arguments& arguments) {
  const TensorArgument& a = arguments.Tensor("input");
  const TensorArgument& b = arguments.Tensor("b");
  if (a.spec.rank() < 2 || b.spec.rank() + 1 != a.spec.rank()) return PlanMatrices(arguments);
  Composition composition(arguments);
  std::vector<TensorArgument> results = composition.CallAll(
      "aten::linalg_lstsq",
      {{"input", a}, {"b", WithLastAxis(b)}, {"rcond", arguments.Get("rcond")}, {"driver", arguments.Get("driver")}},
      4);
  const Shape& shape = results[0].spec.shape;
  results[0] = Reshaped(results[0], Shape(shape.begin(), shape.end() - 1));
  return composition.Finish(results);
}

}  // namespace

void RegisterLeastSquares(OperationTable& table) {
  table.Add({"torch.linalg.lstsq", "aten::linalg_lstsq"},
            "Tensor input|self|A, Tensor b|B, float? rcond=None, str? driver=None", PlanLeastSquares);
}

}  // namespace kuiper_infer
