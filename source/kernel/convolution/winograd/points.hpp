// SPDX-License-Identifier: MIT
#pragma once

namespace kuiper_infer::kernel {

/// F(4,3) of float numbers evaluates polynomials at the points 0, +-kWinogradInner, +-kWinogradOuter and infinity. Of
/// small fractions, whose powers are exact, these two round least: with 1 and 2 errors are 2.3 times as large.
constexpr float kWinogradInner = 0.625F;
constexpr float kWinogradOuter = 1.5F;

}  // namespace kuiper_infer::kernel
