# SPDX-License-Identifier: MIT
"""MiniLM: cosines of sentences, compared with the cosines in float32."""
import numpy as np

from accuracy.task import TOOLS, Task, model_files
from accuracy.word_piece import tokens_of

TITLE = "MiniLM (all-MiniLM-L6-v2)"


def rank_correlation(first, second):
    """Returns Spearman's rank correlation of numbers without ties."""
    ranks = [np.argsort(np.argsort(numbers)) for numbers in (first, second)]
    return float(np.corrcoef(ranks)[0, 1])


def found_pairs(cosines):
    """Returns the share of sentences whose nearest neighbour has the same meaning; sentences 2n and 2n + 1 mean the same."""
    nearest = np.where(np.eye(len(cosines), dtype=bool), -np.inf, cosines).argmax(1)
    return float(np.mean(nearest == np.arange(len(cosines)) ^ 1))


def prepare(models, _cache, count=80, calibration_count=34):
    model = model_files(models, "minilm", "minilm.vocab.txt")
    words = (models / "minilm.vocab.txt").read_text(encoding="utf-8").splitlines()
    vocabulary = {word: number for number, word in enumerate(words)}

    def read(name, separator, limit):
        text = (TOOLS / "accuracy" / name).read_text(encoding="ascii").strip().replace(separator, "\n")
        return [np.array([tokens_of(line, vocabulary)]) for line in text.split("\n")[:limit]]

    sentences = read("sentence_pairs.tsv", "\t", count)

    def cosines(run):
        embeddings = np.concatenate([run(tokens) for tokens in sentences]).astype(np.float64)
        return embeddings @ embeddings.T

    def figures(run, float_run):
        found, wanted = cosines(run), cosines(float_run)
        pairs = np.triu_indices(len(found), 1)
        differences = abs(found - wanted)[pairs]
        return [found_pairs(found), rank_correlation(found[pairs], wanted[pairs]), differences.mean(), differences.max()]

    calibration = read("calibration_sentences.txt", "\n", calibration_count)
    return Task(
        TITLE, model, f"the {len(sentences)} sentences of tools/accuracy/sentence_pairs.tsv",
        f"the {len(calibration)} sentences of tools/accuracy/calibration_sentences.txt",
        ["sentences nearest to their paraphrase", "rank correlation of cosines with float32's",
         "mean difference of cosines to float32", "largest difference of cosines to float32"],
        calibration, figures, judged=2)
