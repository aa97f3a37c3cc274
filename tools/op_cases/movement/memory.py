# SPDX-License-Identifier: MIT
"""Cases: views and copies of memory, sizes and strides as numbers, checks that an exporter leaves."""
import torch

from ..case import aten, written

for name in ("alias_copy", "lift_fresh_copy", "lift"):
    aten(name, name, ["$0"], (2, 3))
aten("to_copy", "_to_copy", ["$0"], (2, 3))
for type in (torch.float64, torch.int32, torch.bool):
    aten(f"to_copy_{str(type)[6:]}", "_to_copy", ["$0", type], (2, 3))
aten("reshape_copy", "_reshape_copy", ["$0", [3, -1]], (2, 6))
aten("reshape_alias", "_reshape_alias", ["$0", [3, 4], [4, 1]], (2, 6))
aten("unfold_copy", "unfold_copy", ["$0", 1, 2, 2], (3, 5))
aten("as_strided_copy", "as_strided_copy", ["$0", [2, 2], [3, 1], 1], (3, 3))
aten("as_strided_scatter", "as_strided_scatter", ["$0", "$1", [2, 2], [3, 2], 1], (3, 3), (2, 2))
aten("split_sizes_unsafe", "unsafe_split_with_sizes", ["$0", [1, 2], 1], (2, 3), listed=1)
aten("squeeze_no_axes", "squeeze.dims", ["$0", []], (1, 2, 1))
aten("squeeze_some_axes", "squeeze.dims", ["$0", [0, 1]], (1, 2, 1))
for name, arguments in {"plain": [], "batch_first": [True], "value": [True, 2.5], "left": [False, -1.0, "left"]}.items():
    aten(f"pad_sequence_{name}", "pad_sequence", [["$0", "$1", "$2"], *arguments], (4, 3), (2, 3), (0, 3))
aten("pad_sequence_vectors", "pad_sequence", [["$0", "$1"]], ("int", (2,), 9), ("int", (5,), 9))
aten("trilinear", "_trilinear", ["$0", "$1", "$2", [1, 3], [0], [1, 2], [2, 3]], (4, 3), (5, 3, 2), (4, 2))
for outputs in (1, 2):
    aten(f"native_dropout_{outputs}", "native_dropout", ["$0", 0.5, False], (2, 3), outputs=outputs)
aten("sym_size_list", "as_strided", ["$0", [2, 2], [1, 3]], (3, 3))

written("sym_numbers", """
    pnnx.Input pnnx_input_0 0 1 x #x=(2,3,4)f32
    aten::sym_size size 1 1 x n dim=-1
    aten::sym_numel numel 1 1 x m
    aten::sym_stride stride 1 1 x s dim=0
    aten::sym_storage_offset offset 1 1 x o
    pnnx.Expression sum 4 1 n m s o t expr=[add(add(add(@0,@1),@2),@3)]
    torch.zeros zeros 1 1 t y $size=t
    pnnx.Output out 1 0 y
    """, lambda x: torch.zeros(x.size(-1) + x.numel() + x.stride(0)), (2, 3, 4))
written("stride_of_view", """
    pnnx.Input pnnx_input_0 0 1 x #x=(2,3)f32
    torch.transpose t 1 1 x y dim0=0 dim1=1
    aten::stride stride 1 1 y s
    torch.zeros zeros 1 1 s z $size=s
    pnnx.Output out 1 0 z
    """, lambda x: torch.zeros(x.t().stride()), (2, 3))
written("local_scalar", """
    pnnx.Input pnnx_input_0 0 1 x #x=()i64
    aten::_local_scalar_dense item 1 1 x n
    pnnx.Expression list 1 1 n t expr=[@0,2]
    torch.zeros zeros 1 1 t y $size=t
    pnnx.Output out 1 0 y
    """, lambda x: torch.zeros(x.item(), 2), lambda: torch.tensor(3))
written("assertions", """
    pnnx.Input pnnx_input_0 0 1 x #x=(2,3)f32
    aten::sym_size size 1 1 x n dim=0
    pnnx.Expression test 1 1 n t expr=ge(@0,0)
    aten::_assert_scalar scalar 1 0 t assert_msg=wrong
    aten::sym_constrain_range_for_size range 1 0 n min=0
    aten::_assert_tensor_metadata metadata 1 0 x dtype=torch.float
    torch.isfinite finite 1 1 x f
    torch.all all 1 1 f a
    aten::_assert_async async 1 0 a
    F.relu relu 1 1 x y
    pnnx.Output out 1 0 y
    """, torch.relu, (2, 3))
