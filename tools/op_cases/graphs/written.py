# SPDX-License-Identifier: MIT
"""Cases of types that the converter writes only at lower levels of optimisation, under other options or no more: graphs
written by hand. And raw operators that no other family has."""
import torch
import torch.nn.functional as F

from ..case import fn, raw, written


def single(name, line, function, *specs, **options):
    """A graph of one operator; `line` is what stands behind its type and name: counts, operands, parameters."""
    shapes = [spec[1] if spec and not isinstance(spec[0], int) else spec for spec in specs]
    types = ["f32" if not spec or isinstance(spec[0], int) else {"int": "i64", "bool": "bool"}[spec[0]] for spec in specs]
    lines = [f"pnnx.Input pnnx_input_{k} 0 1 {k} #{k}=({','.join(map(str, shape))}){kind}"
             for k, (shape, kind) in enumerate(zip(shapes, types))]
    type, rest = line.split(" ", 1)
    operands = " ".join(str(k) for k in range(len(specs)))
    lines.append(f"{type} op_0 {len(specs)} 1 {operands} {len(specs)} {rest}")
    lines.append(f"pnnx.Output pnnx_output_0 1 0 {len(specs)}")
    written(name, "\n".join(lines), function, *specs, **options)


S = (2, 3, 4, 5)
for type in ("nn.Dropout", "nn.Dropout2d", "nn.Dropout3d", "nn.AlphaDropout", "nn.FeatureAlphaDropout", "F.dropout", "F.dropout2d", "F.dropout3d", "F.dropoutnd", "F.alpha_dropout", "F.feature_alpha_dropout"):
    single(type.replace(".", "_").lower() + ("_class" if type.startswith("nn") else ""), f"{type} p=0.5 training=False", lambda x: x.clone(), S)
single("identity", "nn.Identity ", lambda x: x.clone(), S)
single("flatten_class", "nn.Flatten start_dim=1 end_dim=-1", lambda x: x.flatten(1), S)
single("contiguous", "Tensor.contiguous memory_format=None", lambda x: x.clone(), S)
single("view", "Tensor.view shape=(6,-1)", lambda x: x.view(6, -1), S)
single("copy", "Tensor.copy ", lambda x, y: x.copy_(y), S, (4, 1))
for name, function in (("empty", torch.zeros), ("ones", torch.ones), ("zeros", torch.zeros)):
    if name != "empty":
        single(f"new_{name}", f"Tensor.new_{name} size=(2,3) dtype=None", lambda x, function=function: function(2, 3), S)
        single(f"new_{name}_typed", f"Tensor.new_{name} size=(2,3) dtype=torch.int64", lambda x, function=function: function(2, 3, dtype=torch.int64), S)
        single(f"{name}_like", f"torch.{name}_like dtype=None", lambda x, function=function: function(2, 3), (2, 3))
    written(f"{name}", f"""
        pnnx.Input pnnx_input_0 0 1 0 #0=(2,3)f32
        torch.{name} op_0 0 1 1 size=(2,3) dtype=torch.float #1=(2,3)f32
        pnnx.Expression op_1 2 1 0 1 2 expr=add(@0,mul(@1,{0 if name == "empty" else 1})) #2=(2,3)f32
        pnnx.Output pnnx_output_0 1 0 2
    """, lambda x, function=function: x + function(2, 3), (2, 3))
single("empty_like", "torch.empty_like dtype=None", lambda x: x * 0, (2, 3))
single("new_empty", "Tensor.new_empty size=(2,3) dtype=None", lambda x: x * 0, (2, 3))
single("full_like", "torch.full_like fill_value=2.5 dtype=None", lambda x: torch.full_like(x, 2.5), (2, 3))
single("full_like_int", "torch.full_like fill_value=2 dtype=torch.int32", lambda x: torch.full_like(x, 2, dtype=torch.int32), (2, 3))
written("full", """
    pnnx.Input pnnx_input_0 0 1 0 #0=(2,3)f32
    torch.full op_0 0 1 1 size=(2,3) fill_value=2.5 dtype=torch.float #1=(2,3)f32
    pnnx.Expression op_1 2 1 0 1 2 expr=add(@0,@1) #2=(2,3)f32
    pnnx.Output pnnx_output_0 1 0 2
""", lambda x: x + 2.5, (2, 3))
for name in ("and", "or", "xor"):
    single(f"bitwise_{name}", f"torch.bitwise_{name} ", getattr(torch, f"bitwise_{name}"), ("int", (2, 3), 99), ("int", (3,), 99))
    single(f"bitwise_{name}_bool", f"torch.bitwise_{name} ", getattr(torch, f"bitwise_{name}"), ("bool", (2, 3)), ("bool", (3,)))
