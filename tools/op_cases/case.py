# SPDX-License-Identifier: MIT
"""A case: a module, its inputs, and the tolerance of its results."""
import torch
from torch import nn


class Case:
    """A module and its inputs; `build` makes both, so that listing the cases costs nothing.

    specs      descriptions of the inputs, see make_input
    other      inputs of another size: the model is exported with both and tested with these
    tolerance  allowed error, relative to max(1, |value|); results that are not floating must be exact
    param      the graph as text, for operators that the converter cannot be made to write
    weights    its attributes: {"operator.name": tensor}
    alone      the module is exported by itself, not inside another one as in real models: the converter does not
               recognise it then
    """

    def __init__(self, name, make, *specs, other=None, tolerance=None, param=None, weights=None, alone=False):
        self.name, self.make, self.specs = name, make, specs
        self.other, self.tolerance, self.param = other, tolerance, param
        self.weights, self.alone = weights or {}, alone

    def build(self):
        module = self.make() if self.alone else Lambda(self.make())
        for parameter in module.parameters():
            nn.init.normal_(parameter, 0.0, 0.5)
        for name, buffer in module.named_buffers():
            if name.endswith("running_mean"):
                buffer.normal_(0.0, 0.5)
            if name.endswith("running_var"):
                buffer.uniform_(0.5, 2.0)
        inputs = [make_input(spec) for spec in self.specs]
        other = None if self.other is None else [make_input(spec) for spec in self.other]
        return module.eval(), inputs, other


class Lambda(nn.Module):
    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, *inputs):
        return self.function(*inputs)


def make_input(spec):
    """A shape (normal values), a function that makes the tensor, or a kind with a shape:

    ("pos", shape) above 0.1; ("unit", shape) within (0, 1); ("int", shape, high) from 0; ("signed", shape, high);
    ("bool", shape); (dtype, spec) another spec converted to an element type.
    """
    if callable(spec) and not isinstance(spec, torch.dtype):
        return spec()
    kind = spec[0] if spec else None
    if isinstance(kind, torch.dtype):
        return make_input(spec[1]).to(kind)
    if kind == "pos":
        return torch.rand(spec[1]) + 0.1
    if kind == "unit":
        return torch.rand(spec[1]) * 0.98 + 0.01
    if kind == "int":
        return torch.randint(0, spec[2], spec[1])
    if kind == "signed":
        return torch.randint(-spec[2], spec[2], spec[1])
    if kind == "bool":
        return torch.rand(spec[1]) > 0.5
    return torch.randn(spec)


SHORT_TYPES = {torch.float32: "f32", torch.float64: "f64", torch.float16: "f16", torch.int64: "i64", torch.int32: "i32",
               torch.int16: "i16", torch.int8: "i8", torch.uint8: "u8", torch.bool: "bool", torch.complex64: "c64",
               torch.complex128: "c128"}
TYPE_CODES = {torch.uint8: 0, torch.int8: 1, torch.int16: 2, torch.int32: 3, torch.int64: 4, torch.float16: 5,
              torch.float32: 6, torch.float64: 7, torch.complex64: 9, torch.complex128: 10, torch.bool: 11}

CASES = []  # of the family that is being loaded


def add(name, make, *specs, **options):
    """Adds a case from a function that makes a module."""
    CASES.append(Case(name, make, *specs, **options))


def fn(name, function, *specs, **options):
    """Adds a case from a function of tensors."""
    CASES.append(Case(name, lambda: function, *specs, **options))


def written(name, param, function, *specs, **options):
    """Adds a case from a graph written by hand and the function that it computes."""
    lines = [line.strip() for line in param.splitlines() if line.strip()]
    operands = {field.lstrip("#").split("=")[0] for line in lines for field in line.split() if field.startswith("#")}
    text = f"7767517\n{len(lines)} {len(operands)}\n" + "\n".join(lines) + "\n"
    CASES.append(Case(name, lambda: function, *specs, param=text, **options))


