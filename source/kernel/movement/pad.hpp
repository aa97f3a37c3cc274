// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "utils/array_view.hpp"

namespace kuiper_infer::kernel {

/// The elements outside of the input (PyTorch's names).
enum class PadMode {
  kConstant,   ///< one value
  kReflect,    ///< mirrored at the border element, which is not repeated
  kReplicate,  ///< the border element
  kCircular,   ///< elements of the other end; of a cropped axis, of what is left of it
};

/// Element `index` of a padded axis, as an index into the `extent` elements it is made from, or -1 for the constant.
/// `begin` and `end` count added elements, negative ones crop. kReflect and kCircular wrap as often as needed.
int64_t PadSource(PadMode mode, int64_t index, int64_t extent, int64_t begin, int64_t end);

/// Pads or crops every axis: to[i0, i1, ...] = from[PadSource(i0), PadSource(i1), ...]. `begin` holds one number an
/// axis, outermost first; the end padding follows from the two shapes. Both arrays have the same rank and element type
/// and any strides; `value` points to one element for kConstant (null for the other modes, which need non-empty axes
/// wherever they add elements). The arrays must not overlap. Works for every element type.
void Pad(PadMode mode, const Shape& begin, const void* value, const ConstArrayView& from, const ArrayView& to);

}  // namespace kuiper_infer::kernel
