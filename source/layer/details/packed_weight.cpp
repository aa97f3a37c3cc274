// SPDX-License-Identifier: MIT
#include "layer/details/packed_weight.hpp"

#include <map>
#include <mutex>
#include <tuple>

#include "kernel/packed_gemm.hpp"

namespace kuiper_infer {
namespace {

/// Marks right factors among the keys.
constexpr int64_t kRight = 0;

/// Where the weight lies, its size and first extent, how often it is cut (kRight: a right factor).
using Key = std::tuple<const void*, int64_t, int64_t, int64_t>;

template <class Pack>
std::shared_ptr<const PackedWeight> FindOrPack(const NdArray& weight, int64_t groups, const Pack& pack) {
  static std::mutex mutex;
  static std::map<Key, std::weak_ptr<const PackedWeight>> known;
  const std::lock_guard<std::mutex> lock(mutex);
  for (auto entry = known.begin(); entry != known.end();) {
    entry = entry->second.expired() ? known.erase(entry) : std::next(entry);
  }
  std::weak_ptr<const PackedWeight>& slot = known[{weight.data<std::byte>(), weight.size(), weight.shape()[0], groups}];
  std::shared_ptr<const PackedWeight> found = slot.lock();
  if (found == nullptr) slot = found = pack();
  return found;
}

bool Fits(const TensorArgument& weight) {
  return weight.is_constant() && weight.spec.type == RuntimeDataType::kTypeFloat32 && weight.spec.rank() >= 2 &&
         weight.spec.size() > 0 && weight.constant.contiguous() && kernel::HasPackedGemm();
}

}  // namespace

std::shared_ptr<const PackedWeight> PackLeftWeight(const TensorArgument& weight, int64_t groups) {
  if (!Fits(weight)) return nullptr;
  const NdArray& source = weight.constant;
  return FindOrPack(source, groups, [&] {
    const int64_t rows = source.shape()[0] / groups;
    const int64_t depth = source.size() / source.shape()[0];
    auto result = std::make_shared<PackedWeight>();
    result->source = source;
    result->group_size = kernel::PackedLeftSize(rows, depth);
    result->packed = NdArray(RuntimeDataType::kTypeFloat32, {groups * result->group_size});
    for (int64_t group = 0; group < groups; ++group) {
      kernel::PackLeft(rows, depth, source.data<float>() + group * rows * depth, depth,
                       result->packed.data<float>() + group * result->group_size);
    }
    return result;
  });
}

std::shared_ptr<const PackedWeight> PackRightWeight(const TensorArgument& weight) {
  if (!Fits(weight) || weight.spec.rank() != 2) return nullptr;
  const NdArray& source = weight.constant;
  return FindOrPack(source, kRight, [&] {
    const int64_t columns = source.shape()[0];
    const int64_t depth = source.shape()[1];
    auto result = std::make_shared<PackedWeight>();
    result->source = source;
    result->group_size = kernel::PackedRightSize(columns, depth);
    result->packed = NdArray(RuntimeDataType::kTypeFloat32, {result->group_size});
    kernel::PackRight(columns, depth, source.data<float>(), result->packed.data<float>());
    return result;
  });
}

}  // namespace kuiper_infer
