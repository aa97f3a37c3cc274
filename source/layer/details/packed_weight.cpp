// SPDX-License-Identifier: MIT
#include "layer/details/packed_weight.hpp"

#include <map>
#include <mutex>
#include <tuple>

#include "kernel/packed_gemm.hpp"
#include "kernel/weight_product.hpp"

namespace kuiper_infer {
namespace {

enum class Order { kLeft, kLinear, kMatrix, kRows, kDepthwise, kWinograd2, kWinograd4 };

Order OrderOf(kernel::ConvolutionMethod method) {
  switch (method) {
    case kernel::ConvolutionMethod::kDepthwise:
    case kernel::ConvolutionMethod::kGrouped:
      return Order::kDepthwise;
    case kernel::ConvolutionMethod::kWinograd2:
      return Order::kWinograd2;
    case kernel::ConvolutionMethod::kWinograd4:
      return Order::kWinograd4;
    case kernel::ConvolutionMethod::kDirect:
    case kernel::ConvolutionMethod::kRows:
    case kernel::ConvolutionMethod::kSegments:
      break;
  }
  return Order::kRows;
}

/// Where the weight lies, its size and first extent, how often it is cut, and for which kernel.
using Key = std::tuple<const void*, int64_t, int64_t, int64_t, Order>;

template <class Pack>
std::shared_ptr<const PackedWeight> FindOrPack(const NdArray& weight, int64_t groups, Order order, int64_t size,
                                               const Pack& pack) {
  static std::mutex mutex;
  static std::map<Key, std::weak_ptr<const PackedWeight>> known;
  const std::lock_guard<std::mutex> lock(mutex);
  for (auto entry = known.begin(); entry != known.end();) {
    entry = entry->second.expired() ? known.erase(entry) : std::next(entry);
  }
  std::weak_ptr<const PackedWeight>& slot =
      known[{weight.data<std::byte>(), weight.size(), weight.shape()[0], groups, order}];
  std::shared_ptr<const PackedWeight> found = slot.lock();
  if (found != nullptr) return found;
  auto result = std::make_shared<PackedWeight>();
  result->source = weight;
  result->packed = NdArray(RuntimeDataType::kTypeFloat32, {size});
  pack(result->packed.data<float>());
  slot = result;
  return result;
}

bool Fits(const TensorArgument& weight) {
  return weight.is_constant() && weight.spec.type == RuntimeDataType::kTypeFloat32 && weight.spec.rank() >= 2 &&
         weight.spec.size() > 0 && weight.constant.contiguous() && kernel::HasWeightProduct();
}

}  // namespace

std::shared_ptr<const PackedWeight> PackLeftWeight(const TensorArgument& weight, int64_t groups) {
  if (!Fits(weight)) return nullptr;
  const NdArray& source = weight.constant;
  const int64_t rows = source.shape()[0] / groups;
  const int64_t depth = source.size() / source.shape()[0];
  const int64_t size = kernel::PackedLeftSize(rows, depth);
  return FindOrPack(source, groups, Order::kLeft, groups * size, [&](float* packed) {
    for (int64_t group = 0; group < groups; ++group) {
      kernel::PackLeft(rows, depth, source.data<float>() + group * rows * depth, depth, packed + group * size);
    }
  });
}

std::shared_ptr<const PackedWeight> PackLinearWeight(const TensorArgument& weight) {
  return weight.spec.rank() == 2 ? PackLinearWeight(weight, 0, weight.spec.shape[0]) : nullptr;
}

std::shared_ptr<const PackedWeight> PackLinearWeight(const TensorArgument& weight, int64_t first, int64_t count) {
  if (!Fits(weight) || weight.spec.rank() != 2) return nullptr;
  const int64_t columns = count;
  const int64_t depth = weight.spec.shape[1];
  const NdArray source = weight.constant.Window({columns, depth}, {depth, 1}, first * depth);
  return FindOrPack(source, 1, Order::kLinear, kernel::PackedWeightSize(columns, depth),
                    [&](float* packed) { kernel::PackWeight(columns, depth, source.data<float>(), depth, packed); });
}

std::shared_ptr<const PackedWeight> PackMatrixWeight(const TensorArgument& weight) {
  if (!Fits(weight) || weight.spec.rank() != 2) return nullptr;
  const int64_t depth = weight.spec.shape[0];
  const int64_t columns = weight.spec.shape[1];
  return FindOrPack(weight.constant, 1, Order::kMatrix, kernel::PackedWeightSize(columns, depth), [&](float* packed) {
    kernel::PackWeightRows(columns, depth, weight.constant.data<float>(), columns, packed);
  });
}

std::shared_ptr<const PackedWeight> PackConvolutionWeight(const TensorArgument& weight,
                                                          const kernel::ChannelsLastConvolution& convolution) {
  if (!Fits(weight)) return nullptr;
  const kernel::ConvolutionGeometry& geometry = convolution.geometry;
  const int64_t size = kernel::PackedConvolutionSize(geometry, convolution.method);
  return FindOrPack(weight.constant, geometry.groups, OrderOf(convolution.method), size, [&](float* packed) {
    kernel::PackConvolution(geometry, convolution.method, weight.constant.data<float>(), packed);
  });
}

}  // namespace kuiper_infer
