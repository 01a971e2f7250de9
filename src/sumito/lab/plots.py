"""Pictures of how learning went: lines over epochs or generations, in a few lines of SVG."""

from __future__ import annotations

_WIDTH, _HEIGHT, _MARGIN = 640, 360, 56
_INKS = ("#2563eb", "#d97706", "#059669", "#7c3aed")


def curves(lines: dict[str, list[float]], *, title: str, first: int = 1) -> str:
    """A picture of lines over whole numbers that begin at `first`."""
    values = [value for line in lines.values() for value in line]
    low, high = min(values, default=0.0), max(values, default=1.0)
    high = high if high > low else low + 1.0
    steps = max((len(line) for line in lines.values()), default=1)

    def x(step: int) -> float:
        return _MARGIN + (_WIDTH - 2 * _MARGIN) * step / max(1, steps - 1)

    def y(value: float) -> float:
        return _HEIGHT - _MARGIN - (_HEIGHT - 2 * _MARGIN) * (value - low) / (high - low)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}">',
        "<style>text{font:13px sans-serif}</style>",
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="#fff"/>',
        f'<text x="{_MARGIN}" y="28">{title}</text>',
    ]
    for k in range(5):
        value = low + (high - low) * k / 4
        parts.append(
            f'<path d="M{_MARGIN} {y(value):.1f}H{_WIDTH - _MARGIN}" stroke="#ddd"/>'
            f'<text x="{_MARGIN - 6}" y="{y(value) + 4:.1f}" text-anchor="end">{value:.4g}</text>'
        )
    parts += [
        f'<text x="{x(step):.1f}" y="{_HEIGHT - _MARGIN + 20}" text-anchor="middle">'
        f"{step + first}</text>"
        for step in range(0, steps, max(1, steps // 12))
    ]
    for ink, line in zip(_INKS, lines.values(), strict=False):
        points = " ".join(f"{x(step):.1f},{y(value):.1f}" for step, value in enumerate(line))
        parts.append(f'<polyline points="{points}" fill="none" stroke="{ink}" stroke-width="2"/>')
        parts += [
            f'<circle cx="{x(step):.1f}" cy="{y(value):.1f}" r="3" fill="{ink}"/>'
            for step, value in enumerate(line)
        ]
    for row, (ink, name) in enumerate(zip(_INKS, lines, strict=False)):
        parts.append(
            f'<text x="{_WIDTH - _MARGIN}" y="{28 + 18 * row}" fill="{ink}" '
            f'text-anchor="end">{name}</text>'
        )
    return "\n".join((*parts, "</svg>\n"))
