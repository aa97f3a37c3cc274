# SPDX-License-Identifier: MIT
"""The operations of random programs. Each takes the program so far, picks operands and arguments, and returns an expression;
the program is run to find out whether the expression is valid."""
import torch

WEIGHTED = []  # (operation, weight)


class Unfit(Exception):
    """The program has no operands for an operation."""


def operation(weight=1.0):
    def add(function):
        WEIGHTED.append((function, weight))
        return function
    return add


@operation(4)
def unary(p):
    x = p.pick("float")
    return p.random.choice((
        f"torch.abs({x})", f"-{x}", f"torch.sigmoid({x})", f"torch.tanh({x})", f"F.relu({x})", f"F.gelu({x})",
        f"F.silu({x})", f"torch.exp(torch.clamp({x}, max=2.0))", f"torch.sqrt(torch.abs({x}))", f"torch.log(torch.abs({x}) + 1)",
        f"torch.sin({x})", f"torch.cos({x})", f"torch.erf({x})", f"{x} ** 2", f"torch.floor({x})", f"torch.round({x})",
        f"torch.sign({x})", f"1 / (torch.abs({x}) + 0.5)", f"F.leaky_relu({x}, 0.2)", f"F.elu({x}, 0.7)", f"F.softplus({x})",
        f"F.hardtanh({x}, -0.5, 0.5)", f"F.hardswish({x})", f"torch.rsqrt({x} ** 2 + 1)", f"F.mish({x})", f"F.selu({x})",
        f"torch.atan({x})", f"torch.expm1(torch.clamp({x}, -2, 2))", f"torch.log1p(torch.abs({x}))", f"torch.trunc({x} * 2)",
        f"torch.nan_to_num({x})", f"torch.square({x})", f"torch.reciprocal({x} * {x} + 1)", f"F.hardsigmoid({x})",
        f"F.logsigmoid({x})", f"F.softsign({x})", f"F.celu({x}, 1.5)", f"F.hardshrink({x}, 0.3)", f"F.relu6({x})"))


@operation(1)
def clamp(p):
    x = p.pick("number")
    return p.random.choice((f"torch.clamp({x}, -1, 2)", f"torch.clamp({x}, min=0)", f"{x}.clamp(max=1)", f"torch.abs({x})",
                            f"torch.clip({x}, -0.5, 0.5)", f"-{x}", f"torch.sign({x})"))


def partner(p, x, kind="number"):
    """Returns another operand that broadcasts with x, or a number."""
    if p.random.random() < 0.35:
        return p.random.choice(("2", "3", "0.5", "-1.5", "1", f"{x}.size({p.axis(x)})"))
    shape = p.of(x).shape

    def fits(tensor):
        return all(a == b or 1 in (a, b) for a, b in zip(reversed(shape), reversed(tensor.shape)))
    return p.pick(kind, where=fits)


@operation(5)
def binary(p):
    x = p.pick("number")
    y = partner(p, x)
    if p.random.random() < 0.3:
        x, y = y, x
    return p.random.choice((f"{x} + {y}", f"{x} - {y}", f"{x} * {y}", f"{x} * {y}", f"{x} / ({y} * {y} + 1)",
                            f"torch.maximum({x}, {y})", f"torch.minimum({x}, {y})", f"torch.add({x}, {y}, alpha=2)",
                            f"torch.atan2({x}, {y})", f"torch.sub({x}, {y}, alpha=0.5)", f"torch.rsub({x}, {y})",
                            f"torch.abs({x}) ** {y}", f"torch.hypot({x}, {y})", f"torch.fmod({x}, 3)",
                            f"torch.remainder({x}, 3)", f"{x} // 2", f"torch.lerp({x}, {y}, 0.3)",
                            f"torch.addcmul({x}, {x}, {y}, value=0.5)", f"torch.true_divide({x}, 2)",
                            f"torch.logaddexp({x}, {y})"))


@operation(1.5)
def compare(p):
    x = p.pick("number")
    y = partner(p, x)
    sign = p.random.choice(("<", "<=", ">", ">=", "==", "!="))
    return f"{x} {sign} {y}"


