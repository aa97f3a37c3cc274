// SPDX-License-Identifier: MIT
#include "kernel/indexing/gather.hpp"

#include <algorithm>
#include <atomic>
#include <type_traits>

#include "utils/dispatch.hpp"
#include "utils/wrapping.hpp"

namespace kuiper_infer::kernel {
namespace {

/// Keeps one fault, whichever thread meets it.
class FaultRecorder {
 public:
  /// Returns the number, counted from the front. If it is out of range, keeps it as a fault and returns -1.
  int64_t Check(int64_t number, const IndexedAxis& axis) {
    const int64_t position = axis.from_end && number < 0 ? number + axis.extent : number;
    if (position >= 0 && position < axis.extent) return position;
    number_.store(number, std::memory_order_relaxed);
    faulty_.store(true, std::memory_order_relaxed);
    return -1;
  }

  std::optional<IndexFault> fault() const {
    if (!faulty_) return std::nullopt;
    return IndexFault{number_};
  }

 private:
  std::atomic<bool> faulty_{false};
  std::atomic<int64_t> number_{0};
};

/// Calls body(i, position) for the elements of a row with index numbers that are in range.
template <class Body>
void ForEachValid(const int64_t* index, int64_t stride, int64_t count, const IndexedAxis& axis, FaultRecorder& faults,
                  const Body& body) {
  for (int64_t i = 0; i < count; ++i) {
    const int64_t position = faults.Check(index[i * stride], axis);
    if (position >= 0) body(i, position);
  }
}

template <class T>
T Combine(ScatterKind kind, T old, T given) {
  switch (kind) {
    case ScatterKind::kAssign:
      return given;
    case ScatterKind::kAdd:
      return WrappingAdd(old, given);
    case ScatterKind::kMultiply:
      return WrappingMultiply(old, given);
    case ScatterKind::kMax:
      return given > old || given != given ? given : old;
    case ScatterKind::kMin:
      return given < old || given != given ? given : old;
  }
  return given;
}

/// The factor in the elements' type, by way of int64: C++ doesn't define the conversion of a negative double to uint8.
template <class T>
T Factor(double alpha) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(static_cast<int64_t>(alpha));
  } else {
    return static_cast<T>(alpha);
  }
}

/// Walks a scatter in order; update(target, source) changes one element.
template <class T, class Update>
std::optional<IndexFault> ScatterWith(const ScatterLoop& loop, const IndexedAxis& axis, const int64_t* index,
                                      const T* source, T* output, const Update& update) {
  FaultRecorder faults;
  const auto [index_stride, from, to] = loop.strides();
  loop.ForEachInOrder([&, index_stride = index_stride, from = from, to = to](const auto& at, int64_t count) {
    ForEachValid(index + at[0], index_stride, count, axis, faults, [&](int64_t i, int64_t position) {
      update(output[at[2] + i * to + position * axis.stride], source[at[1] + i * from]);
    });
  });
  return faults.fault();
}

}  // namespace

std::optional<IndexFault> Gather(const GatherLoop& loop, const IndexedAxis& axis, RuntimeDataType type,
                                 const int64_t* index, const void* input, void* output) {
  FaultRecorder faults;
  const auto [index_stride, from, to] = loop.strides();
  DispatchWidth(type, [&, index_stride = index_stride, from = from, to = to](auto tag) {
    using T = typename decltype(tag)::type;
    const T* source = static_cast<const T*>(input);
    T* target = static_cast<T*>(output);
    loop.ForEach(2, [&](const auto& at, int64_t count) {
      const T* row = source + at[1];
      T* out = target + at[2];
      if (index_stride == 0) {  // one number for the whole row
        const int64_t position = faults.Check(index[at[0]], axis);
        if (position < 0) return;
        row += position * axis.stride;
        if (from == 1 && to == 1) {
          std::copy_n(row, count, out);
        } else {
          for (int64_t i = 0; i < count; ++i) out[i * to] = row[i * from];
        }
        return;
      }
      ForEachValid(index + at[0], index_stride, count, axis, faults,
                   [&](int64_t i, int64_t position) { out[i * to] = row[i * from + position * axis.stride]; });
    });
  });
  return faults.fault();
}

std::optional<IndexFault> Scatter(ScatterKind kind, const ScatterLoop& loop, const IndexedAxis& axis,
                                  RuntimeDataType type, double alpha, const int64_t* index, const void* source,
                                  void* output) {
  if (kind == ScatterKind::kAssign) {
    return DispatchWidth(type, [&](auto tag) {
      using T = typename decltype(tag)::type;
      return ScatterWith(loop, axis, index, static_cast<const T*>(source), static_cast<T*>(output),
                         [](T& target, const T& given) { target = given; });
    });
  }
  return DispatchReal(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    const T factor = Factor<T>(alpha);
    return ScatterWith(
        loop, axis, index, static_cast<const T*>(source), static_cast<T*>(output),
        [=](T& target, const T& given) { target = Combine<T>(kind, target, WrappingMultiply(factor, given)); });
  });
}

void DivideByCounts(RuntimeDataType type, int64_t size, const int64_t* counts, void* values) {
  DispatchReal(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    T* elements = static_cast<T*>(values);
    for (int64_t i = 0; i < size; ++i) {
      if (counts[i] <= 1) continue;
      if constexpr (std::is_floating_point_v<T>) {
        elements[i] /= static_cast<T>(counts[i]);
      } else {
        const auto value = static_cast<int64_t>(elements[i]);
        const int64_t quotient = value / counts[i];
        elements[i] = static_cast<T>(value % counts[i] < 0 ? quotient - 1 : quotient);
      }
    }
  });
}

std::optional<IndexFault> AddOffsets(const RowLoop<2>& loop, const IndexedAxis& axis, const ConstArrayView& index,
                                     int64_t* offsets) {
  FaultRecorder faults;
  const auto [from, to] = loop.strides();
  DispatchReal(index.type(), [&, from = from, to = to](auto tag) {
    using T = typename decltype(tag)::type;
    const T* numbers = index.as<T>();
    loop.ForEach(2, [&](const auto& at, int64_t count) {
      for (int64_t i = 0; i < count; ++i) {
        const int64_t position = faults.Check(static_cast<int64_t>(numbers[at[0] + i * from]), axis);
        if (position >= 0) offsets[at[1] + i * to] += position * axis.stride;
      }
    });
  });
  return faults.fault();
}

}  // namespace kuiper_infer::kernel
