// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kuiper_infer/data/ndarray.hpp"

namespace kuiper_infer::cli {

struct ClassScore {
  int64_t index;
  double probability;
};

/// The most probable classes in descending order, for an output of the shape (1,N) with at least two real numbers, all
/// finite; nothing for other arrays. Numbers from 0 to 1 that add up to 1 are probabilities already; of other numbers
/// the softmax is taken.
std::optional<std::vector<ClassScore>> MostProbable(const NdArray& output, std::size_t most);

/// The lines of a file, the name of class 0 first. Throws Error(kFile) that names the file.
std::vector<std::string> ReadLabels(const std::string& path);

/// A line for each class: probability, index, and the label if there are labels. Throws Error(kInput) that names
/// `labels_file` if the number of labels is not `classes`.
std::string ClassLines(const std::vector<ClassScore>& scores, int64_t classes, const std::vector<std::string>& labels,
                       const std::string& labels_file);

}  // namespace kuiper_infer::cli
