"""The kernel in a page against the same kernel in this machine, in one run.

Nodes a second on one thread by the same fixed task, in Node and in Chromium; sizes after gzip; and
in Chromium the time from the start of the page's load to the computer's first move, with the kernel
cached, and the longest task on the page's main thread while the computer thinks.
"""

from __future__ import annotations

import gzip
import json
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path

from sumito import kernel
from sumito.engine import network

ROOT = Path(__file__).parent.parent
STATIC = ROOT / "src/sumito/server/static"
NETWORK = ROOT / "src/sumito/data/network.bin"
KERNELS = ("kernel.wasm", "kernel-relaxed.wasm", "kernel-plain.wasm")
DEPTH = 16
WARM = 11
"""First something shorter: V8 compiles hot code once more while it runs."""
RUNS = 3


def report(name: str, figure: str, target: str, holds: bool) -> None:
    print(f"{name:<52} {figure:>14}   {target:<16} {'ok' if holds else 'MISSED'}")


def build(out: Path) -> None:
    """The package as `npm pack` would have it."""
    compiler = ROOT / "web/node_modules/.bin/tsc"
    package = ROOT / "web/kernel"
    subprocess.run([compiler, "-p", package, "--outDir", out], check=True)  # noqa: S603
    (out / "package.json").write_text('{"type": "module"}', encoding="utf-8")
    for file in (*(package / "dist" / name for name in KERNELS), NETWORK):
        shutil.copy(file, out)


def speed(folder: Path) -> None:
    """By the processor's time, and in turns: a busy machine is no slower, and busy for both."""
    own = network.load()
    native: list[float] = []
    in_page: dict[str, list[float]] = {}
    with ExitStack() as stack:
        measures: dict[str, Callable[[], tuple[int, float]]] = {
            "Node": partial(bench_in_node, folder)
        }
        if chromium := shutil.which("chromium"):
            measures["Chromium"] = stack.enter_context(bench_in_chromium(chromium, folder))
        for _ in range(RUNS):
            before = time.process_time()
            nodes, _, _ = kernel.bench(DEPTH, own)
            native.append(nodes / (time.process_time() - before))
            for name, measure in measures.items():
                found, seconds = measure()
                assert found == nodes, "the kernels don't search the same tree"
                in_page.setdefault(name, []).append(nodes / seconds)
    for name, speeds in in_page.items():
        ratio = max(speeds) / max(native)
        rates = f"{max(speeds) / 1000:.0f}k/{max(native) / 1000:.0f}k"
        holds = ratio >= 0.5
        report(f"nodes/s, WebAssembly in {name} against native", f"{ratio:.2f}", ">= 0.50", holds)
        print(f"{'':<52} {rates:>14}   (best of {RUNS} each)")


def bench_in_node(folder: Path) -> tuple[int, float]:
    """Nodes searched and seconds of the processor's time."""
    script = ROOT / "tests/kernel/wasm/search.mjs"
    config = json.dumps({"depth": DEPTH, "warm": WARM})
    command = ["node", str(script), str(folder), "bench", config]
    found = subprocess.run(command, check=True, capture_output=True)  # noqa: S603
    done = json.loads(found.stdout)
    return done["nodes"], done["ms"] / 1000


@contextmanager
def bench_in_chromium(chromium: str, folder: Path) -> Iterator[Callable[[], tuple[int, float]]]:
    """The same in a page that is open meanwhile, with the fastest build that Chromium runs."""
    from playwright.sync_api import sync_playwright

    (folder / "index.html").write_text("<!doctype html><title>bench</title>", encoding="utf-8")
    with serve(folder) as url, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page()
        page.goto(url)
        page.evaluate(
            """async (warm) => {
              const { load } = await import("./index.js");
              window.search = (await load()).search();
              await search.bench(warm);
            }""",
            WARM,
        )
        processes = browser.new_browser_cdp_session()

        def seconds() -> float:
            found = processes.send("SystemInfo.getProcessInfo")["processInfo"]
            return float(sum(one["cpuTime"] for one in found if one["type"] == "renderer"))

        def measure() -> tuple[int, float]:
            before = seconds()
            nodes = page.evaluate("async (depth) => (await search.bench(depth)).nodes", DEPTH)
            return nodes, seconds() - before

        try:
            yield measure
        finally:
            browser.close()


