// SPDX-License-Identifier: MIT
#include "planning/topology.hpp"

#include <algorithm>
#include <deque>
#include <set>
#include <string>
#include <unordered_map>

#include "kuiper_infer/utils/error.hpp"
#include "operation/operation.hpp"

namespace kuiper_infer {
namespace {

using Indices = std::vector<std::size_t>;

[[noreturn]] void Fail(const std::string& text) { throw Error(ErrorCode::kGraph, text); }

std::unordered_map<const RuntimeOperand*, std::size_t> FindProducers(const Operators& operators) {
  std::unordered_map<const RuntimeOperand*, std::size_t> producers;
  for (std::size_t i = 0; i < operators.size(); ++i) {
    for (const auto& operand : operators[i]->output_operands_seq) {
      if (operand == nullptr) Fail("operator '" + operators[i]->name + "' has a null output operand");
      const auto [entry, fresh] = producers.emplace(operand.get(), i);
      if (!fresh) {
        Fail("operand '" + operand->name + "' is produced by operator '" + operators[entry->second]->name +
             "' and again by '" + operators[i]->name + "'");
      }
    }
  }
  return producers;
}

/// consumers[i]: the operators that read an output of operator i, each once, in file order.
std::vector<Indices> FindConsumers(const Operators& operators) {
  const auto producers = FindProducers(operators);
  std::vector<Indices> consumers(operators.size());
  for (std::size_t i = 0; i < operators.size(); ++i) {
    for (const auto& operand : operators[i]->input_operands_seq) {
      if (operand == nullptr) Fail("operator '" + operators[i]->name + "' has a null input operand");
      const auto producer = producers.find(operand.get());
      if (producer == producers.end()) {
        Fail("operator '" + operators[i]->name + "' reads operand '" + operand->name + "', which no operator produces");
      }
      Indices& list = consumers[producer->second];
      if (list.empty() || list.back() != i) list.push_back(i);
    }
  }
  return consumers;
}

[[noreturn]] void FailCycle(const Operators& operators, const Indices& path, std::size_t repeated) {
  std::string names;
  const auto first = std::find(path.begin(), path.end(), repeated);
  // A long cycle is named by its first operators.
  constexpr std::ptrdiff_t kNamed = 8;
  for (auto at = first; at != path.end() && at - first < kNamed; ++at) names += "'" + operators[*at]->name + "' -> ";
  if (path.end() - first > kNamed) names += "... -> ";
  Fail("the graph has a cycle: " + names + "'" + operators[repeated]->name + "'");
}

}  // namespace

void LinkOperators(const Operators& operators) {
  const std::vector<Indices> consumers = FindConsumers(operators);
  const auto producers = FindProducers(operators);
  for (std::size_t i = 0; i < operators.size(); ++i) {
    RuntimeOperator& op = *operators[i];
    op.output_names.clear();
    op.output_operators.clear();
    op.input_operands.clear();
    for (const std::size_t consumer : consumers[i]) {
      op.output_names.push_back(operators[consumer]->name);
      op.output_operators.emplace(operators[consumer]->name, operators[consumer]);
    }
    for (const auto& operand : op.input_operands_seq) {
      op.input_operands.emplace(operators[producers.at(operand.get())]->name, operand);
    }
  }
}

Operators SortDepthFirst(const Operators& operators) {
  enum class Mark { kNew, kOpen, kDone };
  const std::vector<Indices> consumers = FindConsumers(operators);
  std::vector<Mark> marks(operators.size(), Mark::kNew);
  Indices post_order;
  struct Frame {
    std::size_t index;
    std::size_t next;  // consumers still to visit, from the last to the first
  };
  // Roots and consumers are taken from the last to the first: reversing the post-order restores the file's order.
  for (std::size_t root = operators.size(); root-- > 0;) {
    if (marks[root] != Mark::kNew) continue;
    std::vector<Frame> stack = {{root, consumers[root].size()}};
    marks[root] = Mark::kOpen;
    while (!stack.empty()) {
      Frame& frame = stack.back();
      if (frame.next == 0) {
        marks[frame.index] = Mark::kDone;
        operators[frame.index]->has_forward = true;
        post_order.push_back(frame.index);
        stack.pop_back();
        continue;
      }
      const std::size_t consumer = consumers[frame.index][--frame.next];
      if (marks[consumer] == Mark::kOpen) {
        Indices path;
        for (const Frame& open : stack) path.push_back(open.index);
        FailCycle(operators, path, consumer);
      }
      if (marks[consumer] == Mark::kNew) {
        marks[consumer] = Mark::kOpen;
        stack.push_back({consumer, consumers[consumer].size()});
      }
    }
  }
  Operators order;
  for (auto at = post_order.rbegin(); at != post_order.rend(); ++at) order.push_back(operators[*at]);
  return order;
}

Operators SortBreadthFirst(const Operators& operators) {
  const std::vector<Indices> consumers = FindConsumers(operators);
  std::vector<std::size_t> unfinished(operators.size(), 0);
  for (const Indices& list : consumers) {
    for (const std::size_t consumer : list) ++unfinished[consumer];
  }
  std::deque<std::size_t> ready;
  for (std::size_t i = 0; i < operators.size(); ++i) {
    if (unfinished[i] == 0) ready.push_back(i);
  }
  Operators order;
  while (!ready.empty()) {
    const std::size_t index = ready.front();
    ready.pop_front();
    order.push_back(operators[index]);
    for (const std::size_t consumer : consumers[index]) {
      if (--unfinished[consumer] == 0) ready.push_back(consumer);
    }
  }
  if (order.size() != operators.size()) Fail("the graph has a cycle");
  return order;
}

namespace {

/// Whether an operator checks something while running: an assertion has no results.
bool IsAssertion(const RuntimeOperator& op) {
  if (!op.output_operands_seq.empty()) return false;
  const std::vector<Operation>& rows = OperationTable::Instance().Find(op.type);
  return !rows.empty() && rows.front().kind == OperationKind::kDataDependent;
}

}  // namespace

Operators WithoutDead(const Operators& order) {
  std::set<const RuntimeOperand*> needed;
  Operators alive;
  for (auto op = order.rbegin(); op != order.rend(); ++op) {
    const auto& results = (*op)->output_operands_seq;
    const bool kept = (*op)->type == "pnnx.Input" || (*op)->type == "pnnx.Output" || IsAssertion(**op);
    const bool used = kept || std::any_of(results.begin(), results.end(),
                                          [&](const auto& operand) { return needed.count(operand.get()) > 0; });
    if (!used) continue;
    for (const auto& operand : (*op)->input_operands_seq) needed.insert(operand.get());
    alive.push_back(*op);
  }
  std::reverse(alive.begin(), alive.end());
  return alive;
}

namespace {

Operators OfType(const Operators& operators, const std::string& type) {
  Operators found;
  for (const auto& op : operators) {
    if (op->type == type) found.push_back(op);
  }
  return found;
}

/// The number N in "pnnx_input_N"; -1 for any other name.
long NumberOf(const std::string& name, const std::string& prefix) {
  if (name.compare(0, prefix.size(), prefix) != 0 || name.size() == prefix.size()) return -1;
  const std::string digits = name.substr(prefix.size());
  const bool number = digits.size() < 10 && digits.find_first_not_of("0123456789") == std::string::npos;
  return number ? std::stol(digits) : -1;
}

Operators SortedByNumber(Operators operators, const std::string& prefix) {
  const bool numbered =
      std::all_of(operators.begin(), operators.end(), [&](const auto& op) { return NumberOf(op->name, prefix) >= 0; });
  if (numbered) {
    std::stable_sort(operators.begin(), operators.end(), [&](const auto& a, const auto& b) {
      return NumberOf(a->name, prefix) < NumberOf(b->name, prefix);
    });
  }
  return operators;
}

}  // namespace

Operators InputOperators(const Operators& operators) {
  return SortedByNumber(OfType(operators, "pnnx.Input"), "pnnx_input_");
}

Operators OutputOperators(const Operators& operators) {
  return SortedByNumber(OfType(operators, "pnnx.Output"), "pnnx_output_");
}

}  // namespace kuiper_infer
