// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>

#include "kernel/product/format/weight_format.hpp"
#include "kernel/product/weight_panels.hpp"
#include "utils/function_ref.hpp"

namespace kuiper_infer::kernel {

/// Sizes of a constant weight: `groups` matrices one behind the other, each row-major (outputs, inputs, taps).
struct WeightShape {
  int64_t groups = 1;
  int64_t outputs = 1;  ///< of a group
  int64_t inputs = 1;   ///< of a group
  int64_t taps = 1;

  int64_t depth() const { return inputs * taps; }
  int64_t size() const { return groups * outputs * depth(); }
};

/// A part of a weight as it lies in its file: some of its rows.
struct WeightRows {
  int64_t first = 0;
  int64_t count = 0;
};

/// A packed layout: the order into which a constant weight is packed once, because a kernel reads it faster in this
/// order. Each layout is one object that lives as long as the process.
class PackedLayout {
 public:
  /// `name` is unique: packed weights in caches on disk are found by it.
  PackedLayout(const char* name, const WeightFormat& format) : name(name), format(format) {}
  virtual ~PackedLayout() = default;

  const char* const name;
  const WeightFormat& format;  ///< of the packed numbers; integers are given as floats

  virtual int64_t Bytes(const WeightShape& shape) const = 0;
  /// The rows in which the weight lies in its file.
  virtual int64_t Rows(const WeightShape& shape) const { return shape.groups * shape.outputs; }
  /// Rows are packed in parts that begin at a multiple of this number, each by a call of its own, several at a time.
  virtual int64_t RowsTogether(const WeightShape& shape) const = 0;
  /// Packs a part, which lies at `part`, to its places in `packed`, which has Bytes().
  virtual void Pack(const WeightShape& shape, const WeightRows& rows, const float* part, void* packed) const = 0;
  /// Whether Unpack brings packed numbers back exactly. Layouts whose packing rounds can't.
  virtual bool Reversible() const { return false; }
  virtual void Unpack(const WeightShape& /*shape*/, const void* /*packed*/, float* /*weight*/) const {}
  /// Whether UnpackRow brings back a row of the weight, as it lies in its file, of a weight of one group.
  virtual bool UnpacksRows() const { return false; }
  virtual void UnpackRow(const WeightShape& /*shape*/, int64_t /*row*/, const void* /*packed*/,
                         float* /*numbers*/) const {}

  /// Whether it packs the integers of a weight instead of its numbers.
  bool packs_integers() const { return format.stored != RuntimeDataType::kTypeUnknown; }

 protected:
  /// RowsTogether() of layouts that are packed in one part.
  static int64_t AllTogether(const WeightShape& shape);
};

/// How the numbers of a weight lie in its file, and in which order the rows of the left factor bring those of a window.
enum class Arrangement {
  kWindows,     ///< (outputs, inputs, taps); the window's pixels lie side by side
  kWindowRows,  ///< (outputs, inputs, taps), square windows; each row of a window is a segment
  kMatrix,      ///< (inputs, outputs): the right factor itself; one group, one tap
};

/// Makes the layout in which each group of a weight is the right factor of a product (product.hpp), in these panels.
std::unique_ptr<const PackedLayout> MakePanelLayout(const WeightPanels& panels, const WeightFormat& format,
                                                    Arrangement arrangement);

/// The layout in which each group is the left factor of MultiplyPackedLeft (packed_gemm.hpp).
const PackedLayout& LeftPanelLayout();

/// Writes a part of a weight to `target`: numbers [first, first + count). Called by several threads at once; may throw.
using WeightReader = FunctionRef<void(int64_t first, int64_t count, float* target)>;

/// Brings a weight that is read part by part into a layout, in parts that fit the second-level cache, on several
/// threads. Throws what `read` throws.
void PackInParts(const PackedLayout& layout, const WeightShape& shape, WeightReader read, void* packed);

/// Brings a weight in memory into a layout, in the same parts.
void PackWhole(const PackedLayout& layout, const WeightShape& shape, const float* weight, void* packed);

}  // namespace kuiper_infer::kernel
