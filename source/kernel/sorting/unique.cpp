// SPDX-License-Identifier: MIT
#include "kernel/sorting/unique.hpp"

#include <algorithm>
#include <numeric>

#include "kernel/reduction/reduce_functors.hpp"
#include "utils/dispatch.hpp"

namespace kuiper_infer::kernel {
namespace {

template <class T>
class Slices {
 public:
  Slices(const AxisGeometry& geometry, const T* data) : geometry_(geometry), data_(data) {}

  bool Less(int64_t left, int64_t right) const {
    for (int64_t outer = 0; outer < geometry_.outer; ++outer) {
      for (int64_t inner = 0; inner < geometry_.inner; ++inner) {
        const T a = At(outer, left, inner);
        const T b = At(outer, right, inner);
        if (a < b || (IsNan(b) && !IsNan(a))) return true;
        if (b < a || (IsNan(a) && !IsNan(b))) return false;
      }
    }
    return false;
  }

  bool Equal(int64_t left, int64_t right) const {
    for (int64_t outer = 0; outer < geometry_.outer; ++outer) {
      for (int64_t inner = 0; inner < geometry_.inner; ++inner) {
        if (!(At(outer, left, inner) == At(outer, right, inner))) return false;
      }
    }
    return true;
  }

 private:
  T At(int64_t outer, int64_t slice, int64_t inner) const {
    return data_[(outer * geometry_.extent + slice) * geometry_.inner + inner];
  }

  AxisGeometry geometry_;
  const T* data_;
};

/// Groups of slices that are equal and stand next to each other in `order`.
template <class T>
SliceGroups GroupInOrder(const Slices<T>& slices, const std::vector<int64_t>& order) {
  SliceGroups groups;
  groups.group_of.resize(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i == 0 || !slices.Equal(order[i - 1], order[i])) {
      groups.first.push_back(order[i]);
      groups.counts.push_back(0);
    }
    ++groups.counts.back();
    groups.group_of[static_cast<std::size_t>(order[i])] = static_cast<int64_t>(groups.first.size()) - 1;
  }
  return groups;
}

SliceGroups Group(const AxisGeometry& geometry, const ConstArrayView& input, bool sorted) {
  return DispatchReal(input.type(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    const Slices<T> slices(geometry, input.as<T>());
    std::vector<int64_t> order(static_cast<std::size_t>(geometry.extent));
    std::iota(order.begin(), order.end(), int64_t{0});
    if (sorted) {
      std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) { return slices.Less(a, b); });
    }
    return GroupInOrder(slices, order);
  });
}

}  // namespace

SliceGroups GroupSorted(const AxisGeometry& geometry, const ConstArrayView& input) {
  return Group(geometry, input, true);
}

SliceGroups GroupNeighbours(const AxisGeometry& geometry, const ConstArrayView& input) {
  return Group(geometry, input, false);
}

}  // namespace kuiper_infer::kernel
