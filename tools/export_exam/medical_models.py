# SPDX-License-Identifier: MIT
"""Networks of MONAI for volumes and slices."""


def _networks(nets, restormer):
    """By name: what makes the network, and the shape of its input."""
    unet = {"in_channels": 1, "out_channels": 2, "channels": (8, 16, 32), "strides": (2, 2)}
    volume, slices = (1, 1, 32, 32, 32), (1, 1, 64, 64)
    yield "UNet", lambda: nets.UNet(3, num_res_units=2, **unet), volume
    yield "UNet_2d", lambda: nets.UNet(2, norm="batch", act="prelu", **unet), slices
    yield "AttentionUnet", lambda: nets.AttentionUnet(3, **unet), volume
    yield "BasicUNet", lambda: nets.BasicUNet(3, 1, 2, features=(8, 8, 16, 16, 32, 8)), volume
    yield "BasicUNetPlusPlus", lambda: nets.BasicUNetPlusPlus(3, 1, 2, features=(8, 8, 16, 16, 32, 8)), volume
    yield "AutoEncoder", lambda: nets.AutoEncoder(3, 1, 1, (8, 16), (2, 2), inter_channels=(8, 8)), volume
    yield "VarAutoEncoder", lambda: nets.VarAutoEncoder(2, (1, 32, 32), 1, 8, (8, 16), (2, 2)), (1, 1, 32, 32)
    yield "DenseNet121", lambda: nets.DenseNet(3, 1, 3, init_features=8, growth_rate=4, block_config=(2, 2)), volume
    yield "DynUNet", lambda: nets.DynUNet(3, 1, 2, [3, 3, 3], [1, 2, 2], [2, 2], filters=[8, 16, 32], res_block=True), volume
    yield "EfficientNetBN", lambda: nets.EfficientNetBN("efficientnet-b0", pretrained=False, spatial_dims=2, in_channels=1), slices
    yield "FlexibleUNet", lambda: nets.FlexibleUNet(1, 2, "efficientnet-b0", spatial_dims=2), slices
    yield "HighResNet", lambda: nets.HighResNet(3, 1, 2), volume
    yield "HoVerNet", lambda: nets.HoVerNet(mode="fast", in_channels=3, out_classes=5), (1, 3, 256, 256)
    yield "MedNeXtS", lambda: nets.MedNeXt(3, init_filters=8, in_channels=1, out_channels=2), volume
    yield "PatchDiscriminator", lambda: nets.PatchDiscriminator(3, 8, 1), volume
    yield "Quicknat", lambda: nets.Quicknat(num_classes=2, num_channels=1, num_filters=8), slices
    yield "Regressor", lambda: nets.Regressor((1, 32, 32), (2,), (8, 16), (2, 2)), (1, 1, 32, 32)
    yield "RegUNet", lambda: nets.RegUNet(3, 1, 8, 2), volume
    yield "LocalNet", lambda: nets.LocalNet(3, 1, 8, (0, 1, 2)), volume
    yield "Restormer", lambda: restormer.Restormer(2, 1, 1, dim=8, num_blocks=(1, 1), heads=(1, 2), num_refinement_blocks=1), slices
    yield "ResNet10", lambda: nets.resnet10(spatial_dims=3, n_input_channels=1, widen_factor=0.25), volume
    yield "SegResNet", lambda: nets.SegResNet(3, 8, 1, 2, blocks_down=(1, 1, 1), blocks_up=(1, 1)), volume
    yield "SegResNetVAE", lambda: nets.SegResNetVAE((32, 32, 32), in_channels=1, out_channels=2, vae_estimate_std=False), volume
    yield "SegResNetDS", lambda: nets.SegResNetDS(3, 8, 1, 2, blocks_down=(1, 1, 1)), volume
    yield "SENet154", lambda: nets.SENet(3, 1, "se_resnet_bottleneck", [1, 1, 1, 1], 1, 16, None, inplanes=16, downsample_kernel_size=1, input_3x3=False), volume
    yield "SwinUNETR", lambda: nets.SwinUNETR(1, 2, feature_size=12, depths=(1, 1, 1, 1), num_heads=(1, 2, 4, 8)), (1, 1, 64, 64, 64)
    yield "SwinUNETR_v2", lambda: nets.SwinUNETR(1, 2, feature_size=12, depths=(1, 1, 1, 1), num_heads=(1, 2, 4, 8), use_v2=True), (1, 1, 64, 64, 64)
    yield "UNETR", lambda: nets.UNETR(1, 2, (32, 32, 32), 8, 48, 96, 4), volume
    yield "ViT", lambda: nets.ViT(1, (32, 32, 32), (16, 16, 16), 48, 96, 2, 4, classification=True), volume
    yield "ViTAutoEnc", lambda: nets.ViTAutoEnc(1, (32, 32, 32), (16, 16, 16), hidden_size=48, mlp_dim=96, num_layers=2, num_heads=4), volume
    yield "VNet", lambda: nets.VNet(3, 1, 2), (1, 1, 32, 32, 32)
    yield "VoxelMorphUNet", lambda: nets.VoxelMorphUNet(3, 2, 8, channels=(8, 8, 8, 8, 8, 8), final_conv_channels=(8, 8)), (1, 2, 32, 32, 32)
    yield "VQVAE", lambda: nets.VQVAE(
        2, 1, 1, (8, 16), 1, (8, 8), downsample_parameters=((2, 4, 1, 1),) * 2, upsample_parameters=((2, 4, 1, 1, 0),) * 2), slices
    yield "AutoencoderKL", lambda: nets.AutoencoderKL(2, 1, 1, (1, 1), (8, 8), (False, True), norm_num_groups=4), slices
    yield "AHNet", lambda: nets.AHNet(spatial_dims=3, in_channels=1, out_channels=2, psp_block_num=0), (1, 1, 64, 64, 32)
    yield "MILModel", lambda: nets.MILModel(2, "att_trans", pretrained=False, backbone="resnet18"), (1, 2, 3, 64, 64)
    yield "TorchVisionFCModel", lambda: nets.TorchVisionFCModel("resnet18", 3, pretrained=False), (1, 3, 224, 224)
    yield "DAF3D", lambda: nets.DAF3D(1, 2, visual_output=False), (1, 1, 32, 32, 32)
    yield "DiNTS", lambda: nets.DiNTS(nets.TopologyInstance(device="cpu", arch_code=None, spatial_dims=3), 1, 2), (1, 1, 64, 64, 64)


def medical_models():
    import torch
    from monai.networks import nets
    from monai.networks.nets import restormer

    for name, make, shape in _networks(nets, restormer):
        yield f"monai/{name}", lambda make=make, shape=shape: (make(), torch.rand(shape))
