#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Lists which of PyTorch's own operators kuiper_infer.export can write.

    pip install torch==2.13.0 --index-url https://download.pytorch.org/whl/cpu
    python3 tools/aten_coverage.py [--write docs/aten-coverage.md]

The list of operators is PyTorch's: all overloads in torch.ops.aten that return new tensors. Left out are overloads that
write into their arguments, and the kinds of _LEFT_OUT, which no exported graph of a model on a CPU holds.
"""

import argparse
import collections
import pathlib
import re
import sys

import torch
from kuiper_infer._pytorch.torch_export.call_arguments import WITHOUT_EFFECT
from kuiper_infer._pytorch.torch_export.decompositions import rule_of
from kuiper_infer._pytorch.torch_export.schemas import takes, type_of

CLASSES = {
    "ours": "the library has the operator with all of its arguments",
    "in part": "the library has the operator, but some of its arguments must have their default",
    "by composition": "PyTorch takes the operator apart at the export, and the library has the parts",
    "missing": "neither; an export that meets it is refused by name",
}
# Operators that no exported graph of a model on a CPU holds, by kind.
_LEFT_OUT = {
    "training": r"backward|^_foreach_|^_fused_|^_amp_|_grad$|_masked_scale|_dual|_fw_primal",
    "other devices": r"cudnn|miopen|mkldnn|cuda|mps|xla|vulkan|triton|fbgemm|_cslt|_efficient_attention|_flash_attention_forward",
    "sparse and nested tensors": r"sparse|nested|jagged|coalesce|(ccol|crow|col|row)_indices|^_?(indices|values)$|spdiags",
    "storage of quantised tensors": r"^q_|qscheme|int_repr|^_empty_(affine|per)|^quantized_|^_?choose_qparams|_dyn_quant",
    "parts of other operators": r"_helper$|_fallback$|^_validate|^_compute_linear|^_transform_bias|^_propagate",
    "checks and tests of PyTorch's own": r"^_test_|^_debug|^_print|^_has_|_version$|^_functional_|_token|_philox|_async",
}


def overloads():
    """All overloads of PyTorch's operators that an exported graph of a model may hold."""
    for name in sorted(dir(torch.ops.aten)):
        packet = getattr(torch.ops.aten, name)
        if not isinstance(packet, torch._ops.OpOverloadPacket) or re.search("|".join(_LEFT_OUT.values()), name):
            continue
        for overload_name in packet.overloads():
            overload = getattr(packet, overload_name)
            schema = overload._schema
            if schema.is_mutable or "Dimname" in str(schema) or not torch._C._dispatch_has_kernel(overload.name()):
                continue
            if any("Tensor" in str(each.type) for each in schema.returns):
                yield overload


def class_of(overload, rules):
    arguments = [each for each in overload._schema.arguments if each.name not in WITHOUT_EFFECT]
    name = type_of(overload)
    if takes(name, [each.name for each in arguments]):
        return "ours"
    if takes(name, [each.name for each in arguments if not each.has_default_value()]):
        return "in part"
    if rule_of(overload, rules) is not None:
        return "by composition"
    return "by composition" if _is_composite(overload) else "missing"


def _is_composite(overload):
    """Whether PyTorch computes the operator by other ones."""
    return overload.has_kernel_for_dispatch_key(torch._C.DispatchKey.CompositeImplicitAutograd)


def table():
    rules = torch.export.default_decompositions()
    classes = {str(overload): (class_of(overload, rules), torch.Tag.core in overload.tags) for overload in overloads()}
    lines = [
        "# PyTorch's operators",
        "",
        "Which operators of PyTorch `kuiper_infer.export` can write ([exporting](exporting.md)), by PyTorch's own list, and of these",
        "the *core* ones, to which PyTorch takes every other operator apart. `tools/aten_coverage.py --write` makes this page, with",
        f"PyTorch {torch.__version__.partition('+')[0]}.",
        "",
        "| | all | core | |",
        "|---|---|---|---|",
    ]
    everything = collections.Counter(each for each, _ in classes.values())
    core = collections.Counter(each for each, is_core in classes.values() if is_core)
    lines += [f"| {each} | {everything[each]} | {core[each]} | {meaning} |" for each, meaning in CLASSES.items()]
    lines += ["", "Left out are overloads that write into arguments, and by their names: " + ", ".join(_LEFT_OUT) + "."]
    for each in ("missing", "in part", "by composition"):
        names = [name.removeprefix("aten.") for name, (found, _) in classes.items() if found == each]
        lines += ["", f"## {each.capitalize()}", "", ", ".join(f"`{name}`" for name in names) or "None."]
    return "\n".join(lines) + "\n", core["missing"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", metavar="FILE")
    args = parser.parse_args()
    text, missing = table()
    if args.write:
        pathlib.Path(args.write).write_text(text)
    else:
        print(text)
    sys.exit(missing > 0)


if __name__ == "__main__":
    main()
