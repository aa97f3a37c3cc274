# SPDX-License-Identifier: MIT
"""Embeddings and bags of embeddings."""
import torch
import torch.nn.functional as F

from ..calls import bound, draw


def embedding(w):
    table = w.tensor(6, 3)
    for shape in [(3,), (2, 4), (), (2, 0), (2, 1, 3)]:
        index = torch.randint(0, 6, shape, generator=torch.Generator().manual_seed(1))
        results = [F.embedding(index, table)]
        w.add("nn.Embedding", [index], {"num_embeddings": 6, "embedding_dim": 3, "sparse": False}, results,
              {"weight": table}, tolerance=0)
        w.add("F.embedding", [index, table], {"scale_grad_by_freq": False, "sparse": False}, results,
              names=["input", "weight"], tolerance=0)
        w.add("aten::embedding", [table, index, -1, False, False], {}, results, tolerance=0)
    for index, text in [(torch.tensor([0, 6]), "index 6 at position 1"), (torch.tensor([-1]), "index -1 at position 0"),
                        (torch.tensor([0.5]), "expected int32 or int64")]:
        w.add("nn.Embedding", [index], {}, attributes={"weight": table}, error=text)
    w.add("nn.Embedding", [torch.tensor([1])], {"num_embeddings": 7}, attributes={"weight": table},
          error="num_embeddings")
    index = torch.tensor([0, 1, 2, 3, 4, 5, 5, 3])
    for mode in range(3):
        for last in (False, True):
            for padding in (None, 3):
                for factors in (None, w.tensor(8)) if mode == 0 else (None,):
                    offsets = torch.tensor([0, 3, 3, 6] + ([8] if last else []))
                    result = F.embedding_bag(index, table, offsets, mode=["sum", "mean", "max"][mode],
                                             per_sample_weights=factors, include_last_offset=last, padding_idx=padding)
                    w.add("aten::embedding_bag", [table, index, offsets, False, mode, False, factors, last, padding], {},
                          [result], tolerance=bound(3))
    for index, offsets, text in [([0, 6], [0], "index 6"), ([0, 1], [1], "offsets must start at 0"),
                                 ([0, 1], [0, 3], "offsets must"), ([0, 1, 2], [0, 2, 1], "offsets must")]:
        w.add("aten::embedding_bag", [table, torch.tensor(index), torch.tensor(offsets)], {}, error=text)


def padding(w):
    """Adds the rows that count for no bag: -1 is the last one, except in `_embedding_bag`, where it stands for none."""
    table = w.tensor(6, 3)
    index, offsets = torch.tensor([0, 5, 2, 5, 5, 3, 1]), torch.tensor([0, 3, 5])
    for mode in range(3):
        for row in (-1, -6, 5):
            result = torch.embedding_bag(table, index, offsets, False, mode, False, None, False, row)
            w.add("aten::embedding_bag", [table, index, offsets, False, mode, False, None, False, row], {}, [result[0]],
                  tolerance=bound(3))
        result = torch.ops.aten._embedding_bag(table, index, offsets, False, mode, False, None, False, -1)
        w.add("aten::_embedding_bag", [table, index, offsets, False, mode, False, None, False, -1], {}, [result[0]],
              tolerance=bound(3))
    for row in (-7, 6):
        w.refuse("aten::embedding_bag", [table, index, offsets, False, 0, False, None, False, row], {},
                 "expected one from -6 to 5")


draw("embedding", 7, (embedding, 1))
draw("embedding_padding", 7, (padding, 1))
