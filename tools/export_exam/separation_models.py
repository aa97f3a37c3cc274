# SPDX-License-Identifier: MIT
"""Networks for speech: those of asteroid separate voices, those of speechbrain recognise and speak."""

import importlib

# By name: the class of asteroid.models and arguments that make it small.
_SEPARATORS = {
    "ConvTasNet": {"n_src": 2, "n_blocks": 2, "n_repeats": 1, "bn_chan": 8, "hid_chan": 16, "skip_chan": 8, "n_filters": 16},
    "DPRNNTasNet": {"n_src": 2, "bn_chan": 8, "hid_size": 8, "chunk_size": 20, "n_repeats": 1, "n_filters": 16},
    "DPTNet": {"n_src": 2, "n_heads": 2, "ff_hid": 8, "chunk_size": 20, "n_repeats": 1, "n_filters": 16},
    "LSTMTasNet": {"n_src": 2, "hid_size": 8, "n_layers": 1, "n_filters": 16},
    "SuDORMRFNet": {"n_src": 2, "bn_chan": 8, "num_blocks": 1, "upsampling_depth": 2, "n_filters": 16},
    "SuDORMRFImprovedNet": {"n_src": 2, "bn_chan": 8, "num_blocks": 1, "upsampling_depth": 2, "n_filters": 16},
    "DeMask": {"input_type": "mag", "output_type": "mag", "hidden_dims": (16,)},
    "DCUNet": {"architecture": "mini", "fix_length_mode": "pad"},
    "FasNetTAC": {"n_src": 2, "enc_dim": 8, "feature_dim": 8, "hidden_dim": 8, "n_layers": 1},
}

