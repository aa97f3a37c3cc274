// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace kuiper_infer::kernel {

struct Distribution {
  enum class Kind {
    kUniform,   ///< in [first, second)
    kNormal,    ///< mean first, standard deviation second
    kIntegers,  ///< first, first + 1, ..., second - 1
  };
  Kind kind = Kind::kUniform;
  double first = 0;
  double second = 1;
};

/// Fills out[0 .. count) with independent numbers. All calls of a process share one sequence, which starts with the
/// process, so that a program is repeatable as long as only one thread draws. Safe to call from several threads.
template <class T>
void Draw(const Distribution& distribution, int64_t count, T* out);

/// Fills out[i] with a number drawn from Poisson's distribution of the rate rates[i], which is at least 0. The numbers
/// are of the same sequence.
template <class T>
void DrawPoisson(int64_t count, const T* rates, T* out);

}  // namespace kuiper_infer::kernel
