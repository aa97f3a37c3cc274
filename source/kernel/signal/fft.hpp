// SPDX-License-Identifier: MIT
#pragma once

#include <complex>
#include <cstdint>
#include <vector>

#include "shape/axis_geometry.hpp"

namespace kuiper_infer::kernel {

/// The tables for transforms of one length and direction, made once.
struct FftPlan {
  int64_t length = 1;
  bool inverse = false;
  int64_t padded = 1;                          ///< length of the radix-2 transforms, a power of two
  std::vector<std::complex<double>> roots;     ///< e^(-+2 pi i k / padded), k < padded / 2
  std::vector<std::complex<double>> chirp;     ///< empty if the length is a power of two
  std::vector<std::complex<double>> spectrum;  ///< of the conjugate chirp
};

FftPlan MakeFftPlan(int64_t length, bool inverse);

/// The number of complex numbers of scratch memory that FftAxis needs for `workers` workers.
int64_t FftScratch(const FftPlan& plan, int64_t workers);

/// y[k] = sum over j of x[j] e^(-2 pi i j k / n), with + for the inverse, unscaled, in place along the axis of `data`
/// (whose extent is the plan's length): by Cooley and Tukey's algorithm for powers of two, and by Bluestein's for all
/// other lengths. At most `workers` lines are transformed at once, each in its own part of `scratch`.
void FftAxis(const FftPlan& plan, const AxisGeometry& geometry, int64_t workers, std::complex<double>* data,
             std::complex<double>* scratch);

/// Sets the imaginary parts to `zero`, 0 or -0, where the spectrum of a real array along `axes` is its own conjugate:
/// at frequency 0 or, if the extent is even, the highest one along each of them.
void DropImaginaryParts(const std::vector<int64_t>& shape, const std::vector<int64_t>& axes, double zero,
                        std::complex<double>* data);

/// Completes lines of real signals' spectra, of which the first extent / 2 + 1 elements are given: y[n - k] =
/// conj(y[k]).
void CompleteSpectrum(const AxisGeometry& geometry, std::complex<double>* data);

}  // namespace kuiper_infer::kernel
