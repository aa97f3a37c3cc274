# SPDX-License-Identifier: MIT
"""Cases: attention."""
import torch
import torch.nn.functional as F
from torch import nn

from ..case import Lambda, add, fn, written


def mha(name, *specs, call=None, other=None, **options):
    """A module of 16 numbers and 4 heads inside another one; `call` says how it is called."""
    def make():
        module = nn.MultiheadAttention(16, 4, **options)
        wrapped = Lambda(lambda *inputs: call(module, *inputs))
        wrapped.attention = module
        return wrapped
    add("mha_" + name, make, *specs, other=other)


def itself(module, x):
    return module(x, x, x, need_weights=False)[0]


SEQUENCE = (5, 2, 16)
BATCH = (2, 5, 16)
mha("self", SEQUENCE, call=itself)
mha("self_batch_first", BATCH, call=itself, batch_first=True)
mha("self_no_bias", BATCH, call=itself, batch_first=True, bias=False)
mha("self_unbatched", (5, 16), call=itself)
mha("self_weights", SEQUENCE, call=lambda m, x: m(x, x, x))
mha("self_weights_batch_first", BATCH, call=lambda m, x: m(x, x, x), batch_first=True)
mha("self_weights_unbatched", (5, 16), call=lambda m, x: m(x, x, x))
mha("cross", SEQUENCE, (7, 2, 16), call=lambda m, x, y: m(x, y, y, need_weights=False)[0])
mha("cross_batch_first", BATCH, (2, 7, 16), call=lambda m, x, y: m(x, y, y, need_weights=False)[0], batch_first=True)
mha("cross_weights", SEQUENCE, (7, 2, 16), call=lambda m, x, y: m(x, y, y))
mha("three", SEQUENCE, (7, 2, 16), (7, 2, 16), call=lambda m, x, y, z: m(x, y, z, need_weights=False)[0])
mha("three_batch_first", BATCH, (2, 7, 16), (2, 7, 16), call=lambda m, x, y, z: m(x, y, z)[0], batch_first=True)
mha("three_unbatched", (5, 16), (7, 16), (7, 16), call=lambda m, x, y, z: m(x, y, z))
mha("kdim_vdim", SEQUENCE, (7, 2, 12), (7, 2, 9), call=lambda m, x, y, z: m(x, y, z)[0], kdim=12, vdim=9)
mha("kdim_vdim_batch_first", BATCH, (2, 7, 12), (2, 7, 9), call=lambda m, x, y, z: m(x, y, z, need_weights=False)[0],
    kdim=12, vdim=9, batch_first=True)
mha("kdim_vdim_no_bias", SEQUENCE, (7, 2, 12), (7, 2, 9), call=lambda m, x, y, z: m(x, y, z)[0], kdim=12, vdim=9, bias=False)
mha("bias_kv", SEQUENCE, call=itself, add_bias_kv=True)
mha("bias_kv_batch_first", BATCH, call=itself, add_bias_kv=True, batch_first=True)
mha("bias_kv_cross_weights", SEQUENCE, (7, 2, 16), call=lambda m, x, y: m(x, y, y), add_bias_kv=True)
mha("zero_attn", SEQUENCE, call=itself, add_zero_attn=True)
mha("zero_attn_weights", BATCH, call=lambda m, x: m(x, x, x), add_zero_attn=True, batch_first=True)
mha("bias_kv_zero_attn", BATCH, (2, 7, 16), call=lambda m, x, y: m(x, y, y), add_bias_kv=True, add_zero_attn=True,
    batch_first=True)
for short, spec in (("float", (5, 5)), ("bool", lambda: torch.ones(5, 5).triu(1).bool())):
    mha(f"mask_{short}", SEQUENCE, spec, call=lambda m, x, k: m(x, x, x, attn_mask=k, need_weights=False)[0])
    mha(f"mask_{short}_weights", BATCH, spec, call=lambda m, x, k: m(x, x, x, attn_mask=k), batch_first=True)
