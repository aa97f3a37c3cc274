# SPDX-License-Identifier: MIT
"""Einstein sums."""
import torch

from ..calls import bound, draw, wide


EQUATIONS = """ij,k->ijk ijk,ijl,ijk->ijkl ijk,ik->ij ijk,kl->ijkl ijkln,ijlmn->ijklm ijkln,kmn->ijklm ijkm,ijlm->ijkl
    ikjm,iljm->ijkl ikl,ijl->ijk ilj,ilk->ijk inkmlo,injok->ijklm ii ii->i ij->ji ij-> ij->j ijk->ki kij i,j,k->ijk ij,jk
    ij,ij->ij ij,ij-> iij,jk->ik ii,ij->j ij,kl-> ijj,k->ik i,i->i ik,jkl,il""".split()


def einsum(w):
    extents = dict(i=2, j=3, k=2, l=4, m=3, n=2, o=3)
    cases = [(e, [[extents[c] for c in t] for t in e.split("->")[0].split(",")]) for e in EQUATIONS]
    cases += [("...ij,...jk->...ik", [(2, 1, 3, 4), (3, 4, 2)]), ("...ij,jk", [(2, 3, 4), (4, 2)]),
              ("i...,...j->...ij", [(3, 2, 4), (1, 4, 2)]), ("ij,jk->ik", [(1, 4), (4, 3)]),
              ("ij,ij->i", [(2, 1), (2, 5)]), ("ij,jk->ik", [(2, 0), (0, 3)]), ("ij,jk->ik", [(0, 2), (2, 3)])]
    for equation, shapes in cases:
        operands = [w.tensor(*shape) for shape in shapes]
        results = wide(lambda *t: torch.einsum(equation, *t), *operands)
        w.add("torch.einsum", operands, {"equation": equation}, results, tolerance=bound(48))
        integers = [x.mul(4).long() for x in operands]
        w.add("aten::einsum", [equation, integers, None], {}, [torch.einsum(equation, *integers)],
              tolerance=0)
    for equation, left, right in (("i,j->ij", torch.int64, torch.float32), ("ij,j->ij", torch.int32, torch.float64),
                                  ("ij,i->i", torch.float32, torch.float64), ("ij,i->ij", torch.bool, torch.uint8)):
        operands = [w.tensor(*(dict(i=2, j=3)[label] for label in labels)).mul(9).to(type) for labels, type in zip(equation.split("->")[0].split(","), (left, right))]
        w.add("torch.einsum", operands, {"equation": equation}, [torch.einsum(equation, *operands)], tolerance=1e-6)
    w.add("torch.einsum", [w.tensor(2, 3), w.tensor(3).long()], {"equation": "ij,j->i"}, error="expected one element type")
    w.add("torch.einsum", [w.tensor(2, 3), w.tensor(4, 5)], {"equation": "ij,jk->ik"}, error="'j' has extents 3 and 4")


draw("einsum", 7, (einsum, 1))
