# SPDX-License-Identifier: MIT
"""Networks of braindecode for recordings of the brain and of muscles."""

# By class: arguments that make it small, or that it has to have.
_NETWORKS = {
    "ATCNet": {"n_windows": 2},
    "AttentionBaseNet": {},
    "AttnSleep": {"n_chans": 1, "sfreq": 100, "n_times": 3000},
    "BDTCN": {},
    "BIOT": {"embed_dim": 32, "num_heads": 4, "num_layers": 2},
    "BrainModule": {"hidden_dim": 16, "depth": 4, "n_subjects": 3},
    "CBraMod": {"n_layer": 2, "n_times": 800, "dim_feedforward": 64},
    "CTNet": {"num_layers": 2},
    "CodeBrain": {"num_res_layers": 2, "n_chans": 19, "n_times": 800, "sfreq": 200},
    "ContraWR": {"emb_size": 32, "res_channels": [8, 16]},
    "DGCNN": {"n_filters": 8, "mlp_dims": (16,)},
    "Deep4Net": {"n_filters_time": 8, "n_filters_spat": 8, "n_filters_2": 8, "n_filters_3": 8, "n_filters_4": 8},
    "DeepSleepNet": {"n_chans": 1, "sfreq": 100, "n_times": 3000, "bilstm_hidden_size": 16},
    "EEGConformer": {"num_layers": 2},
    "EEGDINO": {"n_layer": 2, "n_times": 800, "n_chans": 19, "dim_feedforward": 64},
    "EEGITNet": {},
    "EEGInceptionERP": {},
    "EEGInceptionMI": {"n_filters": 4, "n_convs": 2},
    "EEGMiner": {},
    "EEGNeX": {},
    "EEGNet": {},
    "EEGPT": {"embed_dim": 64, "depth": 2, "num_heads": 4, "n_chans": 19},
    "EEGSimpleConv": {"feature_maps": 16},
    "EEGSym": {"n_chans": 8},
    "EEGTCNet": {},
    "EMG2QwertyNet": {"n_chans": 32, "mlp_features": (16,), "block_channels": (4, 4), "sfreq": 2000, "n_times": 2000},
    "FBCNet": {"n_filters_spat": 4},
    "FBLightConvNet": {"n_filters_spat": 8},
    "FBMSNet": {},
    "IFNet": {"n_filters_spat": 8},
    "LUNA": {"embed_dim": 16, "depth": 2, "n_times": 800},
    "MEDFormer": {"num_layers": 2, "embed_dim": 16, "num_heads": 2},
    "MSVTNet": {},
    "MVPFormer": {"segment_len": 200, "d_model": 32, "n_layers": 2, "d_inner": 64, "n_times": 1000},
    "NeuroPose": {"n_chans": 16, "n_times": 1000},
    "PBT": {"embed_dim": 32, "num_layers": 2},
    "SCCNet": {},
    "SPARCNet": {"growth_rate": 4},
    "SSTDPN": {},
    "STEEGFormer": {"embed_dim": 32, "depth": 2, "num_heads": 4},
    "SensingDynamics": {"n_chans": 16, "n_times": 1000, "temporal_channels": 8, "mid_channels": 8, "spatial_channels": 8, "mlp_hidden": 16},
    "ShallowFBCSPNet": {},
    "SignalJEPA": {"transformer__num_encoder_layers": 2},
    "SignalJEPA_Contextual": {"transformer__num_encoder_layers": 2},
    "SignalJEPA_PostLocal": {},
    "SignalJEPA_PreLocal": {},
    "SincShallowNet": {},
    "SleepStagerBlanco2020": {},
    "SleepStagerChambon2018": {"sfreq": 100, "n_times": 3000},
    "SyncNet": {},
    "TCFormer": {},
    "TIDNet": {},
    "TSception": {"hidden_size": 16},
    "USleep": {"depth": 4, "sfreq": 128, "n_times": 3840},
    "VEMG2Pose": {"n_chans": 16, "n_times": 3000, "encoder_channels": 16, "feature_dim": 8, "hidden_size": 16, "decoder_hidden_sizes": (16,)},
    "ZUNA": {"n_times": 1024, "dim": 32, "n_layers": 2, "n_heads": 4, "head_dim": 8, "multiple_of": 16},
}


def brain_models():
    from braindecode import models

    for name, arguments in _NETWORKS.items():
        yield f"braindecode/{name}", lambda name=name, arguments=arguments: _model(getattr(models, name), arguments)


def _model(class_, arguments):
    import torch

    recording = {"n_chans": 6, "n_outputs": 3, "n_times": 1000, "sfreq": 250} | arguments
    places = [{"ch_name": name, "loc": torch.randn(12).numpy()} for name in _electrodes(recording["n_chans"])]
    module = class_(**recording, chs_info=places)
    return module, torch.randn(2, recording["n_chans"], recording["n_times"])


def _electrodes(count):
    names = ["Fp1", "Fp2", "F7", "F3", "Fz", "F4", "F8", "T7", "C3", "Cz", "C4", "T8", "P7", "P3", "Pz", "P4", "P8", "O1", "O2"]
    return names[:count] if count <= len(names) else [f"E{index}" for index in range(count)]
