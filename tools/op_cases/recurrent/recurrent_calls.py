# SPDX-License-Identifier: MIT
"""Recurrent layers of drawn sizes."""
import torch

from ..calls import draw


def recurrent(w):
    kind = w.pick("LSTM", "GRU", "RNN")
    size, hidden, layers = w.rng.randint(1, 5), w.rng.randint(2, 9), w.rng.randint(1, 3)
    steps, batch = w.rng.randint(1, 6), w.rng.randint(1, 3)
    params = {"input_size": size, "hidden_size": hidden, "num_layers": layers, "bias": w.pick(True, False),
              "batch_first": w.pick(True, False), "bidirectional": w.pick(True, False)}
    if kind == "RNN":
        params["nonlinearity"] = w.pick("tanh", "relu")
    projection = w.rng.randint(0, hidden - 1) if kind == "LSTM" else 0
    module = getattr(torch.nn, kind)(**params, **({"proj_size": projection} if projection else {})).eval()
    weights = {}
    with torch.no_grad():
        for name, weight in module.named_parameters():
            weight.copy_(w.tensor(*weight.shape, low=-0.6, high=0.6))
            weights[name] = weight.detach().clone()
    if kind == "LSTM":
        params["proj_size"] = projection
    unbatched = w.rng.random() < 0.2
    shape = [steps, size] if unbatched else [batch, steps, size] if params["batch_first"] else [steps, batch, size]
    x = w.tensor(*shape)
    passes = layers * (2 if params["bidirectional"] else 1)
    state = (lambda n: w.tensor(*([passes, n] if unbatched else [passes, batch, n])))
    inputs = [x]
    if w.pick(True, False):
        inputs.append(state(projection or hidden))
        if kind == "LSTM":
            inputs.append(state(hidden))
    module = module.double()
    with torch.no_grad():
        wide_inputs = [t.double() for t in inputs]
        initial = [] if len(inputs) == 1 else [tuple(wide_inputs[1:])] if kind == "LSTM" else [wide_inputs[1]]
        out, states = module(wide_inputs[0], *initial)
    outputs = [out, *states] if kind == "LSTM" else [out, states]
    outputs = [t.float() for t in outputs]
    swapped = w.rng.random() < 0.15
    if swapped:
        params["pnnx_rnn_output_swapped"] = 1
        w.add("nn." + kind, inputs, params, outputs[1:] + outputs[:1], attributes=weights, tolerance=3e-6, tuple=True)
    else:
        w.add("nn." + kind, inputs, params, outputs[: w.pick(1, len(outputs))], attributes=weights, tolerance=3e-6)


draw("recurrent", 1, (recurrent, 20))
