# SPDX-License-Identifier: MIT
"""Cases: losses and distances."""
import torch
import torch.nn.functional as F

from ..case import fn

S = (4, 5)
CLASSES = ("int", (4,), 5)
for reduction in ("none", "mean", "sum"):
    for name in ("l1_loss", "mse_loss", "smooth_l1_loss", "huber_loss", "kl_div", "poisson_nll_loss"):
        fn(f"{name}_{reduction}", lambda x, y, name=name, reduction=reduction: getattr(F, name)(x, y, reduction=reduction), S, ("pos", S))
    fn(f"soft_margin_{reduction}", lambda x, y, reduction=reduction: F.soft_margin_loss(x, y * 2 - 1, reduction=reduction), S, (torch.float32, ("bool", S)))
    fn(f"binary_cross_entropy_{reduction}", lambda x, y, reduction=reduction: F.binary_cross_entropy(x, y, reduction=reduction), ("unit", S), ("unit", S))
    fn(f"binary_cross_entropy_logits_{reduction}", lambda x, y, reduction=reduction: F.binary_cross_entropy_with_logits(x, y, reduction=reduction), S, ("unit", S))
    fn(f"cross_entropy_{reduction}", lambda x, y, reduction=reduction: F.cross_entropy(x, y, reduction=reduction), S, CLASSES)
    fn(f"nll_loss_{reduction}", lambda x, y, reduction=reduction: F.nll_loss(x, y, reduction=reduction), S, CLASSES)
    fn(f"multi_margin_{reduction}", lambda x, y, reduction=reduction: F.multi_margin_loss(x, y, reduction=reduction), S, CLASSES)
fn("smooth_l1_beta", lambda x, y: F.smooth_l1_loss(x, y, beta=0.3), S, S)
fn("smooth_l1_beta_zero", lambda x, y: F.smooth_l1_loss(x, y, beta=0.0), S, S)
fn("huber_delta", lambda x, y: F.huber_loss(x, y, delta=0.3), S, S)
fn("kl_div_log_target", lambda x, y: F.kl_div(x, y, reduction="sum", log_target=True), S, S)
fn("poisson_full", lambda x, y: F.poisson_nll_loss(x, y * 4, full=True), S, ("pos", S))
fn("poisson_plain", lambda x, y: F.poisson_nll_loss(x, y, log_input=False), ("pos", S), ("pos", S))
fn("binary_cross_entropy_weight", lambda x, y, w: F.binary_cross_entropy(x, y, w), ("unit", S), ("unit", S), ("pos", (5,)))
fn("logits_pos_weight", lambda x, y, w: F.binary_cross_entropy_with_logits(x, y, pos_weight=w), S, ("unit", S), ("pos", (5,)))
fn("cross_entropy_weight", lambda x, y, w: F.cross_entropy(x, y, w), S, CLASSES, ("pos", (5,)))
fn("cross_entropy_smoothing", lambda x, y: F.cross_entropy(x, y, label_smoothing=0.2), S, CLASSES)
fn("cross_entropy_smoothing_weight", lambda x, y, w: F.cross_entropy(x, y, w, label_smoothing=0.2), S, CLASSES, ("pos", (5,)))
fn("cross_entropy_ignore", lambda x, y: F.cross_entropy(x, y, ignore_index=2), S, CLASSES)
fn("cross_entropy_image", lambda x, y: F.cross_entropy(x, y), (2, 3, 4, 5), ("int", (2, 4, 5), 3))
fn("cross_entropy_probabilities", lambda x, y: F.cross_entropy(x, y), S, ("unit", S))
fn("cross_entropy_probabilities_smoothing", lambda x, y: F.cross_entropy(x, y, label_smoothing=0.1), S, ("unit", S))
fn("multi_margin_square", lambda x, y: F.multi_margin_loss(x, y, p=2, margin=0.5), S, CLASSES)
fn("multilabel_margin", lambda x, y: F.multilabel_margin_loss(x, y), (1, 4), lambda: torch.tensor([[3, 0, -1, 1]]))
fn("hinge_embedding", lambda x, y: F.hinge_embedding_loss(x, y * 2 - 1), S, (torch.float32, ("bool", S)))
fn("margin_ranking", lambda x, y, t: F.margin_ranking_loss(x, y, t * 2 - 1, margin=0.3), (6,), (6,), (torch.float32, ("bool", (6,))))
fn("ctc", lambda x, t: F.ctc_loss(F.log_softmax(x, 2), t, torch.tensor([8, 7]), torch.tensor([3, 2])), (8, 2, 5), lambda: torch.tensor([[1, 2, 2], [3, 1, 0]]))
for p in (0.0, 1.0, 2.0, 3.0, float("inf")):
    fn(f"cdist_{p}".replace(".", "_"), lambda x, y, p=p: torch.cdist(x, y, p), (2, 4, 3), (2, 5, 3), tolerance=1e-4)
fn("cdist_broadcast", lambda x, y: torch.cdist(x, y), (2, 1, 4, 3), (3, 5, 3), tolerance=1e-4)
fn("pdist", lambda x: F.pdist(x), (5, 3))
for dim in (0, 1, -1):
    fn(f"cosine_{dim}".replace("-", "m"), lambda x, y, dim=dim: F.cosine_similarity(x, y, dim), (3, 4, 5), (3, 4, 5))
fn("cosine_broadcast", lambda x, y: F.cosine_similarity(x, y, -1), (3, 1, 5), (1, 4, 5))
fn("cross", lambda x, y: torch.linalg.cross(x, y), (2, 3), (2, 3))
fn("cross_first", lambda x, y: torch.cross(x, y, dim=0), (3, 4), (3, 4))
fn("vecdot", lambda x, y: torch.linalg.vecdot(x, y), (2, 4), (2, 4))
fn("tensordot", lambda x, y: torch.tensordot(x, y, dims=([1, 2], [1, 0])), (2, 3, 4), (4, 3, 5))
fn("kron", torch.kron, (2, 3), (3, 2))
fn("matrix_power", lambda x: torch.linalg.matrix_power(x, 5), (2, 3, 3), tolerance=1e-4)
fn("multi_dot", lambda x, y, z: torch.linalg.multi_dot((x, y, z)), (2, 3), (3, 4), (4, 5))
