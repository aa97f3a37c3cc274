# SPDX-License-Identifier: MIT
"""Vision transformers of vit-pytorch: one class in each of its files, with few layers and channels."""

import importlib

_PICTURE = {"image_size": 32, "patch_size": 8, "num_classes": 5, "dim": 16, "depth": 2, "heads": 2, "mlp_dim": 32}
_NARROW = _PICTURE | {"dim_head": 8}
_WITHOUT_PATCHES = {key: value for key, value in _NARROW.items() if key not in ("image_size", "patch_size", "mlp_dim")}
_VIDEO = _NARROW | {"image_patch_size": 8, "frames": 4, "frame_patch_size": 2}
_VIDEO.pop("patch_size")
_VOLUME = _NARROW | {"ndim": 3, "input_shape": (8, 16, 16), "patch_size": (4, 8, 8)}
_VOLUME.pop("image_size")
_SERIES = _NARROW | {"seq_len": 64}
_SERIES.pop("image_size")
_SLICES = (2, 3, 4, 32, 32)

# By file: the class, its arguments, and the shape of its input; a picture of 32 x 32 if there is none.
_NETWORKS = {
    "ats_vit": ("ViT", _NARROW | {"max_tokens_per_depth": (12, 8)}),
    "attn_residual_with_dca_simple_vit": ("SimpleViT", _NARROW),
    "cait": ("CaiT", _NARROW | {"cls_depth": 1}),
    "cct": ("CCT", {"img_size": 32, "embedding_dim": 16, "num_layers": 2, "num_heads": 2, "mlp_ratio": 2, "num_classes": 5}),
    "cct_3d": ("CCT", {
        "img_size": 32, "num_frames": 4, "embedding_dim": 16, "num_layers": 2, "num_heads": 2, "mlp_ratio": 2, "num_classes": 5}, _SLICES),
    "cross_vit": ("CrossViT", {
        "image_size": 48, "num_classes": 5, "sm_dim": 16, "lg_dim": 24, "sm_enc_mlp_dim": 32, "lg_enc_mlp_dim": 32, "lg_enc_depth": 1,
        "depth": 1}, (2, 3, 48, 48)),
    "crossformer": ("CrossFormer", {
        "dim": (32, 48, 64, 96), "depth": (1, 1, 2, 1), "global_window_size": (4, 2, 2, 1), "local_window_size": 2, "num_classes": 5},
        (2, 3, 256, 256)),
    "cvt": ("CvT", {"num_classes": 5, "s1_emb_dim": 16, "s2_emb_dim": 24, "s3_emb_dim": 32, "s3_depth": 2}, (2, 3, 64, 64)),
    "deepvit": ("DeepViT", _NARROW),
    "jet_vit": ("JetViT", _NARROW | {"window_size": 3}),
    "jumbo_vit": ("JumboViT", _NARROW),
    "levit": ("LeViT", {
        "image_size": 64, "num_classes": 5, "dim": (16, 24, 32), "depth": 1, "heads": (2, 2, 4), "mlp_mult": 2, "num_distill_classes": 5},
        (2, 3, 64, 64)),
    "look_vit": ("LookViT", {
        "dim": 16, "image_size": 48, "num_classes": 5, "depth": 2, "heads": 2, "dim_head": 8, "patch_size": 16, "highres_patch_size": 8},
        (2, 3, 48, 48)),
    "looped_vit": ("LoopedViT", {key: value for key, value in _NARROW.items() if key != "depth"} | {
        "pre_loop_depth": 1, "num_looped_blocks": 1, "post_loop_depth": 1, "loop_depth": 2}),
    "max_vit": ("MaxViT", {"num_classes": 5, "dim": 16, "depth": (1, 1), "dim_head": 8, "window_size": 4}, (2, 3, 64, 64)),
    "max_vit_with_registers": ("MaxViT", {"num_classes": 5, "dim": 16, "depth": (1, 1), "dim_head": 8, "window_size": 4}, (2, 3, 64, 64)),
    "mobile_vit": ("MobileViT", {
        "image_size": (64, 64), "dims": [16, 24, 32], "channels": [8, 8, 16, 16, 24, 24, 32, 32, 40, 40, 48], "num_classes": 5}, (2, 3, 64, 64)),
    "mp3": ("ViT", _NARROW),
    "nest": ("NesT", {
        "image_size": 32, "patch_size": 4, "num_classes": 5, "dim": 16, "heads": 2, "num_hierarchies": 3, "block_repeats": (1, 1, 1),
        "dim_head": 8}),
    "normalized_vit": ("nViT", _NARROW),
    "parallel_vit": ("ViT", _NARROW),
    "pit": ("PiT", _NARROW | {"depth": (1, 1)}),
    "regionvit": ("RegionViT", {
        "dim": (16, 24, 32, 48), "depth": (1, 1, 1, 1), "window_size": 2, "num_classes": 5, "tokenize_local_3_conv": True, "use_peg": True},
        (2, 3, 64, 64)),
    "rvt": ("RvT", _NARROW),
    "scalable_vit": ("ScalableViT", {
        "num_classes": 5, "dim": 16, "depth": (1, 1, 2, 1), "heads": (2, 2, 2, 2), "reduction_factor": (8, 4, 2, 1),
        "window_size": (4, 4, None, None)}, (2, 3, 64, 64)),
    "sep_vit": ("SepViT", _WITHOUT_PATCHES | {"depth": (1, 1), "heads": (2, 2)}, (2, 3, 56, 56)),
    "simple_flash_attn_vit": ("SimpleViT", _NARROW),
    "simple_flash_attn_vit_3d": ("SimpleViT", _VIDEO, _SLICES),
    "simple_uvit": ("SimpleUViT", _NARROW),
    "simple_vit": ("SimpleViT", _NARROW),
    "simple_vit_1d": ("SimpleViT", _SERIES, (2, 3, 64)),
    "simple_vit_3d": ("SimpleViT", _VIDEO, _SLICES),
    "simple_vit_attn_residual": ("SimpleViTAttnResidual", _NARROW),
    "simple_vit_orthog_residual_update": ("SimpleViT", _NARROW),
    "simple_vit_with_fft": ("SimpleViT", _NARROW | {"freq_patch_size": 8}),
    "simple_vit_with_hyper_connections": ("SimpleViT", _NARROW | {"num_residual_streams": 2}),
    "simple_vit_with_patch_dropout": ("SimpleViT", _NARROW),
    "simple_vit_with_qk_norm": ("SimpleViT", _NARROW),
    "simple_vit_with_register_tokens": ("SimpleViT", _NARROW),
    "simple_vit_with_relative_proj_pos_bias": ("SimpleViT", _NARROW),
    "simple_vit_with_sparse_gating": ("SimpleViTWithSparseGating", _NARROW),
    "simple_vit_with_specialized_cls": ("SimpleViT", _NARROW),
    "simple_vit_with_value_residual": ("SimpleViT", _NARROW),
    "t2t": ("T2TViT", {"image_size": 32, "num_classes": 5, "dim": 16, "depth": 2, "heads": 2, "mlp_dim": 32}),
    "twins_svt": ("TwinsSVT", {
        "num_classes": 5, "s1_emb_dim": 16, "s1_local_patch_size": 4, "s1_global_k": 4, "s2_emb_dim": 24, "s2_local_patch_size": 4,
        "s2_global_k": 4, "s3_emb_dim": 32, "s3_local_patch_size": 2, "s3_global_k": 2, "s3_depth": 1, "s4_emb_dim": 48,
        "s4_local_patch_size": 2, "s4_global_k": 2, "s4_depth": 1}, (2, 3, 64, 64)),
    "vit": ("ViT", _NARROW),
    "vit_1d": ("ViT", _SERIES, (2, 3, 64)),
    "vit_3d": ("ViT", _VIDEO, _SLICES),
    "vit_5": ("ViT", _NARROW),
    "vit_detpool": ("ViTDetPool", _NARROW),
    "vit_for_small_dataset": ("ViT", _NARROW),
    "vit_nd": ("ViTND", _VOLUME, (2, 3, 8, 16, 16)),
    "vit_nd_pope": ("ViTND", _VOLUME, (2, 3, 8, 16, 16)),
    "vit_nd_rotary": ("ViTND", _VOLUME, (2, 3, 8, 16, 16)),
    "vit_with_decorr": ("ViT", _NARROW),
    "vit_with_keel_post_ln": ("ViT", _NARROW),
    "vit_with_patch_dropout": ("ViT", _NARROW),
    "vit_with_patch_merger": ("ViT", _NARROW | {"patch_merge_layer": 1, "patch_merge_num_tokens": 4}),
    "vivit": ("ViViT", {key: value for key, value in _VIDEO.items() if key != "depth"} | {"spatial_depth": 1, "temporal_depth": 1}, _SLICES),
    "vivit_with_moss": (
        "ViViT", {key: value for key, value in _VIDEO.items() if key != "depth"} | {"spatial_depth": 1, "temporal_depth": 1}, _SLICES),
    "wwt": ("WWT", _NARROW | {"num_slots": 4}),
    "xcit": ("XCiT", _NARROW | {"cls_depth": 1}),
}


def vision_transformers():
    import vit_pytorch  # noqa: F401: its absence is to be known before an architecture is made

    for name, (class_, arguments, *shape) in _NETWORKS.items():
        yield f"vit-pytorch/{name}", lambda name=name, class_=class_, arguments=arguments, shape=shape: _model(name, class_, arguments, *shape)


def _model(name, class_, arguments, shape=(2, 3, 32, 32)):
    import torch

    return getattr(importlib.import_module(f"vit_pytorch.{name}"), class_)(**arguments), torch.rand(shape)
