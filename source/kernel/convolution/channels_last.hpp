// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernel/convolution/convolution.hpp"
#include "kernel/convolution/padded_image.hpp"
#include "kernel/elementwise/activation.hpp"
#include "kernel/quantization/quantize.hpp"
#include "kuiper_infer/utils/data_type.hpp"
#include "shape/pixel_strides.hpp"

namespace kuiper_infer::kernel {

/// Convolutions of images whose channels lie side by side, of float numbers for most methods. Vectors then go along the
/// channels, whatever the image's size.

struct ConvolutionMethod;  // convolution/convolution_method.hpp
class ProductKernel;       // product/product_kernel.hpp

/// A convolution with the method chosen for it, decided once so that the scratch memory is known before it runs.
struct ChannelsLastConvolution {
  ConvolutionGeometry geometry;
  /// Channels lie side by side and pixels are evenly spaced, unless the method reads axes in any order.
  ImageStrides input;
  const ConvolutionMethod* method = nullptr;
  const ProductKernel* product =
      nullptr;  ///< the kernel, or for methods without products the type that they compute in
  /// Pieces that may run at once, each with its own part of the workspace; 1 leaves the threads to each product.
  int64_t workers = 1;
  int64_t tile = 1;  ///< size of a piece in window positions, or in Winograd's tiles
  int64_t worker_bytes = 0;
  int64_t workspace_bytes = 0;
};

/// The grids of an int8 convolution: of its arrays that are bytes, and the grid to which a float input is rounded.
struct Int8Numbers {
  QuantizationGrid input;
  QuantizationGrid residual;
  QuantizationGrid output;
  const float* weight_scales = nullptr;  ///< (channels_out)
};

/// What a run reads and writes. The output and the residual have the shape (batch, positions, channels_out). Input,
/// residual and output may be float32 for all kernels but those of bytes. These read and write bytes as well, and read
/// floats only if the method rounds them (ConvolutionMethod::rounds_input). The image may be bfloat16 if the kernel
/// rounds float32 to bfloat16, or if ConvolutionMethod::stores_bfloat16 allows it; residual and output may be bfloat16
/// where that allows it, or up to ProductKernel::MostRoundedDepth.
struct ChannelsLastArrays {
  const void* input = nullptr;
  RuntimeDataType input_type = RuntimeDataType::kTypeFloat32;
  /// Of the input's channels in each image, (batch, channels_in), for methods that take factors; null: ones.
  const float* factors = nullptr;
  const void* weight = nullptr;    ///< in the method's layout
  const float* bias = nullptr;     ///< (channels_out) or null
  const void* residual = nullptr;  ///< added before the activation; null: nothing
  RuntimeDataType residual_type = RuntimeDataType::kTypeFloat32;
  PixelStrides residual_strides;
  Activation activation;
  void* output = nullptr;
  RuntimeDataType output_type = RuntimeDataType::kTypeFloat32;
  PixelStrides output_strides;
  std::byte* workspace = nullptr;     ///< of workspace_bytes, 64-byte aligned
  const Int8Numbers* int8 = nullptr;  ///< for kernels of bytes
};

/// output = activation(convolution + bias + residual), see kernel::Convolution for the convolution itself.
void ConvolveChannelsLast(const ChannelsLastConvolution& convolution, const ChannelsLastArrays& arrays);

}  // namespace kuiper_infer::kernel
