// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <type_traits>

#include "kernel/attention/head_block.hpp"
#include "kernel/product/gemm.hpp"
#include "kernel/product/packed_matmul.hpp"
#include "utils/rounding.hpp"

namespace kuiper_infer::kernel {

/// Heads (head_block.hpp) of floats or doubles. For floats, keys and values of each head, the right factors of the two
/// products, are packed for the kernel AttentionOptions::product.
template <class T>
class FloatHeads {
 public:
  static int64_t WorkspaceBytes(const AttentionOptions& options, int64_t rows, const TensorSpec& key,
                                const TensorSpec& value) {
    return KeyBytes(options, key) + ValueBytes(options, value) +
           AlignedBytes(rows * Rows(key) * static_cast<int64_t>(sizeof(T)));
  }

  FloatHeads(const AttentionOptions& options, const AttentionArrays& arrays, const AttentionData& data,
             int64_t /*rows*/, char* workspace)
      : options_(options),
        arrays_(arrays),
        data_(data),
        columns_(Rows(arrays.key.spec)),
        packed_key_(workspace),
        packed_value_(workspace + KeyBytes(options, arrays.key.spec)),
        scores_(reinterpret_cast<T*>(packed_value_ + ValueBytes(options, arrays.value.spec))) {}

  void Run(const HeadBlock& block) {
    Select(block.item);
    T* scores = scores_;
    if (data_.weights != nullptr) {
      const int64_t row = block.item * Rows(arrays_.query.spec) + block.first;
      scores = static_cast<T*>(data_.weights) + row * columns_;
    }
    Scores(block, scores);
    if (options_.causal) DropLater(block, columns_, scores);
    const ScoreMask mask = MaskOf(options_, arrays_.mask.spec, data_.mask, block);
    SoftmaxOfScores(mask, mask.rows != nullptr && options_.zero_masked, block.rows, columns_, scores);
    Output(block, scores);
  }

 private:
  static bool Packs(const AttentionOptions& options) { return std::is_same_v<T, float> && options.product != nullptr; }
  static int64_t KeyBytes(const AttentionOptions& options, const TensorSpec& key) {
    return Packs(options) ? PackedFactorBytes(*options.product, Rows(key), Columns(key)) : 0;
  }
  static int64_t ValueBytes(const AttentionOptions& options, const TensorSpec& value) {
    return Packs(options) ? PackedFactorBytes(*options.product, Columns(value), Rows(value)) : 0;
  }

  void Select(int64_t item) {
    if (item == item_) return;
    item_ = item;
    const TensorSpec& key = arrays_.key.spec;
    const TensorSpec& value = arrays_.value.spec;
    key_ = MatrixAt(static_cast<const T*>(data_.key), key, item);
    value_ = MatrixAt(static_cast<const T*>(data_.value), value, item);
    if constexpr (std::is_same_v<T, float>) {
      if (!Packs(options_)) return;
      const WeightPanels& panels = options_.product->panels;
      panels.Pack({columns_, Columns(key), 1, key_, RowStride(key), 1, static_cast<float>(options_.scale)},
                  packed_key_);
      panels.PackRows({Columns(value), columns_, 0, columns_, value_, RowStride(value)}, packed_value_);
    }
  }

  void Scores(const HeadBlock& block, T* scores) const {
    const TensorSpec& spec = arrays_.query.spec;
    const T* const query = BlockRows(static_cast<const T*>(data_.query), spec, block);
    const int64_t depth = Columns(arrays_.key.spec);
    if constexpr (std::is_same_v<T, float>) {
      if (Packs(options_)) {
        return MultiplyPacked({block.rows, columns_, depth, {query, RowStride(spec)}}, packed_key_, {scores, columns_});
      }
    }
    Gemm<T>(false, true, block.rows, columns_, depth, static_cast<T>(options_.scale), query, RowStride(spec), key_,
            RowStride(arrays_.key.spec), T(0), scores, columns_);
  }

  void Output(const HeadBlock& block, const T* scores) const {
    const TensorSpec& spec = arrays_.output.spec;
    T* const output = BlockRows(static_cast<T*>(data_.output), spec, block);
    const int64_t width = Columns(arrays_.value.spec);
    if constexpr (std::is_same_v<T, float>) {
      if (Packs(options_)) {
        return MultiplyPacked({block.rows, width, columns_, {scores, columns_}}, packed_value_,
                              {output, RowStride(spec)});
      }
    }
    Gemm<T>(false, false, block.rows, width, columns_, T(1), scores, columns_, value_, RowStride(arrays_.value.spec),
            T(0), output, RowStride(spec));
  }

  void MultiplyPacked(Product product, const void* factor, const ProductMatrix<void*>& result) const {
    product.weight = {options_.product, factor};
    product.c = result;
    Multiply(product);
  }

  const AttentionOptions& options_;
  const AttentionArrays& arrays_;
  const AttentionData& data_;
  int64_t columns_;  ///< of the scores
  char* packed_key_;
  char* packed_value_;
  T* scores_;
  int64_t item_ = -1;
  const T* key_ = nullptr;
  const T* value_ = nullptr;
};

}  // namespace kuiper_infer::kernel
