// SPDX-License-Identifier: MIT
#include "operation/parameters.hpp"
#include "operation/storage.hpp"
#include "operators/attention/multihead_attention.hpp"

namespace kuiper_infer {
namespace {

using kernel::TokenRows;

template <class T>
void Project(const Projection& projection, const void* source, TokenRows target, int64_t width, T* result,
             const RunContext& c) {
  target.length = projection.source_rows.length;
  target.width = width;
  const T* const bias = DataOrNull<T>(c, projection.bias);
  kernel::RowProjection<T> map{nullptr, bias == nullptr ? nullptr : bias + projection.bias_offset};
  map.packed = projection.product;
  if (projection.packed == nullptr) {
    map.weight = DataOrNull<T>(c, projection.weight.input) + projection.first_row * projection.source_rows.width;
  }
  kernel::ProjectRows<T>(projection.source_rows, source, map, target, result);
}

}  // namespace

template <class T>
void ProjectInputs(const MultiheadAttention& net, const MultiheadLayout& layout, const RunContext& c) {
  const auto at = [&](int64_t offset) { return reinterpret_cast<T*>(c.workspace + offset); };
  const int64_t width = net.stacked ? 3 * net.width : net.width;
  Project<T>(net.query, c.inputs[net.query.source].data, layout.query_rows, width, at(layout.query), c);
  if (!net.stacked) {
    Project<T>(net.key, c.inputs[net.key.source].data, layout.key_rows, width, at(layout.key), c);
    Project<T>(net.value, c.inputs[net.value.source].data, layout.key_rows, width, at(layout.value), c);
  }
  TokenRows rows = layout.key_rows;
  rows.width = net.width;
  int64_t next = net.key_length();
  if (net.bias_k >= 0) {
    kernel::SetRow(rows, next, DataOrNull<T>(c, net.bias_k), at(layout.key));
    kernel::SetRow(rows, next++, DataOrNull<T>(c, net.bias_v), at(layout.value));
  }
  if (net.zero_row) {
    kernel::SetRow<T>(rows, next, nullptr, at(layout.key));
    kernel::SetRow<T>(rows, next, nullptr, at(layout.value));
  }
}

template <class T>
void WriteOutput(const MultiheadAttention& net, const MultiheadLayout& layout, const Storage& result, void* context,
                 const RunContext& c) {
  const int64_t count = net.batch() * net.length() * net.width;
  if (net.projects_context) {
    Project<T>(net.output, context, layout.context_rows, net.width, c.outputs[0].as<T>(), c);
  } else if (result.type == RuntimeDataType::kTypeUInt8) {
    kernel::RoundToBytes(ByteGrid(*result.grid), count, static_cast<const float*>(context), c.outputs[0].as<uint8_t>());
  } else if (result.grid) {
    kernel::RoundToGrid(*result.grid, count, static_cast<const float*>(context), c.outputs[0].as<float>());
  }
}

template void ProjectInputs<float>(const MultiheadAttention&, const MultiheadLayout&, const RunContext&);
template void ProjectInputs<double>(const MultiheadAttention&, const MultiheadLayout&, const RunContext&);
template void WriteOutput<float>(const MultiheadAttention&, const MultiheadLayout&, const Storage&, void*,
                                 const RunContext&);
template void WriteOutput<double>(const MultiheadAttention&, const MultiheadLayout&, const Storage&, void*,
                                  const RunContext&);

}  // namespace kuiper_infer
