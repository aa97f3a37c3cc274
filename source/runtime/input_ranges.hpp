// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "kuiper_infer/utils/shape.hpp"
#include "planning/topology.hpp"

namespace kuiper_infer {

/// What a file says of the free extents of its inputs. A pnnx.Input may have these parameters, each with an item for
/// every axis:
///     min=(1,1,16) max=(8,2147483647,16) extents=(batch,length,16)
/// An extent has to lie between `min` and `max`; 2147483647 means that there is no upper bound. Axes with the same word
/// in `extents`, also of different inputs, have the same extent.
class InputRanges {
 public:
  InputRanges() = default;
  /// Throws Error(kGraph) that names the input if a parameter is not a list with an item for every recorded axis.
  explicit InputRanges(const Operators& inputs);

  /// Throws Error(kInput) that names the input and the axis if an extent is out of its range, or differs from an extent
  /// of the same word. `given`: the shapes of the inputs, of the recorded ranks.
  void Check(const std::vector<TensorSpec>& given) const;

  /// The largest extent along an axis of an input; -1 if it is not bounded.
  int64_t MaxExtent(std::size_t input, std::size_t axis) const;

  /// The extent along an axis of an input that follows from the same word at another input in `given`; -1 if there is
  /// none. An entry of `given` of unknown type does not count.
  int64_t SameExtent(std::size_t input, std::size_t axis, const std::vector<TensorSpec>& given) const;

 private:
  struct Axis {
    std::size_t input = 0;
    std::size_t axis = 0;
    int64_t min = 0;
    int64_t max = 0;
    std::string word;      ///< empty if the extent is bounded alone
    std::size_t same = 0;  ///< the first entry of `axes_` with the same word
  };
  std::vector<std::string> names_;  ///< of the inputs
  std::vector<Axis> axes_;
};

}  // namespace kuiper_infer
