// SPDX-License-Identifier: MIT
#include "kernel/movement/pad.hpp"

#include <algorithm>
#include <cstring>

#include "utils/dispatch.hpp"
#include "utils/threads/parallel.hpp"

namespace kuiper_infer::kernel {
namespace {

int64_t Modulo(int64_t a, int64_t n) {
  const int64_t rest = a % n;
  return rest < 0 ? rest + n : rest;
}

/// The innermost axis of one Pad call.
struct RowPadding {
  int64_t extent_in, extent_out, step_in, step_out, begin, end;
  /// Outputs [inner_first, inner_last) are copies of neighbouring inputs.
  int64_t inner_first, inner_last;
};

RowPadding MakeRowPadding(const ConstArrayView& from, const ArrayView& to, int64_t begin) {
  RowPadding row{};
  row.extent_in = from.shape().back();
  row.extent_out = to.shape().back();
  row.step_in = from.strides().back();
  row.step_out = to.strides().back();
  row.begin = begin;
  row.end = row.extent_out - row.extent_in - begin;
  row.inner_first = std::clamp<int64_t>(begin, 0, row.extent_out);
  row.inner_last = std::clamp<int64_t>(begin + row.extent_in, row.inner_first, row.extent_out);
  return row;
}

template <class T>
void PadRow(PadMode mode, const RowPadding& row, T value, const T* from, T* to) {
  const auto border = [&](int64_t first, int64_t last) {
    for (int64_t i = first; i < last; ++i) {
      const int64_t source = PadSource(mode, i, row.extent_in, row.begin, row.end);
      to[i * row.step_out] = source < 0 ? value : from[source * row.step_in];
    }
  };
  border(0, row.inner_first);
  const T* inner = from + (row.inner_first - row.begin) * row.step_in;
  const int64_t count = row.inner_last - row.inner_first;
  if (row.step_in == 1 && row.step_out == 1) {
    std::copy_n(inner, count, to + row.inner_first);
  } else {
    for (int64_t i = 0; i < count; ++i) to[(row.inner_first + i) * row.step_out] = inner[i * row.step_in];
  }
  border(row.inner_last, row.extent_out);
}

}  // namespace

int64_t PadSource(PadMode mode, int64_t index, int64_t extent, int64_t begin, int64_t end) {
  const int64_t source = index - begin;
  if (source >= 0 && source < extent) return source;
  switch (mode) {
    case PadMode::kConstant:
      break;
    case PadMode::kReplicate:
      return source < 0 ? 0 : extent - 1;
    case PadMode::kReflect: {
      if (extent == 1) return 0;
      const int64_t period = 2 * (extent - 1);
      const int64_t folded = Modulo(source, period);
      return std::min(folded, period - folded);
    }
    case PadMode::kCircular: {
      const int64_t first = std::max<int64_t>(-begin, 0);
      const int64_t last = extent - std::max<int64_t>(-end, 0);
      return first + Modulo(source - first, last - first);
    }
  }
  return -1;
}

void Pad(PadMode mode, const Shape& begin, const void* value, const ConstArrayView& from, const ArrayView& to) {
  DispatchWidth(to.type(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    T filling{};
    if (value != nullptr) std::memcpy(static_cast<void*>(&filling), value, sizeof(T));
    if (to.rank() == 0) {
      *to.as<T>() = *from.as<T>();
      return;
    }
    const int64_t outer_axes = to.rank() - 1;
    const RowPadding row = MakeRowPadding(from, to, begin.back());
    int64_t rows = 1;
    for (int64_t axis = 0; axis < outer_axes; ++axis) rows *= to.shape()[axis];
    ParallelFor(rows, GrainFor(row.extent_out), [&](int64_t first, int64_t last) {
      for (int64_t index = first; index < last; ++index) {
        const T* source = from.as<T>();
        T* target = to.as<T>();
        bool outside = false;
        int64_t rest = index;
        for (int64_t axis = outer_axes - 1; axis >= 0; --axis) {
          const int64_t extent = from.shape()[axis];
          const int64_t extent_out = to.shape()[axis];
          const int64_t i = rest % extent_out;
          rest /= extent_out;
          target += i * to.strides()[axis];
          const int64_t from_index = PadSource(mode, i, extent, begin[axis], extent_out - extent - begin[axis]);
          outside = outside || from_index < 0;
          source += std::max<int64_t>(from_index, 0) * from.strides()[axis];
        }
        if (outside) {
          for (int64_t i = 0; i < row.extent_out; ++i) target[i * row.step_out] = filling;
        } else {
          PadRow(mode, row, filling, source, target);
        }
      }
    });
  });
}

}  // namespace kuiper_infer::kernel
