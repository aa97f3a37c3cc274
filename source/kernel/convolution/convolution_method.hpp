// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kernel/convolution/channels_last.hpp"
#include "kernel/product/product_kernel.hpp"

namespace kuiper_infer::kernel {

/// A way to compute convolutions of channels-last images: a row of the table of methods, and everything that the rest
/// of the library knows of the method. Each method has a file of its own in this folder. A method that multiplies
/// matrices calls any ProductKernel that suits it and doesn't ask for the kernel's format. A method with loops of its
/// own suits only kernels of the number format that these loops compute in.
struct ConvolutionMethod {
  const char* name = "";  ///< in reports, and to force the method
  /// Whether the method can compute the convolution in the numbers of the kernel: float32, or int8 on bytes.
  bool (*suits)(const ConvolutionGeometry& geometry, const ProductKernel& product) = nullptr;
  /// The packed layout of the weight; methods with one layout share packed weights.
  const PackedLayout& (*layout)(const ProductKernel& product) = nullptr;
  /// Estimated time of a thread, in float multiply-adds of one number; infinite where the method isn't worth a try. The
  /// image is channels-last already or has to be copied. Null: where the method suits, it is compared with no other.
  double (*cost)(const ConvolutionGeometry& geometry, bool channels_last, int threads,
                 const ProductKernel& product) = nullptr;
  /// Sets workers, tile and scratch memory; null if there is nothing to set.
  void (*schedule)(ChannelsLastConvolution& convolution, int threads) = nullptr;
  void (*run)(const ChannelsLastConvolution& convolution, const ChannelsLastArrays& arrays) = nullptr;
  /// Computes the rows [first, last) of one plane output image in this thread, for chains of convolutions of float32.
  /// `arrays.input` points to row `first_input` of the image, `arrays.output` and `residual` to row `first` of the
  /// results. Null if the method can't do that.
  void (*run_rows)(const ChannelsLastConvolution& convolution, const ChannelsLastArrays& arrays, int64_t first_input,
                   int64_t first, int64_t last) = nullptr;
  double rounding = 1;          ///< rounding errors as a multiple of those of a plain sum of products
  bool along_channels = false;  ///< vectors hold channels of several groups, so few channels of a group don't matter
  bool takes_factors = false;   ///< ChannelsLastArrays::factors, of float32
  bool rounds_input = false;    ///< the input of a kernel of bytes may be floats
  /// Whether image, residual and output may be bfloat16 although the method computes in float32. Only on CPUs with a
  /// unit for bfloat16.
  bool stores_bfloat16 = false;
  bool reads_any_order = false;  ///< of the input's axes, not channels-last images alone
};

/// The table. Of methods that cost the same, the first one is chosen.
const std::vector<ConvolutionMethod>& ConvolutionMethods();

/// A method with the kernel whose numbers it computes; null: none.
struct ConvolutionChoice {
  const ConvolutionMethod* method = nullptr;
  const ProductKernel* product = nullptr;

  /// Whether products are computed in integers.
  bool in_integers() const { return product != nullptr && product->left == RuntimeDataType::kTypeUInt8; }
  const PackedLayout& layout() const { return method->layout(*product); }
  /// What reports call it, such as "rows" or "rows, int8".
  std::string Name() const;
};

/// Cuts the work for `threads` threads; running with another number of threads later is right too. The choice suits the
/// geometry and the input: see kernel::ChooseMethod.
ChannelsLastConvolution ScheduleChannelsLast(const ConvolutionGeometry& geometry, const ImageStrides& input,
                                             int threads, const ConvolutionChoice& choice);

/// The weight of a convolution as its packing sees it.
WeightShape WeightShapeOf(const ConvolutionGeometry& geometry);

}  // namespace kuiper_infer::kernel
