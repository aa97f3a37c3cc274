// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>
#include <vector>

#include "kernel/convolution/channels_last.hpp"
#include "kernel/product/weight_order.hpp"
#include "kernel/product/weight_type.hpp"
#include "kuiper_infer/utils/data_type.hpp"

namespace kuiper_infer::kernel {

/// The element types that a method computes with.
struct NumberFormats {
  WeightType weights = {};                                      ///< when packed
  RuntimeDataType activations = RuntimeDataType::kTypeFloat32;  ///< images, bias and addend
  RuntimeDataType sums = RuntimeDataType::kTypeFloat32;
  int pieces =
      0;  ///< bfloat16 numbers that stand for each weight and activation inside (bfloat16/product.hpp); 0: none

  bool operator==(const NumberFormats& other) const {
    return weights == other.weights && activations == other.activations && sums == other.sums;
  }
};

/// Weights of so many bfloat16 numbers each; activations are float32, and rounded or split inside.
constexpr NumberFormats BFloat16Weights(int pieces) { return {{RuntimeDataType::kTypeBFloat16, pieces}}; }
constexpr NumberFormats kInt8{RuntimeDataType::kTypeInt8, RuntimeDataType::kTypeUInt8, RuntimeDataType::kTypeInt32};

/// A way to compute convolutions of channels-last images: a row of the table of methods, and all that the rest of the
/// library knows of it. Each method has a file of its own in this folder.
struct ConvolutionMethod {
  const char* name = "";  ///< in reports, and to force the method
  NumberFormats formats;
  /// How the weight lies; methods with the same order share packed weights.
  const WeightOrder* weight_order = nullptr;
  bool (*suits)(const ConvolutionGeometry& geometry) = nullptr;
  /// Estimated time of a thread, in float multiply-adds of one number; infinite where the method isn't worth a try. The
  /// image is channels-last already or has to be copied; a multiply-add of the method's formats takes `product_time`.
  /// Null: where the method suits, it is compared with no other.
  double (*cost)(const ConvolutionGeometry& geometry, bool channels_last, int threads, double product_time) = nullptr;
  /// Sets workers, tile and scratch memory; null where there is nothing to set.
  void (*schedule)(ChannelsLastConvolution& convolution, int threads) = nullptr;
  void (*run)(const ChannelsLastConvolution& convolution, const ChannelsLastArrays& arrays) = nullptr;
  /// Computes the rows [first, last) of one plane output image in this thread, for chains of convolutions.
  /// `arrays.input` points to row `first_input` of the image, `arrays.output` and `addend` to row `first` of the
  /// results. Null where that isn't possible.
  void (*run_rows)(const ChannelsLastConvolution& convolution, const ChannelsLastArrays& arrays, int64_t first_input,
                   int64_t first, int64_t last) = nullptr;
  double rounding = 1;           ///< rounding errors as a multiple of those of a plain sum of products
  bool along_channels = false;   ///< vectors hold channels of several groups, so few channels of a group don't matter
  bool takes_factors = false;    ///< ChannelsLastArrays::factors
  bool rounds_input = false;     ///< methods in integers: the input may be floats
  bool reads_any_order = false;  ///< of the input's axes, not channels-last images alone
};

/// The table. Of methods that cost the same, the first one is chosen.
const std::vector<ConvolutionMethod>& ConvolutionMethods();

/// The row of that name; null where there is none.
const ConvolutionMethod* FindMethod(std::string_view name);

/// The weight of a convolution as its packing sees it.
WeightShape WeightShapeOf(const ConvolutionGeometry& geometry);

}  // namespace kuiper_infer::kernel
