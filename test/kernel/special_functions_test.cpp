// SPDX-License-Identifier: MIT
#include "kernel/special_functions.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace kuiper_infer::kernel {
namespace {

constexpr double kEuler = 0.57721566490153286061;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

void ExpectRelative(double got, double want, double allowed = 1e-12) {
  EXPECT_NEAR(got, want, allowed * std::max(1.0, std::abs(want)));
}

TEST(SpecialFunctionsTest, KnownValues) {
  ExpectRelative(Digamma(1), -kEuler);
  ExpectRelative(Digamma(0.5), -kEuler - 2 * std::log(2.0));
  ExpectRelative(Digamma(-0.5), Digamma(0.5) + 2);
  ExpectRelative(HurwitzZeta(2, 1), M_PI * M_PI / 6);
  ExpectRelative(HurwitzZeta(4, 1), std::pow(M_PI, 4) / 90);
  ExpectRelative(HurwitzZeta(2, 0.5), M_PI * M_PI / 2);
  ExpectRelative(Polygamma(1, 1), M_PI * M_PI / 6);
  ExpectRelative(Polygamma(3, 1), std::pow(M_PI, 4) / 15);
  ExpectRelative(BesselI(0, 1, false), 1.2660658777520083356);
  ExpectRelative(BesselI(1, -1, false), -0.56515910399248502721);
  ExpectRelative(ScaledErfc(1), 0.42758357615580700442);
  ExpectRelative(LogNormalIntegral(0), -std::log(2.0));
}

TEST(SpecialFunctionsTest, Identities) {
  for (double x = -0.999; x < 1; x += 0.01) ExpectRelative(std::erf(InverseErf(x)), x, 1e-14);
  for (double x = 0.1; x < 30; x += 0.37) {
    ExpectRelative(Digamma(x + 1), Digamma(x) + 1 / x);
    ExpectRelative(HurwitzZeta(3, x), HurwitzZeta(3, x + 1) + std::pow(x, -3));
  }
  // Across the change of method.
  ExpectRelative(BesselI(0, 499.9999, true) / BesselI(0, 500.0001, true), 1, 1e-6);
  ExpectRelative(ScaledErfc(19.9999) / ScaledErfc(20.0001), 1, 2e-5);
  EXPECT_NEAR(LogNormalIntegral(-1.0000001) - LogNormalIntegral(-0.9999999), 0, 1e-6);
}

TEST(SpecialFunctionsTest, EndsOfTheDomain) {
  EXPECT_EQ(InverseErf(1), kInfinity);
  EXPECT_EQ(InverseErf(-1), -kInfinity);
  EXPECT_TRUE(std::isnan(InverseErf(1.5)));
  EXPECT_TRUE(std::isnan(Digamma(-3)));
  EXPECT_EQ(Digamma(0.0), -kInfinity);
  EXPECT_EQ(HurwitzZeta(1, 2), kInfinity);
  EXPECT_TRUE(std::isnan(HurwitzZeta(0.5, 2)));
  EXPECT_TRUE(std::isnan(BesselI(0, std::nan(""), true)));
  EXPECT_EQ(BesselI(0, 1e9, false), kInfinity);
}

}  // namespace
}  // namespace kuiper_infer::kernel
