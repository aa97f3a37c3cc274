# SPDX-License-Identifier: MIT
"""The families of operators, in the order in which documents list them. An operator belongs to the family in whose folder it
is."""

FAMILIES = {
    "convolution": "sliding windows times weights: convolutions, transposed and deformable ones, unfolding and folding",
    "product": "products of matrices and vectors, linear layers, norms of matrices",
    "linear_algebra": "factors, inverses, determinants and eigenvalues of matrices; systems of equations",
    "pooling": "what a window of an image comes to: its largest element, its mean",
    "normalization": "values scaled by statistics of their surroundings: batch, group and layer normalization, softmax",
    "attention": "attention, and the layers of transformers around it",
    "recurrent": "RNN, LSTM and GRU",
    "reduction": "what axes come to: sums, extremes, norms, statistics, distances, counts; running sums and differences",
    "elementwise": "functions of one element, or of one of each array: arithmetic, comparisons, activations, conversions",
    "movement": "elements in other places, shapes and pieces: views, copies, joins; sizes and lists",
    "indexing": "elements chosen by index numbers or masks, embeddings",
    "sorting": "order and membership: sorting, medians, quantiles, searches, unique elements",
    "sampling": "images resized, read between their pixels, and regions of them",
    "signal": "Fourier transforms and complex numbers",
    "loss": "how far predictions are from targets",
    "creation": "new arrays: constants, sequences, random numbers",
    "quantization": "arrays rounded to a grid, and layers whose results are",
}
