// SPDX-License-Identifier: MIT
#include "kernel/indexing/embedding.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>

#include "utils/half.hpp"
#include "utils/threads/parallel.hpp"

namespace kuiper_infer::kernel {

namespace {

/// Calls write(i, indices[i]) for all indices in [0, rows). Returns the position of an index out of range, or -1.
template <class Index, class Write>
int64_t ForIndices(const Index* indices, int64_t count, int64_t rows, int64_t grain, const Write& write) {
  std::atomic<int64_t> fault{-1};
  ParallelFor(count, grain, [&](int64_t first, int64_t last) {
    for (int64_t i = first; i < last; ++i) {
      const auto row = static_cast<int64_t>(indices[i]);
      if (row < 0 || row >= rows) {
        fault = i;
      } else {
        write(i, row);
      }
    }
  });
  return fault;
}

}  // namespace

template <class Index>
int64_t LookUpRows(const Index* indices, int64_t count, const void* table, int64_t rows, int64_t row_bytes, void* out) {
  return ForIndices(indices, count, rows, GrainFor(row_bytes / 16 + 1), [&](int64_t i, int64_t row) {
    std::memcpy(static_cast<char*>(out) + i * row_bytes, static_cast<const char*>(table) + row * row_bytes,
                static_cast<std::size_t>(row_bytes));
  });
}

template <class Index>
int64_t LookUpNumbers(const Index* indices, int64_t count, const QuantizedTable& table, float* out) {
  const WeightFormat& format = *table.format;
  const WeightShape shape{1, table.rows, table.width};
  return ForIndices(indices, count, table.rows, GrainFor(table.width), [&](int64_t i, int64_t row) {
    float* const numbers = out + i * table.width;
    if (table.layout != nullptr) {
      table.layout->UnpackRow(shape, row, table.integers, numbers);
    } else {
      const auto* const integers = static_cast<const uint8_t*>(table.integers);
      format.decode(integers + row * format.StoredBytes(table.width), table.width, numbers);
    }
    const auto scale = [&](const auto* parameters) {
      format.ScaleRow(parameters + row * table.groups * format.ParameterCount(), table.groups, table.width, numbers);
    };
    if (table.halves) {
      scale(static_cast<const Float16*>(table.parameters));
    } else {
      scale(static_cast<const float*>(table.parameters));
    }
  });
}

template <class T>
void ReduceBags(BagMode mode, const int64_t* indices, const int64_t* begins, int64_t bags, const T* factors,
                int64_t padding_index, const T* table, int64_t width, T* out) {
  ParallelFor(bags, GrainFor(bags > 0 ? begins[bags] / bags * width : 1), [&](int64_t first, int64_t last) {
    for (int64_t bag = first; bag < last; ++bag) {
      T* result = out + bag * width;
      std::fill_n(result, width, T(0));
      int64_t used = 0;
      for (int64_t i = begins[bag]; i < begins[bag + 1]; ++i) {
        if (indices[i] == padding_index) continue;
        const T* row = table + indices[i] * width;
        const T factor = factors != nullptr ? factors[i] : T(1);
        if (mode == BagMode::kMax) {
          for (int64_t x = 0; x < width; ++x) result[x] = used == 0 ? row[x] : std::max(result[x], row[x]);
        } else {
          for (int64_t x = 0; x < width; ++x) result[x] += factor * row[x];
        }
        ++used;
      }
      if (mode == BagMode::kMean && used > 0) {
        for (int64_t x = 0; x < width; ++x) result[x] /= static_cast<T>(used);
      }
    }
  });
}

template int64_t LookUpRows<int32_t>(const int32_t*, int64_t, const void*, int64_t, int64_t, void*);
template int64_t LookUpRows<int64_t>(const int64_t*, int64_t, const void*, int64_t, int64_t, void*);
template int64_t LookUpNumbers<int32_t>(const int32_t*, int64_t, const QuantizedTable&, float*);
template int64_t LookUpNumbers<int64_t>(const int64_t*, int64_t, const QuantizedTable&, float*);
template void ReduceBags<float>(BagMode, const int64_t*, const int64_t*, int64_t, const float*, int64_t, const float*,
                                int64_t, float*);
template void ReduceBags<double>(BagMode, const int64_t*, const int64_t*, int64_t, const double*, int64_t,
                                 const double*, int64_t, double*);

}  // namespace kuiper_infer::kernel
