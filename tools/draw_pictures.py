#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws the pictures of docs/pictures anew, with the programs of build/bin.

    python3 tools/draw_pictures.py [NAME ...]      all, or those of these names
    python3 tools/draw_pictures.py --check         fails if a picture is out of date; changes nothing, takes seconds

Graphs need Graphviz's `dot`, the report's picture needs `chromium`, the faces need the models that
`tools/get_model.py` fetches as mtcnn_pnet, mtcnn_rnet and mtcnn_onet, and pages what
tools/page_pictures.py says. The check needs none of these. It compares the
operators, shapes and methods in the boxes of a graph with the planner's choice on a CPU of the same name and instruction
set, and draws the segmenter's picture, the service's metrics and the decoders' rates once more.
"""
import argparse
import html
import json
import pathlib
import re
import struct
import subprocess
import sys
import tempfile

from decoder_plot import picture_of

ROOT = pathlib.Path(__file__).resolve().parent.parent
PICTURES = ROOT / "docs" / "pictures"
METRICS = PICTURES / "serving_metrics.json"
DECODERS = PICTURES / "decoders.json"
sys.path.insert(0, str(ROOT / "python" / "benchmarks" / "serving"))

RESIDUAL_BLOCK = """7767517
8 8
pnnx.Input x 0 1 x #x=(1,64,56,56)f32
nn.Conv2d half 1 1 x 0 bias=True dilation=(1,1) groups=1 in_channels=64 kernel_size=(3,3) out_channels=128 padding=(1,1) \
padding_mode=zeros stride=(2,2) @bias=(128)f32 @weight=(128,64,3,3)f32 #x=(1,64,56,56)f32 #0=(1,128,28,28)f32
nn.Conv2d shortcut 1 1 x 1 bias=True dilation=(1,1) groups=1 in_channels=64 kernel_size=(1,1) out_channels=128 padding=(0,0) \
padding_mode=zeros stride=(2,2) @bias=(128)f32 @weight=(128,64,1,1)f32 #x=(1,64,56,56)f32 #1=(1,128,28,28)f32
F.relu activation 1 1 0 2 #0=(1,128,28,28)f32 #2=(1,128,28,28)f32
nn.Conv2d second 1 1 2 3 bias=True dilation=(1,1) groups=1 in_channels=128 kernel_size=(3,3) out_channels=128 padding=(1,1) \
padding_mode=zeros stride=(1,1) @bias=(128)f32 @weight=(128,128,3,3)f32 #2=(1,128,28,28)f32 #3=(1,128,28,28)f32
pnnx.Expression sum 2 1 3 1 4 expr=add(@0,@1) #3=(1,128,28,28)f32 #1=(1,128,28,28)f32 #4=(1,128,28,28)f32
F.relu result 1 1 4 y #4=(1,128,28,28)f32 #y=(1,128,28,28)f32
pnnx.Output out 1 0 y #y=(1,128,28,28)f32
"""


def run(*command):
    result = subprocess.run([str(part) for part in command], cwd=ROOT, capture_output=True, text=True, timeout=300, check=False)
    if result.returncode:
        sys.exit(f"{' '.join(map(str, command))}: {(result.stderr or result.stdout).strip()[-500:]}")


def sample(name, ending):
    return ROOT / "tmp" / f"{name}.{ending}"


def model(name):
    """Returns the two files of a model in tmp/, as arguments of the program."""
    return [sample(name, "pnnx.param"), sample(name, "pnnx.bin")]


def residual_block(folder):
    """Writes a model file without weights; the program takes them as zero."""
    file = pathlib.Path(folder) / "residual_block.pnnx.param"
    file.write_text(RESIDUAL_BLOCK, encoding="utf-8")
    return [file]


# The arguments of `kuiper graph` for each drawing.
GRAPHS = {
    "line_reader.svg": lambda folder: [*model("line_reader"), "--shape", "1,1,32,200"],
    "residual_block.svg": lambda folder: [*residual_block(folder), "--full"],
    "segmenter.svg": lambda folder: [*model("shape_segmenter"), "--image", sample("shapes", "png")],
}


def draw_graph(name, picture, *more):
    with tempfile.TemporaryDirectory() as folder:
        run("build/bin/kuiper", "graph", *GRAPHS[name](folder), "--threads", 1, *more, "--output", picture)


def draw_shapes(demo, picture):
    name = {"detect": "shape_detector", "segment": "shape_segmenter"}[demo]
    run(f"build/bin/{demo}", "--param", sample(name, "pnnx.param"), "--bin", sample(name, "pnnx.bin"), "--labels",
        sample(name, "labels.txt"), "--output", picture, sample("shapes", "png"))


def draw_faces(picture):
    if not (ROOT / "tmp" / "models" / "mtcnn_pnet.pnnx.param").exists():
        print(f"{picture.name}: not drawn, `tools/get_model.py` has not fetched mtcnn_pnet, mtcnn_rnet and mtcnn_onet")
        return
    run("build/bin/faces", sample("astronaut", "jpg"), "--output", picture)


def draw_report(picture):
    with tempfile.TemporaryDirectory() as folder:
        page = pathlib.Path(folder) / "report.html"
        run("build/bin/kuiper", "report", *model("shape_detector"), "--image", sample("shapes", "png"), "--threads", 1,
            "--runs", 50, "--output", page)
        run("chromium", "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--virtual-time-budget=3000",
            f"--user-data-dir={folder}/chromium", f"--screenshot={picture}", "--window-size=1300,1250", page.as_uri())


def draw_web_page(picture):
    if not (ROOT / "build-wasm/web/kuiper.html").exists():
        print(f"{picture.name}: not drawn, `tools/build_wasm.sh` has not built the page")
        return
    run("build-python/venv/bin/python", "tools/page_pictures.py", picture)


def draw_page(picture):
    missing = [name for name in ("smollm2", "efficientnet_lite0") if not (ROOT / "tmp/models" / f"{name}.pnnx.param").exists()]
    if missing:
        print(f"{picture.name}: not drawn, `tools/get_model.py` has not fetched {' and '.join(missing)}")
        return
    run("build-python/venv/bin/python", "tools/page_pictures.py", picture)


def metrics_picture():
    from plot_metrics import draw
    return draw(json.loads(METRICS.read_text(encoding="utf-8")))


def decoders_picture():
    return picture_of(DECODERS.read_text(encoding="utf-8"))


DRAWN = {
    **{name: lambda picture, name=name: draw_graph(name, picture, "--runs", 200) for name in GRAPHS},
    "detect.png": lambda picture: draw_shapes("detect", picture),
    "segment.png": lambda picture: draw_shapes("segment", picture),
    "decoders.svg": lambda picture: picture.write_text(decoders_picture(), encoding="utf-8"),
    "edges.png": lambda picture: run("build/bin/build_model", sample("line_invoice", "jpg"), picture),
    "faces.png": draw_faces,
    "report.png": draw_report,
    **{f"page_{view}{scheme}.webp": draw_page for view in ("chat", "model") for scheme in ("", "_dark")},
    "page_web.webp": draw_web_page,
    "serving_metrics.svg": lambda picture: picture.write_text(metrics_picture(), encoding="utf-8"),
}


def without_times(texts):
    return [text.strip() for text in map(html.unescape, texts) if not re.match(r"\d+\.\d+ ms, ", text)]


def boxes_of_svg(text):
    """Returns the text of each box of a drawing, by operator."""
    nodes = re.findall(r'class="node">\s*<title>(.*?)</title>(.*?)</g>', text, re.S)
    return {html.unescape(title): without_times(re.findall(r"<text[^>]*>([^<]*)</text>", body)) for title, body in nodes}


def boxes_of_dot(text):
    nodes = re.findall(r'^\s*"([^"]*)" \[label=<(.*)>, style=', text, re.M)
    return {name: without_times(re.findall(r">([^<>]+)<", label)) for name, label in nodes}


def machine_of(text):
    """Returns the CPU and the instruction set that the heading names."""
    found = re.search(r">(?:[\d.]+ ms in all steps, )?([^<>]*), KuiperInfer [\d.]+<", text)
    return found[1] if found else "an unknown machine"


def faults_of_graph(name):
    drawn = (PICTURES / name).read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder:
        now = pathlib.Path(folder) / "now.dot"
        draw_graph(name, now)
        planned = now.read_text(encoding="utf-8")
    if machine_of(drawn) != machine_of(planned):
        print(f"{name}: not compared, it was drawn on {machine_of(drawn)}, this is {machine_of(planned)}")
        return
    boxes, wanted = boxes_of_svg(drawn), boxes_of_dot(planned)
    for node in sorted(boxes.keys() | wanted.keys()):
        if boxes.get(node) != wanted.get(node):
            yield f"{name}: {node} is drawn as {boxes.get(node)}, now it is {wanted.get(node)}"


def size_of_png(file):
    return struct.unpack(">II", file.read_bytes()[16:24])


def faults_of_segments():
    """The segmenter's picture has a legend below the scene."""
    with tempfile.TemporaryDirectory() as folder:
        now = pathlib.Path(folder) / "segment.png"
        draw_shapes("segment", now)
        drawn, scene = size_of_png(now), size_of_png(sample("shapes", "png"))
    if drawn[1] <= scene[1]:
        yield f"segment.png: is drawn with {drawn} pixels, which leaves no room for a legend below {scene}"
    if size_of_png(PICTURES / "segment.png") != drawn:
        yield f"segment.png: has {size_of_png(PICTURES / 'segment.png')} pixels, now it is drawn with {drawn}"


