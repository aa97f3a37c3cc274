// SPDX-License-Identifier: MIT
#include "planning/topology.hpp"

#include <algorithm>
#include <deque>
#include <string>
#include <unordered_map>

#include "kuiper_infer/utils/error.hpp"

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

}  // namespace kuiper_infer
