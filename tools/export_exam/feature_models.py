# SPDX-License-Identifier: MIT
"""kornia: networks for features of pictures, and modules that filter, colour, turn, encode and compare pictures."""


def _networks(feature, torch):
    """By name: what makes the module, and the shapes of its inputs or the inputs themselves."""
    from kornia.models import dexined, rrdbnet, tiny_vit, vit, vit_mobile, yunet

    gray, colour, patches = (1, 1, 64, 64), (1, 3, 64, 64), (5, 1, 32, 32)
    places = torch.tensor([[[8.0, 1.0, 30.0], [-1.0, 9.0, 28.0]], [[6.0, 0.0, 20.0], [0.0, 7.0, 40.0]]])[None]
    yield "DISK", lambda: feature.DISK(unet=None).unet, (1, 3, 64, 64)
    yield "DeFMO", lambda: feature.DeFMO(pretrained=False), (1, 6, 64, 64)
    yield "DenseSIFTDescriptor", lambda: feature.DenseSIFTDescriptor(), gray
    yield "HardNet", lambda: feature.HardNet(pretrained=False), patches
    yield "HardNet8", lambda: feature.HardNet8(pretrained=False), patches
    yield "HyNet", lambda: feature.HyNet(pretrained=False), patches
    yield "SOSNet", lambda: feature.SOSNet(pretrained=False), patches
    yield "TFeat", lambda: feature.TFeat(pretrained=False), patches
    yield "MKDDescriptor", lambda: feature.MKDDescriptor(whitening=None), patches
    yield "SIFTDescriptor", lambda: feature.SIFTDescriptor(32), patches
    yield "KeyNet", lambda: feature.KeyNet(pretrained=False), gray
    yield "XFeatModel", lambda: feature.XFeatModel(), (1, 3, 64, 96)
    yield "ALIKED", lambda: feature.ALIKED(), colour
    yield "SOLD2_net", lambda: feature.SOLD2_detector(pretrained=False).model, gray
    yield "LoFTR_backbone", lambda: feature.LoFTR(pretrained=None).backbone, gray
    yield "LoFTR", lambda: feature.LoFTR(pretrained=None), {"image0": torch.rand(gray), "image1": torch.rand(gray)}
    yield "LoFTR_transformer", lambda: feature.LoFTR(pretrained=None).loftr_coarse, (1, 16, 256), (1, 16, 256)
    yield "OriNet", lambda: feature.OriNet(pretrained=False), patches
    yield "PatchDominantGradientOrientation", lambda: feature.PatchDominantGradientOrientation(32), patches
    yield "PatchAffineShapeEstimator", lambda: feature.PatchAffineShapeEstimator(32), patches
    yield "LAFOrienter", lambda: feature.LAFOrienter(32), places, gray
    yield "LAFAffineShapeEstimator", lambda: feature.LAFAffineShapeEstimator(32), places, gray
    yield "LAFAffNetShapeEstimator", lambda: feature.LAFAffNetShapeEstimator(pretrained=False), places, gray
    yield "LAFDescriptor", lambda: feature.LAFDescriptor(feature.SIFTDescriptor(32), 32), gray, places
    yield "ScaleSpaceDetector", lambda: feature.ScaleSpaceDetector(20), gray
    yield "KeyNetDetector", lambda: feature.KeyNetDetector(False, 20), gray
    yield "DescriptorMatcher", lambda: feature.DescriptorMatcher("mnn"), (6, 16), (8, 16)
    yield "InterpolateSparse2d", lambda: feature.InterpolateSparse2d(), (1, 4, 8, 8), (1, 10, 2), 8, 8
    for name in ("BlobDoGSingle", "BlobHessian", "CornerGFTT"):
        yield name, getattr(feature, name), gray
    yield "CornerHarris", lambda: feature.CornerHarris(0.04), gray
    yield "BlobDoG", lambda: feature.BlobDoG(), (1, 1, 4, 32, 32)
    yield "TinyViT", lambda: tiny_vit.TinyViT(img_size=64, embed_dims=(16, 24, 32, 48), depths=(1, 1, 2, 1), num_heads=(2, 2, 2, 2)), colour
    yield "ViT", lambda: vit.VisionTransformer(32, 8, 3, 32, 2, 4), (2, 3, 32, 32)
    yield "MobileViT", lambda: vit_mobile.MobileViT(), (1, 3, 256, 256)
    yield "RRDBNet", lambda: rrdbnet.RRDBNet(3, 3, num_feat=8, num_block=1, num_grow_ch=4), colour
    yield "YuNet", lambda: yunet.YuNet("test", False), colour
    yield "DexiNed", lambda: dexined.DexiNed(pretrained=False), colour


