"""Build the kernel for pages: WebAssembly with SIMD, and a plain one for browsers without.

    python scripts/kernel.py OUT

The compiler is the `ziglang` package from PyPI; nothing else is needed. What has been built from
the same sources is left as it is.
"""

from __future__ import annotations

import gzip
import hashlib
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parent.parent
FOLDERS: Final = ("kernel", "eval", "search", "wasm")
LARGEST: Final = 120_000
"""Bytes of a kernel after gzip: it is fetched before the first local game."""

FLAGS: Final = (
    "-target", "wasm32-wasi",
    "-mexec-model=reactor",
    "-std=c++20",
    "-O3",
    "-fno-exceptions",
    "-fno-rtti",
    "-fconstexpr-steps=20000000",
    "-DSUMITO_THREADS=0",
    "-s",
    "-Wl,--gc-sections",
)  # fmt: skip
BUILDS: Final = {"kernel.wasm": ("-msimd128",), "kernel-plain.wasm": ()}


def main(out: Path) -> None:
    """Build what isn't up to date."""
    core = ROOT / "core"
    found = sorted(path for folder in FOLDERS for path in (core / folder).glob("*.[ch]pp"))
    stamp = out / "built-from"
    state = fingerprint(found)
    if stamp.exists() and stamp.read_text(encoding="utf-8") == state:
        stamp.touch()
        return
    out.mkdir(parents=True, exist_ok=True)
    sources = [str(path) for path in found if path.suffix == ".cpp"]
    for name, more in BUILDS.items():
        print(f"sumito: building {name} (some minutes the first time)", flush=True)
        compile_with = [sys.executable, "-m", "ziglang", "c++", *FLAGS, *more, f"-I{core}"]
        subprocess.run([*compile_with, *sources, "-o", str(out / name)], check=True)  # noqa: S603
        size = len(gzip.compress((out / name).read_bytes(), 9))
        if size > LARGEST:
            raise SystemExit(f"{name} has {size} bytes after gzip, more than {LARGEST}")
        print(f"sumito: {name}: {size / 1000:.1f} kB after gzip")
    stamp.write_text(state, encoding="utf-8")


def fingerprint(paths: list[Path]) -> str:
    """What a build depends on."""
    digest = hashlib.sha256(repr((FLAGS, BUILDS, version("ziglang"))).encode())
    for path in paths:
        digest.update(path.relative_to(ROOT).as_posix().encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
