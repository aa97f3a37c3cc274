// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <type_traits>

#include "kernel/attention/attention.hpp"
#include "kernel/product/gemm.hpp"
#include "kernel/product/packed_factor.hpp"
#include "kernel/product/weight_product.hpp"
#include "shape/matrix_offset.hpp"

namespace kuiper_infer::kernel {

inline int64_t RowStride(const TensorSpec& spec) { return spec.strides.end()[-2]; }
inline int64_t Columns(const TensorSpec& spec) { return spec.shape.back(); }

/// The two products of a head: scores = scale * query @ key' and output = scores @ value. Where they are float's, both
/// right factors are packed for each head, in the order of AttentionOptions::factor_type.
template <class T>
class HeadProducts {
 public:
  HeadProducts(const AttentionOptions& options, const AttentionArrays& arrays, const AttentionData& data, T* workspace)
      : options_(options),
        arrays_(arrays),
        data_(data),
        rows_(arrays.key.shape().end()[-2]),
        packed_key_(workspace),
        packed_value_(workspace + (Packs() ? PackedKeySize(options.factor_type, arrays.key.spec) : 0)) {}

  /// The workspace's size in elements.
  static int64_t WorkspaceSize(const WeightType& type, const TensorSpec& key, const TensorSpec& value) {
    return Packs() ? PackedKeySize(type, key) + PackedSize(type, Columns(value), value.shape.end()[-2]) : 0;
  }

  /// Chooses the matrices that the next products take. Blocks of one head follow each other, so that its key and value
  /// are packed once.
  void Select(int64_t item) {
    if (item == item_) return;
    item_ = item;
    key_ = MatrixAt(static_cast<const T*>(data_.key), arrays_.key.spec, item);
    value_ = MatrixAt(static_cast<const T*>(data_.value), arrays_.value.spec, item);
    if constexpr (std::is_same_v<T, float>) {
      if (!Packs()) return;
      const WeightType& type = options_.factor_type;
      PackTransposedFactor(type, rows_, Columns(arrays_.key.spec), key_, RowStride(arrays_.key.spec),
                           static_cast<float>(options_.scale), packed_key_);
      PackFactor(type, Columns(arrays_.value.spec), rows_, value_, RowStride(arrays_.value.spec), packed_value_);
    }
  }

  void Scores(int64_t count, const T* query, T* scores) const {
    const int64_t depth = Columns(arrays_.key.spec);
    if constexpr (std::is_same_v<T, float>) {
      if (Packs()) {
        WeightProduct product{count, rows_, depth, query, RowStride(arrays_.query.spec), packed_key_, scores, rows_};
        product.weight_type = options_.factor_type;
        MultiplyByWeight(product);
        return;
      }
    }
    Gemm<T>(false, true, count, rows_, depth, static_cast<T>(options_.scale), query, RowStride(arrays_.query.spec),
            key_, RowStride(arrays_.key.spec), T(0), scores, rows_);
  }

  void Output(int64_t count, const T* scores, T* output) const {
    const int64_t width = Columns(arrays_.value.spec);
    const int64_t pitch = RowStride(arrays_.output.spec);
    if constexpr (std::is_same_v<T, float>) {
      if (Packs()) {
        WeightProduct product{count, width, rows_, scores, rows_, packed_value_, output, pitch};
        product.weight_type = options_.factor_type;
        MultiplyByWeight(product);
        return;
      }
    }
    Gemm<T>(false, false, count, width, rows_, T(1), scores, rows_, value_, RowStride(arrays_.value.spec), T(0), output,
            pitch);
  }

 private:
  static bool Packs() { return std::is_same_v<T, float> && HasWeightProduct(); }
  /// In elements.
  static int64_t PackedSize(const WeightType& type, int64_t columns, int64_t depth) {
    return PackedFactorBytes(type, columns, depth) / static_cast<int64_t>(sizeof(T));
  }
  static int64_t PackedKeySize(const WeightType& type, const TensorSpec& key) {
    return PackedSize(type, key.shape.end()[-2], Columns(key));
  }

  const AttentionOptions& options_;
  const AttentionArrays& arrays_;
  const AttentionData& data_;
  int64_t rows_;  ///< of key and value
  T* packed_key_;
  T* packed_value_;
  int64_t item_ = -1;
  const T* key_ = nullptr;
  const T* value_ = nullptr;
};

}  // namespace kuiper_infer::kernel