@contextmanager
def serve(folder: Path) -> Iterator[str]:
    """The address at which a process of its own serves the folder."""
    command = [sys.executable, "-u", "-m", "http.server", "0", "--bind", "127.0.0.1"]
    server = subprocess.Popen(  # noqa: S603
        command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    assert server.stdout is not None
    try:
        port = server.stdout.readline().split(" port ")[1].split()[0]
        yield f"http://127.0.0.1:{port}/"
    finally:
        server.terminate()
        server.wait()
        server.stdout.close()


def sizes() -> None:
    def zipped(*files: Path) -> float:
        return sum(len(gzip.compress(file.read_bytes(), 9)) for file in files) / 1000

    for name in KERNELS:
        size = zipped(ROOT / "web/kernel/dist" / name)
        report(f"{name} after gzip", f"{size:.1f} kB", "<= 150 kB", size <= 150)
    index = (STATIC / "index.html").read_text(encoding="utf-8")
    first = [STATIC / "index.html"]
    first += [file for file in STATIC.glob("assets/*") if file.name in index]
    size = zipped(*first)
    report("first load with its typeface after gzip", f"{size:.1f} kB", "<= 105 kB", size <= 105)


BEGIN = """() => {
  window.longest = 0;
  new PerformanceObserver(list => {
    for (const entry of list.getEntries()) window.longest = Math.max(longest, entry.duration);
  }).observe({ entryTypes: ["longtask"] });
}"""


def in_browser() -> None:
    """A visit to the page as plain files: nothing here depends on how fast a server is."""
    from playwright.sync_api import sync_playwright

    from sumito.cli.site import write_site

    chromium = shutil.which("chromium")
    if chromium is None:
        print("no chromium here: the page isn't measured")
        return
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        site = Path(folder) / "site"
        write_site(site, STATIC, overwrite=False)
        with serve(site) as url:
            browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
            try:
                visit(browser.new_context().new_page(), url)
            finally:
                browser.close()


def visit(page: object, url: str) -> None:
    """Two visits: the first fills the cache, the second is timed."""
    from playwright.sync_api import Page

    assert isinstance(page, Page)
    page.add_init_script("localStorage.setItem('sumito.settings', '{\"pace\":\"none\"}')")
    page.goto(url)
    page.wait_for_function("navigator.serviceWorker.controller !== null")
    play(page, url)
    page.add_init_script(f"({BEGIN})()")
    page.goto("about:blank")
    took = play(page, url)
    longest = page.evaluate("longest")
    report("from page load to the computer's first move", f"{took:.0f} ms", "< 400 ms", took < 400)
    report("longest task of the page meanwhile", f"{longest:.0f} ms", "< 50 ms", longest < 50)


def play(page: object, url: str) -> float:
    """Load the page, make the first move as soon as it can be made, wait for the answer.

    The time of the computer's own thinking, which its level sets, is part of it.
    """
    from playwright.sync_api import Page

    assert isinstance(page, Page)
    page.goto(url)
    took = page.evaluate("""async () => {
      const until = async test => {
        for (;;) {
          const found = test();
          if (found) return found;
          await new Promise(requestAnimationFrame);
        }
      };
      const area = await until(() => document.querySelector("sumito-home sumito-play"));
      area.dispatchEvent(new PointerEvent("pointerover", { bubbles: true }));
      area.dispatchEvent(new PointerEvent("pointerdown", { bubbles: true }));
      const played = await until(() => area.played?.game ? area.played : null);
      played.play(played.game.legal.find(({ move }) => move === "a1b2"));
      const made = await played.made; // the game itself, which the first move began
      await until(() => made.game.moves.length === 2);
      return performance.now();
    }""")
    assert isinstance(took, float | int)
    return took


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        build(Path(folder))
        speed(Path(folder))
    sizes()
    in_browser()


if __name__ == "__main__":
    main()
