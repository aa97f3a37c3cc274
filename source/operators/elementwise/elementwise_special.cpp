// SPDX-License-Identifier: MIT
#include "operators/elementwise/elementwise_table.hpp"

namespace kuiper_infer {

std::vector<ElementwiseRow> SpecialRows() {
  const std::string x = kOneArray;
  const std::string pair = kTwoArrays;
  std::vector<ElementwiseRow> rows = {
      {{"torch.special_zeta", "aten::special_zeta"}, pair, "zeta(input, other)"},
      {{"torch.igamma", "aten::igamma", "aten::special_gammainc"}, pair, "igamma(input, other)"},
      {{"torch.igammac", "aten::igammac", "aten::special_gammaincc"}, pair, "igammac(input, other)"},
      {{"torch.i0", "aten::i0", "aten::special_i0", "aten::special_modified_bessel_i0"}, x, "i0(input)"},
      {{"aten::special_i0e"}, x, "i0e(input)"},
      {{"aten::special_i1", "aten::special_modified_bessel_i1"}, x, "i1(input)"},
      {{"aten::special_i1e"}, x, "i1e(input)"},
  };
  for (const char* name :
       {"bessel_j0", "bessel_j1", "bessel_y0", "bessel_y1", "modified_bessel_k0", "modified_bessel_k1",
        "scaled_modified_bessel_k0", "scaled_modified_bessel_k1", "spherical_bessel_j0", "airy_ai"}) {
    rows.push_back({{std::string("aten::special_") + name}, x + "|x", std::string(name) + "(input)"});
  }
  for (const char* name : {"chebyshev_polynomial_t", "chebyshev_polynomial_u", "chebyshev_polynomial_v",
                           "chebyshev_polynomial_w", "shifted_chebyshev_polynomial_t", "shifted_chebyshev_polynomial_u",
                           "shifted_chebyshev_polynomial_v", "shifted_chebyshev_polynomial_w", "hermite_polynomial_h",
                           "hermite_polynomial_he", "laguerre_polynomial_l", "legendre_polynomial_p"}) {
    rows.push_back(
        {{std::string("aten::special_") + name}, "Tensor input|x, Tensor n", std::string(name) + "(input, n)"});
  }
  return rows;
}

}  // namespace kuiper_infer
