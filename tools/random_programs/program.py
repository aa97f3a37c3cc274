# SPDX-License-Identifier: MIT
"""A random program: a seed decides its inputs, its chain of operations and its outputs."""
import random
import re

import torch
from torch import nn

from .operations import OPERATIONS, Unfit

MOST_ELEMENTS = 6000
LARGEST = 1e4
# The relative disturbance of inputs of a type, and the factor by which a result may change more.
PRECISION = {torch.float16: 1e-3, torch.float32: 2e-6, torch.float64: 1e-12}
MOST_SENSITIVE = 200


def flatten(result):
    if isinstance(result, (tuple, list)):
        return [item for part in result for item in flatten(part)]
    return [result]


class Program:
    """`source` defines class Model; `inputs` are its inputs, `tolerance` the allowed error of floating results, relative
    to max(1, |value|)."""

    def __init__(self, seed):
        self.seed = seed
        self.random = random.Random(seed)
        torch.manual_seed(seed)
        self.values = {}  # name -> tensor, in the order of their making
        self.made = 0  # members, kept or not
        self.modules = {}  # name of a member -> its expression
        self.members = {}  # name of a member -> the module or the constant
        self.lines = []
        for k in range(self.random.choice((1, 1, 2, 2, 3))):
            self.values[f"x{k}"] = self.random_input()
        self.inputs = [tensor.clone() for tensor in self.values.values()]
        wanted = self.random.randint(3, 8)
        for _ in range(20 * wanted):
            if len(self.lines) < wanted:
                self.add_line()
        self.outputs = self.choose_outputs()
        self.drop_unused()
        self.source = self.make_source()
        self.tolerance = None

    def random_input(self):
        shape = [self.random.choice((1, 2, 3, 4, 5, 6, 8)) for _ in range(self.random.choice((1, 2, 2, 3, 3, 4, 4, 5)))]
        kind = self.random.choices(("float", "double", "half", "int", "small", "bool"), (14, 1, 1, 3, 1, 1))[0]
        if kind == "int":
            return torch.randint(-4, 9, shape, dtype=self.random.choice((torch.int64, torch.int64, torch.int32)))
        if kind == "small":
            return torch.randint(0, 9, shape, dtype=self.random.choice((torch.uint8, torch.int8, torch.int16)))
        if kind == "bool":
            return torch.rand(shape) > 0.5
        dtype = {"float": torch.float32, "double": torch.float64, "half": torch.float16}[kind]
        return torch.randn(shape).to(dtype)

    # The functions that operations call.

    def pick(self, kind="any", low=0, high=9, where=lambda tensor: True):
        """Returns the name of a value, preferably a late one. Raises Unfit if there is none."""
        def fits(tensor):
            floating = tensor.is_floating_point()
            kinds = {"any": True, "float": floating, "int": not floating and tensor.dtype != torch.bool,
                     "bool": tensor.dtype == torch.bool, "number": tensor.dtype != torch.bool}
            return kinds[kind] and low <= tensor.dim() <= high and where(tensor)
        names = [name for name, tensor in self.values.items() if fits(tensor)]
        if not names:
            raise Unfit
        return names[-1] if self.random.random() < 0.6 else self.random.choice(names)

    def of(self, name):
        return self.values[name]

    def axis(self, name):
        """Returns an axis of a value, counted from either end."""
        rank = self.values[name].dim()
        if rank == 0:
            raise Unfit
        return self.random.randrange(-rank, rank)

    def module(self, expression):
        """Adds a member that the expression makes, and returns its name with self."""
        name = f"m{self.made}"
        self.made += 1
        self.modules[name] = expression
        return "self." + name

    def constant(self, tensor):
        """Adds a member that is a constant array, written out."""
        return self.module(f"torch.tensor({tensor.tolist()}, dtype={tensor.dtype})")

    # The functions that build the program.

    def add_line(self):
        operation = self.random.choices(*OPERATIONS)[0]
        modules = dict(self.modules)
        try:
            expression = operation(self)
            self.modules = {name: text for name, text in self.modules.items()
                            if name in modules or contains(expression, name)}
            results, alone = self.evaluate(expression)
        except (Unfit, RuntimeError, IndexError, ValueError, TypeError, NotImplementedError):
            self.modules = modules
            return
        names = [f"v{len(self.values) + k}" for k in range(len(results))]
        self.lines.append((", ".join(names) + alone, re.sub(r"\bit\b", names[0], expression)))
        self.values.update(zip(names, results))

    def evaluate(self, expression):
        """Returns the results, and the comma that takes a single result out of its tuple. Statements that follow the
        expression call its result `it`."""
        for name, text in self.modules.items():
            if name not in self.members:
                self.members[name] = make_member(text)
        self.members = {name: self.members[name] for name in self.modules}
        holder = type("Members", (), self.members)
        with torch.no_grad():
            first, *statements = expression.split("; ")
            scope = dict(GLOBALS, self=holder, **self.values)
            value = scope["it"] = eval(first, scope)
            for statement in statements:
                exec(statement, scope)
        results = flatten(value)
        if not 1 <= len(results) <= 6 or not all(acceptable(result) for result in results):
            raise Unfit
        return [result.clone() for result in results], "," if len(results) == 1 and not torch.is_tensor(value) else ""

    def choose_outputs(self):
        made = [name for name in self.values if name.startswith("v")]
        if not made:
            return []
        unused = [name for name in made[:-1] if not any(contains(line, name) for _, line in self.lines)]
        more = [name for name in unused if self.random.random() < 0.8]
        more += [name for name in made[:-1] if name not in more and self.random.random() < 0.1]
        return more + [made[-1]]

    def drop_unused(self):
        """Leaves out the lines that no output needs."""
        needed = set(self.outputs)
        kept = []
        for names, expression in reversed(self.lines):
            if needed.isdisjoint(word.strip() for word in names.split(",")):
                continue
            kept.insert(0, (names, expression))
            needed.update(name for name in (*self.values, *self.modules) if contains(expression, name))
        self.lines = kept
        self.modules = {name: text for name, text in self.modules.items() if name in needed}
        self.members = {name: self.members[name] for name in self.modules}

    def make_source(self):
        text = ["class Model(nn.Module):", "    def __init__(self):", "        super().__init__()"]
        for name, expression in self.modules.items():
            if expression.startswith("torch.tensor"):
                text.append(f"        self.register_buffer({name!r}, {expression})")
            else:
                text.append(f"        self.{name} = {expression}")
        inputs = ", ".join(f"x{k}" for k in range(len(self.inputs)))
        text += ["", f"    def forward(self, {inputs}):"]
        text += [f"        {names} = {expression}" for names, expression in self.lines]
        text.append("        return " + ", ".join(self.outputs))
        return "\n".join(text)

    def make_model(self):
        torch.manual_seed(self.seed)
        scope = dict(GLOBALS)
        exec(self.source, scope)
        model = scope["Model"]().eval()
        for name, member in self.members.items():
            if isinstance(member, nn.Module):
                getattr(model, name).load_state_dict(member.state_dict())
        return model

    def check(self):
        """Finds the tolerance by disturbing the inputs. Returns False if the results depend on the last bits of a number, or
        if the program fails."""
        if not self.outputs:
            return False
        model = self.make_model()
        types = {tensor.dtype for tensor in self.values.values() if tensor.is_floating_point()}
        precision = max((PRECISION[dtype] for dtype in types), default=0.0)
        with torch.no_grad():
            given = [[tensor.clone() for tensor in self.inputs]]
            given += [[disturbed(tensor, precision) for tensor in self.inputs] for _ in range(2)]
            try:
                expected, *others = [flatten(model(*inputs)) for inputs in given]
            except RuntimeError:  # of a view, for example: the program was made on arrays of other strides
                return False
        self.tolerance = 20 * precision
        for results in others:
            for result, wanted in zip(results, expected):
                if result.shape != wanted.shape:
                    return False
                error = largest_error(result, wanted)
                if error > (MOST_SENSITIVE * precision if wanted.is_floating_point() else 0):
                    return False
                self.tolerance = max(self.tolerance, 20 * error)
        self.expected = expected
        return True


