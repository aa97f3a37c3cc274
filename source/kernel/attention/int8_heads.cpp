// SPDX-License-Identifier: MIT
#include "kernel/attention/int8_heads.hpp"

#include "kernel/product/int8/computed_factor.hpp"
#include "kernel/product/int8/panels.hpp"
#include "utils/rounding.hpp"

namespace kuiper_infer::kernel {

Int8Heads::Places::Places(int64_t rows, const TensorSpec& key, const TensorSpec& value) {
  const int64_t columns = Rows(key);
  const auto place = [this](int64_t bytes) {
    const int64_t start = end;
    end += AlignedBytes(bytes);
    return start;
  };
  this->key = place(Int8Panels().Bytes(columns, Columns(key)));
  key_scales = place(FloatBytes(columns));
  this->value = place(Int8Panels().Bytes(Columns(value), columns));
  value_scales = place(FloatBytes(Columns(value)));
  query = place(rows * Columns(key));
  query_scales = place(FloatBytes(rows));
  scores = place(FloatBytes(rows * columns));
  weights = place(rows * ScoreBytesPitch(columns));
  factors = place(FloatBytes(rows));
}

int64_t Int8Heads::WorkspaceBytes(const AttentionOptions& /*options*/, int64_t rows, const TensorSpec& key,
                                  const TensorSpec& value) {
  return Places(rows, key, value).end;
}

Int8Heads::Int8Heads(const AttentionOptions& options, const AttentionArrays& arrays, const AttentionData& data,
                     int64_t rows, char* workspace)
    : options_(options),
      arrays_(arrays),
      data_(data),
      columns_(Rows(arrays.key.spec)),
      width_(Columns(arrays.value.spec)),
      places_(rows, arrays.key.spec, arrays.value.spec),
      workspace_(workspace) {}

void Int8Heads::Select(int64_t item) {
  if (item == item_) return;
  item_ = item;
  const TensorSpec& key = arrays_.key.spec;
  const TensorSpec& value = arrays_.value.spec;
  float* const key_scales = Floats(places_.key_scales);
  PackInt8TransposedFactor(columns_, Columns(key), MatrixAt(static_cast<const float*>(data_.key), key, item),
                           RowStride(key), Bytes(places_.key), key_scales);
  for (int64_t j = 0; j < columns_; ++j) key_scales[j] *= static_cast<float>(options_.scale);
  PackInt8Factor(width_, columns_, MatrixAt(static_cast<const float*>(data_.value), value, item), RowStride(value),
                 Bytes(places_.value), Floats(places_.value_scales));
}

void Int8Heads::Run(const HeadBlock& block) {
  Select(block.item);
  const int64_t depth = Columns(arrays_.key.spec);
  const TensorSpec& query = arrays_.query.spec;
  RoundComputedRows(block.rows, depth, BlockRows(static_cast<const float*>(data_.query), query, block),
                    RowStride(query), Bytes(places_.query), Floats(places_.query_scales));
  Product product{block.rows, columns_, depth};
  product.a = {Bytes(places_.query), depth, RuntimeDataType::kTypeUInt8, kComputedRowGrid};
  product.weight = {options_.product, Bytes(places_.key), Floats(places_.key_scales)};
  product.c = {Floats(places_.scores), columns_};
  Multiply(product);

  float* const scores = Floats(places_.scores);
  if (options_.causal) DropLater(block, columns_, scores);
  const ScoreMask mask = MaskOf(options_, arrays_.mask.spec, data_.mask, block);
  const ScoreBytes weights{Floats(places_.query_scales), Bytes(places_.weights), ScoreBytesPitch(columns_),
                           Floats(places_.factors)};
  SoftmaxBytesOfScores(mask, mask.rows != nullptr && options_.zero_masked, block.rows, columns_, scores, weights);

  const TensorSpec& output = arrays_.output.spec;
  float* const result = BlockRows(static_cast<float*>(data_.output), output, block);
  product.columns = width_;
  product.depth = columns_;
  product.a = {weights.bytes, weights.ld, RuntimeDataType::kTypeUInt8, {1, 0, 0, 255}};
  product.weight = {options_.product, Bytes(places_.value), Floats(places_.value_scales)};
  product.c = {result, RowStride(output)};
  Multiply(product);
  for (int64_t i = 0; width_ > 0 && i < block.rows; ++i) {  // results of width 0 may lie at a null pointer
    float* const row = result + i * RowStride(output);
    for (int64_t j = 0; j < width_; ++j) row[j] *= weights.factors[i];
  }
}

}  // namespace kuiper_infer::kernel
