// SPDX-License-Identifier: MIT
// Models with states, for the tests of sessions.
#pragma once

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "kuiper_infer/runtime/runtime_ir.hpp"
#include "kuiper_infer/utils/error.hpp"

namespace kuiper_infer {

inline std::string Param(const std::vector<std::string>& lines) {
  std::string text = "7767517\n" + std::to_string(lines.size()) + " 99\n";
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

inline RuntimeGraph Built(const std::string& param, const BuildOptions& options = {}) {
  const std::string no_weights = "PK\5\6" + std::string(18, '\0');  // an archive of no files
  RuntimeGraph graph = RuntimeGraph::FromMemory(param, no_weights, options);
  graph.Build();
  return graph;
}

/// Attention over all tokens so far. `states`: keys and values are states, with these further parameters. The mask is
/// made from the length: row i sees the tokens up to its own.
inline std::string Attention(bool states, bool masked = false, const std::string& more = "") {
  std::vector<std::string> lines = {
      "pnnx.Input x 0 1 x #x=(1,2,?,8)f32",
      std::string("pnnx.Input past_k 0 1 pk ") + (states ? "state=1 " : "") + more + " #pk=(1,2,?,8)f32",
      std::string("pnnx.Input past_v 0 1 pv ") + (states ? "state=v_out " : "") + more + " #pv=(1,2,?,8)f32",
      "pnnx.Expression twice 1 1 x v expr=mul(@0,2.0)",
      "torch.cat join_k 2 1 pk x k dim=2 #k=(1,2,?,8)f32",
      "torch.cat join_v 2 1 pv v w dim=-2 #w=(1,2,?,8)f32"};
  if (masked) {
    lines.insert(lines.end(),
                 {"aten::size past_length 1 1 pk before dim=2", "aten::size whole_length 1 1 k after dim=2",
                  "aten::size new_length 1 1 x count dim=2",
                  "torch.arange columns 1 1 after column $end=after dtype=torch.int64",
                  "torch.arange rows 1 1 count row $end=count dtype=torch.int64",
                  "torch.unsqueeze upright 1 1 row upright dim=1",
                  "pnnx.Expression own 2 1 upright before own expr=add(@0,@1)", "torch.le seen 2 1 column own mask",
                  "F.scaled_dot_product_attention attend 4 1 x k w mask y $attn_mask=mask"});
  } else {
    lines.emplace_back("F.scaled_dot_product_attention attend 3 1 x k w y");
  }
  lines.insert(lines.end(), {"pnnx.Expression sum 2 1 y x z expr=add(@0,@1)", "pnnx.Output out 1 0 z",
                             "pnnx.Output k_out 1 0 k", "pnnx.Output v_out 1 0 w"});
  return Param(lines);
}

inline NdArray Tokens(int64_t count, int seed) {
  NdArray array(RuntimeDataType::kTypeFloat32, {1, 2, count, 8});
  for (int64_t i = 0; i < array.size(); ++i)
    array.data<float>()[i] = static_cast<float>((i * 7 + seed * 13) % 29) / 16 - 1;
  return array;
}

inline std::vector<float> Numbers(const NdArray& array) {
  return {array.data<float>(), array.data<float>() + array.size()};
}

inline void ExpectNear(const NdArray& found, const NdArray& wanted) {
  ASSERT_EQ(found.shape(), wanted.shape());
  const std::vector<float> a = Numbers(found);
  const std::vector<float> b = Numbers(wanted);
  for (std::size_t i = 0; i < a.size(); ++i) ASSERT_NEAR(a[i], b[i], 1e-5) << "element " << i;
}

/// Options of a run that is cancelled before it begins.
inline RunOptions Cancelled() {
  RunOptions options;
  options.cancel.emplace();
  options.cancel->Cancel();
  return options;
}

inline NdArray RunOn(Session& session, const NdArray& tokens) { return session.Run({{"x", tokens}}).front(); }

}  // namespace kuiper_infer
