# SPDX-License-Identifier: MIT
import subprocess
import sys

import numpy as np
import pytest

from conftest import ROOT
from kuiper_infer import ArrayInfo, KuiperError, Model, vision


@pytest.fixture
def picture(generator):
    return generator.integers(0, 256, (37, 53, 3), dtype=np.uint8)


def test_reads_files(picture):
    path = ROOT / "tmp/line_hello.png"
    read = vision.read(path)
    assert read.dtype == np.uint8 and read.shape[2] == 3
    np.testing.assert_array_equal(vision.read(path.read_bytes()), read)
    with pytest.raises(KuiperError, match="absent.png"):
        vision.read("absent.png")
    with pytest.raises(KuiperError):
        vision.read(b"nothing")


def test_reads_as_pillow_does():
    Image = pytest.importorskip("PIL.Image")
    with Image.open(ROOT / "tmp/line_hello.png") as file:
        expected = np.asarray(file.convert("RGB"))
    np.testing.assert_array_equal(vision.read(ROOT / "tmp/line_hello.png"), expected)


def test_resizes_as_pillow_does(picture):
    Image = pytest.importorskip("PIL.Image")
    expected = np.asarray(Image.fromarray(picture).resize((30, 20), Image.Resampling.BILINEAR))
    found = vision.resize(picture, 20, 30)
    assert np.abs(found.astype(int) - expected.astype(int)).max() <= 1
    assert vision.resize_shorter_side(picture, 20).shape == (20, 28, 3)


def test_crops(picture):
    np.testing.assert_array_equal(vision.crop(picture, 3, 4, 10, 20), picture[3:13, 4:24])
    np.testing.assert_array_equal(vision.center_crop(picture, 11, 13), picture[13:24, 20:33])
    with pytest.raises(KuiperError):
        vision.crop(picture, 30, 0, 10, 10)


def test_letterbox(picture):
    boxed = vision.letterbox(picture, 64, 64)
    assert boxed.picture.shape == (64, 64, 3)
    assert (boxed.picture[0] == 114).all()
    assert boxed.scale == pytest.approx(64 / 53) and boxed.left == 0 and boxed.top > 0


def test_normalises(picture):
    tensor = vision.to_tensor(picture, mean=vision.IMAGENET_MEAN, std=vision.IMAGENET_STD)
    mean, std = np.float32(vision.IMAGENET_MEAN), np.float32(vision.IMAGENET_STD)
    expected = ((picture.astype(np.float32) / 255 - mean) / std).transpose(2, 0, 1)[None]
    np.testing.assert_allclose(tensor, expected, rtol=1e-5, atol=1e-6)
    swapped = vision.to_tensor(picture, target=vision.ColorOrder.BGR, divisor=1)
    np.testing.assert_array_equal(swapped[0, 0], picture[:, :, 2])


def test_views_and_grey_pictures(picture):
    np.testing.assert_array_equal(
        vision.resize(picture[::2, ::-1], 8, 8), vision.resize(picture[::2, ::-1].copy(), 8, 8)
    )
    assert vision.resize(picture[:, :, 0], 8, 8).shape == (8, 8, 1)


@pytest.mark.parametrize("wrong", [np.zeros((4, 4, 3)), np.zeros(5, np.uint8), np.zeros((2, 2, 2, 2), np.uint8)])
def test_what_is_no_picture(wrong):
    with pytest.raises(TypeError, match="expected uint8"):
        vision.resize(wrong, 2, 2)


def test_wrong_extents(picture):
    for extents in ((0, 5), (-1, 5), (1 << 40, 1 << 40)):
        with pytest.raises(KuiperError):
            vision.resize(picture, *extents)
    with pytest.raises(KuiperError):
        vision.resize(np.zeros((0, 3, 3), np.uint8), 4, 4)


def input_of(*shape):
    return ArrayInfo("image", "float32", shape)


