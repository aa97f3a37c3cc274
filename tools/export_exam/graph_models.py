# SPDX-License-Identifier: MIT
"""Layers and networks of torch_geometric for graphs of nodes and edges."""

_NODES, _EDGES, _WIDTH = 12, 40, 8

# By class in torch_geometric.nn: the arguments that make it, and what it is called with (the words of _inputs).
_LAYERS = {
    "SimpleConv": ((), "x edges"),
    "GCNConv": ((8, 6), "x edges weights"),
    "ChebConv": ((8, 6, 3), "x edges weights"),
    "SAGEConv": ((8, 6), "x edges"),
    "SAGEConv_max": ((8, 6, "max"), "x edges"),
    "SAGEConv_lstm": ((8, 6, "lstm"), "x sorted"),
    "GraphConv": ((8, 6), "x edges weights"),
    "GatedGraphConv": ((8, 2), "x edges"),
    "ResGatedGraphConv": ((8, 6), "x edges"),
    "GATConv": ((8, 6, 2), "x edges"),
    "GATv2Conv": ((8, 6, 2), "x edges"),
    "TransformerConv": ((8, 6, 2), "x edges"),
    "AGNNConv": ((), "x edges"),
    "TAGConv": ((8, 6), "x edges weights"),
    "GINConv": (("mlp",), "x edges"),
    "GINEConv": (("mlp",), "x edges attributes"),
    "ARMAConv": ((8, 6, 2, 2), "x edges weights"),
    "SGConv": ((8, 6, 2), "x edges weights"),
    "SSGConv": ((8, 6, 0.1, 2), "x edges weights"),
    "APPNP": ((3, 0.1), "x edges weights"),
    "MFConv": ((8, 6), "x edges"),
    "RGCNConv": ((8, 6, 3), "x edges types"),
    "FastRGCNConv": ((8, 6, 3), "x edges types"),
    "RGATConv": ((8, 6, 3), "x edges types"),
    "SignedConv": ((8, 6, True), "x edges sorted"),
    "PointNetConv": ((), "x pos edges"),
    "GMMConv": ((8, 6, 3, 4), "x edges pseudo"),
    "NNConv": ((8, 6, "edge_mlp"), "x edges attributes"),
    "CGConv": ((8, 8), "x edges attributes"),
    "EdgeConv": (("pair_mlp",), "x edges"),
    "PPFConv": ((), "x pos pos edges"),
    "FeaStConv": ((8, 6, 2), "x edges"),
    "PointTransformerConv": ((8, 6), "x pos edges"),
    "HypergraphConv": ((8, 6), "x edges"),
    "LEConv": ((8, 6), "x edges weights"),
    "PNAConv": ((8, 6, ["mean", "min", "max", "std"], ["identity", "amplification", "attenuation"], "degrees"), "x edges"),
    "ClusterGCNConv": ((8, 6), "x edges"),
    "GENConv": ((8, 6), "x edges"),
    "GCN2Conv": ((8, 0.1), "x x edges weights"),
    "WLConvContinuous": ((), "x edges weights"),
    "FiLMConv": ((8, 6), "x edges"),
    "SuperGATConv": ((8, 6, 2), "x edges"),
    "FAConv": ((8,), "x x edges"),
    "EGConv": ((8, 8), "x edges"),
    "PDNConv": ((8, 6, 8, 5), "x edges attributes"),
    "GeneralConv": ((8, 6), "x edges"),
    "HEATConv": ((8, 6, 3, 3, 4, 8, 4), "x edges node_types types attributes"),
    "LGConv": ((), "x edges"),
    "AntiSymmetricConv": ((8,), "x edges"),
    "MixHopConv": ((8, 6), "x edges"),
    "Linear": ((8, 6), "x"),
    "HeteroLinear": ((8, 6, 3), "x node_types"),
    "DenseGCNConv": ((8, 6), "dense adjacency mask"),
    "DenseGINConv": (("mlp",), "dense adjacency mask"),
    "DenseGraphConv": ((8, 6), "dense adjacency mask"),
    "DenseSAGEConv": ((8, 6), "dense adjacency mask"),
    "DenseGATConv": ((8, 6, 2), "dense adjacency mask"),
    "DMoNPooling": ((8, 3), "dense adjacency mask"),
    "TopKPooling": ((8,), "x edges"),
    "SAGPooling": ((8,), "x edges"),
    "ASAPooling": ((8,), "x edges"),
    "MemPooling": ((8, 6, 2, 3), "dense"),
    "InstanceNorm": ((8,), "x batch"),
    "LayerNorm": ((8,), "x batch"),
    "GraphNorm": ((8,), "x batch"),
    "GraphSizeNorm": ((), "x batch"),
    "PairNorm": ((), "x batch"),
    "MeanSubtractionNorm": ((), "x batch"),
    "DiffGroupNorm": ((8, 3), "x"),
    "HeteroLayerNorm": ((8, 3), "x node_types"),
    "PerformerAttention": ((8, 2), "dense"),
    "SGFormerAttention": ((8, 2), "dense"),
    "PolynormerAttention": ((8, 2), "dense"),
    "QFormer": ((8, 8, 6, 2, 2), "dense"),
    "SoftmaxAggregation": ((), "x batch"),
    "PowerMeanAggregation": ((), "positive batch"),
    "MedianAggregation": ((), "x batch"),
    "QuantileAggregation": (([0.25, 0.5],), "x batch"),
    "StdAggregation": ((), "x batch"),
    "MulAggregation": ((), "x batch"),
    "VariancePreservingAggregation": ((), "x batch"),
    "LSTMAggregation": ((8, 6), "x batch"),
    "GRUAggregation": ((8, 6), "x batch"),
    "Set2Set": ((8, 2), "x batch"),
    "SortAggregation": ((3,), "x batch"),
    "GraphMultisetTransformer": ((8, 3), "x batch"),
    "AttentionalAggregation": (("mlp",), "x batch"),
    "DeepSetsAggregation": (("mlp", "mlp"), "x batch"),
    "SetTransformerAggregation": ((8,), "x batch"),
    "LCMAggregation": ((8, 6), "x batch"),
    "MLP": (([8, 16, 6],), "x"),
    "GCN": ((8, 16, 2, 6), "x edges"),
    "GraphSAGE": ((8, 16, 2, 6), "x edges"),
    "GIN": ((8, 16, 2, 6), "x edges"),
    "GAT": ((8, 16, 2, 6), "x edges"),
    "EdgeCNN": ((8, 16, 2, 6), "x edges"),
    "GraphUNet": ((8, 16, 6, 2), "x edges"),
    "AttentiveFP": ((8, 16, 6, 8, 2, 2), "x edges attributes batch"),
    "LINKX": ((12, 8, 16, 6, 2), "x edges"),
    "NeuralFingerprint": ((8, 16, 6, 2), "x edges batch"),
    "SGFormer": ((8, 16, 6), "x edges batch"),
    "Polynormer": ((8, 16, 6), "x edges batch"),
    "PMLP": ((8, 16, 6, 2), "x edges"),
    "RECT_L": ((8, 16), "x edges"),
}


