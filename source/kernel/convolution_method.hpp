// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <string_view>

#include "kernel/channels_last.hpp"

namespace kuiper_infer::kernel {

/// What MethodChoice::forced may be.
inline constexpr std::array<const char*, 5> kForcedMethods{"rows", "segments", "winograd2", "winograd4", "winograd6"};

/// How a method is chosen.
struct MethodChoice {
  int threads = 1;
  bool measure = false;       ///< by a measurement where there is a choice, instead of an estimate
  std::string_view forced{};  ///< one of kForcedMethods: taken where it suits; empty: none is
};

/// The method that should be fastest for input that is channels-last already or, otherwise, has to be copied.
ConvolutionMethod ChooseMethod(const ConvolutionGeometry& geometry, bool channels_last, const MethodChoice& choice);

/// Whether kSegments is made for a geometry: two-dimensional, one group, no dilation along the rows.
bool SuitsSegments(const ConvolutionGeometry& geometry);

}  // namespace kuiper_infer::kernel
