// SPDX-License-Identifier: MIT
#include "shape/einsum.hpp"

#include <algorithm>
#include <cctype>
#include <map>

#include "kuiper_infer/utils/error.hpp"

namespace kuiper_infer {
namespace {

constexpr int64_t kMostEllipsisAxes = 10;  // their labels are digits

[[noreturn]] void FailEquation(const std::string& equation, const std::string& text) {
  throw Error(ErrorCode::kArgument, "equation '" + equation + "': " + text);
}

/// One operand's part of an equation.
struct Term {
  std::string before, after;
  bool ellipsis = false;
};

Term ParseTerm(const std::string& equation, const std::string& text) {
  Term term;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text.compare(i, 3, "...") == 0 && !term.ellipsis) {
      term.ellipsis = true;
      i += 2;
    } else if (std::isalpha(static_cast<unsigned char>(text[i])) != 0) {
      (term.ellipsis ? term.after : term.before) += text[i];
    } else {
      FailEquation(equation, std::string("found '") + text[i] + "', expected letters, ',', '->' or one '...'");
    }
  }
  return term;
}

std::vector<Term> ParseTerms(const std::string& equation, const std::string& text) {
  std::vector<Term> terms;
  std::size_t start = 0;
  while (true) {
    const std::size_t comma = text.find(',', start);
    terms.push_back(ParseTerm(equation, text.substr(start, comma - start)));
    if (comma == std::string::npos) return terms;
    start = comma + 1;
  }
}

/// The labels of `count` axes under an ellipsis, out of at most `most`: the last ones are shared by all operands.
std::string EllipsisLabels(int64_t count, int64_t most) {
  std::string labels;
  for (int64_t i = most - count; i < most; ++i) labels += static_cast<char>('0' + i);
  return labels;
}

std::string ImplicitOutput(const EinsumLabels& labels, int64_t ellipsis_axes) {
  std::map<char, int> occurrences;
  for (const std::string& operand : labels.operands) {
    for (const char label : operand) ++occurrences[label];
  }
  std::string output = EllipsisLabels(ellipsis_axes, ellipsis_axes);
  for (const auto& [label, count] : occurrences) {
    if (count == 1 && std::isalpha(static_cast<unsigned char>(label)) != 0) output += label;
  }
  return output;
}

}  // namespace

EinsumLabels ParseEinsum(const std::string& equation, const std::vector<int64_t>& ranks) {
  std::string text = equation;
  text.erase(std::remove(text.begin(), text.end(), ' '), text.end());
  const std::size_t arrow = text.find("->");
  const std::vector<Term> terms = ParseTerms(equation, text.substr(0, arrow));
  if (terms.size() != ranks.size()) {
    FailEquation(equation, "has " + std::to_string(terms.size()) + " operands, found " + std::to_string(ranks.size()));
  }
  int64_t ellipsis_axes = 0;
  std::vector<int64_t> hidden;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    const auto named = static_cast<int64_t>(terms[i].before.size() + terms[i].after.size());
    hidden.push_back(ranks[i] - named);
    if (hidden[i] < 0 || (hidden[i] > 0 && !terms[i].ellipsis) || hidden[i] > kMostEllipsisAxes) {
      throw Error(ErrorCode::kShape, "equation '" + equation + "': operand " + std::to_string(i) + " has rank " +
                                         std::to_string(ranks[i]) + ", expected " + std::to_string(named) +
                                         (terms[i].ellipsis ? " or more" : ""));
    }
    ellipsis_axes = std::max(ellipsis_axes, hidden[i]);
  }
  EinsumLabels labels;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    labels.operands.push_back(terms[i].before + EllipsisLabels(hidden[i], ellipsis_axes) + terms[i].after);
  }
  if (arrow == std::string::npos) {
    labels.output = ImplicitOutput(labels, ellipsis_axes);
    return labels;
  }
  const Term output = ParseTerm(equation, text.substr(arrow + 2));
  labels.output = output.before + (output.ellipsis ? EllipsisLabels(ellipsis_axes, ellipsis_axes) : "") + output.after;
  for (std::size_t i = 0; i < labels.output.size(); ++i) {
    const char label = labels.output[i];
    const bool known = std::any_of(labels.operands.begin(), labels.operands.end(), [&](const std::string& operand) {
      return operand.find(label) != std::string::npos;
    });
    if (!known || labels.output.find(label, i + 1) != std::string::npos) {
      FailEquation(equation, std::string("output label '") + label + (known ? "' is repeated" : "' is in no operand"));
    }
  }
  return labels;
}

void NormalizeEinsum(std::vector<LabelledSpec>& operands) {
  std::map<char, int64_t> extents;
  for (const LabelledSpec& operand : operands) {
    for (std::size_t axis = 0; axis < operand.labels.size(); ++axis) {
      const int64_t extent = operand.spec.shape[axis];
      const auto [known, is_new] = extents.emplace(operand.labels[axis], extent);
      if (is_new || extent == 1 || extent == known->second) continue;
      if (known->second != 1) {
        throw Error(ErrorCode::kShape, std::string("axis '") + operand.labels[axis] + "' has extents " +
                                           std::to_string(known->second) + " and " + std::to_string(extent));
      }
      known->second = extent;
    }
  }
  for (LabelledSpec& operand : operands) {
    LabelledSpec normal{TensorSpec(operand.spec.type, {}), ""};
    for (std::size_t axis = 0; axis < operand.labels.size(); ++axis) {
      const char label = operand.labels[axis];
      if (operand.spec.shape[axis] != extents[label]) continue;
      const std::size_t known = normal.labels.find(label);
      if (known != std::string::npos) {
        normal.spec.strides[known] += operand.spec.strides[axis];
        continue;
      }
      normal.labels += label;
      normal.spec.shape.push_back(operand.spec.shape[axis]);
      normal.spec.strides.push_back(operand.spec.strides[axis]);
    }
    operand = normal;
  }
}

LabelledSpec SelectLabels(const LabelledSpec& operand, const std::string& labels) {
  LabelledSpec selected{TensorSpec(operand.spec.type, {}), labels};
  for (const char label : labels) {
    const std::size_t axis = operand.labels.find(label);
    selected.spec.shape.push_back(operand.spec.shape[axis]);
    selected.spec.strides.push_back(operand.spec.strides[axis]);
  }
  return selected;
}

}  // namespace kuiper_infer
