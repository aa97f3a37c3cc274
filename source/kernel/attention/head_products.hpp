// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "kernel/attention/attention.hpp"
#include "kernel/product/bfloat16_product.hpp"
#include "kernel/product/gemm.hpp"
#include "kernel/product/weight_product.hpp"
#include "shape/matrix_offset.hpp"
#include "utils/rounding.hpp"

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
      Pack(Columns(arrays_.key.spec), RowStride(arrays_.key.spec), Columns(arrays_.value.spec),
           RowStride(arrays_.value.spec));
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
    return type.bfloat16_pieces() > 0 ? PackedBFloat16Bytes(columns, depth, type.pieces) / FloatBytes(1)
                                      : PackedWeightSize(columns, depth);
  }
  static int64_t PackedKeySize(const WeightType& type, const TensorSpec& key) {
    return PackedSize(type, key.shape.end()[-2], Columns(key));
  }

  void Pack(int64_t key_width, int64_t key_pitch, int64_t value_width, int64_t value_pitch) {
    const auto scale = static_cast<float>(options_.scale);
    if (const int pieces = options_.factor_type.bfloat16_pieces(); pieces > 0) {
      auto* const key = reinterpret_cast<uint16_t*>(packed_key_);
      auto* const value = reinterpret_cast<uint16_t*>(packed_value_);
      PackBFloat16Window(rows_, key_width, 1, key_, key_pitch, key, pieces, scale);
      PackBFloat16Rows(value_width, rows_, 0, rows_, value_, value_pitch, value, pieces);
      return;
    }
    PackWeight(rows_, key_width, key_, key_pitch, packed_key_);
    std::for_each(packed_key_, packed_value_, [scale](float& x) { x *= scale; });
    PackWeightRows(value_width, rows_, 0, rows_, value_, value_pitch, packed_value_);
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
