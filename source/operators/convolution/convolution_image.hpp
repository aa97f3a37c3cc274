// SPDX-License-Identifier: MIT
#pragma once

#include "kernel/convolution/convolution_method.hpp"
#include "operation/storage.hpp"
#include "operation/strided_operand.hpp"
#include "operators/convolution/convolution_arguments.hpp"

namespace kuiper_infer {

/// The image of a channels-last convolution as the kernel reads it: the original, a copy, or rounded bytes. Bytes are
/// made if the kernel reads bytes and its method doesn't round floats itself.
class ConvolutionImage {
 public:
  /// `storage` says how the image is stored; `copies` whether it is copied first. Adds what that takes to the
  /// workspace.
  ConvolutionImage(const ConvolutionArguments& arguments, const Storage& storage,
                   const kernel::ConvolutionChoice& choice, bool copies, int64_t& workspace_bytes);

  const TensorSpec& spec() const { return operand_.used; }
  RuntimeDataType type() const { return type_; }                  ///< of the numbers that Data gives
  const kernel::QuantizationGrid& grid() const { return grid_; }  ///< of bytes
  const void* Data(const RunContext& c) const;

 private:
  StridedOperand operand_;
  kernel::QuantizationGrid grid_;
  RuntimeDataType type_;
  int64_t rounded_at_ = -1;  ///< place of the bytes in the workspace; -1: nothing is rounded
};

}  // namespace kuiper_infer