def test_pictures_become_inputs_as_the_program_makes_them(line_reader, tmp_path):
    path = ROOT / "tmp/line_hello.png"
    options = ["--color", "gray", "--mean", "0.5", "--std", "0.5"]
    program = [sys.executable, "-m", "kuiper_infer", "run", "--param", line_reader, "--bin", line_reader[:-5] + "bin"]
    subprocess.run(
        [*program, "--image", path, *options, "--output-dir", tmp_path], check=True, stdout=subprocess.DEVNULL
    )
    (expected,) = [np.load(file) for file in tmp_path.glob("*.npy")]
    model = Model(line_reader)
    prepared = vision.to_input(vision.read(path), model.inputs[0], color="gray", mean=[0.5], std=[0.5])
    np.testing.assert_array_equal(model(prepared), expected)


def test_free_extents_are_in_proportion(picture):
    assert vision.to_input(picture, input_of(1, 3, 74, -1)).shape == (1, 3, 74, 106)
    assert vision.to_input(picture, input_of(3, -1, 106)).shape == (3, 74, 106)
    assert vision.to_input(picture, input_of(-1, -1, -1, -1)).shape == (1, 3, 37, 53)
    assert vision.to_input(picture, input_of(1, 3, -1, 20), size=(11, 12)).shape == (1, 3, 11, 20)


def test_inputs_are_the_steps_one_by_one(picture):
    stretched = vision.to_tensor(vision.resize(picture, 16, 24), target=vision.ColorOrder.BGR, mean=(0.1, 0.2, 0.3))
    found = vision.to_input(picture, input_of(1, 3, 16, 24), color="bgr", mean=(0.1, 0.2, 0.3))
    np.testing.assert_array_equal(found, stretched)
    boxed = vision.to_tensor(vision.letterbox(picture, 16, 24).picture, divisor=1)
    np.testing.assert_array_equal(vision.to_input(picture, input_of(1, 3, 16, 24), fit="letterbox", divisor=1), boxed)
    middle = vision.center_crop(vision.resize_shorter_side(picture, 32), 28, 28)
    np.testing.assert_array_equal(
        vision.to_input(picture, input_of(1, 3, 28, 28), fit="crop"), vision.to_tensor(middle)
    )


@pytest.mark.parametrize(
    ("info", "options", "message"),
    [
        (input_of(3, 8, 8), {"fit": "fill"}, "fit is 'fill', expected stretch, crop or letterbox"),
        (input_of(3, 8, 8), {"color": "cmyk"}, "color is 'cmyk', expected rgb, bgr or gray"),
        (input_of(1, 1, 8, 8), {}, "'image' float32 .1,1,8,8.: color rgb has 3 channels"),
        (input_of(2, 3, 8, 8), {}, r"expected float32 \(1,C,H,W\)"),
        (input_of(), {}, r"expected float32 \(1,C,H,W\)"),
        (ArrayInfo("image", "int64", (3, 8, 8)), {}, r"expected float32 \(1,C,H,W\)"),
        (input_of(3, 8, 8), {"std": 3 * (0.0,)}, "deviation 0 for channel 0, expected finite numbers"),
        (input_of(3, 8, 8), {"std": (1, 1, float("inf"))}, "deviation inf for channel 2"),
        (input_of(3, 8, 8), {"mean": (float("nan"),)}, "mean nan"),
        (input_of(3, 8, 8), {"divisor": 0}, "divisor is 0"),
        (input_of(3, 8, 8), {"std": (1, 2)}, "std has 2 numbers, expected 1 or 3"),
        (input_of(3, -1, 8), {"size": (0, 8)}, r"size is \(0,8\), expected a positive height and width"),
        (input_of(3, -1, 1 << 40), {}, "cannot be input 'image'"),
    ],
)
def test_pictures_that_cannot_be_inputs(picture, info, options, message):
    with pytest.raises(KuiperError, match=message):
        vision.to_input(picture, info, **options)
