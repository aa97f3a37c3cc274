# SPDX-License-Identifier: MIT
"""tools/accuracy.py, on few samples of the models that ship in tmp/."""

import re
import subprocess
import sys

import numpy as np
import pytest

from conftest import ROOT

for package in ("torch", "pnnx", "PIL"):
    pytest.importorskip(package, reason="the trainings' metrics need PyTorch, pnnx and Pillow")
sys.path.append(str(ROOT / "tools"))
from accuracy import formats, pictures, sentences, table, word_piece  # noqa: E402

FORMATS = 7


def accuracy(*arguments):
    command = [sys.executable, str(ROOT / "tools/accuracy.py"), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True)


def test_the_shapes_and_the_document(tmp_path):
    document = tmp_path / "page.md"
    document.write_text(f"before\n{table.BEGIN}\nold\n{table.END}\nafter\n")
    done = accuracy("--tasks", "detector", "segmenter", "--samples", 4, "--calibration-samples", 2, "--write", document)
    assert done.returncode == 0, done.stderr
    assert document.read_text() == f"before\n{table.BEGIN}\n{done.stdout}{table.END}\nafter\n"
    rows = {}
    for line in re.findall(r"^\| (shape .*) \|$", done.stdout, re.M):
        task, figure, *cells = line.split(" | ")
        assert len(cells) == FORMATS and cells[5:] == ["-", "-"], line
        rows[task, figure] = [float(cell) for cell in cells[:5]]
    assert len(rows) == 5
    for (task, figure), (float32, high, medium, *int8) in rows.items():
        assert 0.85 < float32 <= 1, (task, figure)
        assert high == pytest.approx(float32, abs=0.001), (task, figure)
        assert medium == pytest.approx(float32, abs=0.01), (task, figure)
        assert int8 == pytest.approx([float32, float32], abs=0.03), (task, figure)
    # Rounding to 8 bits has to show in some class of some pixel, or nothing was rounded.
    assert any(float32 != int8 for float32, _, _, int8, _ in rows.values())
    assert any(int8 != narrow for *_, int8, narrow in rows.values())


def test_a_task_without_its_model_is_left_out(tmp_path):
    done = accuracy("--tasks", "segmenter", "sentences", "--models", tmp_path)
    assert done.returncode == 1 and done.stdout == ""
    assert f"segmenter is left out: {tmp_path}/shape_segmenter.pnnx.param is missing" in done.stderr
    assert f"sentences is left out: {tmp_path}/models/minilm.pnnx.param is missing" in done.stderr


def test_numbers_of_samples_are_positive():
    done = accuracy("--samples", 0)
    assert done.returncode == 2 and "--samples is 0, expected 1 or more" in done.stderr


def test_a_document_without_marks_is_refused(tmp_path):
    document = tmp_path / "page.md"
    document.write_text(table.BEGIN)
    done = accuracy("--write", document)
    assert done.returncode == 2 and f"--write {document}: expected one line" in done.stderr
    for lines in ([table.END, table.BEGIN], [table.BEGIN, table.END, table.END], [table.BEGIN, table.BEGIN, table.END]):
        with pytest.raises(ValueError, match="expected one line"):
            table.replace_section("\n".join(lines), "text\n")


def test_figures_of_cosines():
    embeddings = np.array([[1, 0], [0.9, 0.1], [0, 1], [0.1, 1.1]])
    assert sentences.found_pairs(embeddings @ embeddings.T) == 1
    assert sentences.found_pairs(embeddings[[0, 2, 1, 3]] @ embeddings[[0, 2, 1, 3]].T) == 0
    assert sentences.rank_correlation(np.array([1, 2, 3, 4]), np.array([1, 4, 9, 16])) == pytest.approx(1)
    assert sentences.rank_correlation(np.array([1, 2, 3, 4]), np.array([2, 1, 3, 4])) == pytest.approx(0.8)


def test_figures_of_classes():
    logits = np.array([[0, 5, 4, 3, 2, 1], [0.8, 0, 0.2, 0.1, -1, -2], [0.6, 0, 0.2, 0.1, -1, -2]])
    assert pictures.best_five(logits)[:2].tolist() == [[1, 2, 3, 4, 5], [0, 2, 3, 1, 4]]
    assert pictures.is_clear(logits).tolist() == [True, False, False]
    logits[1, 0] = 0.9
    assert pictures.is_clear(logits).tolist() == [True, True, False]


def test_words_are_cut_into_the_longest_pieces():
    words = ["[UNK]", "[CLS]", "[SEP]", "un", "##able", "##a", "unab", "'", "a"]
    vocabulary = {word: number for number, word in enumerate(words)}
    assert word_piece.tokens_of("A unable'", vocabulary) == [1, 8, 0, 7, 2]
    assert word_piece.tokens_of("Unaable uxa", vocabulary) == [1, 3, 5, 4, 0, 2]


def test_the_gate_is_tried_harder_until_it_holds(tmp_path, monkeypatch):
    monkeypatch.setattr(formats, "quantize", lambda model, output, *options: [{"gate": " ".join(options[5:])}])
    monkeypatch.setattr(formats, "runner", lambda model: None)
    found = iter([[0.5, 0], [0.989, 0], [0.991, 0]])
    task = type("Task", (), {"calibration": [np.zeros(1)], "model": "m", "judged": 1})
    task.measure = staticmethod(lambda run, float_run: next(found))
    int8 = formats.in_int8(task, None, [1.0, 1.0], ("--pairs", "any"), formats.save_samples(task, tmp_path))
    assert int8.figures == [0.991, 0] and int8.layers == [{"gate": "--sqnr 25"}]
