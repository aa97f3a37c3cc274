# SPDX-License-Identifier: MIT
"""The browser's modules: pages whose server lets them share memory load the one with threads, with the same results.

Both compute the operator cases in Chromium.
"""

from __future__ import annotations

import pathlib
from collections.abc import Iterator

import pytest

pytest.importorskip("selenium", reason='the tests of the page need selenium: pip install ".[test]"')

from serve.page.browser import Browser, missing
from serve.page.static_files import ISOLATION, serving

ROOT = pathlib.Path(__file__).resolve().parents[2]
WEB = ROOT / "build-wasm/web"

# Runs the detector twice on random numbers; returns the outputs of the second run, which has helpers.
RUN = """
const [folder, threads] = arguments;
return (async () => {
  const { Model } = await import(`/${folder}kuiper_infer.mjs`);
  const stem = "/examples/shape_detector.pnnx";
  const model = await Model.load(`${stem}.param`, `${stem}.bin`, { threads });
  const [{ name, shape }] = model.inputs;
  let state = 1;
  const next = () => (state = (state * 1103515245 + 12345) % 2147483648) / 2147483648;
  const extents = shape.map((extent) => (extent < 0 ? 64 : extent));
  const data = Float32Array.from({ length: extents.reduce((a, b) => a * b, 1) }, next);
  model.run({ [name]: { data, shape: extents } });
  const outputs = model.run({ [name]: { data, shape: extents } });
  model.dispose();
  return outputs.map(({ shape, data }) => [shape, Array.from(data)]);
})();
"""

# Runs the operator cases of an archive through a module.
RUN_CASES = """
const [folder, archive, threads] = arguments;
return (async () => {
  const module = await import(`/build-wasm/web/${folder}kuiper_infer.mjs`);
  const { runOperatorCases } = await import("/web/module/operator_cases.mjs");
  const inflate = async (packed) => {
    const unpacked = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    return new Uint8Array(await new Response(unpacked).arrayBuffer());
  };
  const bytes = new Uint8Array(await (await fetch(archive)).arrayBuffer());
  return runOperatorCases(module, bytes, inflate, { threads });
})();
"""

if not (WEB / "threads").exists():
    pytest.skip("the module with threads is not built: tools/build_wasm.sh", allow_module_level=True)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """The browser with the page of a server that lets it share memory."""
    if reason := missing():
        pytest.skip(reason)
    with serving(WEB, ISOLATION) as url:
        browser = Browser()
        browser.open(url)
        yield browser
        browser.end()


def test_any_number_of_threads_gives_the_same_bits(browser: Browser) -> None:
    assert browser.run("return crossOriginIsolated")
    expected = browser.run(RUN, "", 0)
    for threads in (0, 1, 2, 3):
        assert browser.run(RUN, "threads/", threads) == expected
    assert browser.complaints() == []


def test_the_page_computes_with_threads(browser: Browser) -> None:
    browser.click(browser.button("Shape detector"))
    browser.until(lambda: "given as" in browser.page_text(), "the example's picture")
    browser.click(browser.button("Run"))
    browser.until(lambda: browser.run("return document.querySelector('.answer').hasChildNodes()"), "an answer")
    names = (ROOT / "tmp/shape_detector.labels.txt").read_text().split()
    assert any(name in browser.text(".answer") for name in names)
    loaded = "return performance.getEntriesByType('resource').map((each) => new URL(each.name).pathname)"
    assert "/threads/kuiper_infer.wasm" in browser.run(loaded)
    assert browser.complaints() == []


def test_errors_are_the_same(browser: Browser) -> None:
    script = """
    const [folder] = arguments;
    return (async () => {
      const { Model } = await import(`/${folder}kuiper_infer.mjs`);
      try {
        await Model.load(new TextEncoder().encode("no model"), new Uint8Array(22));
      } catch (error) {
        return [error.name, error.code, error.message];
      }
    })();
    """
    error = browser.run(script, "threads/")
    assert error[:2] == ["KuiperError", "file"]
    assert error == browser.run(script, "")


@pytest.mark.parametrize(("folder", "threads"), [("", 0), ("threads/", 2)])
def test_the_operator_cases_give_pytorchs_results(folder: str, threads: int) -> None:
    if reason := missing():
        pytest.skip(reason)
    counts = dict.fromkeys(("passed", "refused", "lapack"), 0)
    failures: list[str] = []
    browser = Browser()
    browser.driver.set_script_timeout(120)
    try:
        with serving(ROOT, ISOLATION) as url:
            browser.open(f"{url}build-wasm/web/")
            for archive in sorted((ROOT / "test/data/op_cases").rglob("*.zip")):
                found = browser.run(RUN_CASES, folder, f"/{archive.relative_to(ROOT)}", threads)
                failures += [f"{archive.stem} {failure}" for failure in found["failures"]]
                for kind in counts:
                    counts[kind] += found[kind]
    finally:
        browser.end()
    assert failures == []
    assert counts["passed"] > 5_000, counts
