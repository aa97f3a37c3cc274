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
  /// One tensor per element along axis 0 (a single one where the rank is 0 or 1), each in cube order. Allocated by
  /// Build where the shape is known; those of graph inputs and outputs and around layers of the user's own hold the
  /// values of the last Forward, the others after Forward(..., debug = true).
  std::vector<std::shared_ptr<Tensor<float>>> datas;
  RuntimeDataType type = RuntimeDataType::kTypeUnknown;
  bool has_shape = false;  ///< false: the file says nothing of the shape (a list, a number, or an unknown array)
};

}  // namespace kuiper_infer