# By name: the module below speechbrain, the class, its arguments, and what it is called with (the words of _inputs).
_SPEECHBRAIN = {
    "ECAPA_TDNN": ("lobes.models.ECAPA_TDNN", "ECAPA_TDNN", {
        "input_size": 20, "channels": [16, 16, 16, 16, 48], "attention_channels": 8, "lin_neurons": 12}, "features lengths"),
    "Xvector": ("lobes.models.Xvector", "Xvector", {
        "in_channels": 20, "tdnn_blocks": 3, "tdnn_channels": [16, 16, 24], "tdnn_kernel_sizes": [3, 3, 1], "tdnn_dilations": [1, 2, 1],
        "lin_neurons": 12, "device": "cpu"}, "features lengths"),
    "ResNet": ("lobes.models.ResNet", "ResNet", {
        "input_size": 80, "channels": [8, 8, 8, 8], "block_sizes": [1, 1, 1, 1], "lin_neurons": 12}, "wide"),
    "CRDNN": ("lobes.models.CRDNN", "CRDNN", {
        "input_size": 20, "cnn_blocks": 1, "cnn_channels": [8], "rnn_layers": 1, "rnn_neurons": 8, "dnn_neurons": 8}, "features"),
    "ContextNet": ("lobes.models.ContextNet", "ContextNet", {
        "input_shape": (2, 40, 20), "out_channels": 12, "conv_channels": [8, 8], "num_blocks": 2, "num_layers": 1, "inner_dim": 4,
        "strides": [1, 2]}, "features"),
    "Cnn14": ("lobes.models.Cnn14", "Cnn14", {"mel_bins": 80, "emb_dim": 16}, "wide"),
    "HifiGAN": ("lobes.models.HifiGAN", "HifiganGenerator", {
        "in_channels": 20, "out_channels": 1, "resblock_type": "1", "resblock_dilation_sizes": [[1, 3, 5]], "resblock_kernel_sizes": [3],
        "upsample_kernel_sizes": [4, 4], "upsample_initial_channel": 16, "upsample_factors": [2, 2], "inference_padding": 2}, "channels"),
    "EnhanceResnet": ("lobes.models.EnhanceResnet", "EnhanceResnet", {
        "n_fft": 128, "win_length": 8, "hop_length": 4, "sample_rate": 16000, "channel_counts": [8, 8], "dense_count": 1,
        "dense_nodes": 16}, "sound"),
    "VanillaNN": ("lobes.models.VanillaNN", "VanillaNN", {"input_shape": (None, None, 20), "dnn_neurons": 16}, "features"),
    "RNNLM": ("lobes.models.RNNLM", "RNNLM", {"output_neurons": 12, "embedding_dim": 8, "rnn_neurons": 8, "dnn_neurons": 8}, "tokens"),
    "Tacotron2_postnet": ("lobes.models.Tacotron2", "Postnet", {"n_mel_channels": 20, "postnet_embedding_dim": 16}, "channels"),
    "DualPath": ("lobes.models.dual_path", "SBTransformerBlock", {"num_layers": 1, "d_model": 20, "nhead": 2, "d_ffn": 16}, "features"),
    "Conformer": ("lobes.models.transformer.Conformer", "ConformerEncoder", {
        "num_layers": 1, "d_model": 20, "d_ffn": 16, "nhead": 2, "kernel_size": 5, "attention_type": "regularMHA"}, "features"),
    "Branchformer": ("lobes.models.transformer.Branchformer", "BranchformerEncoder", {
        "num_layers": 1, "d_model": 20, "nhead": 2, "kernel_size": 5, "attention_type": "regularMHA", "csgu_linear_units": 32}, "features"),
    "TransformerLM": ("lobes.models.transformer.TransformerLM", "TransformerLM", {
        "vocab": 12, "d_model": 16, "nhead": 2, "num_encoder_layers": 1, "d_ffn": 16}, "tokens"),
    "SincConv": ("nnet.CNN", "SincConv", {"out_channels": 8, "kernel_size": 11, "in_channels": 1}, "sound"),
    "GaborConv1d": ("nnet.CNN", "GaborConv1d", {"out_channels": 8, "kernel_size": 11, "stride": 2, "in_channels": 1}, "sound"),
    "Leaf": ("lobes.features", "Leaf", {"out_channels": 8, "in_channels": 1}, "sound"),
    "Fbank": ("lobes.features", "Fbank", {"deltas": True, "context": True, "n_mels": 20}, "sound"),
    "MFCC": ("lobes.features", "MFCC", {"n_mels": 20, "n_mfcc": 8}, "sound"),
    "LiGRU": ("nnet.RNN", "LiGRU", {"hidden_size": 8, "input_shape": (2, 40, 20), "bidirectional": True}, "features"),
    "SLiGRU": ("nnet.RNN", "SLiGRU", {"hidden_size": 8, "input_shape": (2, 40, 20)}, "features"),
    "QuasiRNN": ("nnet.RNN", "QuasiRNN", {"hidden_size": 8, "input_size": 20}, "features"),
    "LSTM": ("nnet.RNN", "LSTM", {"hidden_size": 8, "input_size": 20, "num_layers": 2}, "features"),
    "AttentivePooling": ("nnet.pooling", "AttentionPooling", {"input_dim": 20}, "features"),
    "StatisticsPooling": ("nnet.pooling", "StatisticsPooling", {}, "features"),
    "GaussianLowpassPooling": ("nnet.pooling", "GaussianLowpassPooling", {"in_channels": 20, "kernel_size": 5, "stride": 2}, "features"),
    "PCEN": ("nnet.normalization", "PCEN", {"input_size": 20, "trainable": True, "per_channel_smooth_coef": True}, "positive"),
    "RelPosMHAXL": ("nnet.attention", "RelPosMHAXL", {"embed_dim": 20, "num_heads": 2}, "features features features positions"),
}


def separation_models():
    from asteroid import models

    for name, arguments in _SEPARATORS.items():
        yield f"asteroid/{name}", lambda name=name, arguments=arguments: _separator(getattr(models, name), name, arguments)


def speech_networks():
    import speechbrain  # noqa: F401: its absence is to be known before an architecture is made

    for name, entry in _SPEECHBRAIN.items():
        yield f"speechbrain/{name}", lambda entry=entry: _network(*entry)


def _separator(class_, name, arguments):
    import torch

    arguments = dict(arguments)
    made = class_(arguments.pop("architecture"), **arguments) if "architecture" in arguments else class_(**arguments)
    return made, torch.randn(1, 2, 8000) if name == "FasNetTAC" else torch.randn(2, 4000)


def _network(module, class_, arguments, words):
    import torch

    given = {
        "features": torch.randn(2, 40, 20), "wide": torch.randn(2, 70, 80), "channels": torch.randn(2, 20, 40),
        "positive": torch.rand(2, 40, 20), "sound": torch.randn(2, 4000), "tokens": torch.randint(12, (2, 15)),
        "lengths": torch.tensor([1.0, 0.6]), "positions": torch.randn(1, 79, 20)}
    made = getattr(importlib.import_module(f"speechbrain.{module}"), class_)(**arguments)
    return made, tuple(given[word] for word in words.split())
