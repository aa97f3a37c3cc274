# SPDX-License-Identifier: MIT
"""Networks that restore or enlarge pictures: the architectures of spandrel, with fewer layers where the default is large."""

import importlib

# The class of each architecture in spandrel.architectures, and arguments that make it small.
_ARCHITECTURES = {
    "ATD": {"depths": [1, 1], "num_heads": [4, 4], "embed_dim": 48, "window_size": 8, "num_tokens": 16},
    "CRAFT": {"depths": [1, 1], "num_heads": [2, 2], "embed_dim": 24},
    "Compact": {},
    "DAT": {"depth": [2, 2], "num_heads": [2, 2], "embed_dim": 32, "split_size": [2, 4]},
    "DCTLSA": {},
    "DITN": {},
    "DRCT": {"depths": [1, 1], "num_heads": [2, 2], "embed_dim": 32, "window_size": 8},
    "DRUNet": {"in_nc": 3, "out_nc": 3, "nb": 1},
    "DnCNN": {"in_nc": 3, "out_nc": 3},
    "ESRGAN": {"num_blocks": 2},
    "FBCNN": {"nb": 1},
    "FDAT": {},
    "FFTformer": {"num_blocks": [1, 1, 1], "num_refinement_blocks": 1},
    "GFPGAN": {},
    "GRL": {"depths": [1, 1], "embed_dim": 32, "num_heads_window": [2, 2], "num_heads_stripe": [2, 2]},
    "HAT": {"depths": [1, 1], "num_heads": [2, 2], "embed_dim": 32, "window_size": 8},
    "HVICIDNet": {},
    "IPT": {"patch_size": 48, "num_layers": 1, "num_heads": 4},
    "KBNet_s": {"enc_blk_nums": [1, 1], "dec_blk_nums": [1, 1], "middle_blk_num": 1},
    "LaMa": {"in_nc": 4},
    "MMRealSR": {"num_in_ch": 3, "num_out_ch": 3, "num_block": 2},
    "MixDehazeNet": {},
    "MoESR": {},
    "MoSR": {"n_block": 2},
    "NAFNet": {"width": 16, "enc_blk_nums": [1, 1], "dec_blk_nums": [1, 1], "middle_blk_num": 1},
    "OmniSR": {"res_num": 1},
    "PLKSR": {"n_blocks": 2},
    "RealPLKSR": {"n_blocks": 2},
    "RCAN": {"n_resgroups": 2, "n_resblocks": 2},
    "RGT": {"depth": [2, 2], "num_heads": [2, 2], "embed_dim": 32, "split_size": [8, 8], "mlp_ratio": 2},
    "RealCUGAN": {"class": "UpCunet2x"},
    "RestoreFormer": {},
    "RetinexFormer": {"n_feat": 16},
    "SAFMN": {"dim": 24, "n_blocks": 2},
    "SAFMNBCIE": {"dim": 24, "n_blocks": 2},
    "SCUNet": {"config": [2, 2, 2, 2, 2, 2, 2]},
    "SPAN": {"num_in_ch": 3, "num_out_ch": 3},
    "SeemoRe": {},
    "SwiftSRGAN": {},
    "Swin2SR": {"depths": [2, 2], "window_size": 8, "num_heads": [2, 2], "embed_dim": 32, "upscale": 2, "upsampler": "pixelshuffle"},
    "SwinIR": {"depths": [2, 2], "num_heads": [2, 2], "embed_dim": 32, "window_size": 8, "upscale": 2, "upsampler": "pixelshuffle"},
    "Uformer": {"depths": [1, 1, 1, 1, 1, 1, 1, 1, 1]},
}
_FOLDERS = {"KBNet_s": "KBNet", "RealPLKSR": "PLKSR"}


def restoration_models():
    import spandrel  # noqa: F401: its absence is to be known before an architecture is made

    for name, arguments in _ARCHITECTURES.items():
        yield f"spandrel/{name}", lambda name=name, arguments=arguments: _model(name, arguments)


def _model(name, arguments):
    import torch

    arguments = dict(arguments)
    folder = importlib.import_module(f"spandrel.architectures.{_FOLDERS.get(name, name)}")
    model = getattr(folder, arguments.pop("class", name))(**arguments)
    size = {"GFPGAN": 512, "IPT": 48, "RestoreFormer": 512, "Uformer": 128}.get(name, 64)
    picture = torch.rand(1, 3, size, size)
    return model, (picture, (torch.rand(1, 1, size, size) > 0.7).float()) if name == "LaMa" else picture
