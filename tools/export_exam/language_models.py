# SPDX-License-Identifier: MIT
"""Every architecture of transformers that can be made small and takes tokens, pixels or sound alone."""

import inspect

import torch

# Sizes that configurations have under these names; what a configuration lacks is left out.
_SMALL = {
    "hidden_size": 32, "d_model": 32, "n_embd": 32, "dim": 32, "embed_dim": 32, "embedding_size": 32,
    "num_hidden_layers": 2, "n_layer": 2, "n_layers": 2, "num_layers": 2, "encoder_layers": 2, "decoder_layers": 2,
    "num_decoder_layers": 2, "num_attention_heads": 4, "n_head": 4, "n_heads": 4, "num_heads": 4,
    "encoder_attention_heads": 4, "decoder_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 8,
    "intermediate_size": 64, "ffn_dim": 64, "d_ff": 64, "n_inner": 64, "hidden_dim": 64, "encoder_ffn_dim": 64,
    "decoder_ffn_dim": 64, "vocab_size": 120, "max_position_embeddings": 64, "n_positions": 64, "num_experts": 4,
    "num_local_experts": 4, "n_routed_experts": 4, "moe_intermediate_size": 16, "image_size": 64, "patch_size": 16,
    "d_kv": 8, "kv_lora_rank": 8, "q_lora_rank": 16, "qk_rope_head_dim": 8, "qk_nope_head_dim": 8, "v_head_dim": 8,
    "pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2,
}  # fmt: skip
_MOST_WEIGHTS = 100_000_000


def transformers_models():
    from transformers.models.auto.modeling_auto import MODEL_MAPPING_NAMES

    for kind in sorted(MODEL_MAPPING_NAMES):
        yield f"transformers/{kind}", lambda kind=kind: _model(kind)


def _model(kind):
    import transformers

    config_class = transformers.CONFIG_MAPPING[kind]
    known = set(config_class().to_dict())
    config = config_class(**{name: size for name, size in _SMALL.items() if name in known})
    config.use_cache = False
    config.return_dict = True
    if getattr(config, "layer_types", None):
        config.layer_types = config.layer_types[:2]
    for name in ("num_experts_per_tok", "moe_topk", "moe_top_k"):
        if getattr(config, name, None):
            setattr(config, name, 2)
    with torch.device("meta"):
        count = sum(weight.numel() for weight in _of(config).parameters())
    if count > _MOST_WEIGHTS:
        raise ValueError(f"has {count} weights, which the known sizes do not make fewer")
    model = _of(config)
    return model, _arguments(model, config)


def _of(config):
    import transformers

    try:
        return transformers.AutoModel.from_config(config, attn_implementation="sdpa")
    except ValueError:  # has its own way to compute attention
        return transformers.AutoModel.from_config(config, attn_implementation="eager")


def _arguments(model, config):
    """Arguments for what forward takes first."""
    parameters = list(inspect.signature(model.forward).parameters)
    name = model.main_input_name if model.main_input_name in parameters else parameters[0]
    if "pixel_values" in parameters and name == "input_ids":
        raise ValueError("takes several kinds of inputs")
    if name == "pixel_values":
        size = getattr(config, "image_size", 64)
        size = tuple(size) if isinstance(size, (list, tuple)) else (size, size)
        return {name: torch.rand(1, getattr(config, "num_channels", 3), *size)}
    if name == "input_values":
        return {name: torch.rand(1, 8000) * 2 - 1}
    if name == "input_features":
        return {name: torch.rand(1, getattr(config, "num_mel_bins", 80), 64)}
    ids = torch.randint(3, getattr(config, "vocab_size", 120), (2, 8))
    arguments = {name: ids}
    if "attention_mask" in parameters:
        arguments["attention_mask"] = torch.ones_like(ids)
    if getattr(config, "is_encoder_decoder", False):
        arguments["decoder_input_ids"] = ids.clone()
    if "use_cache" in parameters:
        arguments["use_cache"] = False
    return arguments
