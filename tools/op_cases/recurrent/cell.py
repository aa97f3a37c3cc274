# SPDX-License-Identifier: MIT
"""Cases: one step of recurrent layers."""
import torch

from ..case import aten, written

GATES = {"lstm_cell": 4, "gru_cell": 3, "rnn_tanh_cell": 1, "rnn_relu_cell": 1}
for cell, gates in GATES.items():
    lstm = cell == "lstm_cell"
    for name, type, batch, biases in (("both", torch.float32, 3, 2), ("none", torch.float32, 3, 0), ("first", torch.float32, 2, 1),
                                      ("single", torch.float32, 1, 2), ("empty", torch.float32, 0, 2), ("double", torch.float64, 3, 2)):
        states = [(type, (batch, 6))] * (2 if lstm else 1)
        weights = [(type, (gates * 6, 5)), (type, (gates * 6, 6))] + [(type, (gates * 6,))] * biases
        first = 1 + len(states)
        hx = ["$1", "$2"] if lstm else "$1"
        aten(f"{cell}_{name}", cell, ["$0", hx] + [f"${first + k}" for k in range(2 + biases)],
             (type, (batch, 5)), *states, *weights, outputs=2 if lstm else 1)

# Weights in the file, which are packed.
for cell, gates in GATES.items():
    torch.manual_seed(3)
    weights = [torch.randn(gates * 8, 7), torch.randn(gates * 8, 8), torch.randn(gates * 8), torch.randn(gates * 8)]
    lstm = cell == "lstm_cell"
    names = ["w_ih", "w_hh", "b_ih", "b_hh"]
    attributes = "\n".join(f"pnnx.Attribute {name} 0 1 {name} @data=({','.join(map(str, weight.shape))})f32" for name, weight in zip(names, weights))
    state = "pnnx.Input pnnx_input_2 0 1 c #c=(4,8)f32\nprim::ListConstruct hx 2 1 h c hx" if lstm else ""
    written(f"{cell}_constant", f"""
        pnnx.Input pnnx_input_0 0 1 x #x=(4,7)f32
        pnnx.Input pnnx_input_1 0 1 h #h=(4,8)f32
        {state}
        {attributes}
        aten::{cell} cell 6 {2 if lstm else 1} x {'hx' if lstm else 'h'} {' '.join(names)} y{' z' if lstm else ''}
        pnnx.Output out0 1 0 y
        {'pnnx.Output out1 1 0 z' if lstm else ''}
        """, lambda x, h, *c, cell=cell, weights=weights: getattr(torch.ops.aten, cell)(x, [h, *c] if c else h, *weights),
        (4, 7), (4, 8), *([(4, 8)] if lstm else []), weights={f"{name}.data": weight for name, weight in zip(names, weights)})