def make_member(expression):
    member = eval(expression, dict(GLOBALS))
    if isinstance(member, nn.Module):
        for name, buffer in member.named_buffers():
            if name.endswith("running_mean"):
                buffer.normal_(0.0, 0.5)
            if name.endswith("running_var"):
                buffer.uniform_(0.5, 2.0)
        member.eval()
    return member


def contains(expression, name):
    return re.search(rf"\b{name}\b", expression) is not None


def acceptable(tensor):
    if not torch.is_tensor(tensor) or tensor.is_complex() or not 1 <= tensor.numel() <= MOST_ELEMENTS or tensor.dim() > 6:
        return False
    return not tensor.is_floating_point() or bool((tensor.abs() < LARGEST).all())


def disturbed(tensor, scale):
    if not tensor.is_floating_point():
        return tensor.clone()
    return (tensor.double() * (1 + scale * torch.randn(tensor.shape).double())).to(tensor.dtype)


def largest_error(result, wanted):
    """Returns the largest error relative to max(1, |wanted|)."""
    result, wanted = result.double(), wanted.double()
    same = (result == wanted) | (result.isnan() & wanted.isnan())
    error = torch.where(same, 0.0, (result - wanted).abs() / wanted.abs().clamp(min=1))
    return float(torch.nan_to_num(error, nan=1e9).max()) if error.numel() else 0.0


GLOBALS = {"torch": torch, "nn": nn, "F": nn.functional}


def random_program(seed):
    """Returns the first program of the seed, or of the numbers derived from it, that can be compared."""
    for attempt in range(100):
        program = Program(seed + attempt * 10_000_019)
        if program.check():
            return program
    raise RuntimeError(f"seed {seed} gives no program")
