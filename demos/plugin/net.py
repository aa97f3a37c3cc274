# SPDX-License-Identifier: MIT
"""A network with a user's module, exported for the plugin in this folder: python3 net.py (docs/plugins.md)."""
import torch


class Wave(torch.nn.Module):
    """amplitude * sin(frequency * x): an amplitude for each feature, one frequency."""

    def __init__(self, features, frequency):
        super().__init__()
        self.amplitude = torch.nn.Parameter(torch.linspace(1, 2, features))
        self.register_buffer("frequency", torch.tensor([frequency]))

    def forward(self, x):
        return self.amplitude * torch.sin(self.frequency * x)


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.first = torch.nn.Linear(8, 4)
        self.wave = Wave(4, 3.0)
        self.last = torch.nn.Linear(4, 2)

    def forward(self, x):
        return self.last(self.wave(self.first(x)))


def main():
    import numpy
    import pnnx

    import net  # the converter knows the module by this name, not as __main__

    torch.manual_seed(0)
    model = net.Net().eval()
    x = torch.rand(5, 8)
    pnnx.export(model, "net.pt", x, moduleop="net.Wave")
    numpy.save("x.npy", x.numpy())
    print(model(x))


if __name__ == "__main__":
    main()
