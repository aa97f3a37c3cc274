// SPDX-License-Identifier: MIT
#pragma once

#include "kernel/attention/token_rows.hpp"
#include "operation/computation.hpp"
#include "operation/weights/packed_weight.hpp"

namespace kuiper_infer {

/// A linear map: the places of its weight (width, source width) and bias, which may be slices of stacked ones.
struct Projection {
  int source = -1;  ///< input that is projected
  kernel::TokenRows source_rows;
  TensorArgument weight;  ///< its rows [first_row, first_row + rows) count; other rows are other projections
  int64_t first_row = 0;
  int64_t rows = 0;
  std::shared_ptr<const PackedWeight> packed;  ///< these rows packed; null if they can't be
  kernel::Product product;                     ///< what is known of it ahead: the weight, type and grid of the source
  int bias = -1;                               ///< -1: none
  int64_t bias_offset = 0;
};

/// The parameters of nn.MultiheadAttention.
struct MultiheadAttention {
  RuntimeDataType type = RuntimeDataType::kTypeFloat32;
  int64_t heads = 1;
  int64_t width = 0;  ///< embed_dim
  bool batch_first = false;
  bool batched = true;
  bool stacked = false;  ///< query, key and value are one input and their weights one array
  bool zero_row = false;
  Projection query;
  Projection key;
  Projection value;
  bool projects_context = true;  ///< false: the context, which is what the heads give side by side, is the output
  Projection output;             ///< of the context
  bool int8_products = false;    ///< the heads' products are computed in integers if possible
  int bias_k = -1;               ///< one more key and value row; -1: none
  int bias_v = -1;

  int64_t batch() const { return query.source_rows.batch; }
  int64_t length() const { return query.source_rows.length; }
  int64_t key_length() const { return key.source_rows.length; }
  /// The number of key rows, the added ones included.
  int64_t columns() const { return key_length() + (bias_k >= 0 ? 1 : 0) + (zero_row ? 1 : 0); }
  Shape OutputShape() const;
  /// The shape of the attention's weights: averaged over the heads, or those of each head.
  Shape WeightsShape(bool averaged) const;
};

/// The arrays of a call. If the call doesn't name them, the key is the query, and the value is the key. `mask` may be
/// null.
struct AttentionSources {
  const TensorArgument* query;
  const TensorArgument* key;
  const TensorArgument* value;
  const TensorArgument* mask;
};
AttentionSources ReadAttentionSources(const Arguments& arguments);

MultiheadAttention ReadMultiheadAttention(const Arguments& arguments, const AttentionSources& sources);

/// Reads weights and biases of the projections, whose sources are known.
void ReadProjectionWeights(const Arguments& arguments, MultiheadAttention& net);

/// Whether every projection of RunContext input 0 is computed in integers, provided that this input is stored on a grid
/// of bytes.
bool ProjectsBytes(const MultiheadAttention& net, const PlanningContext& context);

/// Whether every projection of RunContext input 0 rounds it to bfloat16, so that it may be stored as bfloat16.
bool ProjectsBFloat16(const MultiheadAttention& net, const PlanningContext& context);

/// Packs the weights of all projections, and notes what was packed. They are packed for products in integers if the
/// source, stored as `input` says, and the weight allow it.
void PackProjections(const Storage& input, const PlanningContext& context, MultiheadAttention& net,
                     std::vector<PackedInput>& notes);

/// The mask, (l, s), (batch * heads, l, s) or one of padded keys (batch, s), read as (batch, heads, l, s).
TensorSpec MultiheadMask(const Arguments& arguments, const MultiheadAttention& net, const TensorSpec& mask);

/// The offsets, in bytes, of the parts of a run's workspace: projected rows, the heads' results, and perhaps the
/// weights.
struct MultiheadLayout {
  kernel::TokenRows query_rows;  ///< with key and value rows beside them when stacked
  kernel::TokenRows key_rows;
  kernel::TokenRows context_rows;
  int64_t query = 0;
  int64_t key = 0;
  int64_t value = 0;
  int64_t context = 0;
  int64_t weights = 0;
  int64_t scratch = 0;
};

/// Includes room for the context and the weights of all heads, unless these are outputs.
MultiheadLayout MakeMultiheadLayout(const MultiheadAttention& net, bool keep_context, bool keep_weights);

/// Computes the rows of query, key and value, and the added rows of key and value. T is float or double.
template <class T>
void ProjectInputs(const MultiheadAttention& net, const MultiheadLayout& layout, const RunContext& c);

/// Writes the output: projects `context`, or rounds it as `result` says. Without either, `context` is the output.
template <class T>
void WriteOutput(const MultiheadAttention& net, const MultiheadLayout& layout, const Storage& result, void* context,
                 const RunContext& c);

}  // namespace kuiper_infer