@operation(1)
def logical(p):
    x = p.pick("bool")
    y = p.pick("bool")
    return p.random.choice((f"torch.logical_and({x}, {y})", f"{x} | {y}", f"{x} ^ {y}", f"~{x}", f"torch.logical_not({x})",
                            f"{x} & {y}", f"{x}.any()", f"{x}.all({p.axis(x)})", f"{x}.any({p.axis(x)}, keepdim=True)",
                            f"{x}.sum({p.axis(x)})", f"{x}.float().mean()"))


@operation(0.5)
def bits(p):
    x = p.pick("int")
    y = p.pick("int")
    return p.random.choice((f"{x} & {y}", f"{x} | {y}", f"{x} ^ {y}", f"~{x}", f"{x} << 1", f"{x} >> 1"))


@operation(1.5)
def choose(p):
    x = p.pick("number")
    mask = p.pick("bool") if p.random.random() < 0.5 else f"({x} > 0)"
    y = partner(p, x)
    return p.random.choice((f"torch.where({mask}, {x}, {y})", f"torch.where({mask}, {y}, {x})",
                            f"{x}.masked_fill({mask}, {p.random.choice(('0', '-1', '1.5', '2'))})",
                            f"torch.masked_select({x}, {mask})", f"{x}[{mask}]", f"{x} * {mask}"))


def dims(p, x):
    """Returns a reduction's axes as an argument with a comma before it, or an empty text."""
    rank = p.of(x).dim()
    if rank == 0 or p.random.random() < 0.2:
        return ""
    if p.random.random() < 0.35:
        some = p.random.sample(range(rank), p.random.randint(1, rank))
        some = [axis - rank if p.random.random() < 0.4 else axis for axis in some]
        return f", dim=({', '.join(map(str, some))},)"
    return f", dim={p.axis(x)}"


@operation(3)
def reduce(p):
    x = p.pick("float", 1)
    some = dims(p, x)
    keep = ", keepdim=True" if some and p.random.random() < 0.5 else ""
    name = p.random.choice(("sum", "mean", "amax", "amin", "std", "var", "norm", "logsumexp"))
    if name == "logsumexp" and not some:
        raise Unfit
    if name == "norm" and some and p.random.random() < 0.5:
        keep += f", p={p.random.choice((1, 2, 3))}"
    return f"torch.{name}({x}{some}{keep})"


@operation(2)
def reduce_one(p):
    x = p.pick("number", 1)
    axis = p.axis(x)
    keep = p.random.choice(("", ", keepdim=True"))
    name = p.random.choice(("max", "min", "argmax", "argmin", "prod", "sum", "cumsum", "cumprod", "cummax", "median", "any",
                            "logcumsumexp", "diff", "count_nonzero", "softmax", "log_softmax", "aminmax", "max", "min"))
    if name in ("max", "min", "median", "cummax") and p.random.random() < 0.5 or name in ("argmax", "argmin"):
        needs_order(p, x)
    elif name in ("max", "min", "median", "cummax"):
        return f"torch.{name}({x}, {axis}{'' if name == 'cummax' else keep})[0]"
    if name in ("cumsum", "cumprod", "cummax", "logcumsumexp", "diff", "count_nonzero", "softmax", "log_softmax"):
        return f"torch.{name}({x}, dim={axis})"
    if name == "aminmax":
        return f"torch.{name}({x}, dim={axis}{keep})"
    return f"torch.{name}({x}, {axis}{keep})"


def needs_order(p, x):
    """Raises Unfit if x has equal elements, because their order is not defined."""
    if p.of(x).unique().numel() != p.of(x).numel():
        raise Unfit


def ordered(p, x, choices):
    """Returns one of the choices; argsort only if its result is defined."""
    text = p.random.choice(choices)
    if "argsort" in text:
        needs_order(p, x)
    return text


@operation(1.5)
def order(p):
    x = p.pick("number", 1)
    axis = p.axis(x)
    extent = p.of(x).shape[axis]
    descending = p.random.choice((True, False))
    k = p.random.randint(1, extent)
    largest = f", largest={p.random.choice((True, False))}"
    if p.random.random() < 0.6:
        needs_order(p, x)
        return p.random.choice((f"torch.sort({x}, {axis}, {descending})", f"torch.topk({x}, {k}, {axis}{largest})",
                                f"torch.argsort({x}, {axis}, {descending})", f"torch.kthvalue({x}, {k}, {axis})"))
    return p.random.choice((f"torch.sort({x}, dim={axis}, descending={descending})[0]", f"{x}.topk({k}, {axis}{largest})[0]",
                            f"torch.unique({x})" if not p.of(x).is_floating_point() else f"torch.sort({x}, {axis})[0]"))


