// SPDX-License-Identifier: MIT
#include "operation/composition.hpp"
#include "operators/product/matrix_product.hpp"

namespace kuiper_infer {
namespace {

/// Returns a mask in the form of nn.MultiheadAttention; mask_type 1 marks padded keys (batch, s). PyTorch reads it as
/// bool here, even if it holds numbers to add.
Argument Mask(const Arguments& arguments, Composition& composition) {
  const TensorArgument* given = arguments.OptionalTensor("mask");
  if (given == nullptr) return {};
  const TensorArgument mask = composition.Call("torch.ne", {{"input", *given}, {"other", 0}});
  const Shape& shape = mask.spec.shape;
  const bool padding = arguments.Has("mask_type") && arguments.Int("mask_type") == 1;
  if (!padding || shape.size() != 2) return Argument{mask};
  return Argument{Reshaped(mask, {shape[0], 1, 1, shape[1]})};
}

/// The attention of both operations: weights as inputs, batch first.
CallArguments AttentionArguments(const Arguments& arguments, Composition& composition, const char* heads) {
  return {{"embed_dim", arguments.Int("embed_dim")},
          {"num_heads", arguments.Int(heads)},
          {"batch_first", true},
          {"attn_mask", Mask(arguments, composition)},
          {"in_proj_weight", arguments.Tensor("qkv_weight")},
          {"in_proj_bias", arguments.Tensor("qkv_bias")},
          {"out_proj.weight", arguments.Tensor("proj_weight")},
          {"out_proj.bias", arguments.Tensor("proj_bias")}};
}

/// One layer of nn.TransformerEncoder in PyTorch's short form: attention and a net of two linear maps, each with a
/// residual connection and a layer norm behind it, or before it with norm_first.
OperationPlan PlanTransformerEncoderLayer(const Arguments& arguments) {
  Composition composition(arguments);
  const bool norm_first = arguments.Bool("norm_first");
  const auto norm = [&](const TensorArgument& x, const std::string& number) {
    return composition.Call("aten::layer_norm", {{"input", x},
                                                 {"normalized_shape", Shape{x.spec.shape.back()}},
                                                 {"weight", arguments.Tensor("norm_weight_" + number)},
                                                 {"bias", arguments.Tensor("norm_bias_" + number)},
                                                 {"eps", arguments.Float("eps")}});
  };
  const auto linear = [&](const TensorArgument& x, const std::string& number) {
    return composition.Call("aten::linear", {{"input", x},
                                             {"weight", arguments.Tensor("ffn_weight_" + number)},
                                             {"bias", arguments.Tensor("ffn_bias_" + number)}});
  };
  const auto add = [&](const TensorArgument& x, const TensorArgument& y) {
    return composition.Call("pnnx.Expression", {{"expr", "add(@0,@1)"}, {"", std::vector<TensorArgument>{x, y}}});
  };
  const auto attend = [&](const TensorArgument& x) {
    CallArguments inputs = AttentionArguments(arguments, composition, "num_heads");
    inputs["query"] = Argument{x};
    return composition.Call("nn.MultiheadAttention", inputs);
  };
  const auto feed_forward = [&](const TensorArgument& x) {
    const char* activation = arguments.Bool("use_gelu") ? "aten::gelu" : "aten::relu";
    return linear(composition.Call(activation, {{"input", linear(x, "1")}}), "2");
  };
  TensorArgument x = arguments.Tensor("src");
  arguments.Require(x.spec.rank() >= 2, "src is " + ShapeString(x.spec.shape) + ", expected rank 2 or 3");
  if (norm_first) {
    x = add(x, attend(norm(x, "1")));
    x = add(x, feed_forward(norm(x, "2")));
  } else {
    x = norm(add(x, attend(x)), "1");
    x = norm(add(x, feed_forward(x)), "2");
  }
  return composition.Finish({x});
}

OperationPlan PlanNativeMultiheadAttention(const Arguments& arguments) {
  Composition composition(arguments);
  const bool weights = arguments.Bool("need_weights");
  arguments.Require(!weights || arguments.Bool("average_attn_weights"), "average_attn_weights is False, expected True");
  CallArguments inputs = AttentionArguments(arguments, composition, "num_head");
  for (const char* name : {"query", "key", "value"}) inputs[name] = arguments.Tensor(name);
  OperationPlan plan = composition.Finish(composition.CallAll("nn.MultiheadAttention", inputs, weights ? 2 : 1));
  if (!weights) plan.outputs.push_back(OutputPlan::Known({}));
  return plan;
}

}  // namespace

void RegisterTransformerEncoder(OperationTable& table) {
  const std::string attention = "Tensor qkv_weight, Tensor qkv_bias, Tensor proj_weight, Tensor proj_bias, ";
  table.Add({"aten::_transformer_encoder_layer_fwd"},
            "Tensor src, int embed_dim, int num_heads, " + attention +
                "bool use_gelu, bool norm_first, float eps, Tensor norm_weight_1, Tensor norm_bias_1, Tensor "
                "norm_weight_2, Tensor norm_bias_2, Tensor ffn_weight_1, Tensor ffn_bias_1, Tensor ffn_weight_2, "
                "Tensor ffn_bias_2, Tensor? mask=None, int? mask_type=None",
            PlanTransformerEncoderLayer);
  table.Add({"aten::_native_multi_head_attention"},
            "Tensor query, Tensor key, Tensor value, int embed_dim, int num_head, " + attention +
                "Tensor? mask=None, bool need_weights=True, bool average_attn_weights=True, int? mask_type=None",
            PlanNativeMultiheadAttention);
}

}  // namespace kuiper_infer
