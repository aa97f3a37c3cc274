// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "utils/rounding.hpp"
#include "utils/system/cpu_info.hpp"

namespace kuiper_infer::kernel {

constexpr int64_t kWordColumns = 16;  ///< of a panel

/// The product of matrices of 16-bit integers: sums = a * weight modulo 2^32.
struct WordProduct {
  int64_t rows;
  int64_t depth;          ///< even: see WordDepth
  int64_t columns;        ///< whole panels: see WordColumns
  const int16_t* a;       ///< (rows, depth)
  const int16_t* weight;  ///< panels of kWordColumns columns, in which two numbers of a column lie side by side
  int32_t* sums;          ///< (rows, columns)
  const int16_t* next;    ///< the weight of the next product, of equal size, which is prefetched
};

/// The depth of a product of `inputs` inputs. An odd number is filled up by a row of zeros.
inline int64_t WordDepth(int64_t inputs) { return RoundUp(inputs, int64_t{2}); }

inline int64_t WordColumns(int64_t outputs) { return RoundUp(outputs, kWordColumns); }

/// Multiplies in this thread. `unit` is one that this CPU has: AVX512_VNNI and AVX-VNNI multiply words, too, and the
/// former does wherever AMX is there; for all others it is done by UsedIsa().
void MultiplyWords(const WordProduct& product, Int8Unit unit);

#if defined(__x86_64__)
void MultiplyWordsByVnni(const WordProduct& product);
void MultiplyWordsByAvxVnni(const WordProduct& product);
#endif

}  // namespace kuiper_infer::kernel