for short, spec in (("float", (8, 5, 7)), ("bool", lambda: torch.rand(8, 5, 7) > 0.6)):
    mha(f"mask3_{short}", SEQUENCE, (7, 2, 16), spec, call=lambda m, x, y, k: m(x, y, y, attn_mask=k, need_weights=False)[0])
    mha(f"mask3_{short}_weights", BATCH, (2, 7, 16), spec, call=lambda m, x, y, k: m(x, y, y, attn_mask=k), batch_first=True)
mha("mask_bias_kv_zero_attn", SEQUENCE, (7, 2, 16), (5, 7), add_bias_kv=True, add_zero_attn=True,
    call=lambda m, x, y, k: m(x, y, y, attn_mask=k))
mha("constant_mask", BATCH, call=lambda m, x: m(x, x, x, attn_mask=torch.ones(5, 5).triu(1).bool(), need_weights=False)[0],
    batch_first=True)
mha("padding", BATCH, lambda: torch.arange(5) >= torch.tensor([[3], [5]]),
    call=lambda m, x, p: m(x, x, x, key_padding_mask=p, need_weights=False)[0], batch_first=True)
mha("dynamic", BATCH, call=itself, batch_first=True, other=[(3, 8, 16)])
add("mha_one_head", lambda: Lambda(Self(nn.MultiheadAttention(8, 1, batch_first=True))), (1, 3, 8))
add("mha_one_token", lambda: Lambda(Self(nn.MultiheadAttention(8, 2, batch_first=True))), (2, 1, 8))


class Padded(nn.Module):
    def __init__(self, layer):
        super().__init__()
        self.layer = layer

    def forward(self, x, padding):
        return self.layer(x, src_key_padding_mask=padding)


class Self(nn.Module):
    def __init__(self, attention):
        super().__init__()
        self.attention = attention

    def forward(self, x):
        return self.attention(x, x, x)


add("encoder_layer", lambda: nn.TransformerEncoderLayer(16, 4, 32, batch_first=True), BATCH)
add("encoder_layer_gelu_norm_first", lambda: nn.TransformerEncoderLayer(16, 4, 32, batch_first=True, norm_first=True,
                                                                        activation="gelu"), BATCH)
add("encoder_layer_unbatched", lambda: nn.TransformerEncoderLayer(16, 4, 32, batch_first=True), (5, 16))
add("encoder", lambda: nn.TransformerEncoder(nn.TransformerEncoderLayer(16, 4, 32, batch_first=True), 2), BATCH)
add("encoder_layer_mask", lambda: nn.TransformerEncoderLayer(16, 4, 32, batch_first=True), BATCH,
    lambda: torch.full((5, 5), -torch.inf).triu(1))
add("encoder_layer_padding", lambda: Padded(nn.TransformerEncoderLayer(16, 4, 32, batch_first=True)), BATCH,
    lambda: torch.where(torch.arange(5) >= torch.tensor([[3], [5]]), -torch.inf, 0.0))
add("transformer", lambda: nn.Transformer(16, 4, 1, 1, 32, batch_first=True), BATCH, (2, 7, 16))
add("encoder_layer_norm_first", lambda: nn.TransformerEncoderLayer(16, 4, 32, norm_first=True, activation="gelu"), SEQUENCE)
add("decoder_layer", lambda: nn.TransformerDecoderLayer(16, 4, 32, batch_first=True), BATCH, (2, 7, 16))