def faults():
    present = {file.name for file in PICTURES.iterdir()} - {METRICS.name, DECODERS.name}
    for name in sorted(present ^ DRAWN.keys()):
        yield f"{name}: " + ("no picture of this script's" if name in present else "is not there")
    documents = [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]
    text = "".join(file.read_text(encoding="utf-8") for file in documents)
    for name in sorted(present):
        if f"pictures/{name}" not in text:
            yield f"{name}: no document shows it"
    for name in GRAPHS:
        yield from faults_of_graph(name)
    yield from faults_of_segments()
    if (PICTURES / "decoders.svg").read_text(encoding="utf-8") != decoders_picture():
        yield f"decoders.svg: is not what decoder_plot.py draws from {DECODERS.name}"
    if (PICTURES / "serving_metrics.svg").read_text(encoding="utf-8") != metrics_picture():
        yield f"serving_metrics.svg: is not what plot_metrics.py draws from {METRICS.name}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(DRAWN))
    parser.add_argument("--check", action="store_true", help="compare instead of drawing")
    given = parser.parse_args()
    if unknown := set(given.names) - DRAWN.keys():
        parser.error(f"{', '.join(sorted(unknown))}: no such picture; there are {', '.join(DRAWN)}")
    if given.check:
        found = list(faults())
        if found:
            sys.exit("\n".join([*found, "`python3 tools/draw_pictures.py` draws them anew"]))
        print(f"{len(DRAWN)} pictures are up to date")
        return
    for name in given.names or DRAWN:
        DRAWN[name](PICTURES / name)


if __name__ == "__main__":
    main()
