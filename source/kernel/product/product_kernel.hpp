// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "kernel/product/packed_layout.hpp"
#include "kernel/product/product.hpp"
#include "utils/system/cpu_info.hpp"

namespace kuiper_infer::kernel {

/// How the driver (multiply.cpp) cuts a product for a kernel.
struct ProductBlocks {
  int64_t rows;               ///< rows of a block, which stays in a cache while it is multiplied by panel after panel
  int64_t depth;              ///< numbers along the depth whose products are added up before sums are written
  int64_t rows_together = 1;  ///< threads share the rows in multiples of this number
  /// Whether tiles can read the rows where they lie; otherwise ProductKernel::Prepare copies each block.
  bool in_place = true;
  int64_t rows_read = 1;  ///< tiles read a multiple of this number of rows, whether all are asked for or not
};

/// Rows [first, first + count) of a product and numbers [k, k + depth) of its whole depth: a row's segments count as
/// one run of numbers.
struct ProductBlock {
  int64_t first;
  int64_t count;
  int64_t k;
  int64_t depth;
};

/// Rows as tiles read them. Distances count numbers of the type that the kernel reads.
struct LeftRows {
  const void* data;
  int64_t ld;
  int64_t segments;
  int64_t segment_stride;
  int64_t depth;             ///< of a segment
  int64_t piece_stride = 0;  ///< split bfloat16: from the first pieces of all rows to the second ones, and so on
};

/// A block of rows times a part of a panel of the weight.
struct PanelTask {
  const Product& product;
  int64_t panel;
  ProductBlock block;
  LeftRows left;       ///< the block's rows
  bool first_part;     ///< whether the block is the first part of the depth: sums start with bias and residual
  bool last_part;      ///< whether the block is the last part of the depth: the activation is applied
  const void* next;    ///< the part of the weight that is multiplied next, to be prefetched
  std::byte* scratch;  ///< ProductKernel::scratch_bytes bytes, aligned to a cache line
};

/// The sizes of a product, from which its speed follows.
struct ProductShape {
  int64_t rows;
  int64_t columns;
  int64_t depth;  ///< of a segment
  int64_t segments = 1;
  int64_t groups = 1;  ///< of a weight in integers: the number of equal parts of the depth with parameters of their own
};

/// A way to compute products by a packed weight: a row of the table of kernels (product_kernels.hpp). A kernel
/// multiplies rows of one type by a weight in one format with one unit of the CPU; cutting products for threads and
/// caches is the driver's part.
class ProductKernel {
 public:
  virtual ~ProductKernel() = default;
  ProductKernel(const ProductKernel&) = delete;
  ProductKernel& operator=(const ProductKernel&) = delete;

  const char* const name;       ///< in reports; empty: float32
  const WeightFormat& format;   ///< of the packed weight
  const WeightPanels& panels;   ///< the order of the packed weight; lives as long as the kernel
  const Units units;            ///< the units of the CPU that the kernel needs
  const RuntimeDataType left;   ///< type of the rows: float32, or uint8 (bytes of a grid) for an int8 kernel
  const int64_t worth_thread;   ///< multiply-adds that are worth a thread
  const int64_t scratch_bytes;  ///< scratch memory of a thread, at most kMostProductScratch
  const bool rounds_rows;       ///< whether it rounds float32 rows to 8 bits and multiplies them as integers
  const bool packs_parameters;  ///< PackedFactor::parameters are packed as panels; else one for each column
  const int64_t half_groups;    ///< PackedFactor::parameters of up to this number of groups may be float16

  /// The packed layout of a weight that lies in its file in this arrangement.
  const PackedLayout& Layout(Arrangement arrangement) const { return *layouts_[static_cast<std::size_t>(arrangement)]; }

  /// Whether the kernel can compute a product of these sizes, and pays off.
  virtual bool Suits(const ProductShape& /*shape*/) const { return true; }
  /// The time of a multiply-add, as a multiple of the float32 kernel's time.
  virtual double Time(const ProductShape& /*shape*/) const { return 1; }
  /// Whether it rounds float32 rows to bfloat16. It can then read bfloat16 rows, too.
  virtual bool RoundsToBFloat16() const { return false; }
  /// The greatest depth, over all segments, of products whose results and residual may be bfloat16 on a CPU that
  /// multiplies bfloat16; 0: they may not be bfloat16.
  virtual int64_t MostRoundedDepth() const { return 0; }

  virtual ProductBlocks Blocks(const Product& product) const = 0;
  /// Writes a block's rows to `scratch` as tiles read them: rounded, split, scaled or without gaps.
  virtual LeftRows Prepare(const Product& product, const ProductBlock& block, std::byte* scratch) const = 0;
  /// Where number `k` of the depth begins in a panel.
  virtual const void* WeightAt(const Product& product, int64_t panel, int64_t k) const = 0;
  /// Prefetches what the kernel reads of a panel besides its numbers, such as sums of columns.
  virtual void Prefetch(const Product& /*product*/, int64_t /*panel*/) const {}
  virtual void MultiplyPanel(const PanelTask& task) const = 0;
  /// A thread calls Begin before its first panel of a product, and End after its last one.
  virtual void Begin() const {}
  virtual void End() const {}

 protected:
  struct Traits {
    const char* name;
    const WeightFormat& format;
    std::shared_ptr<const WeightPanels> panels;
    Units units;
    RuntimeDataType left;
    int64_t worth_thread;
    int64_t scratch_bytes;
    bool packs_parameters = false;
    int64_t half_groups = 0;
  };
  explicit ProductKernel(const Traits& traits)
      : name(traits.name),
        format(traits.format),
        panels(*traits.panels),
        units(traits.units),
        left(traits.left),
        worth_thread(traits.worth_thread),
        scratch_bytes(traits.scratch_bytes),
        rounds_rows(false),
        packs_parameters(traits.packs_parameters),
        half_groups(traits.half_groups),
        own_panels_(traits.panels),
        layouts_{MakePanelLayout(panels, format, Arrangement::kWindows),
                 MakePanelLayout(panels, format, Arrangement::kWindowRows),
                 MakePanelLayout(panels, format, Arrangement::kMatrix)} {}

  /// How a kernel that rounds float32 rows differs from `floats`, the kernel that doesn't. Both read the same packed
  /// weights.
  struct RoundingTraits {
    const char* name;
    const ProductKernel& floats;
    Units units;
    int64_t worth_thread;
    int64_t scratch_bytes;
  };
  explicit ProductKernel(const RoundingTraits& traits)
      : name(traits.name),
        format(traits.floats.format),
        panels(traits.floats.panels),
        units(traits.units),
        left(traits.floats.left),
        worth_thread(traits.worth_thread),
        scratch_bytes(traits.scratch_bytes),
        rounds_rows(true),
        packs_parameters(traits.floats.packs_parameters),
        half_groups(traits.floats.half_groups),
        own_panels_(traits.floats.own_panels_),
        layouts_(traits.floats.layouts_) {}

 private:
  std::shared_ptr<const WeightPanels> own_panels_;
  std::array<std::shared_ptr<const PackedLayout>, 3> layouts_;
};

constexpr int64_t kMostProductScratch = int64_t{208} << 10;

}  // namespace kuiper_infer::kernel
