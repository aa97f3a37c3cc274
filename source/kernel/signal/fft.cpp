// SPDX-License-Identifier: MIT
#include "kernel/signal/fft.hpp"

#include <algorithm>
#include <cmath>

#include "utils/threads/parallel.hpp"

namespace kuiper_infer::kernel {
namespace {

using Complex = std::complex<double>;

constexpr double kPi = 3.14159265358979323846;

/// e^(-2 pi i k / n) or, for the inverse, e^(2 pi i k / n).
Complex Root(int64_t k, int64_t n, bool inverse) {
  const double angle = 2 * kPi * static_cast<double>(k) / static_cast<double>(n);
  return {std::cos(angle), inverse ? std::sin(angle) : -std::sin(angle)};
}

/// The product of a and b without the checks for infinities that operator* makes.
Complex Times(Complex a, Complex b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

/// Transforms x in place, for n a power of two. `conjugate` reverses the transform's direction.
void Radix2(int64_t n, const std::vector<Complex>& roots, bool conjugate, Complex* x) {
  for (int64_t i = 1, j = 0; i < n; ++i) {
    int64_t bit = n >> 1;
    for (; (j & bit) != 0; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) std::swap(x[i], x[j]);
  }
  for (int64_t half = 1; half < n; half *= 2) {
    const int64_t step = n / (2 * half);
    for (int64_t start = 0; start < n; start += 2 * half) {
      for (int64_t k = 0; k < half; ++k) {
        const Complex root = conjugate ? std::conj(roots[k * step]) : roots[k * step];
        const Complex odd = Times(x[start + k + half], root);
        x[start + k + half] = x[start + k] - odd;
        x[start + k] += odd;
      }
    }
  }
}

/// Transforms a line of any length by Bluestein's algorithm: jk = (j^2 + k^2 - (k - j)^2) / 2 makes the transform a
/// convolution with a chirp.
void Line(const FftPlan& plan, Complex* x, Complex* work) {
  if (plan.chirp.empty()) {
    Radix2(plan.length, plan.roots, false, x);
    return;
  }
  for (int64_t i = 0; i < plan.length; ++i) work[i] = Times(x[i], plan.chirp[i]);
  std::fill(work + plan.length, work + plan.padded, Complex());
  Radix2(plan.padded, plan.roots, false, work);
  for (int64_t i = 0; i < plan.padded; ++i) work[i] = Times(work[i], plan.spectrum[i]);
  Radix2(plan.padded, plan.roots, true, work);
  const double scale = 1 / static_cast<double>(plan.padded);
  for (int64_t i = 0; i < plan.length; ++i) x[i] = Times(work[i], plan.chirp[i]) * scale;
}

/// Transforms a line along an axis by way of `line`, which has room for it and for the transform's work.
void AxisLine(const FftPlan& plan, const AxisGeometry& geometry, int64_t index, Complex* data, Complex* line) {
  Complex* start = data + index / geometry.inner * geometry.extent * geometry.inner + index % geometry.inner;
  for (int64_t i = 0; i < plan.length; ++i) line[i] = start[i * geometry.inner];
  Line(plan, line, line + plan.length);
  for (int64_t i = 0; i < plan.length; ++i) start[i * geometry.inner] = line[i];
}

}  // namespace

FftPlan MakeFftPlan(int64_t length, bool inverse) {
  FftPlan plan;
  plan.length = length;
  plan.inverse = inverse;
  const bool power = (length & (length - 1)) == 0;
  while (plan.padded < (power ? length : 2 * length - 1)) plan.padded *= 2;
  // The convolution's own transforms may go either way.
  for (int64_t k = 0; k < std::max<int64_t>(1, plan.padded / 2); ++k) {
    plan.roots.push_back(Root(k, plan.padded, inverse));
  }
  if (power) return plan;
  int64_t square = 0;  // k * k modulo the period, of which k * k itself could overflow
  for (int64_t k = 0; k < length; ++k) {
    plan.chirp.push_back(Root(square, 2 * length, inverse));
    square = (square + 2 * k + 1) % (2 * length);
  }
  plan.spectrum.assign(static_cast<std::size_t>(plan.padded), Complex());
  for (int64_t k = 0; k < length; ++k) {
    plan.spectrum[static_cast<std::size_t>(k)] = std::conj(plan.chirp[static_cast<std::size_t>(k)]);
    if (k > 0) plan.spectrum[static_cast<std::size_t>(plan.padded - k)] = plan.spectrum[static_cast<std::size_t>(k)];
  }
  Radix2(plan.padded, plan.roots, false, plan.spectrum.data());
  return plan;
}

int64_t FftScratch(const FftPlan& plan, int64_t workers) { return workers * (plan.length + plan.padded); }

void FftAxis(const FftPlan& plan, const AxisGeometry& geometry, int64_t workers, Complex* data, Complex* scratch) {
  const int64_t lines = geometry.outer * geometry.inner;
  ParallelWorkers(lines, GrainFor(plan.padded * 32), workers, [&](int64_t worker, WorkerPieces pieces) {
    Complex* line = scratch + worker * (plan.length + plan.padded);
    int64_t index = 0;
    int64_t end = 0;
    while (pieces.Take(index, end)) {
      for (; index < end; ++index) AxisLine(plan, geometry, index, data, line);
    }
  });
}

void DropImaginaryParts(const std::vector<int64_t>& shape, const std::vector<int64_t>& axes, double zero,
                        Complex* data) {
  // Along each axis such frequencies are the multiples of a step: of 1 if the axis is not transformed.
  std::vector<int64_t> steps(shape.size(), 1);
  for (const int64_t axis : axes) {
    const int64_t extent = shape[static_cast<std::size_t>(axis)];
    steps[static_cast<std::size_t>(axis)] = extent % 2 == 0 && extent > 0 ? extent / 2 : std::max<int64_t>(extent, 1);
  }
  int64_t places = 1;
  for (std::size_t axis = 0; axis < shape.size(); ++axis) places *= shape[axis] / steps[axis];
  for (int64_t place = 0; place < places; ++place) {
    int64_t offset = 0;
    int64_t stride = 1;
    int64_t rest = place;
    for (std::size_t axis = shape.size(); axis-- > 0;) {
      const int64_t count = shape[axis] / steps[axis];
      offset += rest % count * steps[axis] * stride;
      rest /= count;
      stride *= shape[axis];
    }
    data[offset].imag(zero);
  }
}

void CompleteSpectrum(const AxisGeometry& geometry, Complex* data) {
  for (int64_t outer = 0; outer < geometry.outer; ++outer) {
    Complex* plane = data + outer * geometry.extent * geometry.inner;
    for (int64_t k = geometry.extent / 2 + 1; k < geometry.extent; ++k) {
      for (int64_t i = 0; i < geometry.inner; ++i) {
        plane[k * geometry.inner + i] = std::conj(plane[(geometry.extent - k) * geometry.inner + i]);
      }
    }
    // A real signal has real numbers at frequency 0 and at the highest frequency; imaginary parts are dropped.
    for (int64_t i = 0; i < geometry.inner; ++i) {
      plane[i] = plane[i].real();
      if (geometry.extent % 2 == 0) {
        Complex& highest = plane[geometry.extent / 2 * geometry.inner + i];
        highest = highest.real();
      }
    }
  }
}

}  // namespace kuiper_infer::kernel