single("as_strided", "torch.as_strided size=(2,2) stride=(1,2) storage_offset=3", lambda x: torch.as_strided(x, (2, 2), (1, 2), 3), (3, 4))
single("as_strided_overlapping", "torch.as_strided size=(3,4) stride=(2,1) storage_offset=None", lambda x: torch.as_strided(x, (3, 4), (2, 1)), (12,))
single("unfold", "Tensor.unfold dimension=1 size=3 step=2", lambda x: x.unfold(1, 3, 2), (2, 8, 3))
single("unfold_last", "Tensor.unfold dimension=-1 size=2 step=1", lambda x: x.unfold(-1, 2, 1), (2, 8))
single("upsample_bilinear", "F.upsample_bilinear size=(7,9)", lambda x: F.interpolate(x, (7, 9), mode="bilinear", align_corners=True), S)
single("upsample_bilinear_factor", "F.upsample_bilinear scale_factor=(2.0,1.5)", lambda x: F.interpolate(x, scale_factor=(2.0, 1.5), mode="bilinear", align_corners=True), S)
single("normal_constant", "torch.normal mean=3.0 std=0.0 generator=None", lambda x: x * 0 + 3, S)
written("randn_times_zero", """
    pnnx.Input pnnx_input_0 0 1 0 #0=(2,3)f32
    torch.randn op_0 0 1 1 size=(2,3) dtype=torch.float #1=(2,3)f32
    torch.randn_like op_1 1 1 0 2 dtype=None #2=(2,3)f32
    pnnx.Expression op_2 3 1 0 1 2 3 expr=add(@0,mul(add(@1,@2),0)) #3=(2,3)f32
    pnnx.Output pnnx_output_0 1 0 3
""", lambda x: x.clone(), (2, 3))
written("size", """
    pnnx.Input pnnx_input_0 0 1 0 #0=(2,3,4)f32
    Tensor.size op_0 1 1 0 1 dim=1
    pnnx.Expression op_1 2 1 0 1 2 expr=mul(@0,@1) #2=(2,3,4)f32
    pnnx.Output pnnx_output_0 1 0 2
""", lambda x: x * 3, (2, 3, 4))
written("slice_indexes", """
    pnnx.Input pnnx_input_0 0 1 0 #0=(4,6)f32
    Tensor.size op_0 1 1 0 1 dim=1
    pnnx.Expression op_1 1 1 1 2 expr=sub(@0,2)
    pnnx.SliceIndexes op_2 1 1 2 3 indexes=(2,@0)
    pnnx.SliceIndexes op_3 0 1 4 indexes=(0,1)
    Tensor.slice op_4 3 1 0 4 3 5 dims=(0,1) steps=(1,1) selects=(2147483647,2147483647) $input=0 $starts=4 $ends=3 #5=(2,3)f32
    pnnx.Output pnnx_output_0 1 0 5
""", lambda x: x[0:2, 1:4], (4, 6))
written("quantize_operands", """
    pnnx.Input pnnx_input_0 0 1 0 #0=(3,5)f32
    pnnx.Attribute scale 0 1 1 @data=(1)f32 #1=(1)f32
    pnnx.Attribute zero 0 1 2 @data=(1)i64 #2=(1)i64
    torch.quantize_per_tensor op_0 3 1 0 1 2 3 dtype=13 #3=(3,5)u8
    torch.dequantize op_1 1 1 3 4 #4=(3,5)f32
    pnnx.Output pnnx_output_0 1 0 4
""", lambda x: torch.quantize_per_tensor(x, 0.04, 7, torch.quint8).dequantize(), (3, 5),
        weights={"scale.data": torch.tensor([0.04]), "zero.data": torch.tensor([7])})

