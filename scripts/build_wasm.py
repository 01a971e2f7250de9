"""Build the kernel for pages: WebAssembly with SIMD, relaxed SIMD, or none for old browsers.

    python scripts/build_wasm.py FOLDER     put them into a folder, unless they are up to date there
    python scripts/build_wasm.py --store    compile all and store them in the repository
    python scripts/build_wasm.py --compare  compile all and compare them with those stored
    python scripts/build_wasm.py --compiler print what to install for compiling

Exits with 3 if it has to compile and the compiler isn't installed.

Compiling takes minutes, so the repository stores what its sources compile to. A stored kernel is
named by the hash of everything it is built from and is used only if that hash is the present one;
otherwise the sources are compiled, and the result is cached for other checkouts. The compiler is
the `ziglang` package from PyPI, in the version of the extra `dev`.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parent.parent
STORED: Final = ROOT / "web/kernel/stored"
ZIGLANG: Final = "0.17.0"
"""Another version may compile to other bytes."""
FOLDERS: Final = {"kernel": "-Oz", "eval": "-O3", "search": "-O3", "review": "-Oz", "wasm": "-Oz"}
"""Folders of sources: fast where the time is spent, else small."""
NO_COMPILER: Final = 3
"""The exit code where sources have to be compiled and the compiler isn't there."""
LARGEST: Final = 150_000
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
# The same for every kernel: the compiler builds its C++ library once for each set of flags, which
# takes longer than the kernel.
LINK: Final = ("-s", "-Wl,--gc-sections")
CACHE: Final = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "sumito/kernel"
BUILDS: Final = {
    "kernel.wasm": ("-msimd128",),
    "kernel-relaxed.wasm": ("-msimd128", "-mrelaxed-simd"),
    "kernel-plain.wasm": (),
}

Kernels = dict[str, bytes]
"""Compiled kernels by file name."""


def main() -> None:
    """Do what the command line asks."""
    parser = argparse.ArgumentParser(usage=__doc__)
    task = parser.add_mutually_exclusive_group(required=True)
    task.add_argument("folder", nargs="?", type=Path)
    task.add_argument("--store", action="store_true")
    task.add_argument("--compare", action="store_true")
    task.add_argument("--compiler", action="store_true")
    arguments = parser.parse_args()
    if arguments.store:
        store(compile_kernels())
    elif arguments.compare:
        compare(compile_kernels())
    elif arguments.compiler:
        print(f"ziglang=={ZIGLANG}")
    else:
        provide(arguments.folder)


def provide(folder: Path) -> None:
    """Put the kernels into a folder, unless they are up to date there."""
    stamp = folder / "built-from"
    state = fingerprint()
    if stamp.exists() and stamp.read_text(encoding="utf-8") == state:
        stamp.touch()
        return
    kernels = stored(state) or cached(state)
    if kernels is None:
        kernels = compile_kernels()
        keep_in_cache(kernels, state)
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in kernels.items():
        (folder / name).write_bytes(content)
    stamp.write_text(state, encoding="utf-8")


def stored(state: str) -> Kernels | None:
    """Return the repository's kernels, if they were built from the present sources."""
    return read({name: STORED / stored_name(name, state) for name in BUILDS})


def stored_name(name: str, state: str) -> str:
    """Return the file name of a stored kernel."""
    return f"{Path(name).stem}-{state[:16]}.wasm"


def cached(state: str) -> Kernels | None:
    """Return the kernels that any checkout has compiled from the same sources."""
    return read({name: CACHE / state[:16] / name for name in BUILDS})


def read(files: dict[str, Path]) -> Kernels | None:
    """Return what the files contain; None unless all are there."""
    if not all(file.is_file() for file in files.values()):
        return None
    return {name: file.read_bytes() for name, file in files.items()}


def keep_in_cache(kernels: Kernels, state: str) -> None:
    """Write the kernels to the user's cache, all at once."""
    CACHE.mkdir(parents=True, exist_ok=True)
    folder = Path(tempfile.mkdtemp(dir=CACHE))
    for name, content in kernels.items():
        (folder / name).write_bytes(content)
    try:
        folder.rename(CACHE / state[:16])
    except OSError:  # another build was quicker
        shutil.rmtree(folder)


def store(kernels: Kernels) -> None:
    """Replace the repository's kernels."""
    STORED.mkdir(parents=True, exist_ok=True)
    for old in STORED.glob("*.wasm"):
        old.unlink()
    for name, content in kernels.items():
        (STORED / stored_name(name, fingerprint())).write_bytes(content)


def compare(kernels: Kernels) -> None:
    """Exit with an error unless the repository's kernels are, byte for byte, these."""
    found = stored(fingerprint())
    if found is None:
        raise SystemExit("the stored kernels are of other sources: run `make kernel-store`")
    different = [name for name in BUILDS if found[name] != kernels[name]]
    if different:
        raise SystemExit(f"not what the sources compile to: {', '.join(different)}")
    print("sumito: the stored kernels are, byte for byte, what the sources compile to")


def compile_kernels() -> Kernels:
    """Compile all kernels."""
    check_compiler()
    state = fingerprint()
    with tempfile.TemporaryDirectory() as folder:
        kernels = {name: compile_one(name, Path(folder)) for name in BUILDS}
    if fingerprint() != state:
        raise SystemExit("sumito: the kernel's sources have changed meanwhile; build again")
    return kernels


def check_compiler() -> None:
    """Exit with `NO_COMPILER` unless the compiler is installed in the right version."""
    try:
        found = version("ziglang")
    except PackageNotFoundError:
        found = "none"
    if found != ZIGLANG:
        print(f"sumito: compiling the kernel needs ziglang {ZIGLANG}; installed: {found}")
        raise SystemExit(NO_COMPILER)


def compile_one(name: str, folder: Path) -> bytes:
    """Compile one kernel."""
    print(f"sumito: compiling {name} (some minutes the first time)", flush=True)
    compiler = [sys.executable, "-m", "ziglang", "c++", *FLAGS]
    to_object = partial(compile_source, [*compiler, *BUILDS[name]], folder)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        objects = list(pool.map(to_object, (path for path in sources() if path.suffix == ".cpp")))
    linked = folder / name
    subprocess.run([*compiler, *LINK, *objects, "-o", linked], check=True)
    content = linked.read_bytes()
    size = len(gzip.compress(content, 9))
    if size > LARGEST:
        raise SystemExit(f"{name} has {size} bytes after gzip, more than {LARGEST}")
    print(f"sumito: {name}: {size / 1000:.1f} kB after gzip", flush=True)
    return content


def compile_source(compiler: list[str], folder: Path, source: Path) -> Path:
    """Compile one source to an object."""
    made = folder / f"{source.parent.name}-{source.stem}.o"
    # Messages name sources, and the bytes must not depend on where the checkout is.
    flags = (FOLDERS[source.parent.name], f"-I{ROOT / 'core'}", f"-ffile-prefix-map={ROOT}=.")
    subprocess.run([*compiler, *flags, "-c", source, "-o", made], check=True)
    return made


def sources() -> list[Path]:
    """Return everything a kernel is compiled from."""
    return sorted(path for folder in FOLDERS for path in (ROOT / "core" / folder).glob("*.[ch]pp"))


def fingerprint() -> str:
    """Return the hash of all that a build depends on."""
    digest = hashlib.sha256(repr((FLAGS, LINK, FOLDERS, BUILDS, ZIGLANG)).encode())
    for path in sources():
        digest.update(path.relative_to(ROOT).as_posix().encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


if __name__ == "__main__":
    main()
