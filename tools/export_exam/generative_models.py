# SPDX-License-Identifier: MIT
"""Networks of diffusers that make pictures, sound and video, with few channels."""


def _unets(d, torch):
    """By name: what makes the network, and its arguments."""
    picture, step = torch.randn(1, 4, 16, 16), torch.tensor([7])
    context = torch.randn(1, 6, 16)
    cross = {"cross_attention_dim": 16, "attention_head_dim": 4, "norm_num_groups": 4}
    unet = {"sample_size": 16, "in_channels": 4, "block_out_channels": (8, 16), "layers_per_block": 1}
    down, up = ("DownBlock2D", "CrossAttnDownBlock2D"), ("CrossAttnUpBlock2D", "UpBlock2D")
    yield "UNet2D", lambda: d.UNet2DModel(
        **unet, out_channels=4, down_block_types=("DownBlock2D", "AttnDownBlock2D"), up_block_types=("AttnUpBlock2D", "UpBlock2D"),
        attention_head_dim=4, norm_num_groups=4), (picture, step)
    yield "UNet2DCondition", lambda: d.UNet2DConditionModel(
        **unet, out_channels=4, down_block_types=down, up_block_types=up, **cross), (picture, step, context)
    yield "ControlNet", lambda: d.ControlNetModel(
        in_channels=4, block_out_channels=(8, 16), layers_per_block=1, down_block_types=down, conditioning_embedding_out_channels=(8, 16),
        **cross), (picture, step, context, torch.rand(1, 3, 32, 32))
    yield "UNet1D", lambda: d.UNet1DModel(
        sample_size=32, in_channels=2, out_channels=2, block_out_channels=(32, 32, 64), down_block_types=(
            "DownBlock1DNoSkip", "DownBlock1D", "AttnDownBlock1D"), up_block_types=("AttnUpBlock1D", "UpBlock1D", "UpBlock1DNoSkip"),
        extra_in_channels=64, time_embedding_type="fourier", use_timestep_embedding=False), (torch.randn(1, 2, 32), step)
    yield "UNet3DCondition", lambda: d.UNet3DConditionModel(
        **unet, out_channels=4, down_block_types=("CrossAttnDownBlock3D", "DownBlock3D"), up_block_types=("UpBlock3D", "CrossAttnUpBlock3D"),
        **cross), (torch.randn(1, 4, 3, 16, 16), step, context)
    yield "UVit2D", lambda: d.UVit2DModel(
        hidden_size=16, cond_embed_dim=16, encoder_hidden_size=16, micro_cond_encode_dim=8, micro_cond_embed_dim=40, vocab_size=20,
        codebook_size=16, num_hidden_layers=1, num_attention_heads=2, in_channels=16, block_out_channels=16, sample_size=8,
        block_num_heads=2, intermediate_size=32), (torch.randint(0, 16, (1, 8, 8)), context, torch.randn(1, 16), torch.rand(1, 5))


def _autoencoders(d, torch):
    picture = torch.rand(1, 3, 32, 32)
    vae = {"block_out_channels": (8, 16), "norm_num_groups": 4, "down_block_types": ("DownEncoderBlock2D",) * 2,
           "up_block_types": ("UpDecoderBlock2D",) * 2}
    yield "AutoencoderKL", lambda: d.AutoencoderKL(**vae), picture
    yield "AsymmetricAutoencoderKL", lambda: d.AsymmetricAutoencoderKL(
        down_block_types=("DownEncoderBlock2D",), down_block_out_channels=(8,), up_block_types=("UpDecoderBlock2D",), up_block_out_channels=(8,),
        norm_num_groups=4), picture
    yield "VQModel", lambda: d.VQModel(**vae, num_vq_embeddings=16), picture
    yield "AutoencoderTiny", lambda: d.AutoencoderTiny(
        encoder_block_out_channels=(8, 8, 8, 8), decoder_block_out_channels=(8, 8, 8, 8)), picture
    yield "AutoencoderOobleck", lambda: d.AutoencoderOobleck(
        encoder_hidden_size=8, downsampling_ratios=[2, 4], channel_multiples=[1, 2], decoder_channels=8, decoder_input_channels=4), torch.randn(1, 2, 64)
    yield "AutoencoderDC", lambda: d.AutoencoderDC(
        latent_channels=4, attention_head_dim=4, encoder_block_types=("ResBlock", "EfficientViTBlock"),
        decoder_block_types=("ResBlock", "EfficientViTBlock"), encoder_block_out_channels=(8, 8), decoder_block_out_channels=(8, 8),
        encoder_layers_per_block=(1, 1), decoder_layers_per_block=(1, 1), encoder_qkv_multiscales=((), (5,)),
        decoder_qkv_multiscales=((), (5,)), upsample_block_type="interpolate", downsample_block_type="conv"), picture
    yield "AutoencoderKLWan", lambda: d.AutoencoderKLWan(
        base_dim=4, z_dim=4, dim_mult=[1, 1, 1, 1], num_res_blocks=1, temperal_downsample=[False, True, True]), torch.rand(1, 3, 5, 16, 16)
    yield "AutoencoderKLTemporalDecoder", lambda: d.AutoencoderKLTemporalDecoder(
        block_out_channels=(32, 32), down_block_types=("DownEncoderBlock2D",) * 2), (torch.rand(2, 3, 16, 16), False, True, None, 2)


