// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "kernel/product/format/weight_format.hpp"
#include "operation/weights/weight.hpp"

namespace kuiper_infer {

/// An attribute and its name.
struct NamedWeight {
  std::string name;
  std::shared_ptr<Weight> weight;
};

/// Throws BindError that says of the attribute what is wrong with it.
[[noreturn]] void FailAttribute(const std::string& attribute, const std::string& text);

/// Joins the parameters of a weight in this format, whose attributes are given in the order of the format's parameters,
/// to (rows, groups, parameters): float16 if all attributes are, else float32. An attribute of that type then takes its
/// values from there. Throws BindError that names an attribute whose shape or numbers do not fit rows of `row_size`.
std::shared_ptr<Weight> ReadParameters(const kernel::WeightFormat& format, const std::vector<NamedWeight>& attributes,
                                       int64_t rows, int64_t row_size);

}  // namespace kuiper_infer
