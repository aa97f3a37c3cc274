// SPDX-License-Identifier: MIT
#include "planning/list_budget.hpp"

namespace kuiper_infer {
namespace {

constexpr int64_t kMostInAll = 1 << 20;
constexpr int64_t kTooDeep = -1;

int64_t CountEntries(const Value& value, int depth);
int64_t CountEntries(const Symbol& symbol, int depth);

template <class Item>
int64_t CountItems(const std::vector<Item>& items, int depth) {
  if (depth == ListBudget::kDeepest) return kTooDeep;
  auto count = static_cast<int64_t>(items.size());
  for (const Item& item : items) {
    const int64_t inner = CountEntries(item, depth + 1);
    if (inner == kTooDeep) return kTooDeep;
    count += inner;
  }
  return count;
}

int64_t CountEntries(const Value& value, int depth) {
  return value.Is<Value::List>() ? CountItems(value.Get<Value::List>(), depth) : 0;
}

int64_t CountEntries(const Symbol& symbol, int depth) {
  if (symbol.known() != nullptr) return CountEntries(*symbol.known(), depth);
  return symbol.list() != nullptr ? CountItems(*symbol.list(), depth) : 0;
}

[[noreturn]] void Fail(const RuntimeOperator& op, const std::string& text) {
  throw Error(ErrorCode::kResource, "operator '" + op.name + "' (" + op.type + "): " + text);
}

[[noreturn]] void FailLong(const RuntimeOperator& op) {
  Fail(op, "its lists hold more than " + std::to_string(ListBudget::kMostEntries) + " entries");
}

}  // namespace

void ListBudget::CheckInputs(const RuntimeOperator& op) const {
  if (entries_.empty()) return;
  int64_t sum = 0;
  for (const auto& operand : op.input_operands_seq) {
    const auto found = entries_.find(operand.get());
    if (found != entries_.end()) sum += found->second;
    if (sum > kMostEntries) FailLong(op);
  }
}

void ListBudget::Add(const RuntimeOperator& op, const RuntimeOperand& operand, const Symbol& result) {
  Add(op, operand, CountEntries(result, 0));
}

void ListBudget::Add(const RuntimeOperator& op, const RuntimeOperand& operand, const Value& result) {
  Add(op, operand, CountEntries(result, 0));
}

void ListBudget::Add(const RuntimeOperator& op, const RuntimeOperand& operand, int64_t entries) {
  if (entries == 0) return;
  if (entries == kTooDeep) Fail(op, "its lists are nested deeper than " + std::to_string(kDeepest));
  if (entries > kMostEntries) FailLong(op);
  entries_[&operand] = entries;
  total_ += entries;
  if (total_ > kMostInAll) {
    Fail(op, "the model's lists up to here hold more than " + std::to_string(kMostInAll) + " entries");
  }
}

void ListBudget::Clear() {
  entries_.clear();
  total_ = 0;
}

}  // namespace kuiper_infer