def _transformers(d, torch):
    picture, step = torch.randn(1, 4, 8, 8), torch.tensor([7])
    heads = {"num_attention_heads": 2, "attention_head_dim": 8, "num_layers": 1}
    text = torch.randn(1, 6, 16)
    yield "DiT", lambda: d.DiTTransformer2DModel(**heads, in_channels=4, out_channels=8, sample_size=8, norm_num_groups=4), (
        picture, step, torch.tensor([3]))
    yield "PixArt", lambda: d.PixArtTransformer2DModel(
        **heads, in_channels=4, out_channels=8, cross_attention_dim=16, sample_size=8, caption_channels=16, use_additional_conditions=False,
        norm_num_groups=4), {"hidden_states": picture, "encoder_hidden_states": text, "timestep": step,
                             "added_cond_kwargs": {"resolution": None, "aspect_ratio": None}}
    yield "SD3", lambda: d.SD3Transformer2DModel(
        **heads, sample_size=8, patch_size=2, in_channels=4, out_channels=4, joint_attention_dim=16, caption_projection_dim=16,
        pooled_projection_dim=16, pos_embed_max_size=8), (picture, text, torch.randn(1, 16), step)
    yield "Flux", lambda: d.FluxTransformer2DModel(
        in_channels=4, num_layers=1, num_single_layers=1, attention_head_dim=8, num_attention_heads=2, joint_attention_dim=16,
        pooled_projection_dim=16, axes_dims_rope=(2, 2, 4)), {
            "hidden_states": torch.randn(1, 16, 4), "encoder_hidden_states": text, "pooled_projections": torch.randn(1, 16),
            "timestep": torch.tensor([0.5]), "img_ids": torch.zeros(16, 3), "txt_ids": torch.zeros(6, 3)}
    yield "Prior", lambda: d.PriorTransformer(
        **heads, embedding_dim=16, num_embeddings=6, additional_embeddings=4), (torch.randn(1, 16), step, torch.randn(1, 16), text)
    yield "Sana", lambda: d.SanaTransformer2DModel(
        **heads, in_channels=4, out_channels=4, num_cross_attention_heads=2, cross_attention_head_dim=8, cross_attention_dim=16,
        caption_channels=16, sample_size=8), (picture, text, step)
    yield "AuraFlow", lambda: d.AuraFlowTransformer2DModel(
        sample_size=8, patch_size=2, in_channels=4, num_mmdit_layers=1, num_single_dit_layers=1, attention_head_dim=8,
        num_attention_heads=2, caption_projection_dim=16, joint_attention_dim=16, pos_embed_max_size=16), (picture, text, torch.tensor([0.5]))
    yield "Lumina2", lambda: d.Lumina2Transformer2DModel(
        sample_size=8, in_channels=4, hidden_size=24, num_layers=1, num_refiner_layers=1, num_attention_heads=1, num_kv_heads=1,
        multiple_of=8, cap_feat_dim=16, axes_dim_rope=(8, 8, 8), axes_lens=(32, 16, 16)), (
            picture, step, text, torch.ones(1, 6, dtype=torch.bool))
    yield "CogVideoX", lambda: d.CogVideoXTransformer3DModel(
        **heads, in_channels=4, out_channels=4, time_embed_dim=2, text_embed_dim=16, sample_width=8, sample_height=8, sample_frames=5,
        max_text_seq_length=6), (torch.randn(1, 2, 4, 8, 8), text, step)
    yield "LTXVideo", lambda: d.LTXVideoTransformer3DModel(
        **heads, in_channels=4, out_channels=4, cross_attention_dim=16, caption_channels=16), {
            "hidden_states": torch.randn(1, 8, 4), "encoder_hidden_states": text, "timestep": step,
            "encoder_attention_mask": torch.ones(1, 6), "num_frames": 2, "height": 2, "width": 2}
    yield "Wan", lambda: d.WanTransformer3DModel(
        num_attention_heads=2, attention_head_dim=12, in_channels=4, out_channels=4, text_dim=16, freq_dim=16, ffn_dim=32, num_layers=1), (
            torch.randn(1, 4, 2, 8, 8), step, text)
    yield "Mochi", lambda: d.MochiTransformer3DModel(
        **heads, in_channels=4, text_embed_dim=16, pooled_projection_dim=16, time_embed_dim=4, max_sequence_length=6), (
            torch.randn(1, 4, 2, 8, 8), text, step, torch.ones(1, 6, dtype=torch.bool))
    yield "StableAudioDiT", lambda: d.StableAudioDiTModel(
        sample_size=8, in_channels=4, num_layers=1, attention_head_dim=8, num_attention_heads=2, num_key_value_attention_heads=1,
        out_channels=4, cross_attention_dim=16, time_proj_dim=8, global_states_input_dim=16, cross_attention_input_dim=16), (
            torch.randn(1, 4, 8), step, text, torch.randn(1, 1, 16))


def generative_models():
    import diffusers
    import torch

    for family in (_unets, _autoencoders, _transformers):
        for name, make, arguments in family(diffusers, torch):
            yield f"diffusers/{name}", lambda make=make, arguments=arguments: (make(), arguments)