def _filters(filters, contrib, torch):
    colour = (1, 3, 24, 32)
    yield "BilateralBlur", lambda: filters.BilateralBlur(5, 0.1, (1.0, 1.5)), colour
    yield "JointBilateralBlur", lambda: filters.JointBilateralBlur(5, 0.1, (1.0, 1.5)), colour, colour
    yield "GuidedBlur", lambda: filters.GuidedBlur(3, 0.1), colour, colour
    for name in ("BlurPool2D", "BoxBlur", "Laplacian", "MaxBlurPool2D", "MedianBlur"):
        yield name, lambda name=name: getattr(filters, name)(3), colour
    for name in ("Canny", "Sobel", "SpatialGradient", "OtsuThreshold"):
        yield name, getattr(filters, name), colour
    yield "EdgeAwareBlurPool2D", lambda: filters.EdgeAwareBlurPool2D(3), colour
    yield "GaussianBlur2d", lambda: filters.GaussianBlur2d(5, (1.0, 1.5)), colour
    yield "InRange", lambda: filters.InRange((0.2, 0.2, 0.2), (0.7, 0.7, 0.7)), colour
    yield "MotionBlur", lambda: filters.MotionBlur(5, 35.0, 0.5), colour
    yield "MotionBlur3D", lambda: filters.MotionBlur3D(3, (35.0, 10.0, 5.0), 0.5), (1, 2, 6, 8, 8)
    yield "SpatialGradient3d", lambda: filters.SpatialGradient3d(), (1, 2, 6, 8, 8)
    yield "UnsharpMask", lambda: filters.UnsharpMask(5, (1.0, 1.5)), colour
    yield "DistanceTransform", lambda: contrib.DistanceTransform(), (torch.rand(1, 1, 16, 16) > 0.9).float()
    yield "ExtractTensorPatches", lambda: contrib.ExtractTensorPatches(8, 4), colour
    yield "CombineTensorPatches", lambda: contrib.CombineTensorPatches((16, 16), 8, 8), (1, 4, 3, 8, 8)


def _colours(color, enhance):
    colour = (2, 3, 16, 24)
    for name in ("BgrToGrayscale", "BgrToRgb", "RgbToBgr", "RgbToGrayscale", "Sepia"):
        yield name, getattr(color, name), colour
    for space in ("Hls", "Hsv", "Lab", "LinearRgb", "Luv", "Xyz", "Ycbcr", "Yuv", "Yuv420", "Yuv422", "Rgb255"):
        if hasattr(color, f"RgbTo{space}"):
            yield f"RgbTo{space}", getattr(color, f"RgbTo{space}"), colour
        if space not in ("Yuv420", "Yuv422"):
            yield f"{space}ToRgb", getattr(color, f"{space}ToRgb"), colour
    yield "Yuv420ToRgb", color.Yuv420ToRgb, (2, 1, 16, 24), (2, 2, 8, 12)
    yield "Yuv422ToRgb", color.Yuv422ToRgb, (2, 1, 16, 24), (2, 2, 16, 12)
    yield "RgbToRaw", lambda: color.RgbToRaw(color.CFA.BG), colour
    yield "RawToRgb", lambda: color.RawToRgb(color.CFA.BG), (2, 1, 16, 24)
    yield "RawToRgb2x2Downscaled", lambda: color.RawToRgb2x2Downscaled(color.CFA.GB), (2, 1, 16, 24)
    yield "ApplyColorMap", lambda: color.ApplyColorMap(color.ColorMap("jet", 64)), (2, 1, 16, 24)
    for name in ("Brightness", "Contrast", "ContrastWithMeanSubtraction", "Gamma", "Hue", "Saturation", "SaturationWithGraySubtraction"):
        yield f"Adjust{name}", lambda name=name: getattr(enhance, f"Adjust{name}")(0.6), colour
    for name in ("AdjustLog", "AdjustSigmoid", "IntegralImage", "Invert"):
        yield name, getattr(enhance, name), colour
    yield "JPEGCodecDifferentiable", lambda: enhance.JPEGCodecDifferentiable(), (1, 3, 32, 32), (1,)


