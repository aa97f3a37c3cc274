# SPDX-License-Identifier: MIT
"""Times sample models in headless Chromium: by the module of one thread, and by that with threads.

tools/build_wasm.sh && python python/benchmarks/web_threads.py      (pip install selenium; chromium, chromium-driver)
"""

from __future__ import annotations

import functools
import http.server
import pathlib
import shutil
import threading

from selenium import webdriver

WEB = pathlib.Path(__file__).resolve().parents[2] / "build-wasm/web"
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


class Isolating(http.server.SimpleHTTPRequestHandler):
    """A server of static files whose pages may share memory among threads."""

    def end_headers(self) -> None:
        self.send_header("Cross-Origin-Opener-Policy", "same-origin")
        self.send_header("Cross-Origin-Embedder-Policy", "require-corp")
        super().end_headers()

    def log_message(self, format: str, *args: object) -> None:
        pass


def main() -> None:
    """Prints the least time of twenty runs of each model."""
    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium") or ""
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
        options.add_argument(argument)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Isolating, directory=str(WEB)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    driver = webdriver.Chrome(options, webdriver.ChromeService(shutil.which("chromedriver")))
    driver.get(f"http://127.0.0.1:{server.server_port}/")
    print("| model | module of one thread, ms | threads | ms |\n|---|---|---|---|")
    for stem, shape in MODELS.items():
        alone, processors = driver.execute_script(RUNS, "", 0, stem, shape)
        for threads in sorted({1, processors}):
            least, _ = driver.execute_script(RUNS, "threads/", threads, stem, shape)
            print(f"| {stem} | {alone:.1f} | {threads} | {least:.1f} |")
    driver.quit()
    server.shutdown()


if __name__ == "__main__":
    main()
