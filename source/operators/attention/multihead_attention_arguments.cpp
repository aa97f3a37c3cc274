// SPDX-License-Identifier: MIT
#include "operation/parameters.hpp"
#include "operators/attention/multihead_attention.hpp"
#include "shape/broadcast.hpp"

namespace kuiper_infer {
namespace {

using kernel::ContiguousRows;

/// Reads a source of rank 3 or, without a batch, 2. If the module gives `width`, rows must have it.
Projection ReadSource(const Arguments& arguments, const MultiheadAttention& net, const TensorArgument& source,
                      const char* name, const char* width) {
  const Shape& shape = source.spec.shape;
  arguments.Require(source.spec.type == net.type, std::string(name) + " is " + TypeName(source.spec.type) +
                                                      ", expected the query's " + TypeName(net.type));
  arguments.Require(source.spec.rank() == (net.batched ? 3 : 2), std::string(name) + " is " + ShapeString(shape) +
                                                                     ", expected rank 3 or, without a batch, 2, as " +
                                                                     "all three inputs");
  arguments.Require(!arguments.Has(width) || arguments.Int(width) == shape.back(),
                    std::string(name) + " is " + ShapeString(shape) + ", expected a last extent of " + width);
  const std::size_t batch_axis = net.batch_first ? 0 : 1;
  Projection projection;
  projection.source = source.input;
  projection.source_rows = ContiguousRows(net.batch_first, net.batched ? shape[batch_axis] : 1,
                                          net.batched ? shape[1 - batch_axis] : shape[0], shape.back());
  return projection;
}

}  // namespace

Shape MultiheadAttention::OutputShape() const {
  if (!batched) return {length(), width};
  return batch_first ? Shape{batch(), length(), width} : Shape{length(), batch(), width};
}

Shape MultiheadAttention::WeightsShape(bool averaged) const {
  Shape shape{length(), columns()};
  if (!averaged) shape.insert(shape.begin(), heads);
  if (batched) shape.insert(shape.begin(), batch());
  return shape;
}

AttentionSources ReadAttentionSources(const Arguments& arguments) {
  std::vector<const TensorArgument*> arrays;
  AttentionSources sources;
  sources.mask = arguments.OptionalTensor("attn_mask");
  for (const char* name : {"query", "key", "value"}) {
    if (const TensorArgument* array = arguments.OptionalTensor(name); array != nullptr) arrays.push_back(array);
  }
  // The converter moves a bool mask in front of the other inputs, and then labels the last input as the mask.
  for (auto& array : arrays) {
    if (array->spec.type != RuntimeDataType::kTypeBool) continue;
    const TensorArgument* const labelled = sources.mask;
    sources.mask = array;
    arrays.erase(arrays.begin() + (&array - arrays.data()));
    if (labelled != nullptr) arrays.push_back(labelled);
    break;
  }
  if (arrays.empty()) arguments.Fail(ErrorCode::kArgument, "the only input is a mask, expected a query");
  sources.query = arrays.front();
  sources.key = arrays.size() > 1 ? arrays[1] : sources.query;
  sources.value = arrays.size() > 2 ? arrays[2] : sources.key;
  return sources;
}

MultiheadAttention ReadMultiheadAttention(const Arguments& arguments, const AttentionSources& sources) {
  const TensorArgument& query = *sources.query;
  const TensorArgument& key = *sources.key;
  const TensorArgument& value = *sources.value;
  RequireFloating(arguments, query, "query");
  MultiheadAttention net;
  net.type = query.spec.type;
  net.heads = arguments.Int("num_heads");
  net.width = arguments.Int("embed_dim");
  net.batched = query.spec.rank() != 2;
  net.batch_first = net.batched && arguments.Bool("batch_first");
  net.zero_row = arguments.Bool("add_zero_attn");
  net.int8_products = arguments.Bool("int8_products");
  arguments.Require(net.heads > 0 && net.width > 0 && net.width % net.heads == 0,
                    "embed_dim is " + std::to_string(net.width) + " and num_heads " + std::to_string(net.heads) +
                        ", expected embed_dim to be a positive multiple of num_heads");
  net.query = ReadSource(arguments, net, query, "query", "embed_dim");
  net.key = ReadSource(arguments, net, key, "key", "kdim");
  net.value = ReadSource(arguments, net, value, "value", "vdim");
  arguments.Require(net.key.source_rows.batch == net.batch() && net.value.source_rows.batch == net.batch() &&
                        net.value.source_rows.length == net.key_length(),
                    "query is " + ShapeString(query.spec.shape) + ", key " + ShapeString(key.spec.shape) +
                        " and value " + ShapeString(value.spec.shape) +
                        ", expected one batch, and one length of key and value");
  ReadProjectionWeights(arguments, net);
  if (arguments.Bool("add_bias_kv")) {
    arguments.Tensor("bias_k");
    arguments.Tensor("bias_v");
    net.bias_k = ParameterInput(arguments, "bias_k", {1, 1, net.width}, net.type);
    net.bias_v = ParameterInput(arguments, "bias_v", {1, 1, net.width}, net.type);
  }
  return net;
}

TensorSpec MultiheadMask(const Arguments& arguments, const MultiheadAttention& net, const TensorSpec& mask) {
  const Shape scores = {net.batch(), net.heads, net.length(), net.key_length()};
  const Shape by_head = {net.batch() * net.heads, net.length(), net.key_length()};
  const Shape shared(by_head.begin() + 1, by_head.end());
  const Shape padding = {net.batch(), net.key_length()};
  arguments.Require(mask.type == RuntimeDataType::kTypeBool || mask.type == net.type,
                    std::string("attn_mask is ") + TypeName(mask.type) + ", expected bool or " + TypeName(net.type));
  TensorSpec split = mask;
  if (mask.shape == by_head) {
    split = TensorSpec(mask.type, scores);
  } else if (mask.shape == padding && mask.shape != shared) {
    split = TensorSpec(mask.type, {net.batch(), 1, 1, net.key_length()});
  } else {
    const bool fits = mask.shape == shared || (mask.rank() == 4 && BroadcastShapes(mask.shape, scores) == scores);
    arguments.Require(fits, "attn_mask is " + ShapeString(mask.shape) + ", expected " + ShapeString(shared) + " or " +
                                ShapeString(by_head));
  }
  return {mask.type, scores, BroadcastStrides(split, scores)};
}

}  // namespace kuiper_infer
