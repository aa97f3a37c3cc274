# SPDX-License-Identifier: MIT
"""Transformers of x-transformers: one for each variant of attention, normalisation, positions and residuals."""

# What differs from the plain decoder, by name.
_LAYERS = {
    "plain": {},
    "flash": {"attn_flash": True},
    "scalenorm": {"use_scalenorm": True},
    "rmsnorm": {"use_rmsnorm": True},
    "simple_rmsnorm": {"use_simple_rmsnorm": True},
    "dynamic_tanh": {"use_dynamic_tanh": True},
    "derf": {"use_derf": True},
    "alibi": {"alibi_pos_bias": True, "alibi_num_heads": 2},
    "rel_pos_bias": {"rel_pos_bias": True},
    "dynamic_pos_bias": {"dynamic_pos_bias": True, "dynamic_pos_bias_log_distance": True},
    "rotary": {"rotary_pos_emb": True},
    "rotary_xpos": {"rotary_xpos": True},
    "rotary_some_heads": {"rotary_pos_emb": True, "rotate_num_heads": 2},
    "polar": {"polar_pos_emb": True},
    "weight_tie_layers": {"weight_tie_layers": True},
    "sandwich_coef": {"sandwich_coef": 1},
    "par_ratio": {"par_ratio": 3},
    "residual_attn": {"residual_attn": True},
    "macaron": {"macaron": True},
    "post_norm": {"pre_norm": False},
    "pre_and_post_norm": {"pre_and_post_norm": True},
    "gate_residual": {"gate_residual": True},
    "orthog_residual": {"orthog_residual": True},
    "scale_residual": {"scale_residual": True},
    "shift_tokens": {"shift_tokens": 1},
    "sandwich_norm": {"sandwich_norm": True},
    "softclamp_output": {"softclamp_output": True},
    "layerscale": {"use_layerscale": True, "layerscale_init_value": 0.1},
    "unet_skips": {"unet_skips": True, "depth": 4},
    "integrate_layers": {"integrate_layers": True},
    "hyper_connections": {"num_residual_streams": 3},
    "reinject_input": {"reinject_input": True, "learned_reinject_input_gate": True},
    "value_residual": {"add_value_residual": True},
    "diff_residuals": {"integrate_layers": True, "qkv_receive_diff_residuals": True},
    "talking_heads": {"attn_pre_talking_heads": True, "attn_post_talking_heads": True},
    "scaled_talking_heads": {"attn_pre_scale_post_talking_heads": True},
    "head_scale": {"attn_head_scale": True},
    "sparse_topk": {"attn_sparse_topk": 3},
    "memory_keys": {"attn_num_mem_kv": 4},
    "on_attn": {"attn_on_attn": True},
    "gate_value_heads": {"attn_gate_value_heads": True},
    "swiglu_values": {"attn_swiglu_values": True},
    "gate_values": {"attn_gate_values": True},
    "output_gate": {"attn_output_gate": True, "attn_output_gate_rank": 4},
    "hard": {"attn_hard": True},
    "max_attend_past": {"attn_max_attend_past": 5},
    "qk_norm": {"attn_qk_norm": True, "attn_qk_norm_groups": 2, "attn_qk_norm_dim_scale": True},
    "qk_rmsnorm": {"attn_qk_rmsnorm": True, "attn_value_rmsnorm": True},
    "l2_distance": {"attn_l2_distance": True},
    "sigmoid": {"attn_sigmoid": True},
    "selective": {"attn_selective": True},
    "cog_signed": {"attn_cog_signed": True},
    "one_kv_head": {"attn_one_kv_head": True},
    "grouped_heads": {"attn_kv_heads": 2},
    "value_dim_head": {"attn_value_dim_head": 6},
    "add_zero_kv": {"attn_add_zero_kv": True},
    "head_learned_sink": {"attn_head_learned_sink": True},
    "data_dependent_alibi": {"attn_data_dependent_alibi": True},
    "data_dependent_alibi_per_row": {"attn_data_dependent_alibi": True, "attn_data_dependent_alibi_per_row": True},
    "rel_proj_pos_bias": {"attn_use_rel_proj_pos_bias": True},
    "cope": {"attn_use_cope": True, "attn_cope_talking_heads": True},
    "softclamp_logits": {"attn_softclamp_logits": True},
    "orthog_projected_values": {"attn_orthog_projected_values": True},
    "laser": {"attn_laser": True},
    "latent_kv": {"attn_use_latent_q": True, "attn_dim_latent_q": 12, "attn_use_latent_kv": True, "attn_dim_latent_kv": 8},
    "inverted_attention": {"attn_inverted_attention": True},
    "glu": {"ff_glu": True, "ff_glu_mult_bias": True},
    "swish_glu_without_bias": {"ff_glu": True, "ff_swish": True, "ff_no_bias": True},
    "relu_squared": {"ff_relu_squared": True, "ff_post_act_ln": True},
    "solu": {"ff_solu": True},
    "softclamped_glu": {"ff_glu": True, "ff_glu_softclamp": True},
}
_AROUND = {
    "memory_tokens": {"num_memory_tokens": 4},
    "interspersed_memory_tokens": {"num_memory_tokens": 2, "memory_tokens_interspersed_every": 4},
    "tied_embedding": {"tie_embedding": True},
    "l2norm_embed": {"l2norm_embed": True},
    "scaled_sinusoids": {"scaled_sinu_pos_emb": True},
    "narrow_embedding": {"emb_dim": 8, "post_emb_norm": True},
    "mixture_of_softmax": {"mixture_of_softmax": True},
    "sigsoftmax_logits": {"sigsoftmax_logits": True},
    "average_pool": {"average_pool_embed": True},
    "output_heads": {"num_output_heads": 2},
    "deep_embed": {"ff_deep_embed": True},
}


