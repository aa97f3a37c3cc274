// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "operation/arguments.hpp"

namespace kuiper_infer {

/// Which numbers the outputs of an operation hold: a column of the table of operations.
struct OutputValues {
  enum class Kind {
    kComputed,   ///< new numbers
    kUnary,      ///< one function of each element of the only array; a convolution or a linear layer in front of the
                 ///< operation can apply it to its result
    kPreserved,  ///< elements of `sources`, moved, chosen or repeated, and zeros: the operation is value-preserving. If
                 ///< the elements of all sources lie on one quantisation grid, those of the outputs do, too
  };
  Kind kind = Kind::kComputed;
  std::vector<std::string> sources;  ///< kPreserved: names of arguments that are arrays or lists of arrays
  /// The kind holds only if this is true of the arguments, otherwise it is kComputed; null: it always holds.
  bool (*condition)(const Arguments& arguments) = nullptr;
};

/// The column of an operation that applies one function to each element.
inline OutputValues Unary() { return {OutputValues::Kind::kUnary, {}, nullptr}; }

/// The column of a value-preserving operation.
inline OutputValues Preserves(std::vector<std::string> sources, bool (*condition)(const Arguments&) = nullptr) {
  return {OutputValues::Kind::kPreserved, std::move(sources), condition};
}

/// The arrays whose elements the outputs hold, by TensorArgument::input; empty if the call computes new numbers. An
/// argument that is computed while running fulfils no condition.
std::vector<int> PreservedInputs(const OutputValues& values, const Arguments& arguments);

}  // namespace kuiper_infer
