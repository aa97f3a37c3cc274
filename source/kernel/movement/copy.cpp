// SPDX-License-Identifier: MIT
#include "kernel/movement/copy.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <type_traits>
#include <utility>

#include "kernel/movement/convert_row.hpp"
#include "kernel/movement/copy_axes.hpp"
#include "utils/dispatch_all.hpp"
#include "utils/threads/parallel.hpp"

namespace kuiper_infer::kernel {
namespace {

template <class T>
void CopyRow(const T* from, int64_t from_stride, T* to, int64_t to_stride, int64_t count) {
  if (from_stride == 1 && to_stride == 1) {
    std::memcpy(to, from, static_cast<std::size_t>(count) * sizeof(T));
  } else if (to_stride == 1) {
    for (int64_t i = 0; i < count; ++i) to[i] = from[i * from_stride];
  } else {
    for (int64_t i = 0; i < count; ++i) to[i * to_stride] = from[i * from_stride];
  }
}

/// Calls copy(row, column, columns) for the pieces of rows of two axes. If the source is not contiguous along `inner`,
/// the pieces come in tiles that fit the cache on both sides.
template <class CopyPiece>
void ForPieces(const Axis& rows, const Axis& inner, const CopyPiece& copy) {
  constexpr int64_t kTile = 32;
  const int64_t width = std::abs(inner.from) > 1 ? kTile : inner.extent;
  for (int64_t i = 0; i < rows.extent; i += kTile) {
    const int64_t height = std::min(kTile, rows.extent - i);
    for (int64_t j = 0; j < inner.extent; j += width) {
      const int64_t columns = std::min(width, inner.extent - j);
      for (int64_t r = i; r < i + height; ++r) copy(r, j, columns);
    }
  }
}

/// Copies some rows of two axes.
template <class T>
void CopyPlane(const void* source, void* target, const Axis& rows, const Axis& inner) {
  const auto* from = static_cast<const T*>(source);
  auto* to = static_cast<T*>(target);
  // Two lines side by side (the shuffle of two groups of channels): a loop over single pairs would cost a call each.
  if (inner.extent == 2 && inner.to == 1 && rows.to == 2 && rows.from == 1) {
    const T* second = from + inner.from;
    for (int64_t r = 0; r < rows.extent; ++r) {
      to[2 * r] = from[r];
      to[2 * r + 1] = second[r];
    }
    return;
  }
  ForPieces(rows, inner, [&](int64_t row, int64_t column, int64_t columns) {
    CopyRow(from + row * rows.from + column * inner.from, inner.from, to + row * rows.to + column * inner.to, inner.to,
            columns);
  });
}

/// The properties of the two element types that a copy needs.
struct ElementCopy {
  int64_t from_bytes;
  int64_t to_bytes;
  /// Copies rows of two axes, if the types are the same.
  void (*copy_plane)(const void* from, void* to, const Axis& rows, const Axis& inner) = nullptr;
  /// Otherwise: converts a row. Strides count elements.
  void (*convert_row)(const void* from, int64_t from_stride, void* to, int64_t to_stride, int64_t count) = nullptr;

  void CopyRows(const char* from, char* to, const Axis& rows, const Axis& inner) const {
    if (copy_plane != nullptr) return copy_plane(from, to, rows, inner);
    ForPieces(rows, inner, [&](int64_t row, int64_t column, int64_t columns) {
      convert_row(from + (row * rows.from + column * inner.from) * from_bytes, inner.from,
                  to + (row * rows.to + column * inner.to) * to_bytes, inner.to, columns);
    });
  }
};

ElementCopy ChooseElementCopy(RuntimeDataType from, RuntimeDataType to) {
  ElementCopy copy{static_cast<int64_t>(ElementBytes(from)), static_cast<int64_t>(ElementBytes(to))};
  if (from == to) {
    DispatchWidth(from, [&](auto tag) { copy.copy_plane = CopyPlane<typename decltype(tag)::type>; });
    return copy;
  }
  DispatchAll(from, [&](auto from_tag) {
    DispatchAll(to, [&](auto to_tag) {
      using From = typename decltype(from_tag)::type;
      using To = typename decltype(to_tag)::type;
      if constexpr (!std::is_same_v<From, To>) copy.convert_row = ConvertRow<From, To>;
    });
  });
  return copy;
}

void CopyAlong(const AxisList& axes, const ElementCopy& element, const char* from, char* to) {
  constexpr Axis kOne{1, 0, 0};
  const Axis inner = axes.empty() ? kOne : axes.back();
  if (axes.size() <= 1) {
    ParallelFor(inner.extent, GrainFor(1), [&](int64_t first, int64_t end) {
      element.CopyRows(from + first * inner.from * element.from_bytes, to + first * inner.to * element.to_bytes, kOne,
                       {end - first, inner.from, inner.to});
    });
    return;
  }
  const std::size_t outer_axes = axes.size() - 2;
  const Axis rows = axes[outer_axes];
  int64_t planes = 1;
  for (std::size_t i = 0; i < outer_axes; ++i) planes *= axes[i].extent;
  const auto locate = [&](int64_t plane) {
    std::pair<int64_t, int64_t> offsets{0, 0};
    for (std::size_t i = outer_axes; i-- > 0;) {
      const int64_t position = plane % axes[i].extent;
      plane /= axes[i].extent;
      offsets.first += position * axes[i].from;
      offsets.second += position * axes[i].to;
    }
    return offsets;
  };
  // One flat range over (planes, rows), so that a single large plane is shared by the threads too.
  ParallelFor(planes * rows.extent, GrainFor(inner.extent), [&](int64_t first, int64_t end) {
    while (first < end) {
      const int64_t row = first % rows.extent;
      const int64_t count = std::min(end - first, rows.extent - row);
      const auto [source, target] = locate(first / rows.extent);
      element.CopyRows(from + (source + row * rows.from) * element.from_bytes,
                       to + (target + row * rows.to) * element.to_bytes, {count, rows.from, rows.to}, inner);
      first += count;
    }
  });
}

}  // namespace

void Copy(const void* from, const TensorSpec& from_spec, void* to, const TensorSpec& to_spec) {
  if (to_spec.size() == 0) return;
  CopyAlong(OrderAxes(from_spec, to_spec), ChooseElementCopy(from_spec.type, to_spec.type),
            static_cast<const char*>(from), static_cast<char*>(to));
}

void Copy(const ConstArrayView& from, const ArrayView& to) { Copy(from.data, from.spec, to.data, to.spec); }

}  // namespace kuiper_infer::kernel
