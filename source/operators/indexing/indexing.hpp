// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "kernel/indexing/gather.hpp"
#include "operation/arguments.hpp"

namespace kuiper_infer {

/// Parts of the operations with index numbers.

inline void RequireIndexType(const Arguments& arguments, const TensorArgument& index) {
  const RuntimeDataType type = index.spec.type;
  arguments.Require(type == RuntimeDataType::kTypeInt64 || type == RuntimeDataType::kTypeInt32,
                    std::string("index is ") + TypeName(type) + ", expected int64 or int32");
}

/// An array of rank 0 as one of rank 1.
inline TensorSpec AtLeastOneAxis(const TensorSpec& spec) {
  return spec.rank() > 0 ? spec : TensorSpec(spec.type, {1}, {1});
}

/// Throws Error(kInput) if an index number was out of range.
inline void CheckIndex(const std::optional<kernel::IndexFault>& fault, int64_t axis, const kernel::IndexedAxis& range) {
  if (!fault) return;
  throw Error(ErrorCode::kInput, "index " + std::to_string(fault->number) + " is out of range for axis " +
                                     std::to_string(axis) + ", expected " +
                                     std::to_string(range.from_end ? -range.extent : 0) + " to " +
                                     std::to_string(range.extent - 1));
}

/// Whether new elements replace those at their places, and are not added to them.
inline bool Overwrites(const Arguments& arguments) { return !arguments.Bool("accumulate"); }

}  // namespace kuiper_infer
