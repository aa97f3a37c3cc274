// SPDX-License-Identifier: MIT
#include <string>

#include "operators/indexing/scatter_plan.hpp"

namespace kuiper_infer {
namespace {

using kernel::ScatterKind;

ScatterRequest ReadReduce(const Arguments& arguments, const char* name) {
  ScatterRequest request;
  const std::string reduce = arguments.Has(name) ? arguments.String(name) : "";
  const bool sum = reduce == "sum" || reduce == "add";
  request.mean = reduce == "mean";
  if (sum || request.mean) {
    request.kind = ScatterKind::kAdd;
  } else if (reduce == "prod" || reduce == "multiply") {
    request.kind = ScatterKind::kMultiply;
  } else if (reduce == "amax" || reduce == "amin") {
    request.kind = reduce == "amax" ? ScatterKind::kMax : ScatterKind::kMin;
  } else if (!reduce.empty()) {
    arguments.Fail(ErrorCode::kArgument,
                   "reduce is '" + reduce + "', expected sum, add, prod, multiply, mean, amax or amin");
  }
  return request;
}

OperationPlan PlanScatter(const Arguments& arguments) {
  return PlanScatterWith(arguments, ReadReduce(arguments, "reduce"), "src");
}

OperationPlan PlanScatterAdd(const Arguments& arguments) {
  ScatterRequest request;
  request.kind = ScatterKind::kAdd;
  return PlanScatterWith(arguments, request, "src");
}

OperationPlan PlanScatterReduce(const Arguments& arguments) {
  ScatterRequest request = ReadReduce(arguments, "reduce");
  request.include_self = arguments.Bool("include_self");
  return PlanScatterWith(arguments, request, "src");
}

OperationPlan PlanIndexAdd(const Arguments& arguments) {
  ScatterRequest request;
  request.kind = ScatterKind::kAdd;
  request.alpha = arguments.Float("alpha");
  request.one_dimensional = true;
  return PlanScatterWith(arguments, request, "source");
}

OperationPlan PlanIndexReduce(const Arguments& arguments) {
  ScatterRequest request = ReadReduce(arguments, "reduce");
  request.include_self = arguments.Bool("include_self");
  request.one_dimensional = true;
  return PlanScatterWith(arguments, request, "source");
}

/// Plans index_copy and index_fill.
OperationPlan PlanIndexAssign(const Arguments& arguments) {
  ScatterRequest request;
  request.one_dimensional = true;
  return PlanScatterWith(arguments, request, "source");
}

}  // namespace

void RegisterScatter(OperationTable& table) {
  const std::string head = "Tensor input|self, int dim, Tensor index, Tensor ";
  table.Add({"torch.scatter", "Tensor.scatter", "aten::scatter"}, head + "src|value, str? reduce=None", PlanScatter);
  table.Add({"torch.scatter_add", "Tensor.scatter_add", "aten::scatter_add"}, head + "src", PlanScatterAdd);
  table.Add({"torch.scatter_reduce", "Tensor.scatter_reduce", "aten::scatter_reduce"},
            head + "src, str reduce, bool include_self=True", PlanScatterReduce);
  table.Add({"torch.index_add", "Tensor.index_add", "aten::index_add"}, head + "source, Scalar alpha=1", PlanIndexAdd);
  table.Add({"torch.index_copy", "Tensor.index_copy", "aten::index_copy"}, head + "source", PlanIndexAssign,
            InputLayout::kRowMajor, Preserves({"input", "source"}));
  table.Add({"torch.index_fill", "Tensor.index_fill", "aten::index_fill"}, head + "source|value", PlanIndexAssign);
  table.Add({"torch.index_reduce", "Tensor.index_reduce", "aten::index_reduce"},
            head + "source, str reduce, bool include_self=True", PlanIndexReduce);
}

}  // namespace kuiper_infer
