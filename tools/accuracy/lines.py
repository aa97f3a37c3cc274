# SPDX-License-Identifier: MIT
"""The line reader: lines in fonts that its training never saw."""
import torch

from accuracy.task import Lacking, Task, model_files

TITLE = "line reader"
SEED, CALIBRATION_SEED = "measure 1", "calibration 1"


def prepare(models, _cache, count=3000, calibration_count=200):
    model = model_files(models, "line_reader")
    try:
        from fonts import find_fonts
        from line_reader import draw_lines, measure
        from render_lines import to_input
        from sample_text import WORD_LIST
    except (ImportError, OSError) as error:
        raise Lacking(f"{error} (tools/train/line_reader.md lists what drawing lines needs)") from error
    if not WORD_LIST.is_file() or not find_fonts(True) or not find_fonts(False):
        raise Lacking("words or fonts to draw are not installed (tools/train/line_reader.md lists them)")
    lines = list(draw_lines(True, count, SEED))

    def figures(run, _):
        characters, exact, _ = measure(lambda line: torch.from_numpy(run(line.numpy())), lines)
        return [exact, characters]

    return Task(
        TITLE, model, f'{count:,} lines in held-out fonts, seed "{SEED}"',
        f'{calibration_count} lines in training fonts, seed "{CALIBRATION_SEED}"',
        ["lines without error", "right characters"],
        [to_input(pixels) for _, pixels in draw_lines(False, calibration_count, CALIBRATION_SEED)], figures)
