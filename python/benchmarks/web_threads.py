# SPDX-License-Identifier: MIT
"""Times sample models in headless Chromium: by the module of one thread, and by that with threads.

tools/build_wasm.sh && python python/benchmarks/web_threads.py      (pip install selenium; chromium, chromium-driver)
"""

from __future__ import annotations

import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python" / "tests"))

MODELS = {"line_reader": [1, 1, 32, 200], "shape_detector": [1, 3, 480, 640]}
RUNS = """
const [folder, threads, stem, shape] = arguments;
return (async () => {
  const { Model } = await import(`/${folder}kuiper_infer.mjs`);
  const model = await Model.load(`/examples/${stem}.pnnx.param`, `/examples/${stem}.pnnx.bin`, { threads });
  const data = new Float32Array(shape.reduce((a, b) => a * b, 1)).fill(0.5);
  let least = Infinity;
  for (let i = 0; i < 20; i++) {
    const begun = performance.now();
    model.run({ [model.inputs[0].name]: { data, shape } });
    least = Math.min(least, performance.now() - begun);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  model.dispose();
  return [least, navigator.hardwareConcurrency];
})();
"""


def main() -> None:
    """Prints the least time of twenty runs of each model."""
    from serve.page.browser import Browser
    from serve.page.static_files import ISOLATION, serving

    with serving(ROOT / "build-wasm/web", ISOLATION) as url:
        browser = Browser()
        browser.open(url)
        print("| model | module of one thread, ms | threads | ms |\n|---|---|---|---|")
        for stem, shape in MODELS.items():
            alone, processors = browser.run(RUNS, "", 0, stem, shape)
            for threads in sorted({1, processors}):
                least, _ = browser.run(RUNS, "threads/", threads, stem, shape)
                print(f"| {stem} | {alone:.1f} | {threads} | {least:.1f} |")
        browser.end()


if __name__ == "__main__":
    main()