def graph_models():
    import torch_geometric.nn

    for name, (arguments, words) in _LAYERS.items():
        yield f"torch_geometric/{name}", lambda name=name, arguments=arguments, words=words: _model(torch_geometric.nn, name, arguments, words)


def _model(nn, name, arguments, words):
    import torch

    def mlp(*widths):
        return torch.nn.Sequential(torch.nn.Linear(*widths[:2]), torch.nn.ReLU(), torch.nn.Linear(widths[1], widths[2]))

    made = {"mlp": lambda: mlp(8, 16, 8), "edge_mlp": lambda: mlp(8, 16, 48), "pair_mlp": lambda: mlp(16, 16, 6), "degrees": lambda: torch.arange(9)}
    find = getattr(nn, name.split("_")[0] if name.startswith("SAGE") else name, None) or getattr(nn.models, name, None) or getattr(nn.attention, name)
    module = find(*(made[each]() if isinstance(each, str) and each in made else each for each in arguments))
    given = _inputs(torch)
    return module, tuple(given[word] for word in words.split())


def _inputs(torch):
    edges = torch.randint(_NODES, (2, _EDGES))
    return {
        "x": torch.randn(_NODES, _WIDTH), "positive": torch.rand(_NODES, _WIDTH) + 0.1, "edges": edges,
        "sorted": torch.stack([edges[0], edges[1].sort().values]), "weights": torch.rand(_EDGES) + 0.1,
        "attributes": torch.randn(_EDGES, _WIDTH), "pseudo": torch.rand(_EDGES, 3), "types": torch.randint(3, (_EDGES,)),
        "node_types": torch.randint(3, (_NODES,)), "pos": torch.randn(_NODES, 3),
        "batch": torch.tensor([0] * 5 + [1] * 4 + [2] * 3), "dense": torch.randn(2, 7, _WIDTH),
        "adjacency": (torch.rand(2, 7, 7) > 0.6).float(), "mask": torch.arange(7) < torch.tensor([[7], [5]]),
    }