def index_text(p, shape):
    """Returns a random index in brackets for this shape."""
    parts = []
    consumed = 0
    ellipsis = False
    while consumed < len(shape) and p.random.random() < 0.8:
        extent = shape[consumed]
        kind = p.random.choices(("all", "int", "slice", "step", "none", "ellipsis"), (3, 3, 4, 1, 1, 1))[0]
        if kind == "ellipsis" and not ellipsis:
            ellipsis = True
            skipped = p.random.randint(0, len(shape) - consumed)
            parts.append("...")
            consumed += skipped
            rest = len(shape) - consumed
            for extent in shape[consumed:]:
                parts.append(p.random.choice((":", str(p.random.randrange(-extent, extent)), f":{p.random.randint(1, extent)}")))
            consumed += rest
            break
        if kind == "none":
            parts.append("None")
            continue
        start = p.random.randrange(extent)
        end = p.random.randint(start + 1, extent)
        parts.append({"all": ":", "int": str(p.random.randrange(-extent, extent)),
                      "slice": p.random.choice((f"{start}:{end}", f"{start}:", f":{end}", f"{start - extent}:")),
                      "step": f"{start}::2"}.get(kind, ":"))
        consumed += 1
    if not parts:
        raise Unfit
    return "[" + ", ".join(parts) + "]"


@operation(3)
def index(p):
    x = p.pick("any", 1)
    return x + index_text(p, p.of(x).shape)


@operation(2)
def pick_along(p):
    x = p.pick("any", 1)
    axis = p.axis(x)
    extent = p.of(x).shape[axis]
    start = p.random.randrange(extent)
    numbers = torch.tensor([p.random.randrange(extent) for _ in range(p.random.randint(1, 4))])
    kind = p.random.choice(("select", "narrow", "index_select", "flip", "roll", "gather", "advanced", "take", "unbind"))
    if kind == "select":
        return f"{x}.select({axis}, {p.random.randrange(-extent, extent)})"
    if kind == "narrow":
        return f"{x}.narrow({axis}, {start}, {p.random.randint(1, extent - start)})"
    if kind == "flip":
        return f"torch.flip({x}, ({axis},))"
    if kind == "roll":
        return f"torch.roll({x}, {p.random.randint(-3, 3)}, {axis})"
    if kind == "unbind":
        return f"torch.unbind({x}, {axis})"
    if kind == "advanced":
        first = p.of(x).shape[0]
        rows = torch.tensor([p.random.randrange(-first, first) for _ in range(p.random.randint(2, 4))])
        return f"{x}[{p.constant(rows)}]"
    if kind == "take":
        return f"torch.take({x}, {p.constant(numbers)})"
    if kind == "gather":
        i = p.pick("int", p.of(x).dim(), p.of(x).dim(), lambda i: i.dtype == torch.int64)
        return f"torch.gather({x}, {axis}, {i}.clamp(0, {extent - 1}))"
    return f"torch.index_select({x}, {axis}, {p.constant(numbers)})"


@operation(3)
def view(p):
    x = p.pick("any", 1)
    shape = list(p.of(x).shape)
    rank = len(shape)
    order = list(range(rank))
    p.random.shuffle(order)
    if p.random.random() < 0.3:
        order = [axis - rank for axis in order]
    a, b = p.axis(x), p.axis(x)
    first, last = sorted((a % rank, b % rank))
    kept = p.random.randrange(rank)
    sizes = ", ".join(f"{x}.size({axis})" for axis in range(kept))
    expanded = ", ".join(str(3 if extent == 1 else -1) for extent in shape)
    return p.random.choice((
        f"{x}.permute({', '.join(map(str, order))})", f"{x}.transpose({a}, {b})", f"torch.flatten({x}, {first}, {last})",
        f"{x}.unsqueeze({p.random.randint(-rank - 1, rank)})", f"{x}.squeeze()", f"torch.squeeze({x}, {a})",
        f"{x}.reshape({sizes + ', ' if sizes else ''}-1)", f"torch.movedim({x}, {a}, {b})", f"{x}.expand({expanded})",
        f"{x}.expand(2, {expanded})", f"{x}.reshape(-1)", f"{x}.reshape({', '.join(map(str, factors(p, p.of(x).numel())))})",
        f"{x}.contiguous().view({', '.join(map(str, factors(p, p.of(x).numel())))})", f"torch.swapaxes({x}, {a}, {b})",
        f"{x}.unfold({a}, {min(2, shape[a])}, {p.random.randint(1, 2)})", f"torch.diagonal({x}, 0, {a}, {b})",
        f"{x}.repeat({', '.join(str(p.random.randint(1, 2)) for _ in shape)})", f"torch.tile({x}, (2,))",
        f"torch.repeat_interleave({x}, 2, {a})", f"{x}.unflatten({a}, (1, -1))", f"{x}.mT", f"torch.atleast_2d({x})",
        f"torch.tril({x})", f"torch.triu({x}, 1)"))