Q, K, V = (2, 4, 5, 8), (2, 4, 7, 8), (2, 4, 7, 8)
sdpa = F.scaled_dot_product_attention
fn("sdpa", lambda q, k, v: sdpa(q, k, v), Q, K, V)
fn("sdpa_rank3", lambda q, k, v: sdpa(q, k, v), Q[1:], K[1:], V[1:])
fn("sdpa_value_size", lambda q, k, v: sdpa(q, k, v), Q, K, (2, 4, 7, 3))
fn("sdpa_scale", lambda q, k, v: sdpa(q, k, v, scale=0.3), Q, K, V)
fn("sdpa_causal", lambda q, k, v: sdpa(q, k, v, is_causal=True), Q, Q, Q)
fn("sdpa_causal_wide", lambda q, k, v: sdpa(q, k, v, is_causal=True), Q, K, V)
fn("sdpa_mask_float", lambda q, k, v, m: sdpa(q, k, v, m), Q, K, V, (2, 4, 5, 7))
fn("sdpa_mask_rows", lambda q, k, v, m: sdpa(q, k, v, m), Q, K, V, (5, 7))
fn("sdpa_mask_columns", lambda q, k, v, m: sdpa(q, k, v, m), Q, K, V, (2, 1, 1, 7))
fn("sdpa_mask_bool", lambda q, k, v, m: sdpa(q, k, v, m), Q, K, V, ("bool", (2, 1, 5, 7)))
fn("sdpa_mask_all_dropped", lambda q, k, v, m: sdpa(q, k, v, m), Q, K, V, lambda: torch.zeros(5, 7).bool())
# Models write the lowest float for what they leave out; a row that has nothing else weighs all columns alike.
LOWEST = torch.finfo(torch.float32).min
fn("sdpa_mask_lowest", lambda q, k, v, m: sdpa(q, k, v, m), Q, K, V, lambda: torch.full((5, 7), LOWEST).triu(-1))
fn("sdpa_mask_lowest_large", lambda q, k, v, m: sdpa(q, k, v, m), (1, 2, 40, 16), (1, 2, 300, 16), (1, 2, 300, 16),
   lambda: torch.where(torch.arange(40)[:, None] < 9, LOWEST, 0.0).expand(40, 300).contiguous())
fn("sdpa_mask_largest", lambda q, k, v, m: sdpa(q, k, v, m), Q, K, V, lambda: -LOWEST * torch.eye(5, 7))
fn("sdpa_mask_scale", lambda q, k, v, m: sdpa(q, k, v, m, scale=1.5), Q, K, V, ("bool", (1, 4, 5, 7)))
fn("sdpa_gqa", lambda q, k, v: sdpa(q, k, v, enable_gqa=True), (2, 6, 5, 8), (2, 2, 7, 8), (2, 2, 7, 8))
fn("sdpa_gqa_mask", lambda q, k, v, m: sdpa(q, k, v, m, enable_gqa=True), (2, 6, 5, 8), (2, 2, 7, 8), (2, 2, 7, 8), (2, 6, 5, 7))
fn("sdpa_gqa_causal", lambda q, k, v: sdpa(q, k, v, is_causal=True, enable_gqa=True), (1, 4, 6, 8), (1, 1, 6, 8), (1, 1, 6, 8))
fn("sdpa_transposed", lambda q, k, v: sdpa(q.transpose(1, 2), k.transpose(1, 2), v.transpose(1, 2)).transpose(1, 2),
   (2, 5, 4, 8), (2, 7, 4, 8), (2, 7, 4, 8))
fn("sdpa_columns", lambda q, k, v: sdpa(q.transpose(2, 3), k.transpose(2, 3), v), (2, 4, 8, 5), (2, 4, 8, 7), V)
fn("sdpa_rank5", lambda q, k, v: sdpa(q, k, v), (2, 1) + Q[1:], (2, 1) + K[1:], (2, 1) + V[1:])
fn("sdpa_float64", lambda q, k, v: sdpa(q, k, v), (torch.float64, Q), (torch.float64, K), (torch.float64, V))
fn("sdpa_dynamic", lambda q, k, v: sdpa(q, k, v), Q, K, V, other=[(1, 4, 9, 8), (1, 4, 3, 8), (1, 4, 3, 8)])
written("sdpa_broadcast", """
    pnnx.Input pnnx_input_0 0 1 0 #0=(2,4,5,8)f32
    pnnx.Input pnnx_input_1 0 1 1 #1=(4,7,8)f32
    pnnx.Input pnnx_input_2 0 1 2 #2=(1,1,7,8)f32
    F.scaled_dot_product_attention a 3 1 0 1 2 3 $query=0 $key=1 $value=2
    pnnx.Output pnnx_output_0 1 0 3
""", lambda q, k, v: torch.softmax(q @ k.transpose(-1, -2) / 8 ** 0.5, -1) @ v, Q, (4, 7, 8), (1, 1, 7, 8))
