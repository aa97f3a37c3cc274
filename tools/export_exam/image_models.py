# SPDX-License-Identifier: MIT
"""Networks for images: the smallest one of each file of timm, torchvision's, segmentation models and YOLO."""

import collections

import torch


def timm_models():
    """For each file of timm.models, its variant with the fewest weights."""
    import timm

    modules = collections.defaultdict(list)
    for name in timm.list_models():
        modules[timm.models.model_entrypoint(name).__module__.rsplit(".", 1)[-1]].append(name)
    for file, names in sorted(modules.items()):
        yield f"timm/{file}", lambda names=names: _timm_model(names)


def _timm_model(names):
    import timm

    sizes = {}
    for name in names[:12]:
        try:
            with torch.device("meta"):
                model = timm.create_model(name)
            sizes[name] = sum(weight.numel() for weight in model.parameters())
        except Exception:  # cannot be made without memory
            continue
    name = min(sizes, key=sizes.get) if sizes else names[0]
    model = timm.create_model(name)
    return model, torch.rand(1, *timm.data.resolve_model_data_config(model)["input_size"]) * 2 - 1


_TORCHVISION = {
    "alexnet": 224, "convnext_tiny": 224, "deeplabv3_mobilenet_v3_large": 224, "densenet121": 224,
    "efficientnet_b0": 224, "efficientnet_v2_s": 224, "fcn_resnet50": 128, "googlenet": 224, "inception_v3": 299,
    "lraspp_mobilenet_v3_large": 224, "maxvit_t": 224, "mnasnet0_5": 224, "mobilenet_v2": 224,
    "mobilenet_v3_small": 224, "regnet_x_400mf": 224, "regnet_y_400mf": 224, "resnet18": 224, "resnet50": 224,
    "resnext50_32x4d": 224, "shufflenet_v2_x1_0": 224, "squeezenet1_1": 224, "swin_t": 224, "swin_v2_t": 224,
    "vgg11_bn": 224, "vit_b_16": 224, "wide_resnet50_2": 128,
}  # fmt: skip
_VIDEOS = ("mc3_18", "mvit_v1_b", "r2plus1d_18", "r3d_18", "s3d", "swin3d_t")


def torchvision_models():
    import torchvision

    for name, size in _TORCHVISION.items():
        yield f"torchvision/{name}", lambda name=name, size=size: (
            torchvision.models.get_model(name, weights=None, weights_backbone=None)
            if name.startswith(("deeplab", "fcn", "lraspp"))
            else torchvision.models.get_model(name, weights=None, **({"init_weights": False} if name in ("googlenet", "inception_v3") else {})),
            torch.rand(1, 3, size, size) * 2 - 1,
        )
    for name in _VIDEOS:
        size = 112 if name in ("mc3_18", "r2plus1d_18", "r3d_18") else 224
        frames = 16 if name != "s3d" else 14
        yield f"torchvision/{name}", lambda name=name, size=size, frames=frames: (
            torchvision.models.get_model(name, weights=None),
            torch.rand(1, 3, frames, size, size) * 2 - 1,
        )
    yield (
        "torchvision/raft_small",
        lambda: (
            torchvision.models.get_model("raft_small", weights=None),
            {"image1": torch.rand(1, 3, 128, 128), "image2": torch.rand(1, 3, 128, 128), "num_flow_updates": 2},
        ),
    )


def segmentation_models():
    import segmentation_models_pytorch as smp

    for name in ("Unet", "UnetPlusPlus", "MAnet", "Linknet", "FPN", "PSPNet", "DeepLabV3", "DeepLabV3Plus", "PAN", "UPerNet"):
        yield f"segmentation/{name}", lambda name=name: (
            getattr(smp, name)("resnet18", encoder_weights=None),
            torch.rand(1, 3, 128, 128) * 2 - 1,
        )
    for encoder in ("mit_b0", "mobilenet_v2", "efficientnet-b0", "timm-regnetx_002"):
        yield f"segmentation/Unet_{encoder}", lambda encoder=encoder: (
            smp.Unet(encoder, encoder_weights=None),
            torch.rand(1, 3, 128, 128) * 2 - 1,
        )
    yield (
        "segmentation/Segformer",
        lambda: (smp.Segformer("mit_b0", encoder_weights=None), torch.rand(1, 3, 128, 128) * 2 - 1),
    )


def yolo_models():
    from ultralytics.nn.tasks import ClassificationModel, DetectionModel, PoseModel, SegmentationModel

    kinds = {"": DetectionModel, "-seg": SegmentationModel, "-pose": PoseModel, "-cls": ClassificationModel}
    for family in ("yolov5n", "yolov8n", "yolov9t", "yolov10n", "yolo11n", "yolo12n"):
        for suffix, kind in kinds.items():
            if suffix and family not in ("yolov8n", "yolo11n"):
                continue
            yield f"ultralytics/{family}{suffix}", lambda name=f"{family}{suffix}", kind=kind: _yolo(name, kind)
    yield "ultralytics/rtdetr-l", lambda: _yolo("rtdetr-l", _rtdetr())


def _rtdetr():
    from ultralytics.nn.tasks import RTDETRDetectionModel

    return RTDETRDetectionModel


def _yolo(name, kind):
    model = kind(f"{name}.yaml", ch=3, verbose=False).eval()
    head = model.model[-1]
    if hasattr(head, "export"):
        head.export, head.format, head.dynamic = True, "torchscript", False
    return model, torch.rand(1, 3, 256, 256)