def attention_variants():
    import torch
    import x_transformers as x

    def decoder(depth=2, **arguments):
        return x.Decoder(dim=24, depth=depth, heads=4, attn_dim_head=8, **arguments)

    def language(layers, **arguments):
        return x.TransformerWrapper(num_tokens=30, max_seq_len=16, attn_layers=layers, **arguments)

    def encoder(**arguments):
        return x.Encoder(dim=24, depth=2, heads=4, attn_dim_head=8, **arguments)

    tokens, numbers, mask = torch.randint(30, (2, 11)), torch.randn(2, 11, 6), torch.arange(11) < torch.tensor([[11], [7]])
    for name, arguments in _LAYERS.items():
        yield f"x-transformers/{name}", lambda arguments=arguments: (language(decoder(**arguments)), tokens)
    for name, arguments in _AROUND.items():
        yield f"x-transformers/{name}", lambda arguments=arguments: (language(decoder(), **arguments), tokens)
    yield "x-transformers/recycling", lambda: (language(decoder(), recycling=True), {"x": tokens, "recycle_steps": 2})
    yield "x-transformers/looped", lambda: (language(decoder(pre_and_post_norm=True), looped=True), tokens)
    yield "x-transformers/encoder_with_mask", lambda: (language(encoder()), {"x": tokens, "mask": mask})
    yield "x-transformers/cls_token", lambda: (language(encoder(), use_cls_token=True, logits_dim=5), tokens)
    yield "x-transformers/attn_pool", lambda: (language(encoder(), attn_pool=True, num_pooled_tokens=2), {"x": tokens, "mask": mask})
    yield "x-transformers/ViT", lambda: (
        x.ViTransformerWrapper(image_size=32, patch_size=8, num_classes=5, attn_layers=encoder()), torch.rand(2, 3, 32, 32))
    yield "x-transformers/continuous", lambda: (
        x.ContinuousTransformerWrapper(dim_in=6, dim_out=5, max_seq_len=16, attn_layers=encoder()), {"x": numbers, "mask": mask})
    yield "x-transformers/several_inputs", lambda: (
        x.MultiInputTransformerWrapper(num_tokens={"words": 30, "tags": 30}, max_seq_len=16, attn_layers=decoder()),
        {"x": {"words": tokens, "tags": tokens.flip(0)}})
    yield "x-transformers/numbers_in_text", lambda: (
        x.XValTransformerWrapper(num_tokens=30, numerical_token_id=3, max_seq_len=16, attn_layers=decoder()), (tokens, numbers[..., 0]))
    yield "x-transformers/XTransformer", lambda: (
        x.XTransformer(
            dim=24, enc_num_tokens=30, enc_depth=1, enc_heads=4, enc_max_seq_len=16, dec_num_tokens=30, dec_depth=1, dec_heads=4,
            dec_max_seq_len=16), (tokens, tokens.flip(0)))
    yield "x-transformers/NeoMLP", lambda: (
        x.NeoMLP(dim_in=6, dim_hidden=8, dim_out=4, dim_model=24, depth=2), torch.randn(3, 6))
