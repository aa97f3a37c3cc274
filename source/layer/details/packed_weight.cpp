// SPDX-License-Identifier: MIT
#include "layer/details/packed_weight.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <tuple>

#include "data/mapped_array.hpp"
#include "kernel/packed_gemm.hpp"
#include "kernel/weight_product.hpp"

namespace kuiper_infer {
namespace {

enum class Order { kLeft, kLinear, kMatrix, kRows, kDepthwise, kWinograd2, kWinograd4, kWinograd6 };

Order OrderOf(kernel::ConvolutionMethod method) {
  switch (method) {
    case kernel::ConvolutionMethod::kDepthwise:
    case kernel::ConvolutionMethod::kGrouped:
      return Order::kDepthwise;
    case kernel::ConvolutionMethod::kWinograd2:
      return Order::kWinograd2;
    case kernel::ConvolutionMethod::kWinograd4:
      return Order::kWinograd4;
    case kernel::ConvolutionMethod::kWinograd6:
      return Order::kWinograd6;
    case kernel::ConvolutionMethod::kDirect:
    case kernel::ConvolutionMethod::kRows:
    case kernel::ConvolutionMethod::kSegments:
      break;
  }
  return Order::kRows;
}

/// A constant matrix, or some rows of one.
struct Matrix {
  const TensorArgument& weight;
  int64_t first_row = 0;
  int64_t rows = 0;
  int64_t depth = 0;  ///< numbers in a row

