// SPDX-License-Identifier: MIT
#include "kernel/convolution/channelwise/layout.hpp"

#include "utils/rounding.hpp"

namespace kuiper_infer::kernel {
namespace {

/// Calls visit(at, packed_at) for the numbers of a weight: their places there and in the packed form.
template <class Visit>
void ForEachNumber(const WeightShape& shape, const Visit& visit) {
  const int64_t outputs = shape.groups * shape.outputs;
  for (int64_t o = 0; o < outputs; ++o) {
    for (int64_t i = 0; i < shape.inputs; ++i) {
      for (int64_t t = 0; t < shape.taps; ++t) {
        visit((o * shape.inputs + i) * shape.taps + t, (t * shape.inputs + i) * outputs + o);
      }
    }
  }
}

class ChannelwiseLayout final : public PackedLayout {
 public:
  ChannelwiseLayout() : PackedLayout("channelwise", kFloat32Format) {}

  int64_t Bytes(const WeightShape& shape) const override { return FloatBytes(shape.size()); }
  int64_t RowsTogether(const WeightShape& shape) const override { return AllTogether(shape); }
  void Pack(const WeightShape& shape, const WeightRows& /*all*/, const float* part, void* packed) const override {
    auto* to = static_cast<float*>(packed);
    ForEachNumber(shape, [&](int64_t at, int64_t packed_at) { to[packed_at] = part[at]; });
  }
  bool Reversible() const override { return true; }
  void Unpack(const WeightShape& shape, const void* packed, float* weight) const override {
    const auto* from = static_cast<const float*>(packed);
    ForEachNumber(shape, [&](int64_t at, int64_t packed_at) { weight[at] = from[packed_at]; });
  }
};

}  // namespace

const PackedLayout& LayoutChannelwise(const ProductKernel& /*product*/) {
  static const ChannelwiseLayout kLayout;
  return kLayout;
}

}  // namespace kuiper_infer::kernel