def _geometry(transform, torch):
    colour = (1, 3, 16, 24)
    yield "Affine", lambda: transform.Affine(torch.tensor([30.0])), colour
    yield "Rotate", lambda: transform.Rotate(torch.tensor([30.0])), colour
    yield "Scale", lambda: transform.Scale(torch.tensor([[1.3, 0.8]])), colour
    yield "Shear", lambda: transform.Shear(torch.tensor([[0.2, 0.1]])), colour
    yield "Translate", lambda: transform.Translate(torch.tensor([[2.0, 3.5]])), colour
    yield "Resize", lambda: transform.Resize((11, 40), antialias=True), colour
    yield "Rescale", lambda: transform.Rescale(0.5), colour
    yield "HomographyWarper", lambda: transform.HomographyWarper(12, 20), colour, torch.eye(3)[None] + 0.01 * torch.rand(1, 3, 3)
    for name in ("CenterCrop2D", "Hflip", "Vflip", "Rot180", "PyrDown", "PyrUp", "ScalePyramid"):
        yield name, lambda name=name: getattr(transform, name)(*[(8, 10)] * (name == "CenterCrop2D")), (1, 3, 32, 40)


def _losses(losses, metrics, torch):
    x, classes = (2, 3, 16, 20), torch.randint(3, (2, 16, 20))
    for name in ("CauchyLoss", "CharbonnierLoss", "GemanMcclureLoss", "WelschLoss"):
        yield name, getattr(losses, name), x, x
    for name in ("DiceLoss", "LovaszSoftmaxLoss"):
        yield name, getattr(losses, name), x, classes
    yield "FocalLoss", lambda: losses.FocalLoss(0.5, reduction="mean"), x, classes
    yield "TverskyLoss", lambda: losses.TverskyLoss(0.5, 0.4), x, classes
    yield "LovaszHingeLoss", losses.LovaszHingeLoss, (2, 1, 16, 20), (classes > 1).long()
    yield "HausdorffERLoss", losses.HausdorffERLoss, (2, 3, 16, 20), classes[:, None]
    yield "TotalVariation", losses.TotalVariation, x
    yield "PSNRLoss", lambda: losses.PSNRLoss(1.0), x, x
    yield "SSIMLoss", lambda: losses.SSIMLoss(5), x, x
    yield "MS_SSIMLoss", losses.MS_SSIMLoss, (1, 3, 48, 48), (1, 3, 48, 48)
    yield "SSIM3D", lambda: metrics.SSIM3D(3), (1, 2, 8, 8, 8), (1, 2, 8, 8, 8)
    yield "InverseDepthSmoothnessLoss", losses.InverseDepthSmoothnessLoss, (2, 1, 16, 20), x
    yield "MILossFromRef2D", lambda: losses.MILossFromRef2D(torch.rand(2, 12, 12)), (2, 12, 12)


def feature_models():
    import torch
    from kornia import color, contrib, enhance, feature, filters, losses, metrics
    from kornia.geometry import transform

    every = (
        _networks(feature, torch), _filters(filters, contrib, torch), _colours(color, enhance), _geometry(transform, torch),
        _losses(losses, metrics, torch))
    for name, make, *arguments in (each for part in every for each in part):
        yield f"kornia/{name}", lambda make=make, arguments=arguments: (make(), tuple(map(_argument, arguments)))


def _argument(given):
    import torch

    return torch.rand(given) if isinstance(given, tuple) and isinstance(given[0], int) else given