M = (4, 4)
fn("chain_matmul", lambda x, y, z: torch.chain_matmul(x, y, z), (2, 3), (3, 4), (4, 5))
raw("clamp_max_raw", "aten::clamp_max", lambda x: torch.clamp_max(x, 0.5), ("$0", 0.5), S)
raw("clamp_min_raw", "aten::clamp_min", lambda x: torch.clamp_min(x, 0.5), ("$0", 0.5), S)
raw("clamp_min_tensor", "aten::clamp_min", torch.clamp_min, ("$0", "$1"), S, (5,))
raw("hsplit_sections", "aten::hsplit", lambda x: torch.hsplit(x, 2)[1], ("$0", 2), (3, 4), listed=1)
raw("hsplit_places", "aten::hsplit", lambda x: torch.hsplit(x, [1])[1], ("$0", [1]), (3, 4), listed=1)
raw("vsplit_sections", "aten::vsplit", lambda x: torch.vsplit(x, 2)[0], ("$0", 2), (4, 3), listed=0)
raw("vsplit_places", "aten::vsplit", lambda x: torch.vsplit(x, [3])[1], ("$0", [3]), (4, 3), listed=1)
raw("unsafe_chunk", "aten::unsafe_chunk", lambda x: torch.chunk(x, 2, 1)[1], ("$0", 2, 1), (3, 5), listed=1)
raw("unsafe_split", "aten::unsafe_split", lambda x: torch.split(x, 3, 1)[1], ("$0", 3, 1), (3, 5), listed=1)
for reduce in ("prod", "mean", "amax", "amin"):
    for include in (False, True):
        raw(f"index_reduce_{reduce}_{int(include)}", "aten::index_reduce", lambda x, i, y, reduce=reduce, include=include: x.index_reduce(0, i, y, reduce, include_self=include), ("$0", 0, "$1", "$2", reduce, include), M, ("int", (6,), 4), (6, 4))
raw("mH_real", "aten::mH", lambda x: x.mH.contiguous(), ("$0",), (2, 3, 4))
raw("numpy_T_raw", "aten::numpy_T", lambda x: x.permute(2, 1, 0).contiguous(), ("$0",), (2, 3, 4))
raw("nanmean", "aten::nanmean", lambda x: torch.nanmean(x, 1, True), ("$0", [1], True, None), lambda: torch.tensor([[1.0, float("nan"), 3.0], [4.0, 5.0, 6.0]]))
raw("nanmedian", "aten::nanmedian", lambda x: torch.nanmedian(x), ("$0",), lambda: torch.tensor([[1.0, float("nan"), 3.0], [4.0, 5.0, 6.0]]))
raw("nanmedian_axis", "aten::nanmedian", lambda x: tuple(torch.nanmedian(x, 1)), ("$0", 1, False), lambda: torch.tensor([[1.0, float("nan"), 3.0], [4.0, 5.0, 6.0]]), outputs=2)
raw("trace_raw", "aten::trace", torch.trace, ("$0",), (3, 4))
raw("vdot_raw", "aten::vdot", torch.vdot, ("$0", "$1"), (7,), (7,))
raw("max_of_two", "aten::max", torch.maximum, ("$0", "$1"), S, (5,))
raw("min_of_two", "aten::min", torch.minimum, ("$0", "$1"), S, (5,))
raw("stft_without_padding", "aten::stft", lambda x: torch.view_as_real(torch.stft(x, 16, 4, window=torch.ones(16), center=False, return_complex=True)), ("$0", 16, 4, 16, None, False, True, False, None), (2, 64))
written("lowest_level", """
    pnnx.Input pnnx_input_0 0 1 0 #0=(2,8)f32
    prim::Constant c_0 0 1 half value=0.5
    prim::Constant c_1 0 1 two value=2
    prim::Constant c_2 0 1 four value=4
    prim::Constant c_3 0 1 one value=1
    prim::Constant c_4 0 1 axes value=(0,2)
    prim::Constant c_5 0 1 none value=None
    Tensor.size s_0 1 1 0 rows dim=0 $input=0
    prim::ListConstruct l_0 3 1 rows two four shape
    Tensor.reshape r_0 2 1 0 shape 1 $input=0 $shape=shape #1=(2,2,4)f32
    aten::mul m_0 2 1 1 half 2 #2=(2,2,4)f32
    prim::NumToTensor n_0 1 1 rows number
    aten::add a_0 3 1 2 number one 3 #3=(2,2,4)f32
    torch.mean m_1 3 1 3 axes none 4 keepdim=False $input=3 $dim=axes $dtype=none #4=(2)f32
    pnnx.Output pnnx_output_0 1 0 4
""", lambda x: (x.reshape(2, 2, 4) * 0.5 + 2).mean((0, 2)), (2, 8))

# The converter repeats entries behind shapes that the model computed.
written("reshape_repeated_entries", """
    pnnx.Input pnnx_input_0 0 1 0 #0=(2,3,4)f32
    Tensor.reshape op_0 1 1 0 1 shape=(6,4,-1) $input=0 #0=(2,3,4)f32 #1=(6,4)f32
    Tensor.reshape op_1 1 1 1 2 shape=(1,2,12,12) $input=1 #1=(6,4)f32 #2=(1,2,12)f32
    pnnx.Output pnnx_output_0 1 0 2
    """, lambda x: x.reshape(1, 2, 12), (2, 3, 4))
