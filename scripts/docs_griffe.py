"""Griffe extension: fences around the examples in docstrings, which become blocks of code."""

from __future__ import annotations

from typing import Any

import griffe


def fenced(text: str) -> str:
    """Return the text with fences around its examples.

    >>> print(fenced("Adds.\\n\\n>>> 1 + 1\\n2\\n\\nSo it is."))
    Adds.
    <BLANKLINE>
    ```pycon
    >>> 1 + 1
    2
    ```
    <BLANKLINE>
    So it is.
    """
    lines: list[str] = []
    inside = False
    for line in [*text.splitlines(), ""]:
        if line.startswith(">>> ") and not inside:
            lines.append("```pycon")
            inside = True
        elif not line.strip() and inside:
            lines.append("```")
            inside = False
        lines.append(line)
    return "\n".join(lines[:-1] if lines[-1] == "" else lines)


class FencedExamples(griffe.Extension):
    """Put fences around the examples of every docstring."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:  # noqa: ANN401
        if obj.docstring is not None:
            obj.docstring.value = fenced(obj.docstring.value)