def factors(p, count):
    """Returns a random factorization, perhaps with a -1."""
    sizes = []
    while count > 1 and len(sizes) < 4:
        factor = p.random.choice([d for d in range(1, count + 1) if count % d == 0])
        sizes.append(factor)
        count //= factor
    sizes.append(count)
    if p.random.random() < 0.4:
        sizes[p.random.randrange(len(sizes))] = -1
    return sizes


@operation(2)
def join(p):
    x = p.pick("any", 1)
    axis = p.axis(x)
    y = p.pick("any", 1, 9, lambda y: y.dim() == p.of(x).dim() and all(
        a == b or k == axis % y.dim() for k, (a, b) in enumerate(zip(y.shape, p.of(x).shape))))
    return p.random.choice((f"torch.cat(({x}, {y}), {axis})", f"torch.cat(({x}, {y}, {x}), {axis})",
                            f"torch.stack(({x}, {y}), {axis})", f"torch.stack([{x}, {y}])", f"torch.hstack(({x}, {y}))"))


@operation(2)
def part(p):
    x = p.pick("any", 1)
    axis = p.axis(x)
    extent = p.of(x).shape[axis]
    size = p.random.randint(1, extent)
    return p.random.choice((f"torch.split({x}, {size}, {axis})", f"torch.chunk({x}, {p.random.randint(1, 3)}, {axis})",
                            f"torch.split({x}, [{size}, {extent - size}], {axis})" if size < extent else
                            f"torch.chunk({x}, 2, {axis})[0]", f"torch.tensor_split({x}, 2, {axis})",
                            f"torch.split({x}, {size}, {axis})[0]"))


@operation(2.5)
def product(p):
    x = p.pick("float", 1, where=lambda x: x.dtype != torch.float16)
    rank = p.of(x).dim()
    y = p.pick("float", 1, where=lambda y: y.dtype == p.of(x).dtype)
    weight = p.constant((torch.randn(p.of(x).shape[-1], 3) * 4).round() / 8)
    cast = "" if p.of(x).dtype == torch.float32 else f".to({p.of(x).dtype})"
    letters = "abcdef"[:rank]
    kept = "".join(letter for letter in letters if p.random.random() < 0.6)
    return p.random.choice((
        f"{x} @ {y}", f"{x} @ {y}.transpose(-1, -2)", f"torch.matmul({x}, {weight}{cast})", f"{x}.transpose(-1, -2) @ {x}",
        f"torch.matmul({x}, {x}.transpose(-2, -1))", f"torch.einsum('{letters}->{kept}', {x})",
        f"torch.einsum('{letters},{letters}->{kept}', {x}, {x})", f"torch.einsum('{letters[::-1]}->{letters}', {x})", f"torch.outer({x}.flatten()[:4], {y}.flatten()[:3])",
        f"F.linear({x}, {weight}{cast}.t())", f"torch.dot({x}.flatten()[:2], {y}.flatten()[:2])",
        f"F.scaled_dot_product_attention({x}, {x}, {x})", f"torch.bmm({x}, {x}.mT)", f"torch.mm({x}, {x}.t())"))


@operation(2)
def pad(p):
    x = p.pick("float", 1)
    tensor = p.of(x)
    mode = p.random.choice(("constant", "constant", "reflect", "replicate", "circular"))
    axes = p.random.randint(1, tensor.dim()) if mode == "constant" else tensor.dim() - 2
    amounts = ", ".join(str(p.random.randint(-1 if mode == "constant" else 0, 2)) for _ in range(2 * axes))
    if axes < 1:
        raise Unfit
    value = f", value={p.random.choice((0, 1.5, -2))}" if mode == "constant" and p.random.random() < 0.5 else ""
    return f"F.pad({x}, ({amounts}), '{mode}'{value})"


