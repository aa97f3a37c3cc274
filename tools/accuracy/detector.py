# SPDX-License-Identifier: MIT
"""The shape detector: scenes of seeds that its training never used."""
import torch

from accuracy.task import CALIBRATION_SCENES, Task, model_files

TITLE = "shape detector"


def prepare(models, _cache, count=300, calibration_count=64):
    model = model_files(models, "shape_detector")
    from shape_training import framed_scenes, tensor_of
    from train_detector import HELD_OUT, STRIDES, measure_scenes
    scenes = framed_scenes(HELD_OUT, count)

    def figures(run, _):
        mean, precision, recall, _ = measure_scenes(lambda picture: torch.from_numpy(run(picture.numpy())), scenes)
        return [mean, precision, recall]

    return Task(
        TITLE, model, f"{count} scenes of 256 x 256, seeds [{HELD_OUT}, 0] to [{HELD_OUT}, {count - 1}]",
        f"{calibration_count} scenes, seeds [{CALIBRATION_SCENES}, 0] to [{CALIBRATION_SCENES}, {calibration_count - 1}]",
        ["mAP at IoU 0.5", "precision at confidence 0.25", "recall at confidence 0.25"],
        [tensor_of(scene.picture, STRIDES[-1]).numpy() for scene in framed_scenes(CALIBRATION_SCENES, calibration_count)],
        figures)
