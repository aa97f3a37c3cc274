# SPDX-License-Identifier: MIT
"""Small decoders of transformers with random weights, one or two for each kind of the Llama family, and encoder-decoders."""

COMMON = dict(
    vocab_size=64, hidden_size=64, intermediate_size=96, num_hidden_layers=2, num_attention_heads=4,
    num_key_value_heads=2, max_position_embeddings=256, pad_token_id=0, bos_token_id=1, eos_token_id=2)
LLAMA3 = dict(
    rope_type="llama3", rope_theta=500000.0, factor=4.0, low_freq_factor=1.0, high_freq_factor=4.0,
    original_max_position_embeddings=64)
LONGROPE = dict(
    rope_type="longrope", rope_theta=10000.0, partial_rotary_factor=0.75, original_max_position_embeddings=64,
    short_factor=[1 + 0.1 * i for i in range(6)], long_factor=[2 + 0.1 * i for i in range(6)])


def configurations():
    """Returns the configurations by name."""
    import transformers
    return {
        "llama3": transformers.LlamaConfig(**COMMON, rope_parameters=LLAMA3, tie_word_embeddings=True),
        "llama_biases": transformers.LlamaConfig(**COMMON, attention_bias=True, mlp_bias=True),
        "smollm2": transformers.LlamaConfig(**COMMON | {"num_key_value_heads": 1}, tie_word_embeddings=True),
        "mistral": transformers.MistralConfig(**COMMON, head_dim=32, sliding_window=6),
        "qwen2": transformers.Qwen2Config(**COMMON, tie_word_embeddings=True),
        "qwen2_window": transformers.Qwen2Config(
            **COMMON, use_sliding_window=True, sliding_window=5, max_window_layers=1),
        "qwen3": transformers.Qwen3Config(**COMMON, head_dim=32),
        "gemma2": transformers.Gemma2Config(**COMMON, head_dim=16, sliding_window=5, query_pre_attn_scalar=24),
        "gemma3": transformers.Gemma3TextConfig(
            **COMMON, head_dim=16, sliding_window=5, layer_types=["sliding_attention", "full_attention"]),
        "phi3": transformers.Phi3Config(**COMMON, sliding_window=7),
        "phi3_long": transformers.Phi3Config(
            **COMMON, original_max_position_embeddings=64, partial_rotary_factor=0.75, rope_parameters=LONGROPE),
    }


def encoder_decoder_configurations():
    """Returns the configurations by name."""
    import transformers
    halves = dict(
        encoder_layers=2, decoder_layers=2, encoder_attention_heads=4, decoder_attention_heads=4, encoder_ffn_dim=96,
        decoder_ffn_dim=96)
    common = dict(vocab_size=64, d_model=64, pad_token_id=0, bos_token_id=1, eos_token_id=2, decoder_start_token_id=1)
    return {
        "t5": transformers.T5Config(**common, d_kv=16, d_ff=96, num_layers=2, num_heads=4),
        "bart": transformers.BartConfig(**common, **halves, max_position_embeddings=64),
        "marian": transformers.MarianConfig(**common, **halves, max_position_embeddings=64),
        "whisper": transformers.WhisperConfig(
            **common, **halves, max_source_positions=24, max_target_positions=64, num_mel_bins=16),
    }


def encoder_decoder_of(configuration):
    """Returns an encoder-decoder with random weights as model_of makes them."""
    import transformers
    auto = transformers.AutoModelForSpeechSeq2Seq if configuration.model_type == "whisper" else transformers.AutoModelForSeq2SeqLM
    return _with_random_weights(auto.from_config(configuration))


def source_of(model, extent, generator):
    """Returns what the encoder of a model reads: that number of tokens, or a spectrum of the length that it takes."""
    import torch
    if model.main_input_name == "input_ids":
        return torch.randint(3, model.config.vocab_size, (1, extent), generator=generator)
    return torch.randn(1, model.config.num_mel_bins, 2 * model.config.max_source_positions, generator=generator)


def model_of(configuration):
    """Returns a model in float32 with random weights. They are multiples of a 32nd, so that archives of them are small,
    and so large that attention chooses and positions matter."""
    import transformers
    return _with_random_weights(transformers.AutoModelForCausalLM.from_config(configuration))


def _with_random_weights(model):
    import torch
    model = model.float().eval()
    generator = torch.Generator().manual_seed(20261126)
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            numbers = torch.randn(parameter.shape, generator=generator) * 0.2
            if parameter.dim() == 1 and "bias" not in name:
                numbers += parameter  # the weights of a normalisation, around 0 or 1
            parameter.copy_((numbers * 32).round() / 32)
    return model
