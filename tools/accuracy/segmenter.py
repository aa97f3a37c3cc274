# SPDX-License-Identifier: MIT
"""The shape segmenter: scenes of seeds that its training never used."""
import numpy as np
import torch

from accuracy.task import CALIBRATION_SCENES, Task, model_files

TITLE = "shape segmenter"


def prepare(models, _cache, count=300, calibration_count=64):
    model = model_files(models, "shape_segmenter")
    from shape_training import framed_scenes, tensor_of
    from train_segmenter import DIVISOR, HELD_OUT, measure_scenes
    scenes = framed_scenes(HELD_OUT, count)

    def figures(run, _):
        shares, right = measure_scenes(lambda picture: torch.from_numpy(run(picture.numpy())), scenes)
        return [np.nanmean(shares), right]  # few scenes may lack a class

    return Task(
        TITLE, model, f"{count} scenes of 256 x 256, seeds [{HELD_OUT}, 0] to [{HELD_OUT}, {count - 1}]",
        f"{calibration_count} scenes, seeds [{CALIBRATION_SCENES}, 0] to [{CALIBRATION_SCENES}, {calibration_count - 1}]",
        ["mean IoU", "right pixels"],
        [tensor_of(scene.picture, DIVISOR).numpy() for scene in framed_scenes(CALIBRATION_SCENES, calibration_count)],
        figures)
