// SPDX-License-Identifier: MIT
#include <cmath>
#include <complex>

#include <gtest/gtest.h>

#include "model/op_case.hpp"

namespace kuiper_infer::test {
namespace {

/// Returns the allowed error, relative to max(1, |value|): the case's own, or the error of float32 sums in another
/// order.
double Tolerance(const OpCase& op_case) {
  constexpr double kUsual = 2e-5;
  if (!Has(op_case, "tolerance")) return kUsual;
  const std::vector<char> text = Bytes(op_case, "tolerance");
  return std::stod(std::string(text.begin(), text.end()));
}

bool Near(double got, double want, double tolerance) {
  if (got == want || (std::isnan(got) && std::isnan(want))) return true;
  return std::abs(got - want) <= tolerance * std::max(1.0, std::abs(want));
}

void ExpectSame(const NdArray& got, const NdArray& want, double tolerance, std::size_t output) {
  ASSERT_EQ(SpecString(got.spec()), SpecString(want.spec())) << "output " << output;
  const bool exact = !IsFloating(want.type()) && !IsComplex(want.type());
  const NdArray left = got.To(RuntimeDataType::kTypeComplex128).Contiguous();
  const NdArray right = want.To(RuntimeDataType::kTypeComplex128).Contiguous();
  for (int64_t i = 0; i < right.size(); ++i) {
    const std::complex<double> a = left.data<std::complex<double>>()[i];
    const std::complex<double> b = right.data<std::complex<double>>()[i];
    const double allowed = exact ? 0 : tolerance;
    ASSERT_TRUE(Near(a.real(), b.real(), allowed) && Near(a.imag(), b.imag(), allowed))
        << "output " << output << " element " << i << ": " << a << ", PyTorch " << b;
  }
}

}  // namespace

void ExpectOutputs(const OpCase& op_case, const std::vector<NdArray>& results) {
  const std::vector<NdArray> outputs = Arrays(op_case, "out");
  ASSERT_EQ(results.size(), outputs.size());
  const double tolerance = Tolerance(op_case);
  for (std::size_t k = 0; k < results.size(); ++k) ExpectSame(results[k], outputs[k], tolerance, k);
}

}  // namespace kuiper_infer::test