def raw(name, type, function, arguments, *specs, outputs=1, listed=None, **options):
    """Adds a case from one operator in the form that the converter writes if it has no rule for it: inputs in schema order, every other
    argument as a constant expression. `arguments` holds "$0", "$1", ... for the inputs and constants; `function` takes
    the inputs. `listed` picks an item of an operator that gives a list of two."""
    inputs = [make_input(spec) for spec in specs]
    lines = []
    for k, tensor in enumerate(inputs):
        shape = ",".join(map(str, tensor.shape))
        lines.append(f"pnnx.Input pnnx_input_{k} 0 1 {k} #{k}=({shape}){SHORT_TYPES[tensor.dtype]}")
    operands = []
    for argument in arguments:
        if isinstance(argument, str) and argument.startswith("$"):
            operands.append(argument[1:])
            continue
        if isinstance(argument, (list, tuple)) and any(isinstance(item, str) and item.startswith("$") for item in argument):
            items = []
            for item in argument:
                if item is None:
                    items.append(str(len(lines)))
                    lines.append(f"pnnx.Expression constant{len(lines)} 0 1 {len(lines)} expr=None")
                else:
                    items.append(item[1:])
            operands.append(str(len(lines)))
            lines.append(f"prim::ListConstruct list{len(lines)} {len(items)} 1 {' '.join(items)} {len(lines)}")
            continue
        text = str(TYPE_CODES.get(argument, argument) if isinstance(argument, torch.dtype) else argument).replace(" ", "").replace("(", "[").replace(")", "]")
        operands.append(str(len(lines)))
        lines.append(f"pnnx.Expression constant{len(lines)} 0 1 {len(lines)} expr={text}")
    results = [str(len(lines) + k) for k in range(outputs)]
    count = len(lines) + outputs
    lines.append(f"{type} raw {len(operands)} {outputs} {' '.join(operands + results)}")
    if listed is not None:
        items = [str(count), str(count + 1)]
        lines.append(f"prim::ListUnpack items 1 2 {results[0]} {' '.join(items)}")
        count, results = count + 2, [items[listed]]
    lines += [f"pnnx.Output pnnx_output_{k} 1 0 {result}" for k, result in enumerate(results)]
    text = f"7767517\n{len(lines)} {count}\n" + "\n".join(lines) + "\n"
    CASES.append(Case(name, lambda: function, *specs, param=text, **options))


def aten(name, operator, arguments, *specs, outputs=1, **options):
    """A case from one overload of PyTorch's own operators, such as "add.Tensor", as an exporter writes it: every argument
    in the schema's order. `arguments` are those of `raw`; what it leaves out at the end has its default. The case has
    the first `outputs` results."""
    package, _, rest = operator.rpartition("::")
    base, _, overload = rest.partition(".")
    operator = getattr(getattr(getattr(torch.ops, package or "aten"), base), overload or "default")
    schema = operator._schema.arguments
    arguments = list(arguments) + [argument.default_value for argument in schema[len(arguments):]]

    def function(*inputs):
        def value(argument):
            if isinstance(argument, (list, tuple)):
                return [value(item) for item in argument]
            return inputs[int(argument[1:])] if isinstance(argument, str) and argument.startswith("$") else argument

        values = [value(argument) for argument in arguments]
        by_name = {argument.name: given for argument, given in zip(schema, values) if argument.kwarg_only}
        results = operator(*[given for argument, given in zip(schema, values) if not argument.kwarg_only], **by_name)
        if options.get("listed") is not None:
            return results[options["listed"]]
        return results if isinstance(results, torch.Tensor) else tuple(results)[:outputs]

    raw(name, f"{package or 'aten'}::{base}", function, arguments, *specs, outputs=outputs, **options)


def chain(name, function, spec, *steps, results, **options):
    """A graph of several raw operators. A step is "TYPE operands -> results"; operands are x, which is the input, results of
    earlier steps, and constants."""
    tensor = make_input(spec)
    kind = SHORT_TYPES[tensor.dtype]
    numbers = {"x": "0"}
    lines = [f"pnnx.Input pnnx_input_0 0 1 0 #0=({','.join(map(str, tensor.shape))}){kind}"]

    def number(word):
        if word not in numbers:
            numbers[word] = str(len(numbers))
            lines.append(f"pnnx.Expression constant{numbers[word]} 0 1 {numbers[word]} expr={word}")
        return numbers[word]

    for index, step in enumerate(steps):
        left, right = step.split(" -> ")
        type, *operands = left.split()
        operands = [number(word) for word in operands]
        outputs = right.split()
        for word in outputs:
            numbers[word] = str(len(numbers))
        type, _, formula = type.partition(",")
        formula = formula and " expr=" + formula
        lines.append(f"{type} op_{index} {len(operands)} {len(outputs)} {' '.join(operands)} {' '.join(numbers[word] for word in outputs)}{formula}")
    lines += [f"pnnx.Output pnnx_output_{k} 1 0 {numbers[word]}" for k, word in enumerate(results)]
    written(name, "\n".join(lines), function, spec, **options)
