// SPDX-License-Identifier: MIT
#include "operators/attention/multihead_attention.hpp"
#include "utils/rounding.hpp"

namespace kuiper_infer {

MultiheadLayout MakeMultiheadLayout(const MultiheadAttention& net, bool keep_context, bool keep_weights) {
  const auto rows = [&](int64_t length, int64_t width) {
    return kernel::ContiguousRows(net.batch_first, net.batch(), length, width);
  };
  MultiheadLayout layout;
  int64_t end = 0;
  const auto place = [&](const Shape& shape) {
    const int64_t start = end;
    end += AlignedBytes(ByteCount(net.type, shape));
    return start;
  };
  if (net.stacked) {
    layout.query_rows = rows(net.columns(), 3 * net.width);
    layout.query = place({net.batch(), net.columns(), 3 * net.width});
    layout.key = layout.query + ByteCount(net.type, {net.width});
    layout.value = layout.key + ByteCount(net.type, {net.width});
    layout.key_rows = layout.query_rows;
  } else {
    layout.query_rows = rows(net.length(), net.width);
    layout.query = place({net.batch(), net.length(), net.width});
    layout.key_rows = rows(net.columns(), net.width);
    layout.key = place({net.batch(), net.columns(), net.width});
    layout.value = place({net.batch(), net.columns(), net.width});
  }
  layout.context_rows = rows(net.length(), net.width);
  layout.context = place(keep_context ? Shape{net.batch(), net.length(), net.width} : Shape{0});
  layout.weights = place(keep_weights ? Shape{net.batch(), net.heads, net.length(), net.columns()} : Shape{0});
  layout.scratch = end;
  return layout;
}

}  // namespace kuiper_infer
