"""Plots of curves over epochs or generations, drawn by matplotlib as SVG."""

from __future__ import annotations

import io
from importlib import import_module
from importlib.util import find_spec

from sumito.errors import LabError
from sumito.i18n.messages import N_

_STYLE = {
    "svg.fonttype": "none",  # keep texts as text: small and searchable
    "svg.hashsalt": "sumito",  # a fixed salt makes the output deterministic
}


def check_installed() -> None:
    """Raise if matplotlib is missing, before long work whose result it would draw."""
    if find_spec("matplotlib") is None:
        raise LabError(N_("pictures need matplotlib: pip install 'sumito[lab]'"), code="no-plots")


def curves(lines: dict[str, list[float]], *, title: str, first: int = 1) -> str:
    """Return a plot of curves over whole numbers from `first`."""
    check_installed()
    matplotlib = import_module("matplotlib")
    figure = import_module("matplotlib.figure").Figure(figsize=(6.4, 3.6), layout="constrained")
    axes = figure.add_subplot()
    for name, line in lines.items():
        axes.plot(range(first, first + len(line)), line, marker="o", label=name)
    axes.set_title(title)
    axes.xaxis.get_major_locator().set_params(integer=True)
    axes.grid(alpha=0.3)
    axes.legend()
    drawn = io.StringIO()
    with matplotlib.rc_context(_STYLE):
        figure.savefig(drawn, format="svg", metadata={"Date": None})
    return drawn.getvalue()
