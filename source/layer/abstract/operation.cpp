// SPDX-License-Identifier: MIT
#include "layer/abstract/operation.hpp"

#include "data/memory_budget.hpp"
#include "kuiper_infer/utils/error.hpp"
#include "kuiper_infer/utils/shape.hpp"

namespace kuiper_infer {
namespace {

void RequireRank(std::size_t rank) {
  if (rank <= kMostAxes) return;
  throw Error(ErrorCode::kShape,
              "the result would have " + std::to_string(rank) + " axes, expected at most " + std::to_string(kMostAxes));
}

}  // namespace

OutputPlan OutputPlan::New(TensorSpec spec) {
  RequireRank(spec.shape.size());
  RequireMemory(ByteCount(spec.type, spec.shape));
  OutputPlan plan;
  plan.spec = std::move(spec);
  return plan;
}

OutputPlan OutputPlan::View(const TensorArgument& input, Shape shape, Strides strides, int64_t offset) {
  RequireRank(shape.size());
  OutputPlan plan;
  plan.kind = Kind::kView;
  plan.spec = TensorSpec(input.spec.type, std::move(shape), std::move(strides));
  plan.input = input.input;
  plan.offset = offset;
  return plan;
}

OutputPlan OutputPlan::Forward(Argument argument) {
  OutputPlan plan;
  plan.kind = Kind::kForward;
  plan.argument = std::move(argument);
  return plan;
}

OutputPlan OutputPlan::Known(Value value) {
  OutputPlan plan;
  plan.kind = Kind::kKnown;
  plan.known = std::move(value);
  return plan;
}

OutputPlan OutputPlan::List(std::vector<OutputPlan> items) {
  OutputPlan plan;
  plan.kind = Kind::kList;
  plan.items = std::move(items);
  return plan;
}

void OperationTable::Add(const std::vector<std::string>& types, const std::string& schema, PlanFunction plan,
                         InputLayout layout, OperationKind kind) {
  for (const std::string& type : types) {
    rows_[type].push_back(Operation{type, Schema(schema), plan, layout, kind, family_});
  }
}

const std::vector<Operation>& OperationTable::Find(const std::string& type) const {
  static const std::vector<Operation> kNone;
  const auto row = rows_.find(type);
  return row == rows_.end() ? kNone : row->second;
}

const OperationTable& OperationTable::Instance() {
  static const OperationTable kTable;
  return kTable;
}

}  // namespace kuiper_infer
