// SPDX-License-Identifier: MIT
#include "kernel/reduce.hpp"
#include "kernel/reduce_driver.hpp"
#include "kernel/reduce_functors.hpp"
#include "utils/dispatch.hpp"

namespace kuiper_infer::kernel {
namespace {

template <bool kLargest, class T>
void FindPositions(const ReductionGeometry& geometry, const T* input, T* values, int64_t* positions) {
  DriveReduction(geometry, input, PositionOf<T, kLargest>(), [=](int64_t i, const auto& best) {
    positions[i] = best.position;
    if (values != nullptr) values[i] = best.value;
  });
}

}  // namespace

void ReduceToPosition(bool largest, const ReductionGeometry& geometry, const ConstArrayView& input, void* values,
                      int64_t* positions) {
  DispatchReal(input.type(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    if (largest) {
      FindPositions<true>(geometry, input.as<T>(), static_cast<T*>(values), positions);
    } else {
      FindPositions<false>(geometry, input.as<T>(), static_cast<T*>(values), positions);
    }
  });
}

}  // namespace kuiper_infer::kernel
