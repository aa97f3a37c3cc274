// SPDX-License-Identifier: MIT
#include "cli/class_scores.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>

#include "data/text_lines.hpp"
#include "kuiper_infer/utils/error.hpp"

namespace kuiper_infer::cli {
namespace {

bool AreProbabilities(const std::vector<double>& scores) {
  constexpr double kRounding = 1e-2;  // of a thousand numbers in bfloat16
  const bool within = std::all_of(scores.begin(), scores.end(), [](double score) { return score >= 0 && score <= 1; });
  return within && std::abs(std::accumulate(scores.begin(), scores.end(), 0.0) - 1) < kRounding;
}

void Softmax(std::vector<double>& scores) {
  const double largest = *std::max_element(scores.begin(), scores.end());
  for (double& score : scores) score = std::exp(score - largest);
  const double sum = std::accumulate(scores.begin(), scores.end(), 0.0);
  for (double& score : scores) score /= sum;
}

}  // namespace

std::optional<std::vector<ClassScore>> MostProbable(const NdArray& output, std::size_t most) {
  const bool row = output.rank() == 2 && output.shape()[0] == 1 && output.shape()[1] >= 2;
  if (!row || !IsFloating(output.type())) return std::nullopt;
  const NdArray values = output.To(RuntimeDataType::kTypeFloat64);
  std::vector<double> scores(values.data<double>(), values.data<double>() + values.size());
  if (!std::all_of(scores.begin(), scores.end(), [](double score) { return std::isfinite(score); })) {
    return std::nullopt;
  }
  if (!AreProbabilities(scores)) Softmax(scores);
  std::vector<ClassScore> classes;
  for (std::size_t i = 0; i < scores.size(); ++i) classes.push_back({static_cast<int64_t>(i), scores[i]});
  std::stable_sort(classes.begin(), classes.end(),
                   [](const ClassScore& a, const ClassScore& b) { return a.probability > b.probability; });
  classes.resize(std::min(most, classes.size()));
  return classes;
}

std::vector<std::string> ReadLabels(const std::string& path) {
  TextLines lines(ByteSource::OpenFile(path));
  std::vector<std::string> labels;
  for (std::string line; lines.Next(line);) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    labels.push_back(line);
  }
  return labels;
}

std::string ClassLines(const std::vector<ClassScore>& scores, int64_t classes, const std::vector<std::string>& labels,
                       const std::string& labels_file) {
  if (!labels_file.empty() && static_cast<int64_t>(labels.size()) != classes) {
    throw Error(ErrorCode::kInput, labels_file + ": has " + std::to_string(labels.size()) + " lines, expected " +
                                       std::to_string(classes) + ", one for each class");
  }
  std::string text;
  for (const ClassScore& score : scores) {
    char numbers[64];
    std::snprintf(numbers, sizeof(numbers), "%9.4f %6lld", score.probability, static_cast<long long>(score.index));
    text += numbers;
    if (!labels.empty()) text += "  " + labels[static_cast<std::size_t>(score.index)];
    text += "\n";
  }
  return text;
}

}  // namespace kuiper_infer::cli
