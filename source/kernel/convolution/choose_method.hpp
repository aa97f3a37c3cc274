// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kernel/convolution/method_measurement.hpp"
#include "utils/system/cpu_info.hpp"

namespace kuiper_infer::kernel {

/// How a method is chosen.
struct MethodChoice {
  int threads = 1;
  /// Chooses among several methods by a measurement; null: by an estimate.
  MethodMeasurements* measurements = nullptr;
  std::string_view forced{};  ///< name of the method that is chosen instead of the fastest one if it suits; empty: none
  /// The kernels whose numbers the convolution may be computed in; of those that cost the same, the first one is
  /// chosen.
  std::vector<const ProductKernel*> products;
};

/// Names of the methods that can be forced: those of float32 that are compared with others.
std::vector<std::string> ForcibleMethods();

/// The method and the kernel that should be fastest for an input that is channels-last or, otherwise, has to be copied
/// for all methods except those that read axes in any order. The method is null if none suits the kernels.
ConvolutionChoice ChooseMethod(const ConvolutionGeometry& geometry, bool channels_last, const MethodChoice& choice);

/// Whether one of these methods should be faster than the planar kernels (kernel/convolution/convolution.hpp), whose
/// vectors go along the positions. Here they go along a group's output channels; with few of them most of each vector
/// is wasted. Images that are channels-last would have to be copied for the planar kernels.
bool SuitsChannelsLast(const ConvolutionGeometry& geometry, bool channels_last, const Units& units);

}  // namespace kuiper_infer::kernel
