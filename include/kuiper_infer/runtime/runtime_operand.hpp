// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "../data/tensor_fwd.hpp"
#include "runtime_datatype.hpp"

namespace kuiper_infer {

/// One edge of the graph. The producer's output and the consumers' inputs are the same object.
struct RuntimeOperand {
  RuntimeOperand() = default;
  RuntimeOperand(std::string operand_name, std::vector<int32_t> operand_shapes, RuntimeDataType data_type)
      : name(std::move(operand_name)), shapes(std::move(operand_shapes)), type(data_type), has_shape(true) {}

  std::string name;             ///< the operand's name in the model file
  std::vector<int32_t> shapes;  ///< PyTorch's shape; -1 where an extent is only known at run time
  /// One tensor for each element along axis 0, in cube order; a single tensor if the rank is 0 or 1. If the
  /// shape is known, they are allocated when the program first asks a built graph for its operators or for an operand.
  /// After Forward the operands of graph inputs, of graph outputs and of layers that the program registered hold the
  /// values of that run. After Forward(..., debug = true) all operands do.
  std::vector<std::shared_ptr<Tensor<float>>> datas;
  RuntimeDataType type = RuntimeDataType::kTypeUnknown;
  bool has_shape = false;  ///< false: the file says nothing of the shape (a list, a number, or an unknown array)
};

}  // namespace kuiper_infer
