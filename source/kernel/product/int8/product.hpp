// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "kernel/elementwise/activation.hpp"
#include "kernel/product/weight_order.hpp"
#include "kernel/quantization/quantize.hpp"
#include "kuiper_infer/utils/data_type.hpp"
#include "utils/cpu_info.hpp"

namespace kuiper_infer::kernel {

struct Int8Kernel;  // int8/tile.hpp

/// Products of rows of bytes by a constant weight of 8-bit integers. Sums are exact; every unit, and the portable code,
/// gives the same bits, whatever the number of threads.

/// The longest rows, each segment filled up to a multiple of four, whose sums surely fit 32 bits.
constexpr int64_t kMostInt8Depth = int64_t{1} << 16;

/// A convolution with fewer output channels in a group is computed in float: most of each vector would be empty.
constexpr int64_t kLeastInt8Channels = 8;

/// Whether a product of such rows can be computed here.
constexpr bool SuitsInt8(int64_t depth, int64_t segments = 1) {
  return segments * ((depth + 3) / 4 * 4) <= kMostInt8Depth;
}

/// Bytes that a weight of columns x (segments * depth) takes when packed: panels of 64 columns, in which four numbers
/// that follow each other along the depth lie side by side, each segment filled up with zeros to a multiple of four;
/// behind each panel the sums of its columns and their largest pairs. A packed weight is the same for all units.
int64_t PackedInt8Bytes(int64_t columns, int64_t depth, int64_t segments = 1);

/// Two numbers of a column whose places in their segment are 2 i and 2 i + 1 are a pair; its size is the magnitude of
/// their sum. Where it is at most so much, products by any two bytes add up to what fits 16 bits with a sign, which
/// CPUs without a unit for dot products of bytes compute faster.
constexpr int32_t kMostNarrowPair = 128;

/// Columns of a panel: those from a multiple of this number on can be packed for themselves, to PackedInt8Bytes of the
/// columns before them.
int64_t Int8PanelColumns();

/// Packs the transpose of a weight whose columns are given as (inputs, taps) and become (taps, inputs), in `segments`
/// runs of taps: column j lies at `transposed` + j * ld. The numbers are integers from -128 to 127.
void PackInt8Window(int64_t columns, int64_t inputs, int64_t taps, int64_t segments, const float* transposed,
                    int64_t ld, void* packed);

/// Brings a weight packed so back to (columns, inputs, taps).
void UnpackInt8Window(int64_t columns, int64_t inputs, int64_t taps, int64_t segments, const void* packed,
                      float* transposed, int64_t ld);

/// Each group of a weight (its integers given as floats) packed as PackInt8Window does, in one segment.
const WeightOrder& Int8PanelOrder();

/// Each group of a weight whose taps make a square window, packed as PackInt8Window does: a row of taps is a segment.
const WeightOrder& Int8WindowRowOrder();

/// The matrices of c = activation(a * weight * scales + bias + addend), all row-major. Arrays are float32, or uint8:
/// then their numbers are (byte - zero_point) * scale of the grid beside them, whose bounds lie in 0 to 255.
///
/// With s the exact sum of (a - zero_point) * weight of a column and m = a_grid.scale * scale, y = (float(s) * m +
/// bias) + addend, each operation, product and sum in one, rounded once. Float rows are rounded to a_grid first, and
/// byte results are y rounded to c_grid, both as RoundToBytes does it, where they have an addend of floats or an
/// activation that does more than keep the numbers that c_grid has. Others are counted in its steps: with i = 1 /
/// c_grid.scale and g = addend_grid.scale * i (0 without an addend), they are nearest(float(s) * (m * i) + (bias * i -
/// zero_point * g) + addend's q * g), ties to even, + c_grid.zero_point, kept within c_grid. That needs steps that fit
/// 32 bits whatever s; where they don't in a panel, its columns are as above.
struct Int8Product {
  int64_t rows = 0;
  int64_t columns = 0;
  int64_t depth = 0;  ///< of a segment
  /// Rows of `a` consist of so many runs of `depth` numbers, segment_stride numbers apart.
  int64_t segments = 1;
  int64_t segment_stride = 0;

  const void* a = nullptr;  ///< rows lda numbers apart
  RuntimeDataType a_type = RuntimeDataType::kTypeUInt8;
  int64_t lda = 0;
  QuantizationGrid a_grid;

  const void* weight = nullptr;          ///< packed, with the segments and the depth of the rows
  const float* weight_scales = nullptr;  ///< one for each column
  const float* bias = nullptr;           ///< one for each column, or null

  const void* addend =
      nullptr;  ///< rows x columns, rows addend_ld numbers apart, or null; may be `c` if the types agree
  RuntimeDataType addend_type = RuntimeDataType::kTypeFloat32;
  int64_t addend_ld = 0;
  QuantizationGrid addend_grid;

  Activation activation;

  void* c = nullptr;  ///< rows x columns, rows ldc numbers apart
  RuntimeDataType c_type = RuntimeDataType::kTypeFloat32;
  int64_t ldc = 0;
  QuantizationGrid c_grid;
};

/// Computes the product, spread over threads by rows or by columns.
void MultiplyByInt8Weight(const Int8Product& product, Int8Unit unit);
void MultiplyByInt8Weight(const Int8Product& product, const Int8Kernel& kernel);

/// Whether models are computed in integers where they say so: there is a unit. Portable code is slower than float's.
inline bool ComputesInIntegers() { return UsedInt8Unit() != Int8Unit::kPortable; }

/// Whether the unit of this CPU multiplies narrow pairs faster than others.
bool GainsByNarrowPairs();

}  // namespace kuiper_infer::kernel
