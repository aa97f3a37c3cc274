# SPDX-License-Identifier: MIT
"""The families of operators, in the order of the documents. An operator belongs to the family in whose folder its file is."""

FAMILIES = {
    "convolution": "sliding windows times weights: convolutions, transposed and deformable ones, unfolding and folding",
    "product": "products of matrices and vectors, linear layers, norms of matrices",
    "linear_algebra": "factors, inverses, determinants and eigenvalues of matrices; systems of equations",
    "pooling": "one number for each window of an image: its largest element, its mean",
    "normalization": "elements scaled by statistics of their batch, group or axis: batch, group and layer normalization, softmax",
    "attention": "attention, and the transformer layers that contain it",
    "recurrent": "RNN, LSTM and GRU",
    "reduction": "one number for all elements along axes: sums, extremes, norms, statistics, distances, counts; running sums, differences",
    "elementwise": "functions of one element of each array: arithmetic, comparisons, activations, conversions",
    "movement": "elements in another place or shape: views, copies, concatenations, splits; sizes and lists",
    "indexing": "elements chosen by indices or masks, embeddings",
    "sorting": "order and membership: sorting, medians, quantiles, searches, unique elements",
    "sampling": "resized images, pixels interpolated at given points, regions of images",
    "signal": "Fourier transforms and complex numbers",
    "loss": "distances between predictions and targets",
    "creation": "new arrays: constants, sequences, random numbers",
    "quantization": "arrays and results of layers rounded to a quantisation grid",
}
