# SPDX-License-Identifier: MIT
"""Networks of torchaudio for speech and sound."""


def _networks(models, torch):
    """By name: what makes the network, and its arguments."""
    sound = torch.randn(1, 8000)
    wav2vec = {
        "extractor_mode": "group_norm", "extractor_conv_layer_config": [(32, 10, 5), (32, 3, 2), (32, 3, 2)],
        "extractor_conv_bias": False, "encoder_embed_dim": 32, "encoder_projection_dropout": 0.0, "encoder_pos_conv_kernel": 9,
        "encoder_pos_conv_groups": 4, "encoder_num_layers": 2, "encoder_num_heads": 4, "encoder_attention_dropout": 0.0,
        "encoder_ff_interm_features": 64, "encoder_ff_interm_dropout": 0.0, "encoder_dropout": 0.0,
        "encoder_layer_norm_first": False, "encoder_layer_drop": 0.0, "aux_num_out": 12}
    wavlm = wav2vec | {"encoder_num_buckets": 32, "encoder_max_distance": 80}
    yield "Wav2Vec2", lambda: models.wav2vec2_model(**wav2vec), sound
    yield "Wav2Vec2_layer_norm", lambda: models.wav2vec2_model(
        **wav2vec | {"extractor_mode": "layer_norm", "encoder_layer_norm_first": True}), sound
    yield "WavLM", lambda: models.wavlm_model(**wavlm), sound
    yield "Conformer", lambda: models.Conformer(32, 4, 64, 2, 7), (torch.randn(2, 20, 32), torch.tensor([20, 13]))
    yield "Emformer", lambda: models.Emformer(32, 4, 64, 2, 4, right_context_length=1), (torch.randn(1, 13, 32), torch.tensor([12]))
    yield "ConvTasNet", lambda: models.ConvTasNet(enc_num_feats=32, msk_num_feats=16, msk_num_hidden_feats=32, msk_num_layers=3), sound[None]
    yield "DeepSpeech", lambda: models.DeepSpeech(40, n_hidden=64), torch.randn(1, 1, 20, 40)
    yield "Wav2Letter", lambda: models.Wav2Letter(10, "power_spectrum", 40), torch.randn(1, 40, 60)
    yield "WaveRNN", lambda: models.WaveRNN([2, 2], 8, 4, n_res_block=1, n_rnn=16, n_fc=16, n_freq=20, n_hidden=8, n_output=8), (
        torch.randn(1, 1, 24), torch.randn(1, 1, 20, 10))
    yield "HDemucs", lambda: models.hdemucs_low(sources=["a", "b"]), torch.randn(1, 2, 44100)
    yield "SquimObjective", lambda: models.squim_objective_base(), torch.randn(1, 8000)
    yield "HuBERT_pretrain", lambda: models.hubert_pretrain_model(
        **{key: value for key, value in wav2vec.items() if key != "aux_num_out"}, mask_prob=0.0, mask_selection="static", mask_other=0.0,
        mask_length=10, no_mask_overlap=False, mask_min_space=1, mask_channel_prob=0.0, mask_channel_selection="static",
        mask_channel_other=0.0, mask_channel_length=10, no_mask_channel_overlap=False, mask_channel_min_space=1, skip_masked=False,
        skip_nomask=False, num_classes=8, final_dim=16, feature_grad_mult=None).wav2vec2, sound


def _transforms(transforms, torch):
    sound = torch.randn(1, 8000)
    yield "Spectrogram", lambda: transforms.Spectrogram(256), sound
    yield "MelSpectrogram", lambda: transforms.MelSpectrogram(16000, 256, n_mels=32), sound
    yield "MFCC", lambda: transforms.MFCC(16000, 20, melkwargs={"n_fft": 256, "n_mels": 32}), sound
    yield "LFCC", lambda: transforms.LFCC(16000, n_lfcc=20, speckwargs={"n_fft": 256}), sound
    yield "Resample", lambda: transforms.Resample(16000, 11025), sound
    yield "AmplitudeToDB", lambda: transforms.AmplitudeToDB(), torch.rand(1, 20, 30)
    yield "MuLawEncoding", lambda: transforms.MuLawEncoding(), sound.clamp(-1, 1)
    yield "GriffinLim", lambda: transforms.GriffinLim(128, n_iter=4, rand_init=False), torch.rand(1, 65, 20)
    yield "InverseSpectrogram", lambda: transforms.InverseSpectrogram(128), torch.randn(1, 65, 20, dtype=torch.complex64)
    yield "ComputeDeltas", lambda: transforms.ComputeDeltas(), torch.randn(1, 20, 30)
    yield "SlidingWindowCmn", lambda: transforms.SlidingWindowCmn(9), torch.randn(1, 30, 20)
    yield "PitchShift", lambda: transforms.PitchShift(16000, 3, n_fft=256), sound
    yield "SpectralCentroid", lambda: transforms.SpectralCentroid(16000, 256), sound
    yield "PSD", lambda: transforms.PSD(), torch.randn(2, 9, 12, dtype=torch.complex64)
    yield "MVDR", lambda: transforms.MVDR(), (torch.randn(3, 9, 12, dtype=torch.complex64), torch.rand(9, 12))


def speech_models():
    import torch
    from torchaudio import models, transforms

    for name, make, arguments in [*_networks(models, torch), *_transforms(transforms, torch)]:
        yield f"torchaudio/{name}", lambda make=make, arguments=arguments: (make(), arguments)
