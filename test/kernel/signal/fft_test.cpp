// SPDX-License-Identifier: MIT
#include "kernel/signal/fft.hpp"

#include <cmath>
#include <complex>
#include <vector>

#include <gtest/gtest.h>

#include "kernel/random_data.hpp"

namespace kuiper_infer::kernel {
namespace {

using Complex = std::complex<double>;

std::vector<Complex> RandomSignal(int64_t count) {
  const std::vector<double> parts = RandomVector<double>(2 * count, 11);
  std::vector<Complex> signal;
  for (int64_t i = 0; i < count; ++i) signal.emplace_back(parts[2 * i], parts[2 * i + 1]);
  return signal;
}

/// Computes by the definition, with the angle reduced first.
std::vector<Complex> Twin(const AxisGeometry& g, const std::vector<Complex>& x, bool inverse) {
  std::vector<Complex> y(x.size());
  for (int64_t o = 0; o < g.outer; ++o) {
    for (int64_t k = 0; k < g.extent; ++k) {
      for (int64_t i = 0; i < g.inner; ++i) {
        Complex sum;
        for (int64_t j = 0; j < g.extent; ++j) {
          const double angle = 2 * M_PI * static_cast<double>(j * k % g.extent) / static_cast<double>(g.extent);
          sum += x[(o * g.extent + j) * g.inner + i] * std::polar(1.0, inverse ? angle : -angle);
        }
        y[(o * g.extent + k) * g.inner + i] = sum;
      }
    }
  }
  return y;
}

void Check(const AxisGeometry& geometry, bool inverse) {
  const std::vector<Complex> signal = RandomSignal(geometry.size());
  const std::vector<Complex> wanted = Twin(geometry, signal, inverse);
  const FftPlan plan = MakeFftPlan(geometry.extent, inverse);
  const double allowed = 1e-14 * static_cast<double>(geometry.extent) * 4;
  for (const int pieces : {1, 3}) {
    std::vector<Complex> data = signal;
    std::vector<Complex> scratch(FftScratch(plan, pieces));
    FftAxis(plan, geometry, pieces, data.data(), scratch.data());
    for (std::size_t i = 0; i < data.size(); ++i) {
      ASSERT_LE(std::abs(data[i] - wanted[i]), allowed) << "element " << i << ", " << pieces << " pieces";
    }
  }
}

class FftTest : public testing::TestWithParam<int64_t> {};

TEST_P(FftTest, EqualsTheDefinition) {
  for (const bool inverse : {false, true}) {
    Check({1, GetParam(), 1}, inverse);
    Check({3, GetParam(), 2}, inverse);
    Check({1, GetParam(), 5}, inverse);
  }
}

INSTANTIATE_TEST_SUITE_P(Small, FftTest, testing::Range<int64_t>(1, 41));
INSTANTIATE_TEST_SUITE_P(Large, FftTest, testing::Values(64, 97, 100, 127, 128, 360, 509, 512, 1000, 1021));

TEST(FftAxisTest, NothingToTransform) {
  const FftPlan plan = MakeFftPlan(8, false);
  std::vector<Complex> scratch(FftScratch(plan, 2));
  Complex guard(1, 2);
  FftAxis(plan, {0, 8, 3}, 2, &guard, scratch.data());
  EXPECT_EQ(guard, Complex(1, 2));
}

TEST(CompleteSpectrumTest, GivesTheSpectrumOfARealSignal) {
  for (const int64_t length : {1, 2, 5, 8}) {
    std::vector<Complex> signal = RandomSignal(length);
    for (Complex& value : signal) value = value.real();
    const std::vector<Complex> whole = Twin({1, length, 1}, signal, false);
    std::vector<Complex> half(whole);
    for (int64_t k = length / 2 + 1; k < length; ++k) half[k] = Complex(99, 99);
    CompleteSpectrum({1, length, 1}, half.data());
    for (int64_t k = 0; k < length; ++k) EXPECT_LE(std::abs(half[k] - whole[k]), 1e-13) << length << " " << k;
  }
}

}  // namespace
}  // namespace kuiper_infer::kernel