@operation(3)
def image(p):
    x = p.pick("float", 3, 5, lambda x: x.dtype == torch.float32)
    tensor = p.of(x)
    n = tensor.dim() - 2
    channels = tensor.shape[1]
    kernel = p.random.randint(1, min(3, min(tensor.shape[2:])))
    stride = p.random.randint(1, 2)
    padding = p.random.randint(0, kernel // 2)
    out = p.random.randint(1, 5)
    more = f"bias={p.random.choice((True, False))}, groups={p.random.choice([g for g in (1, 1, channels) if g])}"
    dilation = p.random.randint(1, 2)
    mode = {1: "linear", 2: "bilinear", 3: "trilinear"}[n]
    return p.random.choice((
        f"{p.module(f'nn.Conv{n}d({channels}, {out * channels}, {kernel}, {stride}, {padding}, {dilation}, {more})')}({x})",
        f"{p.module(f'nn.ConvTranspose{n}d({channels}, {out}, {kernel}, {stride}, {padding})')}({x})",
        f"F.max_pool{n}d({x}, {kernel}, {stride}, {padding})", f"F.avg_pool{n}d({x}, {kernel}, {stride}, {padding})",
        f"{p.module(f'nn.MaxPool{n}d({kernel}, {stride}, ceil_mode=True)')}({x})",
        f"{p.module(f'nn.AvgPool{n}d({kernel}, {stride}, {padding}, count_include_pad=False)')}({x})",
        f"F.adaptive_avg_pool{n}d({x}, {p.random.randint(1, 3)})", f"F.adaptive_max_pool{n}d({x}, {p.random.randint(1, 3)})",
        f"F.interpolate({x}, scale_factor=2)", f"F.interpolate({x}, scale_factor=2, mode='{mode}')",
        f"F.interpolate({x}, size={(p.random.randint(1, 6),) * n}, mode='{mode}', align_corners=True)",
        f"F.pixel_shuffle({x}, 2)" if n == 2 and channels % 4 == 0 else f"F.lp_pool1d({x}, 2, {kernel})"))


@operation(2.5)
def normalize(p):
    x = p.pick("float", 2, 5, lambda x: x.dtype == torch.float32)
    tensor = p.of(x)
    last = tensor.shape[-1]
    channels = tensor.shape[1]
    n = max(1, tensor.dim() - 2)
    groups = p.random.choice([g for g in range(1, channels + 1) if channels % g == 0])
    return p.random.choice((
        f"{p.module(f'nn.LayerNorm({last})')}({x})", f"F.layer_norm({x}, ({tensor.shape[-2]}, {last}))",
        f"{p.module(f'nn.BatchNorm{n}d({channels})')}({x})", f"{p.module(f'nn.GroupNorm({groups}, {channels})')}({x})",
        f"F.group_norm({x}, {groups})", f"{p.module(f'nn.InstanceNorm{n}d({channels}, affine=True)')}({x})",
        f"F.normalize({x}, dim={p.axis(x)})", f"F.softmax({x}, {p.axis(x)})", f"F.log_softmax({x}, dim={p.axis(x)})",
        f"{p.module(f'nn.Linear({last}, {p.random.randint(1, 6)})')}({x})", f"F.rms_norm({x}, ({last},))",
        f"{p.module(f'nn.Linear({last}, 4, bias=False)')}({x})", f"F.glu({x}, {p.axis(x)})",
        f"{p.module(f'nn.PReLU({channels})')}({x})", f"{p.module('nn.Softmax(-1)')}({x})", f"F.dropout({x}, 0.5, False)",
        f"F.local_response_norm({x}, 2)", f"{p.module('nn.Hardswish()')}({x})"))


@operation(1)
def network(p):
    x = p.pick("float", 3, 3, lambda x: x.dtype == torch.float32)
    width = p.of(x).shape[-1]
    kind = p.random.choice(("GRU", "LSTM", "RNN"))
    both = p.random.choice((", bidirectional=True", ""))
    result = p.random.choice(("", "[0]")) if kind != "LSTM" else "[0]"
    heads = p.random.choice([h for h in (1, 2, 4) if width % h == 0])
    return p.random.choice((
        f"{p.module(f'nn.{kind}({width}, 3, batch_first=True{both})')}({x}){result}",
        f"{p.module(f'nn.{kind}({width}, 4, num_layers=2)')}({x}){result}",
        f"{p.module(f'nn.MultiheadAttention({width}, {heads}, batch_first=True)')}({x}, {x}, {x})[0]"))


@operation(1.5)
def embed(p):
    i = p.pick("int", 1, 3, lambda i: i.dtype in (torch.int64, torch.int32))
    return p.random.choice((f"{p.module('nn.Embedding(9, 4)')}({i}.clamp(0, 8))", f"F.one_hot({i}.clamp(0, 4).long(), 5)",
                            f"{p.module('nn.Embedding(5, 3)')}({i} % 5)", f"{i}.float() * 0.25"))


@operation(2)
def cast(p):
    x = p.pick()
    y = p.pick()
    dtype = p.random.choice(("float32", "float32", "float64", "int64", "int32", "uint8", "int16", "bool", "float16"))
    if p.of(x).is_floating_point() and dtype == "uint8":
        dtype = "int8"
    return p.random.choice((f"{x}.to(torch.{dtype})", f"{x}.float()", f"{x}.long()", f"{x}.bool()", f"{x}.type_as({y})",
                            f"{x}.to(torch.float32)", f"{x}.double()", f"{x}.int()", f"{x}.to({y}.dtype)"))


@operation(1.5)
def create(p):
    x = p.pick("any", 1)
    axis = p.axis(x)
    return p.random.choice((
        f"torch.zeros_like({x})", f"torch.ones_like({x}) * 2", f"torch.full_like({x}, 3)", f"torch.arange({x}.size({axis}))",
        f"{x}.new_ones({x}.size({axis}), 2)", f"torch.zeros({x}.shape[{axis}], 3)", f"torch.full((2, {x}.size({axis})), 0.5)",
        f"torch.arange(0, {x}.size({axis}), dtype=torch.float32)", f"{x} + torch.arange({x}.size(-1))",
        f"torch.linspace(0, 1, {x}.size({axis}))", f"{x}.new_zeros({x}.shape)", f"torch.eye({x}.size({axis}))",
        f"torch.cumsum(torch.ones_like({x}), {axis})", f"torch.meshgrid(torch.arange(3), torch.arange({x}.size({axis})), "
        "indexing='ij')"))


@operation(1)
def write(p):
    x = p.pick("number", 1)
    axis = p.axis(x)
    extent = p.of(x).shape[axis]
    numbers = p.constant(torch.tensor(p.random.sample(range(extent), p.random.randint(1, extent))))
    piece = f"{x}.index_select({axis}, {numbers})"
    return ordered(p, x, (f"{x}.index_add({axis}, {numbers}, {piece})", f"{x}.index_fill({axis}, {numbers}, 2)",
                            f"{x}.index_copy({axis}, {numbers}, {piece} * 2)", f"torch.select_scatter({x}, {x}.select({axis}, 0) "
                            f"* 2, {axis}, {extent - 1})", f"{x}.scatter({axis}, torch.argsort({x}, {axis}), {x})"))


@operation(1.5)
def assign(p):
    x = p.pick("number", 1)
    shape = p.of(x).shape
    place = index_text(p, shape)
    number = p.random.choice(("0", "2", "-1"))
    return p.random.choice((f"{x}.clone(); it{place} = {number}", f"{x}.clone(); it{place} *= 2", f"{x} + 1; it += {x}",
                            f"{x}.clone(); it{place} = {x}{place} + 1", f"{x} * 1; it.clamp_(-1, 1)",
                            f"{x}.clone(); it.mul_({number}); it.add_({x})", f"torch.zeros_like({x}); it{place} = {x}{place}",
                            f"{x}.clone().fill_({number})", f"{x}.clone(); it[{x} > 0] = {number}"))


@operation(1.5)
def sized(p):
    """Returns an operation whose arguments are computed from sizes."""
    x = p.pick("any", 2)
    axis = p.axis(x)
    half = ":, " * (axis % p.of(x).dim()) + f":({x}.size({axis}) + 1) // 2"
    return p.random.choice((
        f"{x}[{half}]", f"{x}.reshape({x}.size(0) * {x}.size(1), -1)", f"{x}.reshape(-1, {x}.size({axis}))",
        f"{x}.flatten()[: {x}.size({axis}) * 2]", f"{x} * {x}.size({axis}) / {x}.numel()",
        f"{x}.narrow({axis}, {x}.size({axis}) - 1, 1)", f"{x}.view({x}.shape[0], -1)[:, ::2]",
        f"torch.chunk({x}, {x}.size({axis}), {axis})[-1]", f"{x}.sum() / ({x}.shape[{axis}] + 1)",
        f"torch.arange({x}.size({axis}) * 2, {x}.size({axis}) * 2 + 3)", f"{x}.repeat_interleave({x}.size({axis}), 0)",
        f"{x}.unsqueeze(0).expand({x}.size({axis}), *{x}.shape)", f"torch.zeros({x}.size(0), {x}.size(1) + 1)",
        f"{x}.new_full(({x}.size({axis}), 2), 1.5)", f"{x}.transpose(0, 1).reshape({x}.size(1), -1)"))


@operation(2)
def rare(p):
    x = p.pick("float", 1, where=lambda x: x.dtype == torch.float32)
    y = p.pick("float", 1, where=lambda y: y.dtype == torch.float32)
    axis = p.axis(x)
    return ordered(p, x, (
        f"torch.cdist({x}, {x} + 1)", f"torch.kron({x}, {y})", f"F.cosine_similarity({x}, {x} * {x}, dim={axis})",
        f"torch.var_mean({x}, {axis})", f"torch.std_mean({x}, {axis}, keepdim=True)", f"torch.quantile({x}, 0.4, {axis})",
        f"F.mse_loss({x}, {x} * 0.5)", f"F.l1_loss({x}, {x}.sin())", f"torch.rot90({x}, 1, (0, 1))", f"torch.dist({x}, {x} * 2)",
        f"torch.roll({x}, (1, 2), (0, 1))", f"torch.searchsorted(torch.sort({x})[0], {x} + 0.01)", f"torch.cov({x})",
        f"torch.bucketize({x}, torch.arange(3) * 1.0 - 0.51)", f"torch.baddbmm({x}, {x}, {x}.mT)", f"torch.trapezoid({x})",
        f"F.unfold({x}, 2, padding=1)", f"F.channel_shuffle({x}, 2)", f"F.pixel_unshuffle({x}, 2)", f"torch.logit({x}.sigmoid())",
        f"F.grid_sample({x}, torch.zeros({x}.size(0), 3, 2, 2) + 0.3, align_corners=False)", f"torch.flipud({x})",
        f"torch.tensordot({x}, {x}, dims=([{axis}], [{axis}]))", f"torch.nonzero({x} > 0)", f"torch.linalg.norm({x}, dim={axis})",
        f"{x}.scatter_add({axis}, torch.argsort({x}, {axis}), {x})", f"torch.take_along_dim({x}, torch.argsort({x}, {axis}), {axis})",
        f"torch.masked_scatter({x}, {x} > 0, {x}.flatten())", f"torch.argwhere({x} > 0.5)", f"torch.cross({x}, {x} + 1, dim={axis})",
        f"torch.unique_consecutive(({x} > 0).long())", f"torch.histc({x}, 4, -2.01, 2.01)", f"torch.isclose({x}, {y})",
        f"torch.vstack(({x}, {y}))", f"torch.block_diag({x}, {y})", f"torch.cartesian_prod({x}.flatten()[:3], {y}.flatten()[:2])",
        f"torch.broadcast_tensors({x}, {y})", f"{x}.expand_as({y})", f"{x}.view_as({x} + 1)", f"torch.diag_embed({x})",
        f"torch.index_put({x}, (torch.tensor([0, 0]),), {x}[:1], accumulate=True)", f"torch.softmax({x}, {axis}).topk(1, {axis})[0]",
        f"F.threshold({x}, 0.1, 2.0)", f"torch.heaviside({x}, {x}.abs())", f"torch.renorm({x}, 2, {axis}, 1.5)", f"torch.gradient({x})",
        f"F.fold(F.unfold({x}, 2), {tuple(p.of(x).shape[2:])}, 2)", f"torch.addmm({x}, {x}, {x}.t() @ {x})", f"torch.std({x})",
        f"F.embedding_bag(torch.zeros(2, 3).long(), {x})", f"torch.bincount(torch.argsort({x}.flatten()))", f"torch.mv({x}, {x}[0])"))


OPERATIONS = tuple(map(list, zip(*WEIGHTED)))
