// SPDX-License-Identifier: MIT
#include "operation/operation.hpp"

#include "data/memory_budget.hpp"
#include "kuiper_infer/utils/error.hpp"
#include "kuiper_infer/utils/shape.hpp"
#include "operation/computation.hpp"

namespace kuiper_infer {
namespace {

void RequireRank(std::size_t rank) {
  if (rank <= kMostAxes) return;
  throw Error(ErrorCode::kShape,
              "the result would have " + std::to_string(rank) + " axes, expected at most " + std::to_string(kMostAxes));
}

}  // namespace

OutputPlan::OutputPlan() = default;
OutputPlan::OutputPlan(const OutputPlan& other) = default;
OutputPlan::OutputPlan(OutputPlan&& other) noexcept = default;
OutputPlan& OutputPlan::operator=(const OutputPlan& other) = default;
OutputPlan& OutputPlan::operator=(OutputPlan&& other) noexcept = default;
OutputPlan::~OutputPlan() = default;

OutputPlan OutputPlan::New(TensorSpec spec) {
  RequireRank(spec.shape.size());
  RequireMemory(ByteCount(spec.type, spec.shape));
  OutputPlan plan;
  plan.spec = std::move(spec);
  return plan;
}

OutputPlan OutputPlan::NewWithGaps(TensorSpec spec) {
  OutputPlan plan = New(std::move(spec));
  plan.allows_gaps = true;
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

KernelCall CallOf(const OperationPlan& plan, const PlanningContext& context) {
  if (plan.computation == nullptr) return static_cast<const KernelCall&>(plan);
  Fusion fusion;
  fusion.result.grid = plan.grid;
  return plan.computation->MakeCall(fusion, context);
}

void SetActivatedCall(OperationPlan& plan, std::function<ActivatedCall::Run(const kernel::Activation&)> make_run) {
  plan.computation =
      std::make_shared<const ActivatedCall>(std::move(static_cast<KernelCall&>(plan)), std::move(make_run));
  static_cast<KernelCall&>(plan) = {};
}

void OperationTable::Add(const std::vector<std::string>& types, const std::string& schema, const PlanFunction& plan,
                         InputLayout layout, OperationKind kind, const OutputValues& values) {
  std::shared_ptr<const Schema>& parsed = schemas_[schema];
  if (parsed == nullptr) parsed = std::make_shared<const Schema>(schema);
  for (const std::string& type : types) rows_[type].push_back({type, parsed, plan, layout, kind, values, file_});
}

const std::vector<Operation>& OperationTable::Find(const std::string& type) const {
  static const std::vector<Operation> kNone;
  const auto row = rows_.find(type);
  return row == rows_.end() ? kNone : row->second;
}

const Operation& OperationTable::Get(const std::string& type) const {
  const std::vector<Operation>& rows = Find(type);
  if (rows.empty()) throw Error(ErrorCode::kUnsupported, "the type " + type + " is not supported" + LeftOutHint());
  return rows.front();
}

const OperationTable& OperationTable::Instance() {
  static const OperationTable kTable;
  return kTable;
}

}  // namespace kuiper_infer
