"""Build the kernel for pages: WebAssembly with SIMD, and a plain one for browsers without.

    python scripts/kernel.py OUT

The compiler is the `ziglang` package from PyPI; nothing else is needed. What was built from the
same sources before, in this copy of the repository or in another, is taken from a cache.
"""

from __future__ import annotations

import contextlib
import gzip
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parent.parent
FOLDERS: Final = {"kernel": "-Oz", "eval": "-O3", "search": "-O3", "review": "-Oz", "wasm": "-Oz"}
"""Folders of sources: fast where the time is spent, else small."""
LARGEST: Final = 120_000
"""Bytes of a kernel after gzip: it is fetched before the first local game."""

FLAGS: Final = (
    "-target", "wasm32-wasi",
    "-mexec-model=reactor",
    "-std=c++20",
    "-fno-exceptions",
    "-fno-rtti",
    "-fconstexpr-steps=20000000",
    "-DSUMITO_THREADS=0",
)  # fmt: skip
LINK: Final = ("-s", "-Wl,--gc-sections")
CACHE: Final = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "sumito/kernel"
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
    kept = CACHE / state[:16]
    if not kept.is_dir():
        build(found, kept, state)
    out.mkdir(parents=True, exist_ok=True)
    for name in BUILDS:
        shutil.copy(kept / name, out / name)
    stamp.write_text(state, encoding="utf-8")


def build(found: list[Path], kept: Path, state: str) -> None:
    """Compile both kernels into a folder of the cache, which appears whole or not at all."""
    sources = [path for path in found if path.suffix == ".cpp"]
    CACHE.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=CACHE) as folder:
        for name, more in BUILDS.items():
            print(f"sumito: building {name} (some minutes the first time)", flush=True)
            made = Path(folder) / name
            compiler = [sys.executable, "-m", "ziglang", "c++", *FLAGS, *more]
            with ThreadPoolExecutor(os.cpu_count()) as pool:
                parts = list(pool.map(partial(object_of, compiler, Path(folder)), sources))
            subprocess.run([*compiler, *LINK, *parts, "-o", str(made)], check=True)
            for part in parts:
                part.unlink()
            size = len(gzip.compress(made.read_bytes(), 9))
            if size > LARGEST:
                raise SystemExit(f"{name} has {size} bytes after gzip, more than {LARGEST}")
            print(f"sumito: {name}: {size / 1000:.1f} kB after gzip")
        if fingerprint(found) != state:
            raise SystemExit("sumito: the kernel's sources have changed meanwhile; build again")
        with contextlib.suppress(OSError):  # another build was quicker
            shutil.copytree(folder, f"{folder}-whole")
            Path(f"{folder}-whole").rename(kept)


def object_of(compiler: list[str], folder: Path, source: Path) -> Path:
    """One source to its object."""
    made = folder / f"{source.parent.name}-{source.stem}.o"
    flags = (FOLDERS[source.parent.name], f"-I{ROOT / 'core'}")
    subprocess.run([*compiler, *flags, "-c", str(source), "-o", str(made)], check=True)
    return made


def fingerprint(paths: list[Path]) -> str:
    """What a build depends on."""
    digest = hashlib.sha256(repr((FLAGS, LINK, FOLDERS, BUILDS, version("ziglang"))).encode())
    for path in paths:
        digest.update(path.relative_to(ROOT).as_posix().encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
