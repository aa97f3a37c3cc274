# SPDX-License-Identifier: MIT
"""Networks with random weights and statistics, for tools/compare_int8_accuracy.py. A network's package is imported when the
network is made."""
import zlib

import torch


def timm_net(name):
    import timm
    return timm.create_model(name)


def torchvision_net(name):
    import torchvision
    return getattr(torchvision.models, name)(weights=None)


def detector(file):
    from ultralytics.nn.tasks import DetectionModel
    return DetectionModel(file, verbose=False)


def classifier(file):
    from ultralytics.nn.tasks import ClassificationModel
    return ClassificationModel(file, verbose=False)


def segmenter(kind, encoder):
    import segmentation_models_pytorch
    return getattr(segmentation_models_pytorch, kind)(encoder, encoder_weights=None)


# The function that makes a network, and the side of its pictures.
NETS = {
    "shufflenet_v2_x0_5": (lambda: torchvision_net("shufflenet_v2_x0_5"), 128),
    "repvit_m3": (lambda: timm_net("repvit_m3"), 128),
    "regnetx_040": (lambda: timm_net("regnetx_040"), 128),
    "resnet34": (lambda: timm_net("resnet34"), 128),
    "repghostnet_111": (lambda: timm_net("repghostnet_111"), 128),
    "mnasnet0_5": (lambda: torchvision_net("mnasnet0_5"), 128),
    "yolov8n_p2": (lambda: detector("yolov8n-p2.yaml"), 128),
    "mobileone_s4": (lambda: timm_net("mobileone_s4"), 128),
    "unet_lite0": (lambda: segmenter("Unet", "timm-tf_efficientnet_lite0"), 128),
    "mixnet_m": (lambda: timm_net("mixnet_m"), 128),
    "yolov8n_ghost": (lambda: detector("yolov8n-ghost.yaml"), 128),
    "vovnet39a": (lambda: timm_net("vovnet39a"), 128),
    "regnet_x_800mf": (lambda: torchvision_net("regnet_x_800mf"), 128),
    "hgnetv2_b4": (lambda: timm_net("hgnetv2_b4"), 128),
    "yolov8n_cls_resnet50": (lambda: classifier("yolov8n-cls-resnet50.yaml"), 128),
    "linknet_xception": (lambda: segmenter("Linknet", "xception"), 128),
    "cspdarknet53": (lambda: timm_net("cspdarknet53"), 128),
}


def make(name):
    """Returns the network of that name, ready to infer, and the side of its pictures. Batch normalisations get random
    statistics and factors, from a seed that is made from the name."""
    build, side = NETS[name]
    torch.manual_seed(zlib.crc32(name.encode()))
    net = build().eval()
    for module in net.modules():
        if isinstance(module, torch.nn.modules.batchnorm._BatchNorm):
            module.running_mean.normal_(0, 0.1)
            module.running_var.uniform_(0.5, 1.5)
            module.weight.data.uniform_(0.3, 1)
            module.bias.data.normal_(0, 0.1)
    return net, side