  NdArray values() const { return weight.values().Window({rows, depth}, {depth, 1}, first_row * depth); }
};

/// What tells packed weights apart: which weight (by its number) or other constant (by its place in memory), which rows
/// of what length, into how many groups they are cut, and for which kernel.
using Key = std::tuple<int64_t, const void*, int64_t, int64_t, int64_t, int64_t, Order>;

Key MakeKey(const Matrix& matrix, int64_t groups, Order order) {
  const TensorArgument& weight = matrix.weight;
  return {weight.weight != nullptr ? weight.weight->id() : 0,
          weight.constant.raw(),
          matrix.first_row,
          matrix.rows,
          matrix.depth,
          groups,
          order};
}

using Reorder = std::function<void(const float* from, float* to)>;

/// The packed form of a matrix, made unless there is one: `pack` makes `size` floats from the values, `unpack` gives
/// the values back (empty where that can't be done).
std::shared_ptr<const PackedWeight> FindOrPack(const Matrix& matrix, int64_t groups, Order order, int64_t size,
                                               const Reorder& pack, const Reorder& unpack = {}) {
  static std::mutex mutex;
  static std::map<Key, std::weak_ptr<const PackedWeight>> known;
  const std::lock_guard<std::mutex> lock(mutex);
  // Only when they may have become twice as many: for each weight it would take quadratic time.
  static std::size_t most = 64;
  if (known.size() >= most) {
    for (auto entry = known.begin(); entry != known.end();) {
      entry = entry->second.expired() ? known.erase(entry) : std::next(entry);
    }
    most = std::max<std::size_t>(64, 2 * known.size());
  }
  std::weak_ptr<const PackedWeight>& slot = known[MakeKey(matrix, groups, order)];
  std::shared_ptr<const PackedWeight> found = slot.lock();
  if (found != nullptr) return found;
  auto result = std::make_shared<PackedWeight>();
  const NdArray values = matrix.values();
  result->source = matrix.weight.constant;
  result->count = matrix.rows * matrix.depth;
  result->packed = MappedArray(RuntimeDataType::kTypeFloat32, {size});
  result->unpack = unpack;
  pack(values.data<float>(), result->packed.data<float>());
  slot = result;
  return result;
}

bool Fits(const TensorArgument& weight) {
  return weight.is_constant() && weight.spec.type == RuntimeDataType::kTypeFloat32 && weight.spec.rank() >= 2 &&
         weight.spec.size() > 0 && (weight.weight != nullptr || weight.constant.contiguous()) &&
         kernel::HasWeightProduct();
}

/// The matrix of a whole weight: rows by all its other axes.
Matrix AllRows(const TensorArgument& weight) {
  const int64_t rows = weight.spec.shape[0];
  return {weight, 0, rows, weight.spec.size() / rows};
}

}  // namespace

std::shared_ptr<const PackedWeight> PackLeftWeight(const TensorArgument& weight, int64_t groups) {
  if (!Fits(weight)) return nullptr;
  const Matrix matrix = AllRows(weight);
  const int64_t rows = matrix.rows / groups;
  const int64_t depth = matrix.depth;
  const int64_t size = kernel::PackedLeftSize(rows, depth);
  return FindOrPack(matrix, groups, Order::kLeft, groups * size, [&](const float* values, float* packed) {
    for (int64_t group = 0; group < groups; ++group) {
      kernel::PackLeft(rows, depth, values + group * rows * depth, depth, packed + group * size);
    }
  });
}

std::shared_ptr<const PackedWeight> PackLinearWeight(const TensorArgument& weight) {
  return weight.spec.rank() == 2 ? PackLinearWeight(weight, 0, weight.spec.shape[0]) : nullptr;
}

std::shared_ptr<const PackedWeight> PackLinearWeight(const TensorArgument& weight, int64_t first, int64_t count) {
  if (!Fits(weight) || weight.spec.rank() != 2) return nullptr;
  const int64_t depth = weight.spec.shape[1];
  return FindOrPack(
      {weight, first, count, depth}, 1, Order::kLinear, kernel::PackedWeightSize(count, depth),
      [=](const float* values, float* packed) { kernel::PackWeight(count, depth, values, depth, packed); },
      [=](const float* packed, float* values) { kernel::UnpackWeight(count, depth, packed, values, 1, depth); });
}

std::shared_ptr<const PackedWeight> PackMatrixWeight(const TensorArgument& weight) {
  if (!Fits(weight) || weight.spec.rank() != 2) return nullptr;
  const int64_t depth = weight.spec.shape[0];
  const int64_t columns = weight.spec.shape[1];
  return FindOrPack(
      AllRows(weight), 1, Order::kMatrix, kernel::PackedWeightSize(columns, depth),
      [=](const float* values, float* packed) { kernel::PackWeightRows(columns, depth, values, columns, packed); },
      [=](const float* packed, float* values) { kernel::UnpackWeight(columns, depth, packed, values, columns, 1); });
}

std::shared_ptr<const PackedWeight> PackConvolutionWeight(const TensorArgument& weight,
                                                          const kernel::ChannelsLastConvolution& convolution) {
  if (!Fits(weight)) return nullptr;
  const kernel::ConvolutionGeometry& geometry = convolution.geometry;
  const kernel::ConvolutionMethod method = convolution.method;
  const Reorder unpack = [=](const float* packed, float* values) {
    kernel::UnpackConvolution(geometry, method, packed, values);
  };
  return FindOrPack(
      AllRows(weight), geometry.groups, OrderOf(method), kernel::PackedConvolutionSize(geometry, method),
      [=](const float* values, float* packed) { kernel::PackConvolution(geometry, method, values, packed); },
      kernel::CanUnpack(method) ? unpack : Reorder{});
}

void NotePacked(const TensorArgument& weight, const std::vector<std::shared_ptr<const PackedWeight>>& parts,
                std::vector<OperationPlan::PackedInput>& notes) {
  const bool complete = std::all_of(parts.begin(), parts.end(), [](const auto& part) { return part != nullptr; });
  if (weight.weight == nullptr || !complete) return;
  OperationPlan::PackedInput note;
  note.input = weight.input;
  if (std::all_of(parts.begin(), parts.end(), [](const auto& part) { return part->unpack != nullptr; })) {
    note.restore = [parts, spec = weight.weight->spec()] {
      const NdArray values(spec);
      float* target = values.data<float>();
      for (const auto& part : parts) {
        part->unpack(part->data(), target);
        target += part->count;
      }
      return values;
    };
  }
  notes.push_back(std::move(note));
}

}  // namespace kuiper_infer
