# SPDX-License-Identifier: MIT
"""A case of one operation that is called alone, in a graph that no converter writes."""
import torch

KINDS = {torch.float32: "f32", torch.float64: "f64", torch.int64: "i64", torch.int32: "i32", torch.int16: "i16",
         torch.int8: "i8", torch.uint8: "u8", torch.bool: "bool", torch.complex64: "c64"}


def spec(tensor):
    return f"({','.join(map(str, tensor.shape))}){KINDS[tensor.dtype]}"


def text(value):
    """A number, a text, None, or a list of these as a .param file has it."""
    if isinstance(value, (list, tuple)):
        return "(" + ",".join(map(text, value)) + ")"
    return str(value).lower() if value in (float("inf"), float("-inf")) else str(value)


class Graph:
    """The lines of a graph whose operators are added one after the other."""

    def __init__(self):
        self.lines, self.operands, self.inputs = [], 0, []

    def add(self, type, name, inputs=(), outputs=1, rest=""):
        """Adds an operator; the numbers of its outputs."""
        results = range(self.operands, self.operands + outputs)
        self.operands += outputs
        numbers = "".join(f" {operand}" for operand in (*inputs, *results))
        self.lines.append(f"{type} {name} {len(inputs)} {outputs}{numbers}{rest}")
        return list(results)

    def value(self, value):
        """The operand of an argument: an input of the model, a constant, or a list of operands."""
        number = self.operands
        if isinstance(value, torch.Tensor):
            self.inputs.append(value)
            name = f"pnnx_input_{len(self.inputs) - 1}"
            return self.add("pnnx.Input", name, rest=f" #{number}={spec(value)}")[0]
        if isinstance(value, (list, tuple)) and (not value or any(isinstance(v, torch.Tensor) for v in value)):
            items = [self.value(item) for item in value]
            return self.add("prim::ListConstruct", f"list_{self.operands}", items)[0]
        return self.add("prim::Constant", f"constant_{number}", rest=f" value={text(value)}")[0]

    def __str__(self):
        return f"7767517\n{len(self.lines)} {self.operands}\n" + "\n".join(self.lines) + "\n"


class Call:
    """The case of a call; `tuple` says that the operation gives one tuple, which another operator takes apart. `error` is
    what the error of a wrong call contains."""

    def __init__(self, name, type, inputs, params, outputs, attributes, names, tolerance, error, tuple):
        self.name, self.outputs, self.tolerance, self.error = name, outputs or [], tolerance, error
        graph = Graph()
        operands = [graph.value(value) for value in inputs]
        named = list(zip(names, operands))
        for key, value in params.items():  # a file has no empty list: its "()" is None
            if value == []:
                operands.append(graph.value(value))
                named.append((key, operands[-1]))
        rest = "".join(f" {key}={text(value)}" for key, value in params.items() if value != [])
        rest += "".join(f" @{key}={spec(value)}" for key, value in attributes.items())
        rest += "".join(f" ${name}={operand}" for name, operand in named)
        count = max(len(self.outputs), 1)
        results = graph.add(type, "call", operands, 1 if tuple else count, rest)
        if tuple:
            results = graph.add("prim::TupleUnpack", "parts", results, count)
        for k, result in enumerate(results):
            graph.add("pnnx.Output", f"pnnx_output_{k}", [result], 0)
        self.param, self.inputs = str(graph), graph.inputs
        self.weights = {f"call.{key}": value for key, value in attributes.items()}
