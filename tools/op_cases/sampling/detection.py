# SPDX-License-Identifier: MIT
"""Cases: torchvision's operators (needs torchvision with its compiled operators)."""
import torch
from torch import nn
from torchvision import ops

from ..case import add, fn


class Deformed(nn.Module):
    """A deformable convolution whose shifts and mask are inputs."""

    def __init__(self, *arguments, masked=False, **options):
        super().__init__()
        self.convolution = ops.DeformConv2d(*arguments, **options)
        self.masked = masked

    def forward(self, x, offset, mask=None):
        return self.convolution(x, offset, mask) if self.masked else self.convolution(x, offset)


add("deform_conv", lambda: Deformed(3, 4, 3, padding=1), (2, 3, 5, 6), (2, 18, 5, 6))
add("deform_conv_mask", lambda: Deformed(3, 4, 3, padding=1, masked=True), (2, 3, 5, 6), (2, 18, 5, 6), ("unit", (2, 9, 5, 6)))
add("deform_conv_groups", lambda: Deformed(4, 6, 3, padding=1, groups=2), (1, 4, 5, 6), (1, 18, 5, 6))
add("deform_conv_offset_groups", lambda: Deformed(4, 2, (2, 3), masked=True), (2, 4, 5, 6), (2, 24, 4, 4), ("unit", (2, 12, 4, 4)))
add("deform_conv_all_groups", lambda: Deformed(4, 4, 3, groups=4, padding=1, masked=True), (1, 4, 4, 4), (1, 72, 4, 4), ("unit", (1, 36, 4, 4)))
add("deform_conv_stride_dilation", lambda: Deformed(2, 3, 3, stride=(2, 1), padding=(1, 2), dilation=(1, 2), bias=False), (1, 2, 9, 8), (1, 18, 5, 8))
add("deform_conv_tiles", lambda: Deformed(2, 2, 1), (2, 2, 14, 13), (2, 2, 14, 13))
fn("deform_conv_functional", lambda x, o, w: ops.deform_conv2d(x, o, w, padding=1), (1, 3, 5, 6), (1, 18, 5, 6), (4, 3, 3, 3))
fn("deform_conv_functional_mask", lambda x, o, w, b, m: ops.deform_conv2d(x, o, w, b, stride=2, padding=(0, 1), dilation=(2, 1), mask=m), (1, 4, 9, 8), (1, 36, 3, 4), (2, 2, 3, 3), (2,), ("unit", (1, 18, 3, 4)))
fn("deform_conv_functional_far", lambda x, o, w: (ops.deform_conv2d(x, o * 3, w, padding=1), ops.deform_conv2d(x, o * 1e12, w, padding=1)), (1, 2, 4, 4), (1, 18, 4, 4), (2, 2, 3, 3))


def boxes(count, batch=2, size=8.0):
    """Boxes around an image, some of them empty or outside."""
    def make():
        corners = torch.rand(count, 2) * size * 1.5 - size * 0.25
        extents = torch.rand(count, 2) * size - size * 0.1
        return torch.cat((torch.randint(0, batch, (count, 1)).float(), corners, corners + extents), 1)
    return make


for ratio in (-1, 2):
    for aligned in (False, True):
        add(f"roi_align_{ratio}_{aligned}".replace("-1", "adaptive").lower(), lambda r=ratio, a=aligned: ops.RoIAlign((3, 2), 0.7, r, a), (2, 3, 8, 9), boxes(6))
fn("roi_align_functional", lambda x, b: ops.roi_align(x, b, (2, 2)), (2, 3, 8, 9), boxes(6))
fn("roi_align_functional_aligned", lambda x, b: ops.roi_align(x, b, 5, 0.5, 3, True), (2, 2, 8, 9), boxes(4, size=16.0), other=((1, 2, 5, 6), boxes(7, 1)))
fn("roi_align_large", lambda x, b: ops.roi_align(x, b, 1, 20.0, -1, True), (2, 2, 8, 9), boxes(5), tolerance=1e-4)
fn("roi_align_no_boxes", lambda x, b: ops.roi_align(x, b, (2, 2)), (2, 3, 8, 9), (0, 5))
fn("roi_align_f64", lambda x, b: ops.roi_align(x, b, (2, 3)), (torch.float64, (2, 3, 8, 9)), (torch.float64, boxes(6)))
fn("roi_align_list", lambda x, a, b: ops.roi_align(x, [a[:, 1:], b[:, 1:]], (2, 3)), (2, 3, 8, 9), boxes(4), boxes(3))
fn("roi_pool", lambda x, b: ops.roi_pool(x, b, (3, 2), 0.8), (2, 3, 8, 9), boxes(8))
fn("roi_pool_large", lambda x, b: ops.roi_pool(x, b, 2, 30.0), (2, 3, 8, 9), boxes(8))
fn("ps_roi_align", lambda x, b: ops.ps_roi_align(x, b, 2, 0.8), (2, 12, 8, 9), boxes(8))
fn("ps_roi_align_ratio", lambda x, b: ops.ps_roi_align(x, b, (3, 2), 1.0, 2), (2, 12, 8, 9), boxes(8))
fn("ps_roi_pool", lambda x, b: ops.ps_roi_pool(x, b, (2, 3), 0.8), (2, 12, 8, 9), boxes(8))
fn("roi_pool_all_outputs", lambda x, b: (*torch.ops.torchvision.roi_pool(x, b, 0.8, 3, 2), *torch.ops.torchvision.ps_roi_align(x, b, 0.8, 2, 2, 2), *torch.ops.torchvision.ps_roi_pool(x, b, 0.8, 2, 2)), (2, 4, 8, 9), boxes(5))


def rows(count):
    """Scored boxes."""
    def make():
        corners = torch.rand(count, 2) * 4
        return torch.cat((corners, corners + torch.rand(count, 2) * 3 + 0.5, torch.rand(count, 1)), 1)
    return make


fn("nms", lambda b: ops.nms(b[:, :4], b[:, 4], 0.3), rows(12))
fn("nms_gather", lambda b: b[ops.nms(b[:, :4], b[:, 4], 0.5)], rows(12))
fn("nms_equal_scores", lambda b: ops.nms(b[:, :4], torch.ones_like(b[:, 4]), 0.1), rows(12))
fn("nms_other_count", lambda b: ops.nms(b[:, :4], b[:, 4], 0.2), rows(6), other=(rows(15),))
fn("nms_no_boxes", lambda b: ops.nms(b[:, :4], b[:, 4], 0.2), (0, 5))
fn("nms_f64", lambda b: ops.nms(b[:, :4], b[:, 4], 0.2), (torch.float64, rows(9)))
fn("nms_classes", lambda b: ops.nms(b[:, :4] + (torch.arange(12) % 3)[:, None] * (b[:, :4].max() + 1), b[:, 4], 0.3), rows(12))
fn("box_iou", lambda a, b: ops.box_iou(a[:, :4], b[:, :4]), rows(4), rows(5))
fn("box_iou_generalized", lambda a, b: (ops.generalized_box_iou(a[:, :4], b[:, :4]), ops.distance_box_iou(a[:, :4], b[:, :4])), rows(4), rows(5))
fn("box_convert", lambda a: (ops.box_convert(a[:, :4], "xyxy", "cxcywh"), ops.box_convert(a[:, :4], "cxcywh", "xyxy"), ops.box_area(a[:, :4]), ops.clip_boxes_to_image(a[:, :4], (3, 4))), rows(5))
