// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "operation/computation.hpp"
#include "operation/strided_copy.hpp"

namespace kuiper_infer {

/// A concatenation: copies arrays side by side into one result. An array that is in its place already is not copied.
class Join : public Computation {
 public:
  /// The offset at which an input begins in the result, in elements.
  struct Part {
    int input = -1;  ///< of RunContext
    int64_t offset = 0;
  };
  /// `type` is the result's type in the model. Parts may be of other types and are converted.
  Join(RuntimeDataType type, std::vector<Part> parts, std::vector<StridedCopy> copies)
      : type_(type), parts_(std::move(parts)), copies_(std::move(copies)) {}

  const std::vector<Part>& parts() const { return parts_; }

  bool Reads(RuntimeDataType /*stored*/, int /*input*/, const Fusion& /*fusion*/) const override { return true; }
  bool Writes(RuntimeDataType /*stored*/, const Fusion& /*fusion*/) const override { return true; }
  bool KeepsStorage() const override { return true; }

  KernelCall MakeCall(const Fusion& fusion, const PlanningContext& /*context*/) const override {
    KernelCall call;
    std::vector<StridedCopy> copies = copies_;
    for (StridedCopy& copy : copies) {
      const bool floats = type_ == RuntimeDataType::kTypeFloat32 && copy.from.type == type_;
      if (floats) copy.from.type = copy.to_spec.type = fusion.result.type;
    }
    call.run = [copies](const RunContext& c) {
      for (const StridedCopy& copy : copies) copy.Run(c);
    };
    return call;
  }

 private:
  RuntimeDataType type_;
  std::vector<Part> parts_;
  std::vector<StridedCopy> copies_;
};

}  // namespace kuiper_infer
